//! The moves that may stop the opponent's threat.
//!
//! [`super::threats`] has the threats that win by one move. This module adds the four-three: the four has one reply, and
//! then the three becomes a straight four. A move that leaves both in place, and does not turn that one reply into a four
//! of its own, loses; so a node under such a threat has few moves to try. Own fours gain time and are never excluded.

use super::threats::{self, ThreatVerdict};
use crate::game::{Board, Direction, Level, Point, PointSet, Rule, Threat};

/// Plies until a move that does not stop a four-three loses: the move, the four, its reply, the straight four, any
/// move, the five.
pub const FOUR_THREE_LOSS: i32 = 6;

/// The strongest threat that the opponent already has on the board, with the points that may stop it. All other moves
/// lose, except own fours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Danger {
    /// No threat that is proven to win.
    None,
    /// A four-three.
    FourThree(PointSet),
    /// A straight four, or another four with two replies.
    Four(PointSet),
    /// A five. Own fours do not stop it.
    Five(PointSet),
}

impl Danger {
    /// Returns the danger of an undecided position with this verdict. The board is changed and restored.
    pub fn of<R: Rule>(verdict: ThreatVerdict, board: &mut Board<R>) -> Danger {
        match verdict {
            ThreatVerdict::Forced(replies) => Danger::Five(replies),
            ThreatVerdict::Defend => Danger::Four(threats::defences(board, !board.side())),
            _ => four_three_defences(board).map_or(Danger::None, Danger::FourThree),
        }
    }

    /// Returns whether the next move must stop the threat. The static evaluation of such a position means little.
    pub fn is_immediate(self) -> bool {
        matches!(self, Danger::Four(_) | Danger::Five(_))
    }

    /// Returns whether a stone on `p` may stop the threat, rather than only gain time.
    pub fn may_be_stopped_at(self, p: Point) -> bool {
        match self {
            Danger::None => true,
            Danger::FourThree(points) | Danger::Four(points) | Danger::Five(points) => points.contains(p),
        }
    }
}

/// Returns the points where a stone of the side to move may stop all of the opponent's four-threes; `None` if none of
/// them is proven to win.
///
/// The set is complete except for own fours, which a test checks. The board is changed and restored.
fn four_three_defences<R: Rule>(board: &mut Board<R>) -> Option<PointSet> {
    let their = !board.side();
    if board.count(their, Level::FourThree) == 0 {
        return None;
    }
    let mut common: Option<PointSet> = None;
    let fours = *board.threats(their, Threat::Four);
    for p in fours.iter() {
        if board.level(p, their) == Level::FourThree
            && let Some(defences) = defences_at(board, p)
        {
            common = Some(common.map_or(defences, |c| c & defences));
        }
    }
    common
}

/// Returns the points that may stop the four-three on `p`; `None` if the four there is not proven to win.
fn defences_at<R: Rule>(board: &mut Board<R>, p: Point) -> Option<PointSet> {
    let own = board.side();
    let their = !own;
    let mut defences = PointSet::from_iter([p]);
    board.pass();
    board.play(p);
    let sure = match threats::judge(board) {
        ThreatVerdict::Forced(replies) => {
            replies.iter().all(|r| !board.level(r, own).makes_four() && wins_after(board, r, &mut defences))
        }
        _ => false,
    };
    board.undo();
    board.undo();
    if !sure {
        return None;
    }
    let fouls = R::fouls(their);
    for (q, d) in line_points(board, p, R::REACH) {
        let (old, new) = (board.shapes(p), board.shapes_after(p, q, own, d));
        let is_four = old.get(their, d).fours() > 0;
        let changed = if fouls {
            old.of(their) != new.of(their)
        } else {
            // Under rules where a five closed at both ends does not win, a stone at one end makes the other end a reply,
            // whatever the shape.
            Level::of_shapes(new.of(their), false) != Level::FourThree
                || is_four && (R::CLOSABLE || old.get(their, d) != new.get(their, d))
        };
        if changed {
            defences.insert(q);
        }
    }
    Some(defences)
}

