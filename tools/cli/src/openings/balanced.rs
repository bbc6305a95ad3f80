//! `kagetsu openings --balanced`: lists of random openings that a search finds even.

use std::collections::HashSet;
use std::io::Write;

use anyhow::{Result, bail};

use super::Args;
use kagetsu::clock::SystemClock;
use kagetsu::game::notation::moves;
use kagetsu::game::symmetry::Canonical;
use kagetsu::game::{RuleKind, Size};
use kagetsu_console::progress::Progress;
use kagetsu_tools::jobs;
use kagetsu_tools::selfplay::openings::{Balanced, Generator, Recipe, generator};

/// Attempts of each thread before their openings are listed.
const ATTEMPTS: u64 = 16;

/// Prints this number of different openings, no two alike when turned or mirrored.
pub fn print(args: &Args, wanted: usize, out: &mut dyn Write) -> Result<()> {
    let size = args.board.size.unwrap_or(Size::S15);
    let stones = stones(args.board.rule(), size, &args.stones)?;
    let recipe = Recipe {
        rule: args.board.rule(),
        size,
        stones,
        nodes: args.nodes,
        even: args.even,
        bias: args.bias,
        seed: args.seed,
    };
    head(&recipe, wanted, out)?;
    let mut progress = Progress::of(wanted as u64);
    let mut seen = HashSet::new();
    let (mut found, mut attempts) = (0, 0);
    let threads = args.threads.max(1);
    while found < wanted {
        let batch = attempt(&recipe, attempts, ATTEMPTS * threads as u64, threads)?;
        for opening in batch {
            attempts += 1;
            let Some(Balanced { position, .. }) = opening else { continue };
            if found < wanted && seen.insert(Canonical::of_position(&position).key) {
                writeln!(out, "{}", moves::print(position.moves()))?;
                found += 1;
                progress.step();
            }
        }
        if attempts > 1000 && found * 1000 < attempts as usize {
            bail!("fewer than one attempt in a thousand gives an opening; try a larger --bias");
        }
    }
    Ok(())
}

/// Returns the fewest and the most stones of an opening, by `--stones` or by default.
///
/// # Errors
/// If no opening can have so few, or MAX is below MIN.
pub fn stones(rule: RuleKind, size: Size, wished: &[usize]) -> Result<(usize, usize)> {
    // They begin with one of the 26 openings, and a balancing stone follows.
    let from_26 = rule == RuleKind::Renju && size == Size::S15;
    let stones = match wished[..] {
        [fewest, most] => (fewest, most),
        _ => (if from_26 { 4 } else { 3 }, 9),
    };
    if stones.0 < 2 || stones.0 > stones.1 || (from_26 && stones.0 < 4) {
        bail!("--stones: expected MIN of at least {}, and MAX not below it", if from_26 { 4 } else { 2 });
    }
    Ok(stones)
}

/// How the list was made.
fn head(recipe: &Recipe, wanted: usize, out: &mut dyn Write) -> Result<()> {
    let Recipe { rule, size, stones, nodes, even, bias, seed } = recipe;
    writeln!(
        out,
        "# {wanted} balanced openings, {rule} {size}, made by kagetsu {}:",
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(
        out,
        "# kagetsu openings --balanced {wanted} --rule {rule} --size {} --seed {seed} --nodes {nodes} --even {even} --bias {bias} \
         --stones {} {}",
        size.side(),
        stones.0,
        stones.1
    )?;
    Ok(())
}

/// The attempts of numbers `first` to `first + count - 1`, in order.
fn attempt(recipe: &Recipe, first: u64, count: u64, threads: usize) -> Result<Vec<Option<Balanced>>> {
    let new = || generator(*recipe, Box::new(SystemClock::new()));
    let work = |generator: &mut Box<dyn Generator>, number| Some((number, generator.attempt(number)));
    let mut made: Vec<(u64, Option<Balanced>)> =
        jobs::side_by_side(threads, first..first + count, new, work, |results| {
            results.into_iter().collect()
        })?;
    made.sort_by_key(|&(number, _)| number);
    Ok(made.into_iter().map(|(_, opening)| opening).collect())
}
