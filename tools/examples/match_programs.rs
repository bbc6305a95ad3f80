//! A match of two engine programs: a pair of games from one opening, with colours exchanged.
//!
//! Run with `cargo run -p kagetsu-tools --example match_programs -- ENGINE ENGINE`. Each ENGINE is one
//! argument: conditions, the program, its own arguments, as in `"time=1s ./pbrain-kagetsu --no-book"`.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use kagetsu::game::{Color, RuleKind, Size};
use kagetsu_tools::arena::command;
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::arena::plan::Plan;
use kagetsu_tools::arena::record::GameRecord;
use kagetsu_tools::arena::tournament::{self, Event, Wish};

pub fn main() -> Result<()> {
    // Conditions that an engine does not name are those of this contestant. The time is then a second for
    // each move.
    let unnamed = Contestant::new(PathBuf::new(), Vec::new());
    let engines: Vec<Contestant> =
        std::env::args().skip(1).map(|text| command::read(&text, &unnamed)).collect::<Result<_>>()?;
    ensure!(engines.len() == 2, "expected two engines, each with its conditions as one argument");
    play(engines).map(drop)
}

/// Plays the match and returns the records of its games.
pub fn play(engines: Vec<Contestant>) -> Result<Vec<GameRecord>> {
    let openings = vec!["h8 i10".to_owned()];
    let plan = Plan { openings, ..Plan::new(engines, RuleKind::Freestyle, Size::S15) };
    let mut records: Vec<GameRecord> = Vec::new();
    // No game has been played before.
    tournament::run(&plan, &HashSet::new(), |event| {
        if let Event::Game(record, dialogue) = event {
            println!("{} - {}: {}, {}", record.black, record.white, record.result, record.end);
            // All that was said in a game is there if an engine failed.
            dialogue.iter().for_each(|text| println!("{text}"));
            records.push(*record);
        }
        // `Wish::Stop` would end the match and the engines.
        Ok(Wish::Continue)
    })?;
    for Contestant { name, .. } in &plan.contestants {
        let color = |record: &GameRecord| if record.black == *name { Color::Black } else { Color::White };
        let points =
            records.iter().map(|record| f64::from(record.half_points(color(record))) / 2.0).sum::<f64>();
        println!("{name} has {points} of {} points", records.len());
    }
    Ok(records)
}
