//! Runs that search games for hard positions and keep the results in a directory.

use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};

use super::game::Table;
use super::settings::Settings;
use super::walk::{Hard, Walker};
use crate::runs::directory::Names;
use crate::runs::journal;
use crate::runs::numbered::{Numbered, Run, Work};
use crate::runs::stamps::List;
use crate::suite::entry::Entry;
use crate::words;
use kagetsu::game::notation;
use kagetsu::game::symmetry::Canonical;

const LIST: &str = "suite.txt";

/// A run.
pub type Find = Run<Settings>;

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

impl Numbered for Searched {
    fn number(&self) -> u64 {
        self.number
    }
}

/// Plays games and searches them.
pub struct Worker<'a> {
    table: Table,
    walker: Walker,
    stop: &'a AtomicBool,
}

impl Work for Settings {
    type Result = Searched;
    type Kept = Entry;
    type Worker<'a> = Worker<'a>;

    const NAMES: Names =
        Names { settings: "find.json", journal: "games.jsonl", lists: &[LIST], command: "bench find" };

    fn check_settings(&self) -> Result<()> {
        self.check()
    }

    fn count(&self) -> u64 {
        self.game_count()
    }

    fn worker<'a>(&'a self, stop: &'a AtomicBool) -> Result<Worker<'a>> {
        let rule = self.rule()?;
        Ok(Worker { table: Table::new(rule), walker: Walker::new(rule, self.effort), stop })
    }

    fn result(&self, worker: &mut Worker<'_>, number: u64) -> Result<Option<Searched>> {
        let Worker { table, walker, stop } = worker;
        let (opening, nodes) = self.game(number);
        let text = &self.openings[opening];
        let start = notation::parse(text, Some(self.size()?)).with_context(|| format!("opening '{text}'"))?;
        let Some(played) = table.play(&start, nodes, stop)? else { return Ok(None) };
        let Some(found) = walker.walk(&played, start.moves().len(), stop) else { return Ok(None) };
        let rule = self.rule()?;
        let line = |hard: Hard| {
            let origin = format!("opening {}, game {number}: {}", opening + 1, hard.reason());
            Entry { rule, position: hard.position, verdict: hard.verdict, origin }.to_string()
        };
        Ok(Some(Searched { number, found: found.into_iter().map(line).collect() }))
    }

    /// The positions found. Symmetric positions are alike.
    fn kept(&self, game: &Searched) -> Result<Vec<(u64, Entry)>> {
        let entry = |line: &String| {
            let entry = Entry::read(line).map_err(|error| anyhow!("game {}: {error}", game.number))?;
            Ok((Canonical::of_position(&entry.position).key, entry))
        };
        game.found.iter().map(entry).collect()
    }

    fn lists(&self, wanted: usize, kept: &[Entry]) -> Vec<List> {
        let Settings { rule, size, net, .. } = self;
        let (count, version) = (words::count(kept.len(), "hard position"), env!("CARGO_PKG_VERSION"));
        let head = [
            format!("{count}, {rule} {size}x{size}, made by kagetsu {version} with the net {net}:"),
            self.command(wanted),
        ];
        vec![List { name: LIST, head, entries: kept.iter().map(Entry::to_string).collect() }]
    }
}
