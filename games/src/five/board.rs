//! Stones that come, go and change their colour, and rows through them.

use kagetsu::game::{Color, Direction, Five, Lines, Point, PointSet, RuleKind, Size, outcome, zobrist};

use super::rules::{Captures, Rules};

/// The stones of a game.
#[derive(Clone)]
pub struct Stones {
    size: Size,
    /// Stones of Black and White. The wild centre stone is stored among Black's.
    pub of: [PointSet; 2],
    /// The point whose stone counts for the side to move (Bipartisan Renju).
    wild: Option<Point>,
    /// Lines as Black sees them, and a second copy for White where the centre stone counts for both colours.
    lines: Lines,
    white_lines: Option<Box<Lines>>,
    /// Zobrist key of the stones.
    pub hash: u64,
}

impl Stones {
    /// An empty board.
    pub fn new(size: Size, has_wild_center: bool) -> Stones {
        Stones {
            size,
            of: [PointSet::EMPTY; 2],
            wild: has_wild_center.then(|| size.center()),
            lines: Lines::new(size),
            white_lines: has_wild_center.then(|| Box::new(Lines::new(size))),
            hash: zobrist::board(size),
        }
    }

    /// Puts a stone on an empty point.
    pub fn put(&mut self, p: Point, color: Color) {
        self.toggle(p, color);
    }

    /// Takes away the stone of this colour.
    pub fn take(&mut self, p: Point, color: Color) {
        self.toggle(p, color);
    }

    fn toggle(&mut self, p: Point, color: Color) {
        let is_wild = self.is_wild(p);
        let color = if is_wild { Color::Black } else { color };
        let set = &mut self.of[color.index()];
        if set.contains(p) {
            set.remove(p);
        } else {
            set.insert(p);
        }
        self.hash ^= zobrist::stone(p, color);
        self.lines.toggle(p, color);
        if let Some(lines) = &mut self.white_lines {
            lines.toggle(p, if is_wild { Color::White } else { color });
        }
    }

    /// All stones.
    pub fn occupied(&self) -> PointSet {
        self.of[0] | self.of[1]
    }

    /// The empty points.
    pub fn empty(&self) -> PointSet {
        PointSet::full(self.size).without(&self.of[0]).without(&self.of[1])
    }

    /// The colour of the stone on a point.
    pub fn color(&self, p: Point) -> Option<Color> {
        Color::BOTH.into_iter().find(|c| self.of[c.index()].contains(p))
    }

    /// The lines from a colour's view: on its turn the wild centre stone counts as its own.
    pub fn lines(&self, color: Color) -> &Lines {
        match (&self.white_lines, color) {
            (Some(lines), Color::White) => lines,
            _ => &self.lines,
        }
    }

    /// Whether the stone on a point counts for both colours.
    pub fn is_wild(&self, p: Point) -> bool {
        self.wild == Some(p)
    }

    /// Whether a point holds a stone that counts for a colour on that colour's turn.
    fn counts(&self, p: Point, color: Color) -> bool {
        self.of[color.index()].contains(p) || self.is_wild(p) && self.of[0].contains(p)
    }

    /// Length of the run through the stone on `p` that counts for `color`.
    fn run(&self, p: Point, color: Color, d: Direction) -> usize {
        let side = |sign: i32| {
            (1..)
                .map_while(|n| p.offset(d, sign * n, self.size))
                .take_while(|&q| self.counts(q, color))
                .count()
        };
        1 + side(1) + side(-1)
    }

    /// Whether a run through the stone on `p` wins for `color`.
    pub fn wins_through(&self, p: Point, color: Color, rows: RuleKind) -> bool {
        Direction::ALL.into_iter().any(|d| match rows.five(color) {
            Five::Exactly => self.run(p, color, d) == 5,
            _ => self.run(p, color, d) >= 5,
        })
    }

    /// Whether a run of six or more goes through the stone on `p`.
    pub fn is_in_overline(&self, p: Point, color: Color) -> bool {
        Direction::ALL.into_iter().any(|d| self.run(p, color, d) >= 6)
    }

    /// Whether `color` has a winning row anywhere.
    pub fn has_row(&self, color: Color, rows: RuleKind) -> bool {
        let [black, mut white] = self.of;
        if let Some(p) = self.wild.filter(|&p| color == Color::White && black.contains(p)) {
            white.insert(p);
        }
        outcome::winning_row([&black, &white], self.size, color, rows.five(color)).is_some()
    }

    /// The opponent's stones that a stone of `color` on `p` captures.
    pub fn captured_by(&self, p: Point, color: Color, rules: &Rules) -> PointSet {
        let longest = match rules.captures {
            Captures::None => return PointSet::EMPTY,
            Captures::Pairs | Captures::Flip => 2,
            Captures::PairsAndTriples => 3,
        };
        let (own, other) = (&self.of[color.index()], &self.of[(!color).index()]);
        let mut captured = PointSet::EMPTY;
        for d in Direction::ALL {
            for sign in [1, -1] {
                let at = |n: i32| p.offset(d, sign * n, self.size);
                let run = (1..=longest + 1).take_while(|&n| at(n).is_some_and(|q| other.contains(q))).count()
                    as i32;
                let closed = at(run + 1).is_some_and(|q| own.contains(q));
                if (2..=longest).contains(&run) && closed {
                    (1..=run).filter_map(at).for_each(|q| captured.insert(q));
                }
            }
        }
        captured
    }

    /// The stones next to a point.
    pub fn around(&self, p: Point) -> PointSet {
        let mut near = PointSet::from_iter([p]).dilate() & self.occupied();
        near.remove(p);
        near
    }
}
