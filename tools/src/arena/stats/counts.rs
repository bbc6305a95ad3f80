//! Counts of results, by game and by opening pair.

use serde::{Deserialize, Serialize};

/// Results of games from one engine's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Counts {
    /// Counts one game by its half points: 0, 1 or 2.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, a draw being a half.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games from the opponent's view.
    pub fn reversed(&self) -> Counts {
        Counts { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The games as a sample of single results.
    pub fn sample(&self) -> Sample {
        Sample::new(vec![self.losses, self.draws, self.wins], 1)
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games on one opening with colours swapped, by the pair's half points 0 to 4: the pentanomial counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts one pair by the half points of its two games: each 0, 1 or 2.
    ///
    /// # Panics
    /// If they are more than 4 together.
    pub fn add(&mut self, first: u8, second: u8) {
        self.0[usize::from(first + second)] += 1;
    }

    /// Number of pairs.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Number of pairs in which one side scored more than half: those won and those lost.
    pub fn decisive(&self) -> (u64, u64) {
        let [lost, nearly_lost, _, nearly_won, won] = self.0;
        (won + nearly_won, lost + nearly_lost)
    }

    /// The same pairs from the opponent's view.
    pub fn reversed(&self) -> Pairs {
        let [lost, nearly_lost, even, nearly_won, won] = self.0;
        Pairs([won, nearly_won, even, nearly_lost, lost])
    }

    /// The pairs as a sample.
    pub fn sample(&self) -> Sample {
        Sample::new(self.0.to_vec(), 2)
    }
}

impl std::ops::AddAssign for Pairs {
    fn add_assign(&mut self, other: Pairs) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other);
    }
}

/// Fewest games or pairs that an error bar can be computed from: with fewer, chance decides how much they differ.
pub const FEWEST: u64 = 10;

/// Number of observations of each of `n` evenly spaced scores from 0 to 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    counts: Vec<u64>,
    games_each: u32,
}

impl Sample {
    /// `counts[i]` items of score `i / (counts.len() - 1)`, each item made of `games_each` games.
    fn new(counts: Vec<u64>, games_each: u32) -> Sample {
        Sample { counts, games_each }
    }

    /// Pairs as a sample, or games while no pair is complete.
    pub fn of(games: Counts, pairs: Pairs) -> Sample {
        if pairs.total() > 0 { pairs.sample() } else { games.sample() }
    }

    /// Returns whether error bars that are computed from the sample can be trusted: at least [`FEWEST`] games or pairs, which
    /// did not all end alike.
    pub fn is_reliable(&self) -> bool {
        self.total() >= FEWEST && self.variance() > 0.0
    }

    /// Number of items.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Games in one item: 1, or 2 for pairs.
    pub fn games_each(&self) -> u32 {
        self.games_each
    }

    /// The possible scores.
    pub fn scores(&self) -> Vec<f64> {
        let top = (self.counts.len() - 1) as f64;
        (0..self.counts.len()).map(|i| i as f64 / top).collect()
    }

    /// The counts, lowest score first.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Mean score, 0 to 1; 0.5 without items.
    pub fn mean(&self) -> f64 {
        let total = self.total();
        if total == 0 {
            return 0.5;
        }
        self.scores().iter().zip(&self.counts).map(|(s, &n)| s * n as f64).sum::<f64>() / total as f64
    }

    /// Variance of one item's score.
    pub fn variance(&self) -> f64 {
        let (mean, total) = (self.mean(), self.total().max(1) as f64);
        self.scores().iter().zip(&self.counts).map(|(s, &n)| (s - mean).powi(2) * n as f64).sum::<f64>()
            / total
    }
}
