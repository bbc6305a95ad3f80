//! The search of all games: wins that it must find, reports, limits, threads, and games against simple players.

use std::panic::catch_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::time::Duration;

use kagetsu::clock::SystemClock;
use kagetsu::game::Color;
use kagetsu::random::{IndexedRandom, Random, SeedableRng};
use kagetsu_games::game::Game;
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

/// White has four captured pairs. A five of Black on row 5 would not win: White would break it on c4 by the fifth pair. Black
/// takes c4 first, and White can stop only one of a5 and f5.
#[test]
fn a_five_that_the_fifth_pair_breaks_comes_too_early() {
    let found = report(Kind::Ninuki, "9/9/2o6/2x6/1xxxx4/9/9/9/9 x captured=0-8", nodes(5_000));
    assert_eq!(best(&found), ("c4".into(), Some(3)));
}

#[test]
fn threats_are_answered() {
    for kind in kinds().filter(|kind| !matches!(kind, Kind::Reversi | Kind::Connect6 | Kind::Atomic)) {
        let found = report(kind, "9/9/9/9/xoooo4/9/9/3x5/3x5 x", nodes(5_000));
        assert_eq!(best(&found).0, "f5", "{kind}");
    }
    // A bomb stops a straight four; no stone can.
    let found = report(Kind::Atomic, "11/11/11/11/11/3oooo4/11/11/2x8/2x8/2x8 x bombs=x", nodes(20_000));
    assert!(best(&found).0.starts_with('@'), "{:?}", best(&found));
    assert!(best(&found).1.is_none_or(|plies| plies > 0));
}

/// Black threatens d10 and i10, and White stops both by a bomb on one of them: it removes three black stones and five white ones.
/// Each of sixteen bombs beside b2 and n2 removes a black stone alone, and stops nothing.
#[test]
fn bombs_against_a_four_are_placed_beside_it() {
    let position = "15/15/15/15/2oxooooxo5/2o1xxxx1o5/2oxooooxo5/15/15/15/15/15/15/1x11x1/15 o bombs=o";
    let found = report(Kind::Atomic, position, Limits { depth: Some(1), ..Limits::default() });
    assert!(["@d10", "@i10"].contains(&best(&found).0.as_str()), "{:?}", best(&found));
    let mut game = notation::parse(position, &Options::new(Kind::Atomic)).unwrap();
    assert_eq!(game.outcome(), None);
    notation::play_moves("@d10", &mut *game).unwrap();
    assert_eq!(wins_at_once(&mut *game, Color::Black), 0);
}

/// White threatens to complete three rows, and Black has two stones. Six points could stop one of the threats each.
#[test]
fn threats_that_cannot_be_stopped_are_a_proved_loss() {
    let position = "11/xoooo6/11/xoooo6/11/xoooo6/11/11/11/11/11 x";
    let found = report(Kind::Connect6, position, Limits { depth: Some(1), ..Limits::default() });
    assert_eq!(best(&found).1, Some(-4), "{found:?}");
}

/// Black can make a straight four on row 10, which White stops by the capture of f10 and f11 from f9. On c3, q3 and q17 White
/// captures three pairs, and Black makes the five. A search of one ply tries only a few replies, those first, so that it must
/// not call the four a win.
#[test]
fn a_reply_that_is_left_out_may_save_the_game() {
    let position = "19/19/13oxx3/15xx2/14x1x2/13o2o2/19/5o13/5x13/5xxx11/19/19/19/\
        2o2o7o2o2/2x1x9x1x2/2xx11xx2/3xxo7oxx3/19/19 x";
    let found = report(Kind::Pente, position, Limits { depth: Some(1), ..Limits::default() });
    assert_eq!(best(&found).1, None, "{:?}", best(&found));
    let mut game = notation::parse(position, &Options::new(Kind::Pente)).unwrap();
    notation::play_moves("e10f9", &mut *game).unwrap();
    assert_eq!((game.captured(), wins_at_once(&mut *game, Color::Black)), ([0, 2], 0));
}

/// One thread and a node limit: the same report each time.
#[test]
fn one_thread_with_a_node_limit_is_repeatable() {
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
        for (i, line) in found.lines.iter().enumerate() {
            assert!(
                found.lines[..i].iter().all(|other| other.moves[0] != line.moves[0]),
                "{kind}: {found:?}"
            );
        }
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

/// Without limits the other thread would search on, and the panic would wait for it.
#[test]
fn a_callback_that_panics_ends_every_thread() {
    let (sender, ended) = channel();
    std::thread::spawn(move || {
        let searched = catch_unwind(|| {
            let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
            let limits = Limits { threads: 2, ..Limits::default() };
            let game = Options::new(Kind::Connect6).begin();
            let mut player = Searcher::new(limits, 1 << 20, &clock, &stop);
            player.report(&*game, &mut |report| assert!(report.lines.is_empty(), "the caller's own fault"));
        });
        sender.send(searched.is_err())
    });
    assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(true));
}

