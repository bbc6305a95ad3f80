//! From a command-line argument to a position.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::args::BoardArgs;
use crate::game::{Position, Reading, RuleKind, Size, notation};

/// Extensions of game files. A game file as an argument is recognised so that its name is not read as moves.
const GAME_FILES: [&str; 10] = ["psq", "sgf", "lib", "pos", "sav", "rif", "xml", "db", "bin", "binpack"];

/// The position that an argument means, checked under the rule.
pub fn position(argument: &str, board: &BoardArgs, reading: Reading) -> Result<Position> {
    let mut text = argument.to_string();
    if argument == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).context("cannot read a position from stdin")?;
    } else if is_game_file(argument) {
        bail!("{argument}: game files cannot be read by this version");
    }
    checked(&text, board.rule, board.size, reading)
}

fn is_game_file(argument: &str) -> bool {
    let path = Path::new(argument);
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    GAME_FILES.contains(&extension.as_str()) || path.is_file()
}

/// The position that a text means, checked under the rule.
pub fn checked(text: &str, rule: RuleKind, size: Option<Size>, reading: Reading) -> Result<Position> {
    let position = notation::parse(text, size)?;
    notation::validate(&position, rule, reading)?;
    Ok(position)
}
