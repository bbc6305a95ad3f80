//! A tournament that is being played: what is kept, said and counted after each event.

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

/// The second engine has crashed in both games, in the second one perhaps by the signal that interrupts the
/// match.
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

/// Dialogues of earlier games have taken all the room for them.
#[test]
fn a_dialogue_that_is_not_kept_is_told_of() {
    let (plan, folder, mut out) = (plan(2, Some(4), 1), tempfile::tempdir().unwrap(), Vec::new());
    let failed = folder.path().join("failed");
    let mut session = session(&plan, &mut out);
    session.store = Store::create(Some(folder.path()), &plan).unwrap();
    std::fs::create_dir(&failed).unwrap();
    std::fs::File::create(failed.join("9.txt")).unwrap().set_len(ROOM).unwrap();
    let lost = Event::Game(Box::new(record(&plan, 1, Some(1))), Some("> START 15".into()));
    assert_eq!(session.hear(lost).unwrap(), Wish::Continue);
    assert_eq!(session.standings.games(), 1);
    drop(session);
    let said = String::from_utf8(out).unwrap();
    assert!(said.contains("game 1: the dialogue is not kept: too little is left of the 64 MiB"), "{said}");
    assert_eq!(std::fs::read_dir(&failed).unwrap().count(), 1);
}

/// An engine cannot be started any more. Without a directory the results are nowhere but in the output.
#[test]
fn an_error_hides_no_results() {
    let (plan, mut out) = (plan(2, Some(4), 1), Vec::new());
    let mut session = session(&plan, &mut out);
    session.hear(won(&plan, 1)).unwrap();
    let said = session.finish(Err(anyhow!("the engine is gone")), false).unwrap_err();
    assert_eq!(said.to_string(), "the engine is gone");
    let end = String::from_utf8(out).unwrap();
    let end: serde_json::Value = serde_json::from_str(end.lines().last().unwrap()).unwrap();
    assert_eq!((&end["event"], &end["stopped"]), (&"end".into(), &true.into()), "{end}");
    assert_eq!(end["games"], 1, "{end}");
}

/// A file has the name of the folder for dialogues.
#[test]
fn a_dialogue_that_cannot_be_written_ends_no_match() {
    let (plan, folder, mut out) = (plan(2, Some(4), 1), tempfile::tempdir().unwrap(), Vec::new());
    let mut session = session(&plan, &mut out);
    session.store = Store::create(Some(folder.path()), &plan).unwrap();
    std::fs::write(folder.path().join("failed"), "something else").unwrap();
    let lost = Event::Game(Box::new(record(&plan, 1, Some(1))), Some("> START 15".into()));
    assert_eq!(session.hear(lost).unwrap(), Wish::Continue);
    assert_eq!(session.standings.games(), 1);
    drop(session);
    let said = String::from_utf8(out).unwrap();
    assert!(said.contains("game 1: the dialogue is not kept: cannot create "), "{said}");
    assert_eq!(std::fs::read_to_string(folder.path().join("failed")).unwrap(), "something else");
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

/// The openings of the first plan are turned already.
#[test]
fn a_test_that_turns_its_openings_is_not_told_to() {
    let sprt = "elo0=0 elo1=1".parse().ok();
    for is_turned in [true, false] {
        let mut plan = Plan { sprt, transform: is_turned, ..plan(2, None, 1) };
        plan.openings = vec!["h8i10".to_owned()];
        plan.forms = Forms::of(&plan.openings, Size::S15, is_turned).unwrap();
        let first = 2 * plan.variety() + 1;
        let mut out = Vec::new();
        let mut session = session(&plan, &mut out);
        for n in 1..=first {
            session.hear(won(&plan, n)).unwrap();
        }
        drop(session);
        let said = String::from_utf8(out).unwrap();
        assert!(said.contains("all openings were used and come again"), "{said}");
        assert_eq!(said.contains("--transform"), !is_turned, "{said}");
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
