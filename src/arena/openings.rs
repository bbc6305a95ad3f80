//! Lists of starting positions in the notations that people exchange them in.

use std::str::FromStr;

use super::plan::print_position;
use crate::game::notation::{self, gomocup, moves, setup};
use crate::game::symmetry::Symmetry;
use crate::game::{Position, Reading, RuleKind, Size};
use anyhow::{Context, bail};

/// How the lines of a list are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// Each line tells by its look: a setup string has a `/`, offsets have only numbers, all else is moves.
    #[default]
    Auto,
    /// Offsets from the middle, rows counted downwards, as Gomocup publishes them.
    Offset,
    /// Moves, row 1 at the bottom.
    Pos,
    /// Moves, row 1 at the top, as c-gomoku-cli reads them.
    PosTop,
    /// Setup strings.
    Setup,
}

impl Notation {
    /// The names on the command line.
    pub const NAMES: [&str; 5] = ["auto", "offset", "pos", "pos-top", "setup"];
}

impl FromStr for Notation {
    type Err = String;

    fn from_str(s: &str) -> Result<Notation, String> {
        let all = [Notation::Auto, Notation::Offset, Notation::Pos, Notation::PosTop, Notation::Setup];
        let found = Notation::NAMES.iter().position(|&name| name == s);
        found.map(|i| all[i]).ok_or_else(|| format!("'{s}' is no notation"))
    }
}

/// Reads a list: one position a line; blank lines and lines that start with `#` are skipped. Each must be one that a
/// game can go on from.
///
/// # Errors
/// The line and what is wrong with it.
pub fn read_list(text: &str, notation: Notation, rule: RuleKind, size: Size) -> anyhow::Result<Vec<String>> {
    let mut openings = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = read_line(line, notation, rule, size).with_context(|| format!("line {}", i + 1))?;
        openings.push(print_position(&opening));
    }
    Ok(openings)
}

fn read_line(line: &str, notation: Notation, rule: RuleKind, size: Size) -> anyhow::Result<Position> {
    let position = match resolve(line, notation) {
        Notation::Offset => gomocup::parse_offsets(line, size)?,
        Notation::PosTop => Symmetry::MIRROR_ROWS.apply_position(&moves::parse(line, size)?),
        Notation::Setup => setup::parse(line)?,
        Notation::Pos | Notation::Auto => moves::parse(line, size)?,
    };
    if position.size() != size {
        bail!("the position is of size {}, not {size}", position.size());
    }
    check(&position, rule)?;
    Ok(position)
}

fn resolve(line: &str, notation: Notation) -> Notation {
    match notation {
        Notation::Auto if line.contains('/') => Notation::Setup,
        Notation::Auto if line.contains(',') && !line.contains(|c: char| c.is_ascii_alphabetic()) => {
            Notation::Offset
        }
        other => other,
    }
}

/// Whether a game can go on from here: legal moves, nobody has won, no passes.
///
/// # Errors
/// What is wrong.
pub fn check(position: &Position, rule: RuleKind) -> anyhow::Result<()> {
    notation::validate(position, rule, Reading::Literal)?;
    if position.moves().iter().any(|m| m.point().is_none()) {
        bail!("an opening cannot have a pass");
    }
    let won = crate::with_rule!(rule, R => {
        crate::game::Board::<R>::from_position(position)?.find_row().is_some()
    });
    if won {
        bail!("the game is over already");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, notation: Notation) -> anyhow::Result<Vec<String>> {
        read_list(text, notation, RuleKind::Freestyle, Size::S15)
    }

    #[test]
    fn the_same_opening_in_every_notation() {
        // White's second stone lies one column right and two rows above the middle.
        let expected = ["h8i10"];
        for (text, notation) in [
            ("0,0, 1,-2", Notation::Auto),
            ("0,0, 1,-2 ", Notation::Offset),
            ("# list\n\nh8 i10\n", Notation::Auto),
            ("h8i10", Notation::Pos),
            ("h8i6", Notation::PosTop),
        ] {
            assert_eq!(read(text, notation).unwrap(), expected, "{text}");
        }
        let setup = "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o";
        assert_eq!(read(setup, Notation::Auto).unwrap(), [setup]);
    }

    #[test]
    fn impossible_openings_are_refused_by_line() {
        for bad in ["h8h8", "h8--i8", "z9", "a1a15b1b15c1c15d1d15e1", "19/19 x", "99,0"] {
            let error = read(&format!("h8\n{bad}"), Notation::Auto).unwrap_err();
            assert_eq!(error.to_string(), "line 2", "{bad}");
        }
    }
}
