//! Ratings of many engines from all their games: maximum likelihood in the Bradley-Terry model, a draw counting as half
//! a win and half a loss, so that for two engines the rating difference is the logistic Elo of their score.
//!
//! CITE: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952). The error bars
//! are the sandwich estimator: they use the variance the results of pairs really had, which draws and openings that favour a
//! colour make smaller, and that of the prior, which decides alone where results do not bound a rating. They are corrected for
//! the number of ratings that were fitted to the results: J. G. MacKinnon and H. White, "Some heteroskedasticity-consistent
//! covariance matrix estimators with improved finite sample properties", Journal of Econometrics 29 (1985), HC1.

use serde::Serialize;

use super::elo::Z95;
use super::{Counts, FEWEST, Pairs, Sample, score_of_elo};

/// Deviation, in Elo, of a normal prior around the mean. It weighs about a twentieth of a game and only matters
/// where the likelihood has no maximum: an engine that won or lost everything, or groups that never met.
const PRIOR_DEVIATION: f64 = 1500.0;
/// Information of that prior about a rating.
const PRIOR: f64 = 1.0 / (PRIOR_DEVIATION * PRIOR_DEVIATION);
/// Natural logarithm of the strength ratio of one Elo.
const LOGIT_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// All games between two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// Index of the engine whose view `counts` takes.
    pub first: usize,
    /// Index of the other one.
    pub second: usize,
    /// The results.
    pub counts: Counts,
    /// The same results by pairs, as far as both games of a pair are played.
    pub pairs: Pairs,
}

impl Encounter {
    /// Number of games whose pair is not complete.
    fn alone(&self) -> u64 {
        self.counts.games().saturating_sub(2 * self.pairs.total())
    }

    /// Returns the sum of squared differences between the points of a pair and those expected, where the first engine expects
    /// this share of the points of a game. The results of games that are alone are taken to spread like those of all games.
    fn squares(&self, expected: f64) -> f64 {
        let Counts { wins, draws, losses } = self.counts;
        let games = wins as f64 * (1.0 - expected).powi(2)
            + draws as f64 * (0.5 - expected).powi(2)
            + losses as f64 * expected.powi(2);
        let alone = self.alone() as f64;
        let pairs = (0..)
            .zip(self.pairs.0)
            .map(|(half_points, n)| n as f64 * (f64::from(half_points) / 2.0 - 2.0 * expected).powi(2));
        games * alone / self.counts.games().max(1) as f64 + pairs.sum::<f64>()
    }
}

/// One engine's rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Elo, the mean of all engines being 0.
    pub elo: f64,
    /// Half width of the 95 % interval.
    pub error: f64,
    /// Whether the error can be trusted: the engine's results are a reliable sample, and there are enough beyond those that the
    /// ratings were fitted to.
    pub reliable: bool,
}

/// Ratings of `engines` engines, by index.
pub fn ratings(engines: usize, encounters: &[Encounter]) -> Vec<Rating> {
    let (elo, inverse) = fit(engines, encounters);
    let samples: Vec<Sample> = (0..engines).map(|engine| results(engine, encounters)).collect();
    let observed: u64 = encounters.iter().map(|encounter| encounter.pairs.total() + encounter.alone()).sum();
    let played = samples.iter().filter(|sample| sample.total() > 0).count() as u64;
    // One rating less is fitted, because only their differences matter.
    let free = observed.saturating_sub(played.saturating_sub(1));
    // The results are nearer to the fitted ratings than to the true ones: the factor makes that good.
    let spread = gradient_variance(&elo, encounters, observed as f64 / free.max(1) as f64);
    let mean = elo.iter().sum::<f64>() / engines.max(1) as f64;
    let center: Vec<f64> =
        (0..engines).map(|j| inverse.iter().map(|row| row[j]).sum::<f64>() / engines as f64).collect();
    (0..engines)
        .map(|i| {
            // The rating less the mean rating, as a function of the gradient.
            let direction: Vec<f64> = inverse[i].iter().zip(&center).map(|(a, b)| a - b).collect();
            let variance = dot(&direction, &multiply(&spread, &direction));
            Rating {
                elo: elo[i] - mean,
                error: Z95 * variance.max(0.0).sqrt(),
                // Two engines, with one rating fitted, need no more than `FEWEST` results.
                reliable: samples[i].is_reliable() && free + 1 >= FEWEST,
            }
        })
        .collect()
}

