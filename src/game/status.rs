//! Questions about a position under a rule chosen at run time: how the game ended, and which points are forbidden. Where a
//! question takes no [`Reading`], double threes are judged by the literal one.

use super::{Board, Endings, Error, FoulKinds, Outcome, Point, PointSet, Position, Reading, Rule, RuleKind};
use crate::with_rule;

/// Returns how the game ended in this position, if it has: by a row, a foul or a full board, or by one of `endings`.
///
/// # Errors
/// If the position is impossible.
pub fn outcome(position: &Position, rule: RuleKind, endings: &Endings) -> Result<Option<Outcome>, Error> {
    with_rule!(rule, R => Ok(Board::<R>::from_position(position)?.outcome(endings)))
}

/// Returns whether the game has ended in this position by a row, a foul under this interpretation, or a full board. An
/// impossible position counts as over.
pub fn is_over(position: &Position, rule: RuleKind, reading: Reading) -> bool {
    with_rule!(rule, R => Board::<R>::from_position(position).map_or(true, |mut board| {
        board.set_reading(reading);
        board.outcome(&Endings::default()).is_some()
    }))
}

/// Returns the points forbidden to Black, whoever is to move; none in an impossible position.
pub fn fouls(position: &Position, rule: RuleKind) -> PointSet {
    with_rule!(rule, R => {
        Board::<R>::from_position(position).map_or(PointSet::EMPTY, |board| board.fouls())
    })
}

/// Returns the points forbidden to Black with their kinds, whoever is to move, in board order.
///
/// # Errors
/// If the position is impossible.
pub fn foul_kinds(position: &Position, rule: RuleKind) -> Result<Vec<(Point, FoulKinds)>, Error> {
    with_rule!(rule, R => {
        let board = Board::<R>::from_position(position)?;
        Ok(board.fouls().iter().map(|p| (p, board.foul_kinds(p))).collect())
    })
}

/// Whether the side to move may play on `p`: an empty point that is not a foul. False in an impossible position.
pub fn is_legal(position: &Position, rule: RuleKind, p: Point) -> bool {
    let allowed = || {
        with_rule!(rule, R => {
            // Most rules forbid nothing, and need no board.
            !R::fouls(position.side())
                || Board::<R>::from_position(position).is_ok_and(|board| !board.is_foul(p, position.side()))
        })
    };
    position.is_free(p) && allowed()
}

/// The choice left to a side whose every empty point is a foul.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnlyFouls {
    /// The side passes.
    Passes,
    /// No pass is allowed, so the side loses by a foul.
    Loses,
}

/// Returns the choice left to the side to move if every empty point is a foul for it; `None` if it has a legal move.
///
/// # Errors
/// If the position is impossible.
pub fn only_fouls(
    position: &Position,
    rule: RuleKind,
    endings: &Endings,
) -> Result<Option<OnlyFouls>, Error> {
    with_rule!(rule, R => {
        let board = Board::<R>::from_position(position)?;
        let choice = if board.may_pass(endings) { OnlyFouls::Passes } else { OnlyFouls::Loses };
        Ok(board.has_only_fouls().then_some(choice))
    })
}

/// Returns the kinds of foul of the last move, if it was a foul.
///
/// # Errors
/// If the position is impossible.
pub fn last_foul(position: &Position, rule: RuleKind) -> Result<Option<FoulKinds>, Error> {
    with_rule!(rule, R => Ok(Board::<R>::from_position(position)?.last_foul()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Color, EndSet, Size, notation};

    fn position(text: &str) -> Position {
        notation::parse(text, Some(Size::S15)).unwrap()
    }

    fn at(name: &str) -> Point {
        notation::parse_point(name, Size::S15).unwrap()
    }

    #[test]
    fn a_foul_point_is_forbidden_to_black_under_renju_alone() {
        // Two threes cross at h8.
        let mut game = position("f8a1g8a3h9a5h10a7");
        let names = |fouls: Vec<(Point, FoulKinds)>| -> Vec<String> {
            fouls.iter().map(|(p, kinds)| format!("{p} {kinds}")).collect()
        };
        assert_eq!(names(foul_kinds(&game, RuleKind::Renju).unwrap()), ["h8 33"]);
        assert_eq!(fouls(&game, RuleKind::Renju), [at("h8")].into_iter().collect());
        assert!(fouls(&game, RuleKind::Standard).is_empty());
        assert!(!is_legal(&game, RuleKind::Renju, at("h8")) && is_legal(&game, RuleKind::Standard, at("h8")));
        assert!(!is_legal(&game, RuleKind::Standard, at("a1")), "occupied");
        game.set_side(Color::White);
        assert!(is_legal(&game, RuleKind::Renju, at("h8")));
        game.set_side(Color::Black);
        game.push(crate::game::Move::Place(at("h8"))).unwrap();
        assert_eq!(last_foul(&game, RuleKind::Renju).unwrap().unwrap().to_string(), "33");
        let is_over = |rule| is_over(&game, rule, Reading::Literal);
        assert!(is_over(RuleKind::Renju) && !is_over(RuleKind::Freestyle));
    }

    #[test]
    fn the_endings_decide_how_a_side_with_fouls_only_goes_on() {
        let left = |text: &str, set: EndSet| {
            let position = notation::parse(text, None).unwrap();
            only_fouls(&position, RuleKind::Renju, &set.endings(RuleKind::Renju)).unwrap()
        };
        // The empty point of the top row makes six.
        let black = "xx1xxx/xxxooo/xoxooo/oooxxx/oxoxox/xoooxo x";
        let expected = [OnlyFouls::Passes, OnlyFouls::Passes, OnlyFouls::Loses];
        assert_eq!(EndSet::ALL.map(|set| left(black, set)), expected.map(Some));
        assert_eq!(left(&black.replace(" x", " o"), EndSet::Gomocup), None, "white may play there");
        assert_eq!(left("h8", EndSet::Gomocup), None);
    }

    #[test]
    fn the_endings_decide_about_two_passes() {
        let passed = position("h8h9----");
        let outcome = |set: EndSet| outcome(&passed, RuleKind::Renju, &set.endings(RuleKind::Renju)).unwrap();
        assert!(outcome(EndSet::Plain).is_some() && outcome(EndSet::Gomocup).is_none());
        assert!(!is_over(&passed, RuleKind::Renju, Reading::Literal), "by itself it is not an end");
    }
}
