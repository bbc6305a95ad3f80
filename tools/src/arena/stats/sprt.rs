//! The sequential probability ratio test: play on until the games decide between two strength differences.
//!
//! The log-likelihood ratio is that of the generalised test: among all distributions of an item's score that have the
//! strength of a hypothesis, the one that makes the sample most likely stands for it.
//!
//! CITE: M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a multinomial
//! distribution" (logistic model, Proposition 1.1), and "Comments on normalized Elo" (section 4.1).

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Sample;
use super::elo::{NORMALIZED_UNIT, score_of_elo};
use crate::words;
use kagetsu::game::quote::quoted;
use kagetsu::invalid::Invalid;

/// Stands for a count of zero, so that no outcome is impossible.
const UNSEEN: f64 = 1e-3;

/// Unit of a test's bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Logistic Elo: 400 points are odds of ten to one.
    #[default]
    Logistic,
    /// Normalised Elo: the score in units of its own deviation, so a test needs the same number of games at any draw
    /// rate.
    Normalized,
}

impl Model {
    /// The largest difference that can be tested. Beyond it, a logistic Elo difference is a score of 0 or 1 within the
    /// precision of numbers, and for a normalised one the iteration does not converge.
    const fn most(self) -> f64 {
        match self {
            Model::Logistic => 1000.0,
            Model::Normalized => 200.0,
        }
    }
}

impl FromStr for Model {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Model, Invalid> {
        match s {
            "logistic" => Ok(Model::Logistic),
            "normalized" | "normalised" => Ok(Model::Normalized),
            _ => Err(format!("{} is not a model: expected logistic or normalized", quoted(s)).into()),
        }
    }
}

/// A test of `elo1` (the first engine is stronger by this much) against `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// Strength difference of the hypothesis H0.
    pub elo0: f64,
    /// Strength difference of the hypothesis H1, above `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 when H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 when H1 is true.
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    pub model: Model,
}

/// State of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum SprtResult {
    /// Undecided.
    Continue,
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
}

impl Sprt {
    /// Checks that the bounds can be tested.
    ///
    /// # Errors
    /// Names the bounds that cannot.
    pub fn check(&self) -> Result<(), Invalid> {
        let rate = |x: f64| x > 0.0 && x < 1.0;
        if self.elo1.is_nan() || self.elo0 >= self.elo1 {
            return Err("expected elo0 and a greater elo1, e.g. elo0=0 elo1=5".into());
        }
        let most = self.model.most();
        // A bound that is not a number is out of range.
        if ![self.elo0, self.elo1].iter().all(|elo| elo.abs() <= most) {
            return Err(format!("elo0 and elo1: expected -{most} to {most} with this model").into());
        }
        if !rate(self.alpha) || !rate(self.beta) || self.alpha + self.beta >= 1.0 {
            return Err("alpha and beta must lie between 0 and 1, and so must their sum".into());
        }
        Ok(())
    }

    /// The values of the log-likelihood ratio at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0; 0 without a sample.
    pub fn llr(&self, sample: &Sample) -> f64 {
        if sample.total() == 0 {
            return 0.0;
        }
        let weights: Vec<f64> =
            sample.counts().iter().map(|&n| if n == 0 { UNSEEN } else { n as f64 }).collect();
        let total: f64 = weights.iter().sum();
        let seen: Vec<f64> = weights.iter().map(|w| w / total).collect();
        let scores = sample.scores();
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => with_mean(&scores, &seen, score_of_elo(elo)),
            Model::Normalized => {
                let t = elo / NORMALIZED_UNIT * f64::from(sample.games_each()).sqrt();
                with_t_value(&scores, &seen, t)
            }
        });
        total * (0..seen.len()).map(|i| seen[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    }

    /// The verdict at a log-likelihood ratio.
    pub fn verdict(&self, llr: f64) -> SprtResult {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            SprtResult::H1
        } else if llr <= lower {
            SprtResult::H0
        } else {
            SprtResult::Continue
        }
    }
}

