//! `kagetsu openings --balanced`: lists of random openings that a search finds even.

use std::io::Write;

use anyhow::Result;

use super::Args;
use kagetsu::clock::SystemClock;
use kagetsu::game::notation::moves;
use kagetsu::game::{RuleKind, Size};
use kagetsu_console::progress::Progress;
use kagetsu_console::usage::WrongUsage;
use kagetsu_tools::selfplay::openings::{self, Recipe};
use kagetsu_tools::words;

/// Prints this number of different openings, no two alike when turned or mirrored.
pub fn print(args: &Args, wanted: usize, out: &mut dyn Write) -> Result<()> {
    let (rule, size) = (args.board.rule(), args.board.size.unwrap_or(Size::S15));
    let recipe = Recipe {
        rule,
        size,
        stones: stones(rule, size, &args.stones)?,
        nodes: args.nodes,
        even: args.even,
        bias: args.bias,
        seed: args.seed,
    };
    let (count, version) = (words::count(wanted, "balanced opening"), env!("CARGO_PKG_VERSION"));
    writeln!(out, "# {count}, {rule} {size}, made by kagetsu {version}:\n# {}", recipe.command(wanted))?;
    let mut progress = Progress::of(wanted as u64);
    openings::list(recipe, wanted, args.threads.into(), || Box::new(SystemClock::new()), &mut |position| {
        writeln!(out, "{}", moves::print(position.moves()))?;
        progress.step();
        Ok(())
    })
}

/// Returns the fewest and the most stones of an opening, by the values of `--stones` or by default.
pub fn stones(rule: RuleKind, size: Size, wished: &[usize]) -> Result<(usize, usize), WrongUsage> {
    let wished = <[usize; 2]>::try_from(wished).ok().map(Into::into);
    let stones = openings::stones(rule, size, wished);
    stones.map_err(|error| WrongUsage::new(format_args!("--stones: {error}")))
}
