//! Trains a net for one rule from files of self-play games.
//!
//! [`data`] makes samples from games, a part of them at a time, [`model`] and [`policy`] are the net in floating point, its
//! parameters in a [`layout`], [`optimizer`] its learning, [`start`] its first weights, [`scale`] the scale of scores,
//! [`training`] the loop, [`files`] the names and the ownership of the files that it writes, [`checkpoint`]
//! the state from which it continues, [`history`] the log and the plot. [`export`] converts to the engine's
//! integers and [`import`] back, [`flat`] writes positions for a trainer on a GPU. The same games, options
//! and seed give the same net on a machine, whatever the number of threads and of interruptions.

mod arithmetic;
mod checkpoint;
mod data;
mod export;
mod files;
mod flat;
mod history;
mod import;
mod layout;
mod model;
mod optimizer;
mod options;
mod output;
mod policy;
mod progress;
mod scale;
mod start;
mod sums;
mod training;

use std::io::{self, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use kagetsu::eval::Net;
use kagetsu::eval::net::file;
use kagetsu::game::RuleKind;
use kagetsu_tools::output::unless_unread;
use kagetsu_tools::selfplay::store::Reader;
use kagetsu_tools::timing::span;
use kagetsu_tools::untrusted::{self, Line};

use data::{Sets, Shuffle};
use files::Files;
use options::Options;
use progress::Reading;

const HELP: &str = "\
An interrupted training goes on when the same command is given again.
Without --force it replaces no net, log or plot that somebody else has written.

Examples:
  kagetsu-train --out renju.net --epochs 6 renju-gen0.games renju-gen1.games
  kagetsu-train --judge renju.net renju-gen2.games";

/// Train a net from self-play games
#[derive(Parser)]
#[command(after_help = HELP)]
struct Args {
    /// Files of games, all of the same rule; a game that comes twice is refused, even with other labels
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Write the net to NET, and NET.checkpoint, NET.log and NET.svg beside it
    #[arg(long, value_name = "NET", required_unless_present = "judge")]
    out: Option<PathBuf>,
    /// Train nothing: print the losses of NET on the games that are held back
    #[arg(long, value_name = "NET", conflicts_with_all = ["out", "from"])]
    judge: Option<PathBuf>,
    /// Train nothing: write the positions of the games as flat files into the new folder DIR, and the checkpoint, for
    /// scripts/train/gpu.py
    #[arg(long, value_name = "DIR", requires = "out", conflicts_with = "judge")]
    expand: Option<PathBuf>,
    /// Begin with NET, of the same rule, instead of small random weights; lower rates keep more of it
    #[arg(long, value_name = "NET")]
    from: Option<PathBuf>,
    /// Train on every position N times; 0 takes the net of --from as it is
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    epochs: u64,
    /// Take at most N positions in each step
    #[arg(long, value_name = "N", default_value = "1024")]
    batch: NonZeroUsize,
    /// Keep N positions in memory, to draw those of a step from; a million take 0.6 GB on 15x15, up to 1.2 GB on 20x20
    #[arg(long, value_name = "N", default_value = "1000000")]
    buffer: NonZeroUsize,
    /// Set the learning rate of the embeddings
    #[arg(long, value_name = "X", default_value_t = 1e-2, value_parser = rate)]
    embedding_rate: f32,
    /// Set the learning rate of the value's linear weights
    #[arg(long, value_name = "X", default_value_t = 6e-3, value_parser = rate)]
    linear_rate: f32,
    /// Set the learning rate of the policy's move scores of codes
    #[arg(long, value_name = "X", default_value_t = 2e-2, value_parser = rate)]
    moves_rate: f32,
    /// Set the learning rate of the layers
    #[arg(long, value_name = "X", default_value_t = 5e-3, value_parser = rate)]
    rate: f32,
    /// Set the weight decay
    #[arg(long, value_name = "X", default_value_t = 1e-3, value_parser = rate)]
    decay: f32,
    /// Set the share of the search's score in the target of the value; the rest is the game's result
    #[arg(long, value_name = "X", default_value_t = 0.7, value_parser = share)]
    score_share: f32,
    /// Count N units of the search's score as one logit, 1 to 4096 [default: fitted to the games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    scale: Option<u16>,
    /// Hold back one game in N for validation; --judge takes --hold 1 too, which holds back all of them
    #[arg(long, value_name = "N", default_value = "20")]
    hold: NonZeroU64,
    /// Set the seed of the first weights and of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    seed: u64,
    /// Train with T threads [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Begin anew: replace NET and the files beside it, even if another program or a person wrote them
    #[arg(long)]
    force: bool,
    /// Write a checkpoint after this time; a kill loses no more than that
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = span)]
    checkpoint_every: Duration,
}

/// Reads a learning rate or a decay.
fn rate(text: &str) -> Result<f32, String> {
    number(text, f32::MAX).ok_or_else(|| "expected a number of at least 0, e.g. 0.005".to_owned())
}

