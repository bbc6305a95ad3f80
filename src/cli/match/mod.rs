//! `kagetsu match`: engines against each other.

mod args;
mod display;
mod store;
mod summary;

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

pub use args::Args;
use display::Display;
use store::Store;

use super::Status;
use crate::arena::record::GameRecord;
use crate::arena::standings::Standings;
use crate::arena::stats::Verdict;
use crate::arena::tournament::{self, Event, Wish};

/// Plays the tournament that the arguments describe, or continues one.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let (plan, store, games) = match &args.resume {
        Some(directory) => Store::resume(directory)?,
        None => {
            let plan = args.plan()?;
            let store = Store::create(args.out.as_deref(), &plan)?;
            (plan, store, Vec::new())
        }
    };
    let mut standings = Standings::default();
    let mut done = HashSet::new();
    for game in &games {
        if done.insert(game.game) {
            standings.add(&plan, game);
        }
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("cannot catch interrupts")?;

    let mut session = Session { plan: &plan, standings, store, display: Display::new(&plan, args.json, out) };
    session.display.begin(&session.standings)?;
    if session.undecided() {
        tournament::run(&plan, &done, args.concurrency, |event| {
            if interrupted.load(Ordering::Relaxed) { Ok(Wish::Stop) } else { session.hear(event) }
        })?;
    }
    let stopped = interrupted.load(Ordering::Relaxed);
    session.display.end(&session.standings, stopped)?;
    session.store.export(args.psq)?;
    if stopped {
        match session.store.directory() {
            Some(directory) => bail!("interrupted; --resume {} continues", directory.display()),
            None => bail!("interrupted"),
        }
    }
    Ok(Status::Done)
}

/// A tournament that is being played.
struct Session<'a> {
    plan: &'a crate::arena::plan::Plan,
    standings: Standings,
    store: Store,
    display: Display<'a>,
}

impl Session<'_> {
    fn hear(&mut self, event: Event) -> Result<Wish> {
        match event {
            Event::Game(record, dialogue) => return self.game(&record, dialogue.as_deref()),
            Event::IgnoredEnd(engine) => {
                let name = &self.plan.contestants[engine].name;
                self.display.note(&format!("{name} did not end after END and was killed"))?;
            }
            Event::Tick => self.display.refresh(&self.standings),
        }
        Ok(Wish::Continue)
    }

    fn game(&mut self, record: &GameRecord, dialogue: Option<&str>) -> Result<Wish> {
        self.store.append(record)?;
        self.standings.add(self.plan, record);
        self.display.game(record, &self.standings)?;
        if let Some(dialogue) = dialogue {
            let path = self.store.keep_dialogue(record.game, dialogue)?;
            self.display.note(&format!("game {}: the dialogue is in {}", record.game, path.display()))?;
        }
        Ok(if self.undecided() { Wish::Continue } else { Wish::Stop })
    }

    fn undecided(&self) -> bool {
        let sprt = self.plan.sprt.as_ref();
        sprt.is_none_or(|sprt| self.standings.test(sprt).verdict == Verdict::Continue)
    }
}
