//! Answers of the server.

use serde::{Deserialize, Serialize};

use super::board::Position;
use super::facts::{Explanation, Facts};
use super::game::{Entry, Game};
use super::library::{BookEntry, NamedOpening, PuzzleSet, Trial};

/// A message of the server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reply {
    /// The number of the request that it answers; 0 for the welcome, and for a message whose number could not be read.
    pub id: u32,
    /// The answer.
    #[serde(flatten)]
    pub tell: Tell,
}

/// Answer to a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Tell {
    /// The first message.
    Welcome(Welcome),
    /// Judgement of a position by the rules.
    Facts(Facts),
    /// Explanation of a stone under Renju, whether legal or a foul.
    Explanation(Explanation),
    /// The request waits: the engine is busy with other jobs.
    Queued {
        /// Jobs that come before this one.
        ahead: u32,
    },
    /// Results of the analysis of a position so far.
    Study(Study),
    /// A forced win, or that there is none.
    Proof(Proof),
    /// The engine's move.
    Moved {
        /// A point or `pass`.
        #[serde(rename = "move")]
        turn: String,
        /// The engine's expected share of the points; `null` where nothing was searched.
        win_rate: Option<f64>,
        /// Plies to a proven end, negative if the engine loses.
        mate: Option<i32>,
        /// Whether the move is from the opening book.
        book: bool,
        /// Milliseconds used.
        ms: u32,
    },
    /// Whether the engine takes a draw.
    Draw {
        /// Whether it does.
        accepted: bool,
    },
    /// Progress of an opening by a regulation.
    Opening(Opening),
    /// The engine's action in an opening.
    Decided {
        /// The action as text, as in requests.
        action: String,
        /// The choices compared, each with its expected share of the points for the engine, best first.
        reasons: Vec<(String, Option<f64>)>,
        /// Milliseconds used.
        ms: u32,
    },
    /// A game file, read.
    Loaded(Loaded),
    /// A file, written.
    File {
        /// The usual extension.
        extension: String,
        /// The type of its content.
        mime: String,
        /// The content in base64.
        data: String,
        /// Parts that were left out.
        left_out: Vec<String>,
    },
    /// A position, read.
    Position {
        /// The position.
        position: Position,
    },
    /// A move of a game, judged.
    Judged(Judged),
    /// A game with judgements written into it: its nodes have the children that they had, and new ones behind them.
    Written {
        /// The game.
        game: Game,
    },
    /// The 26 openings.
    Openings {
        /// In the order of their codes.
        openings: Vec<NamedOpening>,
    },
    /// The book's entry for a position.
    Book {
        /// The entry; `null` if the book does not have the position.
        entry: Option<BookEntry>,
    },
    /// The sets of puzzles in the program.
    Puzzles {
        /// The sets.
        sets: Vec<PuzzleSet>,
    },
    /// Outcome of a move in a puzzle.
    Trial(Trial),
    /// The job has ended.
    Done,
    /// The request cannot be answered; says why, and what is expected.
    Error {
        /// One sentence.
        message: String,
    },
}

/// The first message: versions, formats, opening regulations and the file to show.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Welcome {
    /// The version of the messages.
    pub version: u32,
    /// The version of the program.
    pub program: String,
    /// Threads that the engine uses.
    pub threads: u32,
    /// Formats of game files.
    pub formats: Vec<String>,
    /// The opening regulations.
    pub regulations: Vec<RegulationName>,
    /// Bytes of the longest message that the server takes.
    pub longest: u32,
    /// The file that the program was started with.
    pub opened: Option<Loaded>,
    /// Random id of this start of the program, by which the page shows a file only once.
    pub start: String,
}

/// An opening regulation, for a list to choose from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RegulationName {
    /// Name in requests, with the usual number.
    pub name: String,
    /// Name for the user.
    pub title: String,
    /// Description in a sentence.
    pub about: String,
    /// Whether it is played under Renju.
    pub renju: bool,
}

/// A line of play.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// In the engine's units.
    pub score: i32,
    /// Expected share of the points, 0 to 1.
    pub win_rate: f64,
    /// Plies to a proven end, negative when losing.
    pub mate: Option<i32>,
    /// The moves; `-` stands for any reply.
    pub moves: Vec<String>,
}

/// A win by fours that the opponent would have after a pass.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Threat {
    /// Plies up to the five.
    pub length: u32,
    /// Its moves, the opponent's first.
    pub line: Vec<String>,
    /// The moves that stop it.
    pub stops: Vec<String>,
    /// Whether these are all.
    pub complete: bool,
}

/// The move that is being searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AtWork {
    /// The depth of the iteration.
    pub depth: u32,
    /// The move's number in it.
    pub number: u32,
    /// The move.
    pub point: String,
}

