//! Positions of the engine's own games: every win that a solver finds passes the verifier, and where the solver says
//! that there is no win by fours, a search that tries every move and every reply finds none either.

use std::fmt;
use std::ops::AddAssign;
use std::sync::atomic::AtomicBool;

use crate::common::exhaustive::Exhaustive;
use crate::common::random::Random;
use crate::common::reference::Grid;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Color, Point, Position, Rule, RuleKind, Size};
use kagetsu::search::{Context, Limits, Search};
use kagetsu::solve::proof::{After, Proof};
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};
use kagetsu::with_rule;

/// Stones on the board: fewer say little, and games that last longer are rare.
const STONES: std::ops::RangeInclusive<usize> = 10..=60;
/// One position in this many of a game, so that they differ by more than a stone.
const EVERY: usize = 3;
const VCF_NODES: u64 = 2_000_000;
const SHORTEST_NODES: u64 = 100_000;

/// The rules and sizes that are played.
fn kinds() -> impl Iterator<Item = (RuleKind, Size)> {
    let rules = [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju, RuleKind::Caro];
    rules.into_iter().flat_map(|rule| [(rule, Size::S15), (rule, Size::S20)])
}

/// The number of checks of one rule and size.
#[derive(Clone, Copy)]
struct Extent {
    positions: usize,
    /// Number of answers "no win by fours" that the exhaustive search has to confirm.
    compared: usize,
    /// Number of attacker's turns after which the exhaustive search skips a position.
    limit: usize,
    /// Budget of the solver for wins by threats.
    vct_nodes: u64,
}

/// Verdicts by their number.
#[derive(Default)]
struct Verdicts {
    wins: usize,
    none: usize,
    unknown: usize,
}

impl Verdicts {
    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Win => self.wins += 1,
            Verdict::NoWin => self.none += 1,
            Verdict::Unknown => self.unknown += 1,
        }
    }
}

impl AddAssign for Verdicts {
    fn add_assign(&mut self, other: Verdicts) {
        self.wins += other.wins;
        self.none += other.none;
        self.unknown += other.unknown;
    }
}

impl fmt::Display for Verdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} wins, {} none, {} unknown", self.wins, self.none, self.unknown)
    }
}

/// Totals of the checks. Every win counted here has passed the verifier.
#[derive(Default)]
struct Figures {
    positions: usize,
    vcf: Verdicts,
    /// Verdicts on wins by threats, where there is no win by fours.
    vct: Verdicts,
    /// Answers "no win by fours" that the exhaustive search confirmed.
    compared: usize,
    /// Answers "no win by fours" for which the exhaustive search gave up.
    too_large: usize,
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Figures) {
        self.positions += other.positions;
        self.vcf += other.vcf;
        self.vct += other.vct;
        self.compared += other.compared;
        self.too_large += other.too_large;
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions; vcf: {}; vct: {}; ", self.positions, self.vcf, self.vct)?;
        write!(f, "no vcf confirmed: {}, too large: {}", self.compared, self.too_large)
    }
}

struct Checker<R: Rule> {
    vcf: Vcf<R>,
    vct: Vct<R>,
    extent: Extent,
    figures: Figures,
}

impl<R: Rule> Checker<R> {
    fn new(extent: Extent) -> Checker<R> {
        Checker { vcf: Vcf::new(1 << 20), vct: Vct::new(1 << 22), extent, figures: Figures::default() }
    }

    fn is_done(&self) -> bool {
        self.figures.positions >= self.extent.positions
    }

    /// Checks the solvers for each colour as the attacker, who is to move.
    fn look_at(&mut self, board: &Board<R>) {
        self.figures.positions += 1;
        for attacker in Color::BOTH {
            let mut budget = Budget::nodes(VCF_NODES);
            let verdict = self.vcf.solve(board, attacker, &mut budget);
            self.figures.vcf.count(verdict);
            match verdict {
                Verdict::Win => self.check_win_by_fours(board, attacker),
                Verdict::NoWin if budget.used() > 0 => self.confirm(board, attacker),
                _ => {}
            }
            if verdict != Verdict::Win {
                self.look_for_threats(board, attacker);
            }
        }
    }

    fn check_win_by_fours(&mut self, board: &Board<R>, attacker: Color) {
        let first = self.check_last_win(board, attacker);
        let (verdict, _) = self.vcf.shortest(board, attacker, &mut Budget::nodes(SHORTEST_NODES));
        if verdict == Verdict::Win {
            let shortest = self.check_last_win(board, attacker);
            assert!(shortest <= first, "{}", Description(board, attacker));
        }
    }

