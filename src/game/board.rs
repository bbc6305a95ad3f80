//! The board: stones, and everything about them that is kept up to date as stones come and go.
//!
//! For every empty point the board knows the line shapes of both colours ([`Shapes`]), their pattern codes ([`Codes`]) and
//! the threat level of each colour ([`Level`]), and for each kind of threat the set of its points, so that "can I win",
//! "must I answer" and "where can a four be made" are single reads. A stone changes only the points within
//! [`Rule::REACH`] on its four lines. Old values go to a log from which [`Board::undo`] restores them; occupied points keep
//! the values they had when they were taken, which are right again when the stone is taken back, because stones leave in
//! reverse order.
//!
//! Fouls that need recursion are in [`super::foul`]; ends of the game in [`super::outcome`].

use std::fmt;
use std::marker::PhantomData;

use super::Error;
use super::codes::Codes;
use super::color::Color;
use super::level::Level;
use super::lines::{Lines, empty_neighbours};
use super::point::{Direction, POINTS, Point, PointSet, Size};
use super::position::{Move, Position};
use super::rating::{RatingTable, Ratings, Sums};
use super::rule::{Reading, Rule};
use super::shape::{Pairs, Shape, ShapeTable, Shapes};
use super::threat::{Tally, Threat};
use super::zobrist;

/// Listener to changes of a board, for state that follows it (the accumulators of the evaluation).
pub trait BoardObserver {
    /// A stone of `color` was put on `p`, whose codes were `codes`.
    fn placed(&mut self, p: Point, color: Color, codes: Codes);
    /// The codes of the empty point `p` changed because of the stone placed last.
    fn changed(&mut self, p: Point, old: Codes, new: Codes);
}

/// Observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl BoardObserver for Unobserved {
    #[inline(always)]
    fn placed(&mut self, _: Point, _: Color, _: Codes) {}
    #[inline(always)]
    fn changed(&mut self, _: Point, _: Codes, _: Codes) {}
}

/// Most points whose shapes one stone can change: five on each side in four lines, and one slot for the branch-free
/// append.
const MAX_CHANGES: usize = 41;

/// Shapes of an empty point, with the codes and levels that follow from them.
#[derive(Clone, Copy)]
struct Cell {
    pairs: Pairs,
    ratings: Ratings,
    sums: Sums,
}

/// Places for cells: a power of two, so that any index can be reduced to one of them instead of being checked.
const CELLS: usize = POINTS.next_power_of_two();

/// A point before a nearby stone changed it.
#[derive(Clone, Copy)]
struct Change {
    cell: Cell,
    point: Point,
}

/// Change of the shapes of a point in one line: the difference of its sums, and the bits of its pairs that change.
#[derive(Clone, Copy)]
struct Found {
    sums: Sums,
    bits: u32,
    point: Point,
}

/// A ply that can be undone.
#[derive(Clone, Copy)]
struct Ply {
    point: Option<Point>,
    log_len: u32,
}

/// A board under the rule `R`.
///
/// Most of its questions are about an empty point, and [`Board::check_free`] tells whether a point is one. Of
/// a point that has a stone, or lies beyond the edge, the answers mean nothing, and a stone played there
/// spoils the board.
#[derive(Clone)]
pub struct Board<R: Rule> {
    size: Size,
    side: Color,
    reading: Reading,
    hash: u64,
    lines: Lines,
    stones: [PointSet; 2],
    empty: PointSet,
    cells: [Cell; CELLS],
    /// Number of setup stones, which cannot be undone.
    setup: usize,
    plies: Vec<Ply>,
    /// Stack of tallies, one for each stone placed; the last one is current. Undo drops it: a copy of a whole tally costs
    /// less than restoring it point by point.
    tallies: Vec<Tally>,
    log: Vec<Change>,
    /// Scratch space for the points that a stone changes.
    found: [Found; MAX_CHANGES],
    shape_table: &'static ShapeTable,
    rating_tables: [RatingTable; 2],
    rule: PhantomData<R>,
}

impl<R: Rule> fmt::Debug for Board<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white] = &self.stones;
        let mut board = f.debug_struct("Board");
        board.field("rule", &R::KIND).field("size", &self.size).field("black", black).field("white", white);
        board.field("side", &self.side).finish_non_exhaustive()
    }
}

