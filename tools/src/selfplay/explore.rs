//! Exploration samples for finished games.
//!
//! A search evaluates mostly positions that no game contains. Short searches of such positions are cheap, so a game gives
//! many of them: from each position that the engine searched, several walks of a few random moves, or lines to positions
//! that a search evaluates, each with the score and the move of a search at its end. Learning from the searches of many
//! positions off the line of play is the idea of
//! TreeStrap (J. Veness et al., Bootstrapping from Game Tree Search, NIPS 2009).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::game::{Choice, Exploration, Game, LONGEST_WALK};
use super::play::{best_by_policy, legal_near};
use super::run::Maker;
use super::scatter::quiet;
use super::searcher::Searcher;
use super::store::Explored;
use kagetsu::clock::Clock;
use kagetsu::game::{Board, Point, PointSet, Rule, RuleKind};
use kagetsu::random::{IndexedRandom, Random, RngExt, SeedableRng};
use kagetsu::with_rule;

/// Most moves of a walk.
const LONGEST: usize = 5;
/// Of ten moves of a random walk, this many go to random points near stones; the others are drawn from the best by the
/// policy.
const ANYWHERE: u32 = 3;
/// Number of best moves by the policy from which a good move is drawn.
const PLAUSIBLE: usize = 8;

/// Returns a maker that adds samples to these games, by number. Samples depend on the recipe and the game alone.
pub fn explorer(
    rule: RuleKind,
    games: Arc<HashMap<u64, Game>>,
    recipe: Explored,
    clock: Box<dyn Clock>,
) -> Box<dyn Maker> {
    with_rule!(rule, R => Box::new(Explorer::<R> { games, recipe, searcher: Searcher::new(clock) }))
}

struct Explorer<R: Rule> {
    games: Arc<HashMap<u64, Game>>,
    recipe: Explored,
    searcher: Searcher<R>,
}

impl<R: Rule> Maker for Explorer<R> {
    fn game(&mut self, number: u64, stop: &AtomicBool) -> Option<Game> {
        let mut game = self.games.get(&number)?.clone();
        let mut random = Random::seed_from_u64(self.recipe.seed << 32 ^ number);
        self.searcher.clear();
        let mut board = Board::<R>::new(game.size);
        for ply in &mut game.plies {
            if ply.choice != Choice::Opening {
                for line in self.lines(&board, &mut random, stop) {
                    ply.samples.extend(self.sample(&board, line, stop));
                }
            }
            if stop.load(Relaxed) {
                return None;
            }
            board.play(ply.point);
        }
        Some(game)
    }
}

impl<R: Rule> Explorer<R> {
    /// Returns lines to positions off the line of play.
    fn lines(&mut self, board: &Board<R>, random: &mut Random, stop: &AtomicBool) -> Vec<Vec<Point>> {
        let count = usize::from(self.recipe.samples);
        match self.recipe.tree {
            Some(nodes) => {
                let lines = self.searcher.leaves(board, count, nodes, random.random(), stop);
                let fit = |line: &Vec<Point>| (1..=LONGEST_WALK).contains(&line.len());
                lines.into_iter().flatten().filter(fit).collect()
            }
            None => (0..count).filter_map(|_| self.walk(board, random)).collect(),
        }
    }

    /// Returns a walk of random moves; `None` if a row ends it.
    fn walk(&self, board: &Board<R>, random: &mut Random) -> Option<Vec<Point>> {
        let mut board = board.clone();
        let mut moves = Vec::new();
        for _ in 0..random.random_range(1..=LONGEST) {
            let p = self.step(&board, random)?;
            board.play(p);
            moves.push(p);
            if board.winner().is_some() {
                return None;
            }
        }
        Some(moves)
    }

    /// Returns the result of a search after the moves of a line; `None` if a side can win at once there.
    fn sample(&mut self, board: &Board<R>, moves: Vec<Point>, stop: &AtomicBool) -> Option<Exploration> {
        let mut board = board.clone();
        moves.iter().for_each(|&p| board.play(p));
        if !quiet(&board) {
            return None;
        }
        let (best, score) = self.searcher.find(&board, PointSet::EMPTY, self.recipe.nodes, stop)??;
        Some(Exploration { moves, best: Some(best), score: score as i16 })
    }

    /// Returns a random legal move: anywhere near stones, or one of the best by the policy, the better the likelier.
    fn step(&self, board: &Board<R>, random: &mut Random) -> Option<Point> {
        let mut points = legal_near(board);
        if !random.random_ratio(ANYWHERE, 10) {
            let count = random.random_range(1..=PLAUSIBLE).min(random.random_range(1..=PLAUSIBLE));
            points = best_by_policy(self.searcher.evaluator(), board, points, count);
        }
        points.choose(random).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::play::{Recipe, player};
    use super::*;
    use kagetsu::clock::SystemClock;
    use kagetsu::game::Size;

    /// Returns games of a rule, and the same with samples: from walks, or from a search's tree.
    fn explored(rule: RuleKind, size: usize, seed: u64, tree: Option<u64>) -> (Vec<Game>, Vec<Game>) {
        let recipe = Recipe { rule, size: Size::new(size).unwrap(), nodes: 100, seed: 3 };
        let stop = AtomicBool::new(false);
        let mut player = player(recipe, Box::new(SystemClock::new()));
        let games: Vec<Game> = (0..3).map(|number| player.game(number, &stop).unwrap()).collect();
        let recipe = Explored { samples: 3, tree, nodes: 60, seed, evaluation: String::new() };
        let by_number = Arc::new(games.iter().map(|game| (game.number, game.clone())).collect());
        let mut explorer = explorer(rule, by_number, recipe, Box::new(SystemClock::new()));
        // The samples do not depend on the order of the numbers.
        let mut new: Vec<Game> = (0..3).rev().map(|number| explorer.game(number, &stop).unwrap()).collect();
        new.reverse();
        (games, new)
    }

    #[test]
    fn samples_are_legal_and_are_added_to_those_there() {
        let rules = [(RuleKind::Renju, 15), (RuleKind::Freestyle, 20), (RuleKind::Caro, 9)];
        for ((rule, size), tree) in rules.into_iter().flat_map(|rule| [(rule, None), (rule, Some(300))]) {
            let (old, new) = explored(rule, size, 1, tree);
            let mut walks = Vec::new();
            for (old, new) in old.iter().zip(&new) {
                assert_eq!(new.check(), Ok(()), "{new:?}");
                for (before, after) in old.plies.iter().zip(&new.plies) {
                    assert!(after.samples.starts_with(&before.samples));
                    assert_eq!((after.point, after.score), (before.point, before.score));
                    let added = &after.samples[before.samples.len()..];
                    assert!(added.len() <= if before.choice == Choice::Opening { 0 } else { 3 });
                    walks.extend(added.iter().map(|sample| sample.moves.len()));
                }
            }
            assert!((1..=LONGEST).all(|length| walks.contains(&length)), "{rule}: {walks:?}");
            let deepest = walks.into_iter().max();
            assert_eq!(deepest > Some(LONGEST), tree.is_some(), "{rule}: {deepest:?}");
        }
    }

    #[test]
    fn samples_depend_on_the_seed_and_the_number_alone() {
        for tree in [None, Some(300)] {
            let first = explored(RuleKind::Standard, 15, 1, tree).1;
            assert_eq!(explored(RuleKind::Standard, 15, 1, tree).1, first);
            assert_ne!(explored(RuleKind::Standard, 15, 2, tree).1, first);
        }
    }
}
