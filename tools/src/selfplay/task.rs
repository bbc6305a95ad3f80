//! Games to be made: new ones, or finished ones with more samples or better labels. A task has the first line of their file,
//! their numbers, and their maker.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::explore::explorer;
use super::finished::Finished;
use super::numbers::{Numbers, Shard};
use super::play::{Recipe, player};
use super::relabel::relabeller;
use super::run::Maker;
use super::store::{Explored, Head, Relabelled};
use kagetsu::clock::SystemClock;
use kagetsu::eval::nets;

/// Games to be made.
pub struct Task {
    /// The first line of their file.
    pub head: Head,
    /// Their numbers.
    pub numbers: Numbers,
    /// Creates a maker of them.
    pub maker: Box<dyn Fn() -> Box<dyn Maker> + Send + Sync>,
}

impl Task {
    /// Games of the engine against itself with the nets in use: those of a shard of a set of so many games.
    pub fn play(recipe: Recipe, shard: Shard, games: u64) -> Task {
        let maker = move || player(recipe, Box::new(SystemClock::new()));
        Task { head: super::head(&recipe), numbers: shard.numbers(games), maker: Box::new(maker) }
    }

    /// The games of a file with more exploration samples, as [`Explored`] describes them, by the net in use.
    ///
    /// # Errors
    /// If the file cannot be read, a game fails the checks, or there is no room for the samples.
    pub fn explore(path: &Path, samples: u8, tree: Option<u64>, nodes: u64, seed: u64) -> Result<Task> {
        let finished = Finished::read(path)?;
        let evaluation = nets::net(finished.rule).name();
        let recipe = Explored { samples, tree, nodes, seed, evaluation };
        finished.check_room(&recipe).with_context(|| path.display().to_string())?;
        let Finished { head, rule, games, numbers } = finished;
        let head = head.with(recipe.clone());
        let maker = move || explorer(rule, Arc::clone(&games), recipe.clone(), Box::new(SystemClock::new()));
        Ok(Task { head, numbers: Numbers::List(numbers), maker: Box::new(maker) })
    }

    /// The games of a file with the scores and moves of deeper searches, as [`Relabelled`] describes them, by the net in use.
    ///
    /// # Errors
    /// If the file cannot be read or a game fails the checks.
    pub fn relabel(path: &Path, share: u8, nodes: u64) -> Result<Task> {
        let Finished { head, rule, games, numbers } = Finished::read(path)?;
        let recipe = Relabelled { share, nodes, evaluation: nets::net(rule).name() };
        let head = head.relabelled(recipe.clone());
        let maker =
            move || relabeller(rule, Arc::clone(&games), recipe.clone(), Box::new(SystemClock::new()));
        Ok(Task { head, numbers: Numbers::List(numbers), maker: Box::new(maker) })
    }
}
