//! A board reduced to the needs of a search for fours.
//!
//! Every line holds its stones for both colours at once (Black in the low 32 bits of a word, White in the high 32), and
//! the windows of five cells that lack one, two or three stones of a winning row, as bits at the window's first cell. A
//! stone changes four lines, which are recomputed together by bit arithmetic without a branch: a few dozen instructions,
//! where the full [`Board`] needs two or three thousand. Shapes and levels are not available here; Black's fouls are.
//!
//! This file makes and unmakes moves; [`windows`] does the bit arithmetic, [`queries`] finds fours, fives and replies.

mod queries;
mod windows;

use std::marker::PhantomData;

pub(super) use self::queries::FourMove;
use self::windows::{Line, MARGIN, half, windows};
use crate::game::{Board, Color, FoulTables, LINES, Lines, Point, Reading, Rule, Size, locate, zobrist};

/// Lines on which a colour has windows of a kind: one bit for each line, one word for each direction.
type LineSet = [u64; 4];

/// Lines of each colour that have windows with one cell to fill, and with two.
#[derive(Clone, Copy, Default)]
struct Summary {
    one: [LineSet; 2],
    two: [LineSet; 2],
}

/// A stone, with its lines and the summary before it.
struct Saved {
    point: Point,
    color: Color,
    lines: [Line; 4],
    summary: Summary,
}

/// Stones of a position under the rule `R`, with the fours and fives of both colours.
pub(super) struct Fours<R: Rule> {
    size: Size,
    lines: [[Line; LINES]; 4],
    /// Cells off the board, in both halves.
    walls: [[u64; LINES]; 4],
    summary: Summary,
    saved: Vec<Saved>,
    hash: u64,
    /// The same stones as line keys, for fouls; kept only under rules with fouls.
    keys: Lines,
    fouls: FoulTables,
    rule: PhantomData<R>,
}

impl<R: Rule> Fours<R> {
    /// Creates an empty board.
    pub fn empty(size: Size) -> Fours<R> {
        let mut fours = Fours {
            size,
            lines: [[Line::default(); LINES]; 4],
            walls: [[u64::MAX; LINES]; 4],
            summary: Summary::default(),
            saved: Vec::new(),
            hash: 0,
            keys: Lines::new(size),
            fouls: FoulTables::new(Reading::Literal),
            rule: PhantomData,
        };
        fours.set_size(size);
        fours
    }

    fn set_size(&mut self, size: Size) {
        self.size = size;
        self.saved.reserve(size.area() + 1);
        self.walls = [[u64::MAX; LINES]; 4];
        for p in size.points() {
            for d in 0..4 {
                let (line, cell) = locate(p, d);
                self.walls[d][line] ^= (1 | 1 << 32) << (cell as u32 + MARGIN);
            }
        }
    }

