//! Static threat rules: wins and losses that follow from the threats on the board without search, and the replies that a
//! threat leaves.
//!
//! The order matters: each rule assumes that those before it do not apply. Every conclusion is a proof, as long as Black
//! has a legal point under Renju: a Black without one loses here by a threat, though most codes of rules make that a draw or
//! a pass. Where the shapes alone prove nothing (Black's threes under Renju, whose straight four may be a foul), the search
//! has to decide.

use super::report::Score;
use crate::game::{Board, Color, Direction, Level, Point, PointSet, Rule, Shapes, Threat};

/// Result of the static threat rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreatVerdict {
    /// The side to move wins in this many plies, beginning with this move.
    Win(i32, Point),
    /// The side to move loses in this many plies, whatever it plays.
    Loss(i32),
    /// The opponent threatens a five: only these moves stop it.
    Forced(PointSet),
    /// The opponent threatens a straight four, or another four with two replies: only the moves of [`defences`] or own fours
    /// can help.
    Defend,
    /// No rule applies.
    Open,
}

impl ThreatVerdict {
    /// Returns the value of a decided position at `ply`, `None` for others.
    pub fn value(self, ply: usize) -> Option<i32> {
        match self {
            ThreatVerdict::Win(n, _) => Some(Score::MATE - n - ply as i32),
            ThreatVerdict::Loss(n) => Some(-Score::MATE + n + ply as i32),
            _ => None,
        }
    }
}

/// Applies the rules to a position whose game is not over.
pub fn judge<R: Rule>(board: &Board<R>) -> ThreatVerdict {
    let own = board.side();
    let their = !own;
    // 1. A five wins, and no five is a foul.
    if board.has_threat(own, Threat::Five)
        && let Some(p) = board.threats(own, Threat::Five).first()
    {
        return ThreatVerdict::Win(1, p);
    }
    // 2. The opponent's five must be stopped.
    if board.has_threat(their, Threat::Five) {
        return forced_by_fives(board, board.threats(their, Threat::Five));
    }
    // 3. A straight four, or two fours at once, wins: no single reply stops both fives.
    if board.count(own, Level::WinningFour) > 0
        && let Some(p) = first_of_level(board, own, Level::WinningFour)
    {
        return ThreatVerdict::Win(3, p);
    }
    // 4, 5. A four-three or a double three wins if the opponent has no four to gain time with. The attacker must not be
    // subject to fouls, because its straight four could be one. The opponent must not even have a four on a point that looks
    // like a foul: it may turn out legal, or the winning move may block one of two fours and so make the other legal.
    let can_interfere =
        board.has_threat(their, Threat::Four) || R::fouls(their) && board.count(their, Level::Foul) > 0;
    if !R::fouls(own) && !can_interfere {
        for level in [Level::FourThree, Level::DoubleThree] {
            if board.count(own, level) > 0
                && let Some(p) = first_of_level(board, own, level)
            {
                return ThreatVerdict::Win(5, p);
            }
        }
    }
    // 6. The opponent's straight four must be prevented.
    if board.count(their, Level::WinningFour) > 0 {
        return ThreatVerdict::Defend;
    }
    ThreatVerdict::Open
}

/// Returns the legal moves that stop all of the opponent's fives, or the loss if no move does.
fn forced_by_fives<R: Rule>(board: &Board<R>, fives: &PointSet) -> ThreatVerdict {
    let own = board.side();
    let sets = fives.iter().map(|p| board.five_replies(p, !own));
    let mut replies = sets.reduce(|all, of_five| all & of_five).unwrap_or(PointSet::EMPTY);
    if R::fouls(own) {
        replies = replies.iter().filter(|&p| !board.is_foul(p, own)).collect();
    }
    if replies.is_empty() { ThreatVerdict::Loss(2) } else { ThreatVerdict::Forced(replies) }
}

/// Returns the first point, in board order, where a move of `color` has this level.
fn first_of_level<R: Rule>(board: &Board<R>, color: Color, level: Level) -> Option<Point> {
    let threat = if level.makes_four() { Threat::Four } else { Threat::Three };
    board.threats(color, threat).iter().find(|&p| board.level(p, color) == level)
}

/// Returns the points where a stone of the other colour makes every winning four of `attacker` stoppable.
///
/// The set is complete: a stone elsewhere leaves the lines of some winning four as they are, and that four still wins
/// unless the defender makes fours of its own. A white stone cannot turn Black's straight four into a foul either,
/// unless the level of its point already says that it may be one ([`Level::is_suspect`]).
pub fn defences<R: Rule>(board: &Board<R>, attacker: Color) -> PointSet {
    let mut common = PointSet::full(board.size());
    for w in board.threats(attacker, Threat::Four).iter() {
        if board.level(w, attacker) == Level::WinningFour {
            common = common & breakers(board, w, attacker);
        }
    }
    common
}

/// Returns the points where a stone of the defender makes the four on `w` stoppable.
fn breakers<R: Rule>(board: &Board<R>, w: Point, attacker: Color) -> PointSet {
    let mut found = PointSet::from_iter([w]);
    let shapes = board.shapes(w);
    for d in Direction::ALL {
        if shapes.get(attacker, d).fours() == 0 {
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

    /// White's k11 makes a double three. But it also blocks one of the two fours of Black's o11, which was a foul before:
    /// now it is a legal four, and gains the time for a straight four.
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

    fn check<R: Rule>(moves: &[(usize, usize)], side: usize) -> Result<ThreatVerdict, TestCaseError> {
        check_board::<R>(unfinished(moves, side))
    }

    fn check_board<R: Rule>(mut board: Board<R>) -> Result<ThreatVerdict, TestCaseError> {
        let verdict = judge(&board);
        match verdict {
            ThreatVerdict::Win(n, p) => {
                prop_assert!(board.is_legal(p), "{p}");
                board.play(p);
                if n == 1 {
                    prop_assert_eq!(board.winner(), Some(!board.side()));
                } else {
                    prop_assert!(loses_within(&mut board, n - 1), "{p} does not win in {n}");
                }
            }
            ThreatVerdict::Loss(n) => prop_assert!(loses_within(&mut board, n)),
            ThreatVerdict::Forced(set) => {
                for p in legal(&board) {
                    board.play(p);
                    prop_assert_eq!(!wins_now(&board), set.contains(p), "{}", p);
                    board.undo();
                }
            }
            ThreatVerdict::Defend => {
                let set = defences(&board, !board.side());
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
            ThreatVerdict::Open => prop_assert!(!wins_now(&board)),
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
