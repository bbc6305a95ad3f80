//! Outcome of a command.

/// Outcome of a command that did not fail as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Everything was answered.
    Done,
    /// Some lines of a batch were answered with an error.
    SomeFailed,
}

impl Status {
    /// Returns the outcome of two pieces of work together.
    #[must_use]
    pub fn and(self, other: Status) -> Status {
        if self == Status::Done { other } else { self }
    }
}
