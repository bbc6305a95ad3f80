//! The rules written a second time, directly from their text and without optimisation, and random games that compare
//! both.
//!
//! They share points, moves and the names of outcomes with the library, but none of its algorithms.

pub mod five;
pub mod reversi;

use kagetsu::game::{Color, FoulKinds, Point};
use kagetsu::random::{IndexedRandom, Random, RngExt, SeedableRng};
use kagetsu_games::game::Foul;
use kagetsu_games::{Cell, Game, Move, Outcome, Reason};

/// A slow game.
pub trait Slow {
    /// The legal moves, in any order; none once the game is over.
    fn moves(&mut self) -> Vec<Move>;
    /// Plays a legal move.
    fn play(&mut self, m: Move);
    /// The side to move.
    fn side(&self) -> Color;
    /// The content of a point.
    fn cell(&self, p: Point) -> Cell;
    /// The end of the game; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;
}

/// Plays random games until these numbers of games and positions are compared; returns the number of positions.
pub fn compare(
    begin: impl Fn() -> (Box<dyn Game>, Box<dyn Slow>),
    games: usize,
    positions: usize,
    seed: u64,
) -> usize {
    let mut random = Random::seed_from_u64(seed);
    let (mut played, mut seen) = (0, 0);
    while played < games || seen < positions {
        let (mut fast, mut slow) = begin();
        // The hashes of the positions, to be compared when the moves are undone.
        let mut hashes = vec![fast.hash()];
        loop {
            let mut expected = slow.moves();
            expected.sort_unstable();
            let mut found = fast.legal();
            found.sort_unstable();
            assert_same(&*fast, &*slow, &found, &expected);
            seen += 1;
            if expected.is_empty() {
                break;
            }
            let m = choose(&*fast, &expected, &mut random);
            assert_eq!(fast.check(m), Ok(()), "{m} after {}", history(&*fast));
            fast.play(m);
            slow.play(m);
            hashes.push(fast.hash());
        }
        while let Some(hash) = hashes.pop() {
            assert_eq!(fast.hash(), hash, "after undo: {}", history(&*fast));
            assert_eq!(fast.undo().is_none(), hashes.is_empty());
        }
        played += 1;
    }
    seen
}

/// Returns a move, often one near others, so that rows, captures and fouls come up.
fn choose(game: &dyn Game, moves: &[Move], random: &mut Random) -> Move {
    let near = |m: &Move| {
        m.point().is_some_and(|p| {
            game.history().iter().rev().take(6).any(|(_, q)| q.point().is_some_and(|q| p.distance(q) <= 2))
        })
    };
    let close: Vec<Move> = moves.iter().copied().filter(near).collect();
    let list = if close.is_empty() || random.random_ratio(1, 8) { moves } else { &close };
    *list.choose(random).unwrap()
}

fn assert_same(fast: &dyn Game, slow: &dyn Slow, found: &[Move], expected: &[Move]) {
    let after = || history(fast);
    assert_eq!(fast.outcome().map(without_kinds), slow.outcome().map(without_kinds), "after {}", after());
    assert_eq!(found, expected, "after {}", after());
    if !expected.is_empty() {
        assert_eq!(fast.side(), slow.side(), "after {}", after());
    }
    for i in 0..fast.size() * fast.size() {
        let p = Point::new(i % fast.size(), i / fast.size());
        assert_eq!(fast.cell(p), slow.cell(p), "{p} after {}", after());
    }
}

/// An outcome without the kinds of a foul, which the slow rules do not tell.
fn without_kinds(outcome: Outcome) -> Outcome {
    match outcome.reason {
        Reason::Foul(Foul::Renju(_)) => {
            Outcome { reason: Reason::Foul(Foul::Renju(FoulKinds::NONE)), ..outcome }
        }
        _ => outcome,
    }
}

fn history(game: &dyn Game) -> String {
    kagetsu_games::notation::moves(game)
}