/// `elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized`, in any order; `elo1` is required, and so is an order of the
/// bounds that can be tested. Nothing may be given twice.
impl FromStr for Sprt {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Sprt, Invalid> {
        let mut sprt = Sprt { elo0: 0.0, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: Model::default() };
        let mut items = Vec::new();
        for item in s.split([' ', ',']).filter(|item| !item.is_empty()) {
            items.push(item.split_once('=').ok_or_else(|| format!("{}: expected key=value", quoted(item)))?);
        }
        if let Some(key) = words::repeated(items.iter().map(|&(key, _)| key)) {
            return Err(format!("{key} was given twice").into());
        }
        for (key, value) in items {
            let number = || value.parse::<f64>().map_err(|_| format!("{key}={value}: expected a number"));
            match key {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => sprt.model = value.parse()?,
                _ => {
                    return Err(format!("{}: expected elo0, elo1, alpha, beta or model", quoted(key)).into());
                }
            }
        }
        sprt.check()?;
        Ok(sprt)
    }
}

/// Weights of the most likely distribution among those where the weighted sum of `phi` is zero.
fn constrained(seen: &[f64], phi: &[f64]) -> Vec<f64> {
    let low = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let high = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The equation's left side falls from plus to minus infinity between these two.
    let (mut a, mut b) = (-1.0 / high, -1.0 / low);
    for _ in 0..200 {
        let theta = (a + b) / 2.0;
        let slope: f64 = seen.iter().zip(phi).map(|(p, f)| p * f / (1.0 + theta * f)).sum();
        if slope > 0.0 {
            a = theta;
        } else {
            b = theta;
        }
        if theta == (a + b) / 2.0 {
            break;
        }
    }
    let theta = (a + b) / 2.0;
    seen.iter().zip(phi).map(|(p, f)| p / (1.0 + theta * f)).collect()
}

/// The most likely distribution of mean score `s`.
fn with_mean(scores: &[f64], seen: &[f64], s: f64) -> Vec<f64> {
    let phi: Vec<f64> = scores.iter().map(|a| a - s).collect();
    constrained(seen, &phi)
}

