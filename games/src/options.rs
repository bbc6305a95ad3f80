//! A game with its options: what is decided before the first move.

use kagetsu::game::{Color, Point, Size};

use crate::connect6::{self, Connect6};
use crate::five::rules::Rules;
use crate::five::{self, Five};
use crate::game::Game;
use crate::kind::Kind;
use crate::notation;
use crate::reversi;

/// Reason why options do not fit a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionsError {
    /// The board cannot have this side.
    #[error("{kind}: a board of size {size}: expected {expected}")]
    Size {
        /// The game.
        kind: Kind,
        /// The sizes it has.
        expected: &'static str,
        /// The size asked for.
        size: usize,
    },
    /// The game has no such option.
    #[error("{kind} has no option '{name}'; `kagetsu games rules {kind}` lists its options")]
    Unknown {
        /// The game.
        kind: Kind,
        /// The name asked for.
        name: String,
    },
    /// A value that the option cannot have.
    #[error("option {name}: expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// Description of what was expected.
        expected: &'static str,
    },
    /// A hole off the board, or on one of the four squares of the beginning.
    #[error("the hole cannot be on {0}: expected a square of the board other than the four in the middle")]
    Hole(Point),
    /// The position has a field, a hole or a size that this game does not allow.
    #[error("{0}")]
    Position(String),
}

impl OptionsError {
    /// Returns the error that a position of a game has no such field.
    pub(crate) fn no_field(kind: Kind, key: &str) -> OptionsError {
        OptionsError::Position(format!("a position of {kind} has no field '{key}'"))
    }
}

/// Options chosen for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether the size was asked for, so that a position of another size is an error.
    pub is_size_fixed: bool,
    pub(crate) variant: Variant,
}

/// The options of each family of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Variant {
    Five(Rules),
    Connect6(Size),
    Reversi(reversi::Setup),
}

/// A position without a move order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stones {
    /// Side length.
    pub size: usize,
    /// Stones of both colours.
    pub stones: Vec<(Point, Color)>,
    /// The hole, if there is one.
    pub hole: Option<Point>,
    /// The side to move.
    pub side: Color,
    /// Further state, as `(key, value)`.
    pub state: Vec<(String, String)>,
}

/// Reads `yes` or `no`.
pub(crate) fn flag(name: &'static str, value: &str) -> Result<bool, OptionsError> {
    match value {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err(OptionsError::Value { name, expected: "yes or no" }),
    }
}

impl Options {
    /// The default options of a game.
    pub fn new(kind: Kind) -> Options {
        let variant = match (five::games::rules(kind), kind) {
            (Some(rules), _) => Variant::Five(rules),
            (None, Kind::Connect6) => Variant::Connect6(connect6::SIZE),
            (None, _) => Variant::Reversi(reversi::Setup {
                side: kind.about().size,
                start: reversi::Start::Othello,
                anti: false,
                hole: None,
            }),
        };
        Options { is_size_fixed: false, variant }
    }

    /// The game.
    pub fn kind(&self) -> Kind {
        match &self.variant {
            Variant::Five(rules) => rules.kind,
            Variant::Connect6(_) => Kind::Connect6,
            Variant::Reversi(_) => Kind::Reversi,
        }
    }

    /// Side length of the board.
    pub fn size(&self) -> usize {
        match &self.variant {
            Variant::Five(rules) => rules.size.side(),
            Variant::Connect6(size) => size.side(),
            Variant::Reversi(setup) => setup.side,
        }
    }

    /// Chooses the side length; a hole that was chosen must still be on the board.
    ///
    /// # Errors
    /// If the game is not played on such a board, or the hole cannot be on it. The size is then as before.
    pub fn set_size(&mut self, size: usize) -> Result<(), OptionsError> {
        let kind = self.kind();
        let wrong = || OptionsError::Size { kind, expected: kind.about().sizes, size };
        match &mut self.variant {
            Variant::Five(rules) => {
                if rules.wild_center && size.is_multiple_of(2) {
                    return Err(wrong());
                }
                rules.size = Size::new(size).map_err(|_| wrong())?;
            }
            Variant::Connect6(old) => *old = Size::new(size).ok().filter(|_| size >= 6).ok_or_else(wrong)?,
            Variant::Reversi(setup) => {
                let range = reversi::Setup::SMALLEST..=reversi::Setup::LARGEST;
                if !range.contains(&size) || !size.is_multiple_of(2) {
                    return Err(wrong());
                }
                // A copy is checked, so that a size that the hole forbids changes nothing.
                let resized = reversi::Setup { side: size, ..*setup };
                if let Some(hole) = resized.hole
                    && (hole.x().max(hole.y()) >= size || resized.center().contains(&hole))
                {
                    return Err(OptionsError::Hole(hole));
                }
                *setup = resized;
            }
        }
        Ok(())
    }

