//! Every win that the search announces is a win, within the announced number of plies.
//!
//! The engine plays against itself. Whenever it reports that the side to move wins in a number of plies, the win is
//! played out against every legal defence. The search is trusted only for the choice of the attacker's moves. Wins by
//! fours are found by the solver and checked by its verifier; everything else is decided by trying all replies.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::thread;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Point, PointSet, Rule, RuleKind, Size, Threat, notation};
use kagetsu::random::{IndexedRandom, Random, RngExt, SeedableRng};
use kagetsu::search::{Context, Limits, Report, Search};
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vcf, Verdict};
use kagetsu::with_rule;

/// Nodes for finding a win by fours, and for finding the attacker's move.
const VCF_NODES: u64 = 2_000_000;
const MOVE_NODES: u64 = 3_000_000;

/// Moves with which the attacker's turn is tried.
const TRIES: usize = 5;

/// The search's answer.
fn go<R: Rule>(search: &mut Search<R>, board: &Board<R>, limits: &Limits) -> Option<(Point, Report)> {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    search.go(board, limits, &Context { clock: &clock, start: clock.now(), stop: &stop }, &mut |_| {})
}

/// Plays announced wins out.
struct Checker<R: Rule> {
    vcf: Vcf<R>,
    search: Search<R>,
    /// Plies within which the side to move is known to win.
    confirmed: HashMap<u64, i32>,
    /// The last move that did not beat a reply, and the reply.
    refutation: Option<(Point, Point)>,
}

impl<R: Rule> Checker<R> {
    fn new() -> Checker<R> {
        Checker {
            vcf: Vcf::new(1 << 22),
            search: Search::new(32 << 20),
            confirmed: HashMap::new(),
            refutation: None,
        }
    }

    /// Whether the side to move wins within `plies`, whatever the opponent does.
    fn wins(&mut self, board: &mut Board<R>, plies: i32, hint: Option<Point>) -> bool {
        if self.confirmed.get(&board.hash()).is_some_and(|&known| known <= plies) {
            return true;
        }
        let won = plies >= 1 && !board.threats(board.side(), Threat::Five).is_empty()
            || plies >= 3 && (self.wins_by_fours(board, plies) || self.wins_by_moves(board, plies, hint));
        if won {
            self.confirmed.insert(board.hash(), plies);
        }
        won
    }

    fn wins_by_fours(&mut self, board: &mut Board<R>, plies: i32) -> bool {
        let (attacker, fours) = (board.side(), (plies as usize - 1) / 2);
        let mut budget = Budget::nodes(VCF_NODES);
        if self.vcf.within(board, attacker, fours, &mut budget) != Verdict::Win {
            return false;
        }
        let proof = self.vcf.proof(board, attacker, &mut Budget::unlimited()).expect("a win has a proof");
        assert_eq!(verify(board, attacker, &proof, &mut Budget::unlimited()), Ok(()));
        proof.length() <= plies as usize
    }

    /// Tries the announced move against all replies, then the moves that a longer search finds for a win as short.
    fn wins_by_moves(&mut self, board: &mut Board<R>, plies: i32, hint: Option<Point>) -> bool {
        if hint.is_some_and(|p| self.beats_all_replies(board, p, plies)) {
            return true;
        }
        let mut limits = Limits {
            nodes: Some(MOVE_NODES),
            mate: Some(plies as u32),
            excluded: PointSet::from_iter(hint),
            ..Limits::default()
        };
        for _ in 0..TRIES {
            let found = go(&mut self.search, board, &limits);
            let Some((p, _)) = found.filter(|(_, report)| limits.is_met_by(report.lines[0].score)) else {
                break;
            };
            if self.beats_all_replies(board, p, plies) {
                return true;
            }
            limits.excluded.insert(p);
        }
        false
    }

