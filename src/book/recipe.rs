//! What the entries of a section have in common: the rule, the board and what judged them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{RuleKind, Size};

/// What the entries of a section have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// Name of the rule.
    rule: String,
    /// Side of the board.
    size: usize,
    /// What judged the positions: scores of different evaluations do not compare.
    pub evaluation: String,
}

impl Recipe {
    /// For entries of this rule and size, judged by this evaluation.
    pub fn new(rule: RuleKind, size: Size, evaluation: &str) -> Recipe {
        Recipe { rule: rule.name().to_owned(), size: size.side(), evaluation: evaluation.to_owned() }
    }

    /// Where the section belongs.
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
