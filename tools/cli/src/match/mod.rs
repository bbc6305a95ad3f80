//! `kagetsu match`: engines against each other.

mod args;
mod display;
#[cfg(test)]
#[path = "../../../tests/fixtures/plan.rs"]
mod fixture;
mod plan;
mod summary;
mod table;

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, anyhow, bail, ensure};

pub use args::Args;
use display::Display;

use crate::engines::check_programs;
use kagetsu::game::regulation::Chooser;
use kagetsu_console::usage::WrongUsage;
use kagetsu_console::{Status, interrupt};
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::arena::failures::ROOM;
use kagetsu_tools::arena::fallback::Fallback;
use kagetsu_tools::arena::fault::FaultKind;
use kagetsu_tools::arena::plan::Plan;
use kagetsu_tools::arena::record::{End, GameRecord};
use kagetsu_tools::arena::standings::Standings;
use kagetsu_tools::arena::stats::SprtResult;
use kagetsu_tools::arena::store::Store;
use kagetsu_tools::arena::tournament::{self, Event, Wish};
use kagetsu_tools::table::EngineChooser;
use kagetsu_tools::words;

/// Plays the tournament that the arguments describe, or continues one.
///
/// `has_net` says that nets of this program were chosen, which only the runner's own decisions in an opening use.
pub fn run(args: &Args, has_net: bool, out: &mut dyn Write) -> Result<Status> {
    let (plan, store, games) = match &args.resume {
        Some(directory) => {
            let (mut plan, store, games) = Store::resume(directory)?;
            check_net(&plan, has_net)?;
            plan.concurrency = args.concurrency.unwrap_or(plan.concurrency);
            (plan, store, games)
        }
        None => {
            let mut plan = args.plan()?;
            check_net(&plan, has_net)?;
            args.out.as_deref().map_or(Ok(()), Store::check)?;
            tournament::try_engines(&plan.contestants)?;
            plan.contestants.iter_mut().for_each(Contestant::identify);
            let store = Store::create(args.out.as_deref(), &plan)?;
            (plan, store, Vec::new())
        }
    };
    let mut standings = Standings::default();
    let mut done = HashSet::new();
    // Only the standings are needed of them: the moves of thousands of games would be kept in memory to the
    // end.
    for game in games {
        if done.insert(game.game) {
            standings.add(&plan, &game);
        }
    }
    let interrupted = interrupt::flag()?;
    let display = Display::new(&plan, args.json, out);
    let mut session = Session { plan: &plan, standings, store, display, interrupted, warned: false };
    // Even without a game: a later call would take games of the new program for those of the old one.
    let harm = "the results of an engine are added up as those of one program";
    let changed = if args.resume.is_some() && !session.is_over() {
        check_programs(&plan.contestants, "tournament", harm, args.changed_engines)?
    } else {
        None
    };
    session.display.begin(&session.standings)?;
    if let Some(changed) = changed {
        session.display.note(&changed)?;
    }
    session.warn_of_few_openings()?;
    session.warn_of_other_games()?;
    let played = if session.undecided() {
        let rule = plan.rule()?;
        let runner = move |pair| -> Box<dyn Chooser> { Box::new(EngineChooser::new(rule, pair)) };
        tournament::run_with(&plan, &done, Some(&runner), |event| session.hear(event))
    } else {
        Ok(())
    };
    session.finish(played, args.psq)
}

/// Refuses a net of this program in a tournament in which only the engines choose moves.
fn check_net(plan: &Plan, has_net: bool) -> Result<()> {
    ensure!(
        !has_net || plan.fallback == Some(Fallback::Runner),
        WrongUsage::new(
            "--net: the engines do not use it: expected an option of an engine, e.g. --engine 'pbrain-kagetsu --net=FILE', \
             or --opening-fallback runner"
        )
    );
    Ok(())
}

/// A tournament that is being played.
struct Session<'a> {
    plan: &'a Plan,
    standings: Standings,
    store: Store,
    display: Display<'a>,
    interrupted: Arc<AtomicBool>,
    /// Whether the warning about repeated openings was given.
    warned: bool,
}

