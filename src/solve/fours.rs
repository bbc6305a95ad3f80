//! A board reduced to what a search for fours needs.
//!
//! Every line holds, for both colours at once (Black in the low 32 bits of a word, White in the high 32), its stones and
//! the five windows that lack one, two or three stones of a winning row, as bits at the window's first cell. A stone
//! changes four lines, all recomputed together by bit arithmetic without a branch: a few dozen instructions, where the
//! full [`Board`] needs some hundreds. What shapes and levels say cannot be asked here; Black's fouls can.
//!
//! The windows are those of `game::shape`, and a property test holds the two together.

use std::marker::PhantomData;

use crate::game::{
    Board, Color, Direction, Five, Judge, LINES, Lines, Point, PointSet, Reading, Rule, RuleKind, Size,
    locate, zobrist,
};

/// Empty cells before the first cell of a line, so that no shift reaches the other colour's half.
const MARGIN: u32 = 5;

/// Stones and windows of one line.
#[derive(Clone, Copy, Default)]
struct Line {
    stones: u64,
    /// Windows with one cell to fill: fives.
    one: u64,
    /// Windows with two cells to fill: fours.
    two: u64,
    /// Windows with three cells to fill.
    three: u64,
}

/// Lines on which a colour has windows of a kind: one bit a line, one word a direction.
type LineSet = [u64; 4];

#[derive(Clone, Copy, Default)]
struct Summary {
    one: [LineSet; 2],
    two: [LineSet; 2],
}

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
    /// The same stones as line keys, for fouls; kept only under rules that have them.
    keys: Lines,
    judge: Judge,
    rule: PhantomData<R>,
}

/// The half of a word that belongs to a colour.
#[inline(always)]
fn half(word: u64, color: Color) -> u32 {
    (word >> (32 * color as u32)) as u32
}

/// The cells of windows given by their first cells.
#[inline(always)]
fn cells(windows: u32) -> u32 {
    let pairs = windows | windows << 1;
    pairs | pairs << 2 | windows << 4
}

/// Windows that contain the cell at this bit.
#[inline(always)]
fn containing(windows: u32, bit: u32) -> u32 {
    windows & (0b11111 << bit >> 4)
}

/// The point of a line's cell.
#[inline(always)]
fn point_at(direction: usize, line: usize, bit: u32) -> Point {
    let cell = (bit - MARGIN) as isize;
    let line = line as isize;
    let index = match direction {
        0 => line * 32 + cell,
        1 => line + cell * 32,
        2 => (cell - line + crate::game::MAX_SIZE as isize - 1) * 32 + cell,
        _ => (line - cell) * 32 + cell,
    };
    Point::from_index_unchecked(index as usize)
}

/// The halves of the colours whose row may not be longer than five.
const fn exact_halves(rule: RuleKind) -> u64 {
    const fn is_exact(five: Five) -> u64 {
        matches!(five, Five::Exactly | Five::Unclosed) as u64
    }
    (is_exact(rule.five(Color::Black)) | is_exact(rule.five(Color::White)) << 32) * 0xffff_ffff
}

/// Five windows without an opponent's stone that a row may fill.
#[inline(always)]
fn open_windows<R: Rule>(stones: u64, wall: u64) -> u64 {
    let exact = const { exact_halves(R::KIND) };
    let opponent = stones.rotate_left(32);
    let free = !(opponent | wall);
    let pairs = free & free >> 1;
    let mut open = pairs & pairs >> 2 & free >> 4;
    if exact != 0 {
        open &= !((stones << 1 | stones >> 5) & exact);
    }
    if R::CLOSABLE {
        open &= !(opponent << 1 & opponent >> 5);
    }
    open
}

/// The windows with exactly one stone.
fn lone_windows<R: Rule>(stones: u64, wall: u64) -> u64 {
    let (mut any, mut several) = (0, 0);
    for i in 0..5 {
        several |= any & stones >> i;
        any |= stones >> i;
    }
    open_windows::<R>(stones, wall) & any & !several
}

/// The windows of a line, from its stones. Bits of a half never reach the other: see [`MARGIN`].
#[inline(always)]
fn windows<R: Rule>(stones: u64, wall: u64) -> Line {
    let open = open_windows::<R>(stones, wall);
    let (a, b, c, d, e) = (stones, stones >> 1, stones >> 2, stones >> 3, stones >> 4);
    let ab = a ^ b;
    let odd = ab ^ c;
    let carry = a & b | ab & c;
    let de = d ^ e;
    let ones = odd ^ de;
    let carry2 = d & e | de & odd;
    let twos = carry ^ carry2;
    let fours = carry & carry2;
    Line { stones, one: open & fours & !ones, two: open & twos & ones, three: open & twos & !ones }
}

