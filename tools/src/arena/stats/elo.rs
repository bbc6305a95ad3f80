//! The strength difference that a sample shows, with its 95 % error bars.

use serde::Serialize;

use super::Sample;

/// Normal quantile of a two-sided 95 % interval.
pub(super) const Z95: f64 = 1.959_963_984_540_054;
/// Elo points of a strength ratio of e.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;
/// Normalised Elo of a mean score one standard deviation of a game above one half.
pub(super) const NORMALIZED_UNIT: f64 = 2.0 * ELO_PER_LOGIT;

/// Logistic Elo difference of a score from 0 to 1; infinite at the ends.
pub fn elo_of_score(score: f64) -> f64 {
    ELO_PER_LOGIT * (score / (1.0 - score)).ln()
}

/// Expected score of a logistic Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// A strength difference, estimated. Error bars are half widths of 95 % intervals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Logistic Elo; infinite when all games were won or all lost.
    pub elo: f64,
    /// Error of `elo`; not finite when the interval reaches a score of 0 or 1.
    pub elo_error: f64,
    /// Normalised Elo: the score's distance from one half in standard deviations of a game, times 800 / ln 10.
    pub nelo: f64,
    /// Error of `nelo`.
    pub nelo_error: f64,
    /// Likelihood of superiority: the probability that the engine is the stronger one.
    pub los: f64,
    /// Whether the errors and the likelihood can be trusted ([`Sample::is_reliable`]).
    pub reliable: bool,
}

impl Estimate {
    /// Estimates from a sample; `None` without one.
    pub fn of(sample: &Sample) -> Option<Estimate> {
        let total = sample.total();
        if total == 0 {
            return None;
        }
        let (score, variance) = (sample.mean(), sample.variance());
        let deviation = (variance / total as f64).sqrt();
        let (low, high) = (score - Z95 * deviation, score + Z95 * deviation);
        let per_game = (variance * f64::from(sample.games_each())).sqrt();
        let los = match (deviation > 0.0, score) {
            (true, _) => 0.5 * libm::erfc(-(score - 0.5) / (deviation * std::f64::consts::SQRT_2)),
            (false, s) if s > 0.5 => 1.0,
            (false, s) if s < 0.5 => 0.0,
            _ => 0.5,
        };
        let in_range = low > 0.0 && high < 1.0;
        Some(Estimate {
            score,
            elo: elo_of_score(score),
            elo_error: if in_range { (elo_of_score(high) - elo_of_score(low)) / 2.0 } else { f64::INFINITY },
            nelo: (score - 0.5) / per_game * NORMALIZED_UNIT,
            nelo_error: Z95 * deviation / per_game * NORMALIZED_UNIT,
            los,
            reliable: sample.is_reliable(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Counts, Pairs};
    use super::*;

    fn near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() <= 0.01 * (1.0 + expected.abs()), "{actual} is not {expected}");
    }

    /// Figures that fastchess publishes in its own tests: [LL, LD, WL + DD, WD, WW].
    #[test]
    fn pentanomial_figures_of_fastchess() {
        let cases = [
            ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65, 1.0, 0.579),
            ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33, 0.0505, 0.488),
            ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95, 0.0, 0.470),
        ];
        for (pairs, nelo, nelo_error, elo, elo_error, los, score) in cases {
            let e = Estimate::of(&Pairs(pairs).sample()).unwrap();
            near(e.nelo, nelo);
            near(e.nelo_error, nelo_error);
            near(e.elo, elo);
            near(e.elo_error, elo_error);
            assert!((e.los - los).abs() < 1e-4 && (e.score - score).abs() < 1e-3, "{e:?}");
        }
    }

    /// The same source, for single games.
    #[test]
    fn trinomial_figures_of_fastchess() {
        let e = Estimate::of(&Counts { wins: 76, losses: 89, draws: 123 }.sample()).unwrap();
        near(e.nelo, -20.76);
        near(e.nelo_error, 40.13);
        assert!((e.los - 0.1553).abs() < 1e-4);
        let e = Estimate::of(&Counts { wins: 136, losses: 96, draws: 111 }.sample()).unwrap();
        near(e.nelo, 49.77);
        near(e.elo, 40.70);
        near(e.elo_error, 30.43);
        assert!((e.los - 0.9960).abs() < 1e-4);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        near(elo_of_score(0.75), 190.85);
        for elo in [-400.0, -3.0, 0.0, 55.5] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(Estimate::of(&Counts::default().sample()), None);
        assert_eq!(Estimate::of(&Counts { wins: 4, ..Counts::default() }.sample()).unwrap().los, 1.0);
    }

    /// The error bar of two games that ended alike is 0, and therefore meaningless.
    #[test]
    fn a_few_games_or_games_that_ended_alike_show_no_error() {
        let reliable = |pairs| Estimate::of(&Pairs(pairs).sample()).unwrap().reliable;
        assert!(!reliable([0, 0, 0, 2, 0]) && !reliable([3, 0, 2, 0, 4]) && !reliable([0, 0, 0, 0, 50]));
        assert!(reliable([1, 0, 5, 0, 4]));
    }
}