    /// Copies the stones of a board. Allocates only if the size is new.
    pub fn load(&mut self, board: &Board<R>) {
        if self.size != board.size() {
            self.set_size(board.size());
        }
        self.saved.clear();
        self.summary = Summary::default();
        self.lines = [[Line::default(); LINES]; 4];
        self.fouls = FoulTables::new(board.reading());
        if R::FOULS {
            self.keys.clone_from(board.lines());
        }
        // Board size and rule interpretation are part of a position's key.
        self.hash =
            (board.size().side() as u64 | (board.reading() as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for color in Color::BOTH {
            for p in board.stones_of(color).iter() {
                self.hash ^= zobrist::stone(p, color);
                for d in 0..4 {
                    let (line, cell) = locate(p, d);
                    self.lines[d][line].stones |= 1 << (cell as u32 + MARGIN + 32 * color as u32);
                }
            }
        }
        for d in 0..4 {
            for line in 0..LINES {
                let stones = self.lines[d][line].stones;
                if stones != 0 {
                    self.set_line(d, line, windows::<R>(stones, self.walls[d][line]));
                }
            }
        }
    }

    #[inline(always)]
    fn set_line(&mut self, d: usize, line: usize, new: Line) {
        self.lines[d][line] = new;
        for color in Color::BOTH {
            let c = color.index();
            let one = &mut self.summary.one[c][d];
            *one = *one & !(1 << line) | u64::from(half(new.one, color) != 0) << line;
            let two = &mut self.summary.two[c][d];
            *two = *two & !(1 << line) | u64::from(half(new.two, color) != 0) << line;
        }
    }

    /// Puts a stone on an empty point.
    #[inline(always)]
    pub fn play(&mut self, p: Point, color: Color) {
        let at: [(usize, usize); 4] = std::array::from_fn(|d| locate(p, d));
        let old = std::array::from_fn(|d| self.lines[d][at[d].0]);
        self.saved.push(Saved { point: p, color, lines: old, summary: self.summary });
        let new: [Line; 4] = std::array::from_fn(|d| {
            let stone = 1 << (at[d].1 as u32 + MARGIN + 32 * color as u32);
            windows::<R>(old[d].stones | stone, self.walls[d][at[d].0])
        });
        for d in 0..4 {
            self.set_line(d, at[d].0, new[d]);
        }
        self.hash ^= zobrist::stone(p, color);
        if R::FOULS {
            self.keys.toggle(p, color);
        }
    }

    /// Undoes the last stone.
    #[inline(always)]
    pub fn undo(&mut self) {
        let Some(Saved { point, color, lines, summary }) = self.saved.pop() else {
            unreachable!("as many plays as undos")
        };
        for (d, line) in lines.into_iter().enumerate() {
            self.lines[d][locate(point, d).0] = line;
        }
        self.summary = summary;
        self.hash ^= zobrist::stone(point, color);
        if R::FOULS {
            self.keys.toggle(point, color);
        }
    }

    /// Returns the number of stones that [`Self::undo`] can take back.
    pub fn ply(&self) -> usize {
        self.saved.len()
    }

    /// Returns the key of the stones, the board's size and the interpretation of the foul rule.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the board's size.
    pub fn size(&self) -> Size {
        self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Direction, PointSet, RuleKind, Shape, Threat};
    use crate::with_rule;
    use proptest::prelude::*;

    /// Checks that the sets agree with the shapes of the full board, and that undo restores them.
    fn agrees<R: Rule>(size: Size, moves: &[usize]) {
        let mut board = Board::<R>::new(size);
        let mut fours = Fours::empty(size);
        fours.load(&board);
        let played: Vec<Point> = moves.iter().map(|&i| size.points().nth(i % size.area()).unwrap()).collect();
        for &p in &played {
            if board.check_free(p).is_ok() {
                fours.play(p, board.side());
                board.play(p);
            }
        }
        let mut reloaded = Fours::empty(Size::S20);
        reloaded.load(&board);
        check(&board, &mut fours);
        check(&board, &mut reloaded);
        assert_eq!(fours.hash(), reloaded.hash());
        while fours.ply() > played.len() / 2 {
            fours.undo();
            board.undo();
        }
        check(&board, &mut fours);
    }

    fn check<R: Rule>(board: &Board<R>, fours: &mut Fours<R>) {
        for color in Color::BOTH {
            assert_eq!(fours.five_points(color), *board.threats(color, Threat::Five));
            assert_eq!(fours.has_five(color), !board.threats(color, Threat::Five).is_empty());
            for p in board.empty().iter() {
                let shape = |d| board.shapes(p).get(color, d);
                let five = Direction::ALL.into_iter().any(|d| shape(d) == Shape::Five);
                let overline = Direction::ALL.into_iter().any(|d| shape(d) == Shape::Overline);
                let four = Direction::ALL.into_iter().any(|d| shape(d).fours() > 0);
                if !five && !overline {
                    assert_eq!(fours.four_at(p, color).is_some(), four, "{p} {color}");
                }
                assert_eq!(fours.is_foul(p, color), board.is_foul(p, color), "{p} {color}");
            }
            let mut listed = PointSet::EMPTY;
            fours.for_each_four(color, |c| {
                assert!(!listed.contains(c.point), "{} twice", c.point);
                listed.insert(c.point);
            });
            let direct =
                PointSet::from_iter(board.empty().iter().filter(|&p| fours.four_at(p, color).is_some()));
            assert_eq!(listed, direct);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn agree_with_the_board(
            rule in prop::sample::select(RuleKind::ALL.to_vec()),
            side in prop::sample::select(vec![6usize, 9, 15, 22]),
            moves in prop::collection::vec(0usize..484, 0..120),
        ) {
            with_rule!(rule, R => agrees::<R>(Size::new(side).unwrap(), &moves));
        }
    }
}