/// A move that makes a four, as the lines alone show it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub point: Point,
    /// One point that completes it.
    pub completion: Point,
    /// Number of points that complete it.
    pub completions: u32,
    /// How much else it does, for ordering.
    pub score: i32,
}

impl<R: Rule> Fours<R> {
    /// An empty board.
    pub fn empty(size: Size) -> Fours<R> {
        let mut fours = Fours {
            size,
            lines: [[Line::default(); LINES]; 4],
            walls: [[u64::MAX; LINES]; 4],
            summary: Summary::default(),
            saved: Vec::new(),
            hash: 0,
            keys: Lines::new(size),
            judge: Judge::new(Reading::Literal),
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

    /// Takes over the stones of another board; allocates only if its size is a new one.
    pub fn load(&mut self, board: &Board<R>) {
        if self.size != board.size() {
            self.set_size(board.size());
        }
        self.saved.clear();
        self.summary = Summary::default();
        self.lines = [[Line::default(); LINES]; 4];
        self.judge = Judge::new(board.reading());
        if R::FOULS {
            self.keys.clone_from(board.lines());
        }
        // Size and reading are part of what a position is.
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

    /// Takes back the last stone.
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

    /// Number of stones that [`Self::undo`] can take back.
    pub fn ply(&self) -> usize {
        self.saved.len()
    }

    /// Key of the stones, the board's size and the reading of the foul rule.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether a stone of `color` could make a five now.
    #[inline(always)]
    pub fn has_five(&self, color: Color) -> bool {
        let [a, b, c, d] = self.summary.one[color.index()];
        a | b | c | d != 0
    }

    /// Points where a stone of `color` makes a five.
    pub fn five_points(&self, color: Color) -> PointSet {
        self.collect(&self.summary.one[color.index()], |d, line| half(self.lines[d][line].one, color))
    }

    #[inline(always)]
    fn empty_cells(&self, d: usize, line: usize) -> u32 {
        let word = self.lines[d][line].stones | self.walls[d][line];
        !(word as u32 | (word >> 32) as u32)
    }

    /// What a stone of `color` on the empty point `p` makes, if it is a four; and the direction of the first one.
    #[inline(always)]
    pub fn four_at(&self, p: Point, color: Color) -> Option<(Candidate, usize)> {
        let mut first = None;
        let mut completions = 0;
        let mut score = 0;
        for d in 0..4 {
            let (line, cell) = locate(p, d);
            let bit = cell as u32 + MARGIN;
            let here = &self.lines[d][line];
            let fours = containing(half(here.two, color), bit);
            if fours != 0 {
                let found = cells(fours) & self.empty_cells(d, line) & !(1 << bit);
                completions += found.count_ones();
                first = first.or(Some((point_at(d, line, found.trailing_zeros()), d)));
            }
            score += containing(half(here.three, color), bit).count_ones() as i32;
        }
        let (completion, d) = first?;
        Some((Candidate { point: p, completion, completions, score }, d))
    }

    /// Every move of `color` that makes a four, once each.
    #[inline(always)]
    pub fn for_each_four(&self, color: Color, mut f: impl FnMut(Candidate)) {
        for d in 0..4 {
            for line in Bits(self.summary.two[color.index()][d]) {
                let line = line as usize;
                let mut found = cells(half(self.lines[d][line].two, color)) & self.empty_cells(d, line);
                while found != 0 {
                    let p = point_at(d, line, found.trailing_zeros());
                    found &= found - 1;
                    if let Some((candidate, first)) = self.four_at(p, color)
                        && first == d
                    {
                        f(candidate);
                    }
                }
            }
        }
    }

    /// Empty points of the windows of a line that `pick` chooses, all lines together.
    #[inline(always)]
    fn collect(&self, lines: &LineSet, pick: impl Fn(usize, usize) -> u32) -> PointSet {
        let mut points = PointSet::EMPTY;
        for (d, &set) in lines.iter().enumerate() {
            for line in Bits(set) {
                let line = line as usize;
                let mut found = cells(pick(d, line)) & self.empty_cells(d, line);
                while found != 0 {
                    points.insert(point_at(d, line, found.trailing_zeros()));
                    found &= found - 1;
                }
            }
        }
        points
    }

    /// Points where a stone of `color` makes a four.
    pub fn four_points(&self, color: Color) -> PointSet {
        self.collect(&self.summary.two[color.index()], |d, line| half(self.lines[d][line].two, color))
    }

    /// Empty points that share an open window with at least `stones` stones of `color`, one or two.
    pub fn growth_points(&self, color: Color, stones: usize) -> PointSet {
        let all = [(1 << LINES) - 1; 4];
        self.collect(&all, |d, line| {
            let here = &self.lines[d][line];
            let many = half(here.three | here.two, color);
            if stones > 1 {
                many
            } else {
                many | half(lone_windows::<R>(here.stones, self.walls[d][line]), color)
            }
        })
    }

    /// Number of open windows with two stones of `color` that contain `p`.
    pub fn growth_at(&self, p: Point, color: Color) -> u32 {
        (0..4)
            .map(|d| {
                let (line, cell) = locate(p, d);
                containing(half(self.lines[d][line].three, color), cell as u32 + MARGIN).count_ones()
            })
            .sum()
    }

    /// Whether there is no stone on `p`.
    pub fn is_empty_point(&self, p: Point) -> bool {
        let (line, cell) = locate(p, 0);
        self.empty_cells(0, line) >> (cell as u32 + MARGIN) & 1 != 0
    }

    /// Whether a stone of `color` on `p` would make a four, or leave one open.
    #[inline(always)]
    pub fn makes_four(&self, p: Point, color: Color) -> bool {
        (0..4).any(|d| {
            let (line, cell) = locate(p, d);
            containing(half(self.lines[d][line].two, color), cell as u32 + MARGIN) != 0
        })
    }

    /// Whether the empty point `p` is a foul for `color` or looks like one, so that stones elsewhere may decide it.
    pub fn is_suspect(&self, p: Point, color: Color) -> bool {
        R::fouls(color) && self.judge.level(self.keys.shapes(p, self.judge.shapes)).is_suspect()
    }

    /// Board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether the empty point `p` is a foul for `color`.
    #[inline(always)]
    pub fn is_foul(&mut self, p: Point, color: Color) -> bool {
        if !R::fouls(color) {
            return false;
        }
        let shapes = self.keys.shapes(p, self.judge.shapes);
        self.judge.is_foul(&mut self.keys, p, shapes)
    }

    /// Legal points where the opponent of `color`, which threatens fives, stops all of them.
    pub fn answers(&mut self, color: Color) -> PointSet {
        let fives = self.five_points(color);
        let Some(five) = fives.first() else { return PointSet::EMPTY };
        let mut points = PointSet::from_iter([five]);
        if R::CLOSABLE {
            points = points | self.closing_points(five, color);
        }
        let stops = |p: &Point| {
            self.play(*p, !color);
            let stopped = !self.has_five(color);
            self.undo();
            stopped && !self.is_foul(*p, !color)
        };
        points.iter().filter(stops).collect()
    }

    /// Points besides `p` itself that answer the threat to make a five on `p`, under rules where a row closed at both
    /// ends does not win: the free end of a row whose other end the opponent holds. May hold points that do not help.
    pub fn closing_points(&self, p: Point, color: Color) -> PointSet {
        let mut points = PointSet::EMPTY;
        for d in Direction::ALL {
            let (line, cell) = locate(p, d as usize);
            let here = &self.lines[d as usize][line];
            let theirs = half(here.stones, !color);
            let empty = self.empty_cells(d as usize, line);
            let mut found = containing(half(here.one, color), cell as u32 + MARGIN);
            while found != 0 {
                let start = found.trailing_zeros();
                found &= found - 1;
                for (closed, free) in [(start - 1, start + 5), (start + 5, start - 1)] {
                    if theirs >> closed & 1 != 0 && empty >> free & 1 != 0 {
                        points.insert(point_at(d as usize, line, free));
                    }
                }
            }
        }
        points
    }
}

/// The set bits of a word.
struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        (self.0 != 0).then(|| {
            let bit = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            bit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Shape, Threat};
    use crate::with_rule;
    use proptest::prelude::*;

    /// The sets agree with the shapes of the full board, and undo restores them.
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