/// Returns whether the attacker wins by a straight four or a five after the reply `r`. Adds to `defences` the points that
/// would make the reply a four, and those that could make the straight four a foul.
fn wins_after<R: Rule>(board: &mut Board<R>, r: Point, defences: &mut PointSet) -> bool {
    let own = board.side();
    for (q, d) in line_points(board, r, 4) {
        if board.shapes_after(r, q, own, d).get(own, d).fours() > 0 {
            defences.insert(q);
        }
    }
    board.play(r);
    let won = match threats::judge(board) {
        ThreatVerdict::Win(1, _) => true,
        ThreatVerdict::Win(3, w) => {
            if R::fouls(!own) {
                for (q, d) in line_points(board, w, R::REACH) {
                    if board.shapes(w).of(!own) != board.shapes_after(w, q, own, d).of(!own) {
                        defences.insert(q);
                    }
                }
            }
            true
        }
        _ => false,
    };
    board.undo();
    won
}

/// Returns the empty points within `reach` on the lines through `p`, each with its direction.
fn line_points<R: Rule>(
    board: &Board<R>,
    p: Point,
    reach: usize,
) -> impl Iterator<Item = (Point, Direction)> {
    Direction::ALL.into_iter().flat_map(move |d| board.along(p, d, reach).map(move |q| (q, d)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::exhaustive::{legal, unfinished, wins_within};
    use super::*;
    use crate::game::{Caro, Caro6, Freestyle, Renju, Standard};

    /// Checks a position; returns whether it had a threat to stop.
    fn check<R: Rule>(moves: &[(usize, usize)], side: usize) -> Result<bool, TestCaseError> {
        let mut board: Board<R> = unfinished(moves, side);
        if threats::judge(&board) != ThreatVerdict::Open {
            return Ok(false);
        }
        let (hash, ply) = (board.hash(), board.ply());
        let Some(defences) = four_three_defences(&mut board) else { return Ok(false) };
        prop_assert_eq!((board.hash(), board.ply()), (hash, ply));
        for p in legal(&board) {
            if defences.contains(p) || board.level(p, board.side()).makes_four() {
                continue;
            }
            board.play(p);
            prop_assert!(wins_within(&mut board, FOUR_THREE_LOSS - 1), "{} defends too", p);
            board.undo();
        }
        Ok(true)
    }

    /// Checks random positions of a rule; some of them must have a threat.
    fn check_many<R: Rule>() {
        use proptest::test_runner::{Config, TestRunner};
        let mut runner = TestRunner::new(Config { cases: 1000, ..Config::default() });
        let threats = std::cell::Cell::new(0);
        runner
            .run(&(prop::collection::vec((1..9usize, 1..9usize), 6..34), 8..11usize), |(moves, side)| {
                threats.set(threats.get() + usize::from(check::<R>(&moves, side)?));
                Ok(())
            })
            .unwrap();
        assert!(threats.get() >= 5, "only {} positions with a threat", threats.get());
    }

    #[test]
    fn a_stone_at_one_end_makes_the_other_a_reply() {
        // White's four on i3 threatens i5 alone; with Black on i1, i7 closes the row too, and makes a four.
        let black = [(5, 6), (6, 6), (7, 6), (0, 8), (0, 6), (0, 4)];
        let white = [(8, 1), (8, 3), (8, 5), (5, 2), (7, 2), (4, 6)];
        let moves: Vec<_> = black.into_iter().zip(white).flat_map(|(b, w)| [b, w]).collect();
        let mut board: Board<Caro6> = unfinished(&moves, 10);
        let defences = four_three_defences(&mut board).unwrap();
        assert!(defences.contains(Point::new(8, 0)));
        assert!(check::<Caro6>(&moves, 10).unwrap());
    }

    #[test]
    fn all_defences_are_found() {
        check_many::<Freestyle>();
        check_many::<Standard>();
        check_many::<Renju>();
        check_many::<Caro>();
        check_many::<Caro6>();
    }
}
