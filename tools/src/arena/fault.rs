//! The ways in which an engine can fail a game, each with a name. A fault loses the game; the tournament goes on.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Kind of failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A move onto a stone or off the board.
    IllegalMove,
    /// A move that came, but later than limit and tolerance allow.
    Overtime,
    /// No output at all when a move was due.
    Silence,
    /// Output without a line end when a move was due.
    HalfLine,
    /// Lines, but none that is a move, when a move was due.
    NoMove,
    /// The process ended, or closed its input or output.
    Crash,
    /// More output than any engine needs.
    Flood,
    /// A move outside its turn.
    StrayMove,
    /// START was answered with ERROR or UNKNOWN.
    StartRefused,
    /// START was not answered with OK in time.
    NoOk,
    /// A question about the opening was answered with ERROR or UNKNOWN, and with nothing else in time, or was ignored by an
    /// engine that was ready for other commands.
    OpeningRefused,
    /// More memory than the limit.
    Memory,
    /// The engine does not read its input: the pipe is full.
    Deaf,
}

impl FaultKind {
    /// The name in tables and records.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::IllegalMove => "illegal move",
            FaultKind::Overtime => "overtime",
            FaultKind::Silence => "silence",
            FaultKind::HalfLine => "half line",
            FaultKind::NoMove => "no move",
            FaultKind::Crash => "crash",
            FaultKind::Flood => "flood",
            FaultKind::StrayMove => "stray move",
            FaultKind::StartRefused => "start refused",
            FaultKind::NoOk => "no OK",
            FaultKind::OpeningRefused => "opening refused",
            FaultKind::Memory => "memory",
            FaultKind::Deaf => "deaf",
        }
    }

    /// Returns whether the process can be trusted with another game.
    pub const fn spares_process(self) -> bool {
        matches!(self, FaultKind::Overtime)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A failure and what exactly was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// In words, for people.
    pub detail: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

/// Reason why an exchange with an engine ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The engine failed.
    Fault(Fault),
    /// The game must stop; nobody is to blame.
    Aborted,
    /// The system could not start an engine's process again, for example because too many files are open. The text
    /// names the engine and the reason.
    NotStarted(String),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}
