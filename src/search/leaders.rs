//! Order of the root moves: those that were best before come first.

use crate::game::{POINTS, Point};

/// Root moves that raised alpha in this search, whether or not they were best at the end of an iteration.
pub struct Leaders {
    /// For each point, when it last raised alpha, counted from 1; 0 if it never did.
    times: [i32; POINTS],
    count: i32,
}

impl Leaders {
    /// Bonus of every leader in the move order, larger than the differences of policy priors and histories.
    const BONUS: i32 = 1 << 14;

    /// Creates an empty list.
    pub fn new() -> Leaders {
        Leaders { times: [0; POINTS], count: 0 }
    }

    /// Notes that a move has raised alpha.
    pub fn add(&mut self, p: Point) {
        self.count += 1;
        self.times[p.index()] = self.count;
    }

    /// Returns the bonus of a root move in the move order: the last leader comes first.
    pub fn bonus(&self, p: Point) -> i32 {
        match self.times[p.index()] {
            0 => 0,
            time => Self::BONUS + time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_leader_comes_first_and_all_before_the_rest() {
        let (early, late, other) = (Point::new(7, 7), Point::new(8, 9), Point::new(6, 6));
        let mut leaders = Leaders::new();
        leaders.add(late);
        leaders.add(early);
        leaders.add(late);
        assert!(leaders.bonus(late) > leaders.bonus(early));
        assert!(leaders.bonus(early) > leaders.bonus(other) + 10_000);
        assert_eq!(leaders.bonus(other), 0);
    }
}
