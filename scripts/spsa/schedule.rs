//! The arithmetic of SPSA: the size of each perturbation and of each update. Plays no games and does no input or output.
//!
//! CITE: Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization" (1998): the
//! decay of the gains and their exponents. As usual in engine tuning, each parameter is scaled by a step large enough to
//! show in games, and the gains are given by their values at the last iteration.

use kagetsu::random::{Random, RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

/// Decay of the update gain.
const ALPHA: f64 = 0.602;
/// Decay of the perturbation.
const GAMMA: f64 = 0.101;
/// The stability constant, as a share of all pairs.
const STABILITY: f64 = 0.1;

/// A parameter being tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Name that the engine knows it by.
    pub name: String,
    /// Smallest value.
    pub low: i32,
    /// Largest value.
    pub high: i32,
    /// Perturbation at the end of the schedule.
    pub step: f64,
    /// Value before tuning.
    pub start: i32,
    /// Value now; the engine gets whole numbers, the average needs its fractions.
    pub value: f64,
    /// Wins less losses of the higher of its two values, over all games.
    #[serde(default)]
    pub lead: f64,
}

/// The length of a tuning and the size of its steps.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    /// Pairs of games of the whole run.
    pub pairs: u64,
    /// Update at the end for one more win than losses, in steps: 0.002 is usual.
    pub rate: f64,
}

/// One iteration: which way each parameter is perturbed and the two values that play each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Probe {
    /// For each parameter +1 or -1.
    flips: Vec<f64>,
    /// Values of the first engine.
    pub plus: Vec<i32>,
    /// Values of the second.
    pub minus: Vec<i32>,
}

impl Schedule {
    /// Perturbation after a number of pairs, in steps: above one at first, one at the end.
    fn perturbation(&self, done: u64) -> f64 {
        (self.pairs as f64 / (done + 1) as f64).powf(GAMMA)
    }

    /// Update after a number of pairs for a result of one, in steps.
    fn gain(&self, done: u64) -> f64 {
        let stability = STABILITY * self.pairs as f64;
        let decay = (stability + self.pairs as f64) / (stability + (done + 1) as f64);
        self.rate * decay.powf(ALPHA) / self.perturbation(done)
    }

