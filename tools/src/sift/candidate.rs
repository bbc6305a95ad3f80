//! Candidates: openings with their score, games and verdict.

use serde::{Deserialize, Serialize};

use crate::arena::record::GameRecord;
use crate::runs::journal::Entry;
use kagetsu::game::Color;

/// A candidate, judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sifted {
    /// Number, from 0.
    pub number: u64,
    /// The opening, as moves or as a setup string; `None` if this number gives none.
    pub opening: Option<String>,
    /// Score by the long search, from Black's view.
    pub score: Option<i32>,
    /// The games, in order.
    pub games: Vec<Outcome>,
    /// Verdict.
    pub verdict: Verdict,
}

impl Entry for Sifted {
    const NAME: &str = "candidate";
}

/// Verdict on a candidate: kept, or the sieve that rejected it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The random stones of this number made no balanced opening.
    NoOpening,
    /// The long search sees one side too far ahead.
    Unbalanced,
    /// One colour won the quick pair.
    QuickOneSided,
    /// One colour won all long games.
    OneSided,
    /// Kept.
    Kept,
}

impl Verdict {
    /// All verdicts, in the order of the sieves.
    pub const ALL: [Verdict; 5] =
        [Verdict::NoOpening, Verdict::Unbalanced, Verdict::QuickOneSided, Verdict::OneSided, Verdict::Kept];

    /// Returns the words for candidates of this verdict.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::NoOpening => "gave no opening",
            Verdict::Unbalanced => "unbalanced by the long search",
            Verdict::QuickOneSided => "won by one colour in the quick games",
            Verdict::OneSided => "won by one colour in all long games",
            Verdict::Kept => "kept",
        }
    }
}

/// The end of a game of an engine against itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Name of the engine.
    pub engine: String,
    /// Nodes of Black for each move.
    pub black: u64,
    /// Nodes of White for each move.
    pub white: u64,
    /// `1-0` if Black has won, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Number of moves after the opening.
    pub moves: usize,
}

impl Outcome {
    /// Returns the winner.
    pub fn winner(&self) -> Option<Color> {
        GameRecord::winner_of(&self.result)
    }
}

/// Returns whether both colours have points from these games: one is a draw, or each colour won one. No further game can
/// change that.
pub fn is_open(games: &[Outcome]) -> bool {
    let first = games.first().and_then(Outcome::winner);
    games.iter().any(|game| game.winner().is_none() || game.winner() != first)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a game with this result.
    pub fn outcome(result: &str) -> Outcome {
        Outcome { engine: "a".into(), black: 1, white: 2, result: result.into(), moves: 9 }
    }

    #[test]
    fn a_draw_or_a_win_of_the_other_colour_saves_an_opening() {
        let games = |results: &[&str]| results.iter().map(|result| outcome(result)).collect::<Vec<_>>();
        for results in [&["1-0", "1-0"][..], &["0-1", "0-1", "0-1", "0-1"], &["0-1"], &[]] {
            assert!(!is_open(&games(results)), "{results:?}");
        }
        for results in [&["1-0", "0-1"][..], &["1-0", "1-0", "1-0", "1/2-1/2"], &["1/2-1/2"]] {
            assert!(is_open(&games(results)), "{results:?}");
        }
    }
}
