//! The main line of a game's file as steps between positions.
//!
//! Between two moves a file may put or remove stones, or one side may move twice in a row, which counts as a pass of the
//! other. Then the position before the second move differs from that after the first, and both are studied.

use super::ReviewError;
use crate::limits::MOVES;
use crate::record::{Game, NodeId};
use kagetsu::game::{Color, Endings, Move, Outcome, Position, RuleKind, status};

/// A move of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// Node in the file.
    pub id: NodeId,
    /// The side that moved.
    pub side: Color,
    /// The stone, or the pass.
    pub turn: Move,
    /// Index of the position before it.
    pub before: usize,
    /// Index of the position after it.
    pub after: usize,
}

/// A game's main line, as far as the game goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Course {
    /// The positions and where they stand in the file, from before the first move to the end.
    pub positions: Vec<(NodeId, Position)>,
    /// The moves between them.
    pub steps: Vec<PlayedMove>,
    /// End of the game in the last position.
    pub end: Option<Outcome>,
    /// Moves of the file behind the end of the game.
    pub left_out: usize,
}

impl Course {
    /// Returns the course of a game under a rule and these ends.
    ///
    /// # Errors
    /// If the game has no moves, too many, or impossible ones, or is over before the first one.
    pub fn of(game: &Game, rule: RuleKind, endings: &Endings) -> Result<Course, ReviewError> {
        let moves = game.tree.main_line().filter(|&id| game.tree.turn(id).is_some()).count();
        match moves {
            0 => return Err(ReviewError::NoMoves),
            1..=MOVES => {}
            _ => return Err(ReviewError::TooLong { moves, most: MOVES }),
        }
        let mut course = Course { positions: Vec::new(), steps: Vec::new(), end: None, left_out: 0 };
        // The position goes along the line: there may be far more nodes without a move than moves.
        let mut position = game.start()?;
        let mut parent = NodeId::ROOT;
        for id in game.tree.main_line() {
            let Some((side, turn)) = game.tree.turn(id) else {
                game.step(&mut position, id)?;
                parent = id;
                continue;
            };
            // A side that moves out of turn moves after a pass. Nobody played that pass, so that it ends no game.
            let two_passes = endings.two_passes && position.side() == side;
            let rules = (rule, &Endings { two_passes, ..*endings });
            position.set_side(side);
            let before = course.reach(rules, parent, &position)?;
            if course.end.is_some() {
                break;
            }
            game.step(&mut position, id)?;
            let after = course.reach(rules, id, &position)?;
            course.steps.push(PlayedMove { id, side, turn, before, after });
            if course.end.is_some() || course.steps.len() == moves {
                break;
            }
            parent = id;
        }
        if let Some(end) = course.end.filter(|_| course.steps.is_empty()) {
            return Err(ReviewError::Over(end));
        }
        course.left_out = moves - course.steps.len();
        Ok(course)
    }

