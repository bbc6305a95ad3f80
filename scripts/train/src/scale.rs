//! The scale of the search's scores: how many units make a logit of the result.

use std::collections::BTreeMap;

use crate::model::sigmoid;

/// Results of the positions of each score.
#[derive(Default)]
pub struct Scores(BTreeMap<i32, Results>);

/// Positions of one score.
#[derive(Default)]
struct Results {
    count: f64,
    /// Points that the mover made in all of them.
    points: f64,
}

impl Scores {
    /// Adds a position of which the score and the result are known.
    pub fn add(&mut self, score: f32, result: f32) {
        // Scores are whole numbers, or infinite, which makes the largest one here.
        let results = self.0.entry(score as i32).or_default();
        results.count += 1.0;
        results.points += f64::from(result);
    }

    /// Units of the search's score to a logit: the scale at which the scores best predict the results.
    pub fn fit(&self) -> f32 {
        let loss = |scale: f32| -> f64 {
            let each = |(&score, results): (&i32, &Results)| {
                let p = f64::from(sigmoid(score as f32 / scale).clamp(1e-4, 1.0 - 1e-4));
                -(results.points * p.ln() + (results.count - results.points) * (1.0 - p).ln())
            };
            self.0.iter().map(each).sum()
        };
        // The loss has one minimum: golden section search.
        let (mut low, mut high) = (20.0f32, 1000.0f32);
        let ratio = 0.618_034;
        while high - low > 1.0 {
            let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
            if loss(a) < loss(b) { high = b } else { low = a }
        }
        (low + high) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three of four games are won at ln 3 logits, and one of four at minus that: only one scale fits both.
    #[test]
    fn the_scale_is_the_one_at_which_scores_predict_results() {
        for scale in [80.0, 200.0] {
            let mut scores = Scores::default();
            let score = scale * 3.0f32.ln();
            for result in [1.0, 1.0, 1.0, 0.0] {
                scores.add(score, result);
                scores.add(-score, 1.0 - result);
            }
            // A proof counts the same at every scale.
            scores.add(f32::INFINITY, 1.0);
            scores.add(f32::NEG_INFINITY, 0.0);
            let found = scores.fit();
            assert!((found - scale).abs() < 3.0, "{found}; expected {scale}");
        }
    }
}
