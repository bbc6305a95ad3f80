//! A training killed at random moments: it goes on from its last checkpoint, and ends with the net and the log of a
//! training that was never interrupted.
//!
//! Three kills belong to every test run. Twenty, with the figures of each:
//! `cargo test --release -p kagetsu-train --test kills -- --ignored --nocapture`

mod common;

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use common::{beside, games};
use kagetsu::random::{Random, RngExt, SeedableRng};
use serde_json::Value;

/// Shorter than an epoch, so that most checkpoints are in the middle of one.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(40);

/// The command that trains a net on these games, with many checkpoints.
fn train(games: &Path, net: &Path, epochs: u64) -> Command {
    let mut command = common::train(games, net, epochs);
    command
        .args(["--checkpoint-every", &format!("{}ms", CHECKPOINT_EVERY.as_millis())])
        // Several windows in an epoch, so that kills come in the middle of one and between two.
        .args(["--buffer", "2000"])
        .stderr(Stdio::null());
    command
}

/// Steps in the last checkpoint, and the time at which it was written.
fn checkpoint(net: &Path) -> Option<(u64, SystemTime)> {
    let file = File::open(beside(net, "checkpoint")).ok()?;
    let written = file.metadata().unwrap().modified().unwrap();
    let progress: Value = serde_json::from_str(&BufReader::new(file).lines().next()?.unwrap()).unwrap();
    Some((progress["step"].as_u64().unwrap(), written))
}

/// Waits for a checkpoint other than that of `steps` steps, or for the end.
fn wait_for_progress(child: &mut Child, net: &Path, steps: u64) {
    while child.try_wait().unwrap().is_none() && checkpoint(net).is_none_or(|(found, _)| found == steps) {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Kills a training `kills` times, then lets it finish, and compares it with one that was not interrupted. A kill may lose
/// the time between checkpoints and `slack`. Returns how many kills came before it was finished.
fn kill_and_finish(kills: usize, epochs: u64, slack: Duration) -> usize {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let [whole, killed] = ["whole.net", "killed.net"].map(|name| dir.path().join(name));
    let start = Instant::now();
    assert!(train(&games, &whole, epochs).status().unwrap().success());
    let duration = start.elapsed();
    println!("{:.2?} without interruption, {} steps", duration, checkpoint(&whole).unwrap().0);

    let mut random = Random::seed_from_u64(6);
    let (mut steps, mut done) = (0, 0);
    for kill in 1..=kills {
        // The interval is so short that the training is not finished before the last kill. The first kill comes at the
        // first checkpoint, so that there is one on a fast machine too.
        let time =
            duration.mul_f64(if kill == 1 { 0.0 } else { 1.2 * random.random::<f64>() / kills as f64 });
        let start = SystemTime::now();
        let mut child = train(&games, &killed, epochs).spawn().unwrap();
        // On a slow machine too, some of the trainings have something to continue.
        if kill % 2 == 1 {
            wait_for_progress(&mut child, &killed, steps);
        }
        std::thread::sleep(time);
        let end = SystemTime::now();
        if child.try_wait().unwrap().is_some() {
            println!("finished before kill {kill}: the machine became faster");
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        done = kill;
        let (found, saved) = checkpoint(&killed).unwrap_or((0, start));
        let lost = end.duration_since(saved.max(start)).unwrap_or_default();
        println!(
            "kill {kill} after {time:.2?}: {steps} steps were saved, {found} are; lost the last {lost:.2?}"
        );
        assert!(found >= steps, "kill {kill} went back from {steps} steps to {found}");
        assert!(lost < CHECKPOINT_EVERY + slack, "kill {kill} lost {lost:?}");
        steps = found;
    }
    assert!(train(&games, &killed, epochs).status().unwrap().success());
    let read = |path: &Path| fs::read(path).unwrap();
    assert!(read(&whole) == read(&killed), "the nets differ");
    let log = |net| fs::read_to_string(beside(net, "log")).unwrap();
    assert_eq!(log(&whole), log(&killed));
    println!("the same net and log");
    done
}

#[test]
fn three_kills() {
    // This bound holds on a busy machine. The longer test measures the loss on a quiet one.
    assert!(kill_and_finish(3, 3, Duration::from_secs(60)) > 0);
}

#[test]
#[ignore = "takes minutes"]
fn twenty_kills() {
    assert_eq!(kill_and_finish(20, 60, Duration::from_secs(5)), 20);
}