    /// Checks the win that the solver has just found; returns its length.
    fn check_last_win(&mut self, board: &Board<R>, attacker: Color) -> usize {
        let line = self.vcf.line().len();
        let proof = self.vcf.proof(board, attacker, &mut Budget::unlimited()).expect("a proof");
        check(board, attacker, &proof);
        // The last four is answered and the five made, unless a five was there at once.
        let length = if proof.first().after == After::Five { line } else { line + 2 };
        assert_eq!(proof.length(), length, "{}", Description(board, attacker));
        length
    }

    fn look_for_threats(&mut self, board: &Board<R>, attacker: Color) {
        let verdict = self.vct.solve(board, attacker, &mut Budget::nodes(self.extent.vct_nodes));
        self.figures.vct.count(verdict);
        if verdict == Verdict::Win {
            let proof = self.vct.proof(&mut Budget::unlimited()).expect("a proof");
            check(board, attacker, &proof);
        }
    }

    /// Makes the exhaustive search look for a win by fours in the wanted number of positions, evenly spread.
    fn confirm(&mut self, board: &Board<R>, attacker: Color) {
        let Figures { positions, compared, .. } = self.figures;
        if compared * self.extent.positions >= positions * self.extent.compared {
            return;
        }
        let stones = Color::BOTH.map(|c| board.stones_of(c).iter().map(move |p| (p, c)));
        let grid = Grid::from_stones(board.size(), stones.into_iter().flatten());
        let mut slow = Exhaustive::any(grid, attacker, R::KIND, self.extent.limit);
        let found = slow.solve();
        if slow.gave_up() {
            self.figures.too_large += 1;
        } else {
            assert_eq!(found, None, "{}", Description(board, attacker));
            self.figures.compared += 1;
        }
    }
}

/// Names a position in a failure.
struct Description<'a, R: Rule>(&'a Board<R>, Color);

impl<R: Rule> fmt::Display for Description<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Description(board, attacker) = self;
        write!(f, "{} {} {attacker}", R::KIND, board.size().side())?;
        let stones = |c| board.stones_of(c).iter().map(|p| p.to_string()).collect::<Vec<_>>().join(" ");
        write!(f, ", black {}, white {}", stones(Color::Black), stones(Color::White))
    }
}

fn check<R: Rule>(board: &Board<R>, attacker: Color, proof: &Proof) {
    assert_eq!(
        verify(&mut board.clone(), attacker, proof, &mut Budget::unlimited()),
        Ok(()),
        "{}",
        Description(board, attacker)
    );
}

/// The engine's move after a search of about `nodes` nodes.
fn engine_move<R: Rule>(search: &mut Search<R>, board: &Board<R>, nodes: u64) -> Option<Point> {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let context = Context { clock: &clock, start: clock.now(), stop: &stop };
    Some(search.go(board, &limits, &context, &mut |_| {})?.0)
}

/// Plays games from random openings and checks some of their positions until there are enough.
fn check_games<R: Rule>(size: Size, extent: Extent, seed: u64) -> Figures {
    let mut random = Random::new(seed);
    let mut search = Search::<R>::new(4 << 20);
    let mut checker = Checker::<R>::new(extent);
    while !checker.is_done() {
        let stones = 3 + random.below(5);
        let opening: Position = random.position(size, stones);
        let mut board = Board::<R>::from_position(&opening).expect("a legal opening");
        while board.stones() < *STONES.end() && !checker.is_done() {
            let nodes = 100 + random.below(400) as u64;
            let Some(p) = engine_move(&mut search, &board, nodes) else { break };
            board.play(p);
            if board.winner().is_some() {
                break;
            }
            if STONES.contains(&board.stones()) && random.below(EVERY) == 0 {
                checker.look_at(&board);
            }
        }
    }
    checker.figures
}

fn check_all(extent: Extent) -> Figures {
    let mut total = Figures::default();
    for (seed, (rule, size)) in (1..).zip(kinds()) {
        let figures = with_rule!(rule, R => check_games::<R>(size, extent, seed));
        println!("{rule} {}: {figures}", size.side());
        total += figures;
    }
    println!("all: {total}");
    total
}

#[test]
fn wins_are_proofs_and_no_win_is_none() {
    let figures = check_all(Extent { positions: 40, compared: 8, limit: 60, vct_nodes: 3_000 });
    assert!(figures.vcf.wins > 20 && figures.vct.wins > 10 && figures.compared >= 60, "{figures}");
}

#[test]
#[ignore = "some ten minutes: the whole of the test above"]
fn wins_are_proofs_and_no_win_is_none_in_20_000_positions() {
    let figures = check_all(Extent { positions: 2_500, compared: 501, limit: 20_000, vct_nodes: 20_000 });
    assert!(figures.positions >= 20_000 && figures.compared >= 4_000, "{figures}");
}
