//! Looks for the moves that stop a threat, with several threads if wanted.

use anyhow::Result;

use super::find::SMALL_TABLE;
use super::watch::Watch;
use super::{Args, Kind, Means, Question, Used};
use kagetsu::game::{Board, Rule};
use kagetsu::solve::defend::{Defences, defences};
use kagetsu::solve::{Vcf, Vct};

pub fn search<R: Rule>(
    args: &Args,
    question: &Question,
    means: Means,
    watch: &Watch<'_>,
) -> Result<(Defences, Used)> {
    let board = Board::<R>::from_position(&question.position)?;
    let timer = watch.start();
    let mut budget = timer.budget(args);
    let hash = means.hash / means.threads;
    let found = match args.kind {
        Kind::Vcf => {
            let mut solvers = several(means.threads, || Vcf::<R>::new(hash.min(SMALL_TABLE)));
            defences(&mut solvers, &board, &mut budget, || watch.tried())
        }
        Kind::Vct => {
            let mut solvers = several(means.threads, || Vct::<R>::new(hash));
            defences(&mut solvers, &board, &mut budget, || watch.tried())
        }
    };
    Ok((found, Used { nodes: budget.used(), time: timer.elapsed() }))
}

fn several<S>(number: usize, solver: impl Fn() -> S) -> Vec<S> {
    std::iter::repeat_with(solver).take(number).collect()
}
