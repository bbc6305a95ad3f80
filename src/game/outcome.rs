//! When a game is over, and how.

use super::board::Board;
use super::color::Color;
use super::point::{Direction, Point, PointSet, Size};
use super::rule::{Five, Rule};

/// A run of stones that wins for `color`, looked for on the whole board.
pub fn winning_row(stones: [&PointSet; 2], size: Size, color: Color, five: Five) -> Option<Vec<Point>> {
    let own = stones[color.index()];
    let theirs = stones[(!color).index()];
    let has = |set: &PointSet, p: Option<Point>| p.is_some_and(|p| set.contains(p));
    for p in own.iter() {
        for d in Direction::ALL {
            if has(own, p.offset(d, -1, size)) {
                continue;
            }
            let run: Vec<Point> =
                (0..).map_while(|n| p.offset(d, n, size).filter(|&q| own.contains(q))).collect();
            let length = run.len();
            let closed = has(theirs, p.offset(d, -1, size)) && has(theirs, p.offset(d, length as i32, size));
            let wins = match five {
                Five::AtLeast => length >= 5,
                Five::Exactly => length == 5,
                Five::Unclosed => length == 5 && !closed,
                Five::UnclosedOrLong => length >= 6 || length == 5 && !closed,
            };
            if wins {
                return Some(run);
            }
        }
    }
    None
}

impl<R: Rule> Board<R> {
    /// The colour with a winning row anywhere on the board, setup stones included, with the row's points.
    pub fn find_row(&self) -> Option<(Color, Vec<Point>)> {
        let stones = [self.stones_of(Color::Black), self.stones_of(Color::White)];
        Color::BOTH
            .into_iter()
            .find_map(|c| winning_row(stones, self.size(), c, R::KIND.five(c)).map(|row| (c, row)))
    }
}
