//! History heuristic, continuation history and countermoves: statistics of how moves did earlier in the search.

use super::params as P;
use crate::game::{Color, DIFFERENCES, Origin, POINTS, Point, difference};

/// Largest absolute history score.
const BOUND: i32 = 8192;

/// Continuation history knows moves up to this many rows and columns from the earlier move.
const REACH: isize = 5;
/// Offsets within that distance.
const OFFSETS: usize = (2 * REACH as usize + 1) * (2 * REACH as usize + 1);
/// Column of all moves further away. Their score stays 0, so that reading a score needs no branch.
const FAR: u8 = OFFSETS as u8;

/// Scores of the moves after an earlier one: those within reach by their [offset](offset), and the one of all others.
type Row = [i16; OFFSETS + 1];

/// The row used if there is no earlier move.
static NO_ROW: Row = [0; OFFSETS + 1];

/// The earlier move that continuation history pairs a move with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Earlier {
    /// The opponent's last move: the move is a reply to it.
    Opponent,
    /// The own last move: the move follows it up.
    Own,
}

impl Earlier {
    /// Both earlier moves, the opponent's first.
    pub const ALL: [Earlier; 2] = [Earlier::Opponent, Earlier::Own];

    /// Plies back from the position.
    pub fn plies_back(self) -> usize {
        self as usize
    }
}

/// Class of a move. Each has a history of its own: a point that is good for a threat need not be good for a quiet move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A move that makes no three and no four.
    Quiet,
    /// A move that makes a three, a four or more.
    Threat,
}

/// History of moves by class, colour and point; their continuation history by colour, earlier move and the offset from it;
/// and the countermove of each opponent's move.
///
/// CITE: Stockfish, `history.h` and `search.cpp`, for the continuation history. Offsets instead of points keep the table
/// small: moves far from the earlier one rarely have to do with it.
pub struct History {
    moves: Box<[[[i16; POINTS]; 2]; 2]>,
    /// One row for each earlier move, see [`row`].
    continuations: Vec<Row>,
    counter: Box<[[Option<Point>; POINTS]; 2]>,
}

impl History {
    /// Returns empty statistics.
    pub fn new() -> History {
        History {
            moves: Box::new([[[0; POINTS]; 2]; 2]),
            continuations: vec![NO_ROW; 4 * POINTS],
            counter: Box::new([[None; POINTS]; 2]),
        }
    }

    /// Moves the history scores towards 0, before the search of another position.
    pub fn fade(&mut self) {
        let fade = |h: &mut i16| *h -= (i32::from(*h) * (64 - P::history_kept()) / 64) as i16;
        self.moves.iter_mut().flatten().flatten().for_each(fade);
        self.continuations.iter_mut().flatten().for_each(fade);
    }

    /// Returns the history of a colour's moves of a class.
    #[inline]
    pub fn of(&self, class: Class, color: Color) -> Moves<'_> {
        Moves(&self.moves[class as usize][color.index()])
    }

    /// Returns the history score of a move, -8192 to 8192.
    #[inline]
    pub fn score(&self, class: Class, color: Color, p: Point) -> i32 {
        self.of(class, color).score(p)
    }

    /// Returns the continuation histories of moves of `color` after its earlier moves, in the order of [`Earlier::ALL`].
    #[inline]
    pub fn continuations(&self, color: Color, earlier: [Option<Point>; 2]) -> [Continuation<'_>; 2] {
        Earlier::ALL.map(|which| match earlier[which as usize] {
            Some(q) => {
                Continuation { row: &self.continuations[row(which, color, q)], origin: Origin::new(q) }
            }
            None => Continuation { row: &NO_ROW, origin: NO_ORIGIN },
        })
    }

    /// Adds a bonus, or a malus if it is negative, to the history of a move.
    pub fn update(&mut self, class: Class, color: Color, p: Point, bonus: i32) {
        add::<BOUND>(&mut self.moves[class as usize][color.index()][p.index()], bonus);
    }

    /// Adds a bonus, or a malus if it is negative, to the continuation history of a move.
    pub fn update_continuation(
        &mut self,
        earlier: Earlier,
        color: Color,
        from: Option<Point>,
        p: Point,
        bonus: i32,
    ) {
        if let Some(q) = from
            && let at = offset(Origin::new(q), p)
            && at != FAR
        {
            add::<BOUND>(&mut self.continuations[row(earlier, color, q)][usize::from(at)], bonus);
        }
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

/// The history of one colour's moves of a class.
#[derive(Clone, Copy)]
pub struct Moves<'a>(&'a [i16; POINTS]);

impl Moves<'_> {
    /// Returns the score of a move, -8192 to 8192.
    #[inline(always)]
    pub fn score(self, p: Point) -> i32 {
        i32::from(self.0[p.index()])
    }
}

