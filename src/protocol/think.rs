//! Questions to the engine, and its answers.

use super::opening::answer;
use super::opening::step::OpeningStep;
use crate::decide::{self, Balanced, Stones};
use crate::engine::{Engine, Options};
use crate::game::regulation::Opening;
use crate::game::{Point, Position};
use crate::search::{Context, Limits, Report};

/// Kind of decision asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// A move for the side to move.
    Move,
    /// The stones that bring the score nearest to this value, from the view of the side to move.
    Balance(Stones, i32),
    /// A step in the choice of an opening.
    Opening(OpeningStep, Box<Opening>),
}

/// Something to think about.
#[derive(Clone, Debug)]
pub struct Task {
    /// The question.
    pub question: Question,
    /// The position.
    pub position: Position,
    /// The engine's options.
    pub options: Options,
    /// Limits of the search.
    pub limits: Limits,
}

/// The engine's decision. It holds no move or no stones if the board has no room for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move.
    Move(Option<Point>),
    /// Stones that balance the position, best first.
    Balance(Vec<Balanced>),
    /// An answer in the choice of an opening, as it is said.
    Opening(String),
}

/// Thinks until there is an answer or the context stops it. Returns the answer and its last report; earlier reports go
/// to `on_report`.
pub fn think(
    engine: &mut Engine,
    task: Task,
    context: &Context<'_>,
    on_report: &mut dyn FnMut(&Report),
) -> (Answer, Option<Report>) {
    let mut options = task.options;
    // Random choices differ from one run of the program to the next, unless the search is bounded by nodes or depth. So they
    // also differ from game to game if each game has its own process.
    if task.limits.nodes.is_none() && task.limits.depth.is_none() {
        options.seed ^= context.start.as_nanos() as u64;
    }
    engine.set_options(options);
    engine.set_position(task.position);
    match task.question {
        Question::Move => {
            let found = engine.go(&task.limits, context, on_report);
            (Answer::Move(found.as_ref().map(|f| f.0)), found.map(|f| f.1))
        }
        Question::Balance(stones, bias) => {
            let found = decide::balance(engine, stones, bias, &task.limits, context);
            (Answer::Balance(found), None)
        }
        Question::Opening(step, opening) => {
            (Answer::Opening(answer::answer(engine, &step, &opening, &task.limits, context)), None)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::clock::Clock;
    use crate::game::Size;

    /// A clock that stands still.
    struct Still(Duration);

    impl Clock for Still {
        fn now(&self) -> Duration {
            self.0
        }
    }

    /// Returns the seed of a move in game 5 under these limits, at this running time of the process.
    fn seed(limits: Limits, at: u64) -> u64 {
        let at = Duration::from_millis(at);
        let mut engine = Engine::new();
        let options = Options { hash: Some(1 << 20), seed: 5, ..Options::default() };
        let position = Position::new(Size::S15);
        let task = Task { question: Question::Move, position, options, limits };
        let (clock, stop) = (Still(at), AtomicBool::new(true));
        think(&mut engine, task, &Context { clock: &clock, start: at, stop: &stop }, &mut |_| {});
        engine.options().seed
    }

    /// With a time limit, each process decides differently. Under limits that make a search repeatable, all decide
    /// alike.
    #[test]
    fn choices_are_repeatable_if_the_search_is() {
        let turn = Some(Duration::from_secs(1));
        for limits in [
            Limits { nodes: Some(10), ..Limits::default() },
            Limits { depth: Some(1), ..Limits::default() },
            Limits { nodes: Some(10), turn, ..Limits::default() },
        ] {
            assert_eq!([1, 2].map(|at| seed(limits.clone(), at)), [5, 5], "{limits:?}");
        }
        let on_time = |at| seed(Limits { turn, ..Limits::default() }, at);
        assert_ne!(on_time(1), on_time(2));
        assert_ne!(on_time(1), 5);
        assert_eq!(on_time(1), on_time(1));
    }
}
