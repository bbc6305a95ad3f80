//! What the threats on the board decide without search, and the replies they leave.
//!
//! The order matters: a rule may only be applied when those before it did not. Each conclusion is a proof; where the
//! shapes alone do not prove it (Black's threes under Renju, whose straight four may be a foul), the search finds out.

use super::report::Score;
use crate::game::{Board, Color, Direction, Level, Point, PointSet, Rule, Shape, Shapes, Threat};

/// What is known of a position before any move is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move wins in this many plies, beginning with this move.
    Win(i32, Point),
    /// The side to move loses in this many plies, whatever it plays.
    Loss(i32),
    /// The opponent threatens to win: only these moves prevent it; they need no further threat to be worth trying.
    Forced(PointSet),
    /// The opponent threatens an unstoppable four: only these moves or own fours can help.
    Defend(PointSet),
    /// Nothing is forced.
    Open,
}

impl Verdict {
    /// The value of a decided position at `ply`.
    pub fn value(self, ply: usize) -> Option<i32> {
        match self {
            Verdict::Win(n, _) => Some(Score::MATE - n - ply as i32),
            Verdict::Loss(n) => Some(-Score::MATE + n + ply as i32),
            _ => None,
        }
    }
}

/// Applies the rules to the position; the side to move has not won and not lost yet.
pub fn judge<R: Rule>(board: &Board<R>) -> Verdict {
    let own = board.side();
    let their = !own;
    // 1. A five wins, and no five is a foul.
    if let Some(p) = board.threats(own, Threat::Five).first() {
        return Verdict::Win(1, p);
    }
    // 2. The opponent's five must be stopped.
    let fives = board.threats(their, Threat::Five);
    if !fives.is_empty() {
        return forced_by_fives(board, fives);
    }
    // 3. A four that no reply stops wins.
    if board.count(own, Level::WinningFour) > 0
        && let Some(p) = first_of_level(board, own, Level::WinningFour)
    {
        return Verdict::Win(3, p);
    }
    // 4, 5. A four and three, or two threes where the straight four cannot be a foul, wins if the opponent has no four
    // to gain time with: not even on a point that may prove a foul, nor where one of two fours, which together are a foul,
    // may be blocked by the winning move.
    let can_interfere = !board.threats(their, Threat::Four).is_empty()
        || R::fouls(their) && board.count(their, Level::Foul) > 0;
    if !R::fouls(own) && !can_interfere {
        for level in [Level::FourThree, Level::DoubleThree] {
            if board.count(own, level) > 0
                && let Some(p) = first_of_level(board, own, level)
            {
                return Verdict::Win(5, p);
            }
        }
    }
    // 6. The opponent's unstoppable four must be prevented.
    if board.count(their, Level::WinningFour) > 0 {
        return Verdict::Defend(defences(board, their));
    }
    Verdict::Open
}

fn forced_by_fives<R: Rule>(board: &Board<R>, fives: &PointSet) -> Verdict {
    let own = board.side();
    let mut replies = PointSet::full(board.size());
    for p in fives.iter() {
        replies = replies & board.five_replies(p, !own);
    }
    if R::fouls(own) {
        replies = replies.iter().filter(|&p| !board.is_foul(p, own)).collect();
    }
    if replies.is_empty() { Verdict::Loss(2) } else { Verdict::Forced(replies) }
}

fn first_of_level<R: Rule>(board: &Board<R>, color: Color, level: Level) -> Option<Point> {
    let threat = if level.makes_four() { Threat::Four } else { Threat::Three };
    board.threats(color, threat).iter().find(|&p| board.level(p, color) == level)
}

/// Every point where a stone of the other colour takes from each winning four of `attacker` what makes it one.
///
/// Complete: a stone elsewhere leaves some point's lines as they are, so that its four still wins unless the defender
/// makes fours of his own. An unsuspicious straight four of Black cannot become a foul by a white stone either.
fn defences<R: Rule>(board: &Board<R>, attacker: Color) -> PointSet {
    let mut common = PointSet::full(board.size());
    for w in board.threats(attacker, Threat::Four).iter() {
        if board.level(w, attacker) == Level::WinningFour {
            common = common & breakers(board, w, attacker);
        }
    }
    common
}

