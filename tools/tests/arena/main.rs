//! The match runner against engines that fail in every known way. The program is its own set of engines: started with
//! `--engine KIND` it is one.

mod chatter;
mod ends;
mod engine;
// Its own `main` takes the engines from the command line.
#[path = "../../examples/match_programs.rs"]
#[allow(dead_code)]
mod match_programs;
mod openings;
mod stops;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::regulation::{Action, Chooser, RandomChooser, Regulation, Seat};
use kagetsu::game::{Color, Endings, RuleKind, Size, notation};
use kagetsu_tools::arena::asking;
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::arena::fallback::Fallback;
use kagetsu_tools::arena::fault::FaultKind;
use kagetsu_tools::arena::game::{Adjudication, ScoreRule};
use kagetsu_tools::arena::plan::{Format, Plan};
use kagetsu_tools::arena::process::{Event as Output, Process};
use kagetsu_tools::arena::record::{End, GameRecord};
use kagetsu_tools::arena::standings::Standings;
use kagetsu_tools::arena::tournament::{self, Event, Wish};
use libtest_mimic::{Arguments, Trial};

/// Tests that count the children and descriptors of this process.
const COUNTING: [&str; 2] =
    ["every_fault_is_named_and_the_tournament_completes", "stray_lines_and_odd_manners_cost_nothing"];

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().collect();
    if let [_, flag, kind] = &args[..]
        && flag == "--engine"
    {
        engine::run(kind);
        return std::process::ExitCode::SUCCESS;
    }
    let tests: [(&str, fn()); 35] = [
        ("every_fault_is_named_and_the_tournament_completes", every_fault_is_named),
        ("stray_lines_and_odd_manners_cost_nothing", manners),
        ("many_odd_lines_are_few_warnings", rambling),
        ("a_stray_move_is_seen_behind_other_output", stray_later),
        ("a_long_stray_move_is_cut", stray_long),
        ("what_happens_between_games_costs_none", between_games),
        ("a_process_that_has_played_is_told_restart", restarts),
        ("a_process_ends_before_another_takes_its_place", one_at_a_time),
        ("an_engine_that_cannot_start_again_loses_no_game", not_started_again),
        ("a_dialogue_is_of_its_game_alone", dialogues),
        ("engines_pass_where_they_may", ends::passes),
        ("reported_scores_end_games_where_they_may", ends::scores),
        ("engines_are_told_their_time_in_byoyomi", ends::byoyomi),
        ("each_rule_and_size_plays_to_its_end", ends::rules),
        ("a_stopped_tournament_goes_on_where_it_was", stops::resume),
        ("games_that_are_over_at_a_stop_are_heard_of", stops::stop),
        ("engines_that_end_with_the_runner_lose_no_games", stops::ended_with_the_runner),
        ("a_chatty_engine_can_be_stopped", chatter::stopped),
        ("a_panic_of_the_listener_ends_the_games", chatter::panicked),
        ("the_memory_of_a_chatty_engine_is_checked", chatter::memory),
        ("a_suspended_engine_stands_still", stops::suspension),
        ("helpers_end_with_their_engine", stops::helpers),
        ("an_engine_that_is_gone_has_obeyed", stops::gone),
        ("engines_play_openings_by_swap2", openings::swap2),
        ("faults_in_an_opening_are_named", openings::swap2_faults),
        ("engines_play_openings_by_every_regulation", openings::every_regulation),
        ("somebody_decides_for_engines_that_cannot", openings::fallback),
        ("stones_of_an_opening_may_end_the_game", openings::ended),
        ("somebody_decides_for_engines_that_ignore_the_question", openings::ignored),
        ("an_engine_that_refuses_an_opening_is_suspended", openings::suspended_refusal),
        ("complaints_about_settings_refuse_no_opening", openings::complaints),
        ("a_fallback_decides_nothing_for_engines_that_complain", openings::complaints_with_fallback),
        ("a_program_that_does_not_exist_is_an_error", missing),
        ("a_plan_that_cannot_be_played_is_an_error", impossible),
        ("the_example_of_a_match_plays_one", example),
    ];
    let trials = tests.map(|(name, test)| {
        Trial::test(name, move || {
            static TURN: RwLock<()> = RwLock::new(());
            // Most tests wait for engines, side by side. Those that count the children and descriptors of this process
            // run alone.
            let (_alone, _beside);
            if COUNTING.contains(&name) {
                _alone = TURN.write().unwrap_or_else(PoisonError::into_inner);
            } else {
                _beside = TURN.read().unwrap_or_else(PoisonError::into_inner);
            }
            test();
            Ok(())
        })
    });
    let mut args = Arguments::from_args();
    // Waiting needs no core.
    args.test_threads.get_or_insert(8);
    libtest_mimic::run(&args, trials.into()).exit_code()
}

