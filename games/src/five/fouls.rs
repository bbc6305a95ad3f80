//! Forbidden points. [`kagetsu::game`] defines the fouls of Renju and the double three.

use kagetsu::game::{
    Board, Color, Direction, DoubleThrees, Forbid33, Freestyle, Point, PointSet, Position, Reading, Renju,
    Rule, RuleKind, Shape, ShapeTable, Shapes, Size, Standard, fouls_of,
};

use super::Five;
use super::board::Stones;
use super::rules::{Ban, Captures};
use crate::game::{Foul, Move};

/// Stones that the search looks at to clear a point of being a double three. Positions of games need a few.
const SEARCHED: u32 = 64;

/// The table of line shapes for the winning rows of a rule.
pub fn shape_table(rows: RuleKind) -> &'static ShapeTable {
    match rows {
        RuleKind::Freestyle => Freestyle::shapes(),
        RuleKind::Renju => Renju::shapes(),
        _ => Standard::shapes(),
    }
}

/// Whether a stone makes a straight four and no five.
pub fn is_straight_four(shapes: Shapes, color: Color) -> bool {
    let has = |shape| Direction::ALL.into_iter().any(|d| shapes.get(color, d) == shape);
    has(Shape::StraightFour) && !has(Shape::Five)
}

impl Five {
    /// Points forbidden to a colour, if it were to move.
    pub fn forbidden(&self, color: Color) -> PointSet {
        match self.rules.ban {
            Ban::None => PointSet::EMPTY,
            Ban::Renju if color == Color::White => PointSet::EMPTY,
            Ban::Renju => self.renju_fouls(),
            Ban::StraightFour => {
                let (table, lines) = (shape_table(self.rules.rows), self.stones.lines(color));
                let foul = |p: &Point| is_straight_four(lines.shapes(*p, table), color);
                self.stones.empty().iter().filter(foul).collect()
            }
            Ban::DoubleThree(ban) if !ban.binds(color) => PointSet::EMPTY,
            Ban::DoubleThree(ban) => self.without_captures(&self.double_threes(ban).fouls(color), color),
        }
    }

    /// Points that the search leaves out for a colour: the forbidden ones, and those that may be double
    /// threes as far as a quick look tells. In a position made for it a whole answer could take longer than
    /// the search has.
    pub fn doubtful(&self, color: Color) -> PointSet {
        match self.rules.ban {
            Ban::DoubleThree(ban) if ban.binds(color) => {
                self.without_captures(&self.double_threes(ban).doubtful(color, SEARCHED), color)
            }
            _ => self.forbidden(color),
        }
    }

    /// Whether a stone on an empty point is forbidden to a colour.
    fn is_forbidden(&self, p: Point, color: Color) -> bool {
        match self.rules.ban {
            Ban::DoubleThree(ban) => {
                self.stones.captured_by(p, color, &self.rules).is_empty()
                    && self.double_threes(ban).is_foul(p, color)
            }
            _ => self.forbidden(color).contains(p),
        }
    }

    /// The stones as a board that knows its double threes.
    fn double_threes(&self, ban: Forbid33) -> DoubleThrees {
        let mut board = DoubleThrees::new(self.rules.size, ban);
        for color in Color::BOTH {
            self.stones.of[color.index()].iter().for_each(|p| board.toggle(p, color));
        }
        board
    }

    /// The points among these on which a stone captures nothing: a capture is no double three.
    fn without_captures(&self, points: &PointSet, color: Color) -> PointSet {
        let is_quiet = |p: &Point| self.stones.captured_by(*p, color, &self.rules).is_empty();
        points.iter().filter(is_quiet).collect()
    }

    fn renju_fouls(&self) -> PointSet {
        let of =
            |stones: &Stones| fouls_of(self.rules.size, [&stones.of[0], &stones.of[1]], Reading::Literal);
        let mut fouls = of(&self.stones);
        if self.rules.captures != Captures::Flip {
            return fouls;
        }
        for p in self.stones.empty().iter() {
            let turned = self.stones.captured_by(p, Color::Black, &self.rules);
            if turned.is_empty() {
                continue;
            }
            let mut after = self.stones.clone();
            turned.iter().for_each(|q| flip(&mut after, q, Color::Black));
            let foul_of_stone = of(&after).contains(p);
            after.put(p, Color::Black);
            let mut changed = turned;
            changed.insert(p);
            let five = changed.iter().any(|q| after.wins_through(q, Color::Black, self.rules.rows));
            let long = turned.iter().any(|q| after.is_in_overline(q, Color::Black));
            let captured = self.captured[Color::Black.index()] + turned.len() as u16;
            let wins = five || self.rules.captured_to_win.is_some_and(|goal| captured >= goal);
            if !wins && (foul_of_stone || long) {
                fouls.insert(p);
            } else {
                fouls.remove(p);
            }
        }
        fouls
    }