    /// Adds the position at a node, unless it was added last; returns the index of the last.
    fn reach(
        &mut self,
        (rule, endings): (RuleKind, &Endings),
        id: NodeId,
        position: &Position,
    ) -> Result<usize, ReviewError> {
        // A node may have nothing but a remark.
        if self.positions.last().is_none_or(|last| last.1 != *position) {
            self.end = status::outcome(position, rule, endings)?;
            self.positions.push((id, position.clone()));
        }
        Ok(self.positions.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sgf;
    use kagetsu::game::{Draw, notation};

    fn course(text: &str) -> Result<Course, ReviewError> {
        let game = sgf::read(text.as_bytes(), Default::default()).unwrap().remove(0);
        Course::of(&game, RuleKind::Freestyle, &Endings::default())
    }

    fn places(course: &Course) -> Vec<(usize, usize)> {
        course.steps.iter().map(|step| (step.before, step.after)).collect()
    }

    fn stones(course: &Course) -> Vec<usize> {
        course.positions.iter().map(|(_, position)| position.stones().count()).collect()
    }

    #[test]
    fn stones_between_moves_make_a_position_more() {
        let plain = course("(;SZ[15];B[hh];W[aa];B[ih])").unwrap();
        assert_eq!((places(&plain), stones(&plain)), (vec![(0, 1), (1, 2), (2, 3)], vec![0, 1, 2, 3]));
        let edited = course("(;SZ[15];AB[oo];B[hh];W[aa];AE[aa];AW[ba][ca];B[ih])").unwrap();
        assert_eq!((places(&edited), stones(&edited)), (vec![(0, 1), (1, 2), (3, 4)], vec![1, 2, 3, 4, 5]));
        let remarked = course("(;SZ[15];B[hh];C[well played];W[aa])").unwrap();
        assert_eq!((places(&remarked), stones(&remarked)), (vec![(0, 1), (1, 2)], vec![0, 1, 2]));
        let before = &edited.positions[edited.steps[2].before].1;
        assert_eq!(notation::setup::print(before), "1oo12/15/15/15/15/15/15/7x7/15/15/15/15/15/15/14x x");
    }

    /// The position before a move is that of the side which makes it: only its best move can be the better one.
    #[test]
    fn a_move_out_of_turn_comes_after_a_pass() {
        let twice = course("(;SZ[15];B[hh];B[ih];W[aa])").unwrap();
        assert_eq!((places(&twice), stones(&twice)), (vec![(0, 1), (2, 3), (3, 4)], vec![0, 1, 1, 2, 3]));
        assert!(twice.steps.iter().all(|step| twice.positions[step.before].1.side() == step.side));
        // Black alone has passed, before or after White should have moved: that is no draw.
        let endings = Endings { passes: Some(0), two_passes: true, ..Endings::default() };
        let drawn = Some(Outcome::Draw(Draw::TwoPasses));
        for (text, played, end) in [
            ("(;SZ[15];B[hh];W[aa];B[];B[ih])", (4, 0), None),
            ("(;SZ[15];B[hh];B[];W[aa];B[ih])", (4, 0), None),
            ("(;SZ[15];B[hh];B[];W[];B[ih])", (3, 1), drawn),
        ] {
            let game = sgf::read(text.as_bytes(), Default::default()).unwrap().remove(0);
            let passed = Course::of(&game, RuleKind::Freestyle, &endings).unwrap();
            assert_eq!(((passed.steps.len(), passed.left_out), passed.end), (played, end), "{text}");
        }
    }

    #[test]
    fn a_game_goes_as_far_as_its_end() {
        // Five by a move, then five put down.
        let row = "(;SZ[15];B[ah];W[aa];B[bh];W[ca];B[ch];W[ea];B[dh];W[ga];B[eh];W[ia];B[fh])";
        let played = course(row).unwrap();
        assert_eq!((played.steps.len(), played.left_out), (9, 2));
        assert_eq!(played.end, Some(Outcome::Row(Color::Black)));
        let put = course("(;SZ[15];B[hh];AW[ab][bb][cb][db][eb];W[oo];B[aa])").unwrap();
        assert_eq!((places(&put), put.left_out), (vec![(0, 1)], 2));
        assert_eq!((put.positions.len(), put.end), (3, Some(Outcome::Row(Color::White))));
        let over = course("(;SZ[15]AW[ab][bb][cb][db][eb];B[hh];W[oo])").unwrap_err();
        assert_eq!(over, ReviewError::Over(Outcome::Row(Color::White)));
    }

    #[test]
    fn passes_end_no_game_but_not_for_ever() {
        let passes = |n: usize| course(&format!("(;SZ[15]{})", ";B[];W[]".repeat(n)));
        assert_eq!(passes(MOVES / 2).unwrap().positions.len(), MOVES + 1);
        let error = passes(MOVES / 2 + 1).err().unwrap().to_string();
        assert!(error.contains(&(MOVES + 2).to_string()), "{error}");
    }
}
