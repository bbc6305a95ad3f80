//! Learns the pattern weights of Reversi from own games: `reversi_learn FILE ROUNDS GAMES EPOCHS SEED`. FILE must not exist.
//!
//! The weights that are built in (`games/src/reversi/pattern/weights.bin`) come from `reversi_learn FILE 5 30000 8 20261124`.

use std::process::ExitCode;

use kagetsu_games::reversi::pattern::learn::{Plan, file, learn};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Result<Vec<usize>, _> = arguments.iter().skip(1).map(|text| text.parse()).collect();
    let (Some(name), Ok(&[rounds, games, epochs, seed])) = (arguments.first(), numbers.as_deref()) else {
        eprintln!("usage: reversi_learn FILE ROUNDS GAMES EPOCHS SEED");
        return ExitCode::from(2);
    };
    // Hours of learning must not replace a file, nor end in an error.
    if std::path::Path::new(name).exists() {
        eprintln!("{name}: it exists already; expected a new name");
        return ExitCode::from(2);
    }
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