    /// Chooses the side length and makes it binding: a position of another size is an error.
    ///
    /// # Errors
    /// If the game is not played on such a board.
    pub fn fix_size(&mut self, size: usize) -> Result<(), OptionsError> {
        self.set_size(size)?;
        self.is_size_fixed = true;
        Ok(())
    }

    /// Chooses an option by its name. The size should be chosen before.
    ///
    /// # Errors
    /// If the game has no such option, or the option no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionsError> {
        let (kind, size) = (self.kind(), self.size());
        let unknown = || OptionsError::Unknown { kind, name: name.to_owned() };
        match &mut self.variant {
            Variant::Five(rules) => rules.set(name, value)?,
            Variant::Connect6(_) => return Err(unknown()),
            Variant::Reversi(setup) => match name {
                "start" => {
                    setup.start = value.parse().map_err(|_| OptionsError::Value {
                        name: "start",
                        expected: "othello or parallel",
                    })?;
                }
                "anti" => setup.anti = flag("anti", value)?,
                "hole" => {
                    let p = notation::parse_point(value, size).map_err(|_| OptionsError::Value {
                        name: "hole",
                        expected: "a point of the board",
                    })?;
                    if setup.center().contains(&p) {
                        return Err(OptionsError::Hole(p));
                    }
                    setup.hole = Some(p);
                }
                _ => return Err(unknown()),
            },
        }
        Ok(())
    }

    /// The game at its beginning.
    pub fn begin(&self) -> Box<dyn Game> {
        match &self.variant {
            Variant::Five(rules) => Box::new(Five::new(*rules)),
            Variant::Connect6(size) => Box::new(Connect6::new(*size)),
            Variant::Reversi(setup) => setup.begin(),
        }
    }

    /// Returns the game from a position of its size or, if the size is not fixed, of any size that the game allows.
    ///
    /// # Errors
    /// If the position does not belong to this game.
    pub fn from_stones(&self, position: &Stones) -> Result<Box<dyn Game>, OptionsError> {
        let mut options = self.clone();
        if position.size != self.size() {
            if self.is_size_fixed {
                let text = format!(
                    "the position's size is {}, but size {} was asked for",
                    position.size,
                    self.size()
                );
                return Err(OptionsError::Position(text));
            }
            options.set_size(position.size)?;
        }
        if position.hole.is_some() && self.kind() != Kind::Reversi {
            return Err(OptionsError::Position(format!("a board of {} has no hole", self.kind())));
        }
        match &mut options.variant {
            Variant::Five(rules) => Ok(Box::new(Five::from_setup(*rules, position)?)),
            Variant::Connect6(size) => Ok(Box::new(Connect6::from_setup(*size, position)?)),
            Variant::Reversi(setup) => {
                if let Some((key, _)) = position.state.first() {
                    return Err(OptionsError::no_field(Kind::Reversi, key));
                }
                if let Some(hole) = position.hole {
                    if setup.hole.is_some_and(|other| other != hole) {
                        return Err(OptionsError::Position("the hole is elsewhere".to_owned()));
                    }
                    setup.hole = Some(hole);
                    if setup.center().contains(&hole) {
                        return Err(OptionsError::Hole(hole));
                    }
                }
                if let Some(hole) = setup.hole
                    && position.stones.iter().any(|&(p, _)| p == hole)
                {
                    return Err(OptionsError::Position(format!("there is a disc on the hole {hole}")));
                }
                Ok(setup.with_discs(&position.stones, position.side))
            }
        }
    }
}