/// Whether the side to move has a move after which it threatens two fives, or one that wins at once.
fn has_two_fives(game: &mut dyn Game) -> bool {
    let side = game.side();
    game.legal().into_iter().any(|m| {
        game.play(m);
        let fives = match game.outcome() {
            Some(outcome) => 2 * usize::from(outcome.winner == Some(side)),
            None => fives_of_the_side_that_waits(game),
        };
        game.undo();
        fives >= 2
    })
}

/// The points where the opponent threatens to win at once. Found by playing a reply elsewhere and looking for wins.
fn fives_of_the_side_that_waits(game: &mut dyn Game) -> usize {
    let replies = game.legal();
    // A reply can occupy one of the points, so two different replies are tried.
    let counted = replies.into_iter().take(2).map(|reply| {
        game.play(reply);
        let side = game.side();
        let fives = if game.outcome().is_some() { 0 } else { wins_at_once(game, side) };
        game.undo();
        fives
    });
    counted.max().unwrap_or(0)
}

fn wins_at_once(game: &mut dyn Game, side: Color) -> usize {
    let wins = game.legal().into_iter().filter(|&m| {
        game.play(m);
        let wins = game.outcome().is_some_and(|outcome| outcome.winner == Some(side));
        game.undo();
        wins
    });
    wins.count()
}

