//! The way back from the end of a game to its hard positions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kagetsu::clock::SystemClock;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{Point, Position, RuleKind, notation};
use kagetsu::search::{Context, Limits, Report};

use super::game::Played;
use super::settings::Effort;
use crate::study::wins::{self, WinQuestion};
use crate::study::{Kind, Means};
use crate::suite::verdict::Verdict;

/// Nodes of a proof after which no harder position of the game is looked for.
const ENOUGH: u64 = 2_000_000;
/// Plies between two positions of a game: neighbours are alike.
const APART: usize = 2;
/// A best move must be better than the next one by this.
const MARGIN: i32 = 200;
/// A search with several lines is looked at after the whole effort divided by this, before the rest is spent.
const FIRST_LOOK: u64 = 8;
/// Stones that the solver may put on the board to prove a win by threats alone.
const SOLVER_NODES: u64 = 300_000;
/// Bytes of the solver's tables.
const SOLVER_MEMORY: usize = 16 << 20;

/// A hard position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hard {
    /// The position.
    pub position: Position,
    /// The verdict.
    pub verdict: Verdict,
    /// Nodes of the search that gave it.
    pub nodes: u64,
    /// Whether a solver has found a win by threats, which the verifier has accepted.
    pub verified: bool,
}

impl Hard {
    /// Returns how the verdict was found.
    pub fn reason(&self) -> String {
        let found = match self.verdict {
            Verdict::Best(_) => "compared",
            _ if self.verified => "proven, and by threats alone,",
            _ => "proven",
        };
        format!("{found} by {} nodes", self.nodes)
    }
}

/// Search for hard positions in a finished game, from its end backwards.
pub struct Walker {
    rule: RuleKind,
    effort: Effort,
    engine: Engine,
}

/// Outcome of a search for a proof.
#[derive(Default)]
struct Search {
    /// The proven result, and the nodes until its proof.
    proof: Option<(Verdict, u64)>,
    /// Best move after the short effort.
    early: Option<Point>,
    /// Best move at the end.
    late: Option<Point>,
}

impl Walker {
    /// Prepares to walk through games of a rule.
    pub fn new(rule: RuleKind, effort: Effort) -> Walker {
        let mut engine = Engine::new();
        engine.set_options(Options { rule, hash: Some(effort.hash), ..Options::default() });
        Walker { rule, effort, engine }
    }

    /// Returns the hard positions of a game that began with this number of stones; `None` if it was stopped. There are two at
    /// most, since neighbours in a game are alike: of the positions after the last mistake the one whose proof takes most
    /// nodes; and the position of the mistake, or else the last one of the others.
    pub fn walk(&mut self, played: &Played, opening: usize, stop: &AtomicBool) -> Option<Vec<Hard>> {
        let (mut proven, mut mistake): (Vec<Hard>, _) = (Vec::new(), None);
        let mut position = played.end.clone();
        while let Some(winner) = played.winner
            && position.moves().len() > opening
            && proven.last().is_none_or(|hard| hard.nodes < ENOUGH)
        {
            let expected = if position.side() == winner { Verdict::Win } else { Verdict::Loss };
            let search = self.prove(&position, stop)?;
            let Some((_, nodes)) = search.proof.filter(|(verdict, _)| *verdict == expected) else {
                if expected == Verdict::Loss {
                    mistake = self.mistake(&position, &search, stop)?;
                }
                break;
            };
            if nodes > self.effort.short {
                let position = position.clone();
                proven.push(Hard { position, verdict: expected, nodes, verified: false });
            }
            position.pop();
        }
        let mut chosen = choose(proven, mistake);
        for hard in chosen.iter_mut().filter(|hard| hard.verdict == Verdict::Win) {
            hard.verified = self.verify(&hard.position, stop);
        }
        // A solver that was stopped misses wins, so that the reason would be another one than in a whole search.
        (!stop.load(Ordering::Relaxed)).then_some(chosen)
    }

    /// Searches for a proof, and gives up early where the score promises none. `None` if it was stopped.
    fn prove(&mut self, position: &Position, stop: &AtomicBool) -> Option<Search> {
        let Effort { short, long, promise, .. } = self.effort;
        let ended = AtomicBool::new(false);
        let mut search = Search::default();
        let mut hear = |report: &Report| {
            let Some(line) = report.lines.first() else { return };
            let verdict = [Verdict::Win, Verdict::Loss].into_iter().find(|verdict| verdict.agrees(line));
            search.proof = search.proof.or(verdict.map(|verdict| (verdict, report.nodes)));
            search.late = line.moves.first().copied();
            if search.early.is_none() || report.nodes <= short {
                search.early = search.late;
            }
            let hopeless = report.nodes >= short && line.score.0.abs() < promise;
            if search.proof.is_some() || hopeless || stop.load(Ordering::Relaxed) {
                ended.store(true, Ordering::Relaxed);
            }
        };
        self.go(position, &Limits { nodes: Some(long), ..Limits::default() }, &ended, &mut hear);
        log::debug!("after {} moves: {:?}", position.moves().len(), search.proof);
        (!stop.load(Ordering::Relaxed)).then_some(search)
    }

