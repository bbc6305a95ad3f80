//! Which moves can answer what the opponent threatens.
//!
//! The threats of one move are in [`super::statics`]; here are those of a four with a three: the four has one reply, and
//! then the three becomes a straight four. Any stone that leaves both in place, and does not make that one reply a four
//! of its own, loses: so a node needs to try few moves, or none (+23 Elo, as measured in [`super::pvs`]). Fours of the
//! side to move are never excluded here.

use super::statics::{self, Verdict};
use crate::game::{Board, Direction, Level, Point, PointSet, Rule, Threat};

/// Plies until a move that does not answer a four-three loses: the move, the four, its reply, the straight four, any
/// move, the five.
pub const LOSS: i32 = 6;

/// What the opponent threatens to do next, with the points that may answer it. All other moves but own fours lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Danger {
    /// Nothing that is certain to win.
    None,
    /// A four and three.
    FourThree(PointSet),
    /// An unstoppable four.
    Four(PointSet),
    /// A five; own fours are no answer.
    Five(PointSet),
}

impl Danger {
    /// What a position that is not decided holds. The board is changed and restored.
    pub fn of<R: Rule>(verdict: Verdict, board: &mut Board<R>) -> Danger {
        match verdict {
            Verdict::Forced(replies) => Danger::Five(replies),
            Verdict::Defend(defences) => Danger::Four(defences),
            _ => to_four_threes(board).map_or(Danger::None, Danger::FourThree),
        }
    }

    /// Whether the threat must be answered by the next move, so that nothing can be said of the position as it is.
    pub fn is_immediate(self) -> bool {
        matches!(self, Danger::Four(_) | Danger::Five(_))
    }

    /// Whether a stone on `p` may answer the threat by more than gaining time.
    pub fn is_answered_at(self, p: Point) -> bool {
        match self {
            Danger::None => true,
            Danger::FourThree(points) | Danger::Four(points) | Danger::Five(points) => points.contains(p),
        }
    }
}

/// Points where a stone of the side to move may prevent the opponent's four-threes; `None` if none is certain to win.
///
/// Complete but for fours: see the tests. The board is changed and restored.
fn to_four_threes<R: Rule>(board: &mut Board<R>) -> Option<PointSet> {
    let their = !board.side();
    if board.count(their, Level::FourThree) == 0 {
        return None;
    }
    let mut common: Option<PointSet> = None;
    let fours = *board.threats(their, Threat::Four);
    for p in fours.iter() {
        if board.level(p, their) == Level::FourThree
            && let Some(answers) = to_four_three(board, p)
        {
            common = Some(common.map_or(answers, |c| c & answers));
        }
    }
    common
}

/// The same for one point; `None` if a four there does not win for certain.
fn to_four_three<R: Rule>(board: &mut Board<R>, p: Point) -> Option<PointSet> {
    let own = board.side();
    let their = !own;
    let mut answers = PointSet::from_iter([p]);
    board.pass();
    board.play(p);
    let sure = match statics::judge(board) {
        Verdict::Forced(replies) => {
            replies.iter().all(|r| !board.level(r, own).makes_four() && wins_after(board, r, &mut answers))
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
            // A stone at one end of a row that can be closed makes the other end a reply, whatever the shape.
            Level::of_shapes(new.of(their), false) != Level::FourThree
                || is_four && (R::CLOSABLE || old.get(their, d) != new.get(their, d))
        };
        if changed {
            answers.insert(q);
        }
    }
    Some(answers)
}

/// Whether the straight four follows after the reply `r`; adds the points that would make that reply a four, and those
/// that could make the straight four a foul.
fn wins_after<R: Rule>(board: &mut Board<R>, r: Point, answers: &mut PointSet) -> bool {
    let own = board.side();
    for (q, d) in line_points(board, r, 4) {
        if board.shapes_after(r, q, own, d).get(own, d).fours() > 0 {
            answers.insert(q);
        }
    }
    board.play(r);
    let won = match statics::judge(board) {
        Verdict::Win(1, _) => true,
        Verdict::Win(3, w) => {
            if R::fouls(!own) {
                for (q, d) in line_points(board, w, R::REACH) {
                    if board.shapes(w).of(!own) != board.shapes_after(w, q, own, d).of(!own) {
                        answers.insert(q);
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

/// The empty points on the lines through `p`, with their direction.
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

    /// Whether the position had a threat to answer.
    fn check<R: Rule>(moves: &[(usize, usize)], side: usize) -> Result<bool, TestCaseError> {
        let mut board: Board<R> = unfinished(moves, side);
        if statics::judge(&board) != Verdict::Open {
            return Ok(false);
        }
        let (hash, ply) = (board.hash(), board.ply());
        let Some(answers) = to_four_threes(&mut board) else { return Ok(false) };
        prop_assert_eq!((board.hash(), board.ply()), (hash, ply));
        for p in legal(&board) {
            if answers.contains(p) || board.level(p, board.side()).makes_four() {
                continue;
            }
            board.play(p);
            prop_assert!(wins_within(&mut board, LOSS - 1), "{} answers too", p);
            board.undo();
        }
        Ok(true)
    }

    /// Checks random positions of a rule, some of which must have a threat.
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
        let answers = to_four_threes(&mut board).unwrap();
        assert!(answers.contains(Point::new(8, 0)));
        assert!(check::<Caro6>(&moves, 10).unwrap());
    }

    #[test]
    fn all_answers_are_found() {
        check_many::<Freestyle>();
        check_many::<Standard>();
        check_many::<Renju>();
        check_many::<Caro>();
        check_many::<Caro6>();
    }
}
