//! Searches games for hard positions side by side, and keeps the results in a directory.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::game::Table;
use super::settings::Settings;
use super::walk::{Hard, Walker};
use crate::runs::directory::Names;
use crate::runs::journal::{self, Journal};
use crate::runs::stamps::{is_beginning, write_list};
use crate::suite::entry::Entry;
use crate::{jobs, untrusted, words};
use kagetsu::game::notation;
use kagetsu::game::symmetry::Canonical;

const LIST: &str = "suite.txt";
const NAMES: Names =
    Names { settings: "find.json", journal: "games.jsonl", lists: &[LIST], command: "bench find" };

/// A game, and the hard positions found in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Searched {
    /// Number of the game, from 0.
    pub number: u64,
    /// Lines of a suite.
    pub found: Vec<String>,
}

impl journal::Entry for Searched {
    const NAME: &str = "searched game";
}

/// The directory of a run.
pub struct Find {
    directory: PathBuf,
    settings: Settings,
    journal: Journal<Searched>,
    games: BTreeMap<u64, Searched>,
}

impl Find {
    /// Creates the directory of a new run.
    ///
    /// # Errors
    /// If it holds a run or files of others, cannot be written, or the settings are impossible.
    pub fn create(directory: &Path, settings: Settings) -> Result<Find> {
        settings.check()?;
        let journal = NAMES.create(directory, &settings)?;
        Ok(Find { directory: directory.to_owned(), settings, journal, games: BTreeMap::new() })
    }

    /// Opens an interrupted run.
    ///
    /// # Errors
    /// If the files cannot be read or do not belong together, another process writes them, or this program has another net.
    pub fn resume(directory: &Path) -> Result<Find> {
        let settings: Settings = NAMES.settings(directory)?;
        settings.check()?;
        let (journal, list) = NAMES.open::<Searched>(directory)?;
        let games = list.into_iter().map(|game| (game.number, game)).collect();
        Ok(Find { directory: directory.to_owned(), settings, journal, games })
    }

    /// Searches games in the order of their numbers, on this number of threads, until `wanted` positions are found, there
    /// are no more games, or `stop` is set. Tells `on_game` of each, and how many positions there are.
    ///
    /// # Errors
    /// If the files cannot be written, or an opening cannot be read.
    pub fn fill(
        &mut self,
        wanted: usize,
        threads: usize,
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(&Searched, usize),
    ) -> Result<()> {
        let Find { settings, journal, games, .. } = self;
        let mut list = List::default();
        list.advance(games)?;
        if list.entries.len() >= wanted {
            return Ok(());
        }
        let settings: &Settings = settings;
        let rule = settings.rule()?;
        let known: HashSet<u64> = games.keys().copied().collect();
        let missing = (0..settings.game_count()).filter(|number| !known.contains(number));
        let enough = AtomicBool::new(false);
        let new = || (Table::new(rule), Walker::new(rule, settings.effort));
        let work = |(table, walker): &mut (Table, Walker), number| {
            let is_over = enough.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
            if is_over { None } else { search(settings, number, (table, walker), stop).transpose() }
        };
        jobs::side_by_side(threads, missing, new, work, |results| -> Result<()> {
            // Games that are at work when enough is found are finished, and kept too for a longer list.
            let mut outcome = Ok(());
            for result in results {
                let taken = result.and_then(|game: Searched| {
                    journal.append(&game)?;
                    games.insert(game.number, game.clone());
                    list.advance(games)?;
                    on_game(&game, list.entries.len());
                    Ok(())
                });
                if taken.is_err() || list.entries.len() >= wanted {
                    enough.store(true, Ordering::Relaxed);
                }
                outcome = outcome.and(taken);
            }
            outcome
        })?
    }

    /// Returns the number of games searched.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the first `wanted` positions in the order of the games, no two alike when turned or mirrored. A game counts
    /// only when all before it are searched, so that the list does not depend on threads or interruptions.
    ///
    /// # Errors
    /// If a line of the directory cannot be read.
    pub fn entries(&self, wanted: usize) -> Result<Vec<Entry>> {
        let mut list = List::default();
        list.advance(&self.games)?;
        list.entries.truncate(wanted);
        Ok(list.entries)
    }

    /// Writes the list of the first `wanted` positions, and returns its path and how many it has.
    ///
    /// # Errors
    /// If it cannot be written, or somebody has edited it.
    pub fn write_list(&self, wanted: usize) -> Result<(PathBuf, usize)> {
        let (list, count) = self.list(wanted)?;
        let (longest, _) = self.list(usize::MAX)?;
        let path = write_list(&self.directory, LIST, &list, |text| is_beginning(text, &longest))?;
        Ok((path, count))
    }

    /// Returns the list of the first `wanted` positions as text, and how many it has.
    fn list(&self, wanted: usize) -> Result<(String, usize)> {
        let entries = self.entries(wanted)?;
        let Settings { rule, size, net, .. } = &self.settings;
        let (count, version) = (words::count(entries.len(), "hard position"), env!("CARGO_PKG_VERSION"));
        let head = [
            format!("{count}, {rule} {size}x{size}, made by kagetsu {version} with the net {net}:"),
            self.settings.command(wanted),
        ];
        let head: String = head.iter().map(|line| format!("# {}\n", untrusted::line(line))).collect();
        let lines: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
        Ok((head + &lines, entries.len()))
    }
}

/// Plays the game of this number and searches it; `None` if it was stopped.
fn search(
    settings: &Settings,
    number: u64,
    (table, walker): (&mut Table, &mut Walker),
    stop: &AtomicBool,
) -> Result<Option<Searched>> {
    let (opening, nodes) = settings.game(number);
    let text = &settings.openings[opening];
    let start = notation::parse(text, Some(settings.size()?)).with_context(|| format!("opening '{text}'"))?;
    let Some(played) = table.play(&start, nodes, stop)? else { return Ok(None) };
    let Some(found) = walker.walk(&played, start.moves().len(), stop) else { return Ok(None) };
    let rule = settings.rule()?;
    let line = |hard: Hard| {
        let origin = format!("opening {}, game {number}: {}", opening + 1, hard.reason());
        Entry { rule, position: hard.position, verdict: hard.verdict, origin }.to_string()
    };
    Ok(Some(Searched { number, found: found.into_iter().map(line).collect() }))
}

/// The positions of the first games, as far as all of them are searched.
#[derive(Default)]
struct List {
    /// The first game that is not searched.
    next: u64,
    seen: HashSet<u64>,
    entries: Vec<Entry>,
}

impl List {
    fn advance(&mut self, games: &BTreeMap<u64, Searched>) -> Result<()> {
        while let Some(game) = games.get(&self.next) {
            self.next += 1;
            for line in &game.found {
                let entry =
                    Entry::read(line).map_err(|error| anyhow::anyhow!("game {}: {error}", game.number))?;
                if self.seen.insert(Canonical::of_position(&entry.position).key) {
                    self.entries.push(entry);
                }
            }
        }
        Ok(())
    }
}
