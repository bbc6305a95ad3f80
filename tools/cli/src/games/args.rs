//! Flags that the games have in common, and positions.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::args::bytes;
use crate::input::without_mark;
use kagetsu::engine::max_threads;
use kagetsu_games::search::Limits;
use kagetsu_games::{Game, Kind, Options, notation};
use kagetsu_tools::limits;

/// Which game.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    /// The game; `kagetsu games list` names them
    #[arg(long, value_name = "NAME")]
    pub game: Kind,
    /// Side length of the board [default: the game's, or what the position says]
    #[arg(long, value_name = "N")]
    pub size: Option<usize>,
    /// An option of the game, as foul=loss; may repeat; `kagetsu games rules NAME` lists them
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// The first discs of reversi: othello or parallel
    #[arg(long, value_name = "START")]
    pub start: Option<String>,
    /// Reversi in which fewer discs win
    #[arg(long)]
    pub anti: bool,
    /// A square of reversi that cannot be played
    #[arg(long, value_name = "POINT")]
    pub hole: Option<String>,
}

impl GameArgs {
    /// The game with its options.
    pub fn options(&self) -> Result<Options> {
        let mut options = Options::new(self.game);
        if let Some(size) = self.size {
            options.fix_size(size)?;
        }
        let start = self.start.iter().map(|value| ("start", value.as_str()));
        let anti = self.anti.then_some(("anti", "yes"));
        let hole = self.hole.iter().map(|value| ("hole", value.as_str()));
        for (name, value) in start.chain(anti).chain(hole) {
            options.set(name, value)?;
        }
        for option in &self.option {
            let (name, value) = option.split_once('=').context("--option: expected NAME=VALUE")?;
            options.set(name.trim(), value.trim())?;
        }
        Ok(options)
    }
}

/// A position of a game.
#[derive(clap::Args, Clone, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The position, a text file with one a line, or - to read it from stdin [default: the beginning]
    #[arg(value_name = "POS", default_value = "", hide_default_value = true)]
    pub position: String,
    /// The position of this number in a file of several, from 1
    #[arg(long, value_name = "N")]
    pub number: Option<usize>,
    /// The position after this many moves
    #[arg(long, value_name = "N")]
    pub r#move: Option<usize>,
}

impl PositionArgs {
    /// The position.
    pub fn read(&self) -> Result<Box<dyn Game>> {
        let options = self.game.options()?;
        let text = self.text()?;
        let mut game = notation::parse(&text, &options)?;
        if let Some(number) = self.r#move {
            let played = game.history().len();
            ensure!(number <= played, "there is no move {number}: the position has {played}");
            for _ in number..played {
                game.undo();
            }
        }
        Ok(game)
    }

    fn text(&self) -> Result<String> {
        let path = Path::new(&self.position);
        if self.position == "-" {
            let text = limits::read_text(std::io::stdin(), limits::POSITION)
                .context("cannot read a position from stdin")?;
            return Ok(without_mark(&text).to_owned());
        }
        if self.position.is_empty() || !path.is_file() {
            ensure!(self.number.is_none(), "--number is for files, and '{}' is none", self.position);
            return Ok(self.position.clone());
        }
        let read = || limits::read_text(std::fs::File::open(path)?, limits::FILE);
        let text = read().with_context(|| format!("cannot read {}", self.position))?;
        let mut lines = without_mark(&text).lines().map(str::trim).filter(|line| !is_comment(line));
        let number = self.number.unwrap_or(1);
        match number.checked_sub(1).and_then(|skipped| lines.nth(skipped)) {
            Some(line) => Ok(line.to_owned()),
            None => bail!("{} has no position {number}", self.position),
        }
    }
}

/// Whether a line of a file of positions holds none.
pub fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with(['#', '%'])
}

/// Limits of a search.
#[derive(clap::Args, Clone, Debug)]
pub struct LimitArgs {
    /// Time for each position or move, as 5s or 200ms [default: 5s if there is no other limit]
    #[arg(long, value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,
    /// Limit the nodes (moves made on the board) for each position or move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Limit the depth, in plies
    #[arg(long, value_name = "D")]
    pub depth: Option<u32>,
    /// Search with T threads [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Memory for the tables, as 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = bytes)]
    pub hash: u64,
}

impl LimitArgs {
    /// The limits, with so much time if none is given.
    pub fn limits(&self, multipv: usize, default: Duration) -> Limits {
        let is_unlimited = self.time.is_none() && self.nodes.is_none() && self.depth.is_none();
        Limits {
            time: if is_unlimited { Some(default) } else { self.time },
            nodes: self.nodes,
            depth: self.depth,
            multipv,
            threads: self.threads(),
        }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(max_threads, usize::from)
    }
}
