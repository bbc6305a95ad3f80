//! Draws that a player may choose: when the engine accepts one, when it offers one, and when it passes after a pass. The answer
//! to an offer is that of the last search, so it comes at once.

use crate::game::{Endings, Move, Position};
use crate::search::{Report, Score, Source};

/// Highest expected score, 0 to 1 with a draw as one half, at which the engine accepts a draw.
const ACCEPTED: f64 = 0.4;
/// Highest expected score at which the engine accepts a draw once a third of the board is full.
const ACCEPTED_LATE: f64 = 0.52;
/// Largest distance of the expected score from even at which the engine offers a draw late in a game.
const EVEN: f64 = 0.05;
/// Number of the engine's moves in a row with such a score before it offers a draw.
const EVEN_MOVES: usize = 5;
/// Moves of the engine from one offer to the next.
const BETWEEN_OFFERS: usize = 10;

/// The engine's view of the game so far.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// Its expected scores by the searches of its moves, the newest last.
    seen: Vec<f64>,
    /// The number of them at its last offer.
    offered: Option<usize>,
}

impl Expectations {
    /// Records the expected score of the search of a move.
    pub fn add(&mut self, expected: f64) {
        self.seen.push(expected);
    }

    /// Forgets all: another game, or moves were taken back.
    pub fn clear(&mut self) {
        *self = Expectations::default();
    }

    /// Returns whether the engine accepts a draw in this position. It accepts none before it has searched a move.
    pub fn accept_draw(&self, position: &Position) -> bool {
        let most = if is_late(position) { ACCEPTED_LATE } else { ACCEPTED };
        self.seen.last().is_some_and(|&expected| expected <= most)
    }

    /// Returns whether the engine offers a draw with the move that it has just made.
    pub fn offer_draw(&mut self, position: &Position) -> bool {
        let is_even = |last: &[f64; EVEN_MOVES]| last.iter().all(|expected| (expected - 0.5).abs() <= EVEN);
        let waited = self.offered.is_none_or(|offered| self.seen.len() >= offered + BETWEEN_OFFERS);
        let offers = waited && is_late(position) && self.seen.last_chunk().is_some_and(is_even);
        if offers {
            self.offered = Some(self.seen.len());
        }
        offers
    }
}

/// Returns whether the engine passes instead of playing the move of this report: the opponent has passed, so
/// that a second pass draws the game, and the score of the search is below even. The side to move must be
/// allowed to pass.
pub fn passes_for_draw(position: &Position, endings: &Endings, report: &Report) -> bool {
    let was_passed = position.moves().last() == Some(&Move::Pass);
    let is_worse = report.lines.first().is_some_and(|line| line.score < Score(0));
    endings.two_passes && was_passed && report.source != Source::Evaluation && is_worse
}

/// Whether a third of the board is full.
fn is_late(position: &Position) -> bool {
    3 * position.stones().count() >= position.size().points().count()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{Color, EndSet, Point, RuleKind, Size};
    use crate::search::Line;

    /// A position with this number of stones.
    fn stones(count: usize) -> Position {
        let points = (0..count).map(|i| (Point::new(i % 15, i / 15), Color::Black));
        Position::from_stones(Size::S15, points, Color::Black).unwrap()
    }

    #[test]
    fn a_draw_is_accepted_by_a_side_that_is_not_better() {
        let mut seen = Expectations::default();
        assert!(!seen.accept_draw(&stones(0)), "it has not looked at the game");
        for (expected, early, late) in
            [(0.3, true, true), (0.45, false, true), (0.52, false, true), (0.6, false, false)]
        {
            seen.add(expected);
            assert_eq!(seen.accept_draw(&stones(74)), early, "{expected}");
            assert_eq!(seen.accept_draw(&stones(75)), late, "{expected}");
        }
        seen.add(0.0);
        seen.clear();
        assert!(!seen.accept_draw(&stones(75)));
    }

    #[test]
    fn a_draw_is_offered_late_in_an_even_game() {
        let mut seen = Expectations::default();
        [0.9, 0.5, 0.46, 0.5, 0.54].into_iter().for_each(|expected| seen.add(expected));
        assert!(!seen.offer_draw(&stones(100)), "it was better five moves ago");
        seen.add(0.52);
        assert!(!seen.offer_draw(&stones(74)), "early");
        assert!(seen.offer_draw(&stones(75)));
        (0..9).for_each(|_| seen.add(0.5));
        assert!(!seen.offer_draw(&stones(75)), "it has offered one nine moves ago");
        seen.add(0.5);
        assert!(seen.offer_draw(&stones(75)));
    }

    #[test]
    fn a_pass_is_answered_by_a_pass_where_the_engine_stands_worse() {
        let line = |score| Line { score: Score(score), moves: vec![Point::new(0, 0)] };
        let report = |source, score| Report::of(source, vec![line(score)]);
        let endings = EndSet::Plain.endings(RuleKind::Renju);
        let (unpassed, mut passed) = (stones(5), stones(5));
        passed.push(Move::Pass).unwrap();
        let worse = report(Source::Search, -1);
        assert!(passes_for_draw(&passed, &endings, &worse));
        assert!(!passes_for_draw(&unpassed, &endings, &worse));
        assert!(!passes_for_draw(&passed, &Endings { two_passes: false, ..endings }, &worse));
        assert!(!passes_for_draw(&passed, &endings, &report(Source::Search, 0)));
        assert!(!passes_for_draw(&passed, &endings, &report(Source::Evaluation, -1)), "nothing was searched");
    }
}
