//! The rules as zero-sized types ([`Rule`]); [`RuleKind`] is a rule as a run-time value.
//!
//! Everything below the entry points is generic over `R: Rule`, so each rule compiles to its own code. The macro
//! [`with_rule!`](crate::with_rule) is the only place where a run-time rule becomes a type.

use std::fmt;
use std::str::FromStr;

use super::color::Color;
use super::quote::quoted;
use super::rule_kind::RuleKind;
use super::shape::ShapeTable;
use crate::invalid::Invalid;

/// Interpretation of point T5 of the double-three rule: a three's extension that also makes a five.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reading {
    /// "Without at the same time a five": such an extension does not make a three. The text of the RIF and the Gomocup
    /// referee.
    #[default]
    Literal,
    /// A five is legal, so such an extension validates the three.
    FiveExtends,
}

impl Reading {
    /// Both readings.
    pub const ALL: [Reading; 2] = [Reading::Literal, Reading::FiveExtends];

    /// Lower-case name, as the command line spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Reading::Literal => "literal",
            Reading::FiveExtends => "five-extends",
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reading {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Reading, Invalid> {
        let lower = s.to_ascii_lowercase();
        Reading::ALL
            .into_iter()
            .find(|reading| reading.name() == lower)
            .ok_or_else(|| format!("{} is not a reading: expected literal or five-extends", quoted(s)).into())
    }
}

/// A rule chosen at compile time.
pub trait Rule: Copy + Clone + Send + Sync + fmt::Debug + 'static {
    /// The same rule as a value.
    const KIND: RuleKind;
    /// Whether Black has foul points.
    const FOULS: bool = matches!(Self::KIND, RuleKind::Renju);
    /// Whether a five can also be stopped beyond its completion point, by closing the row's second end.
    const CLOSABLE: bool = matches!(Self::KIND, RuleKind::Caro | RuleKind::Caro6);
    /// Largest distance along a line at which a stone can change the shape of another point.
    const REACH: usize = if matches!(Self::KIND, RuleKind::Freestyle) { 4 } else { 5 };

    /// Returns whether `color` has foul points.
    #[inline(always)]
    fn fouls(color: Color) -> bool {
        Self::FOULS && matches!(color, Color::Black)
    }

    /// The line shapes of this rule, built at first use.
    fn shapes() -> &'static ShapeTable;
}

macro_rules! rules {
    ($($name:ident: $doc:literal),*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Rule for $name {
            const KIND: RuleKind = RuleKind::$name;

            fn shapes() -> &'static ShapeTable {
                static TABLE: std::sync::OnceLock<Box<ShapeTable>> = std::sync::OnceLock::new();
                TABLE.get_or_init(|| ShapeTable::build(RuleKind::$name))
            }
        }
    )*};
}

rules! {
    Freestyle: "[`RuleKind::Freestyle`] as a type.",
    Standard: "[`RuleKind::Standard`] as a type.",
    Renju: "[`RuleKind::Renju`] as a type.",
    Caro: "[`RuleKind::Caro`] as a type.",
    Caro6: "[`RuleKind::Caro6`] as a type."
}

/// Turns a run-time rule into a type: `with_rule!(kind, R => body)` evaluates `body` with the type alias `R` bound.
///
/// ```
/// use kagetsu::game::{Board, RuleKind, Size};
/// let kind = RuleKind::Caro;
/// let empty = kagetsu::with_rule!(kind, R => Board::<R>::new(Size::S15).stones());
/// assert_eq!(empty, 0);
/// ```
#[macro_export]
macro_rules! with_rule {
    ($kind:expr, $rule:ident => $body:expr) => {
        match $kind {
            $crate::game::RuleKind::Freestyle => {
                type $rule = $crate::game::Freestyle;
                $body
            }
            $crate::game::RuleKind::Standard => {
                type $rule = $crate::game::Standard;
                $body
            }
            $crate::game::RuleKind::Renju => {
                type $rule = $crate::game::Renju;
                $body
            }
            $crate::game::RuleKind::Caro => {
                type $rule = $crate::game::Caro;
                $body
            }
            $crate::game::RuleKind::Caro6 => {
                type $rule = $crate::game::Caro6;
                $body
            }
        }
    };
}
