//! Games to training samples.
//!
//! A sample is a position in which nothing is forced, as a list of cells: empty points with the same pattern codes in
//! the same region of the board are one entry with a count. For symmetric rules positions are seen from the side to
//! move, so that both colours teach the same weights.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;
use std::path::Path;

use anyhow::{Context, Result, bail};
use kagetsu::eval::Turn;
use kagetsu::eval::policy::relation;
use kagetsu::eval::region::region;
use kagetsu::game::{Board, Color, Level, Point, Rule, RuleKind, Threat};
use kagetsu::search::{Candidates, Score};
use kagetsu::with_rule;
use kagetsu_tools::selfplay::game::{Choice, Game};
use kagetsu_tools::selfplay::store::{Head, Reader};

/// Empty points with the same codes in the same region and, if a move is to be learned, with the same relations to the
/// last moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// Codes of the first and second colour: Black and White or, for symmetric rules, the mover and the opponent.
    pub codes: [u16; 2],
    /// Relations of the points to the last move and to the one before it: [`relation`].
    pub relations: [u8; 2],
    /// Region of the board, 0 to 8.
    pub region: u8,
    /// How many points.
    pub count: u8,
    /// How many of them the search would try.
    pub candidates: u8,
}

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Where its cells begin.
    start: usize,
    /// How many they are.
    len: u16,
    /// Number of the head that judges the position: 0 unless the rule treats the colours differently and White is to
    /// move.
    pub head: u8,
    /// Points the mover made of the game: 0, 0.5 or 1; unknown if the game left the position's line.
    pub result: Option<f32>,
    /// Score of the search, in its units, from the mover's view; infinite for a proven result.
    pub score: f32,
    /// The cell of the best move, if the move is to be learned.
    pub best: Option<u16>,
}

/// Samples and their cells.
#[derive(Default)]
pub struct Data {
    pub cells: Vec<Cell>,
    pub samples: Vec<Sample>,
    /// Games they are from.
    pub games: u64,
}

impl Data {
    /// The cells of a sample.
    pub fn cells(&self, sample: &Sample) -> &[Cell] {
        &self.cells[sample.start..][..usize::from(sample.len)]
    }

    /// A checksum of everything to learn from, in order: CRC-32.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for s in &self.samples {
            for number in [s.score, s.result.unwrap_or(-1.0)] {
                hasher.update(&number.to_le_bytes());
            }
            hasher.update(&s.best.map_or(u32::MAX, u32::from).to_le_bytes());
            hasher.update(&s.len.to_le_bytes());
            hasher.update(&[s.head]);
        }
        for c in &self.cells {
            let ([a, b], [d, e]) = (c.codes[0].to_le_bytes(), c.codes[1].to_le_bytes());
            let [f, g] = c.relations;
            hasher.update(&[a, b, d, e, f, g, c.region, c.count, c.candidates]);
        }
        hasher.finalize()
    }
}

/// Whether both colours play by the same rules.
pub fn is_symmetric(rule: RuleKind) -> bool {
    rule.five(Color::Black) == rule.five(Color::White)
}

/// The samples to learn from, and those held back for validation.
#[derive(Default)]
pub struct Sets {
    pub training: Data,
    pub validation: Data,
    /// [`fingerprint`]s of the games read. A game that came twice would count twice.
    seen: HashSet<u64>,
}

impl Sets {
    /// Reads a file; one game in `hold` is held back.
    pub fn read(&mut self, path: &Path, hold: NonZeroU64) -> Result<()> {
        let reader = Reader::open(path)?;
        let head = reader.head().clone();
        let mut games: Vec<Game> = reader.collect::<Result<_, _>>()?;
        // Files have them in the order in which they happened to end.
        games.sort_by_key(|game| game.number);
        for game in games {
            let name = || format!("{}: game {}", path.display(), game.number);
            if (game.rule.name(), game.size.side()) != (&head.rule, head.size) {
                bail!("{}: {} on {}; expected {} on {}", name(), game.rule, game.size, head.rule, head.size);
            }
            game.check().map_err(anyhow::Error::msg).with_context(name)?;
            if !self.seen.insert(fingerprint(&head, &game)) {
                bail!("{} was read before; expected every game in one of the files, once", name());
            }
            let data = if is_held(game.number, hold) { &mut self.validation } else { &mut self.training };
            data.games += 1;
            with_rule!(game.rule, R => add::<R>(&game, data));
        }
        Ok(())
    }
}

