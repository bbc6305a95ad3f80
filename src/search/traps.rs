//! Trap fours: fours of White under Renju whose only reply is, or may be, a foul of Black.
//!
//! Near the horizon other plain fours are hardly worth searching; trap fours are, because they let the search
//! prove wins by fouls.

use crate::game::{Board, Direction, PointSet, Rule, Threat};

/// Returns the points where the side to move makes a four whose reply may be a foul; empty except for White under Renju.
///
/// The set is complete: such a four comes from three stones that lack two points of a five. Each of these two points
/// makes the four, with the other one as its reply. The set may hold other fours too.
pub fn of<R: Rule>(board: &Board<R>) -> PointSet {
    let own = board.side();
    if !R::fouls(!own) {
        return PointSet::EMPTY;
    }
    let fours = *board.threats(own, Threat::Four);
    let replies = fours & *board.threats(!own, Threat::Suspect);
    let around = |reply| Direction::ALL.into_iter().flat_map(move |d| board.along(reply, d, 4));
    let aligned: PointSet = replies.iter().flat_map(around).collect();
    aligned & fours
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};

    use super::super::exhaustive::{legal, unfinished, wins_now};
    use super::*;
    use crate::game::{Color, Freestyle, Renju, notation};

    /// Returns the points where White makes a four that Black may not stop, found by trying them all.
    fn unanswerable(board: &mut Board<Renju>) -> PointSet {
        let mut found = PointSet::EMPTY;
        for p in legal(board) {
            board.play(p);
            let fives = board.threats(Color::White, Threat::Five);
            if board.winner().is_none() && fives.len() == 1 && !wins_now(board) {
                let reply = fives.first();
                if reply.is_some_and(|r| board.is_foul(r, Color::Black)) {
                    found.insert(p);
                }
            }
            board.undo();
        }
        found
    }

    #[test]
    fn every_four_that_black_may_not_answer_is_a_trap() {
        let mut runner = TestRunner::new(Config { cases: 12_000, ..Config::default() });
        let seen = std::cell::Cell::new(0);
        runner
            .run(&(prop::collection::vec((1..9usize, 1..9usize), 20..44), 8..11usize), |(moves, side)| {
                let mut board: Board<Renju> = unfinished(&moves, side);
                if board.side() == Color::White && !wins_now(&board) {
                    let wins = unanswerable(&mut board);
                    seen.set(seen.get() + wins.len());
                    prop_assert!(wins.without(&of(&board)).is_empty());
                }
                Ok(())
            })
            .unwrap();
        assert!(seen.get() >= 5, "only {} such fours", seen.get());
    }

    #[test]
    fn a_trap_is_a_four_whose_reply_would_be_a_double_three() {
        // White's f8 leaves Black only e8, where e6-e7 and g6-f7 meet. White's e8 leaves Black f8, which is not a foul.
        let position = notation::parse("a8b8e6c8e7d8f7k1g6m3o15", None).unwrap();
        let mut renju = Board::<Renju>::from_position(&position).unwrap();
        let f8 = notation::parse_point("f8", position.size()).unwrap();
        assert_eq!(of(&renju), PointSet::from_iter([f8]));
        renju.pass();
        assert!(of(&renju).is_empty());
        let freestyle = Board::<Freestyle>::from_position(&position).unwrap();
        assert!(of(&freestyle).is_empty());
    }
}
