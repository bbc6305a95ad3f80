//! Windows of positions, one after the other: while the training learns from one, the next is read and expanded.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, Scope};

use anyhow::Result;
use kagetsu::random::{Random, SeedableRng, SliceRandom};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::index::Entry;
use super::order::{Order, Part, Shuffle};
use super::packed::{Data, Sample};
use super::sets::Sets;

/// Positions of some games in memory, in the order in which they are learned.
pub struct Window {
    part: Part,
    games: Vec<Data>,
    /// Game and sample of each position.
    order: Vec<(u32, u32)>,
    /// Whether it is the last of its epoch.
    pub is_last: bool,
}

impl Window {
    /// Expands the games of a part of an epoch, and shuffles their positions.
    fn new(sets: &Sets, order: &Order, part: &Part, is_last: bool) -> Result<Window> {
        let games: Vec<Entry> =
            order.games[part.games.clone()].iter().map(|&i| sets.training.games[i as usize]).collect();
        let games = sets.index.expand(&games, |_, data| data)?;
        let samples = |(i, data): (usize, &Data)| (0..data.samples.len()).map(move |k| (i as u32, k as u32));
        let mut order: Vec<(u32, u32)> = Vec::with_capacity(part.positions);
        order.extend(games.iter().enumerate().flat_map(samples));
        order.shuffle(&mut Random::seed_from_u64(part.seed));
        Ok(Window { part: part.clone(), games, order, is_last })
    }

    /// The batches of the window, from this one of the epoch on.
    pub fn batches(&self, from: usize) -> std::ops::Range<usize> {
        from.max(self.part.batches.start)..self.part.batches.end
    }

    /// Returns a batch.
    pub fn batch(&self, number: usize) -> Vec<(&Data, &Sample)> {
        let sample = |&(game, sample): &(u32, u32)| {
            let data = &self.games[game as usize];
            (data, &data.samples[sample as usize])
        };
        self.order[self.part.batch(number)].iter().map(sample).collect()
    }

    /// Positions of the epoch before a batch.
    pub fn before(&self, number: usize) -> u64 {
        self.part.first + self.part.batch(number).start as u64
    }
}

/// Returns the windows of the epochs `from.0` to `epochs`, without those windows before batch `from.1` that are done. A
/// thread of `scope` prepares each window while the one before is in use; it ends when the receiver is dropped.
///
/// # Errors
/// If the system refuses threads. An error of reading comes instead of a window.
pub fn windows<'scope>(
    scope: &'scope Scope<'scope, '_>,
    sets: &'scope Sets,
    shuffle: Shuffle,
    from: (u64, usize),
    epochs: u64,
) -> Result<Receiver<Result<Window>>> {
    // The pool has as many threads as the training, which leaves them idle at the end of each step.
    let pool = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build()?;
    // Capacity 0: the thread keeps a finished window until it is taken, so at most two windows are in memory.
    let (sender, receiver) = sync_channel(0);
    Builder::new().spawn_scoped(scope, move || prepare(sets, &shuffle, from, epochs, &pool, &sender))?;
    Ok(receiver)
}

fn prepare(
    sets: &Sets,
    shuffle: &Shuffle,
    (from, batch): (u64, usize),
    epochs: u64,
    pool: &ThreadPool,
    sender: &SyncSender<Result<Window>>,
) {
    for epoch in from..epochs {
        let order = Order::new(&sets.training.games, shuffle, epoch);
        let done = if epoch == from { batch } else { 0 };
        for (i, part) in order.parts.iter().enumerate() {
            let is_last = i + 1 == order.parts.len();
            // The last window ends the epoch even if all of its batches are done.
            if part.batches.end <= done && !is_last {
                continue;
            }
            let window = pool.install(|| Window::new(sets, &order, part, is_last));
            let failed = window.is_err();
            if sender.send(window).is_err() || failed {
                return;
            }
        }
    }
}
