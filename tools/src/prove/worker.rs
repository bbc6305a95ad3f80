//! Answers questions about positions.
//!
//! Tables are emptied before every question, so that an answer depends only on the position and the question. So
//! several workers, or an interrupted search, reach the same answers as one undisturbed worker.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::effort::NODES;
use super::fact::{Answer, Ask, Fact};
use super::store::is_storable;
use kagetsu::book::Key;
use kagetsu::clock::SystemClock;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{Board, Color, Point, Position, Rule, RuleKind, Size, Threat};
use kagetsu::search::{Context, Limits};
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};

/// Nodes of the search that names moves.
const MOVE_NODES: u64 = 5_000;
/// Moves that it names.
const MOVE_LINES: usize = 8;
/// Nodes for a win of the defender's by fours.
const COUNTER_NODES: u64 = 20_000;
/// Node budget for extracting a proof and the replies that it covers, as a multiple of the nodes of the search that found
/// the win.
const PROOF_FACTOR: u64 = 20;
/// Smallest such budget.
const PROOF_NODES: u64 = 2_000_000;
/// Table size of small searches: larger tables would only take time to clear.
const SMALL_TABLE: usize = 8 << 20;
/// Largest table of other searches, of which the longest fills less than a quarter. A long proof has a large memory for the
/// sake of its tree; if the tables grew with it, to clear them would take longer than the searches.
const LARGE_TABLE: usize = 512 << 20;
/// Searches up to this place in the list are small.
const SMALL: usize = 1;
const GUIDE_TABLE: u64 = 4 << 20;

/// A solver and a search for one rule, with their memory.
pub struct Worker<R: Rule> {
    size: Size,
    attacker: Color,
    small: Vct<R>,
    /// Made when it is first needed.
    large: Option<Vct<R>>,
    table: usize,
    vcf: Vcf<R>,
    guide: Engine,
    stop: Arc<AtomicBool>,
}

impl<R: Rule> Worker<R> {
    /// A worker whose tables take about `table` bytes, or less if that is more than a search can use. Once `stop` is set it
    /// gives no more answers.
    pub fn new(
        rule: RuleKind,
        size: Size,
        attacker: Color,
        table: usize,
        stop: Arc<AtomicBool>,
    ) -> Worker<R> {
        let mut guide = Engine::new();
        guide.set_options(Options { rule, hash: Some(GUIDE_TABLE), ..Options::default() });
        let small = Vct::new(SMALL_TABLE.min(table));
        let table = LARGE_TABLE.min(table);
        Worker { size, attacker, small, large: None, table, vcf: Vcf::new(SMALL_TABLE / 8), guide, stop }
    }

    /// The answer; `None` if the work was stopped.
    pub fn find(&mut self, key: &Key, ask: Ask) -> Option<Fact> {
        let position = key.position(self.size);
        let board = Board::<R>::from_position(&position).ok()?;
        let fact = match ask {
            Ask::Moves => self.moves(position, &board),
            Ask::Win(step) => self.win(&board, step),
        };
        (!self.stop.load(Ordering::Relaxed)).then_some(fact)
    }

    fn win(&mut self, board: &Board<R>, step: usize) -> Fact {
        let stop = Arc::clone(&self.stop);
        let (attacker, defence) = (self.attacker, board.side() != self.attacker);
        let mut nodes = 0;
        if defence && self.is_refuted(board, &mut nodes) {
            return Fact { answer: Answer::Refuted, proof: None, nodes };
        }
        let legal = if defence { legal(board) } else { Vec::new() };
        // If Black under Renju has no legal move, that is no loss unless a five follows.
        if defence && legal.is_empty() && board.threats(attacker, Threat::Five).is_empty() {
            return Fact { answer: Answer::Open { exhausted: true, replies: legal }, proof: None, nodes };
        }
        let solver = if step <= SMALL {
            &mut self.small
        } else {
            self.large.get_or_insert_with(|| Vct::new(self.table))
        };
        solver.clear();
        let mut budget = Budget::nodes(NODES[step]).stopped_by(&stop);
        let verdict = solver.solve(board, attacker, &mut budget);
        nodes += budget.used();
        let limit = PROOF_NODES.max(PROOF_FACTOR * budget.used());
        let mut rest = Budget::nodes(limit).stopped_by(&stop);
        let proof = (verdict == Verdict::Win).then(|| solver.proof(&mut rest)).flatten();
        // A win whose proof takes too much, as one for which the nodes did not suffice, is left to be found
        // otherwise.
        let proof = proof.filter(is_storable);
        let answer = match &proof {
            Some(proof) => {
                let mut replies = legal;
                if defence {
                    let covered = solver.covered(board, attacker, proof, &mut rest);
                    replies.retain(|&p| !covered.contains(p));
                }
                Answer::Won { replies }
            }
            None => Answer::Open { exhausted: verdict == Verdict::NoWin, replies: legal },
        };
        Fact { answer, proof, nodes: nodes + rest.used() }
    }

    /// Returns whether the defender, to move, wins by fours.
    fn is_refuted(&mut self, board: &Board<R>, nodes: &mut u64) -> bool {
        let defender = board.side();
        if !board.threats(defender, Threat::Five).is_empty() {
            return true;
        }
        self.vcf.clear();
        let mut budget = Budget::nodes(COUNTER_NODES);
        let verdict = self.vcf.solve(board, defender, &mut budget);
        *nodes += budget.used();
        verdict == Verdict::Win
    }

    fn moves(&mut self, position: Position, board: &Board<R>) -> Fact {
        let own = position.side() == self.attacker;
        self.guide.clear();
        self.guide.set_position(position);
        let limits = Limits { nodes: Some(MOVE_NODES), multipv: MOVE_LINES, threads: 1, ..Limits::default() };
        let clock = SystemClock::new();
        let context = Context { clock: &clock, start: Duration::ZERO, stop: &self.stop };
        let report = self.guide.go(&limits, &context, &mut |_| {}).map(|(_, report)| report);
        let nodes = report.as_ref().map_or(0, |report| report.nodes);
        let mut others = legal(board);
        let mut named = Vec::new();
        for line in report.iter().flat_map(|report| &report.lines) {
            let score = if own { line.score.0 } else { -line.score.0 };
            let Some(&p) = line.moves.first() else { continue };
            if let Some(at) = others.iter().position(|&other| other == p) {
                others.remove(at);
                named.push((p, score));
            }
        }
        Fact { answer: Answer::Moves { named, others }, proof: None, nodes }
    }
}

/// The legal moves of the side to move, in board order.
fn legal<R: Rule>(board: &Board<R>) -> Vec<Point> {
    board.empty().iter().filter(|&p| !board.is_foul(p, board.side())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::Freestyle;

    /// A worker clears its table before every question.
    #[test]
    fn tables_do_not_grow_with_the_memory_of_the_tree() {
        let table = |bytes: usize| {
            let (rule, size) = (RuleKind::Freestyle, Size::S15);
            Worker::<Freestyle>::new(rule, size, Color::Black, bytes, Arc::default()).table
        };
        assert_eq!([1 << 20, LARGE_TABLE, usize::MAX].map(table), [1 << 20, LARGE_TABLE, LARGE_TABLE]);
    }
}