    /// Returns the position of the last mistake if it is hard: it was won, or one move was much better than all others, and
    /// the short search missed that. The outer `None` says that it was stopped.
    fn mistake(&mut self, position: &Position, search: &Search, stop: &AtomicBool) -> Option<Option<Hard>> {
        match search.proof {
            Some((verdict, nodes)) => {
                let hard = Hard { position: position.clone(), verdict, nodes, verified: false };
                Some((nodes > self.effort.short).then_some(hard))
            }
            None if search.late != search.early => self.single_move(position, search.early, stop),
            None => Some(None),
        }
    }

    /// Returns the position if it has one move much better than all others, and the short search has chosen another one.
    /// The outer `None` says that it was stopped.
    fn single_move(
        &mut self,
        position: &Position,
        early: Option<Point>,
        stop: &AtomicBool,
    ) -> Option<Option<Hard>> {
        let nodes = self.effort.compare;
        for nodes in [nodes / FIRST_LOOK, nodes] {
            let limits = Limits { nodes: Some(nodes), multipv: 2, ..Limits::default() };
            let report = if nodes > 0 { self.go(position, &limits, stop, &mut |_| {}) } else { None };
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let best = report.as_ref().and_then(much_better).filter(|&best| Some(best) != early);
            let Some(best) = best else { return Some(None) };
            if nodes == self.effort.compare {
                let (position, verdict) = (position.clone(), Verdict::Best(best));
                return Some(Some(Hard { position, verdict, nodes, verified: false }));
            }
        }
        Some(None)
    }

    /// Searches a position with cleared tables.
    fn go(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &AtomicBool,
        hear: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        self.engine.set_position(position.clone());
        self.engine.clear();
        let clock = SystemClock::new();
        let context = Context { clock: &clock, start: Duration::ZERO, stop };
        self.engine.go(limits, &context, hear).map(|(_, report)| report)
    }

    /// Returns whether a solver finds a win by threats for the side to move that passes the verifier.
    fn verify(&self, position: &Position, stop: &AtomicBool) -> bool {
        let question = WinQuestion {
            position: position.clone(),
            rule: self.rule,
            attacker: position.side(),
            kind: Kind::Vct,
            shortest: false,
        };
        let means = Means {
            threads: 1,
            hash: SOLVER_MEMORY,
            nodes: Some(SOLVER_NODES),
            time: None,
            stop,
            watch: &|_| {},
        };
        match wins::find(&question, &means) {
            Ok((found, _)) => found.win.is_some(),
            Err(error) => {
                log::warn!("{}: {error}", notation::print(position));
                false
            }
        }
    }
}

/// Returns the best move of a report with two lines, if it is much better than the second.
fn much_better(report: &Report) -> Option<Point> {
    let [best, second] = report.lines.get(..2)? else { return None };
    (best.score.0 - second.score.0 >= MARGIN).then(|| best.moves.first().copied())?
}

/// Returns two positions at most: the proven one that takes most nodes, and that of the mistake. Without a mistake the
/// second is the proven position nearest the end of the game, unless it is a neighbour of the first.
fn choose(proven: Vec<Hard>, mistake: Option<Hard>) -> Vec<Hard> {
    let hardest = proven.iter().max_by_key(|hard| hard.nodes).cloned();
    let plies = |hard: &Hard| hard.position.moves().len();
    let is_apart =
        |other: &Hard| hardest.as_ref().is_none_or(|hard| plies(hard).abs_diff(plies(other)) >= APART);
    let other = mistake.or_else(|| proven.first().cloned().filter(is_apart));
    hardest.iter().cloned().chain(other).collect()
}

#[cfg(test)]
mod tests {
    use kagetsu::game::{Color, Size};

    use super::*;

    fn effort(short: u64, long: u64) -> Effort {
        Effort { short, long, promise: -30_000, compare: 0, hash: 4 << 20 }
    }

    fn position(moves: &str) -> Position {
        notation::parse(moves, Some(Size::S15)).unwrap()
    }