impl<R: Rule> Board<R> {
    /// An empty board, Black to move.
    pub fn new(size: Size) -> Board<R> {
        let mut board = Board {
            size,
            side: Color::Black,
            reading: Reading::Literal,
            hash: zobrist::board(size),
            lines: Lines::new(size),
            stones: [PointSet::EMPTY; 2],
            empty: PointSet::full(size),
            cells: [Cell { pairs: Pairs(0), ratings: Ratings::NONE, sums: Sums::default() }; CELLS],
            setup: 0,
            plies: Vec::new(),
            tallies: Vec::new(),
            log: Vec::new(),
            found: [Found { sums: Sums::default(), bits: 0, point: Point::new(0, 0) }; MAX_CHANGES],
            shape_table: R::shapes(),
            rating_tables: Color::BOTH.map(|c| RatingTable::get(R::fouls(c))),
            rule: PhantomData,
        };
        board.reserve();
        board.refresh();
        board
    }

    /// Makes room for a whole game, so that its moves allocate nothing. A clone has no room for more than it holds.
    pub fn reserve(&mut self) {
        let area = self.size.area();
        self.plies.reserve((2 * area).saturating_sub(self.plies.len()));
        self.tallies.reserve((area + 1).saturating_sub(self.tallies.len()));
        self.log.reserve((40 * area).saturating_sub(self.log.len()));
    }

    /// Builds the board of a position: its setup stones, then its moves.
    ///
    /// # Errors
    /// If a point is off the board or occupied, which a [`Position`] does not allow. Fouls and finished games
    /// are no errors, because such positions can be explained too.
    pub fn from_position(position: &Position) -> Result<Board<R>, Error> {
        let mut board = Board::new(position.size());
        for &(p, color) in position.setup() {
            board.check_free(p)?;
            board.lines.toggle(p, color);
            board.stones[color.index()].insert(p);
            board.empty.remove(p);
            board.hash ^= zobrist::stone(p, color);
        }
        board.setup = position.setup().len();
        if board.setup > 0 {
            board.refresh();
        }
        board.set_side(position.first());
        for &m in position.moves() {
            match m {
                Move::Pass => board.pass(),
                Move::Place(p) => {
                    board.check_free(p)?;
                    board.play(p);
                }
            }
        }
        Ok(board)
    }

    /// Checks that a stone can be put on `p`: it is on the board and empty. Whether it is a foul is not
    /// asked.
    ///
    /// # Errors
    /// If it is off the board or occupied.
    pub fn check_free(&self, p: Point) -> Result<(), Error> {
        if !self.size.contains(p.x(), p.y()) {
            Err(Error::OffBoard(p, self.size))
        } else if !self.empty.contains(p) {
            Err(Error::Occupied(p))
        } else {
            Ok(())
        }
    }

    /// Computes all shapes, ratings and sets from the lines.
    fn refresh(&mut self) {
        let mut tally = Tally::EMPTY;
        for p in self.empty.iter() {
            let pair = |d| self.shape_table.pair(self.lines.window(p, d));
            let pairs = (0..4).fold(Pairs(0), |pairs, d| pairs.with(d, pair(d)));
            let sums = Sums::of(pairs);
            let ratings = RatingTable::both(self.rating_tables, sums);
            self.cells[p.index()] = Cell { pairs, ratings, sums };
            Color::BOTH.into_iter().for_each(|color| tally.enter(p, color, ratings.level(color)));
        }
        self.tallies.clear();
        self.tallies.push(tally);
    }

    /// Puts a stone of the side to move on the empty point `p` and passes the turn. The caller ensures that the move is
    /// legal.
    ///
    /// # Panics
    /// With debug assertions, if the point is not empty.
    #[inline]
    pub fn play(&mut self, p: Point) {
        self.play_observed(p, &mut Unobserved);
    }

