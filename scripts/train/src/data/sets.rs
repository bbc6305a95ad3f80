//! The first reading of the files: checks every game, assigns it to a set, gathers the facts that the
//! training needs, and keeps the two sets apart.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail};
use kagetsu_tools::selfplay::blocks::Blocks;
use kagetsu_tools::selfplay::game::Game;
use kagetsu_tools::selfplay::store::{Block, BlockPlace, Head, Reader};
use rayon::prelude::*;

use super::expand::expand_with_keys;
use super::index::{Entry, Index};
use super::packed::{Data, Sample};
use crate::scale::Scores;

/// Unpacked bytes from which on the blocks that were read are checked, together on all threads.
const TOGETHER: usize = 4 << 20;

/// Games to learn from, or held back.
#[derive(Default)]
pub struct Set {
    /// File by file, and in the order of their numbers.
    pub games: Vec<Entry>,
    pub summary: Summary,
    /// The positions of each game that are used; all of them if this is empty.
    kept: Vec<Vec<u32>>,
}

/// The size of a set.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Summary {
    pub games: u64,
    pub positions: u64,
    pub cells: u64,
    /// Checksum of everything to learn from, in order.
    pub checksum: u32,
}

/// The games to learn from, and those held back for validation.
#[derive(Default)]
pub struct Sets {
    pub index: Index,
    pub training: Set,
    pub validation: Set,
    /// Scores and results of the games to learn from.
    scores: Scores,
    /// Scores and results of the games held back.
    held_scores: Scores,
    /// Positions of games held back that [`Sets::separate`] has left out.
    pub repeated: u64,
    /// Keys of the positions to learn from, until [`Sets::separate`].
    learned: Vec<u32>,
    /// Key and number of cells of each position of each game held back, until [`Sets::separate`].
    held: Vec<Vec<(u32, u16)>>,
    /// [`fingerprint`]s of the games read. A game that came twice would count twice.
    seen: HashSet<u64>,
}

/// A checked game: its index entry, and its part of the summaries.
struct Found {
    number: u64,
    fingerprint: u64,
    entry: Entry,
    cells: u64,
    checksum: u32,
    /// Key and number of cells of each position.
    positions: Vec<(u32, u16)>,
    /// Score and result of its positions that have both.
    scores: Vec<(f32, f32)>,
}

impl Sets {
    /// Reads a file; one game in `hold` is held back. Calls `done` with the numbers of bytes that were read.
    pub fn read(&mut self, path: &Path, hold: NonZeroU64, done: &mut dyn FnMut(u64)) -> Result<()> {
        let mut reader = Reader::open(path)?;
        let head = reader.head().clone();
        let first = self.index.next_block();
        let (mut places, mut games): (Vec<BlockPlace>, Vec<Found>) = Default::default();
        loop {
            let number = first + places.len() as u32;
            let blocks = next_blocks(&mut reader)?;
            if blocks.is_empty() {
                break;
            }
            games.extend(check(path, &head, number, &blocks)?);
            places.extend(blocks.iter().map(|block| block.place));
            done(blocks.iter().map(|block| block.place.size()).sum());
        }
        // A file has its games in the order in which they ended.
        games.sort_by_key(|game| game.number);
        for game in games {
            if !self.seen.insert(game.fingerprint) {
                let name = format!("{}: game {}", path.display(), game.number);
                bail!(
                    "{name} was read before; expected every game once; other labels or samples do not make it another game"
                );
            }
            let is_held = is_held(game.number, hold);
            let scores = if is_held { &mut self.held_scores } else { &mut self.scores };
            game.scores.iter().for_each(|&(score, result)| scores.add(score, result));
            if is_held {
                self.validation.add(&game);
                self.held.push(game.positions);
            } else {
                self.training.add(&game);
                self.learned.extend(game.positions.iter().map(|&(key, _)| key));
            }
        }
        self.index.add(Blocks::of(reader), places);
        Ok(())
    }

    /// Leaves out those positions of games held back that also occur, turned or not, in games to learn from: games of the same
    /// opening of few stones have their first moves in common. Comes after the last file.
    pub fn separate(&mut self) {
        let mut learned = std::mem::take(&mut self.learned);
        learned.sort_unstable();
        let Set { summary, kept, .. } = &mut self.validation;
        let all = summary.positions;
        (summary.positions, summary.cells) = (0, 0);
        for positions in std::mem::take(&mut self.held) {
            let mut indices = Vec::new();
            for (i, (key, cells)) in (0..).zip(positions) {
                if learned.binary_search(&key).is_err() {
                    indices.push(i);
                    summary.positions += 1;
                    summary.cells += u64::from(cells);
                }
            }
            kept.push(indices);
        }
        self.repeated = all - summary.positions;
    }

