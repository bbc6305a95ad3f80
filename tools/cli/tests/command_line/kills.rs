//! Self-play killed at random moments: what was written stays, hardly anything that was finished is lost, and the same
//! command goes on to a set of games that is whole. An interrupt loses nothing.
//!
//! Three kills belong to every test run. Twenty, with the figures of each:
//! `cargo test --release -p kagetsu-cli --test command_line kills:: -- --ignored --nocapture`

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Child;
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use kagetsu::clock::SystemClock;
use kagetsu::game::{RuleKind, Size};
use kagetsu::random::{Random, RngExt, SeedableRng};
use kagetsu_tools::selfplay::game::Game;
use kagetsu_tools::selfplay::play::{Recipe, player};
use kagetsu_tools::selfplay::store::Reader;

use crate::common::cli::{command, printed};

const NODES: u64 = 60;
const SAVE_EVERY: Duration = Duration::from_millis(300);
/// A first game takes no longer, however busy the machine.
const DEADLINE: Duration = Duration::from_secs(60);

/// The command that makes this number of games.
fn make(path: &str, games: u64) -> Vec<String> {
    let save_every = format!("{}ms", SAVE_EVERY.as_millis());
    let (games, nodes) = (games.to_string(), NODES.to_string());
    let flags = ["--rule", "standard", "--threads", "2", "--games", &games, "--nodes", &nodes];
    let words = ["selfplay", "make", path].into_iter().chain(flags).chain(["--save-every", &save_every]);
    words.map(str::to_owned).collect()
}

/// Self-play at work, and the time at which it reported each game as finished.
struct Run {
    child: Child,
    finished: JoinHandle<Vec<(u64, Instant)>>,
}

impl Run {
    fn start(path: &str) -> Run {
        let args = make(path, 1_000_000);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut child = command(&args).env("RUST_LOG", "kagetsu=debug").spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let finished = std::thread::spawn(move || {
            let number = |line: String| line.split("game ").nth(1)?.split(' ').next()?.parse().ok();
            let lines = stderr.lines().map_while(Result::ok);
            lines.filter_map(number).map(|number| (number, Instant::now())).collect()
        });
        Run { child, finished }
    }

    /// Kills it. Returns the games it had finished, each with the time since then.
    fn kill(mut self) -> BTreeMap<u64, Duration> {
        let end = Instant::now();
        assert!(self.child.try_wait().unwrap().is_none(), "it ended before it was killed");
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let finished = self.finished.join().unwrap();
        finished.into_iter().map(|(number, at)| (number, end.saturating_duration_since(at))).collect()
    }
}

/// The games of a file up to what is unfinished at its end.
fn games(path: &Path) -> BTreeMap<u64, Game> {
    let Ok(reader) = Reader::open(path) else { return BTreeMap::new() };
    reader.map_while(Result::ok).map(|game| (game.number, game)).collect()
}

/// Waits until there is something to lose.
fn wait_for_games(path: &Path) {
    let start = Instant::now();
    while games(path).is_empty() {
        assert!(start.elapsed() < DEADLINE, "no game was written");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Kills self-play this number of times, each within the given time; then lets it finish the set and checks the set. A
/// finished game may wait for its block as long as was asked for, plus `slack`.
fn kill_and_finish(kills: usize, within: Duration, slack: Duration) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("standard.games");
    let name = path.to_str().unwrap();
    let mut random = Random::seed_from_u64(6);
    let mut before = BTreeMap::new();
    for kill in 1..=kills {
        let run = Run::start(name);
        if kill == 1 {
            wait_for_games(&path);
        }
        let time = within.mul_f64(random.random::<f64>());
        std::thread::sleep(time);
        let finished = run.kill();
        let after = games(&path);
        assert!(before.iter().all(|(n, game)| after.get(n) == Some(game)), "kill {kill} lost written games");
        let lost = finished.iter().filter(|(n, _)| !after.contains_key(n));
        let oldest = lost.clone().map(|(_, age)| *age).max().unwrap_or_default();
        println!(
            "kill {kill} after {time:.2?}: {} games were there, {} are; {} finished ones lost, of the last {oldest:.2?}",
            before.len(),
            after.len(),
            lost.count()
        );
        assert!(oldest < SAVE_EVERY + slack, "a game finished {oldest:?} before kill {kill} is lost");
        before = after;
    }
    let wanted = before.keys().max().unwrap() + 1;
    let args = make(name, wanted);
    printed(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let verdict = printed(&["selfplay", "verify", name]);
    assert!(verdict.ends_with(&format!(": {wanted} games, all right\n")), "{verdict}");
    let whole = games(&path);
    assert!(before.iter().all(|(n, game)| whole.get(n) == Some(game)));
    as_without_kills(&whole);
    print!("{verdict}");
}

/// Some of the games, played again.
fn as_without_kills(games: &BTreeMap<u64, Game>) {
    let recipe = Recipe { rule: RuleKind::Standard, size: Size::S15, nodes: NODES, seed: 1 };
    let mut player = player(recipe, Box::new(SystemClock::new()));
    for (&number, game) in games.iter().step_by(games.len().div_ceil(10)) {
        assert_eq!(player.game(number, &AtomicBool::new(false)).as_ref(), Some(game));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("standard.games");
    let mut run = Run::start(path.to_str().unwrap());
    wait_for_games(&path);
    let id = rustix::process::Pid::from_child(&run.child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(run.child.wait().unwrap().code(), Some(1));
    let finished: BTreeSet<u64> = run.finished.join().unwrap().iter().map(|&(number, _)| number).collect();
    assert_eq!(finished, games(&path).into_keys().collect());
}

#[test]
fn three_kills() {
    // This bound holds on a busy machine. The longer test measures the loss on a quiet one.
    kill_and_finish(3, Duration::from_millis(800), DEADLINE);
}

#[test]
#[ignore = "takes a minute"]
fn twenty_kills() {
    kill_and_finish(20, Duration::from_secs(5), Duration::from_secs(3));
}
