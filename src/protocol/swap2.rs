//! The opening by swap2: one side puts three stones, Black's, White's, Black's; the other takes a colour, or puts two more
//! stones and leaves the colours to the first.
//!
//! Whoever may choose takes the colour that the search prefers. Two more stones are never put: they hand the choice, and
//! with it the better side, to the opponent, which is at best as good as choosing.

use super::square::Square;
use crate::engine::Engine;
use crate::game::{Point, Size};
use crate::search::{Context, Limits, Report, Score};

/// An answer to `SWAP2BOARD`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Take Black.
    Swap,
    /// Put these stones: the opening's three, or White's next.
    Stones(Vec<Point>),
}

/// Chooses in the engine's position, of no stones, three or five. `None` only if the board is full.
pub fn choose(
    engine: &mut Engine,
    limits: &Limits,
    context: &Context<'_>,
    on_report: &mut dyn FnMut(&Report),
) -> Option<Choice> {
    if engine.position().moves().is_empty() {
        return Some(Choice::Stones(opening(engine.position().size())));
    }
    // White is to move, so the score is White's.
    let (p, report) = engine.go(limits, context, on_report)?;
    let white_is_better = report.lines.first().is_none_or(|line| line.score >= Score(0));
    Some(if white_is_better { Choice::Stones(vec![p]) } else { Choice::Swap })
}

/// Three stones on a 15x15 board. Of those kept near the edges, where neither stones nor move weigh much, they are among
/// the ones that the search finds most even, under every rule.
const OPENING: [(usize, usize); 3] = [(1, 6), (2, 2), (6, 1)];

/// The opening for a board of this size.
fn opening(size: Size) -> Vec<Point> {
    let scale = |c: usize| (c * (size.side() - 1) / 14) as i64;
    OPENING.iter().filter_map(|&(x, y)| Square { x: scale(x), y: scale(y) }.point(size)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{MAX_SIZE, MIN_SIZE, PointSet};

    #[test]
    fn three_distinct_stones_on_every_board() {
        for side in MIN_SIZE..=MAX_SIZE {
            let stones = opening(Size::new(side).unwrap());
            assert_eq!(PointSet::from_iter(stones).len(), 3, "{side}");
        }
    }
}