/// Results of the analysis of a position so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Study {
    /// The best lines.
    pub lines: Vec<Line>,
    /// Source of the proof: `vcf`, `vct`, `search`.
    pub proven: Option<String>,
    /// Threats of the opponent.
    pub threat: Option<Threat>,
    /// Depth finished.
    pub depth: u32,
    /// Selective depth: the longest line searched, in plies.
    pub seldepth: u32,
    /// Moves made on the engine's boards.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// Moves a second.
    #[cfg_attr(test, ts(type = "number"))]
    pub nps: u64,
    /// Milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub ms: u64,
    /// Work that the engine is doing.
    pub at_work: Option<AtWork>,
    /// Whether there are no search results yet.
    pub is_static: bool,
    /// Share of the table filled, in thousandths.
    pub hash_permille: Option<u32>,
}

/// A reply in a proof, with the index of the turn that answers it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TurnReply {
    /// The defender's move.
    #[serde(rename = "move")]
    pub turn: String,
    /// Index of the turn that answers it.
    pub answer: u32,
}

/// A turn of the attacker in a proof.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Turn {
    /// The attacker's move.
    #[serde(rename = "move")]
    pub turn: String,
    /// Whether it makes a five.
    pub five: bool,
    /// Plies from here to the five.
    pub length: u32,
    /// Replies with an answer of their own.
    pub replies: Vec<TurnReply>,
    /// Index of the turn that answers every reply not listed; `null` if the attacker makes a five at once, or if that turn
    /// was left out.
    pub otherwise: Option<u32>,
    /// Whether answers to some replies were left out.
    pub cut: bool,
}

/// A forced win, or that there is none.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Proof {
    /// Whether there is a win: `win`, `no_win`, or `unknown` where a limit was reached.
    pub result: String,
    /// Plies up to the five when the defender holds out longest.
    pub length: u32,
    /// The turns, the first one first; indices point only to later turns.
    pub turns: Vec<Turn>,
    /// Whether turns were left out because there are too many.
    pub cut: bool,
}

/// Points for a stone of an opening.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Zone {
    /// In words.
    pub text: String,
    /// The points.
    pub points: Vec<String>,
}

/// Something that may be done at a step of an opening.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Choice {
    /// Put stones.
    Place {
        /// In words.
        text: String,
        /// The number of the first stone.
        first: u32,
        /// Points for each stone.
        zones: Vec<Zone>,
        /// The largest number of fifth moves that must be declared with them.
        declare: Option<u32>,
    },
    /// Leave the colours as they are.
    Keep,
    /// Exchange the colours.
    Swap,
    /// Offer points for the fifth stone.
    Offer {
        /// In words.
        text: String,
        /// Number of points to offer.
        count: u32,
        /// The classes of points that count as one.
        classes: Vec<Vec<String>>,
    },
    /// Choose the fifth stone and put the sixth.
    Choose {
        /// In words.
        text: String,
        /// The points offered.
        fifths: Vec<String>,
    },
}

/// Progress of an opening by a regulation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opening {
    /// The stones so far, Black's first.
    pub moves: Vec<String>,
    /// Player who acts, or moves when the opening is over: 1 is the one who began as Black, 2 the other.
    pub seat: u8,
    /// Player who holds Black: 1 or 2.
    pub black: u8,
    /// Whether the game goes on with free moves.
    pub over: bool,
    /// Legal actions.
    pub choices: Vec<Choice>,
    /// The points offered for the fifth stone.
    pub offered: Vec<String>,
    /// The number of fifth moves that was declared.
    pub declared: Option<u32>,
}

/// A game of a file with several.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Summary {
    /// Index in the file, from 0.
    pub number: u32,
    /// Players, event, date, as far as the file says them.
    pub title: String,
    /// Moves of the main line.
    pub moves: u32,
}

/// A game file, read.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Loaded {
    /// The file's name.
    pub name: String,
    /// The format it was read as.
    pub format: String,
    /// All games, if there are several.
    pub games: Vec<Summary>,
    /// The games that cannot be shown, each with its number from 1 and the reason.
    pub left_out: Vec<String>,
    /// Whether the file has more games than are listed.
    pub more: bool,
    /// Index of this game in the file.
    pub number: u32,
    /// The game asked for.
    pub game: Game,
}

/// A move of a game, judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Judged {
    /// The place of the move's node among the nodes that were sent.
    pub node: u32,
    /// Positions evaluated so far, and the number of all positions.
    pub progress: (u32, u32),
    /// `good`, `inaccuracy`, `mistake`, `blunder`, `missed_win`, `forbidden`; empty while only the progress is known.
    pub verdict: String,
    /// Black's expected share of the points after the move.
    pub black: f64,
    /// Points lost, as a share of a game.
    pub loss: f64,
    /// Plies to a proven end after the move, positive if Black wins; 0 after the winning move.
    pub mate: Option<i32>,
    /// The best line instead of the move.
    pub best: Vec<String>,
    /// Entry for `write`; `null` while only the progress is known.
    pub entry: Option<Entry>,
}
