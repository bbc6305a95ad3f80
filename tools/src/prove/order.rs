//! Orders stones that have no order as moves, and decides where a proof begins.

use super::Question;
use kagetsu::game::{Board, Color, Move, Point, Position, Rule, RuleKind};
use kagetsu::with_rule;

/// Orders the stones as moves of both sides in turn, with no foul and no winning row before the end; `None` if no such
/// order is found.
pub fn as_moves(position: &Position, rule: RuleKind) -> Option<Position> {
    with_rule!(rule, R => ordered::<R>(position))
}

fn ordered<R: Rule>(position: &Position) -> Option<Position> {
    if position.is_of_moves() {
        return Some(position.clone());
    }
    // Orders from the last move to the first: the fewer stones are left, the fewer points are fouls.
    let mut line = Vec::new();
    let mut rest = position.clone();
    while rest.stones().next().is_some() {
        let (before, p) = before_last::<R>(&rest, !rest.side())?;
        line.push(p);
        rest = before;
    }
    let mut moves = Position::new(position.size());
    line.into_iter().rev().try_for_each(|p| moves.push(Move::Place(p))).ok()?;
    (moves.side() == position.side()).then_some(moves)
}

/// Returns the position before a stone of this colour. It takes the latest stone that can have been the last move: it
/// is no foul with the other stones on the board, and these have no row.
fn before_last<R: Rule>(position: &Position, color: Color) -> Option<(Position, Point)> {
    let stones: Vec<(Point, Color)> = position.stones().collect();
    stones.iter().rev().filter(|stone| stone.1 == color).find_map(|&(p, _)| {
        let others = stones.iter().copied().filter(|&(q, _)| q != p);
        let before = Position::from_stones(position.size(), others, color).ok()?;
        let board = Board::<R>::from_position(&before).ok()?;
        (!board.is_foul(p, color) && board.find_row().is_none()).then_some((before, p))
    })
}

/// Start of a whole proof: a move of the attacker, even if the defender is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beginning {
    /// The position, the attacker to move.
    pub position: Position,
    /// The attacker's move that leads to the position of the question, if that is another position.
    pub played: Option<Point>,
}

impl Beginning {
    /// Returns the start of a question's proof: the position, if the attacker is to move, else the position before the
    /// last move. If the last move was the defender's, it takes any stone of the attacker that can have been the last
    /// move; `None` if there is none.
    pub fn of(question: &Question) -> Option<Beginning> {
        let Question { position, attacker, .. } = question;
        if position.side() == *attacker {
            return Some(Beginning { position: position.clone(), played: None });
        }
        let mut before = position.clone();
        let (position, p) = match before.pop() {
            Some(Move::Place(p)) => (before, p),
            Some(Move::Pass) | None => with_rule!(question.rule, R => before_last::<R>(position, *attacker))?,
        };
        Some(Beginning { position, played: Some(p) })
    }

    /// Returns whether this position is on the line of moves of the question: at its end or, if a move leads
    /// from here to the position of the question, one move before.
    pub fn is_on_the_way(&self, question: &Question) -> bool {
        let last = question.position.moves().last().and_then(|m| m.point());
        question.position.is_of_moves() && (self.played.is_none() || self.played == last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::{Reading, RuleKind, notation};

    fn parse(text: &str) -> Position {
        notation::parse(text, None).unwrap()
    }

    fn question(text: &str) -> Question {
        Question { rule: RuleKind::Renju, position: parse(text), attacker: Color::Black }
    }

    /// Two threes of Black cross at h8: as the last move it would be a foul.
    const FORK: &str = "o13o/15/15/15/15/5x1x7/6xx7/7x7/15/15/15/15/15/15/o13o o";
    /// Six stones of Black. None of them can be the last move if it leaves five.
    const SIX: &str = "15/15/15/15/15/15/15/xxxxxx9/15/15/15/15/15/15/o1o1o1o1o1o4 x";
    /// Four stones of Black's and none of White's.
    const FOUR: &str = "15/15/15/15/15/15/6xx7/6xx7/15/15/15/15/15/15/15 o";

    #[test]
    fn orders_could_have_been_played() {
        for (text, rule, moves) in [
            (FORK, RuleKind::Renju, as_moves(&parse(FORK), RuleKind::Renju)),
            (SIX, RuleKind::Standard, as_moves(&parse(SIX), RuleKind::Standard)),
        ] {
            let moves = moves.unwrap();
            assert_eq!(notation::validate(&moves, rule, Reading::Literal), Ok(()), "{text}");
            assert_eq!(notation::setup::print(&moves), text);
        }
    }

    #[test]
    fn moves_stay_as_they_are() {
        let moves = parse("h8--a1h9");
        assert_eq!(as_moves(&moves, RuleKind::Renju), Some(moves));
        assert_eq!(as_moves(&parse(FOUR), RuleKind::Renju), None);
    }

    #[test]
    fn a_proof_begins_with_the_attacker() {
        let begun = |text: &str| {
            let question = question(text);
            let Beginning { position, played } = Beginning::of(&question)?;
            assert_eq!(position.side(), Color::Black);
            let mut after = position.clone();
            played.into_iter().for_each(|p| after.push(Move::Place(p)).unwrap());
            assert_eq!(notation::setup::print(&after), notation::setup::print(&question.position));
            let on_the_way = Beginning { position, played }.is_on_the_way(&question);
            Some((played.map(|p| p.to_string()), on_the_way))
        };
        assert_eq!(begun("h8a1"), Some((None, true)));
        assert_eq!(begun("h8a1i9"), Some((Some("i9".into()), true)));
        assert_eq!(begun("h8a1i9o1--"), Some((Some("i9".into()), false)), "the last move was a pass");
        assert_eq!(begun(FOUR), Some((Some("h8".into()), false)));
        assert!(begun(FORK).is_some_and(|(played, _)| played.is_some_and(|p| p != "h8")));
        assert_eq!(begun("--"), None);
        // The moves of a library begin with Black.
        let first = question(&format!("{} o", ["15"; 15].join("/")));
        let white = Question { attacker: Color::White, ..first };
        assert!(!Beginning::of(&white).unwrap().is_on_the_way(&white));
    }
}
