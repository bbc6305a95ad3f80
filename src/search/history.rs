//! History heuristic and countermoves: statistics of moves that failed high earlier in the search.

use crate::game::{Color, POINTS, Point};

/// Largest absolute history score.
const BOUND: i32 = 8192;

/// History of quiet moves by colour and point, and the countermove of each opponent's move.
pub struct History {
    quiet: Box<[[i16; POINTS]; 2]>,
    counter: Box<[[Option<Point>; POINTS]; 2]>,
}

impl History {
    /// Returns empty statistics.
    pub fn new() -> History {
        History { quiet: Box::new([[0; POINTS]; 2]), counter: Box::new([[None; POINTS]; 2]) }
    }

    /// Halves the history scores, before the search of another position.
    pub fn fade(&mut self) {
        for h in self.quiet.iter_mut().flatten() {
            *h /= 2;
        }
    }

    /// Returns the history score of a move, -8192 to 8192.
    #[inline]
    pub fn score(&self, color: Color, p: Point) -> i32 {
        i32::from(self.quiet[color.index()][p.index()])
    }

    /// Adds a bonus, or a malus if it is negative. The effect shrinks near the bound ("gravity"), so that the score is a
    /// moving average.
    pub fn update(&mut self, color: Color, p: Point, bonus: i32) {
        let h = &mut self.quiet[color.index()][p.index()];
        let old = i32::from(*h);
        *h = (old + bonus - old * bonus.abs() / BOUND) as i16;
    }

    /// Returns the countermove: the move of `color` that last failed high after the opponent's `previous`.
    #[inline]
    pub fn counter(&self, color: Color, previous: Point) -> Option<Point> {
        self.counter[color.index()][previous.index()]
    }

    /// Sets the countermove.
    pub fn set_counter(&mut self, color: Color, previous: Point, p: Point) {
        self.counter[color.index()][previous.index()] = Some(p);
    }
}
