//! A rule as a run-time value, and its definition of a winning row.

use std::fmt;
use std::str::FromStr;

use super::color::Color;
use super::quote::quoted;
use crate::invalid::Invalid;

/// Definition of a winning row for one colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Five {
    /// Five or more in a row.
    AtLeast,
    /// Exactly five; six or more do not win.
    Exactly,
    /// Exactly five, and not with an opponent's stone at both ends (an edge does not close).
    Unclosed,
    /// Like [`Five::Unclosed`], but six or more always win.
    UnclosedOrLong,
}

/// A rule chosen at run time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RuleKind {
    /// Five or more wins. Gomocup rule 0.
    Freestyle,
    /// Exactly five wins. Gomocup rule 1.
    Standard,
    /// Renju: Black wins by exactly five and may not play an overline, double four or double three. Gomocup rule 4.
    Renju,
    /// Exactly five not closed at both ends wins. Gomocup rule 9.
    Caro,
    /// Caro in which a longer row always wins. Gomocup rule 8.
    Caro6,
}

impl RuleKind {
    /// All rules.
    pub const ALL: [RuleKind; 5] =
        [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju, RuleKind::Caro, RuleKind::Caro6];

    /// Returns the definition of a winning row for `color`.
    pub const fn five(self, color: Color) -> Five {
        match (self, color) {
            (RuleKind::Freestyle, _) | (RuleKind::Renju, Color::White) => Five::AtLeast,
            (RuleKind::Standard, _) | (RuleKind::Renju, Color::Black) => Five::Exactly,
            (RuleKind::Caro, _) => Five::Unclosed,
            (RuleKind::Caro6, _) => Five::UnclosedOrLong,
        }
    }

    /// The value of `INFO rule` in the Gomocup protocol.
    pub const fn gomocup(self) -> u32 {
        match self {
            RuleKind::Freestyle => 0,
            RuleKind::Standard => 1,
            RuleKind::Renju => 4,
            RuleKind::Caro => 9,
            RuleKind::Caro6 => 8,
        }
    }

    /// The rule with this Gomocup number.
    pub fn from_gomocup(number: u32) -> Option<RuleKind> {
        RuleKind::ALL.into_iter().find(|r| r.gomocup() == number)
    }

    /// Lower-case name, as the command line spells it.
    pub const fn name(self) -> &'static str {
        match self {
            RuleKind::Freestyle => "freestyle",
            RuleKind::Standard => "standard",
            RuleKind::Renju => "renju",
            RuleKind::Caro => "caro",
            RuleKind::Caro6 => "caro6",
        }
    }
}

impl fmt::Display for RuleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RuleKind {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<RuleKind, Invalid> {
        let lower = s.to_ascii_lowercase();
        RuleKind::ALL.into_iter().find(|r| r.name() == lower).ok_or_else(|| {
            format!("{} is not a rule: expected freestyle, standard, renju, caro or caro6", quoted(s)).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_an_unknown_rule_is_quoted_without_control_characters() {
        let said = |text: &str| text.parse::<RuleKind>().unwrap_err().to_string();
        let expected = "is not a rule: expected freestyle, standard, renju, caro or caro6";
        assert_eq!(said("renju\n"), format!("'renju\\n' {expected}"));
        assert_eq!(said(&"renju".repeat(100)), format!("'{}…' {expected}", "renju".repeat(8)));
        assert_eq!("Renju".parse(), Ok(RuleKind::Renju));
    }
}