/// The most likely distribution whose mean lies `t` deviations above one half, by iteration from the uniform one.
fn with_t_value(scores: &[f64], seen: &[f64], t: f64) -> Vec<f64> {
    let mut p = vec![1.0 / scores.len() as f64; scores.len()];
    for _ in 0..10 {
        let mean: f64 = scores.iter().zip(&p).map(|(a, p)| a * p).sum();
        let variance: f64 = scores.iter().zip(&p).map(|(a, p)| (a - mean).powi(2) * p).sum();
        let sigma = variance.sqrt();
        let phi: Vec<f64> =
            scores.iter().map(|a| a - 0.5 - 0.5 * t * sigma * (1.0 + ((a - mean) / sigma).powi(2))).collect();
        let next = constrained(seen, &phi);
        let change = p.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-4 {
            break;
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::super::{Counts, Pairs};
    use super::*;
    use kagetsu::random::{Random, RngExt, SeedableRng};

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() <= 0.01 * (1.0 + expected.abs()), "{actual} is not {expected}");
    }

    /// Figures that fastchess publishes in its own tests.
    #[test]
    fn figures_of_fastchess() {
        let trinomial = [
            ((36433, 36027, 68692), test(0.0, 2.0, Model::Normalized), 0.92),
            ((10871, 10650, 20431), test(-1.75, 0.25, Model::Normalized), 2.30),
            ((4250, 0, 0), test(0.0, 10.0, Model::Normalized), 120.56),
            ((21404, 21184, 40708), test(0.5, 2.5, Model::Logistic), -1.57),
            ((57433, 57030, 106593), test(0.0, 2.0, Model::Logistic), -2.59),
        ];
        for ((wins, losses, draws), sprt, llr) in trinomial {
            near(sprt.llr(&Counts { wins, draws, losses }.sample()), llr);
        }
        let pentanomial = [
            ([365, 16618, 36229, 16974, 390], test(0.0, 2.0, Model::Normalized), 2.25),
            ([127, 4883, 10712, 5150, 104], test(-1.75, 0.25, Model::Normalized), 3.01),
            ([0, 0, 0, 0, 5550], test(0.0, 5.0, Model::Normalized), 111.82),
            ([223, 9863, 21279, 10037, 246], test(0.5, 2.5, Model::Logistic), -3.07),
            ([871, 26175, 55983, 26678, 821], test(0.0, 2.0, Model::Logistic), -4.98),
        ];
        for (pairs, sprt, llr) in pentanomial {
            near(sprt.llr(&Pairs(pairs).sample()), llr);
        }
    }

    /// Plays a test between simulated engines until it decides. The score of a pair has the probabilities `p`.
    fn simulate(sprt: &Sprt, p: [f64; 5], random: &mut Random) -> (SprtResult, u64) {
        let mut pairs = Pairs::default();
        loop {
            let mut x = random.random::<f64>();
            let outcome = p.iter().position(|q| {
                x -= q;
                x < 0.0
            });
            pairs.0[outcome.unwrap_or(4)] += 1;
            // A test is looked at every few pairs: cheaper, and the error rates can only get smaller.
            if pairs.total() % 8 == 0 {
                let verdict = sprt.verdict(sprt.llr(&pairs.sample()));
                if verdict != SprtResult::Continue {
                    return (verdict, pairs.total());
                }
            }
        }
    }

    /// A pair of independent games of expected score `s` with this share of draws.
    fn pair(s: f64, draws: f64) -> [f64; 5] {
        let (w, l) = (s - draws / 2.0, 1.0 - s - draws / 2.0);
        [l * l, 2.0 * l * draws, 2.0 * w * l + draws * draws, 2.0 * w * draws, w * w]
    }

    #[test]
    fn simulated_engines_are_judged_rightly() {
        let mut random = Random::seed_from_u64(1);
        for model in [Model::Logistic, Model::Normalized] {
            // At the stated rates, 5 of 100 runs err on average. Strengths a little outside the bounds err less often,
            // so at least 95 right runs are expected.
            let sprt = test(0.0, 30.0, model);
            for (elo, expected) in [(-7.0, SprtResult::H0), (37.0, SprtResult::H1)] {
                let draws = 0.3;
                let s = match model {
                    Model::Logistic => score_of_elo(elo),
                    // One game's variance at even strength is (1 - draws) / 4.
                    Model::Normalized => 0.5 + elo / NORMALIZED_UNIT * ((1.0 - draws) / 4.0_f64).sqrt(),
                };
                let right =
                    (0..100).filter(|_| simulate(&sprt, pair(s, draws), &mut random).0 == expected).count();
                assert!(right >= 95, "{model:?} {elo}: {right} of 100");
            }
        }
    }

    /// At a bound itself the error rate is the stated one: over 400 runs 20 errors are expected, more than 34 have a
    /// probability below 0.1 %.
    #[test]
    fn error_rates_hold_at_the_bounds() {
        let mut random = Random::seed_from_u64(2);
        let sprt = test(0.0, 40.0, Model::Logistic);
        for (elo, wrong) in [(0.0, SprtResult::H1), (40.0, SprtResult::H0)] {
            let p = pair(score_of_elo(elo), 0.2);
            let errors = (0..400).filter(|_| simulate(&sprt, p, &mut random).0 == wrong).count();
            assert!(errors <= 34, "{elo}: {errors} errors of 400");
        }
    }

    #[test]
    fn the_widest_bounds_can_be_tested() {
        for model in [Model::Logistic, Model::Normalized] {
            let sprt = test(-model.most(), model.most(), model);
            for pairs in
                [[9, 0, 0, 0, 0], [0, 0, 5, 0, 0], [3, 20, 50, 30, 1], [700, 0, 0, 0, 1], [0, 0, 0, 0, 999]]
            {
                let llr = sprt.llr(&Pairs(pairs).sample());
                assert!(llr.is_finite(), "{model:?} {pairs:?}: {llr}");
            }
        }
    }

    #[test]
    fn parses_what_the_command_line_gives() {
        let sprt: Sprt = "elo0=-5 elo1=0 alpha=0.1,model=normalized".parse().unwrap();
        assert_eq!(sprt, Sprt { alpha: 0.1, ..test(-5.0, 0.0, Model::Normalized) });
        for bad in ["", "elo1=-1", "elo0=5 elo1=5", "elo1=5 alpha=1", "elo1=5 gamma=2", "elo1", "elo1=x"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
        for (twice, key) in [("elo0=0 elo1=5,elo0=3", "elo0"), ("alpha=0.1 elo1=5 alpha=0.1", "alpha")] {
            assert_eq!(twice.parse::<Sprt>(), Err(format!("{key} was given twice").into()));
        }
        for good in ["elo0=-1000 elo1=1000", "elo0=-200 elo1=200 model=normalized"] {
            assert!(good.parse::<Sprt>().is_ok(), "{good}");
        }
        for wide in ["elo1=inf", "elo1=1001", "elo0=nan elo1=5", "elo1=201 model=normalized"] {
            assert!(wide.parse::<Sprt>().unwrap_err().to_string().contains("expected -"), "{wide}");
        }
        let (lower, upper) = test(0.0, 5.0, Model::Logistic).bounds();
        near(lower, -2.944);
        near(upper, 2.944);
    }
}
