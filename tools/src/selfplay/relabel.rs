//! Better labels for the positions that need them: deeper searches of finished games' positions.
//!
//! If the net and the recorded search disagree, one of them is wrong, and a deeper search often tells which. Such
//! positions and exploration samples get its score and move. They are a small part, so a search many times deeper than that
//! of the games takes less time than the games did.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::game::{Choice, Game, Ply};
use super::run::Maker;
use super::scatter::quiet;
use super::searcher::{Found, Searcher};
use super::store::Relabelled;
use kagetsu::clock::Clock;
use kagetsu::eval::Evaluator;
use kagetsu::eval::features::Sums;
use kagetsu::game::{Board, PointSet, Rule, RuleKind};
use kagetsu::search::Score;
use kagetsu::with_rule;

/// Returns a maker that relabels these games, by number. The labels depend on the recipe and the game alone.
pub fn relabeller(
    rule: RuleKind,
    games: Arc<HashMap<u64, Game>>,
    recipe: Relabelled,
    clock: Box<dyn Clock>,
) -> Box<dyn Maker> {
    with_rule!(rule, R => Box::new(Relabeller::<R> { games, recipe, searcher: Searcher::new(clock) }))
}

struct Relabeller<R: Rule> {
    games: Arc<HashMap<u64, Game>>,
    recipe: Relabelled,
    searcher: Searcher<R>,
}

/// A recorded position: before a ply, or at the end of one of its samples.
#[derive(Clone, Copy)]
struct RecordedPosition {
    ply: usize,
    sample: Option<usize>,
}

impl<R: Rule> Maker for Relabeller<R> {
    fn game(&mut self, number: u64, stop: &AtomicBool) -> Option<Game> {
        let mut game = self.games.get(&number)?.clone();
        self.searcher.clear();
        for place in doubtful::<R>(&game, self.searcher.evaluator(), self.recipe.share) {
            let board = board_at::<R>(&game, place);
            let found = self.searcher.find(&board, PointSet::EMPTY, self.recipe.nodes, stop)?;
            if let Some(found) = found {
                label(&mut game.plies[place.ply], place.sample, found);
            }
        }
        Some(game)
    }
}

/// Returns the positions of a game where the net's evaluation and the recorded score differ by more than a logit, in the
/// order of play: no more than `share` in a hundred of all that were searched, those with the largest differences.
fn doubtful<R: Rule>(game: &Game, evaluator: &Evaluator, share: u8) -> Vec<RecordedPosition> {
    let net = evaluator.net();
    let mut count = 0;
    let mut found = Vec::new();
    let mut look = |board: &Board<R>, score: i16, place: RecordedPosition| {
        count += 1;
        // A proof needs no deeper search, and the net does not judge positions with a five to make.
        if Score(score.into()).mate().is_some() || !quiet(board) {
            return;
        }
        let static_score = evaluator.score_of(&Sums::of(net, board), board.side());
        let difference = (static_score - i32::from(score)).abs();
        if difference > net.info.scale {
            found.push((difference, place));
        }
    };
    let mut board = Board::<R>::new(game.size);
    for (i, ply) in game.plies.iter().enumerate() {
        if ply.choice != Choice::Opening {
            look(&board, ply.score, RecordedPosition { ply: i, sample: None });
        }
        for (j, sample) in ply.samples.iter().enumerate() {
            sample.moves.iter().for_each(|&p| board.play(p));
            look(&board, sample.score, RecordedPosition { ply: i, sample: Some(j) });
            for _ in &sample.moves {
                board.undo();
            }
        }
        board.play(ply.point);
    }
    let most = count * usize::from(share) / 100;
    found.sort_by_key(|&(difference, _)| std::cmp::Reverse(difference));
    found.truncate(most);
    found.sort_by_key(|&(_, place)| (place.ply, place.sample));
    found.into_iter().map(|(_, place)| place).collect()
}

