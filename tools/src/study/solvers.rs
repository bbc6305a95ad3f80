//! The solvers' part of a study: which wins they look for, their shares of the budget, and the lines of their proofs.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::By;
use kagetsu::clock::Clock;
use kagetsu::game::{Board, Color, Point, Rule};
use kagetsu::search::{Limits, Score};
use kagetsu::solve::defend::defences;
use kagetsu::solve::proof::Proof;
use kagetsu::solve::verify::{Flaw, verify};
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};

/// A proven win of the attacker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Win {
    /// The solver that found it.
    pub by: By,
    /// Plies up to and including the five, if the defender holds out longest.
    pub length: usize,
    /// The moves up to the one that decides; `None` for a turn at which all replies lose alike.
    pub line: Vec<Option<Point>>,
}

impl Win {
    /// Its score from the attacker's view.
    pub fn score(&self) -> Score {
        Score(Score::MATE - self.length as i32)
    }
}

/// A win by fours that the opponent would have after a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The win.
    pub win: Win,
    /// Moves after which it is gone, in board order.
    pub stops: Vec<Point>,
    /// Whether the list is complete.
    pub complete: bool,
}

/// The budget of a stage: the part of the time at which it ends, and its part of the nodes.
#[derive(Clone, Copy)]
struct Share {
    time: f64,
    nodes: f64,
}

const OWN_FOURS: Share = Share { time: 0.15, nodes: 0.125 };
const THEIR_FOURS: Share = Share { time: 0.2, nodes: 0.0625 };
const DEFENCES: Share = Share { time: 0.25, nodes: 0.0625 };
const THREATS: Share = Share { time: 0.5, nodes: 0.25 };
/// Wins by threats on a thread of their own.
const THREATS_BESIDE: Share = Share { time: 0.95, nodes: 0.25 };
/// Writing down the proof of a win that was found.
const PROOF: Share = Share { time: 0.95, nodes: 0.25 };

/// Most nodes that the stages share if the depth of the search is limited, or nothing is: such an answer should be repeatable,
/// and a limit of time as well must not make it take longer.
const NODES: u64 = 1_000_000;
/// Memory for the solver of wins by fours.
const FOURS_TABLE: usize = 1 << 22;

/// The solvers at one position.
pub struct Solvers<'a, R: Rule> {
    board: Board<R>,
    vcf: Vcf<R>,
    hash: usize,
    time: Option<Duration>,
    limit: Option<u64>,
    beside: bool,
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
    nodes: u64,
}

