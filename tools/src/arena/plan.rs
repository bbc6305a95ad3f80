//! The plan of a tournament: which game has which number, opening and colours. A pure function of the number, so a
//! stopped tournament continues with nothing but the numbers of the games it has.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::asking;
use super::contestant::{Contestant, distinguish};
use super::fallback::Fallback;
use super::forms::Forms;
use super::game::{Adjudication, ScoreRule, Terms};
use super::record::GameRecord;
use super::stats::Sprt;
use crate::limits::MOVES;
use kagetsu::game::regulation::Regulation;
use kagetsu::game::symmetry::Symmetry;
use kagetsu::game::{Color, EndSet, Endings, Position, RuleKind, Size, notation};
use kagetsu::invalid::Invalid;

/// Possible numbers of games of an encounter in a round.
pub const GAMES: Range<u64> = 1..1 << 32;
/// Possible numbers of rounds.
pub const ROUNDS: Range<u64> = 1..1 << 16;
/// Most games side by side that a plan can have.
pub const MOST_SIDE_BY_SIDE: u16 = 1024;

/// The pairs of engines that meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

/// The settings that decide what is played; saved with the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The engines.
    pub contestants: Vec<Contestant>,
    /// The pairs of engines that meet.
    pub format: Format,
    /// Name of the rule.
    pub rule: String,
    /// Side of the board.
    pub size: usize,
    /// Games of each encounter in a round; `None` plays until the test has decided.
    pub games: Option<u64>,
    /// Rounds.
    pub rounds: u64,
    /// Starting positions in the order of use, as move strings or setup strings. Each is played twice in a row with
    /// colours swapped; every encounter gets the same ones.
    pub openings: Vec<String>,
    /// Name of the regulation by which the engines play the opening themselves, from the empty board; the first of the
    /// pairing begins.
    #[serde(default)]
    pub opening_rule: Option<String>,
    /// Source of decisions about openings for engines that cannot be asked. Without it such an engine loses by a fault.
    #[serde(default)]
    pub fallback: Option<Fallback>,
    /// Whether the openings, once all are used, are used again turned and mirrored.
    pub transform: bool,
    /// The forms in which the openings are used. Plans of one opening as it is need none, nor do those from
    /// before forms were kept: in these each opening counts as eight if it is turned.
    #[serde(default)]
    pub forms: Forms,
    /// Ends of a game other than a row, a foul or a full board.
    #[serde(default = "first_endings", with = "EndingsRecord")]
    pub endings: Endings,
    /// Early ends of games.
    pub adjudication: Adjudication,
    /// Freeze the engine that is not to move.
    pub suspend: bool,
    /// Send the whole BOARD for each move.
    pub send_board: bool,
    /// Start a new process for each game, instead of telling the old one RESTART.
    pub restart: bool,
    /// The test that ends the tournament.
    pub sprt: Option<Sprt>,
    /// Games side by side, which share the machine.
    #[serde(default = "one")]
    pub concurrency: u16,
}

/// Returns the concurrency of old plans, which do not state it.
fn one() -> u16 {
    1
}

/// [`Endings`] as a plan keeps them.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Endings")]
struct EndingsRecord {
    passes: Option<usize>,
    two_passes: bool,
    no_row: bool,
    only_fouls: bool,
    agreement: bool,
    moves: Option<usize>,
    stones: Option<usize>,
}

/// Returns the ends of old plans, which do not state them.
fn first_endings() -> Endings {
    Endings { only_fouls: true, ..Endings::default() }
}

/// One game of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The two engines of the encounter, in the plan's order.
    pub engines: [usize; 2],
    /// Whether the first of the two makes the first move after the opening; it does in games of even number.
    pub first_moves: bool,
    /// Counts opening pairs: both games of a pair have the same number.
    pub pair: u64,
    /// Index of the opening.
    pub opening: usize,
    /// Symmetry applied to the opening.
    pub symmetry: Symmetry,
    /// Whether all openings were used before, in all their symmetric forms if these are used. From here on games may
    /// repeat.
    pub again: bool,
}

impl Plan {
    /// Creates a plan in which everybody plays a pair of games with everybody, one game at a time, from the
    /// empty board. Contestants of one name get numbers behind it.
    pub fn new(mut contestants: Vec<Contestant>, rule: RuleKind, size: Size) -> Plan {
        distinguish(&mut contestants);
        Plan {
            contestants,
            format: Format::RoundRobin,
            rule: rule.name().to_owned(),
            size: size.side(),
            games: Some(2),
            rounds: 1,
            openings: Vec::new(),
            opening_rule: None,
            fallback: None,
            transform: false,
            forms: Forms::default(),
            endings: EndSet::Plain.endings(rule),
            adjudication: Adjudication::default(),
            suspend: false,
            send_board: false,
            restart: false,
            sprt: None,
            concurrency: 1,
        }
    }