fn contestant(kind: &str) -> Contestant {
    let program = std::env::current_exe().unwrap();
    let mut contestant = Contestant::new(program, vec!["--engine".into(), kind.into()]);
    contestant.name = kind.into();
    let time = &mut contestant.time;
    time.turn = Some(Duration::from_millis(300));
    // Generous, because the machine may be busy with other tests. Tests that wait in vain for a move use a short time.
    let in_vain = ["orphans", "hangs", "garbage", "error", "half-line", "late", "no-swap2"].contains(&kind)
        || kind.starts_with("ignores-swap2")
        || kind.ends_with("-in-swap2");
    time.tolerance = if in_vain { Duration::from_millis(2700) } else { Duration::from_secs(60) };
    time.startup = if kind == "no-ok" { Duration::from_secs(3) } else { Duration::from_secs(60) };
    contestant
}

/// A plan of engines of these kinds. Those of one kind get numbers behind their names.
fn plan(kinds: &[&str]) -> Plan {
    let contestants = kinds.iter().map(|kind| contestant(kind)).collect();
    Plan {
        format: Format::Gauntlet,
        openings: vec!["h8".into()],
        transform: true,
        ..Plan::new(contestants, RuleKind::Freestyle, Size::S15)
    }
}

#[derive(Default)]
struct Played {
    games: BTreeMap<u64, GameRecord>,
    dialogues: BTreeMap<u64, String>,
    ignored_end: BTreeSet<usize>,
}

/// Plays a plan to its end.
fn play(plan: &Plan, concurrency: u16) -> Played {
    let plan = &Plan { concurrency, ..plan.clone() };
    let mut played = Played::default();
    tournament::run(plan, &HashSet::new(), |event| {
        match event {
            Event::Game(record, dialogue) => {
                dialogue.into_iter().for_each(|text| drop(played.dialogues.insert(record.game, text)));
                let again = played.games.insert(record.game, *record);
                assert!(again.is_none(), "played twice: {again:?}");
            }
            Event::IgnoredEnd(engine) => drop(played.ignored_end.insert(engine)),
            Event::Paused(..) | Event::Tick => {}
        }
        Ok(Wish::Continue)
    })
    .unwrap();
    assert_eq!(Some(played.games.len() as u64), plan.total());
    played
}

/// Children of this process, zombies included, and the number of its open descriptors; nothing where unknown. Wine shows
/// Linux's files too, but opens descriptors of its own.
fn leftovers() -> (String, usize) {
    if cfg!(not(target_os = "linux")) {
        return (String::new(), 0);
    }
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children =
        tasks.map(|t| std::fs::read_to_string(t.path().join("children")).unwrap_or_default()).collect();
    (children, std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count))
}

/// Waits until there are no children, and no more descriptors than before: a thread that reads the output of a killed engine
/// may still have to close it.
fn nothing_is_left(before: &(String, usize)) {
    wait_until(|| {
        let (children, descriptors) = leftovers();
        children.is_empty() && descriptors <= before.1
    });
}

/// The most memory that this process has had so far, in KiB; 0 where unknown.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")).map_or(0, |number| number.trim().parse().unwrap())
}

