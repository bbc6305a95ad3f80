//! Arguments that the subcommands share: the game, the position and the limits.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use kagetsu_console::args::{EffortArgs, bytes, warn_of_hash};
use kagetsu_console::usage::WrongUsage;
use kagetsu_games::players::engine_rule;
use kagetsu_games::search::Limits;
use kagetsu_games::{Game, Kind, Options, notation};
use kagetsu_tools::{limits, words};

/// The game and its options.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    /// Choose the game; `kagetsu games list` names them
    #[arg(long, value_name = "NAME")]
    pub game: Kind,
    /// Set the side length of the board [default: the game's, or that of the position]
    #[arg(long, value_name = "N")]
    pub size: Option<usize>,
    /// Set an option of the game, e.g. foul=loss; may be repeated; `kagetsu games rules NAME` lists them
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// Set the first discs of reversi: othello or parallel [default: othello]
    #[arg(long, value_name = "START")]
    pub start: Option<String>,
    /// Let fewer discs win (reversi)
    #[arg(long)]
    pub anti: bool,
    /// Make a square unplayable (reversi)
    #[arg(long, value_name = "POINT")]
    pub hole: Option<String>,
}

impl GameArgs {
    /// The game with its options.
    pub fn options(&self) -> Result<Options, WrongUsage> {
        let mut options = Options::new(self.game);
        if let Some(size) = self.size {
            options.fix_size(size).map_err(WrongUsage::new)?;
        }
        let start = self.start.iter().map(|value| ("start", value.as_str()));
        let anti = self.anti.then_some(("anti", "yes"));
        let hole = self.hole.iter().map(|value| ("hole", value.as_str()));
        let mut settings: Vec<(&str, &str)> = start.chain(anti).chain(hole).collect();
        for option in &self.option {
            let expected =
                || WrongUsage::new(format_args!("--option {option}: expected NAME=VALUE, e.g. foul=loss"));
            let (name, value) = option.split_once('=').ok_or_else(expected)?;
            settings.push((name.trim(), value.trim()));
        }
        // An option may also have a flag of its own, such as --hole.
        if let Some(name) = words::repeated(settings.iter().map(|&(name, _)| name)) {
            return Err(WrongUsage::new(format_args!("option {name} was given twice")));
        }
        for (name, value) in settings {
            options.set(name, value).map_err(WrongUsage::new)?;
        }
        Ok(options)
    }
}

/// A position of a game.
#[derive(clap::Args, Clone, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Position, a text file with one position per line, or - to read it from stdin [default: the start of the game]
    #[arg(value_name = "POS", default_value = "", hide_default_value = true)]
    pub position: String,
    /// Take position number N of a file, from 1 [default: 1]
    #[arg(long, value_name = "N")]
    pub number: Option<usize>,
    /// Take the position after N moves [default: all moves]
    #[arg(long, value_name = "N")]
    pub r#move: Option<usize>,
}

impl PositionArgs {
    /// The position.
    pub fn read(&self) -> Result<Box<dyn Game>> {
        let options = self.game.options()?;
        let (text, number) = self.text()?;
        let read = notation::parse(&text, &options);
        let mut game = match number {
            Some(number) => read.with_context(|| format!("{}, position {number}", self.position))?,
            None => read?,
        };
        if let Some(number) = self.r#move {
            let played = game.history().len();
            ensure!(number <= played, "there is no move {number}: the position has {played}");
            for _ in number..played {
                game.undo();
            }
        }
        Ok(game)
    }

    /// Returns the text of the position, and its number if it is from a file.
    fn text(&self) -> Result<(String, Option<usize>)> {
        let path = Path::new(&self.position);
        if self.position == "-" {
            ensure!(
                self.number.is_none(),
                WrongUsage::new("--number selects a position of a file, but '-' is standard input")
            );
            let text = limits::read_text(std::io::stdin(), limits::POSITION)
                .context("cannot read a position from stdin")?;
            // Do not take empty input for the start of the game: it comes from a program that failed to write
            // a position.
            ensure!(
                !text.trim().is_empty(),
                "there is no position on stdin: expected one, or no argument for the start of the game"
            );
            return Ok((text, None));
        }
        if path.is_dir() {
            bail!("{}: it is a directory: expected a text file or a position", self.position);
        }
        if path.extension().is_some_and(|name| name == "txt" || name == "obf") && !path.exists() {
            bail!("cannot read {}: no such file", self.position);
        }
        // A pipe is a file, too.
        if !path.exists() {
            ensure!(
                self.number.is_none(),
                WrongUsage::new(format_args!(
                    "--number selects a position of a file, but '{}' is not a file",
                    self.position
                ))
            );
            return Ok((self.position.clone(), None));
        }
        let read = || limits::read_text(std::fs::File::open(path)?, limits::FILE);
        let text = read().with_context(|| format!("cannot read {}", self.position))?;
        let lines = text.lines().map(str::trim).filter(|line| !is_comment(line));
        let lines: Vec<&str> = lines.collect();
        let number = self.number.unwrap_or(1);
        match number.checked_sub(1).and_then(|index| lines.get(index)) {
            Some(line) => Ok(((*line).to_owned(), Some(number))),
            None if lines.is_empty() => bail!("{} has no position: expected one on a line", self.position),
            None => bail!("{} has no position {number}: expected 1 to {}", self.position, lines.len()),
        }
    }
}

/// Whether a line of a file of positions is empty or a comment. A board of Reversi with a hole on a1 begins with `#`, too.
pub fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with('%') || line.starts_with('#') && !notation::is_board(line)
}

/// Limits of a search.
#[derive(clap::Args, Clone, Debug)]
pub struct LimitArgs {
    /// Time, nodes, depth and threads.
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Set the memory of the tables, e.g. 256M or 2G; in renju, freestyle and standard a search uses at most 64G
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = bytes)]
    pub hash: u64,
}

impl LimitArgs {
    /// The limits; `time` applies if no limit is given.
    pub fn limits(&self, multipv: usize, default: Duration) -> Limits {
        let EffortArgs { nodes, depth, .. } = self.effort;
        let (time, threads) = (self.effort.time_or(default), self.effort.threads.count());
        Limits { time, nodes, depth, multipv, threads, ..Limits::default() }
    }

    /// Warns if the main engine plays this game, and its tables cannot take all of the memory.
    pub fn warn_of_hash(&self, game: Kind) {
        if engine_rule(game).is_some() {
            warn_of_hash(self.hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_begins_with_a_hole_is_no_comment() {
        for board in
            ["#7/8/8/3ox3/3xo3/8/8/8 x", "#--------------------------OX------XO--------------------------- X"]
        {
            assert!(!is_comment(board), "{board}");
        }
        for comment in ["", "# endings", "#8/8", "#################", "% x", "#xo", "#solved: d3"] {
            assert!(is_comment(comment), "{comment}");
        }
    }
}