/// Returns the likeliest ratings, and the inverse of the information about them.
fn fit(engines: usize, encounters: &[Encounter]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut elo = vec![0.0; engines];
    let mut inverse = Vec::new();
    for _ in 0..100 {
        let (gradient, information) = derivatives(&elo, encounters);
        inverse = invert(information);
        let mut step = multiply(&inverse, &gradient);
        // A Newton step far out on the logistic curve overshoots.
        let longest = step.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        if longest > 200.0 {
            step.iter_mut().for_each(|s| *s *= 200.0 / longest);
        }
        elo.iter_mut().zip(&step).for_each(|(e, s)| *e += s);
        if longest < 1e-9 {
            break;
        }
    }
    (elo, inverse)
}

/// Returns the results of an engine against all others.
fn results(engine: usize, encounters: &[Encounter]) -> Sample {
    let (mut counts, mut pairs) = (Counts::default(), Pairs::default());
    for encounter in encounters {
        if encounter.first == engine {
            counts += encounter.counts;
            pairs += encounter.pairs;
        } else if encounter.second == engine {
            counts += encounter.counts.reversed();
            pairs += encounter.pairs.reversed();
        }
    }
    Sample::of(counts, pairs)
}

/// Gradient of the log likelihood and its negated second derivative, per Elo.
fn derivatives(elo: &[f64], encounters: &[Encounter]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut gradient: Vec<f64> = elo.iter().map(|e| -e * PRIOR).collect();
    let mut information = diagonal(elo.len(), PRIOR);
    for &Encounter { first: a, second: b, counts, .. } in encounters {
        let (games, expected) = (counts.games() as f64, score_of_elo(elo[a] - elo[b]));
        let pull = LOGIT_PER_ELO * (counts.points() - games * expected);
        gradient[a] += pull;
        gradient[b] -= pull;
        add_difference(&mut information, a, b, LOGIT_PER_ELO.powi(2) * games * expected * (1.0 - expected));
    }
    (gradient, information)
}

/// Variance of the gradient: that of the results of pairs, times a factor, and that of the prior.
fn gradient_variance(elo: &[f64], encounters: &[Encounter], factor: f64) -> Vec<Vec<f64>> {
    let mut variance = diagonal(elo.len(), PRIOR);
    for encounter in encounters {
        let (a, b) = (encounter.first, encounter.second);
        let squares = encounter.squares(score_of_elo(elo[a] - elo[b]));
        add_difference(&mut variance, a, b, LOGIT_PER_ELO.powi(2) * squares * factor);
    }
    variance
}

/// Adds a weight to the square of the difference of two ratings, in the matrix of a quadratic form.
fn add_difference(matrix: &mut [Vec<f64>], a: usize, b: usize, weight: f64) {
    matrix[a][a] += weight;
    matrix[b][b] += weight;
    matrix[a][b] -= weight;
    matrix[b][a] -= weight;
}

/// Matrix with this value on its diagonal.
fn diagonal(n: usize, value: f64) -> Vec<Vec<f64>> {
    (0..n).map(|i| (0..n).map(|j| if i == j { value } else { 0.0 }).collect()).collect()
}

fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Inverse of a positive definite matrix, by Gauss-Jordan elimination.
fn invert(mut m: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = m.len();
    let mut inverse = diagonal(n, 1.0);
    for i in 0..n {
        let pivot = m[i][i];
        for j in 0..n {
            m[i][j] /= pivot;
            inverse[i][j] /= pivot;
        }
        for k in (0..n).filter(|&k| k != i) {
            let factor = m[k][i];
            for j in 0..n {
                m[k][j] -= factor * m[i][j];
                inverse[k][j] -= factor * inverse[i][j];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::super::Estimate;
    use super::*;
    use kagetsu::random::{Random, RngExt, SeedableRng};

    fn encounter(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
        Encounter { first, second, counts: Counts { wins, draws, losses }, pairs: Pairs::default() }
    }

    #[test]
    fn two_engines_get_the_logistic_elo() {
        let games = encounter(0, 1, 136, 111, 96);
        let table = ratings(2, &[games]);
        let direct = Estimate::of(&games.counts.sample()).unwrap();
        assert!((table[0].elo - table[1].elo - direct.elo).abs() < 0.1, "{table:?} {direct:?}");
        // Each rating is half the difference, and so is its error.
        assert!((2.0 * table[0].error - direct.elo_error).abs() < 0.3, "{table:?} {direct:?}");
    }

    /// Openings that favour a colour give one win each: the points of a pair then differ less than those of two games.
    #[test]
    fn errors_are_those_of_pairs() {
        let pairs = Pairs([5, 10, 70, 20, 25]);
        // Any division of the pairs into games that has their points: here no game is drawn but in pairs of 1/2 and 3/2.
        let counts = Counts { wins: 2 * 25 + 20 + 70, draws: 10 + 20, losses: 2 * 5 + 10 + 70 };
        let table = ratings(2, &[Encounter { first: 0, second: 1, counts, pairs }]);
        let by_pairs = Estimate::of(&pairs.sample()).unwrap();
        let by_games = Estimate::of(&counts.sample()).unwrap();
        assert!((table[0].elo - table[1].elo - by_pairs.elo).abs() < 0.1, "{table:?} {by_pairs:?}");
        assert!((2.0 * table[0].error - by_pairs.elo_error).abs() < 0.5, "{table:?} {by_pairs:?}");
        assert!(by_games.elo_error > 1.2 * by_pairs.elo_error, "{by_games:?} {by_pairs:?}");
        // A game alone counts like the others.
        let alone = Counts { wins: counts.wins + 1, ..counts };
        let with = ratings(2, &[Encounter { first: 0, second: 1, counts: alone, pairs }]);
        assert!((with[0].error - table[0].error).abs() < 0.5, "{with:?}");
    }

    /// Results that fit the model exactly give back its ratings: odds of 3:1 and 9:1 are 190.85 Elo a step.
    #[test]
    fn consistent_results_are_reproduced() {
        let table = ratings(
            3,
            &[encounter(0, 1, 300, 0, 100), encounter(1, 2, 300, 0, 100), encounter(0, 2, 360, 0, 40)],
        );
        for (i, expected) in [190.85, 0.0, -190.85].into_iter().enumerate() {
            assert!((table[i].elo - expected).abs() < 0.5, "{table:?}");
        }
    }

    #[test]
    fn perfect_scores_and_strangers_stay_finite() {
        let table = ratings(4, &[encounter(0, 1, 10, 0, 0)]);
        assert!(table.iter().all(|r| r.elo.is_finite() && r.error.is_finite()));
        assert!(table[0].elo > 300.0 && table[1].elo < -300.0, "{table:?}");
        assert!(table[2].elo.abs() < 1.0, "{table:?}");
        assert!(ratings(0, &[]).is_empty());
    }

    /// Returns an encounter with these pairs, and with games that give them.
    fn of_pairs(first: usize, second: usize, pairs: [u64; 5]) -> Encounter {
        let [lost, nearly_lost, even, nearly_won, won] = pairs;
        let (wins, losses) = (2 * won + nearly_won + even, 2 * lost + nearly_lost + even);
        let counts = Counts { wins, draws: nearly_won + nearly_lost, losses };
        Encounter { first, second, counts, pairs: Pairs(pairs) }
    }

    fn reliable(engines: usize, encounters: &[Encounter]) -> Vec<bool> {
        ratings(engines, encounters).iter().map(|rating| rating.reliable).collect()
    }

    /// If all pairs ended alike, the error is that of the prior alone, and small after a few pairs already.
    #[test]
    fn few_pairs_and_pairs_that_ended_alike_show_no_error() {
        let of_three = |pairs: [[u64; 5]; 3]| {
            reliable(3, &[of_pairs(0, 1, pairs[0]), of_pairs(0, 2, pairs[1]), of_pairs(1, 2, pairs[2])])
        };
        let even = [0, 0, 20, 0, 0];
        assert_eq!(of_three([even; 3]), [false; 3]);
        assert_eq!(of_three([even, [0, 0, 19, 1, 0], even]), [true, false, true], "one pair differs");
        assert_eq!(of_three([[0, 1, 2, 0, 1]; 3]), [false; 3], "eight pairs each");
        // The first engine has only won.
        let (swept, level) = ([0, 0, 0, 0, 8], [1, 0, 6, 0, 1]);
        assert_eq!(of_three([swept, swept, level]), [false, true, true]);
        // Games without pairs: the first engine has twelve, the others have nine each.
        let games = [encounter(0, 1, 4, 0, 2), encounter(0, 2, 3, 0, 3), encounter(1, 2, 1, 0, 2)];
        assert_eq!(reliable(3, &games), [true, false, false]);
        for (pairs, is_reliable) in [([1, 0, 7, 0, 1], false), ([1, 0, 7, 0, 2], true)] {
            assert_eq!(reliable(2, &[of_pairs(0, 1, pairs)]), [is_reliable; 2], "{pairs:?}");
        }
    }

    /// Each pair has a rating of its own, that of the opponent, which fits it exactly.
    #[test]
    fn a_pair_with_each_opponent_shows_no_error() {
        let pairs = |other: usize| if other.is_multiple_of(2) { [0, 1, 0, 0, 0] } else { [0, 0, 1, 0, 0] };
        let gauntlet: Vec<Encounter> = (1..12).map(|other| of_pairs(0, other, pairs(other))).collect();
        assert_eq!(reliable(12, &gauntlet), [false; 12]);
    }

    /// The first of eight engines of equal strength plays three pairs with each of the others. Its rating is 0, and should be
    /// within the error bars in 95 of 100 tournaments. With the factor for fitted ratings it is in 93, without it in 86.
    #[test]
    fn error_bars_hold_the_true_rating() {
        const TOURNAMENTS: usize = 1000;
        let mut random = Random::seed_from_u64(3);
        let held = (0..TOURNAMENTS).filter(|_| {
            let gauntlet: Vec<Encounter> = (1..8)
                .map(|opponent| {
                    let mut pairs = Pairs::default();
                    // Three games of ten are drawn.
                    let mut half_points = || match random.random::<f64>() {
                        x if x < 0.35 => 0,
                        x if x < 0.65 => 1,
                        _ => 2,
                    };
                    (0..3).for_each(|_| pairs.add(half_points(), half_points()));
                    of_pairs(0, opponent, pairs.0)
                })
                .collect();
            let rating = ratings(8, &gauntlet)[0];
            rating.elo.abs() <= rating.error
        });
        let held = held.count();
        assert!((895..=970).contains(&held), "{held} of {TOURNAMENTS}");
    }

    /// The strength of an engine that has not played is unbounded, and that of one that has only won nearly so.
    #[test]
    fn errors_say_what_is_not_known() {
        let table = ratings(3, &[encounter(0, 1, 40, 20, 40)]);
        assert!(table[2].elo.abs() < 1.0 && table[2].error > 2000.0, "{table:?}");
        assert!(ratings(3, &[]).iter().all(|r| r.error > 2000.0));
        let swept = |wins| ratings(2, &[encounter(0, 1, wins, 0, 0)])[0].error;
        assert!(swept(2) > swept(10) && swept(10) > swept(50) && swept(50) > 200.0, "{}", swept(50));
    }
}