/// Against a threat of two fives the search looks only at moves that stop it and at fours. The moves left out lose.
#[test]
fn moves_left_out_lose() {
    let mut random = Random::seed_from_u64(5);
    let mut list = Vec::new();
    for kind in [Kind::Russian, Kind::AntiRenju, Kind::Bipartisan, Kind::Gomoku33] {
        let (mut positions, mut left_out) = (0, 0);
        while positions < 5 {
            let mut game = Options::new(kind).begin();
            while game.outcome().is_none() && game.history().len() < 40 {
                let look = game.look(&mut list);
                let tried: Vec<Move> = list.iter().map(|&(m, _)| m).collect();
                if !look.forced && tried.len() < 20 && game.history().len() > 6 {
                    positions += 1;
                    for m in game.legal().into_iter().filter(|m| !tried.contains(m)).step_by(12) {
                        game.play(m);
                        assert!(has_two_fives(&mut *game), "{kind}: {m} in {:?}", game.history());
                        game.undo();
                        left_out += 1;
                    }
                }
                list.truncate(4);
                game.play(list.choose(&mut random).unwrap().0);
            }
        }
        assert!(left_out > 30, "{kind}: {left_out}");
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

/// The solver has half of the nodes, and they count even where it finds no result. The search has the rest.
#[test]
fn the_nodes_of_a_failed_solver_count() {
    let text = "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X";
    let game = notation::parse(text, &Options::new(Kind::Reversi)).unwrap();
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut counts = Vec::new();
    let mut player = Searcher::new(nodes(30_000), 4 << 20, &clock, &stop);
    let found = player.report(&*game, &mut |report| counts.push(report.nodes));
    assert!(!found.solved && found.depth >= 2, "{found:?}");
    assert!((15_000..20_000).contains(&counts[0]), "{counts:?}");
    assert!((30_000..31_000).contains(&found.nodes), "{found:?}");
}

/// The solver knows boards of up to 8x8 alone, however few squares are left on a larger one.
#[test]
fn the_end_on_a_large_board_is_searched() {
    let full = "xxxxxxxxxx/".repeat(9);
    let found = report(Kind::Reversi, &format!("{full}xooooooo2 x"), nodes(1_000));
    assert_eq!((best(&found).0.as_str(), found.solved), ("i10", false));
}

fn against(kind: Kind, opponent: &mut dyn Player, games: u32, limits: Limits, seed: u64) -> Score {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut search = Searcher::new(limits, 16 << 20, &clock, &stop);
    let options = Options::new(kind);
    let mut on_game = |_: &players::Played| true;
    players::play_match(&|| options.begin(), [&mut search, opponent], games, 2, seed, &mut on_game).unwrap()
}

/// A game on 4x4 squares places at most twelve discs. Even with passes it is over before the twentieth move.
#[test]
fn an_opening_longer_than_the_game_is_an_error() {
    let mut options = Options::new(Kind::Reversi);
    options.set_size(4).unwrap();
    let (mut first, mut second) = (RandomMover::new(1), RandomMover::new(2));
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    let error = players::play_match(&|| options.begin(), players, 2, 20, 1, &mut |_| true).unwrap_err();
    assert_eq!(
        error.to_string(),
        "each opening of 20 random moves ended the game: expected fewer moves or a larger board"
    );
}

/// A game that is over has no moves to begin a match with.
#[test]
fn a_match_from_the_end_of_a_game_is_an_error() {
    let over = notation::parse("h8a1h9a3h10a5h11a7h12", &Options::new(Kind::Freestyle)).unwrap();
    assert!(over.outcome().is_some());
    for moves in [0, 2] {
        let (mut first, mut second) = (RandomMover::new(1), RandomMover::new(2));
        let players: [&mut dyn Player; 2] = [&mut first, &mut second];
        let played = players::play_match(&|| over.boxed(), players, 2, moves, 1, &mut |_| true);
        assert!(played.is_err(), "{moves}: {played:?}");
    }
}

/// A short match in every game, with few nodes a move, so that it is fast enough for the commit gate.
#[test]
fn random_movers_lose() {
    for kind in kinds() {
        let score = against(kind, &mut RandomMover::new(1), 2, nodes(300), 1);
        assert_eq!(score.wins, 2, "{kind}: {score:?}");
    }
}

/// Nodes per move in the matches of the strength test: some tenths of a second on one core. Connect6 has cheap nodes, and
/// Anti-Renju, which forbids straight fours, is drawn too often with fewer.
fn strength_nodes(kind: Kind) -> u64 {
    match kind {
        Kind::Connect6 => 200_000,
        Kind::AntiRenju => 60_000,
        _ => 30_000,
    }
}

/// The strength test: the search must score at least this much against the simple players.
fn a_hundred_games(kind: Kind) {
    let limits = nodes(strength_nodes(kind));
    let random = against(kind, &mut RandomMover::new(2), 100, limits, 2);
    println!("{kind}: {} nodes against random: {random:?}", strength_nodes(kind));
    assert_eq!(random.wins, 100, "{kind}");
    let greedy = against(kind, &mut Greedy::new(3), 100, limits, 3);
    println!("{kind}: {} nodes against greedy: {greedy:?}", strength_nodes(kind));
    assert!(greedy.wins >= 95, "{kind}: {greedy:?}");
}

macro_rules! strength {
    ($($name:ident: $kind:ident),*) => {
        mod strength {
            use super::*;
            $(#[test]
            #[ignore = "minutes"]
            fn $name() {
                a_hundred_games(Kind::$kind);
            })*
        }
    };
}

strength!(
    russian: Russian,
    anti_renju: AntiRenju,
    bipartisan: Bipartisan,
    atomic: Atomic,
    repensi: Repensi,
    ninuki: Ninuki,
    pente: Pente,
    keryo_pente: KeryoPente,
    gomoku_33: Gomoku33,
    connect6: Connect6,
    reversi: Reversi
);

/// The main engine plays its games, from any position.
#[test]
fn the_engine_plays_renju() {
    for kind in [Kind::Renju, Kind::Freestyle, Kind::Standard] {
        let found = report(kind, "9/9/9/9/oxxxx4/9/3o5/9/3o1o3 x", nodes(1_000));
        assert_eq!(best(&found), ("f5".into(), Some(1)), "{kind}");
    }
}

/// The opening rule is part of the one search: its limits are not used a second time.
#[test]
fn the_engine_keeps_the_opening_rule_within_the_limits() {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    for kind in [Kind::Renju, Kind::Freestyle, Kind::Standard] {
        for (opening, position) in [("center", ""), ("pro", ""), ("pro", "h8h9")] {
            let mut options = Options::new(kind);
            options.set("opening", opening).unwrap();
            let game = notation::parse(position, &options).unwrap();
            let limit = Duration::from_secs(1);
            let limits = Limits { time: Some(limit), nodes: Some(20_000), ..Limits::default() };
            let mut player = Searcher::new(limits, 1 << 20, &clock, &stop);
            let mut reports = 0;
            let found = player.report(&*game, &mut |_| reports += 1);
            let m = found.lines[0].moves[0];
            assert_eq!(game.check(m), Ok(()), "{kind}, {opening}, {position}");
            // The search of this crate reports each iteration; the engine's move comes as the last report alone.
            assert_eq!(reports, 0, "{kind}, {opening}, {position}: {m}");
        }
    }
}
