//! One game of the engine against itself.
//!
//! A game begins with random stones and continues with the best moves of small searches, now and then with another good
//! move, until a win is proven: the rest of a game teaches nothing. A game depends only on its recipe and number.

use std::sync::atomic::AtomicBool;

use super::game::{Choice, Ending, Exploration, Game, Ply};
use super::run::Maker;
use super::scatter::{quiet, scatter};
use super::searcher::{Found, Searcher};
use kagetsu::clock::Clock;
use kagetsu::eval::Evaluator;
use kagetsu::game::{Board, Color, Move, Point, PointSet, Rule, RuleKind, Size};
use kagetsu::random::{IndexedRandom, Random, RngExt, SeedableRng};
use kagetsu::search::{Candidates, Score};
use kagetsu::with_rule;

/// Random stones at the start.
const STONES: (usize, usize) = (1, 8);
/// An opening is one-sided if the first search gives a larger score than the first of these; in one game of [`UNEVEN`],
/// than the second. The larger one admits many openings that are decided.
const ONE_SIDED: [i32; 2] = [120, 250];
/// One game in this many may begin from a less even opening: such positions occur in searches too.
const UNEVEN: u32 = 5;
/// Number of one-sided openings discarded before one is played anyway, because such games teach too.
const OPENINGS: usize = 6;
/// Plies after the opening in which moves vary often.
const EARLY: usize = 8;
/// One move in this many varies: early, and later.
const VARIED: [usize; 2] = [6, 40];
/// Largest score difference to the best move at which another move may be played for variety.
const CLOSE: i32 = 60;
/// Number of plies in ten at which an exploration sample is taken.
const EXPLORATIONS: u32 = 6;
/// Number of exploration samples in ten that have a second random move.
const SECOND: u32 = 4;
/// Half of the random moves are among this many best moves by the policy; the others are anywhere near stones.
const PLAUSIBLE: usize = 12;
/// Plies without an advantage after which a crowded board is called a draw.
const LEVEL_PLIES: usize = 16;
/// Largest absolute score that does not count as an advantage.
const LEVEL: i32 = 25;

/// Properties of the games wanted.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The rule.
    pub rule: RuleKind,
    /// The board.
    pub size: Size,
    /// Nodes after which a search begins no further iteration.
    pub nodes: u64,
    /// Every seed is another set of games.
    pub seed: u64,
}

/// Returns a player of the games of a recipe.
pub fn player(recipe: Recipe, clock: Box<dyn Clock>) -> Box<dyn Maker> {
    with_rule!(recipe.rule, R => Box::new(SelfPlayer::<R> { recipe, searcher: Searcher::new(clock) }))
}

/// Plays games of the engine against itself under one rule.
struct SelfPlayer<R: Rule> {
    recipe: Recipe,
    searcher: Searcher<R>,
}

impl<R: Rule> Maker for SelfPlayer<R> {
    fn game(&mut self, number: u64, stop: &AtomicBool) -> Option<Game> {
        let mut random = Random::seed_from_u64(self.recipe.seed << 32 ^ number);
        self.searcher.clear();
        let (mut board, mut plies) = self.open(&mut random, stop)?;
        let opening = plies.len();
        let mut level = 0;
        let (winner, ending) = loop {
            if let Some(winner) = board.winner() {
                break (Some(winner), Ending::Five);
            }
            let Some((best, score)) = self.search(&board, PointSet::EMPTY, 1, stop)? else {
                break (None, Ending::Full);
            };
            if let Some(plies_to_end) = Score(score).mate() {
                let side = board.side();
                plies.push(Ply {
                    point: best,
                    score: score as i16,
                    choice: Choice::Best,
                    samples: Vec::new(),
                });
                break (Some(if plies_to_end > 0 { side } else { !side }), Ending::Proven);
            }
            level = if score.abs() <= LEVEL { level + 1 } else { 0 };
            if level >= LEVEL_PLIES && board.stones() * 5 > self.recipe.size.area() * 3 {
                break (None, Ending::Adjudicated);
            }
            let rate = VARIED[usize::from(plies.len() >= opening + EARLY)];
            let other = if random.random_range(..rate) == 0 {
                self.another(&board, (best, score), stop)?
            } else {
                None
            };
            let choice = if other.is_some() { Choice::Varied } else { Choice::Best };
            let point = other.unwrap_or(best);
            let samples = self.explore(&board, &mut random, stop)?.into_iter().collect();
            plies.push(Ply { point, score: score as i16, choice, samples });
            board.play(point);
        };
        Some(Game { number, rule: self.recipe.rule, size: self.recipe.size, winner, ending, plies })
    }
}

impl<R: Rule> SelfPlayer<R> {
    /// Returns random stones with a small score by a short search.
    fn open(&mut self, random: &mut Random, stop: &AtomicBool) -> Option<(Board<R>, Vec<Ply>)> {
        let one_sided = ONE_SIDED[usize::from(random.random_ratio(1, UNEVEN))];
        let mut tries = 0;
        loop {
            let Some(position) = scatter::<R>(self.recipe.size, STONES, random) else { continue };
            let board = Board::<R>::from_position(&position).ok()?;
            let score = self.search(&board, PointSet::EMPTY, 1, stop)?.map_or(0, |(_, score)| score);
            tries += 1;
            let proven = Score(score).mate().is_some();
            if !proven && (score.abs() <= one_sided || tries > OPENINGS) {
                let ply = |m: &Move| {
                    Some(Ply { point: m.point()?, score: 0, choice: Choice::Opening, samples: Vec::new() })
                };
                return Some((board, position.moves().iter().filter_map(ply).collect()));
            }
        }
    }