/// Returns the board of a recorded position.
fn board_at<R: Rule>(game: &Game, place: RecordedPosition) -> Board<R> {
    let mut board = Board::new(game.size);
    game.plies[..place.ply].iter().for_each(|ply| board.play(ply.point));
    if let Some(i) = place.sample {
        game.plies[place.ply].samples[i].moves.iter().for_each(|&p| board.play(p));
    }
    board
}

/// Replaces the score and the move of a recorded position.
fn label(ply: &mut Ply, sample: Option<usize>, (best, score): Found) {
    let score = score as i16;
    match sample {
        Some(i) => {
            ply.samples[i].score = score;
            ply.samples[i].best = Some(best);
        }
        None => {
            ply.score = score;
            ply.choice = if ply.point == best { Choice::Best } else { Choice::Varied };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::play::{Recipe, player};
    use super::*;
    use kagetsu::clock::SystemClock;
    use kagetsu::game::Size;

    /// Returns games of short searches, and the same relabelled.
    fn relabelled(share: u8) -> (Vec<Game>, Vec<Game>) {
        let recipe = Recipe { rule: RuleKind::Renju, size: Size::S15, nodes: 50, seed: 3 };
        let stop = AtomicBool::new(false);
        let mut player = player(recipe, Box::new(SystemClock::new()));
        let games: Vec<Game> = (0..4).map(|number| player.game(number, &stop).unwrap()).collect();
        let recipe = Relabelled { share, nodes: 2000, evaluation: String::new() };
        let by_number = Arc::new(games.iter().map(|game| (game.number, game.clone())).collect());
        let mut relabeller = relabeller(RuleKind::Renju, by_number, recipe, Box::new(SystemClock::new()));
        // The labels do not depend on the order of the numbers.
        let mut new: Vec<Game> = (0..4).rev().map(|number| relabeller.game(number, &stop).unwrap()).collect();
        new.reverse();
        (games, new)
    }

    /// The labels of a game's positions: scores and moves.
    fn labels(game: &Game) -> Vec<(i16, Option<kagetsu::game::Point>)> {
        let of = |ply: &Ply| {
            let best = (ply.choice == Choice::Best).then_some(ply.point);
            let samples = ply.samples.iter().map(|sample| (sample.score, sample.best));
            std::iter::once((ply.score, best)).chain(samples).collect::<Vec<_>>()
        };
        game.plies.iter().flat_map(of).collect()
    }

    /// A game without its labels.
    fn moves(game: &Game) -> Vec<(kagetsu::game::Point, Vec<Vec<kagetsu::game::Point>>)> {
        let samples = |ply: &Ply| ply.samples.iter().map(|sample| sample.moves.clone()).collect();
        game.plies.iter().map(|ply| (ply.point, samples(ply))).collect()
    }

    #[test]
    fn a_part_of_the_positions_gets_other_labels_and_nothing_else_changes() {
        let (old, new) = relabelled(20);
        let mut changed = 0;
        for (old, new) in old.iter().zip(&new) {
            assert_eq!(new.check(), Ok(()), "{new:?}");
            assert_eq!(moves(new), moves(old));
            assert_eq!((new.winner, new.ending, new.number), (old.winner, old.ending, old.number));
            let (before, after) = (labels(old), labels(new));
            let differ = before.iter().zip(&after).filter(|(a, b)| a != b).count();
            assert!(differ * 5 <= before.len(), "{differ} of {}", before.len());
            for ((score, _), _) in before.iter().zip(&after).filter(|(a, b)| a != b) {
                assert_eq!(Score((*score).into()).mate(), None, "a proof stays");
            }
            changed += differ;
        }
        assert!(changed > 0, "some positions are doubtful");
    }

    #[test]
    fn labels_depend_on_the_game_alone() {
        let first = relabelled(20).1;
        assert_eq!(relabelled(20).1, first);
        let (old, new) = relabelled(0);
        assert_eq!(new, old, "a share of nothing");
    }
}
