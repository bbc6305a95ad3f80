//! Files of games joined to one: [`merge`] joins parts of a set, [`combine`] the samples of one set's games.

use std::collections::btree_map::{BTreeMap, Entry};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::finished::checked;
use super::game::{Game, MOST_SAMPLES, Ply};
use super::store::{Explored, Head, Reader};
use crate::words;

/// Joins files of the same set, and returns the games in the order of their numbers. A game that is in several files is kept
/// once.
///
/// # Errors
/// If a file cannot be read or is of another set, if two files have different games of one number, or if one of the games 0
/// to `wanted` - 1 is missing.
///
/// # Panics
/// If no file is given.
pub fn merge(parts: &[PathBuf], wanted: u64) -> Result<(Head, Vec<Game>)> {
    let mut games = BTreeMap::new();
    let head = Reader::open(&parts[0])?.head().clone();
    for path in parts {
        let reader = Reader::open(path)?;
        if reader.head() != &head {
            let first = parts[0].display();
            bail!("{}: made with other settings than {first}: expected files of one set", path.display());
        }
        for game in reader {
            let game = game?;
            match games.entry(game.number) {
                Entry::Vacant(place) => drop(place.insert(game)),
                Entry::Occupied(there) if *there.get() == game => {}
                // The settings name the net, not the version of the program.
                Entry::Occupied(there) => bail!(
                    "{}: game {} is another one in a file before: expected files made by one version of kagetsu",
                    path.display(),
                    there.key()
                ),
            }
        }
    }
    if let Some(first) = (0..wanted).find(|number| !games.contains_key(number)) {
        let missing = wanted - games.range(..wanted).count() as u64;
        bail!(
            "{} missing, the first is game {first}: expected all parts, finished",
            words::count(missing, "game")
        );
    }
    Ok((head, games.into_values().collect()))
}

/// Returns the games of a file, in the order of their numbers, with their own samples and those that the other files, the
/// same games explored, add to them. A file that is given twice adds its samples twice, so they count twice in a training.
///
/// # Errors
/// If a file cannot be read or a game fails the checks of [`checked`], if a file has other games than the first or no more
/// samples, or if a position gets more samples than fit.
pub fn combine(path: &Path, explored: &[PathBuf]) -> Result<(Head, Vec<Game>)> {
    let (base, games) = checked(path)?;
    let games: BTreeMap<u64, Game> =
        games.map(|game| game.map(|game| (game.number, game))).collect::<Result<_>>()?;
    let mut head = base.clone();
    let mut combined = games.clone();
    for file in explored {
        let (name, first) = (file.display(), path.display());
        let (other, more) = checked(file)?;
        let Some(recipes) = added(&base, &other) else {
            bail!(
                "{name}: expected the games of {first} with more samples, as 'kagetsu selfplay explore' makes them"
            );
        };
        head = recipes.iter().cloned().fold(head, Head::with);
        let mut count = 0;
        for game in more {
            let game = game?;
            let number = game.number;
            let (Some(old), Some(new)) = (games.get(&number), combined.get_mut(&number)) else {
                bail!("{name}: game {number} is not in {first}: expected the same games");
            };
            if !extends(&game, old) {
                bail!(
                    "{name}: game {number} is another one in {first}: expected the same games with more samples"
                );
            }
            for ((ply, old), new) in game.plies.into_iter().zip(&old.plies).zip(&mut new.plies) {
                new.samples.extend(ply.samples.into_iter().skip(old.samples.len()));
                if new.samples.len() > MOST_SAMPLES {
                    bail!(
                        "{name}: game {number}: expected at most {MOST_SAMPLES} samples of a position in all"
                    );
                }
            }
            count += 1;
        }
        if count < games.len() {
            let missing = words::count(games.len() - count, "game");
            bail!("{name}: {missing} of {first} missing: expected all, explored to the end");
        }
    }
    Ok((head, combined.into_values().collect()))
}

/// Returns the recipes of the samples that a file has beyond those of a file of the same games; `None` if its games are
/// others, were relabelled, or have no more samples.
fn added<'a>(base: &Head, other: &'a Head) -> Option<&'a [Explored]> {
    let recipes = other.explored.strip_prefix(&base.explored[..])?;
    let like_base = Head { explored: base.explored.clone(), version: base.version, ..other.clone() };
    (like_base == *base && !recipes.is_empty()).then_some(recipes)
}

/// Returns whether a game is this one, but for samples after those that it has.
fn extends(game: &Game, old: &Game) -> bool {
    let bare = |game: &Game| Game { plies: Vec::new(), ..game.clone() };
    let same = |(new, old): (&Ply, &Ply)| {
        (new.point, new.score, new.choice) == (old.point, old.score, old.choice)
            && new.samples.starts_with(&old.samples)
    };
    bare(game) == bare(old)
        && game.plies.len() == old.plies.len()
        && game.plies.iter().zip(&old.plies).all(same)
}
