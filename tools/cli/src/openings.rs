//! `kagetsu openings`: the 26 openings of Renju, lists of balanced random ones, and opening regulations step by step.

mod decide;
mod walk;

use std::collections::HashSet;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};

use super::Status;
use super::args::BoardArgs;
use super::progress::Progress;
use kagetsu::clock::SystemClock;
use kagetsu::game::Size;
use kagetsu::game::notation::{self, moves};
use kagetsu::game::openings26::{OPENINGS, Opening};
use kagetsu::game::symmetry::Canonical;
use kagetsu_tools::selfplay::openings::{Balanced, Generator, Recipe, generator};

const HELP: &str = "\
Without --balanced, lists the 26 openings of Renju, or names the one of them that POS began with, however it is turned
or mirrored.

Examples:
  kagetsu openings h8i8i7
  kagetsu openings walk swap2
  kagetsu openings --balanced 500 --rule freestyle --size 20 --seed 1 > freestyle-20.txt";

/// Generate balanced openings, list and name the 26 openings of Renju, or walk through an opening regulation
#[derive(clap::Args)]
#[command(after_help = HELP, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Moves, e.g. h8i8i7
    #[arg(value_name = "POS", conflicts_with = "balanced")]
    position: Option<String>,
    /// Make N openings, no two of them equal when turned or mirrored
    #[arg(long, value_name = "N")]
    balanced: Option<usize>,
    #[command(flatten)]
    board: BoardArgs,
    /// Set the seed; each gives another list
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    seed: u64,
    /// Judge each opening by a search of N nodes
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    /// Accept openings with an advantage of at most SCORE for either side
    #[arg(long, value_name = "SCORE", default_value_t = 50)]
    bias: i32,
    /// Count this score, from Black's view, as even
    #[arg(long, value_name = "SCORE", default_value_t = 0, allow_negative_numbers = true)]
    even: i32,
    /// Make openings of MIN to MAX stones [default: 3 to 9; under Renju on 15x15 4 to 9]
    #[arg(long, value_names = ["MIN", "MAX"], num_args = 2)]
    stones: Vec<usize>,
    /// Use T threads; the list does not depend on it
    #[arg(long, value_name = "T", default_value_t = 1)]
    threads: usize,
}

#[derive(clap::Subcommand)]
enum Command {
    Walk(walk::Args),
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    if let Some(Command::Walk(args)) = &args.command {
        return walk::run(args, out);
    }
    match (args.balanced, &args.position) {
        (Some(wanted), _) => balanced(args, wanted, out)?,
        (None, Some(text)) => {
            let position = notation::parse(text, Some(args.board.size.unwrap_or(Size::S15)))?;
            let Some(opening) = Opening::of_position(&position) else {
                bail!("{text} begins with none of the 26 openings of Renju");
            };
            list(std::slice::from_ref(opening), out)?;
        }
        (None, None) => list(&OPENINGS, out)?,
    }
    Ok(Status::Done)
}

fn list(openings: &[Opening], out: &mut dyn Write) -> Result<()> {
    for o in openings {
        let moves: String = o.moves.iter().map(ToString::to_string).collect();
        writeln!(out, "{:4} {moves:8} {:10} {}  {}", o.code, o.romaji, o.kanji, o.english)?;
    }
    Ok(())
}

fn balanced(args: &Args, wanted: usize, out: &mut dyn Write) -> Result<()> {
    let size = args.board.size.unwrap_or(Size::S15);
    let from_26 = args.board.rule() == kagetsu::game::RuleKind::Renju && size == Size::S15;
    let stones = match args.stones[..] {
        [fewest, most] => (fewest, most),
        _ => (if from_26 { 4 } else { 3 }, 9),
    };
    if stones.0 < 2 || stones.0 > stones.1 || (from_26 && stones.0 < 4) {
        bail!("--stones: expected MIN of at least {}, and MAX not below it", if from_26 { 4 } else { 2 });
    }
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
    while found < wanted {
        let batch = attempt(&recipe, attempts, 16 * args.threads.max(1) as u64, args.threads);
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

/// Writes how the list was made.
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

/// The attempts of numbers `first` to `first + count - 1`, in order, made by several threads.
fn attempt(recipe: &Recipe, first: u64, count: u64, threads: usize) -> Vec<Option<Balanced>> {
    let next = AtomicU64::new(0);
    let results = Mutex::new(vec![None; count as usize]);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut generator: Box<dyn Generator> = generator(*recipe, Box::new(SystemClock::new()));
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    let made = generator.attempt(first + i);
                    if let Ok(mut results) = results.lock() {
                        results[i as usize] = made;
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_default()
}