    /// Reads a saved plan.
    ///
    /// # Errors
    /// If the text is not a plan, or one that `kagetsu match` would not have made.
    pub fn read(text: &str) -> serde_json::Result<Plan> {
        /// Old plans have the limit on the length of games among the early ends.
        #[derive(Deserialize)]
        struct First {
            adjudication: FirstAdjudication,
        }
        #[derive(Deserialize)]
        struct FirstAdjudication {
            draw_after: Option<usize>,
        }
        let mut plan: Plan = serde_json::from_str(text)?;
        let first: First = serde_json::from_str(text)?;
        plan.endings.moves = plan.endings.moves.or(first.adjudication.draw_after);
        plan.check().map_err(serde::de::Error::custom)?;
        Ok(plan)
    }

    /// Checks a plan as `kagetsu match` checks its flags.
    ///
    /// # Errors
    /// The value, and what was expected.
    pub fn check(&self) -> Result<(), Invalid> {
        let (engines, games, rounds) = (self.contestants.len(), self.games, self.rounds);
        let names: BTreeSet<&str> = self.contestants.iter().map(|engine| engine.name.as_str()).collect();
        if engines < 2 || names.len() < engines {
            let expected = "expected two engines or more of different names";
            return Err(format!("contestants: {expected}, not {engines}").into());
        }
        if let Some(sprt) = self.sprt {
            if engines != 2 {
                return Err(format!("sprt: expected exactly two engines, not {engines}").into());
            }
            sprt.check().map_err(|error| format!("sprt: {error}"))?;
        }
        if !ROUNDS.contains(&rounds) || games.is_some_and(|games| !GAMES.contains(&games)) {
            return Err("games and rounds: expected 1 or more, and fewer than 2^32 and 2^16".into());
        }
        if !(1..=MOST_SIDE_BY_SIDE).contains(&self.concurrency) {
            return Err(
                format!("concurrency: expected 1 to {MOST_SIDE_BY_SIDE}, not {}", self.concurrency).into()
            );
        }
        match games {
            None if self.sprt.is_none() || rounds > 1 => {
                return Err("games: expected a number, unless one round has an sprt".into());
            }
            Some(games) if (self.sprt.is_some() || rounds > 1) && !games.is_multiple_of(2) => {
                return Err(format!("games: expected an even number with sprt or rounds, not {games}").into());
            }
            _ => {}
        }
        let size = Size::new(self.size).map_err(|error| format!("size: {error}"))?;
        self.rule()?;
        self.regulation()?;
        if let Some(fallback) = &self.fallback {
            fallback.check(size).map_err(|error| format!("fallback: {error}"))?;
        }
        for text in &self.openings {
            notation::parse(text, Some(size)).map_err(|error| format!("opening {text}: {error}"))?;
        }
        if !self.forms.fits(self.openings.len()) {
            return Err("forms: expected a number for each opening, some of them above 0".into());
        }
        let Adjudication { resign, draw_score } = self.adjudication;
        if !resign.into_iter().chain(draw_score).all(ScoreRule::is_possible) {
            return Err(format!("adjudication: expected a score of 0 or more, and 1 to {MOVES} moves").into());
        }
        self.contestants.iter().try_for_each(|engine| engine.time.check())
    }

    /// All pairs of engines that meet.
    pub fn encounters(&self) -> impl Iterator<Item = [usize; 2]> {
        let n = self.contestants.len();
        let firsts = if self.format == Format::Gauntlet { 1 } else { n };
        (0..firsts).flat_map(move |a| (a + 1..n).map(move |b| [a, b]))
    }

    /// Returns the number of these pairs. They are not listed: each game asks, and hundreds of engines make
    /// tens of thousands.
    pub fn encounter_count(&self) -> u64 {
        let n = self.contestants.len() as u64;
        if self.format == Format::Gauntlet { n.saturating_sub(1) } else { n * n.saturating_sub(1) / 2 }
    }

    /// Returns the pair of this number in [`Plan::encounters`].
    fn encounter(&self, number: u64) -> Option<[usize; 2]> {
        let n = self.contestants.len();
        let (mut first, mut behind) = (0, usize::try_from(number).ok()?);
        // Each engine is the first of those pairs that it makes with the engines after it.
        while behind >= n.checked_sub(first + 1)? {
            behind -= n - first - 1;
            first += 1;
        }
        Some([first, first + 1 + behind])
    }

    /// Number of games, unless only the test ends it.
    pub fn total(&self) -> Option<u64> {
        Some(self.games?.saturating_mul(self.rounds).saturating_mul(self.encounter_count()))
    }

    /// Returns the number of positions from which games begin before one comes again.
    pub fn variety(&self) -> u64 {
        self.forms.count().unwrap_or_else(|| {
            // The empty board is the same from every side.
            let turns = if self.transform && !self.openings.is_empty() { 8 } else { 1 };
            self.openings.len().max(1) as u64 * turns
        })
    }

