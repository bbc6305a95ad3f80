//! The common properties of a section's entries: rule, board and evaluation.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{RuleKind, Size};

/// The common properties of a section's entries.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// Name of the rule.
    rule: String,
    /// Side of the board.
    size: usize,
    /// Name of the evaluation that judged the positions: scores of different evaluations cannot be compared.
    pub evaluation: String,
}

impl Recipe {
    /// Creates the recipe of entries of this rule and size, judged by this evaluation.
    pub fn new(rule: RuleKind, size: Size, evaluation: &str) -> Recipe {
        Recipe { rule: rule.name().to_owned(), size: size.side(), evaluation: evaluation.to_owned() }
    }

    /// Returns the rule and the board size of the section.
    pub(super) fn place(&self) -> Result<(RuleKind, Size), String> {
        Ok((self.rule.parse()?, Size::new(self.size).map_err(|error| error.to_string())?))
    }
}

/// The rule and the size, as `renju 15x15`.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}", self.rule, self.size, self.size)
    }
}