/// The continuation history of moves after one earlier move.
pub struct Continuation<'a> {
    row: &'a Row,
    origin: Origin,
}

/// Origin used with [`NO_ROW`]. Any point would do, because all scores of that row are 0.
const NO_ORIGIN: Origin = Origin::new(Point::new(0, 0));

impl Continuation<'_> {
    /// Returns the score of a move, -8192 to 8192; 0 if it lies far from the earlier one or there is none.
    #[inline(always)]
    pub fn score(&self, p: Point) -> i32 {
        i32::from(self.row[usize::from(offset(self.origin, p))])
    }
}

/// Adds a bonus to a score of at most `BOUND` either way. The effect shrinks near the bound ("gravity"), so that the score is
/// a moving average.
pub fn add<const BOUND: i32>(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-BOUND, BOUND);
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / BOUND) as i16;
}

/// Row of the continuation history for moves of `color` after the earlier move `from`.
#[inline]
fn row(earlier: Earlier, color: Color, from: Point) -> usize {
    (earlier as usize * 2 + color.index()) * POINTS + from.index()
}

/// Returns the column of a row; [`FAR`] for points too far away.
#[inline(always)]
fn offset(from: Origin, p: Point) -> u8 {
    COLUMNS[from.to(p)]
}

/// Columns by the difference of two points.
static COLUMNS: [u8; DIFFERENCES] = columns();

const fn columns() -> [u8; DIFFERENCES] {
    let mut table = [FAR; DIFFERENCES];
    let mut column = 0;
    let mut dy = -REACH;
    while dy <= REACH {
        let mut dx = -REACH;
        while dx <= REACH {
            table[difference(dx, dy)] = column;
            column += 1;
            dx += 1;
        }
        dy += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn scores_stay_within_the_bound() {
        let mut score = 0;
        (0..1000).for_each(|_| add::<BOUND>(&mut score, 1600));
        assert!((8000..=BOUND).contains(&i32::from(score)), "{score}");
        (0..1000).for_each(|_| add::<BOUND>(&mut score, -1600));
        assert!((-BOUND..=-8000).contains(&i32::from(score)), "{score}");
        add::<BOUND>(&mut score, 18_000);
        assert!(i32::from(score) <= BOUND, "{score}");
    }

    #[test]
    fn near_points_have_places_of_their_own() {
        let from = Point::new(7, 9);
        let all = (0..22).flat_map(|y| (0..22).map(move |x| Point::new(x, y)));
        let (near, far): (Vec<Point>, Vec<Point>) =
            all.partition(|&p| p.x().abs_diff(7) <= 5 && p.y().abs_diff(9) <= 5);
        let places: Vec<u8> = near.iter().map(|&p| offset(Origin::new(from), p)).collect();
        assert_eq!(places.len(), OFFSETS);
        assert_eq!(places.iter().copied().collect::<BTreeSet<_>>(), (0..FAR).collect());
        assert!(far.iter().all(|&p| offset(Origin::new(from), p) == FAR));
    }

    #[test]
    fn continuations_are_told_apart() {
        let mut history = History::new();
        let (q, p, far) = (Point::new(7, 7), Point::new(8, 9), Point::new(14, 7));
        history.update_continuation(Earlier::Own, Color::White, Some(q), p, 500);
        history.update_continuation(Earlier::Own, Color::White, Some(q), far, 500);
        history.update_continuation(Earlier::Own, Color::White, None, p, 500);
        let score = |history: &History, earlier: Earlier, color, from: Option<Point>, p| {
            history.continuations(color, [from; 2])[earlier as usize].score(p)
        };
        assert_eq!(score(&history, Earlier::Own, Color::White, Some(q), p), 500);
        assert_eq!(score(&history, Earlier::Own, Color::White, Some(p), q), 0);
        assert_eq!(score(&history, Earlier::Own, Color::White, Some(q), far), 0);
        assert_eq!(score(&history, Earlier::Own, Color::White, None, p), 0);
        assert_eq!(score(&history, Earlier::Opponent, Color::White, Some(q), p), 0);
        assert_eq!(score(&history, Earlier::Own, Color::Black, Some(q), p), 0);
        history.fade();
        assert_eq!(score(&history, Earlier::Own, Color::White, Some(q), p), 438);
    }

    #[test]
    fn classes_of_moves_are_told_apart() {
        let mut history = History::new();
        let p = Point::new(7, 7);
        history.update(Class::Threat, Color::Black, p, 600);
        assert_eq!(history.score(Class::Threat, Color::Black, p), 600);
        assert_eq!(history.score(Class::Quiet, Color::Black, p), 0);
        assert_eq!(history.score(Class::Threat, Color::White, p), 0);
    }
}
