//! Learns the pattern weights of Reversi from own games: `reversi_learn FILE ROUNDS GAMES EPOCHS SEED`.
//!
//! The weights that are built in come from `reversi_learn games/src/reversi/pattern/weights.bin 5 30000 8 20261124`.

use std::process::ExitCode;

use kagetsu_games::reversi::pattern::learn::{Plan, file, learn};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = arguments.iter().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (Some(name), &[rounds, games, epochs, seed]) = (arguments.first(), numbers.as_slice()) else {
        eprintln!("usage: reversi_learn FILE ROUNDS GAMES EPOCHS SEED");
        return ExitCode::from(2);
    };
    let plan = Plan { rounds, games, epochs, seed: seed as u64 };
    let weights = learn(&plan, &mut |round| eprintln!("{round:?}"));
    match file(&weights).and_then(|bytes| std::fs::write(name, bytes)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {name}: {error}");
            ExitCode::FAILURE
        }
    }
}
