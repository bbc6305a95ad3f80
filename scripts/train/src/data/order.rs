//! The order of an epoch: its games, shuffled and cut into windows, and the positions of a window in batches.
//!
//! A window is half of the shuffle buffer: the training draws from one half while the other is filled. All positions of
//! a window are shuffled together. Windows depend on nothing but the seed and the number of the epoch, so that an interrupted
//! training prepares only the window again in which it was interrupted.

use std::ops::Range;

use kagetsu::random::{Random, RngExt, SeedableRng, SliceRandom};

use super::index::Entry;

/// The order in which positions are mixed.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle {
    /// Positions that are in memory at a time.
    pub buffer: usize,
    /// Positions of a step, at most.
    pub batch: usize,
    pub seed: u64,
}

/// An epoch's games in windows.
pub struct Order {
    /// The numbers of the games.
    pub games: Vec<u32>,
    pub parts: Vec<Part>,
}

/// The games of a window.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Range in [`Order::games`].
    pub games: Range<usize>,
    /// Positions of the epoch in the windows before it, and its own.
    pub first: u64,
    pub positions: usize,
    /// Its batches, counted through the epoch.
    pub batches: Range<usize>,
    /// Seed of the order of its positions.
    pub seed: u64,
}

impl Order {
    /// Returns the order of an epoch. Windows are of the same size but for a game; only the last may be smaller.
    pub fn new(games: &[Entry], shuffle: &Shuffle, epoch: u64) -> Order {
        let mut random = Random::seed_from_u64(shuffle.seed << 32 ^ epoch);
        let mut order: Vec<u32> = (0..games.len() as u32).collect();
        order.shuffle(&mut random);
        let positions = |i: usize| games[order[i] as usize].positions as usize;
        let total: usize = (0..order.len()).map(positions).sum();
        let size = total.div_ceil(total.div_ceil((shuffle.buffer / 2).max(1)).max(1));
        let (mut parts, mut open) = (Vec::new(), 0..0);
        let (mut first, mut batch, mut held) = (0, 0, 0);
        for i in 0..order.len() {
            open.end = i + 1;
            held += positions(i);
            if held >= size || open.end == order.len() {
                let batches = batch..batch + held.div_ceil(shuffle.batch);
                let games = open.clone();
                parts.push(Part { games, first, positions: held, batches, seed: random.random() });
                (open.start, first, batch) =
                    (i + 1, first + held as u64, batch + held.div_ceil(shuffle.batch));
                held = 0;
            }
        }
        Order { games: order, parts }
    }
}

impl Part {
    /// Returns a batch's positions among those of the window. The sizes of its batches differ by at most one.
    pub fn batch(&self, number: usize) -> Range<usize> {
        let start = |i: usize| self.positions * i / self.batches.len();
        let i = number - self.batches.start;
        start(i)..start(i + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of 0 to 96 positions.
    fn games(count: u32) -> Vec<Entry> {
        (0..count).map(|i| Entry { block: 0, at: 0, positions: i * 31 % 97 }).collect()
    }

    const SHUFFLE: Shuffle = Shuffle { buffer: 4000, batch: 64, seed: 7 };

    #[test]
    fn windows_have_every_game_once_and_half_the_buffer() {
        let games = games(1000);
        let total: u64 = games.iter().map(|game| u64::from(game.positions)).sum();
        let Order { games: numbers, parts } = Order::new(&games, &SHUFFLE, 0);
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..1000));
        assert_eq!(parts.len() as u64, total.div_ceil(2000));
        let (mut game, mut first, mut batch) = (0, 0, 0);
        for (i, part) in parts.iter().enumerate() {
            assert_eq!((part.games.start, part.first, part.batches.start), (game, first, batch));
            let inside = part.games.clone().map(|i| games[numbers[i] as usize].positions as usize);
            assert_eq!(part.positions, inside.sum::<usize>());
            assert!(part.positions < 2000 + 97 && (part.positions > 1900 || i + 1 == parts.len()));
            // Batches follow each other, and are of the same size but for one.
            let mut next = 0;
            for number in part.batches.clone() {
                let range = part.batch(number);
                assert_eq!(range.start, next);
                assert!(range.len() <= 64 && range.len() >= 60, "{range:?}");
                next = range.end;
            }
            assert_eq!(next, part.positions);
            (game, first, batch) = (part.games.end, first + part.positions as u64, part.batches.end);
        }
        assert_eq!((game, first), (1000, total));
    }

    #[test]
    fn the_order_depends_on_the_seed_and_the_epoch() {
        let games = games(300);
        let order = |shuffle: &Shuffle, epoch| Order::new(&games, shuffle, epoch);
        let plain = order(&SHUFFLE, 3);
        let again = order(&SHUFFLE, 3);
        assert!(again.games == plain.games && again.parts == plain.parts);
        assert!(plain.parts.windows(2).all(|two| two[0].seed != two[1].seed));
        for other in [order(&SHUFFLE, 4), order(&Shuffle { seed: 8, ..SHUFFLE }, 3)] {
            assert!(other.games != plain.games && other.parts[0].seed != plain.parts[0].seed);
        }
    }

    #[test]
    fn a_buffer_smaller_than_a_game_has_a_window_for_each() {
        let games = [5, 9, 7].map(|positions| Entry { block: 0, at: 0, positions });
        for buffer in [0, 1, 2] {
            let order = Order::new(&games, &Shuffle { buffer, ..SHUFFLE }, 0);
            assert_eq!(order.parts.len(), 3);
        }
    }
}
