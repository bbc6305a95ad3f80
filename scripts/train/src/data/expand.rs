//! A game to its samples: the game is replayed, and its quiet positions are listed as cells.
//!
//! A sample is a position in which nothing is forced. For symmetric rules positions are seen from the side to move, so
//! that both colours teach the same weights.

use kagetsu::eval::Turn;
use kagetsu::eval::policy::relation;
use kagetsu::eval::region::regions;
use kagetsu::game::symmetry::Canonical;
use kagetsu::game::{Board, Color, Level, POINTS, Point, Rule, RuleKind, Size, Threat};
use kagetsu::search::{Candidates, Score};
use kagetsu::with_rule;
use kagetsu_tools::selfplay::game::{Choice, Game};

use super::packed::{Cell, Data};

/// Returns whether both colours play by the same rules.
pub fn is_symmetric(rule: RuleKind) -> bool {
    rule.five(Color::Black) == rule.five(Color::White)
}

/// Returns the samples of a legal game ([`Game::check`]), in the order of play.
pub fn expand(game: &Game) -> Data {
    let mut data = with_rule!(game.rule, R => samples::<R>(game, None)).data;
    data.shrink();
    data
}

/// Returns the same samples, with the [`position_key`] of each.
pub fn expand_with_keys(game: &Game) -> (Data, Vec<u32>) {
    let expander = with_rule!(game.rule, R => samples::<R>(game, Some(Vec::new())));
    (expander.data, expander.position_keys.unwrap_or_default())
}

fn samples<R: Rule>(game: &Game, position_keys: Option<Vec<u32>>) -> Expander {
    let mut board = Board::<R>::new(game.size);
    let mut near = Candidates::new(game.size);
    let mut expander = Expander::new(game.size, position_keys);
    for ply in &game.plies {
        let side = board.side();
        let score = as_learned(ply.score);
        if ply.choice != Choice::Opening && is_open(&board) {
            let result = match game.winner {
                None => 0.5,
                Some(winner) => f32::from(u8::from(winner == side)),
            };
            let target = (ply.choice == Choice::Best).then_some(ply.point);
            expander.add(&board, &near, target, (score, Some(result)));
        }
        for sample in &ply.samples {
            let mut near = near.clone();
            for &p in &sample.moves {
                board.play(p);
                near.add(p);
            }
            if is_open(&board) {
                expander.add(&board, &near, sample.best, (as_learned(sample.score), None));
            }
            for _ in &sample.moves {
                board.undo();
            }
        }
        board.play(ply.point);
        near.add(ply.point);
    }
    expander
}

/// Returns a recorded score as the training target: infinite if it is proven.
fn as_learned(score: i16) -> f32 {
    match Score(score.into()).mate() {
        Some(plies) => f32::INFINITY.copysign(plies as f32),
        None => score.into(),
    }
}

/// Returns whether the engine would evaluate the position: nobody can make a five, and the side to move has
/// no unstoppable four.
pub(super) fn is_open<R: Rule>(board: &Board<R>) -> bool {
    let side = board.side();
    Color::BOTH.iter().all(|&c| board.threats(c, Threat::Five).is_empty())
        && board.count(side, Level::WinningFour) == 0
}

/// Lists positions of one board size.
struct Expander {
    regions: [u8; POINTS],
    /// The points of a position, reused.
    keys: Vec<u64>,
    data: Data,
    /// The key of each position, if they are wanted.
    position_keys: Option<Vec<u32>>,
}

impl Expander {
    fn new(size: Size, position_keys: Option<Vec<u32>>) -> Expander {
        Expander { regions: regions(size), keys: Vec::new(), data: Data::default(), position_keys }
    }

    /// Adds a position, its move to learn, the search's score and the game's result. A lost position has no move to
    /// learn, because no move is best.
    fn add<R: Rule>(
        &mut self,
        board: &Board<R>,
        near: &Candidates,
        target: Option<Point>,
        (score, result): (f32, Option<f32>),
    ) {
        let side = board.side();
        let target = target.filter(|_| score > f32::NEG_INFINITY);
        let points = near.points() | *board.threats(side, Threat::Four) | *board.threats(side, Threat::Three);
        let swap = is_symmetric(R::KIND) && side == Color::White;
        let last = if target.is_some() { Turn::of(board).last } else { [None; 2] };
        let key = |p: Point| {
            let code = |c| board.codes(p).of(c);
            let [first, second] = if swap { [Color::White, Color::Black] } else { Color::BOTH };
            key_of([code(first), code(second)], last.map(|q| relation(p, q)), self.regions[p.index()])
        };
        self.keys.clear();
        self.keys.extend(board.empty().iter().map(|p| key(p) << 1 | u64::from(points.contains(p))));
        self.keys.sort_unstable();
        let groups = || self.keys.chunk_by(|a, b| a >> 1 == b >> 1);
        let best = target.filter(|&p| points.contains(p)).and_then(|p| {
            let here = key(p);
            groups().position(|group| group[0] >> 1 == here).map(|i| i as u16)
        });
        let head = u8::from(!is_symmetric(R::KIND) && side == Color::White);
        self.data.add(groups().map(cell_of), head, (score, result), best);
        if let Some(keys) = &mut self.position_keys {
            keys.push(position_key(board));
        }
    }
}

/// Returns a number that a position has in common with its images under the symmetries of the board, and by chance with one in
/// 2^32 of other positions.
fn position_key<R: Rule>(board: &Board<R>) -> u32 {
    let stones = Color::BOTH.into_iter().flat_map(|c| board.stones_of(c).iter().map(move |p| (p, c)));
    let canonical = Canonical::of(stones, board.side(), board.size());
    // The canonical key is the same for stones on the same points of a larger board.
    canonical.key as u32 ^ board.size().side() as u32
}

/// Returns a number in the order of cells. Sorting numbers is several times faster than sorting cells.
fn key_of([first, second]: [u16; 2], [last, before]: [u8; 2], region: u8) -> u64 {
    let key = u64::from(first) << 16 | u64::from(second);
    ((key << 8 | u64::from(last)) << 8 | u64::from(before)) << 8 | u64::from(region)
}

/// Returns the cell of points with the same [`key_of`]; below it the last bit of each says whether it is a candidate.
fn cell_of(points: &[u64]) -> Cell {
    let key = points[0] >> 1;
    let byte = |shift: u32| (key >> shift) as u8;
    Cell {
        codes: [(key >> 40) as u16, (key >> 24) as u16],
        relations: [byte(16), byte(8)],
        region: byte(0),
        count: points.len() as u8,
        candidates: points.iter().filter(|&p| p & 1 == 1).count() as u8,
    }
}

/// A board as the only sample of a set, with a move to learn.
#[cfg(test)]
pub fn sample_of<R: Rule>(board: &Board<R>, target: Option<Point>) -> Data {
    let mut near = Candidates::new(board.size());
    Color::BOTH.iter().flat_map(|&c| board.stones_of(c).iter()).for_each(|p| near.add(p));
    let mut expander = Expander::new(board.size(), None);
    expander.add(board, &near, target, (0.0, None));
    expander.data
}