    /// Plays like [`Self::play`] and reports the changes to `observer`.
    #[inline]
    pub fn play_observed<O: BoardObserver>(&mut self, p: Point, observer: &mut O) {
        debug_assert!(self.empty.contains(p), "{p} is not empty");
        let color = self.side;
        let ratings = self.cell(p).ratings;
        self.plies.push(Ply { point: Some(p), log_len: self.log.len() as u32 });
        self.empty.remove(p);
        self.stones[color.index()].insert(p);
        self.hash ^= zobrist::stone(p, color) ^ zobrist::WHITE_TO_MOVE;
        self.side = !color;
        observer.placed(p, color, ratings.codes());
        let mut count = 0;
        self.find_changes::<0>(p, color, &mut count);
        self.find_changes::<1>(p, color, &mut count);
        self.find_changes::<2>(p, color, &mut count);
        self.find_changes::<3>(p, color, &mut count);
        let (cells, tables, logged) = (&mut self.cells, self.rating_tables, self.log.len());
        // Changes that concern threats are hard to predict: they are gathered without a branch.
        let (mut shifted, mut shifts) = ([0u8; MAX_CHANGES], 0);
        self.log.extend((0u8..).zip(&self.found[..count]).map(|(i, &Found { sums, bits, point })| {
            let cell = &mut cells[point.index() % CELLS];
            let old = *cell;
            let sums = old.sums.plus(sums);
            let ratings = RatingTable::both(tables, sums);
            *cell = Cell { pairs: Pairs(old.pairs.0 ^ bits), ratings, sums };
            shifted[shifts] = i;
            shifts += usize::from(old.ratings.threats_differ(ratings));
            observer.changed(point, old.ratings.codes(), ratings.codes());
            Change { cell: old, point }
        }));
        self.tallies.extend_from_within(self.tallies.len() - 1..);
        let tally = self.tallies.last_mut().expect("the one just added");
        Color::BOTH.into_iter().for_each(|c| tally.leave(p, c, ratings.level(c)));
        for &i in &shifted[..shifts] {
            let Change { cell: old, point } = self.log[logged + usize::from(i)];
            let new = self.cells[point.index() % CELLS];
            for c in Color::BOTH {
                tally.change(point, c, old.ratings.level_number(c), new.ratings.level_number(c));
            }
        }
    }

    /// Puts the stone into the line of direction `D` and appends the points of the line whose shapes change. The append has
    /// no branch, because whether a point changes is hard to predict.
    #[inline(always)]
    fn find_changes<const D: usize>(&mut self, p: Point, color: Color, count: &mut usize) {
        let step = Direction::ALL[D].step();
        let (key, cell) = self.lines.toggle_one(p, color, D);
        let first = p.index() as isize - cell as isize * step;
        let mut near = empty_neighbours(key, cell, R::REACH);
        while near != 0 {
            let shift = near.trailing_zeros();
            near &= near - 1;
            let point = Point::from_index_unchecked((first + (shift / 2) as isize * step) as usize);
            let new = self.shape_table.pair(key >> shift);
            let old = self.cells[point.index() % CELLS].pairs.get(D);
            self.found[*count] =
                Found { sums: Sums::difference(old, new), bits: u32::from(old ^ new) << (8 * D), point };
            *count += usize::from(new != old);
        }
    }

    /// Passes the turn.
    pub fn pass(&mut self) {
        self.plies.push(Ply { point: None, log_len: self.log.len() as u32 });
        self.hash ^= zobrist::WHITE_TO_MOVE;
        self.side = !self.side;
    }

    /// Undoes the last ply and returns its point, `None` for a pass.
    ///
    /// # Panics
    /// If there is no ply to undo.
    #[inline]
    pub fn undo(&mut self) -> Option<Point> {
        let Ply { point, log_len } = self.plies.pop().expect("a ply to take back");
        self.side = !self.side;
        self.hash ^= zobrist::WHITE_TO_MOVE;
        let p = point?;
        let color = self.side;
        self.tallies.truncate(self.tallies.len() - 1);
        let log_len = log_len as usize;
        // No point is twice in a ply's log, so the order does not matter.
        for change in &self.log[log_len..] {
            self.cells[change.point.index() % CELLS] = change.cell;
        }
        self.log.truncate(log_len);
        self.lines.toggle(p, color);
        self.hash ^= zobrist::stone(p, color);
        self.stones[color.index()].remove(p);
        self.empty.insert(p);
        Some(p)
    }

    #[inline(always)]
    fn cell(&self, p: Point) -> Cell {
        self.cells[p.index() % CELLS]
    }

    #[inline(always)]
    fn tally(&self) -> &Tally {
        &self.tallies[self.tallies.len() - 1]
    }

    /// Side length.
    #[inline(always)]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The colour to move.
    #[inline(always)]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Sets the colour to move, without a ply to take back.
    pub fn set_side(&mut self, side: Color) {
        if side != self.side {
            self.side = side;
            self.hash ^= zobrist::WHITE_TO_MOVE;
        }
    }

    /// Returns the interpretation of point T5 of the double-three rule.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Sets the interpretation of point T5; [`Reading::Literal`] on a new board.
    pub fn set_reading(&mut self, reading: Reading) {
        self.reading = reading;
    }

    /// Zobrist key of the size, the stones and the side to move.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns [`Self::hash`] after a stone of the side to move on the empty point `p`.
    #[inline(always)]
    pub fn hash_after(&self, p: Point) -> u64 {
        self.hash ^ zobrist::stone(p, self.side) ^ zobrist::WHITE_TO_MOVE
    }

