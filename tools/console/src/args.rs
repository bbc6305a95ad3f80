//! Flags that have the same name and meaning wherever they occur.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use kagetsu::book::Shelf;
use kagetsu::engine;
use kagetsu::game::{Color, Reading, RuleKind, Size};
use kagetsu::invalid::Invalid;
use kagetsu::search::Limits;
use kagetsu_tools::limits;
pub use kagetsu_tools::limits::{bytes, engine_memory};
use kagetsu_tools::timing::span;

/// The rule and the size of the board.
#[derive(Args, Clone, Debug)]
pub struct BoardArgs {
    /// Set the rule [default: renju, or what a game file says]
    #[arg(long, ignore_case = true, value_parser = rules())]
    pub rule: Option<RuleKind>,
    /// Set the side length of the board, 5 to 22 [default: 15, or that of the position]
    #[arg(long, value_name = "N", value_parser = size)]
    pub size: Option<Size>,
}

impl BoardArgs {
    /// The rule for positions whose file states none.
    pub fn rule(&self) -> RuleKind {
        self.rule.unwrap_or(RuleKind::Renju)
    }
}

/// The rule and the size of the board, for commands that read neither from a file.
#[derive(Args, Clone, Copy, Debug)]
pub struct NewBoardArgs {
    /// Set the rule
    #[arg(long, ignore_case = true, default_value = "renju", value_parser = rules())]
    pub rule: RuleKind,
    /// Set the side length of the board, 5 to 22
    #[arg(long, value_name = "N", default_value = "15", value_parser = size)]
    pub size: Size,
}

/// Choice of a position in a game file.
#[derive(Args, Clone, Debug)]
pub struct FileArgs {
    /// Take game number N of a file, from 1 [default: 1]
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    /// Take the position after N moves of a file's game [default: all moves]
    #[arg(long, value_name = "N")]
    pub r#move: Option<usize>,
    /// Bounds on the game that is read.
    #[command(flatten)]
    pub limits: GameLimits,
}

impl FileArgs {
    /// Returns whether any position was picked.
    pub fn is_given(&self) -> bool {
        self.game.is_some() || self.r#move.is_some()
    }
}

/// Bounds on a game that is read.
#[derive(Args, Clone, Copy, Debug)]
pub struct GameLimits {
    /// Refuse games of more than SIZE bytes or more than SIZE/16 moves
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    pub max_game: u64,
}

impl GameLimits {
    /// Options for readers.
    pub fn limits(self) -> limits::Limits {
        limits::Limits::new(self.max_game)
    }
}

/// One position, or many.
#[derive(Args, Clone, Debug)]
pub struct QueryArgs {
    /// Position, or - to read it from stdin
    #[arg(value_name = "POS", required_unless_present = "batch", conflicts_with = "batch")]
    pub position: Option<String>,
    /// Answer every line of FILE (- for stdin): a position, or an object as described in docs/json.md; implies --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "move"])]
    pub batch: Option<String>,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
    /// The rule and the size of the board.
    #[command(flatten)]
    pub board: BoardArgs,
    /// The place of the position in a file.
    #[command(flatten)]
    pub file: FileArgs,
}

/// Number of threads.
#[derive(Args, Clone, Debug)]
pub struct ThreadArgs {
    /// Search with T threads [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

impl ThreadArgs {
    /// The number given, or else that of the cores.
    pub fn count(&self) -> usize {
        self.threads.map_or_else(engine::max_threads, usize::from)
    }
}

/// Limits of a search's work, in any game. A command with another default for the time says so in its own help.
#[derive(Args, Clone, Debug)]
pub struct EffortArgs {
    /// Limit the time for each position or move, e.g. 5s, 1m30s, 200ms [default without another limit: 5s]
    #[arg(long, value_parser = span)]
    pub time: Option<Duration>,
    /// Limit the nodes (moves made on the board) for each position or move; several threads may pass it by some hundreds each
    /// [default: no limit]
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Limit the depth, in plies [default: no limit]
    #[arg(long, value_name = "D")]
    pub depth: Option<u32>,
    /// Number of threads.
    #[command(flatten)]
    pub threads: ThreadArgs,
}

impl EffortArgs {
    /// Returns whether no limit was given.
    pub fn is_unlimited(&self) -> bool {
        self.time.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// The limit of time: the one given, or the default if there is no other limit either.
    pub fn time_or(&self, default: Duration) -> Option<Duration> {
        if self.is_unlimited() { Some(default) } else { self.time }
    }
}

/// Limits of a search of the engine.
#[derive(Args, Clone, Debug)]
pub struct LimitArgs {
    /// Time, nodes, depth and threads.
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Set the memory of the search's tables, e.g. 256M or 2G; a search uses at most 64G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    pub hash: u64,
}

impl LimitArgs {
    /// The limits for the search of one position with `multipv` lines.
    pub fn limits(&self, multipv: usize) -> Limits {
        let EffortArgs { nodes, depth, .. } = self.effort;
        let turn = self.effort.time_or(Duration::from_secs(5));
        let threads = self.effort.threads.count();
        Limits { turn, nodes, depth, analysis: true, multipv, threads, ..Limits::default() }
    }
}

/// Warns if the tables of one search are given more bytes by `--hash` than they can take.
pub fn warn_of_hash(bytes: u64) {
    if bytes > engine::MAX_HASH {
        let most = engine::MAX_HASH >> 30;
        log::warn!("--hash: the tables of a search take at most {most}G; the rest is not used");
    }
}

/// The opening book.
#[derive(Args, Clone, Debug)]
pub struct BookArgs {
    /// Use this opening book instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
}

impl BookArgs {
    /// Returns the source of the book.
    pub fn shelf(&self) -> Shelf {
        self.book.clone().map_or(Shelf::BuiltIn, Shelf::File)
    }
}

/// The rules.
pub fn rules() -> impl TypedValueParser<Value = RuleKind> {
    PossibleValuesParser::new(RuleKind::ALL.map(RuleKind::name)).try_map(|name| name.parse())
}

/// The two readings of the double-three rule.
pub fn readings() -> impl TypedValueParser<Value = Reading> {
    PossibleValuesParser::new(["literal", "five-extends"]).try_map(|name| name.parse())
}

/// The two colours.
pub fn colors() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["black", "white", "x", "o"]).try_map(|name| name.parse())
}

/// Reads the side of a board.
pub fn size(text: &str) -> Result<Size, Invalid> {
    let side: usize = text.parse().map_err(|_| "expected a number, 5 to 22")?;
    Size::new(side).map_err(|error| error.to_string().into())
}