/// Points where the defender's stone makes the four on `w` stoppable.
fn breakers<R: Rule>(board: &Board<R>, w: Point, attacker: Color) -> PointSet {
    let mut found = PointSet::from_iter([w]);
    let shapes = board.shapes(w);
    for d in Direction::ALL {
        if shapes.get(attacker, d).fours() == 0 && !matches!(shapes.get(attacker, d), Shape::DoubleFour) {
            continue;
        }
        for p in board.along(w, d, R::REACH) {
            let after: Shapes = board.shapes_after(w, p, !attacker, d);
            if Level::of_shapes(after.of(attacker), R::fouls(attacker)) != Level::WinningFour {
                found.insert(p);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::HashSet;
    use std::mem::discriminant;

    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    use super::super::exhaustive::{legal, loses_within, unfinished, wins_now, wins_within};
    use super::*;
    use crate::game::notation::parse_point;
    use crate::game::{Caro, Caro6, Freestyle, Position, Renju, Size, Standard};

    /// White's k11 makes two threes; but it takes from Black's o11, a double four, one of its fours, and then that gains
    /// the time for a straight four.
    #[test]
    fn a_double_four_may_become_a_single_one() {
        let black = "l11 m11 n11 k12 k13 k14 n12 m13 l14 o9 o10".split(' ').map(|p| (p, Color::Black));
        let white = "j11 k10 i9 h8 m9 n8 n10 m12 a1 a15".split(' ').map(|p| (p, Color::White));
        let stones = black.chain(white).map(|(p, color)| (parse_point(p, Size::S15).unwrap(), color));
        let position = Position::from_stones(Size::S15, stones, Color::White).unwrap();
        let board = Board::<Renju>::from_position(&position).unwrap();
        let winner = parse_point("k11", Size::S15).unwrap();
        assert_eq!(board.level(winner, Color::White), Level::DoubleThree);
        assert!(board.threats(Color::Black, Threat::Four).is_empty());
        check_board(board).unwrap();
    }

    fn check<R: Rule>(moves: &[(usize, usize)], side: usize) -> Result<Verdict, TestCaseError> {
        check_board::<R>(unfinished(moves, side))
    }

    fn check_board<R: Rule>(mut board: Board<R>) -> Result<Verdict, TestCaseError> {
        let verdict = judge(&board);
        match verdict {
            Verdict::Win(n, p) => {
                prop_assert!(board.is_legal(p), "{p}");
                board.play(p);
                if n == 1 {
                    prop_assert_eq!(board.winner(), Some(!board.side()));
                } else {
                    prop_assert!(loses_within(&mut board, n - 1), "{p} does not win in {n}");
                }
            }
            Verdict::Loss(n) => prop_assert!(loses_within(&mut board, n)),
            Verdict::Forced(set) => {
                for p in legal(&board) {
                    board.play(p);
                    prop_assert_eq!(!wins_now(&board), set.contains(p), "{}", p);
                    board.undo();
                }
            }
            Verdict::Defend(set) => {
                for p in legal(&board) {
                    if board.level(p, board.side()).makes_four() {
                        continue;
                    }
                    board.play(p);
                    let wins = wins_within(&mut board, 3);
                    board.undo();
                    prop_assert!(wins || set.contains(p), "{p} defends too");
                }
            }
            Verdict::Open => prop_assert!(!wins_now(&board)),
        }
        Ok(verdict)
    }

    #[test]
    fn conclusions_are_proofs() {
        let config = ProptestConfig { source_file: Some(file!()), ..ProptestConfig::with_cases(1000) };
        let games = (prop::collection::vec((2..8usize, 2..8usize), 6..34), 8..11usize);
        let mut seen = RefCell::new(HashSet::new());
        let tested = TestRunner::new(config).run(&games, |(moves, side)| {
            let verdicts = [
                check::<Freestyle>(&moves, side)?,
                check::<Standard>(&moves, side)?,
                check::<Renju>(&moves, side)?,
                check::<Caro>(&moves, side)?,
                check::<Caro6>(&moves, side)?,
            ];
            seen.borrow_mut().extend(verdicts.iter().map(discriminant));
            Ok(())
        });
        tested.unwrap();
        assert_eq!(seen.get_mut().len(), 5, "every verdict");
    }
}
