//! Reversi from Rust: positions from text, legal moves, a search for the best one, and a game of two players.
//!
//! Run with `cargo run --release -p kagetsu-games --example reversi`. Any other game of `Kind` goes the same
//! way.

use std::sync::atomic::AtomicBool;

use kagetsu::clock::SystemClock;
use kagetsu::game::Color;
use kagetsu_games::diagram::{draw, legal_marks};
use kagetsu_games::players::{Greedy, Player, Searcher};
use kagetsu_games::search::{DISC, Limits};
use kagetsu_games::{Illegal, Kind, Options, Reason, notation};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::new(Kind::Reversi);
    // Columns are letters from the left, rows of Reversi numbers from the top.
    let mut game = notation::parse("f5d6c3", &options)?;
    println!("{}", draw(&*game, &legal_marks(&*game)));
    println!("error: {}", notation::parse("f5f5", &options).unwrap_err());

    // A move is checked before it is played: this one turns no disc.
    let far = notation::parse_move("h1", game.size())?;
    assert!(matches!(game.check(far), Err(Illegal::TurnsNothing(_))));

    // With one thread and a limit of nodes the search is the same everywhere. Setting `stop` from another
    // thread ends it.
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    let mut searcher = Searcher::new(limits, 16 << 20, &clock, &stop);
    let report = searcher.report(&*game, &mut |_| {});
    let best = &report.lines[0];
    let discs = f64::from(best.score) / f64::from(DISC);
    println!("{} plays {}: {discs:+.2} discs at depth {}", game.side(), best.moves[0], report.depth);
    game.check(best.moves[0])?;

    // From here Black searches, and White takes what looks best after a single move.
    let mut greedy = Greedy::new(1);
    while game.outcome().is_none() {
        let player: &mut dyn Player = if game.side() == Color::Black { &mut searcher } else { &mut greedy };
        let m = player.choose(&*game);
        game.play(m);
    }
    let outcome = game.outcome().ok_or("the game goes on")?;
    println!("{}{outcome}: {}", draw(&*game, &[]), notation::moves(&*game));
    let Reason::Discs([black, white]) = outcome.reason else { return Err("discs were expected".into()) };
    assert_eq!(outcome.margin, Some(i32::from(black) - i32::from(white)));
    Ok(())
}
