//! Looks for the moves that stop a forced win, with several threads if wanted.

use super::wins::SMALL_TABLE;
use super::{Event, Kind, Means, Used};
use kagetsu::game::{Board, Error, Position, Rule, RuleKind};
pub use kagetsu::solve::defend::Defences;
use kagetsu::solve::{Vcf, Vct, defend};
use kagetsu::with_rule;

/// Finds every move of the side to move that stops the opponent's win of this kind.
///
/// The threads share the moves, and the nodes are divided among them, so that the answer does not depend on their
/// speed.
///
/// # Errors
/// If the position is impossible.
pub fn find(
    position: &Position,
    rule: RuleKind,
    kind: Kind,
    means: &Means<'_>,
) -> Result<(Defences, Used), Error> {
    with_rule!(rule, R => Ok(of_board(&Board::<R>::from_position(position)?, kind, means)))
}

fn of_board<R: Rule>(board: &Board<R>, kind: Kind, means: &Means<'_>) -> (Defences, Used) {
    let timer = means.start();
    let mut budget = timer.budget();
    let threads = means.threads.max(1);
    let hash = means.hash / threads;
    let tried = || (means.watch)(Event::Tried);
    let found = match kind {
        Kind::Vcf => {
            let mut solvers = several(threads, || Vcf::<R>::new(hash.min(SMALL_TABLE)));
            defend::defences(&mut solvers, board, &mut budget, tried)
        }
        Kind::Vct => {
            let mut solvers = several(threads, || Vct::<R>::new(hash));
            defend::defences(&mut solvers, board, &mut budget, tried)
        }
    };
    let used = timer.used(budget.used());
    (found, used)
}

fn several<S>(number: usize, solver: impl Fn() -> S) -> Vec<S> {
    std::iter::repeat_with(solver).take(number).collect()
}