    /// The values to try against each other next. The same seed and number of pairs give the same.
    pub fn probe(&self, parameters: &[Parameter], done: u64, seed: u64) -> Probe {
        let mut random =
            Random::seed_from_u64(seed.wrapping_add((done + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let mut probe = Probe { flips: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for p in parameters {
            let flip = if random.random_bool(0.5) { 1.0 } else { -1.0 };
            let far = flip * p.step * self.perturbation(done);
            probe.flips.push(flip);
            probe.plus.push(p.whole(p.value + far, &mut random));
            probe.minus.push(p.whole(p.value - far, &mut random));
        }
        probe
    }

    /// Moves the values towards those that won. `result` is the first engine's wins less its losses.
    pub fn learn(&self, parameters: &mut [Parameter], probe: &Probe, done: u64, result: i64) {
        for (p, flip) in parameters.iter_mut().zip(&probe.flips) {
            p.lead += flip * result as f64;
            let update = self.gain(done) * p.step * result as f64 * flip;
            p.value = (p.value + update).clamp(f64::from(p.low), f64::from(p.high));
        }
    }
}

impl Parameter {
    /// One of the two whole numbers next to a value, the nearer one likelier, so that the mean is the value: rounding to
    /// the nearest would hide perturbations of less than a half.
    fn whole(&self, value: f64, random: &mut Random) -> i32 {
        ((value + random.random::<f64>()).floor() as i32).clamp(self.low, self.high)
    }

    /// The value to write into the source.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32
    }

    /// Returns what the higher of the two values gained over the lower in Elo, and half of its 95 % interval.
    ///
    /// All parameters move at once and independently, so each has its effect measured by all games; those of the others are
    /// noise that evens out. `squares` is the sum of the squared results of the iterations, `games` their number of games.
    pub fn effect(&self, squares: f64, games: u64) -> (f64, f64) {
        if games == 0 {
            return (0.0, f64::INFINITY);
        }
        // Elo by wins less losses of one game, where both sides are nearly equal.
        let elo = 800.0 / f64::ln(10.0) / games as f64;
        (elo * self.lead, elo * 1.96 * squares.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(value: f64) -> Parameter {
        Parameter { name: "p".into(), low: 0, high: 1000, step: 20.0, start: value as i32, value, lead: 0.0 }
    }

    #[test]
    fn gains_end_where_they_are_said_to() {
        let schedule = Schedule { pairs: 5000, rate: 0.002 };
        assert!((schedule.perturbation(4999) - 1.0).abs() < 1e-9);
        assert!((schedule.gain(4999) - 0.002).abs() < 1e-9);
        // By hand: 5000^0.101 = 2.363, ((500 + 5000) / 501)^0.602 = 4.231.
        assert!((schedule.perturbation(0) - 2.363).abs() < 1e-3);
        assert!((schedule.gain(0) - 0.002 * 4.231 / 2.363).abs() < 1e-5);
        // At first the perturbation shrinks faster than the update.
        assert!((500..5000).all(|k| schedule.gain(k) < schedule.gain(k - 1)));
    }

    #[test]
    fn probes_lie_on_both_sides_and_within_range() {
        let schedule = Schedule { pairs: 100, rate: 0.002 };
        let parameters = [parameter(500.0), Parameter { step: 0.4, ..parameter(3.0) }, parameter(1.0)];
        let mut seen = [false; 2];
        for done in 0..100 {
            let probe = schedule.probe(&parameters, done, 7);
            assert_eq!(probe, schedule.probe(&parameters, done, 7));
            let far = f64::from(probe.plus[0] - probe.minus[0]).abs();
            assert!((far - 40.0 * schedule.perturbation(done)).abs() < 2.0, "{far}");
            seen[usize::from(probe.plus[0] > probe.minus[0])] = true;
            assert!([probe.plus[2], probe.minus[2]].iter().all(|v| (0..=1000).contains(v)));
        }
        assert_eq!(seen, [true; 2], "both directions come up");
    }

    #[test]
    fn rounding_keeps_the_mean() {
        let mut random = Random::seed_from_u64(5);
        let p = parameter(0.0);
        let sum: i32 = (0..10_000).map(|_| p.whole(3.3, &mut random)).sum();
        // The deviation of a mean of 10,000 is 0.0046.
        assert!((f64::from(sum) / 10_000.0 - 3.3).abs() < 0.025, "{sum}");
    }

    #[test]
    fn winners_are_followed() {
        let schedule = Schedule { pairs: 100, rate: 0.01 };
        let mut parameters = [parameter(500.0), parameter(500.0)];
        let probe = schedule.probe(&parameters, 0, 1);
        schedule.learn(&mut parameters, &probe, 0, 2);
        for (i, p) in parameters.iter().enumerate() {
            let towards = f64::from(probe.plus[i]) - 500.0;
            assert!((p.value - 500.0) * towards > 0.0);
            let far = 2.0 * 20.0 * schedule.gain(0);
            assert!(((p.value - 500.0).abs() - far).abs() < 1e-9, "{} where {far} was expected", p.value);
        }
        assert!(parameters.iter().zip(&probe.flips).all(|(p, flip)| p.lead == 2.0 * flip));
        let before = parameters.clone();
        schedule.learn(&mut parameters, &probe, 1, 0);
        assert_eq!(parameters, before, "an even match says nothing");
    }

    /// Matches of which the outcome is drawn from a strength that falls off from known best values.
    #[test]
    fn the_best_values_are_found() {
        let schedule = Schedule { pairs: 20_000, rate: 0.01 };
        let best = [300.0, 620.0];
        let mut parameters = [parameter(400.0), parameter(500.0)];
        let mut random = Random::seed_from_u64(11);
        let elo = |values: &[i32]| -> f64 {
            values.iter().zip(best).map(|(v, b)| -100.0 * ((f64::from(*v) - b) / 100.0).powi(2)).sum()
        };
        for done in 0..schedule.pairs {
            let probe = schedule.probe(&parameters, done, 3);
            let expected = 1.0 / (1.0 + 10f64.powf((elo(&probe.minus) - elo(&probe.plus)) / 400.0));
            let result = (0..2).map(|_| if random.random::<f64>() < expected { 1 } else { -1 }).sum();
            schedule.learn(&mut parameters, &probe, done, result);
        }
        for (p, b) in parameters.iter().zip(best) {
            assert!((p.value - b).abs() < 30.0, "{} where {b} is best", p.value);
        }
    }

    /// Games of which the outcome is drawn from known effects: 40 Elo for the higher value of one parameter, none for the
    /// other.
    #[test]
    fn effects_are_measured_without_moving_the_values() {
        let schedule = Schedule { pairs: 10_000, rate: 0.0 };
        let mut parameters = [parameter(500.0), parameter(500.0)];
        let mut random = Random::seed_from_u64(5);
        let expected = 1.0 / (1.0 + 10f64.powf(-40.0 / 400.0));
        let mut squares = 0.0;
        for done in 0..schedule.pairs {
            let probe = schedule.probe(&parameters, done, 3);
            let chance = if probe.flips[0] > 0.0 { expected } else { 1.0 - expected };
            let result: i64 = (0..2).map(|_| if random.random::<f64>() < chance { 1 } else { -1 }).sum();
            squares += (result * result) as f64;
            schedule.learn(&mut parameters, &probe, done, result);
        }
        assert!(parameters.iter().all(|p| p.value == 500.0));
        let (elo, margin) = parameters[0].effect(squares, 2 * schedule.pairs);
        assert!((elo - 40.0).abs() < margin && (4.0..6.0).contains(&margin), "{elo} {margin}");
        let (elo, margin) = parameters[1].effect(squares, 2 * schedule.pairs);
        assert!(elo.abs() < margin, "{elo} {margin}");
    }
}