/// Waits for something that should come soon, with a very long limit.
fn wait_until(mut done: impl FnMut() -> bool) {
    let clock = SystemClock::new();
    while !done() {
        assert!(clock.now() < Duration::from_secs(60), "it never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn every_fault_is_named() {
    let before = leftovers();
    let drill = [
        ("exits", FaultKind::Crash),
        ("aborts", FaultKind::Crash),
        ("orphans", FaultKind::Crash),
        ("hangs", FaultKind::Silence),
        ("closes", if cfg!(unix) { FaultKind::Crash } else { FaultKind::Silence }),
        ("closes-input", if cfg!(unix) { FaultKind::Crash } else { FaultKind::Silence }),
        ("floods", FaultKind::Flood),
        ("floods-line", FaultKind::Flood),
        ("floods-short", FaultKind::Flood),
        ("garbage", FaultKind::NoMove),
        ("error", FaultKind::NoMove),
        ("half-line", FaultKind::HalfLine),
        ("occupied", FaultKind::IllegalMove),
        ("off-board", FaultKind::IllegalMove),
        ("no-ok", FaultKind::NoOk),
        ("refuses", FaultKind::StartRefused),
        ("late", FaultKind::Overtime),
        ("stray-move", FaultKind::StrayMove),
        ("eats", FaultKind::Memory),
    ];
    let mut kinds = vec!["good"];
    kinds.extend(drill.map(|(kind, _)| kind));
    let mut plan = plan(&kinds);
    for contestant in &mut plan.contestants {
        contestant.memory = Some(96 << 20);
        contestant.check_memory = true;
    }
    let played = play(&plan, 4);
    for record in played.games.values() {
        let (loser, winner) = if record.result == "1-0" {
            (&record.white, &record.black)
        } else {
            (&record.black, &record.white)
        };
        // Only Linux tells how much memory an engine has.
        if cfg!(not(target_os = "linux")) && [loser, winner].iter().any(|name| *name == "eats") {
            continue;
        }
        assert_eq!(winner, "good", "{record:?}");
        let expected = drill.iter().find(|(kind, _)| kind == loser).unwrap().1;
        // Without process groups the helper that it leaves behind may hold the pipe open. Then the runner
        // notices its silence.
        if loser == "orphans" && cfg!(not(unix)) && record.end == End::Fault(FaultKind::Silence) {
            continue;
        }
        assert_eq!(record.end, End::Fault(expected), "{record:?}");
        let closed = match loser.as_str() {
            "closes" => Some("output"),
            "closes-input" => Some("input"),
            _ => None,
        };
        if let Some(stream) = closed.filter(|_| cfg!(unix)) {
            assert_eq!(record.detail, format!("the process closed its {stream}"), "{record:?}");
        }
        let dialogue = &played.dialogues[&record.game];
        assert!(dialogue.contains("> START 15") || dialogue.contains("> RESTART"), "{dialogue}");
    }
    nothing_is_left(&before);
    // Four games side by side, each with a flood of at most 16 MiB. The memory of short lines besides their bytes
    // counts too.
    let most = most_memory();
    assert!(most < 400 << 10, "{most} KiB");
}

fn manners() {
    let before = leftovers();
    let plan = plan(&["good", "ignores-end", "talks", "suggests", "crlf"]);
    let played = play(&plan, 2);
    for record in played.games.values() {
        assert_eq!(record.end, End::Five, "{record:?}");
        let talker = record.black == "talks" || record.white == "talks";
        assert_eq!(!record.warnings.is_empty(), talker, "{record:?}");
        if talker {
            let scored = record.moves.iter().filter(|m| m.score == Some(-12) && m.depth == Some(7)).count();
            assert!(scored >= 3, "{record:?}");
        }
    }
    assert_eq!(played.ignored_end, BTreeSet::from([1]));
    nothing_is_left(&before);
}

fn rambling() {
    for record in play(&plan(&["good", "rambles"]), 2).games.values() {
        assert_eq!(record.end, End::Five, "{record:?}");
        let moves = record.moves.len() as u64;
        let [first, .., last] = &record.warnings[..] else { panic!("{record:?}") };
        assert_eq!((first.as_str(), record.warnings.len()), ("rambles: stray line 'hm'", 21));
        // A hundred lines before each of its moves but the first two, and twenty of them in words.
        let possible = [moves / 2, moves.div_ceil(2)].map(|own| (own - 2) * 100 - 20);
        assert!(possible.iter().any(|n| *last == format!("rambles: and {n} more")), "{record:?}");
    }
}

/// The opponent thinks long enough for all of it to arrive.
fn stray_later() {
    let mut plan = plan(&["late", "stray-later"]);
    for contestant in &mut plan.contestants {
        contestant.time.tolerance = Duration::from_secs(20);
    }
    for record in play(&plan, 2).games.values() {
        assert_eq!(record.end, End::Fault(FaultKind::StrayMove), "{record:?}");
    }
}

/// A detail is a line of a table, however long the engine's line is.
fn stray_long() {
    for record in play(&plan(&["good", "stray-long"]), 2).games.values() {
        assert_eq!(record.end, End::Fault(FaultKind::StrayMove), "{record:?}");
        assert!(record.detail.ends_with("…' out of turn") && record.detail.len() < 120, "{record:?}");
    }
}

/// Games end after three moves of each engine: then one process ends, or says more than it was asked.
fn between_games() {
    for (kind, warning) in [("expires", "started again"), ("stray-move", "stray line")] {
        let mut plan = Plan { games: Some(4), ..plan(&["good", kind]) };
        plan.endings.moves = Some(7);
        let played = play(&plan, 1);
        for record in played.games.values() {
            assert_eq!(record.end, End::DrawLength, "{record:?}");
            let warned = record.warnings.iter().any(|w| w.starts_with(kind) && w.contains(warning));
            assert_eq!(warned, record.game > 1, "{record:?}");
        }
        assert!(played.ignored_end.is_empty(), "{:?}", played.ignored_end);
    }
}

/// Engines made from Piskvork's example clear their board at RESTART alone; a strict one reports a stone that is there already.
/// An engine without the command is started again for every game, with a warning at the first time.
fn restarts() {
    let plan = Plan { games: Some(6), ..plan(&["is-strict", "no-restart"]) };
    for record in play(&plan, 1).games.values() {
        assert_eq!(record.end, End::Five, "{record:?}");
        let told = "no-restart: started again between two games: RESTART answered by 'UNKNOWN command'";
        let expected = if record.game == 2 { vec![told] } else { Vec::new() };
        assert_eq!(record.warnings, expected, "{record:?}");
    }
}

/// Of an engine that is started again for every game only one process at a time can live in its folder.
fn one_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = Plan { games: Some(4), ..plan(&["good", "sole"]) };
    plan.contestants[1].directory = Some(folder.path().to_owned());
    for record in play(&plan, 1).games.values() {
        assert_eq!(record.end, End::Five, "{record:?}");
    }
}

/// The folder of an engine is gone when its process is to be started again: that says nothing of its strength.
fn not_started_again() {
    if !cfg!(unix) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut plan = Plan { games: Some(4), ..plan(&["good", "vanishes"]) };
    plan.contestants[1].directory = Some(folder.path().to_owned());
    let mut games = Vec::new();
    let played = tournament::run(&plan, &HashSet::new(), |event| {
        if let Event::Game(record, _) = event {
            games.push(record.end);
        }
        Ok(Wish::Continue)
    });
    let said = format!("{:#}", played.unwrap_err());
    assert!(
        said.starts_with("cannot start vanishes (") && said.contains("expected an existing folder"),
        "{said}"
    );
    assert_eq!(games, [End::Five]);
}

/// In the second game Black fails before White has been told of it.
fn dialogues() {
    let played = play(&plan(&["floods-again", "good"]), 1);
    assert_eq!(played.games[&1].end, End::Five);
    assert_eq!(played.games[&2].end, End::Fault(FaultKind::Flood));
    let text = &played.dialogues[&2];
    assert_eq!(text.matches("START").count(), 1, "{text}");
    assert!(text.contains("> RESTART") && text.ends_with("\nWHITE\n"), "{text}");
}

fn missing() {
    let mut plan = plan(&["good", "bad"]);
    plan.contestants[1].program = "/nonexistent/engine".into();
    let error = tournament::run(&plan, &HashSet::new(), |_| Ok(Wish::Continue)).unwrap_err();
    assert!(format!("{error:#}").contains("cannot start bad (/nonexistent/engine)"), "{error:#}");
    // The program is there, and its folder is not.
    plan.contestants[1] = Contestant { directory: Some("/nonexistent".into()), ..contestant("bad") };
    let error = tournament::try_engines(&plan.contestants).unwrap_err();
    assert!(format!("{error:#}").contains(") in /nonexistent: expected an existing folder"), "{error:#}");
}

/// The number of a game is divided by those of the games and of the pairs of engines. With one name for two
/// engines nobody could say whose a result is.
fn impossible() {
    let two = plan(&["good", "crlf"]);
    let same = ["good"; 2].map(contestant).to_vec();
    for (plan, said) in [
        (plan(&["good"]), "expected two engines or more"),
        (Plan { contestants: same, ..two.clone() }, "of different names"),
        (Plan { games: Some(0), ..two.clone() }, "expected 1 or more"),
        (Plan { openings: vec!["h8h8".into()], ..two.clone() }, "opening h8h8"),
        (Plan { opening_rule: Some("pro".into()), size: 5, openings: Vec::new(), ..two }, "cannot be played"),
    ] {
        let error = tournament::run(&plan, &HashSet::new(), |event| panic!("{event:?}")).unwrap_err();
        assert!(error.to_string().contains(said), "{error}; expected {said}");
    }
}

fn example() {
    let records = match_programs::play(vec![contestant("good"), contestant("crlf")]).unwrap();
    let games: Vec<_> = records.iter().map(|record| (record.black.as_str(), record.end)).collect();
    assert_eq!(games, [("good", End::Five), ("crlf", End::Five)]);
}
