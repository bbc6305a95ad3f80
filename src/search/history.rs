//! What earlier parts of the search learned about moves.

use crate::game::{Color, POINTS, Point};

const BOUND: i32 = 8192;

/// Success of quiet moves by colour and point, and the best answer seen to each move.
pub struct History {
    quiet: Box<[[i16; POINTS]; 2]>,
    counter: Box<[[Option<Point>; POINTS]; 2]>,
}

impl History {
    /// Nothing learned.
    pub fn new() -> History {
        History { quiet: Box::new([[0; POINTS]; 2]), counter: Box::new([[None; POINTS]; 2]) }
    }

    /// Halves what was learned, before the search of another position.
    pub fn fade(&mut self) {
        for h in self.quiet.iter_mut().flatten() {
            *h /= 2;
        }
    }

    /// Success of a move, -8192 to 8192.
    #[inline]
    pub fn score(&self, color: Color, p: Point) -> i32 {
        i32::from(self.quiet[color.index()][p.index()])
    }

    /// Rewards or, with a negative bonus, punishes a move; the closer to the bound, the less it moves.
    pub fn update(&mut self, color: Color, p: Point, bonus: i32) {
        let h = &mut self.quiet[color.index()][p.index()];
        let old = i32::from(*h);
        *h = (old + bonus - old * bonus.abs() / BOUND) as i16;
    }

    /// The move of `color` that last refuted the opponent's `previous`.
    #[inline]
    pub fn counter(&self, color: Color, previous: Point) -> Option<Point> {
        self.counter[color.index()][previous.index()]
    }

    /// Remembers a refutation.
    pub fn set_counter(&mut self, color: Color, previous: Point, p: Point) {
        self.counter[color.index()][previous.index()] = Some(p);
    }
}