    fn walk(effort: Effort, end: &str, winner: Option<Color>) -> Vec<Hard> {
        let played = Played { end: position(end), winner };
        let mut walker = Walker::new(RuleKind::Freestyle, effort);
        walker.walk(&played, 1, &AtomicBool::new(false)).unwrap()
    }

    /// Black's j8 makes two open threes, and White looks elsewhere.
    const LOST: &str = "h8a1i8c1j9e3j10a15j8o1";

    #[test]
    fn proofs_of_a_lost_game_are_found_where_they_begin() {
        let found = walk(effort(1, 20_000), LOST, Some(Color::Black));
        let hardest = found.first().unwrap();
        assert!(hardest.nodes > 1 && hardest.position.moves().len() < 10, "{found:?}");
        let wins = |hard: &Hard| (hard.position.side() == Color::Black) == (hard.verdict == Verdict::Win);
        assert!(found.iter().all(wins), "{found:?}");
        assert!(found.iter().all(|hard| hard.verified == (hard.verdict == Verdict::Win)), "{found:?}");
        assert_eq!(walk(effort(19_999, 20_000), LOST, Some(Color::Black)), [], "a short search proves it");
        assert_eq!(walk(effort(1, 20_000), LOST, None), [], "drawn");
        assert_eq!(walk(effort(1, 20_000), "h8i8", Some(Color::White)), [], "no search proves this");
    }

    /// The list would depend on when a run was interrupted.
    #[test]
    fn a_walk_that_was_stopped_on_the_way_gives_nothing() {
        let played = Played { end: position(LOST), winner: None };
        let mut walker = Walker::new(RuleKind::Freestyle, effort(1, 20_000));
        let walked = [false, true].map(|stop| walker.walk(&played, 1, &AtomicBool::new(stop)));
        assert_eq!(walked, [Some(Vec::new()), None]);
    }

    #[test]
    fn the_hardest_and_the_mistake_or_the_last_are_chosen() {
        let moves = ["h8h9i8i9j8", "h8h9i8i9", "h8h9i8", "h8h9"];
        let hard = |(moves, nodes)| Hard {
            position: position(moves),
            verdict: Verdict::Win,
            nodes,
            verified: false,
        };
        let chosen = |nodes: [u64; 4], mistake: Option<u64>| {
            let proven = moves.into_iter().zip(nodes).map(hard).collect();
            let chosen = choose(proven, mistake.map(|nodes| hard(("h8", nodes))));
            chosen.iter().map(|hard| hard.nodes).collect::<Vec<_>>()
        };
        assert_eq!(chosen([5, 6, 9, 8], None), [9, 5]);
        assert_eq!(chosen([5, 9, 7, 8], None), [9], "neighbours");
        assert_eq!(chosen([9, 5, 7, 8], None), [9]);
        assert_eq!(chosen([5, 6, 9, 8], Some(3)), [9, 3]);
        assert_eq!(choose(Vec::new(), None), []);
        assert_eq!(choose(Vec::new(), Some(hard(("h8", 3)))).len(), 1);
    }

    #[test]
    fn a_missed_win_counts_if_a_short_search_does_not_see_it() {
        let position = position("h8h9i8");
        let search = Search { proof: Some((Verdict::Win, 50)), ..Search::default() };
        let missed = |short| {
            let mut walker = Walker::new(RuleKind::Freestyle, effort(short, 2000));
            walker.mistake(&position, &search, &AtomicBool::new(false)).unwrap()
        };
        assert_eq!(missed(50), None);
        assert!(missed(49).is_some_and(|hard| (hard.verdict, hard.nodes) == (Verdict::Win, 50)));
    }

    /// In the first position White threatens five at one point, l8.
    #[test]
    fn a_much_better_move_counts_if_a_short_search_does_not_choose_it() {
        let point = |name: &str| notation::parse_point(name, Size::S15).ok();
        let single = |moves: &str, early: &str| {
            let mut walker = Walker::new(RuleKind::Freestyle, Effort { compare: 2000, ..effort(1, 2000) });
            let found = walker.single_move(&position(moves), point(early), &AtomicBool::new(false)).unwrap();
            found.map(|hard| hard.verdict)
        };
        assert_eq!(single("g8h8a1i8a3j8a5k8", "h9"), point("l8").map(Verdict::Best));
        assert_eq!(single("g8h8a1i8a3j8a5k8", "l8"), None, "the short search has it too");
        assert_eq!(single("h8", "h9"), None, "a quiet board has no such move");
    }
}
