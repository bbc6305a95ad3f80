//! The rules, as run-time values ([`RuleKind`]) and as zero-sized types ([`Rule`]).
//!
//! Everything below the entry points is generic over `R: Rule`, so each rule compiles to its own code. The macro
//! [`with_rule!`](crate::with_rule) is the only place where a run-time rule becomes a type.

use std::fmt;
use std::str::FromStr;

use super::color::Color;
use super::shape::ShapeTable;

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
    /// As Caro, and a longer row always wins. Gomocup rule 8.
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
    type Err = String;

    fn from_str(s: &str) -> Result<RuleKind, String> {
        let lower = s.to_ascii_lowercase();
        RuleKind::ALL
            .into_iter()
            .find(|r| r.name() == lower)
            .ok_or_else(|| format!("'{s}' is not a rule: expected freestyle, standard, renju, caro or caro6"))
    }
}

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

impl FromStr for Reading {
    type Err = String;

    fn from_str(s: &str) -> Result<Reading, String> {
        match s.to_ascii_lowercase().as_str() {
            "literal" => Ok(Reading::Literal),
            "five-extends" => Ok(Reading::FiveExtends),
            _ => Err(format!("'{s}' is not a reading: expected literal or five-extends")),
        }
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
