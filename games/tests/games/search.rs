//! The one search: wins that it must see, reports, limits, threads, and games against simple players.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kagetsu::clock::SystemClock;
use kagetsu_games::players::{self, Greedy, Player, RandomMover, Score, Searcher};
use kagetsu_games::search::{Limits, Report, mate};
use kagetsu_games::{Kind, Move, Options, notation};

fn report(kind: Kind, position: &str, limits: Limits) -> Report {
    let game = notation::parse(position, &Options::new(kind)).unwrap();
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    Searcher::new(limits, 4 << 20, &clock, &stop).report(&*game, &mut |_| {})
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn best(report: &Report) -> (String, Option<i32>) {
    let line = &report.lines[0];
    (line.moves[0].to_string(), mate(line.score))
}

/// The games that have no engine of their own.
fn kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::Renju | Kind::Freestyle | Kind::Standard))
}

#[test]
fn wins_in_one_are_seen() {
    for kind in kinds().filter(|kind| !matches!(kind, Kind::Reversi | Kind::Connect6)) {
        let found = report(kind, "9/9/9/9/oxxxx4/9/3o5/9/3o1o3 x", nodes(2_000));
        assert_eq!(best(&found), ("f5".into(), Some(1)), "{kind}");
    }
    let six = "9/9/9/9/1xxxx4/9/9/9/o2o1o2o x";
    assert_eq!(best(&report(Kind::Connect6, six, nodes(2_000))).1, Some(2));
    let pair = "9/9/9/9/1xoo5/9/9/9/o8 x captured=8-0";
    assert_eq!(best(&report(Kind::Pente, pair, nodes(2_000))), ("e5".into(), Some(1)));
}

#[test]
fn threats_are_answered() {
    for kind in kinds().filter(|kind| !matches!(kind, Kind::Reversi | Kind::Connect6 | Kind::Atomic)) {
        let found = report(kind, "9/9/9/9/xoooo4/9/9/3x5/3x5 x", nodes(5_000));
        assert_eq!(best(&found).0, "f5", "{kind}");
    }
    // A bomb answers a straight four, which no stone does.
    let found = report(Kind::Atomic, "11/11/11/11/11/3oooo4/11/11/2x8/2x8/2x8 x bombs=x", nodes(20_000));
    assert!(best(&found).0.starts_with('@'), "{:?}", best(&found));
    assert!(best(&found).1.is_none_or(|plies| plies > 0));
}

/// One thread and a node limit: the same report each time.
#[test]
fn nodes_repeat() {
    for kind in [Kind::Pente, Kind::Connect6, Kind::Reversi, Kind::Atomic] {
        let run = || {
            let mut found = report(kind, "", nodes(3_000));
            found.elapsed = Duration::ZERO;
            found
        };
        assert_eq!(run(), run(), "{kind}");
    }
}

#[test]
fn lines_are_legal_and_ranked() {
    for kind in kinds() {
        let limits = Limits { depth: Some(3), multipv: 3, threads: 2, ..Limits::default() };
        let found = report(kind, "", limits);
        let wanted = Options::new(kind).begin().legal().len().min(3);
        assert_eq!((found.depth, found.lines.len()), (3, wanted), "{kind}");
        assert!(found.lines.is_sorted_by_key(|line| -line.score));
        let mut first: Vec<Move> = found.lines.iter().map(|line| line.moves[0]).collect();
        first.dedup();
        assert_eq!(first.len(), wanted);
        for line in &found.lines {
            let mut game = Options::new(kind).begin();
            for &m in &line.moves {
                assert_eq!(game.check(m), Ok(()), "{kind}");
                game.play(m);
            }
        }
    }
}

#[test]
fn a_stopped_search_has_a_move() {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(true));
    for kind in kinds() {
        let game = Options::new(kind).begin();
        let mut player = Searcher::new(Limits::default(), 1 << 16, &clock, &stop);
        assert_eq!(game.check(player.choose(&*game)), Ok(()), "{kind}");
    }
}

/// The end of a game of Reversi is solved, and the score is exact.
#[test]
fn endings_are_solved() {
    let text = "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X";
    let found = report(Kind::Reversi, text, nodes(20_000_000));
    assert!(found.solved);
    assert_eq!(best(&found).0, "g8");
}

fn against(kind: Kind, opponent: &mut dyn Player, games: u32, limits: Limits, seed: u64) -> Score {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut search = Searcher::new(limits, 16 << 20, &clock, &stop);
    let options = Options::new(kind);
    let mut on_game = |_: &players::Played| true;
    players::play_match(&|| options.begin(), [&mut search, opponent], games, 2, seed, &mut on_game)
}

/// A few games in the gate, for every game; the search hardly thinks.
#[test]
fn random_movers_lose() {
    for kind in kinds() {
        let score = against(kind, &mut RandomMover::new(1), 2, nodes(300), 1);
        assert_eq!(score.wins, 2, "{kind}: {score:?}");
    }
}

/// The bars of strength, with so few nodes that they are reached on any machine.
#[test]
#[ignore = "an hour"]
fn a_hundred_games() {
    for kind in kinds() {
        let random = against(kind, &mut RandomMover::new(2), 100, nodes(2_000), 2);
        println!("{kind}: random {random:?}");
        let greedy = against(kind, &mut Greedy::new(3), 100, nodes(5_000), 3);
        println!("{kind}: greedy {greedy:?}");
        assert_eq!(random.wins, 100, "{kind}");
        assert!(greedy.wins >= 95, "{kind}: {greedy:?}");
    }
}

/// The main engine plays its games, from any position.
#[test]
fn the_engine_plays_renju() {
    for kind in [Kind::Renju, Kind::Freestyle, Kind::Standard] {
        let found = report(kind, "9/9/9/9/oxxxx4/9/3o5/9/3o1o3 x", nodes(1_000));
        assert_eq!(best(&found), ("f5".into(), Some(1)), "{kind}");
    }
}