/// Reads a share.
fn share(text: &str) -> Result<f32, String> {
    number(text, 1.0).ok_or_else(|| "expected a number from 0 to 1, e.g. 0.7".to_owned())
}

/// Reads a number from 0 to `most`.
fn number(text: &str, most: f32) -> Option<f32> {
    text.parse().ok().filter(|number| (0.0..=most).contains(number))
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Names and contents of files are text from outside.
            progress::tell(&format_args!("kagetsu-train: {}", untrusted::lines(&format!("{error:#}"))));
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global()?;
    }
    check_names(args)?;
    let rule = rule_of(&args.games)?;
    let net = |path: &Option<PathBuf>| path.as_deref().map(|path| read_net(path, rule)).transpose();
    let (from, judged) = (net(&args.from)?, net(&args.judge)?);
    let sets = read(args)?;
    let options = options(args, rule, &sets, from);
    let (learned, held) = (&sets.training.summary, &sets.validation.summary);
    progress::tell(&format_args!(
        "{} games, {} positions, {:.0} cells each; {} games, {} positions held back, without {} that are \
         learned from, too; {:.0} units a logit",
        learned.games,
        learned.positions,
        learned.cells as f64 / learned.positions.max(1) as f64,
        held.games,
        held.positions,
        sets.repeated,
        options.loss.scale
    ));
    if let Some(net) = judged {
        let judged = training::judge_net(&net, &options, &sets)?;
        unless_unread(writeln!(io::stdout(), "held back {}", judged.held_back()))?;
    }
    let Some(out) = &args.out else { return Ok(()) };
    if let Some(dir) = &args.expand {
        training::expand(dir, out, &options, &sets)?;
        let (positions, checkpoint) = (Line(dir.display()), Files::of(out).checkpoint);
        let checkpoint = Line(checkpoint.display());
        progress::tell(&format_args!("written; next: scripts/train/gpu.py {positions} {checkpoint}"));
    } else {
        training::train(out, &options, &sets)?;
        progress::tell(&format_args!("finished: the net is {}", Line(out.display())));
    }
    Ok(())
}

/// Checks the names of what is to be written. Reading the games may take minutes, so this comes before it.
fn check_names(args: &Args) -> Result<()> {
    if let Some(out) = &args.out {
        let files = Files::of(out);
        files.refuse_games(&args.games)?;
        files.check(args.force)?;
        if args.epochs == 0 && args.from.is_none() {
            bail!("--epochs 0 without --from: the net would keep random weights: expected 1 or more");
        }
    }
    args.expand.as_deref().map_or(Ok(()), flat::check_folder)
}

/// The rule of all files, by their first lines.
fn rule_of(games: &[PathBuf]) -> Result<RuleKind> {
    let rule_in = |path: &Path| anyhow::Ok(Reader::open(path)?.head().rule.clone());
    let (first, rule) = (games[0].display(), rule_in(&games[0])?);
    for path in games {
        let found = rule_in(path)?;
        if found != rule {
            bail!("{}: {found} games; expected {rule} as in {first}", path.display());
        }
    }
    rule.parse().with_context(|| first.to_string())
}

/// Reads the games for the first time, and returns the sets to learn from and to validate on.
fn read(args: &Args) -> Result<Sets> {
    let mut sets = Sets::default();
    let mut shown = Reading::new(&args.games);
    for path in &args.games {
        sets.read(path, args.hold, &mut |bytes| shown.advance(bytes))?;
    }
    sets.separate();
    let (learned, held) = (&sets.training.summary, &sets.validation.summary);
    // A net is judged on the games held back alone.
    let expected = if args.judge.is_some() { "some held back" } else { "some of both" };
    if held.positions == 0 || learned.positions == 0 && args.judge.is_none() {
        bail!(
            "there are not enough games: {} to learn from, {} held back: expected {expected}, from more games or \
             by another --hold",
            learned.games,
            held.games
        );
    }
    Ok(sets)
}

/// The net in a file.
fn read_net(path: &Path, rule: RuleKind) -> Result<Box<Net>> {
    let read = || {
        let net = Net::from_bytes(&file::read(path)?)?;
        net.check_rule(rule)?;
        anyhow::Ok(Box::new(net))
    };
    read().with_context(|| path.display().to_string())
}

fn options(args: &Args, rule: RuleKind, sets: &Sets, from: Option<Box<Net>>) -> Options {
    Options {
        rule,
        epochs: args.epochs,
        shuffle: Shuffle { buffer: args.buffer.get(), batch: args.batch.get(), seed: args.seed },
        rates: optimizer::Rates {
            embedding: args.embedding_rate,
            linear: args.linear_rate,
            moves: args.moves_rate,
            rest: args.rate,
            decay: args.decay,
        },
        loss: model::Loss {
            score_share: args.score_share,
            scale: args.scale.map_or_else(|| sets.scale(), f32::from),
        },
        checkpoint_every: args.checkpoint_every,
        force: args.force,
        from,
    }
}