    /// Returns the opening and its symmetry in the order of use.
    fn form(&self, number: u64) -> (usize, Symmetry) {
        let number = number % self.variety();
        self.forms.get(number).unwrap_or_else(|| {
            let openings = self.openings.len().max(1) as u64;
            ((number % openings) as usize, Symmetry::ALL[(number / openings) as usize])
        })
    }

    /// The game of this number, from 0; `None` after the last.
    pub fn pairing(&self, number: u64) -> Option<Pairing> {
        if self.total().is_some_and(|total| number >= total) {
            return None;
        }
        let encounters = self.encounter_count();
        let games = self.games.unwrap_or(u64::MAX);
        let (block, game) = (number / games, number % games);
        let (round, encounter) = (block / encounters, block % encounters);
        // Of an odd number of games the last opening is played once.
        let pairs = games.div_ceil(2);
        // All encounters of a round have the same openings, and the next round goes on in the list.
        let serial = round * if self.games.is_some() { pairs } else { 0 } + game / 2;
        let (opening, symmetry) = self.form(serial);
        Some(Pairing {
            engines: self.encounter(encounter)?,
            first_moves: game.is_multiple_of(2),
            pair: if self.games.is_some() { block * pairs + game / 2 } else { game / 2 },
            opening,
            symmetry,
            // Openings that the engines play themselves are not known in advance.
            again: self.opening_rule.is_none() && serial >= self.variety(),
        })
    }

    /// The number, from 1, of the first game whose opening was used before; `None` if there is none, as far
    /// as the number of games is known.
    pub fn first_repetition(&self) -> Option<u64> {
        if self.opening_rule.is_some() {
            // Engines choose these openings, so the plan knows of no repetition.
            return None;
        }
        let games = self.games?;
        // Each round has the same openings in all encounters, so the first encounter is the first to repeat one.
        let (pairs, before) = (games.div_ceil(2), self.variety());
        let round = before / pairs;
        let first = round * self.encounter_count() * games + 2 * (before % pairs);
        (round < self.rounds).then_some(first + 1)
    }

    /// Returns the pairing of a finished game; `None` if it does not belong to this plan, by its number, engines or
    /// board.
    pub fn pairing_of(&self, game: &GameRecord) -> Option<Pairing> {
        let pairing = self.pairing(game.game.checked_sub(1)?)?;
        let [a, b] = pairing.engines.map(|engine| self.contestants[engine].name.as_str());
        let players = (game.black.as_str(), game.white.as_str());
        let ours = players == (a, b) || players == (b, a);
        (ours && game.rule == self.rule && game.size == self.size).then_some(pairing)
    }

    /// The rule.
    ///
    /// # Errors
    /// If the plan names none.
    pub fn rule(&self) -> Result<RuleKind, Invalid> {
        self.rule.parse()
    }

    /// The regulation of the opening, if there is one.
    ///
    /// # Errors
    /// If no regulation has the name, the engines cannot be asked, or the board is too small.
    pub fn regulation(&self) -> Result<Option<Regulation>, Invalid> {
        let Some(name) = &self.opening_rule else { return Ok(None) };
        let regulation: Regulation = name.parse()?;
        if self.fallback.is_none() && !asking::is_complete(regulation) {
            return Err(format!(
                "{name}: no command asks engines for all of its steps; expected --opening-fallback"
            )
            .into());
        }
        let size = Size::new(self.size).map_err(|error| error.to_string())?;
        regulation.start(size).map_err(|error| error.to_string())?;
        Ok(Some(regulation))
    }

    /// Returns the terms of each game.
    ///
    /// # Errors
    /// If the plan names no rule, or an impossible regulation.
    pub fn terms(&self) -> Result<Terms, Invalid> {
        Ok(Terms {
            rule: self.rule()?,
            endings: self.endings,
            regulation: self.regulation()?,
            adjudication: self.adjudication,
            suspend: self.suspend,
            send_board: self.send_board,
        })
    }

    /// The opening of a game as a position.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn opening(&self, pairing: &Pairing) -> anyhow::Result<Position> {
        let size = Size::new(self.size)?;
        let position = match self.openings.get(pairing.opening) {
            Some(text) => notation::parse(text, Some(size))?,
            None => Position::new(size),
        };
        Ok(pairing.symmetry.apply_position(&position))
    }
}

impl Pairing {
    /// The engines that are Black and White in a game from this position.
    pub fn players(&self, opening: &Position) -> [usize; 2] {
        let [a, b] = self.engines;
        let first_is_black = (opening.side() == Color::Black) == self.first_moves;
        if first_is_black { [a, b] } else { [b, a] }
    }
}

#[cfg(test)]
mod tests;
