//! The answer to an offer of a draw: that of the search for the engine's last move, as long as the game is still the one that
//! this search was about.
//!
//! Before Yixin-Board asks for fouls it sends the game again, by `START` and `YXBOARD`. So `START` does not
//! end a game here; the stones show whether it is another one. CITE:
//! <https://github.com/accreator/Yixin-Board>, `show_forbid` in `main.c`.

use crate::engine::agreement::Expectations;
use crate::game::{Position, RuleKind};
use crate::search::{Report, Source};

/// The engine's view of the game by its last move.
#[derive(Default)]
pub struct View {
    expectations: Expectations,
    /// The position in which that move was searched, and the rule.
    searched: Option<(Position, RuleKind)>,
}

impl View {
    /// Records the last report on the move that the engine is about to make in this position. A move that was
    /// not searched clears the view.
    pub fn record(&mut self, position: &Position, rule: RuleKind, report: &Report) {
        self.forget();
        if let Some(line) = report.lines.first().filter(|_| report.source == Source::Search) {
            self.expectations.add(line.score.win_rate(rule));
            self.searched = Some((position.clone(), rule));
        }
    }

    /// Forgets the search: the engine's next move is the manager's choice.
    pub fn forget(&mut self) {
        *self = View::default();
    }

    /// Returns whether the engine accepts a draw in this game.
    pub fn accepts_draw(&self, game: &Position, rule: RuleKind) -> bool {
        let is_this = |(position, under): &(Position, RuleKind)| *under == rule && answers(game, position);
        self.searched.as_ref().is_some_and(is_this) && self.expectations.accept_draw(game)
    }
}

/// Returns whether a game has the stones of a position and one more, of the side that was to move there.
fn answers(game: &Position, position: &Position) -> bool {
    let mut new = game.stones().filter(|stone| !position.stones().any(|other| other == *stone));
    game.size() == position.size()
        && game.stones().count() == position.stones().count() + 1
        && new.next().is_some_and(|(_, color)| color == position.side())
        && new.next().is_none()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{Color, Point, Size, notation};
    use crate::search::{Line, Score};

    fn position(moves: &str) -> Position {
        notation::parse(moves, Some(Size::S15)).unwrap()
    }

    /// A report on a game that is nearly lost.
    fn worse(source: Source) -> Report {
        Report::of(source, vec![Line { score: Score(-5000), moves: vec![Point::new(0, 0)] }])
    }

    #[test]
    fn a_game_has_one_more_stone_of_the_engine_than_its_search() {
        let searched = position("h8h9i9");
        assert!(answers(&position("h8h9i9i8"), &searched));
        assert!(answers(&position("i9h9h8i8"), &searched), "in another order");
        for (moves, why) in [
            ("h8h9i9", "the engine's move was taken back"),
            ("h8h9", "the opponent's too"),
            ("h8h9i9i8j8", "the engine has not seen the last stone"),
            ("h8i9h9j9", "other colours"),
            ("a1a2a3a4", "other stones"),
        ] {
            assert!(!answers(&position(moves), &searched), "{moves}: {why}");
        }
        let white = [(Point::new(7, 8), Color::White)];
        let black = [Point::new(7, 7), Point::new(8, 8), Point::new(8, 7)].map(|p| (p, Color::Black));
        let game = Position::from_stones(Size::S15, black.into_iter().chain(white), Color::White).unwrap();
        assert!(!answers(&game, &searched), "the last stone is the opponent's");
        assert!(!answers(&notation::parse("h8h9i9i8", Some(Size::S20)).unwrap(), &searched), "another board");
        let empty = Position::new(Size::S15);
        assert!(!answers(&empty, &empty) && answers(&position("h8"), &empty));
    }

    #[test]
    fn a_draw_is_accepted_in_the_game_that_was_searched() {
        let (searched, game) = (position("h8h9i9"), position("h8h9i9i8"));
        let mut view = View::default();
        assert!(!view.accepts_draw(&game, RuleKind::Renju), "nothing was searched");
        view.record(&searched, RuleKind::Renju, &worse(Source::Search));
        assert!(view.accepts_draw(&game, RuleKind::Renju));
        assert!(!view.accepts_draw(&game, RuleKind::Freestyle), "another rule");
        assert!(!view.accepts_draw(&searched, RuleKind::Renju), "the engine's move was taken back");
        view.record(&game, RuleKind::Renju, &worse(Source::Book));
        assert!(!view.accepts_draw(&position("h8h9i9i8j8"), RuleKind::Renju), "a move from the book");
        view.record(&searched, RuleKind::Renju, &worse(Source::Search));
        view.forget();
        assert!(!view.accepts_draw(&game, RuleKind::Renju));
    }
}
