//! Explanation of a black stone under Renju, whether legal or a foul, for a message.

use anyhow::{Result, ensure};

use super::convert::{self, names};
use crate::schema::{Tell, board, facts};
use kagetsu::game::explain::{Explanation, Extension, Four, Row, Three};
use kagetsu::game::{Board, Renju, notation};

/// Explains the verdict of Renju on a black stone, whatever the position's rule.
pub fn explain(given: &board::Position, point: &str) -> Result<Tell> {
    let (position, _) = convert::position(given)?;
    let p = notation::parse_point(point, position.size())?;
    ensure!(position.is_free(p), "{p} is occupied: expected an empty point");
    let board = Board::<Renju>::from_position(&position)?;
    Ok(Tell::Explanation(explanation(&board.explain(p))))
}

fn explanation(found: &Explanation) -> facts::Explanation {
    facts::Explanation {
        point: found.point.to_string(),
        verdict: found.verdict.to_string(),
        fives: found.fives.iter().map(row).collect(),
        overlines: found.overlines.iter().map(row).collect(),
        fours: found.fours.iter().map(four).collect(),
        threes: found.threes.iter().map(three).collect(),
        cut: found.is_cut,
    }
}

fn row(row: &Row) -> facts::Row {
    facts::Row { direction: row.direction.name().into(), stones: names(&row.stones) }
}

fn four(four: &Four) -> facts::Four {
    facts::Four {
        direction: four.direction.name().into(),
        stones: names(&four.stones),
        completions: names(&four.completions),
    }
}

fn three(three: &Three) -> facts::Three {
    facts::Three {
        direction: three.direction.name().into(),
        stones: names(&three.stones),
        extensions: three.extensions.iter().map(extension).collect(),
        real: three.is_real(),
    }
}

fn extension(extension: &Extension) -> facts::Extension {
    facts::Extension {
        point: extension.point.to_string(),
        extends: extension.extends,
        reason: extension.reason.as_ref().map(explanation),
    }
}