    /// Returns the units of the search's score to a logit that fit the games to learn from; those held back
    /// if there are no others, as when a net is judged on all games.
    pub fn scale(&self) -> f32 {
        let scores = if self.training.summary.positions > 0 { &self.scores } else { &self.held_scores };
        scores.fit()
    }

    /// Returns samples of the training games at even distances, no more than `most`: all that are in one game together.
    pub fn evenly(&self, most: u64) -> Result<Vec<Data>> {
        let games = &self.training.games;
        let every = self.training.summary.positions.div_ceil(most).max(1);
        let firsts: Vec<u64> = games
            .iter()
            .scan(0, |next, game| {
                let first = *next;
                *next += u64::from(game.positions);
                Some(first)
            })
            .collect();
        self.index.expand(games, |i, data| {
            let skipped = (every - firsts[i] % every) % every;
            data.keep((skipped as usize..data.samples.len()).step_by(every as usize))
        })
    }
}

impl Set {
    /// Expands some of the games, those with these numbers in [`Set::games`]. Returns what `f` makes of each, in their order.
    pub fn expand<T: Send>(
        &self,
        index: &Index,
        games: Range<usize>,
        f: impl Fn(Data) -> T + Sync,
    ) -> Result<Vec<T>> {
        let first = games.start;
        index.expand(&self.games[games], |i, data| match self.kept.get(first + i) {
            Some(kept) => f(data.keep(kept.iter().map(|&i| i as usize))),
            None => f(data),
        })
    }

    fn add(&mut self, game: &Found) {
        self.games.push(game.entry);
        let Summary { games, positions, cells, checksum } = &mut self.summary;
        *games += 1;
        *positions += u64::from(game.entry.positions);
        *cells += game.cells;
        let mut hasher = crc32fast::Hasher::new_with_initial(*checksum);
        hasher.update(&game.checksum.to_le_bytes());
        *checksum = hasher.finalize();
    }
}

/// Reads the next blocks of a file; none at its end.
fn next_blocks(reader: &mut Reader) -> Result<Vec<Block>> {
    let (mut blocks, mut size) = (Vec::new(), 0);
    while size < TOGETHER {
        let Some(block) = reader.next_block()? else { break };
        size += block.unpacked_size();
        blocks.push(block);
    }
    Ok(blocks)
}

/// Checks and expands the games of blocks, the first of which has this number.
fn check(path: &Path, head: &Head, first: u32, blocks: &[Block]) -> Result<Vec<Found>> {
    let games =
        (first..).zip(blocks).flat_map(|(number, b)| b.starts().iter().map(move |&at| (number, b, at)));
    let games: Vec<(u32, &Block, u32)> = games.collect();
    let found: Vec<Result<Found>> = games
        .into_par_iter()
        .map(|(number, block, at)| {
            let game = &block.game(at);
            let name = || format!("{}: game {}", path.display(), game.number);
            if (game.rule.name(), game.size.side()) != (&head.rule, head.size) {
                bail!("{}: {} on {}; expected {} on {}", name(), game.rule, game.size, head.rule, head.size);
            }
            game.check().with_context(name)?;
            let (data, keys) = expand_with_keys(game);
            Ok(Found {
                number: game.number,
                fingerprint: fingerprint(head, game),
                entry: Entry { block: number, at, positions: data.samples.len() as u32 },
                cells: data.count_cells(),
                checksum: data.checksum(),
                positions: keys.into_iter().zip(data.samples.iter().map(Sample::cell_count)).collect(),
                scores: data.samples.iter().filter_map(|s| Some((s.score, s.result?))).collect(),
            })
        })
        .collect();
    // The first error in the file, whichever thread is the first to meet one.
    found.into_iter().collect()
}

/// Returns a number that identifies a game by its recipe, number, board and moves. It is the same in every file: exploring a
/// game adds samples, and relabelling it changes scores and choices, which are not part of it.
fn fingerprint(head: &Head, game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&head.evaluation, head.nodes, head.seed).hash(&mut hasher);
    (game.number, game.rule, game.size).hash(&mut hasher);
    game.plies.iter().for_each(|ply| ply.point.hash(&mut hasher));
    hasher.finish()
}

/// Returns whether a game is held back. This depends on its number alone, so that it never changes. The
/// choice is spread evenly over numbers in a row and over those of one shard (Fibonacci hashing: D. Knuth,
/// The Art of Computer Programming 3, 6.4).
pub(super) fn is_held(number: u64, hold: NonZeroU64) -> bool {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15) <= u64::MAX / hold
}
