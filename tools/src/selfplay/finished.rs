//! Finished games of a file, checked: each is legal, has the rule and size that the first line names, and
//! occurs once.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::game::{Game, MOST_SAMPLES};
use super::store::{Explored, Head, Reader};
use kagetsu::game::RuleKind;

/// The games of a file.
pub struct Finished {
    /// The settings they were made with.
    pub head: Head,
    /// Their rule.
    pub rule: RuleKind,
    /// The games by number.
    pub games: Arc<HashMap<u64, Game>>,
    /// The numbers, ascending.
    pub numbers: Vec<u64>,
}

impl Finished {
    /// Reads all games of a file.
    ///
    /// # Errors
    /// If the file cannot be read or a game fails the checks.
    pub fn read(path: &Path) -> Result<Finished> {
        let (head, games) = checked(path)?;
        let rule: RuleKind = head.rule.parse()?;
        let games: HashMap<u64, Game> =
            games.map(|game| game.map(|game| (game.number, game))).collect::<Result<_>>()?;
        let mut numbers: Vec<u64> = games.keys().copied().collect();
        numbers.sort_unstable();
        Ok(Finished { head, rule, games: Arc::new(games), numbers })
    }

    /// Checks that the games can take the samples of this recipe.
    ///
    /// # Errors
    /// If they have samples of its seed, which would be the same ones, or a position would get more than
    /// [`MOST_SAMPLES`].
    pub fn check_room(&self, recipe: &Explored) -> Result<()> {
        let Explored { samples, seed, .. } = recipe;
        if self.head.explored.iter().any(|earlier| earlier.seed == *seed) {
            bail!("it has the samples of seed {seed} already; expected another --seed for other walks");
        }
        let is_full = |game: &&Game| {
            game.plies.iter().any(|ply| ply.samples.len() + usize::from(*samples) > MOST_SAMPLES)
        };
        // The first by number, so that the error does not depend on the order of a map.
        match self.games.values().filter(is_full).map(|game| game.number).min() {
            Some(number) => bail!(
                "game {number}: expected at most {MOST_SAMPLES} samples of a position, with the new ones"
            ),
            None => Ok(()),
        }
    }
}

/// Reads the games of a file one after the other.
///
/// # Errors
/// If the file cannot be read; each game has its own error if it fails the checks.
pub fn checked(path: &Path) -> Result<(Head, impl Iterator<Item = Result<Game>>)> {
    let reader = Reader::open(path)?;
    let head = reader.head().clone();
    let (rule, size) = (head.rule.clone(), head.size);
    let mut numbers = HashSet::new();
    let mut check = move |game: Game| {
        let name = || format!("{}: game {}", path.display(), game.number);
        if (game.rule.name(), game.size.side()) != (rule.as_str(), size) {
            let (found, board) = (game.rule, game.size);
            bail!("{}: {found} on {board}; expected {rule} on {size}x{size} as the first line says", name());
        }
        game.check().with_context(name)?;
        if !numbers.insert(game.number) {
            bail!("{} is there twice", name());
        }
        Ok(game)
    };
    Ok((head, reader.map(move |game| check(game?))))
}