impl Session<'_> {
    fn hear(&mut self, event: Event) -> Result<Wish> {
        match event {
            Event::Game(record, dialogue) => self.game(&record, dialogue.as_deref())?,
            Event::IgnoredEnd(engine) => {
                let name = &self.plan.contestants[engine].name;
                self.display.note(&format!("{name} did not end after END and was killed"))?;
            }
            Event::Paused(game, time) => {
                let time = time.as_secs_f64();
                self.display.note(&format!(
                    "this program or the machine stood still for {time:.1} s: game {game} is played again"
                ))?;
            }
            Event::Tick => self.display.refresh(&self.standings),
        }
        let goes_on = self.undecided() && !self.interrupted.load(Ordering::Relaxed);
        Ok(if goes_on { Wish::Continue } else { Wish::Stop })
    }

    fn game(&mut self, record: &GameRecord, dialogue: Option<&str>) -> Result<()> {
        if !self.undecided() {
            // This game ended after the one that decided the test, and must not change the verdict.
            return Ok(());
        }
        if record.end == End::Fault(FaultKind::Crash) && self.interrupted.load(Ordering::Relaxed) {
            // The signal that ends this program may have ended the engine too: the game is played again.
            return Ok(());
        }
        self.store.append(record)?;
        // The game is stored before it is shown: writing to a closed output may fail, and the game is not played again.
        let kept = dialogue.map(|text| self.store.keep_dialogue(record.game, text));
        self.standings.add(self.plan, record);
        self.display.game(record, &self.standings)?;
        if let Some(kept) = kept {
            // Without the dialogue the result is the same: a full temporary folder does not end the match.
            let place = match kept {
                Ok(Some(path)) => format!("is in {}", path.display()),
                Ok(None) => format!("is not kept: too little is left of the {} MiB for all", ROOM >> 20),
                Err(error) => format!("is not kept: {error:#}"),
            };
            self.display.note(&format!("game {}: the dialogue {place}", record.game))?;
        }
        self.warn_of_repetition(record)
    }

    /// Writes the exports, even if nobody reads the output, and says how the tournament ended. The results so
    /// far are shown after an error too: without `--out` they are nowhere else. The first error counts: that of
    /// an export may follow from it, as on a full disk.
    fn finish(mut self, played: Result<()>, psq: bool) -> Result<Status> {
        // An interrupt during the last game, which was finished, leaves nothing to be played.
        let stopped = self.interrupted.load(Ordering::Relaxed) && !self.is_over();
        let shown = self.display.end(&self.standings, stopped || played.is_err());
        let exported = self.store.export(self.plan, psq);
        let directory = self.store.directory();
        let goes_on = directory.map(|directory| format!("; --resume {} continues", directory.display()));
        match (played, goes_on) {
            // The error becomes text alone: where its cause is an output that nobody reads any more, the command would
            // count as done, and the tournament is unfinished.
            (Err(error), goes_on) => bail!("{error:#}{}", goes_on.unwrap_or_default()),
            (Ok(()), goes_on) if stopped => {
                exported.and(Err(anyhow!("interrupted{}", goes_on.unwrap_or_default())))
            }
            (Ok(()), _) => exported.and(shown).map(|()| Status::Done),
        }
    }

    /// Says at the start how many games repeat an opening that the same engines have played before.
    fn warn_of_few_openings(&mut self) -> Result<()> {
        let Some(first) = self.plan.first_repetition() else { return Ok(()) };
        let positions = words::count(self.plan.variety(), "position");
        let openings = match self.plan.openings.len() {
            0 => "without --openings every pair begins from the empty board".to_owned(),
            n => {
                let (listed, games) = (words::count(n, "opening"), self.plan.total().unwrap_or(0));
                format!("the list of {listed} gives {positions} for {games} games")
            }
        };
        self.warned = true;
        let turned = self.or_turned();
        self.display.note(&format!(
            "{openings}: from game {first} on openings come again, and games may repeat; more of them are needed \
             (--openings{turned})"
        ))
    }

    /// Returns the flag by which the openings of the plan would give more positions, as a further choice. Without
    /// openings there is nothing to turn, and the flag is refused.
    fn or_turned(&self) -> &'static str {
        let has_more = !self.plan.transform && !self.plan.openings.is_empty();
        if has_more { ", or --transform" } else { "" }
    }

    /// Returns whether games are added to those of an earlier sitting.
    fn is_continued(&self) -> bool {
        self.standings.games() > 0 && !self.is_over()
    }

    /// Warns when a tournament continues whose engines learn from game to game: they start without what they had
    /// learned, so the games may differ from those of an uninterrupted tournament.
    fn warn_of_other_games(&mut self) -> Result<()> {
        if !self.is_continued() || self.plan.restart {
            return Ok(());
        }
        self.display.note(
            "the engines start anew: what they kept in memory from game to game is gone, so that the games to come may \
             differ from those of an uninterrupted tournament (with --restart they would not)",
        )
    }

    /// Warns once that games of a test may repeat. The test counts repeated games as new ones.
    fn warn_of_repetition(&mut self, record: &GameRecord) -> Result<()> {
        let again = self.plan.pairing_of(record).is_some_and(|pairing| pairing.again);
        if !again || self.plan.sprt.is_none() || self.warned {
            return Ok(());
        }
        self.warned = true;
        let turned = self.or_turned();
        self.display.note(&format!(
            "all openings were used and come again: where games repeat, the test counts copies; \
             it needs --openings with more of them{turned}"
        ))
    }

    /// Returns whether no game is left to be played.
    fn is_over(&self) -> bool {
        let is_complete = self.plan.total().is_some_and(|total| self.standings.games() >= total);
        is_complete || !self.undecided()
    }

    fn undecided(&self) -> bool {
        let sprt = self.plan.sprt.as_ref();
        sprt.is_none_or(|sprt| self.standings.test(sprt).verdict == SprtResult::Continue)
    }
}

#[cfg(test)]
mod tests;