    /// Searches with a part of the budget. Returns `Some(None)` if there is no move, `None` if it was stopped.
    fn search(
        &mut self,
        board: &Board<R>,
        excluded: PointSet,
        part: u64,
        stop: &AtomicBool,
    ) -> Option<Option<Found>> {
        self.searcher.find(board, excluded, self.recipe.nodes / part, stop)
    }

    /// Takes an exploration sample now and then: the search's result after one or two random moves.
    fn explore(
        &mut self,
        board: &Board<R>,
        random: &mut Random,
        stop: &AtomicBool,
    ) -> Option<Option<Exploration>> {
        if !random.random_ratio(EXPLORATIONS, 10) {
            return Some(None);
        }
        let mut board = board.clone();
        let mut moves = Vec::new();
        for _ in 0..1 + usize::from(random.random_ratio(SECOND, 10)) {
            let Some(p) = self.random_move(&board, random) else { return Some(None) };
            board.play(p);
            moves.push(p);
        }
        if !quiet(&board) {
            return Some(None);
        }
        let found = self.search(&board, PointSet::EMPTY, 1, stop)?;
        Some(found.map(|(best, score)| Exploration { moves, best: Some(best), score: score as i16 }))
    }

    /// Returns a random legal move near stones, half of the time a good one by the policy.
    fn random_move(&self, board: &Board<R>, random: &mut Random) -> Option<Point> {
        let mut points = legal_near(board);
        if random.random_bool(0.5) {
            points = best_by_policy(self.searcher.evaluator(), board, points, PLAUSIBLE);
        }
        points.choose(random).copied()
    }

    /// The second best move, if it is nearly as good.
    fn another(
        &mut self,
        board: &Board<R>,
        (best, score): Found,
        stop: &AtomicBool,
    ) -> Option<Option<Point>> {
        let found = self.search(board, PointSet::from_iter([best]), 2, stop)?;
        Some(found.filter(|&(_, other)| other >= score - CLOSE).map(|(p, _)| p))
    }
}

/// Returns the legal points near stones.
pub(super) fn legal_near<R: Rule>(board: &Board<R>) -> Vec<Point> {
    let mut near = Candidates::new(board.size());
    Color::BOTH.iter().for_each(|&c| board.stones_of(c).iter().for_each(|p| near.add(p)));
    near.points().iter().filter(|&p| board.is_legal(p)).collect()
}

/// Returns the `count` points with the best scores by the policy, the best first.
pub(super) fn best_by_policy<R: Rule>(
    evaluator: &Evaluator,
    board: &Board<R>,
    points: Vec<Point>,
    count: usize,
) -> Vec<Point> {
    let mut rated = evaluator.rate(board, &points.into_iter().collect());
    rated.sort_by_key(|&(_, score)| -score);
    rated.into_iter().map(|(p, _)| p).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::clock::SystemClock;

    fn games(rule: RuleKind, size: usize, numbers: std::ops::Range<u64>) -> Vec<Game> {
        let recipe = Recipe { rule, size: Size::new(size).unwrap(), nodes: 150, seed: 3 };
        let mut player = player(recipe, Box::new(SystemClock::new()));
        numbers.map(|n| player.game(n, &AtomicBool::new(false)).unwrap()).collect()
    }

    #[test]
    fn games_are_legal_and_end_as_they_say() {
        let mut won = 0;
        for (rule, size) in [(RuleKind::Renju, 15), (RuleKind::Freestyle, 20), (RuleKind::Caro, 9)] {
            let games = games(rule, size, 0..6);
            for game in &games {
                assert_eq!(game.check(), Ok(()), "{game:?}");
                assert!(game.opening_len() >= 1 && game.opening_len() <= 8);
                let proofs = game.plies.iter().map(|ply| Score(ply.score.into()).mate().is_some());
                let last = game.plies.len() - 1;
                let expected = (0..=last).map(|i| i == last && game.ending == Ending::Proven);
                assert!(proofs.eq(expected), "a proof ends the game: {game:?}");
            }
            won += games.iter().filter(|g| g.winner.is_some()).count();
        }
        assert!(won > 0);
    }

    #[test]
    fn a_game_depends_on_its_number_alone() {
        let all = games(RuleKind::Standard, 15, 0..4);
        assert_eq!(games(RuleKind::Standard, 15, 2..4), all[2..]);
        assert_ne!(all[0].plies, all[1].plies);
        assert!(all.iter().all(|g| g.plies.len() > g.opening_len()), "moves follow the random stones");
    }

    #[test]
    fn stops_when_told() {
        let recipe = Recipe { rule: RuleKind::Renju, size: Size::S15, nodes: 1000, seed: 1 };
        let mut player = player(recipe, Box::new(SystemClock::new()));
        assert_eq!(player.game(0, &AtomicBool::new(true)), None);
    }
}
