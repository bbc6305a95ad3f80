//! Requests of the page.

use serde::{Deserialize, Serialize};

use super::board::{Clock, Color, Ends, Position, Rule};
use super::game::{Entry, Game};

/// A message of the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Request {
    /// The number of the request, which its answers carry; the page counts from 1.
    pub id: u32,
    /// The request itself.
    #[serde(flatten)]
    pub ask: Ask,
}

/// A kind of forced win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum SolveKind {
    /// By fours alone.
    Vcf,
    /// By fours and threes.
    Vct,
}

/// A format of pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PictureFormat {
    /// Pixels.
    Png,
    /// Lines and shapes.
    Svg,
}

/// A text on a point of a picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Figure {
    /// The point.
    pub point: String,
    /// The text.
    pub text: String,
}

/// A request by kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ask {
    /// Facts of a position by the rules. Answer: `facts`.
    Facts {
        /// The position.
        position: Position,
        /// Ends of a game besides a row, a foul and a full board.
        ends: Ends,
    },
    /// Explanation of a black stone on a point under Renju, whatever the position's rule. Answer: `explanation`.
    Explain {
        /// The position.
        position: Position,
        /// The empty point.
        point: String,
    },
    /// The best moves of a position, improved until `stop`. Answers: `study`, again and again, then `done`.
    Analyze {
        /// The position.
        position: Position,
        /// Number of lines wanted, 1 to 20.
        lines: u8,
        /// Milliseconds after which it ends by itself.
        ms: Option<u32>,
    },
    /// A forced win with its whole tree. Answer: `proof`.
    Solve {
        /// The position.
        position: Position,
        /// The side that wins; if it is not the side to move, the opponent passes first.
        attacker: Color,
        /// Kind of the win.
        kind: SolveKind,
    },
    /// The engine's move. Answer: `moved`.
    Move {
        /// The position.
        position: Position,
        /// Ends of a game besides a row, a foul and a full board.
        ends: Ends,
        /// Strength, 0 to 100.
        level: u8,
        /// The engine's time.
        clock: Clock,
        /// Seed of the random choices among moves.
        seed: u32,
    },
    /// Whether the engine takes a draw. Answer: `draw`.
    OfferDraw {
        /// The position.
        position: Position,
        /// Ends of a game besides a row, a foul and a full board.
        ends: Ends,
        /// The engine's expected share of the points by the search of its last move; `null` if it has searched none.
        win_rate: Option<f64>,
    },
    /// The state of an opening regulation after these actions. Answer: `opening`.
    Opening {
        /// The regulation, as `soosorv:8`.
        regulation: String,
        /// Side length of the board.
        size: u8,
        /// Actions so far, as written: `h8 h9 i9`, `keep`, `swap`, `offer g8 i7`, `choose g8 i10`, `h8 declare 3`.
        actions: Vec<String>,
    },
    /// The engine's action in an opening. Answer: `decided`.
    Decide {
        /// The regulation.
        regulation: String,
        /// Side length of the board.
        size: u8,
        /// The rule that the game is played by.
        rule: Rule,
        /// Actions so far.
        actions: Vec<String>,
        /// Strength, 0 to 100.
        level: u8,
        /// The engine's time.
        clock: Clock,
        /// Seed of the random choices.
        seed: u32,
    },
    /// Reads a game file. Answer: `loaded`.
    Load {
        /// The file's name, whose extension says the format.
        name: String,
        /// The content in base64.
        data: String,
        /// Which game of several, from 0; `null` for the first one that can be shown.
        number: Option<u32>,
    },
    /// Writes a game file. Answer: `file`.
    Save {
        /// The game.
        game: Game,
        /// The format, as `sgf`.
        format: String,
        /// Whether to leave out parts that the format cannot store; otherwise they are an error.
        lossy: bool,
    },
    /// Draws a picture of a position. Answer: `file`.
    Picture {
        /// The position.
        position: Position,
        /// The format.
        format: PictureFormat,
        /// Whether stones carry the numbers of their moves.
        numbers: bool,
        /// Texts on empty points.
        figures: Vec<Figure>,
    },
    /// Reads a position in any notation. Answer: `position`.
    Parse {
        /// The text.
        text: String,
        /// Side length of the board, where the text does not say it.
        size: u8,
        /// The rule.
        rule: Rule,
    },
    /// Judges every move of the main line, the last one first. Answers: `judged`, one for each position, then `done`.
    Annotate {
        /// The game.
        game: Game,
        /// The rule.
        rule: Rule,
        /// Ends of the game besides a row, a foul and a full board.
        ends: Ends,
        /// Milliseconds for each position.
        ms: u32,
    },
    /// Writes judgements into a game, in place of those written before. Answer: `written`.
    Write {
        /// The game.
        game: Game,
        /// The entries, each with the place of its node among the game's nodes.
        entries: Vec<(u32, Entry)>,
    },
    /// The 26 openings. Answer: `openings`.
    Openings,
    /// The book's moves in a position. Answer: `book`.
    Book {
        /// The position.
        position: Position,
    },
    /// The sets of puzzles in the program. Answer: `puzzles`.
    Puzzles,
    /// A set of the user's own, from a file. Answer: `puzzles`, with one set.
    ReadPuzzles {
        /// The file's name, whose extension says the format.
        name: String,
        /// The content in base64.
        data: String,
        /// The rule of positions that do not say theirs.
        rule: Rule,
    },
    /// The reply to a move in a puzzle: the position is after it, with the defender to move. Answer: `trial`.
    Try {
        /// The position.
        position: Position,
        /// Kind of the win.
        kind: SolveKind,
    },
    /// Ends the job for an earlier request. It has no answer of its own; the job may still answer, or sends `done`.
    Stop {
        /// The number of that request.
        job: u32,
    },
}
