//! The board: stones, and everything about them that is kept up to date as stones come and go.
//!
//! For every empty point the board knows the line shapes of both colours ([`Shapes`]), their pattern codes ([`Codes`]) and
//! the threat level of each colour ([`Level`]), and for each kind of threat the set of its points, so that "can I win", "must I answer" and
//! "where can a four be made" are single reads. A stone changes only the points within [`Rule::REACH`] on its four
//! lines. Old values go to a log from which [`Board::undo`] restores them; occupied points keep the values they had
//! when they were taken, which are right again when the stone is taken back, because stones leave in reverse order.
//!
//! Fouls that need recursion are in [`super::foul`]; ends of the game in [`super::outcome`].

use std::marker::PhantomData;

use super::Error;
use super::codes::{CodeTable, Codes};
use super::color::Color;
use super::level::{self, Level, LevelTable};
use super::lines::{Lines, cell_of_bit, empty_neighbours};
use super::point::{Direction, POINTS, Point, PointSet, Size};
use super::position::{Move, Position};
use super::rule::{Reading, Rule};
use super::shape::{Shape, ShapeTable, Shapes};
use super::threat::{THREATENING, Tally, Threat};
use super::zobrist;

/// Listener to changes of a board, for state that follows it (the accumulators of the evaluation).
pub trait BoardObserver {
    /// A stone of `color` was put on `p`, whose codes were `codes`.
    fn placed(&mut self, p: Point, color: Color, codes: Codes);
    /// The codes of the empty point `p` changed because of the stone placed last.
    fn changed(&mut self, p: Point, old: Codes, new: Codes);
}

/// Observer that ignores everything.
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

/// Values of one point before a nearby stone changed them.
#[derive(Clone, Copy)]
struct Change {
    point: Point,
    levels: [Level; 2],
    codes: Codes,
    shapes: Shapes,
}

/// A ply that can be undone. The tally is copied as a whole, which costs less than restoring it point by point.
#[derive(Clone, Copy)]
struct Ply {
    point: Option<Point>,
    log_len: u32,
    tally: Tally,
}

