//! Trains a net for one rule from files of self-play games.
//!
//! [`data`] makes samples from games, [`model`] is the net in floating point, [`optimizer`] its learning, [`training`]
//! the loop with checkpoints, [`export`] the way to the engine's integers. The same games, options and seed give the
//! same net, whatever the number of threads.

mod data;
mod export;
mod model;
mod optimizer;
mod training;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use kagetsu::selfplay::store::Reader;

use data::Data;
use training::Options;

const HELP: &str = "\
An interrupted training goes on when the same command is given again.

Example:
  kagetsu-train --out renju.net --epochs 6 renju-gen0.games renju-gen1.games";

/// Train a net from self-play games
#[derive(Parser)]
#[command(after_help = HELP)]
struct Args {
    /// Files of games, all of the same rule
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The net to write; beside it NET.checkpoint, NET.log and NET.svg
    #[arg(long, value_name = "NET")]
    out: PathBuf,
    /// Times that every position is seen
    #[arg(long, default_value_t = 8)]
    epochs: u64,
    /// Positions of a step
    #[arg(long, default_value_t = 1024)]
    batch: usize,
    /// Learning rate of the embeddings
    #[arg(long, default_value_t = 1e-2)]
    embedding_rate: f32,
    /// Learning rate of the value's linear weights
    #[arg(long, default_value_t = 6e-3)]
    linear_rate: f32,
    /// Learning rate of the moves' weights
    #[arg(long, default_value_t = 2e-2)]
    moves_rate: f32,
    /// Learning rate of the layers
    #[arg(long, default_value_t = 5e-3)]
    rate: f32,
    /// Weight decay
    #[arg(long, default_value_t = 1e-3)]
    decay: f32,
    /// Share of the search's score in the target of the value; the rest is the game's result
    #[arg(long, default_value_t = 0.7)]
    score_share: f32,
    /// Units of the search's score to a logit; fitted to the games if not given
    #[arg(long)]
    scale: Option<f32>,
    /// Weight of the moves' loss against the value's: with much more the moves have the vectors for themselves
    #[arg(long, default_value_t = 0.02)]
    moves: f32,
    /// One game in so many is held back for validation
    #[arg(long, default_value_t = 20)]
    hold: u64,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads [default: one for each core]
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    let rule = Reader::open(&args.games[0])?.head().rule.clone();
    let (mut training, mut validation) = (Data::default(), Data::default());
    for path in &args.games {
        let head = Reader::open(path)?.head().clone();
        if head.rule != rule {
            bail!(
                "{}: {} games; expected {rule} as in {}",
                path.display(),
                head.rule,
                args.games[0].display()
            );
        }
        data::read(path, args.hold, &mut training, &mut validation)?;
    }
    if training.samples.is_empty() || validation.samples.is_empty() {
        bail!("there are not enough games: {} to learn from, {} held back", training.games, validation.games);
    }
    let rule = rule.parse().map_err(anyhow::Error::msg).context("the games' rule")?;
    let options = Options {
        rule,
        epochs: args.epochs,
        batch: args.batch,
        rates: optimizer::Rates {
            embedding: args.embedding_rate,
            linear: args.linear_rate,
            moves: args.moves_rate,
            rest: args.rate,
            decay: args.decay,
        },
        loss: model::Loss {
            score_share: args.score_share,
            scale: args.scale.unwrap_or_else(|| training::fit_scale(&training)),
            moves: args.moves,
        },
        seed: args.seed,
    };
    eprintln!(
        "{} games, {} positions, {:.0} cells each; {} games, {} positions held back; {:.0} units a logit",
        training.games,
        training.samples.len(),
        training.cells.len() as f64 / training.samples.len() as f64,
        validation.games,
        validation.samples.len(),
        options.loss.scale
    );
    training::train(&args.out, &options, &training, &validation)
}