    /// Number of stones.
    pub fn stones(&self) -> usize {
        self.size.area() - self.empty.len()
    }

    /// Stones of a colour.
    #[inline(always)]
    pub fn stones_of(&self, color: Color) -> &PointSet {
        &self.stones[color.index()]
    }

    /// Empty points.
    #[inline(always)]
    pub fn empty(&self) -> &PointSet {
        &self.empty
    }

    /// The stone on `p`.
    #[inline]
    pub fn stone(&self, p: Point) -> Option<Color> {
        Color::BOTH.into_iter().find(|c| self.stones[c.index()].contains(p))
    }

    /// Returns the number of plies that can be undone, passes included.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        self.plies.len()
    }

    /// Returns the number of moves so far, passes included; each setup stone counts as one.
    pub fn moves(&self) -> usize {
        self.setup + self.plies.len()
    }

    /// Returns the move `back` plies ago (0 for the last), if it was made on this board and placed a stone.
    #[inline]
    pub fn last_move(&self, back: usize) -> Option<Point> {
        self.plies.iter().rev().nth(back)?.point
    }

    /// Shapes at the empty point `p`.
    #[inline(always)]
    pub fn shapes(&self, p: Point) -> Shapes {
        self.cell(p).pairs.shapes()
    }

    /// Pattern codes of the empty point `p`.
    #[inline(always)]
    pub fn codes(&self, p: Point) -> Codes {
        self.cell(p).ratings.codes()
    }

    /// Threat level of the empty point `p` for a colour.
    #[inline(always)]
    pub fn level(&self, p: Point, color: Color) -> Level {
        self.cell(p).ratings.level(color)
    }

    /// Number of empty points of this level for a colour; only levels that belong to a [`Threat`] are counted.
    #[inline(always)]
    pub fn count(&self, color: Color, level: Level) -> usize {
        debug_assert!(level >= Level::FIRST_THREAT, "{level:?} is not counted");
        self.tally().counts[color.index()][level as usize] as usize
    }

    /// Returns whether [`Self::threats`] has a point.
    #[inline(always)]
    pub fn has_threat(&self, color: Color, threat: Threat) -> bool {
        let any = self.tally().any(color, threat);
        debug_assert_eq!(any, !self.threats(color, threat).is_empty(), "{color} {threat:?}");
        any
    }

    /// Points where a stone of `color` makes this kind of threat.
    #[inline(always)]
    pub fn threats(&self, color: Color, threat: Threat) -> &PointSet {
        &self.tally().threats[color.index()][threat as usize]
    }

    /// Returns the shapes at the empty point `p` after a stone of `color` on `other`, an empty point of the same line
    /// in `direction`.
    pub fn shapes_after(&self, p: Point, other: Point, color: Color, direction: Direction) -> Shapes {
        let pair = self.shape_table.pair(self.lines.window_with(p, other, color, direction));
        self.shapes(p).with(direction as usize, pair)
    }

    /// Returns the empty points within `reach` steps of `p` in `direction` and against it, without `p` itself.
    pub fn along(&self, p: Point, direction: Direction, reach: usize) -> impl Iterator<Item = Point> {
        let reach = reach as i32;
        let points =
            (-reach..=reach).filter(|&n| n != 0).filter_map(move |n| p.offset(direction, n, self.size));
        points.filter(|&q| self.empty.contains(q))
    }

    /// The stones as line keys.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Returns the colour whose last move made a winning row, in constant time. It does not see rows among setup
    /// stones; [`super::outcome::winning_row`] finds those.
    #[inline]
    pub fn winner(&self) -> Option<Color> {
        let p = self.plies.last()?.point?;
        // An occupied point keeps the level from before its stone.
        (self.level(p, !self.side) == Level::Five).then_some(!self.side)
    }

    /// Returns the points that stop the five on `p`, a point of [`Threat::Five`] for `attacker`: `p` itself and, where
    /// the rule lets a row be closed at both ends, the second end of a row that is closed at the first.
    pub fn five_replies(&self, p: Point, attacker: Color) -> PointSet {
        let mut replies = PointSet::from_iter([p]);
        if R::CLOSABLE {
            let makes_five = |shapes: Shapes| shapes.directions(attacker).any(|(_, s)| s == Shape::Five);
            for (d, _) in self.shapes(p).directions(attacker).filter(|&(_, s)| s == Shape::Five) {
                // The row's five cells are within four steps, its ends within five.
                for q in self.along(p, d, 5) {
                    if !makes_five(self.shapes_after(p, q, !attacker, d)) {
                        replies.insert(q);
                    }
                }
            }
        }
        replies
    }
}