/// A board under the rule `R`.
#[derive(Clone)]
pub struct Board<R: Rule> {
    size: Size,
    side: Color,
    reading: Reading,
    hash: u64,
    lines: Lines,
    stones: [PointSet; 2],
    empty: PointSet,
    tally: Tally,
    shapes: [Shapes; POINTS],
    codes: [Codes; POINTS],
    levels: [[Level; 2]; POINTS],
    /// Number of setup stones, which cannot be undone.
    setup: usize,
    plies: Vec<Ply>,
    log: Vec<Change>,
    shape_table: &'static ShapeTable,
    code_table: &'static CodeTable,
    level_tables: [&'static LevelTable; 2],
    rule: PhantomData<R>,
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
            tally: Tally::EMPTY,
            shapes: [Shapes(0); POINTS],
            codes: [Codes::default(); POINTS],
            levels: [[Level::None; 2]; POINTS],
            setup: 0,
            plies: Vec::with_capacity(2 * size.area()),
            log: Vec::with_capacity(size.area() * 40),
            shape_table: R::shapes(),
            code_table: CodeTable::get(),
            level_tables: Color::BOTH.map(|c| level::table(R::fouls(c))),
            rule: PhantomData,
        };
        board.refresh();
        board
    }

    /// Builds the board of a position: its setup stones, then its moves.
    ///
    /// # Errors
    /// If a point is off the board or occupied. Fouls and finished games are allowed, because such positions can be
    /// explained too.
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

    /// Checks that a stone can be put on `p`: it is on the board and empty.
    pub fn check_free(&self, p: Point) -> Result<(), Error> {
        if !self.size.contains(p.x(), p.y()) {
            Err(Error::OffBoard(p, self.size))
        } else if !self.empty.contains(p) {
            Err(Error::Occupied(p))
        } else {
            Ok(())
        }
    }

    /// Computes all shapes, levels and sets from the lines.
    fn refresh(&mut self) {
        self.tally = Tally::EMPTY;
        for p in self.size.points() {
            if !self.empty.contains(p) {
                continue;
            }
            let shapes = self.lines.shapes(p, self.shape_table);
            let codes = self.code_table.both(shapes);
            self.shapes[p.index()] = shapes;
            self.codes[p.index()] = codes;
            for color in Color::BOTH {
                let level = self.level_tables[color.index()].of_code(codes.of(color));
                self.levels[p.index()][color.index()] = level;
                self.tally.enter(p, color, level);
            }
        }
    }

    /// Puts a stone of the side to move on the empty point `p` and passes the turn. The caller ensures that the move is
    /// legal.
    #[inline]
    pub fn play(&mut self, p: Point) {
        self.play_observed(p, &mut Unobserved);
    }

    /// Plays like [`Self::play`] and reports the changes to `observer`.
    #[inline]
    pub fn play_observed<O: BoardObserver>(&mut self, p: Point, observer: &mut O) {
        debug_assert!(self.empty.contains(p), "{p} is not empty");
        let color = self.side;
        self.plies.push(Ply { point: Some(p), log_len: self.log.len() as u32, tally: self.tally });
        let [black, white] = self.levels[p.index()];
        self.tally.leave(p, Color::Black, black);
        self.tally.leave(p, Color::White, white);
        self.empty.remove(p);
        self.stones[color.index()].insert(p);
        self.hash ^= zobrist::stone(p, color) ^ zobrist::WHITE_TO_MOVE;
        self.side = !color;
        observer.placed(p, color, self.codes[p.index()]);
        let mut changed = [(p, Shapes(0)); MAX_CHANGES];
        let mut count = 0;
        for direction in 0..4 {
            self.find_changes(p, color, direction, &mut changed, &mut count);
        }
        for &(q, new) in &changed[..count] {
            let (shapes, codes, levels) =
                (self.shapes[q.index()], self.codes[q.index()], self.levels[q.index()]);
            self.log.push(Change { point: q, levels, codes, shapes });
            let new_codes = self.code_table.both(new);
            self.shapes[q.index()] = new;
            self.codes[q.index()] = new_codes;
            for c in Color::BOTH {
                let (old, level) = (levels[c.index()], self.level_tables[c.index()].of_code(new_codes.of(c)));
                self.levels[q.index()][c.index()] = level;
                if old != level {
                    self.tally.change(q, c, old, level);
                }
            }
            observer.changed(q, codes, new_codes);
        }
    }

    /// Puts the stone into one line and appends the points of the line whose shapes change, with their new shapes. The
    /// append has no branch, because whether a point changes is hard to predict.
    #[inline(always)]
    fn find_changes(
        &mut self,
        p: Point,
        color: Color,
        direction: usize,
        changed: &mut [(Point, Shapes); MAX_CHANGES],
        count: &mut usize,
    ) {
        let step = Direction::ALL[direction].step();
        let (key, cell) = self.lines.toggle_one(p, color, direction);
        let mut near = empty_neighbours(key, cell, R::REACH);
        while near != 0 {
            let other = cell_of_bit(near.trailing_zeros());
            near &= near - 1;
            let index = p.index() as isize + (other as isize - cell as isize) * step;
            let q = Point::from_index_unchecked(index as usize);
            let old = self.shapes[q.index()];
            let new = old.with(direction, self.shape_table.pair(key >> (2 * other)));
            changed[*count] = (q, new);
            *count += usize::from(new != old);
        }
    }

    /// Passes the turn.
    pub fn pass(&mut self) {
        self.plies.push(Ply { point: None, log_len: self.log.len() as u32, tally: self.tally });
        self.hash ^= zobrist::WHITE_TO_MOVE;
        self.side = !self.side;
    }

    /// Undoes the last ply and returns its point, `None` for a pass.
    ///
    /// # Panics
    /// If there is no ply to undo.
    #[inline]
    pub fn undo(&mut self) -> Option<Point> {
        // Read in place: a ply is large, because of its tally.
        let ply = self.plies.last().expect("a ply to take back");
        let (point, log_len) = (ply.point, ply.log_len as usize);
        if point.is_some() {
            self.tally = ply.tally;
        }
        self.plies.truncate(self.plies.len() - 1);
        self.side = !self.side;
        self.hash ^= zobrist::WHITE_TO_MOVE;
        let p = point?;
        let color = self.side;
        // No point is twice in a ply's log, so the order does not matter.
        for change in &self.log[log_len..] {
            self.shapes[change.point.index()] = change.shapes;
            self.codes[change.point.index()] = change.codes;
            self.levels[change.point.index()] = change.levels;
        }
        self.log.truncate(log_len);
        self.lines.toggle(p, color);
        self.hash ^= zobrist::stone(p, color);
        self.stones[color.index()].remove(p);
        self.empty.insert(p);
        Some(p)
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
        self.shapes[p.index()]
    }

    /// Pattern codes of the empty point `p`.
    #[inline(always)]
    pub fn codes(&self, p: Point) -> Codes {
        self.codes[p.index()]
    }

    /// Threat level of the empty point `p` for a colour.
    #[inline(always)]
    pub fn level(&self, p: Point, color: Color) -> Level {
        self.levels[p.index()][color.index()]
    }

    /// Number of empty points of this level for a colour; only levels that belong to a [`Threat`] are counted.
    #[inline(always)]
    pub fn count(&self, color: Color, level: Level) -> usize {
        debug_assert!(THREATENING >> level as u32 & 1 != 0, "{level:?} is not counted");
        self.tally.counts[color.index()][level as usize] as usize
    }

    /// Points where a stone of `color` makes this kind of threat.
    #[inline(always)]
    pub fn threats(&self, color: Color, threat: Threat) -> &PointSet {
        &self.tally.threats[color.index()][threat as usize]
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
        (self.levels[p.index()][(!self.side).index()] == Level::Five).then_some(!self.side)
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
