//! The record of a game, an entry of the tournament's journal, from which everything else is made.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fault::FaultKind;
use crate::runs::journal::Entry;
use kagetsu::game::Color;

/// Reason of a game's end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A winning row.
    Five,
    /// A forbidden move of Black.
    Foul,
    /// The board is full or, in journals of older programs, there was no legal point.
    Full,
    /// Nobody can make a row any more.
    NoRow,
    /// Black has fouls only.
    OnlyFouls,
    /// Both sides passed.
    TwoPasses,
    /// A side has placed all its stones.
    StoneLimit,
    /// The players agreed on a draw.
    Agreement,
    /// A side lost by the score that it reported.
    Resigned,
    /// The game was drawn by the scores that both sides reported.
    DrawScore,
    /// The game was drawn by its length.
    DrawLength,
    /// The loser failed.
    Fault(FaultKind),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            End::Five => "five",
            End::Foul => "foul",
            End::Full => "board full",
            End::NoRow => "no row possible",
            End::OnlyFouls => "only fouls left",
            End::TwoPasses => "two passes",
            End::StoneLimit => "stones used up",
            End::Agreement => "agreement",
            End::Resigned => "lost by score",
            End::DrawScore => "drawn by score",
            End::DrawLength => "drawn by length",
            End::Fault(kind) => kind.name(),
        })
    }
}

/// A move and what its engine said about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Point such as `h8`, or `--` for a pass.
    #[serde(rename = "move")]
    pub point: String,
    /// Time used, in milliseconds.
    pub ms: u64,
    /// Reported score, from the mover's view.
    pub score: Option<i32>,
    /// Reported depth.
    pub depth: Option<u32>,
}

/// An opening by a regulation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// The regulation.
    pub rule: String,
    /// Name of the engine that began.
    pub opener: String,
    /// Name of the engine that took the last decision, by which the colours were settled; `null` if one failed before.
    pub chooser: Option<String>,
    /// Decisions in order.
    pub decisions: Vec<Decision>,
}

/// An engine's decision in the opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// Name of the engine.
    pub engine: String,
    /// Stones, as `h8 a1 i10`, or `swap`.
    pub action: String,
    /// Time used, in milliseconds.
    pub ms: u64,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the tournament, from 1.
    pub game: u64,
    /// The day on which it ended, as `2026-11-24` (UTC); `None` in old journals, which lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Name of the engine that was Black.
    pub black: String,
    /// Name of the engine that was White.
    pub white: String,
    /// Rule, by name.
    pub rule: String,
    /// Side of the board.
    pub size: usize,
    /// The opening's number in the list, from 1.
    pub opening: usize,
    /// Record of the opening, if a regulation asked for one; `start` is then its result.
    #[serde(default)]
    pub regulation: Option<OpeningRecord>,
    /// The position at the start: a move string, or a setup string.
    pub start: String,
    /// The engines' moves.
    pub moves: Vec<MoveRecord>,
    /// `1-0` if Black has won, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Reason of the end.
    pub end: End,
    /// More about the end.
    pub detail: String,
    /// Oddities that are no faults, each after its engine's name; of many, only the first and the number of the others.
    pub warnings: Vec<String>,
}

impl GameRecord {
    /// The text of a result.
    pub fn result_text(winner: Option<Color>) -> &'static str {
        match winner {
            Some(Color::Black) => "1-0",
            Some(Color::White) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The winner.
    pub fn winner(&self) -> Option<Color> {
        GameRecord::winner_of(&self.result)
    }

    /// Returns the winner by the text of a result.
    pub fn winner_of(result: &str) -> Option<Color> {
        match result {
            "1-0" => Some(Color::Black),
            "0-1" => Some(Color::White),
            _ => None,
        }
    }

    /// Returns whether the result is one of the three: [`GameRecord::winner`] takes every other text for a draw.
    pub fn has_result(&self) -> bool {
        self.result == GameRecord::result_text(self.winner())
    }

    /// Half points of a colour.
    pub fn half_points(&self, color: Color) -> u8 {
        self.winner().map_or(1, |winner| if winner == color { 2 } else { 0 })
    }
}

impl Entry for GameRecord {
    const NAME: &str = "game";
}