    /// Returns the foul that a move of the side to move on an empty point makes.
    pub fn foul_of(&self, m: Move) -> Option<Foul> {
        match m {
            Move::Place(p) => self.foul_at(p),
            Move::Bomb(p) => self.foul_of_bomb(p),
            Move::Pass => None,
        }
    }

    /// Returns the foul that a bomb of the side to move on an empty point makes. The stones next to it are
    /// removed first, so only broken fours and threes can make one: two stones or three behind an empty point.
    fn foul_of_bomb(&self, p: Point) -> Option<Foul> {
        if self.rules.ban != Ban::Renju || self.side == Color::White {
            return None;
        }
        let is_black = |d: Direction, n: i32| {
            let q = p.offset(d, n, self.rules.size);
            q.is_some_and(|q| self.stones.of[Color::Black.index()].contains(q))
        };
        let sides = Direction::ALL.into_iter().flat_map(|d| [(d, 1), (d, -1)]);
        if sides.filter(|&(d, sign)| is_black(d, 2 * sign) && is_black(d, 3 * sign)).count() < 2 {
            return None;
        }
        let removed = self.stones.around(p);
        let kinds = renju_kinds(self.rules.size, &self.stones.of.map(|set| set.without(&removed)), p);
        kinds.any().then_some(Foul::Renju(kinds))
    }

    /// Returns the foul that a stone of the side to move on an empty point makes.
    pub fn foul_at(&self, p: Point) -> Option<Foul> {
        if self.rules.ban == Ban::None || !self.may_be_foul(p) || !self.is_forbidden(p, self.side) {
            return None;
        }
        Some(match self.rules.ban {
            Ban::StraightFour => Foul::StraightFour,
            Ban::DoubleThree(_) => Foul::DoubleThree,
            Ban::Renju | Ban::None => Foul::Renju(self.kinds(p)),
        })
    }

    /// A quick test that never misses a foul but may report points that are legal.
    fn may_be_foul(&self, p: Point) -> bool {
        if self.rules.captures != Captures::None {
            return true;
        }
        let shapes = self.stones.lines(self.side).shapes(p, shape_table(self.rules.rows));
        let of = |d| shapes.get(self.side, d);
        let strong = |d: &Direction| of(*d) >= Shape::Three && of(*d) != Shape::Five;
        let alone = |d| matches!(of(d), Shape::Overline | Shape::DoubleFour | Shape::StraightFour);
        Direction::ALL.into_iter().filter(strong).count() >= 2 || Direction::ALL.into_iter().any(alone)
    }

    /// Returns the kinds of a Renju foul, after the captures that the stone makes.
    fn kinds(&self, p: Point) -> kagetsu::game::FoulKinds {
        let mut stones = self.stones.clone();
        if self.rules.captures == Captures::Flip {
            let turned = self.stones.captured_by(p, Color::Black, &self.rules);
            turned.iter().for_each(|q| flip(&mut stones, q, Color::Black));
        }
        let mut kinds = renju_kinds(self.rules.size, &stones.of, p);
        // An overline through stones that changed is a foul of the move too.
        kinds.overline |= !kinds.any();
        kinds
    }
}

/// Returns the kinds of foul of Renju that Black's stone on an empty point makes among these stones.
fn renju_kinds(size: Size, of: &[PointSet; 2], p: Point) -> kagetsu::game::FoulKinds {
    let all = Color::BOTH.into_iter().flat_map(|c| of[c.index()].iter().map(move |q| (q, c)));
    let board = Position::from_stones(size, all, Color::Black)
        .and_then(|position| Board::<Renju>::from_position(&position));
    board.map(|board| board.foul_kinds(p)).unwrap_or_default()
}

/// Gives a stone of the other side to `color`.
pub fn flip(stones: &mut Stones, p: Point, color: Color) {
    stones.take(p, !color);
    stones.put(p, color);
}