    fn beats_all_replies(&mut self, board: &mut Board<R>, p: Point, plies: i32) -> bool {
        assert!(board.is_legal(p), "{p}");
        board.play(p);
        let (attacker, defender) = (!board.side(), board.side());
        // All replies that leave a five lose at once.
        let replies: PointSet = match board.threats(attacker, Threat::Five).first() {
            Some(five) => board.five_replies(five, attacker),
            None => *board.empty(),
        };
        let legal: Vec<Point> = replies.iter().filter(|&q| board.is_legal(q)).collect();
        let beaten = board.threats(defender, Threat::Five).is_empty()
            && legal.into_iter().all(|reply| {
                board.play(reply);
                let won = self.wins(board, plies - 2, None);
                board.undo();
                if !won {
                    self.refutation = Some((p, reply));
                }
                won
            });
        board.undo();
        beaten
    }
}

/// Totals over a number of games.
#[derive(Default, Debug)]
struct Seen {
    games: u64,
    announced: u64,
    longest: i32,
    /// Announced plies and move, the moves to the position, and a move with a reply that was not refuted.
    unconfirmed: Vec<String>,
}

/// One game from an opening, `nodes` for each move.
fn play<R: Rule>(
    checker: &mut Checker<R>,
    search: &mut Search<R>,
    opening: &str,
    nodes: u64,
    seen: &mut Seen,
) {
    let position = notation::parse(opening, Some(Size::S15)).expect("an opening");
    let mut board = Board::<R>::from_position(&position).expect("a board");
    let mut text = opening.to_owned();
    search.clear();
    checker.confirmed.clear();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    while board.winner().is_none()
        && let Some((p, report)) = go(search, &board, &limits)
    {
        if let Some(plies) = report.lines[0].score.mate().filter(|&n| n > 0) {
            seen.announced += 1;
            seen.longest = seen.longest.max(plies);
            checker.refutation = None;
            if !checker.wins(&mut board, plies, Some(p)) {
                let last = checker.refutation;
                seen.unconfirmed.push(format!("{plies} plies by {p} in {text}; last tried: {last:?}"));
            }
        }
        text += &p.to_string();
        board.play(p);
    }
    seen.games += 1;
}

/// Games under a rule, each with its own opening and number of nodes for a move.
fn games(kind: RuleKind, count: u64, most_nodes: usize, seed: u64) -> Seen {
    let file = match kind {
        RuleKind::Freestyle => include_str!("../../book/openings/freestyle-15.txt"),
        RuleKind::Standard => include_str!("../../book/openings/standard-15.txt"),
        RuleKind::Renju => include_str!("../../book/openings/renju-15.txt"),
        RuleKind::Caro | RuleKind::Caro6 => include_str!("../../book/openings/caro-15.txt"),
    };
    let openings: Vec<&str> = file.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let mut random = Random::seed_from_u64(seed ^ kind as u64);
    let mut seen = Seen::default();
    with_rule!(kind, R => {
        let (mut checker, mut search) = (Checker::<R>::new(), Search::<R>::new(8 << 20));
        for _ in 0..count {
            let (opening, nodes) = (openings.choose(&mut random).unwrap(), 100 + random.random_range(..most_nodes));
            play(&mut checker, &mut search, opening, nodes as u64, &mut seen);
        }
    });
    seen
}

fn check(games_each: u64, most_nodes: usize, seed: u64) {
    let all: Vec<(RuleKind, Seen)> = thread::scope(|scope| {
        let play = |kind| scope.spawn(move || (kind, games(kind, games_each, most_nodes, seed)));
        RuleKind::ALL.map(play).into_iter().map(|game| game.join().expect("no panic")).collect()
    });
    let mut wrong = Vec::new();
    for (kind, seen) in all {
        println!(
            "{kind}: {} games, {} wins announced, the longest of {} plies",
            seen.games, seen.announced, seen.longest
        );
        assert!(seen.announced * 2 > seen.games, "{kind}: most games end by an announced win");
        wrong.extend(seen.unconfirmed.into_iter().map(|text| format!("{kind}: {text}")));
    }
    assert!(wrong.is_empty(), "{} wins not confirmed:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn announced_wins_are_wins() {
    check(3, 400, 1);
}

#[test]
#[ignore = "takes many minutes"]
fn announced_wins_of_5000_games_are_wins() {
    check(1000, 3000, 2);
}