/// Returns a number that identifies a game of a set, in whatever file and with whatever exploration samples it is.
fn fingerprint(head: &Head, game: &Game) -> u64 {
    let mut game = game.clone();
    game.plies.iter_mut().for_each(|ply| ply.samples.clear());
    let mut bytes = Vec::new();
    game.encode(&mut bytes);
    let mut hasher = DefaultHasher::new();
    (&head.evaluation, head.nodes, head.seed, bytes).hash(&mut hasher);
    hasher.finish()
}

/// Whether a game is held back. This depends on its number alone, so that it never changes. The choice is spread evenly
/// over numbers in a row and over those of one shard (Fibonacci hashing: D. Knuth, The Art of Computer Programming 3,
/// 6.4).
fn is_held(number: u64, hold: NonZeroU64) -> bool {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15) <= u64::MAX / hold
}

/// Returns a recorded score as the training target: infinite if it is proven.
fn as_learned(score: i16) -> f32 {
    match Score(score.into()).mate() {
        Some(plies) => f32::INFINITY.copysign(plies as f32),
        None => score.into(),
    }
}

fn add<R: Rule>(game: &Game, data: &mut Data) {
    let mut board = Board::<R>::new(game.size);
    let mut near = Candidates::new(game.size);
    for ply in &game.plies {
        let side = board.side();
        let score = as_learned(ply.score);
        if ply.choice != Choice::Opening && is_open(&board) {
            let result = match game.winner {
                None => 0.5,
                Some(winner) => f32::from(u8::from(winner == side)),
            };
            let target = (ply.choice == Choice::Best).then_some(ply.point);
            data.push(&board, &near, target, (score, Some(result)));
        }
        for sample in &ply.samples {
            let mut near = near.clone();
            for &p in &sample.moves {
                board.play(p);
                near.add(p);
            }
            if is_open(&board) {
                data.push(&board, &near, sample.best, (as_learned(sample.score), None));
            }
            for _ in &sample.moves {
                board.undo();
            }
        }
        board.play(ply.point);
        near.add(ply.point);
    }
}

impl Data {
    /// Adds a position, its move to learn, the search's score and the game's result. A lost position has no move to
    /// learn, because no move is best.
    fn push<R: Rule>(
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
        let key = |p| {
            let code = |c| board.codes(p).of(c);
            let [first, second] = if swap { [Color::White, Color::Black] } else { Color::BOTH };
            ([code(first), code(second)], last.map(|q| relation(p, q)), region(p, board.size()) as u8)
        };
        let cell = |p| {
            let (codes, relations, region) = key(p);
            Cell { codes, relations, region, count: 1, candidates: u8::from(points.contains(p)) }
        };
        let mut cells: Vec<Cell> = board.empty().iter().map(cell).collect();
        cells.sort_unstable();
        cells.dedup_by(|b, a| {
            let same = a.codes == b.codes && a.region == b.region && a.relations == b.relations;
            if same {
                a.count += b.count;
                a.candidates += b.candidates;
            }
            same
        });
        let best = target.filter(|&p| points.contains(p)).and_then(|p| {
            let here = key(p);
            cells.iter().position(|c| (c.codes, c.relations, c.region) == here).map(|i| i as u16)
        });
        let head = u8::from(!is_symmetric(R::KIND) && side == Color::White);
        self.add(cells, head, (score, result), best);
    }

    /// Adds a sample: its cells, its head, its score and result, and the cell of its best move.
    pub fn add(
        &mut self,
        cells: Vec<Cell>,
        head: u8,
        (score, result): (f32, Option<f32>),
        best: Option<u16>,
    ) {
        let (start, len) = (self.cells.len(), cells.len() as u16);
        self.samples.push(Sample { start, len, head, result, score, best });
        self.cells.extend(cells);
    }
}

/// Whether the engine evaluates such positions: nobody can make a five, and the side to move has no unstoppable four.
fn is_open<R: Rule>(board: &Board<R>) -> bool {
    let side = board.side();
    Color::BOTH.iter().all(|&c| board.threats(c, Threat::Five).is_empty())
        && board.count(side, Level::WinningFour) == 0
}

/// A board as the only sample of a set, with a move to learn.
#[cfg(test)]
pub fn sample_of<R: Rule>(board: &Board<R>, target: Option<Point>) -> Data {
    let mut near = Candidates::new(board.size());
    Color::BOTH.iter().flat_map(|&c| board.stones_of(c).iter()).for_each(|p| near.add(p));
    let mut data = Data::default();
    data.push(board, &near, target, (0.0, None));
    data
}

#[cfg(test)]
mod tests;
