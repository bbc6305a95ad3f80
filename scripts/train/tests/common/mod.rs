//! Shared by the trainer's tests: small games, and the program as a child process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kagetsu::game::{RuleKind, Size};
use kagetsu_tools::selfplay::play::Recipe;
use kagetsu_tools::selfplay::run::{Collection, Order, Shard};

/// A file of small games of caro.
pub fn games(dir: &Path) -> PathBuf {
    let path = dir.join("caro.games");
    let recipe = Recipe { rule: RuleKind::Caro, size: Size::new(9).unwrap(), nodes: 50, seed: 1 };
    let shard = Shard { index: 0, of: 1 };
    let order = Order { recipe, games: 60, shard, threads: 2, patience: Duration::from_secs(10) };
    let mut collection = Collection::open(&path, &kagetsu_tools::selfplay::head(&recipe)).unwrap();
    collection.fill(&order, &AtomicBool::new(false), &mut |_| {}).unwrap();
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
