//! Wrong usage that the parser of arguments does not see.

use std::fmt;

/// Error: arguments are wrong or do not fit each other, whatever positions and files hold. The exit status is then that of
/// arguments that the parser refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongUsage(String);

impl WrongUsage {
    /// Returns the error of this text, or of another error with its causes.
    pub fn new(error: impl fmt::Display) -> WrongUsage {
        WrongUsage(format!("{error:#}"))
    }
}

impl fmt::Display for WrongUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongUsage {}
