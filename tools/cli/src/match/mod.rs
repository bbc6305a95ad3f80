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

use kagetsu::game::regulation::Chooser;
use kagetsu_console::usage::WrongUsage;
use kagetsu_console::{Status, interrupt};
use kagetsu_tools::arena::contestant::Contestant;
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
    // Only the standings are needed of them: the moves of thousands of games would be kept in memory to the end.
    for game in games {
        if done.insert(game.game) {
            standings.add(&plan, &game);
        }
    }
    let interrupted = interrupt::flag()?;
    let display = Display::new(&plan, args.json, out);
    let mut session = Session { plan: &plan, standings, store, display, interrupted, warned: false };
    let changed = session.changed_programs();
    if let Some(changed) = &changed {
        ensure!(
            args.changed_engines,
            "{changed}; expected the earlier program, a new tournament, or --changed-engines to go on all the \
             same"
        );
    }
    session.display.begin(&session.standings)?;
    if let Some(changed) = changed {
        session.display.note(&changed)?;
    }
    session.warn_of_few_openings()?;
    session.warn_of_other_games()?;
    let played = if session.undecided() {
        let rule = plan.rule().map_err(anyhow::Error::msg)?;
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
        let kept = dialogue.map(|text| self.store.keep_dialogue(record.game, text)).transpose()?;
        self.standings.add(self.plan, record);
        self.display.game(record, &self.standings)?;
        if let Some(path) = kept {
            self.display.note(&format!("game {}: the dialogue is in {}", record.game, path.display()))?;
        }
        self.warn_of_repetition(record)
    }

    /// Writes the exports, even if nobody reads the output, and says how the tournament ended. The first error counts: that
    /// of an export may follow from it, as on a full disk.
    fn finish(mut self, played: Result<()>, psq: bool) -> Result<Status> {
        // An interrupt during the last game, which was finished, leaves nothing to be played.
        let stopped = self.interrupted.load(Ordering::Relaxed) && !self.is_over();
        let shown = if played.is_ok() { self.display.end(&self.standings, stopped) } else { Ok(()) };
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
        // Without openings there is nothing to turn, and the flag is refused.
        let has_more = !self.plan.transform && !self.plan.openings.is_empty();
        let turned = if has_more { ", or --transform" } else { "" };
        self.warned = true;
        self.display.note(&format!(
            "{openings}: from game {first} on openings come again, and games may repeat; more of them are needed \
             (--openings{turned})"
        ))
    }

    /// Returns whether games are added to those of an earlier sitting.
    fn is_continued(&self) -> bool {
        self.standings.games() > 0 && !self.is_over()
    }

    /// Names the engines whose program is another one than at the start of a tournament that continues.
    fn changed_programs(&self) -> Option<String> {
        if !self.is_continued() {
            return None;
        }
        let changed = self.plan.contestants.iter().filter(|engine| engine.has_other_program());
        let names: Vec<&str> = changed.map(|engine| engine.name.as_str()).collect();
        (!names.is_empty()).then(|| {
            format!(
                "the program of {} has changed since the tournament began: the results of two programs are added \
                 up as those of one engine",
                names.join(" and of ")
            )
        })
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
        let turned = if self.plan.openings.is_empty() { "" } else { ", or --transform" };
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
mod tests {
    use kagetsu::game::Size;
    use kagetsu_tools::arena::forms::Forms;

    use super::fixture::{plan, record};
    use super::*;

    fn session<'a>(plan: &'a Plan, out: &'a mut Vec<u8>) -> Session<'a> {
        Session {
            plan,
            standings: Standings::default(),
            store: Store::create(None, plan).unwrap(),
            display: Display::new(plan, true, out),
            interrupted: Arc::default(),
            warned: false,
        }
    }

    /// A game that the first engine has won.
    fn won(plan: &Plan, game: u64) -> Event {
        Event::Game(Box::new(record(plan, game, Some(0))), None)
    }

    #[test]
    fn a_game_that_ends_with_an_interrupt_is_kept() {
        let (plan, mut out) = (plan(2, Some(4), 1), Vec::new());
        let mut session = session(&plan, &mut out);
        assert_eq!(session.hear(won(&plan, 1)).unwrap(), Wish::Continue);
        session.interrupted.store(true, Ordering::Relaxed);
        assert_eq!(session.hear(won(&plan, 2)).unwrap(), Wish::Stop);
        assert_eq!(session.hear(won(&plan, 3)).unwrap(), Wish::Stop);
        assert_eq!(session.standings.games(), 3);
    }

    #[test]
    fn an_interrupt_during_the_last_game_stops_nothing() {
        let (plan, mut out) = (plan(2, Some(2), 1), Vec::new());
        let mut session = session(&plan, &mut out);
        session.hear(won(&plan, 1)).unwrap();
        session.interrupted.store(true, Ordering::Relaxed);
        session.hear(won(&plan, 2)).unwrap();
        assert_eq!(session.finish(Ok(()), false).unwrap(), Status::Done);
        let end = String::from_utf8(out).unwrap();
        let end: serde_json::Value = serde_json::from_str(end.lines().last().unwrap()).unwrap();
        assert_eq!((&end["event"], &end["stopped"]), (&"end".into(), &false.into()), "{end}");
    }

    /// The second engine has crashed in both games, in the second one perhaps by the signal that interrupts the match.
    #[test]
    fn a_crash_at_an_interrupt_is_no_loss() {
        let (plan, mut out) = (plan(2, Some(4), 1), Vec::new());
        let mut session = session(&plan, &mut out);
        let crashed = |game| Event::Game(Box::new(record(&plan, game, Some(1))), None);
        assert_eq!(session.hear(crashed(1)).unwrap(), Wish::Continue);
        session.interrupted.store(true, Ordering::Relaxed);
        assert_eq!(session.hear(crashed(2)).unwrap(), Wish::Stop);
        assert_eq!(session.standings.games(), 1);
    }

    /// Output that nobody reads.
    struct Unread;

    impl Write for Unread {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn games_that_nobody_reads_of_are_kept() {
        let (plan, folder) = (plan(2, Some(4), 1), tempfile::tempdir().unwrap());
        let mut unread = Unread;
        let mut session = Session {
            plan: &plan,
            standings: Standings::default(),
            store: Store::create(Some(folder.path()), &plan).unwrap(),
            display: Display::new(&plan, true, &mut unread),
            interrupted: Arc::default(),
            warned: false,
        };
        let lost = Event::Game(Box::new(record(&plan, 1, Some(1))), Some("> START 15".into()));
        let error = session.hear(lost).unwrap_err();
        assert!(session.hear(won(&plan, 2)).is_err());
        let said = session.finish(Err(error), true).unwrap_err();
        assert!(!crate::is_broken_pipe(&said) && said.to_string().ends_with(" continues"), "{said:#}");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("failed/1.txt"), "> START 15");
        assert_eq!((read("games.jsonl").lines().count(), read("games.sgf").matches("GN[").count()), (2, 2));
        assert!(folder.path().join("psq/00002.psq").exists());
    }

    /// A folder has the name of an export, so that it cannot be written.
    #[test]
    fn a_failing_export_hides_no_earlier_error() {
        let plan = plan(2, Some(4), 1);
        for (played, stopped, expected) in [
            (Err(anyhow!("the engine is gone")), false, "the engine is gone; --resume "),
            (Err(anyhow!("the engine is gone")), true, "the engine is gone; --resume "),
            (Ok(()), false, "cannot write "),
            (Ok(()), true, "cannot write "),
        ] {
            let (folder, mut out) = (tempfile::tempdir().unwrap(), Vec::new());
            let mut session = session(&plan, &mut out);
            session.store = Store::create(Some(folder.path()), &plan).unwrap();
            session.interrupted.store(stopped, Ordering::Relaxed);
            std::fs::create_dir(folder.path().join("games.sgf")).unwrap();
            let said = session.finish(played, false).unwrap_err();
            assert!(format!("{said:#}").starts_with(expected), "{said:#}");
        }
    }

    #[test]
    fn a_test_says_once_that_openings_come_again() {
        let sprt = "elo0=0 elo1=1".parse().unwrap();
        let test = Plan { sprt: Some(sprt), transform: false, ..plan(2, None, 1) };
        let no_test = Plan { sprt: None, ..test.clone() };
        for (plan, first) in [(test, Some(7)), (no_test, None)] {
            let mut out = Vec::new();
            let mut session = session(&plan, &mut out);
            for n in 1..=8 {
                session.hear(won(&plan, n)).unwrap();
            }
            drop(session);
            let said = String::from_utf8(out).unwrap();
            let events: Vec<serde_json::Value> =
                said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let notes = events.iter().filter(|event| event["event"] == "note").count();
            assert_eq!(notes, usize::from(first.is_some()), "{said}");
            // The note follows the game that is the first to repeat.
            let at = events.iter().position(|event| event["event"] == "note");
            let before = at.map(|at| events[..at].iter().filter(|event| event["event"] == "game").count());
            assert_eq!(before, first, "{said}");
        }
    }

    /// The opening is a stone in the middle, the same from all sides. Two games are played from each position.
    #[test]
    fn an_opening_that_is_the_same_from_all_sides_is_one_position() {
        let mut plan = plan(2, Some(16), 1);
        for (opening, first) in [("h8", Some(3)), ("h8i10", None)] {
            plan.openings = vec![opening.to_owned()];
            plan.forms = Forms::of(&plan.openings, Size::S15, true).unwrap();
            let mut out = Vec::new();
            session(&plan, &mut out).warn_of_few_openings().unwrap();
            let note = String::from_utf8(out).unwrap();
            let expected = first.map(|first| {
                format!("the list of 1 opening gives 1 position for 16 games: from game {first} on openings")
            });
            assert!(expected.map_or(note.is_empty(), |text| note.contains(&text)), "{note}");
        }
    }

    #[test]
    fn openings_are_only_turned_where_there_are_some() {
        for has_openings in [true, false] {
            let mut plan = plan(2, Some(100), 1);
            if !has_openings {
                plan.openings.clear();
            }
            plan.transform = false;
            let mut out = Vec::new();
            session(&plan, &mut out).warn_of_few_openings().unwrap();
            let said = String::from_utf8(out).unwrap();
            assert_eq!(said.contains("--transform"), has_openings, "{said}");
            assert!(said.contains("--openings"), "{said}");
        }
    }

    #[test]
    fn openings_of_engines_are_not_those_of_a_list() {
        let listed = plan(2, Some(2), 1);
        let regulated = Plan { opening_rule: Some("swap2".into()), openings: Vec::new(), ..listed.clone() };
        for (plan, has_list) in [(listed, true), (regulated, false)] {
            let mut out = Vec::new();
            session(&plan, &mut out).finish(Ok(()), false).unwrap();
            let end: serde_json::Value = serde_json::from_slice(&out).unwrap();
            assert_eq!(
                (end["one_coloured"].is_null(), end["regulation"].is_null()),
                (!has_list, has_list),
                "{end}"
            );
        }
    }

    #[test]
    fn a_game_that_ends_after_the_verdict_does_not_count() {
        let sprt = "elo0=0 elo1=100".parse().unwrap();
        let plan = Plan { sprt: Some(sprt), ..plan(2, None, 1) };
        let mut out = Vec::new();
        let mut session = session(&plan, &mut out);
        let last = (1..1000).find(|&n| session.hear(won(&plan, n)).unwrap() == Wish::Stop).unwrap();
        assert_eq!(session.hear(won(&plan, last + 1)).unwrap(), Wish::Stop);
        assert_eq!(session.standings.games(), last);
    }
}
