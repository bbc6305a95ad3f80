//! Shared by the trainer's tests: small games, and the program as a child process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kagetsu::clock::SystemClock;
use kagetsu::game::{RuleKind, Size};
use kagetsu_tools::selfplay::play::{Recipe, player};
use kagetsu_tools::selfplay::run::{Collection, Order};

/// A file of small games of caro.
pub fn games(dir: &Path) -> PathBuf {
    let path = dir.join("caro.games");
    let recipe = Recipe { rule: RuleKind::Caro, size: Size::new(9).unwrap(), nodes: 50, seed: 1 };
    let order = Order { numbers: (0..60).collect(), threads: 2, patience: Duration::from_secs(10) };
    let maker = || player(recipe, Box::new(SystemClock::new()));
    let mut collection = Collection::open(&path, &kagetsu_tools::selfplay::head(&recipe)).unwrap();
    collection.fill(&order, maker, &AtomicBool::new(false), &mut |_| {}).unwrap();
    path
}

/// The command that trains a net on games.
pub fn train(games: &Path, net: &Path, epochs: u64) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kagetsu-train"));
    command.arg("--out").arg(net).args(["--epochs", &epochs.to_string(), "--batch", "64"]);
    command.arg(games).stdout(Stdio::null());
    command
}

/// The name of a file beside the net.
pub fn beside(net: &Path, extension: &str) -> PathBuf {
    net.with_extension(format!("net.{extension}"))
}
