//! Estimates from the games which score gives both colours equal chances.

use super::candidate::{Outcome, Sifted};
use kagetsu::game::{Color, RuleKind};
use kagetsu::search::Score;

/// Largest even score considered, in absolute value.
const FURTHEST: i32 = 2000;

/// Black's results over all games of candidates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// Number of games.
    pub games: usize,
    /// Black's share of the points, 0 to 1.
    pub black: f64,
    /// The score, from Black's view, at which both colours would have had the same chances; `None` if one colour won so
    /// much that no score explains it.
    pub even: Option<i32>,
}

/// Compares the scores of candidates with their games: `even` is the score that must be subtracted from all scores so
/// that the win rates they stand for add up to Black's points. `None` without games.
pub fn chances<'a>(rule: RuleKind, candidates: impl Iterator<Item = &'a Sifted>) -> Option<Chances> {
    let mut scores = Vec::new();
    let mut points = 0.0;
    for candidate in candidates {
        let Some(score) = candidate.score else { continue };
        scores.extend(candidate.games.iter().map(|_| score));
        points += candidate.games.iter().map(points_of_black).sum::<f64>();
    }
    if scores.is_empty() {
        return None;
    }
    let expected =
        |even: i32| scores.iter().map(|&score| Score(score.saturating_sub(even)).win_rate(rule)).sum::<f64>();
    let (mut low, mut high) = (-FURTHEST, FURTHEST);
    let has_even = expected(low) >= points && expected(high) <= points;
    // The expected points fall as the even score rises.
    while low < high {
        let middle = low + (high - low) / 2;
        if expected(middle) > points { low = middle + 1 } else { high = middle }
    }
    let games = scores.len();
    Some(Chances { games, black: points / games as f64, even: has_even.then_some(low) })
}

fn points_of_black(game: &Outcome) -> f64 {
    match game.winner() {
        Some(Color::Black) => 1.0,
        Some(Color::White) => 0.0,
        None => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidate::{Verdict, tests::outcome};
    use super::*;

    fn candidate(score: i32, results: &[&str]) -> Sifted {
        let games = results.iter().map(|result| outcome(result)).collect();
        Sifted { number: 0, opening: Some("h8".into()), score: Some(score), games, verdict: Verdict::Kept }
    }

    #[test]
    fn an_even_score_gives_black_half_of_the_points() {
        // Both colours win the same at a score of 30 for Black: 30 is even.
        let list = [candidate(30, &["1-0", "0-1"]), candidate(30, &["1/2-1/2"])];
        let found = chances(RuleKind::Freestyle, list.iter()).unwrap();
        assert_eq!((found.games, found.black, found.even), (3, 0.5, Some(30)));
        // At a score of 0 White wins two games of three, so the even score favours Black, by the logarithm of two in units
        // of the net's scale.
        let list = [candidate(0, &["0-1", "0-1", "1-0"])];
        let found = chances(RuleKind::Freestyle, list.iter()).unwrap();
        let scale = f64::from(kagetsu::eval::nets::net(RuleKind::Freestyle).info.scale);
        assert!((f64::from(found.even.unwrap()) - scale * std::f64::consts::LN_2).abs() <= 1.0, "{found:?}");
        let list = [candidate(0, &["1-0", "1-0"])];
        assert_eq!(chances(RuleKind::Freestyle, list.iter()).unwrap().even, None, "no score explains it");
        assert_eq!(chances(RuleKind::Freestyle, [candidate(0, &[])].iter()), None);
    }
}