impl<'a, R: Rule> Solvers<'a, R> {
    /// Creates solvers for the position on `board`, with `hash` bytes for tables at most.
    pub fn new(
        board: &Board<R>,
        limits: &Limits,
        hash: u64,
        clock: &'a dyn Clock,
        stop: &'a AtomicBool,
    ) -> Solvers<'a, R> {
        let hash = usize::try_from(hash).unwrap_or(usize::MAX / 2);
        let repeatable = limits.depth.is_some() || limits.turn.is_none() && limits.nodes.is_none();
        let most = repeatable.then_some(NODES);
        Solvers {
            board: board.clone(),
            vcf: Vcf::new(hash.min(FOURS_TABLE)),
            hash,
            time: limits.turn,
            limit: limits.nodes.into_iter().chain(most).min(),
            beside: limits.threads > 1,
            clock,
            stop,
            nodes: 0,
        }
    }

    /// Returns the nodes used since the last call.
    pub fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }

    fn budget(&self, share: Share) -> Budget<'a> {
        let nodes = self.limit.map_or(u64::MAX, |limit| (limit as f64 * share.nodes) as u64);
        self.timed(share.time, Budget::nodes(nodes))
    }

    /// A budget held to this part of the time as well.
    fn timed(&self, part: f64, budget: Budget<'a>) -> Budget<'a> {
        let deadline = self.time.map_or(Duration::MAX, |time| time.mul_f64(part));
        budget.until(self.clock, deadline).stopped_by(self.stop)
    }

    /// A shortest win of the side to move by fours, or one that may not be shortest if time runs out.
    pub fn win_by_fours(&mut self) -> Option<Win> {
        let side = self.board.side();
        let mut budget = self.budget(OWN_FOURS);
        let (verdict, _) = self.vcf.shortest(&self.board, side, &mut budget);
        self.nodes += budget.used();
        if verdict == Verdict::Win { self.fours_proven(side) } else { None }
    }

    /// The opponent's win by fours after a pass, with the moves that stop it.
    pub fn threat(&mut self) -> Option<Threat> {
        let opponent = !self.board.side();
        let mut budget = self.budget(THEIR_FOURS);
        let (verdict, _) = self.vcf.shortest(&self.board, opponent, &mut budget);
        self.nodes += budget.used();
        if verdict != Verdict::Win {
            return None;
        }
        let win = self.fours_proven(opponent)?;
        let mut budget = self.budget(DEFENCES);
        let found = defences(std::slice::from_mut(&mut self.vcf), &self.board, &mut budget, || {});
        self.nodes += budget.used();
        Some(Threat { win, stops: found.stops, complete: found.undecided.is_empty() })
    }

    /// If the side to move loses to fours whatever it plays, returns the move that holds out longest, and the
    /// win after it. Of several moves, it is the one that takes the point of the opponent's strongest threat.
    pub fn loss(&mut self) -> Option<(Point, Win)> {
        let opponent = !self.board.side();
        let mut moves: Vec<Point> = self.board.empty().iter().filter(|&p| self.board.is_legal(p)).collect();
        moves.sort_by_key(|&p| Reverse(self.board.level(p, opponent)));
        let mut longest: Option<(Point, Win)> = None;
        for p in moves {
            self.board.play(p);
            let mut budget = self.budget(DEFENCES);
            let (verdict, _) = self.vcf.shortest(&self.board, opponent, &mut budget);
            self.nodes += budget.used();
            let win = if verdict == Verdict::Win { self.fours_proven(opponent) } else { None };
            self.board.undo();
            let win = win?;
            if longest.as_ref().is_none_or(|(_, other)| win.length > other.length) {
                longest = Some((p, win));
            }
        }
        longest
    }

    /// The win that the solver of fours has just found.
    fn fours_proven(&mut self, attacker: Color) -> Option<Win> {
        let mut budget = self.budget(PROOF);
        let proof = self.vcf.proof(&self.board, attacker, &mut budget);
        self.nodes += budget.used();
        self.checked(By::Vcf, attacker, &proof?)
    }

    /// A win of the side to move by threats.
    pub fn win_by_threats(&mut self) -> Option<Win> {
        let side = self.board.side();
        let mut vct = Vct::<R>::new(self.hash);
        let mut budget = self.budget(if self.beside { THREATS_BESIDE } else { THREATS });
        let verdict = vct.solve(&self.board, side, &mut budget);
        self.nodes += budget.used();
        if verdict != Verdict::Win {
            return None;
        }
        let mut budget = self.budget(PROOF);
        let proof = vct.proof(&mut budget);
        self.nodes += budget.used();
        self.checked(By::Vct, side, &proof?)
    }

    /// Only wins that the verifier confirms are shown as proven.
    fn checked(&mut self, by: By, attacker: Color, proof: &Proof) -> Option<Win> {
        // The stones that the check puts on the board do not count as nodes of the search, but its time counts.
        let mut budget = self.timed(PROOF.time, Budget::unlimited());
        if let Err(broken) = verify(&mut self.board, attacker, proof, &mut budget) {
            if broken.flaw == Flaw::Unfinished {
                return None;
            }
            log::error!("a proof by {} does not pass the verifier: {broken}", by.name());
            return None;
        }
        Some(Win { by, length: proof.length(), line: proof.line() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::clock::SystemClock;
    use kagetsu::game::Freestyle;
    use kagetsu::game::notation::parse;

    /// White has an open four, so that every move of Black loses in two plies.
    #[test]
    fn a_lost_side_takes_a_point_of_the_winner() {
        let position = parse("h10h8i10i8o1j8o15k8", None).unwrap();
        let board = Board::<Freestyle>::from_position(&position).unwrap();
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let mut solvers = Solvers::new(&board, &Limits::default(), 1 << 20, &clock, &stop);
        let (p, win) = solvers.loss().unwrap();
        assert!(["g8", "l8"].contains(&p.to_string().as_str()), "{p}");
        assert_eq!(win.length, 1);
    }

    /// A search to a small depth takes a moment, and the solvers must not go on for the rest of an hour.
    #[test]
    fn a_further_limit_gives_the_solvers_no_more_nodes() {
        let board = Board::<Freestyle>::from_position(&parse("h8h9", None).unwrap()).unwrap();
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let nodes = |limits: &Limits| {
            Solvers::new(&board, limits, 1 << 20, &clock, &stop).budget(THREATS_BESIDE).left()
        };
        let (depth, turn) = (Some(6), Some(Duration::from_secs(3600)));
        let by_depth = nodes(&Limits { depth, ..Limits::default() });
        assert_eq!(nodes(&Limits { depth, turn, ..Limits::default() }), by_depth);
        assert_eq!(nodes(&Limits { depth, nodes: Some(1 << 40), ..Limits::default() }), by_depth);
        assert!(nodes(&Limits { depth, nodes: Some(1000), ..Limits::default() }) < by_depth);
        assert!(nodes(&Limits { turn, ..Limits::default() }) > by_depth, "the time alone");
    }
}
