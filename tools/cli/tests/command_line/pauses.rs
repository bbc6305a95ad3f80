//! `kagetsu match` that is stopped in the middle of a move, as by Ctrl-Z, with its engines or without them: nobody loses by
//! that, and the game is played again. On Linux, which tells the children of a process.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgid, kill_process_group};
use serde_json::Value;

use crate::common::cli::{command, engine};

/// Longer than the time of a move and the tolerance.
const STOPPED: Duration = Duration::from_secs(5);

/// Process groups of the engines, which are children of the match. A child that has only just begun has no group yet.
fn engines_of(pid: Pid) -> Vec<Pid> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten();
    // A thread may end meanwhile.
    let children =
        tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    let children: Vec<String> = children.collect();
    let ids = children.iter().flat_map(|line| line.split_ascii_whitespace());
    let ids = ids.map(|id| Pid::from_raw(id.parse().unwrap()).unwrap());
    ids.filter(|&id| getpgid(Some(id)) == Ok(id)).collect()
}

/// A match of one game, four moves long, that is stopped in the first move. Returns its events.
fn stopped_match(with_engines: bool) -> Vec<Value> {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("openings.txt");
    std::fs::write(&list, "e5a1b1i9\n").unwrap();
    let engines = ["a", "b"].map(|name| format!("name={name} '{}' --no-book", engine().display()));
    let mut child = command(&["match", "--engine", &engines[0], "--engine", &engines[1], "--json"])
        .args(["--rule", "freestyle", "--size", "9", "--games", "1", "--draw-after", "8", "--memory", "40M"])
        .args(["--threads", "1", "--time", "1s", "--tolerance", "2s", "--startup", "1m"])
        .arg("--openings")
        .arg(&list)
        .process_group(0)
        .spawn()
        .unwrap();
    let pid = Pid::from_child(&child);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    // The first move is under way: both engines run and nobody has moved.
    let start = Instant::now();
    while engines_of(pid).len() < 2 {
        assert_eq!(child.try_wait().unwrap(), None, "the match has ended");
        assert!(start.elapsed() < Duration::from_secs(60), "no engines");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    let mut groups = vec![pid];
    if with_engines {
        groups.extend(engines_of(pid));
    }
    groups.iter().for_each(|&group| kill_process_group(group, Signal::STOP).unwrap());
    std::thread::sleep(STOPPED);
    // The match goes on last: it ends its engines at once to play the game again, and a signal to them would fail then.
    groups.iter().rev().for_each(|&group| kill_process_group(group, Signal::CONT).unwrap());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(child.wait().unwrap().success(), "{rest:?}");
    std::iter::once(first).chain(rest).map(|line| serde_json::from_str(&line).unwrap()).collect()
}

#[test]
fn a_game_with_a_pause_is_played_again() {
    for with_engines in [false, true] {
        let events = stopped_match(with_engines);
        let of =
            |name: &str| -> Vec<&Value> { events.iter().filter(|event| event["event"] == name).collect() };
        let said = |note: &&Value| {
            let text = note["text"].as_str().unwrap();
            text.starts_with("this program or the machine stood still for ")
                && text.ends_with(" s: game 1 is played again")
        };
        // The machine may stand still once more by itself.
        assert!(of("note").into_iter().any(|note| said(&note)), "{events:?}");
        let games = of("game");
        assert_eq!(games.len(), 1, "{events:?}");
        assert_eq!((&games[0]["end"], &games[0]["result"]), (&"draw_length".into(), &"1/2-1/2".into()));
        assert_eq!(games[0]["moves"].as_array().unwrap().len(), 4);
    }
}
