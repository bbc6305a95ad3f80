//! Counts over a set of games: results, endings, positions and samples.

use super::game::{Choice, Ending, Game};

/// Counts over games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Games that Black won, and that White won.
    pub wins: [u64; 2],
    /// Moves, those of openings too.
    pub plies: u64,
    /// Moves of openings.
    pub opening: u64,
    /// Moves that were drawn from good ones, not the best.
    pub varied: u64,
    /// Exploration samples.
    pub samples: u64,
    /// Games by their ending.
    endings: [u64; 4],
}

impl Stats {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        if let Some(winner) = game.winner {
            self.wins[winner.index()] += 1;
        }
        self.endings[game.ending as usize] += 1;
        self.plies += game.plies.len() as u64;
        self.opening += game.opening_len() as u64;
        self.samples += game.plies.iter().map(|p| p.samples.len() as u64).sum::<u64>();
        self.varied += game.plies.iter().filter(|p| p.choice == Choice::Varied).count() as u64;
    }

    /// Drawn games.
    pub fn drawn(&self) -> u64 {
        self.games - self.wins.iter().sum::<u64>()
    }

    /// Games that ended in this way.
    pub fn ended(&self, ending: Ending) -> u64 {
        self.endings[ending as usize]
    }

    /// Positions that were searched.
    pub fn searched(&self) -> u64 {
        self.plies - self.opening
    }
}
