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
    /// The forms in which the openings are used. Plans of one opening as it is need none, nor do those from before forms were
    /// kept: in these each opening counts as eight if it is turned.
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
    /// Creates a plan in which everybody plays a pair of games with everybody, one game at a time, from the empty board.
    /// Contestants of one name get numbers behind it.
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
    pub fn check(&self) -> Result<(), String> {
        let (engines, games, rounds) = (self.contestants.len(), self.games, self.rounds);
        let names: BTreeSet<&str> = self.contestants.iter().map(|engine| engine.name.as_str()).collect();
        if engines < 2 || names.len() < engines {
            return Err(format!(
                "contestants: expected two engines or more of different names, not {engines}"
            ));
        }
        if let Some(sprt) = self.sprt {
            if engines != 2 {
                return Err(format!("sprt: expected exactly two engines, not {engines}"));
            }
            sprt.check().map_err(|error| format!("sprt: {error}"))?;
        }
        if !ROUNDS.contains(&rounds) || games.is_some_and(|games| !GAMES.contains(&games)) {
            return Err("games and rounds: expected 1 or more, and fewer than 2^32 and 2^16".into());
        }
        if !(1..=MOST_SIDE_BY_SIDE).contains(&self.concurrency) {
            return Err(format!("concurrency: expected 1 to {MOST_SIDE_BY_SIDE}, not {}", self.concurrency));
        }
        match games {
            None if self.sprt.is_none() || rounds > 1 => {
                return Err("games: expected a number, unless one round has an sprt".into());
            }
            Some(games) if (self.sprt.is_some() || rounds > 1) && !games.is_multiple_of(2) => {
                return Err(format!("games: expected an even number with sprt or rounds, not {games}"));
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
            return Err(format!("adjudication: expected a score of 0 or more, and 1 to {MOVES} moves"));
        }
        self.contestants.iter().try_for_each(|engine| engine.time.check())
    }

    /// All pairs of engines that meet.
    pub fn encounters(&self) -> Vec<[usize; 2]> {
        let n = self.contestants.len();
        let firsts = if self.format == Format::Gauntlet { 1 } else { n };
        (0..firsts).flat_map(|a| (a + 1..n).map(move |b| [a, b])).collect()
    }

    /// Number of games, unless only the test ends it.
    pub fn total(&self) -> Option<u64> {
        Some(self.games? * self.rounds * self.encounters().len() as u64)
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
        let encounters = self.encounters();
        let games = self.games.unwrap_or(u64::MAX);
        let (block, game) = (number / games, number % games);
        let (round, encounter) = (block / encounters.len() as u64, block % encounters.len() as u64);
        // Of an odd number of games the last opening is played once.
        let pairs = games.div_ceil(2);
        // All encounters of a round have the same openings, and the next round goes on in the list.
        let serial = round * if self.games.is_some() { pairs } else { 0 } + game / 2;
        let (opening, symmetry) = self.form(serial);
        Some(Pairing {
            engines: *encounters.get(encounter as usize)?,
            first_moves: game.is_multiple_of(2),
            pair: if self.games.is_some() { block * pairs + game / 2 } else { game / 2 },
            opening,
            symmetry,
            // Openings that the engines play themselves are not known in advance.
            again: self.opening_rule.is_none() && serial >= self.variety(),
        })
    }

    /// The number, from 1, of the first game whose opening was used before; `None` if there is none, as far as the number of
    /// games is known.
    pub fn first_repetition(&self) -> Option<u64> {
        if self.opening_rule.is_some() {
            // Engines choose these openings, so the plan knows of no repetition.
            return None;
        }
        let games = self.games?;
        // Each round has the same openings in all encounters, so the first encounter is the first to repeat one.
        let (pairs, before) = (games.div_ceil(2), self.variety());
        let round = before / pairs;
        let first = round * self.encounters().len() as u64 * games + 2 * (before % pairs);
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
    pub fn rule(&self) -> Result<RuleKind, String> {
        self.rule.parse()
    }

    /// The regulation of the opening, if there is one.
    ///
    /// # Errors
    /// If no regulation has the name, the engines cannot be asked, or the board is too small.
    pub fn regulation(&self) -> Result<Option<Regulation>, String> {
        let Some(name) = &self.opening_rule else { return Ok(None) };
        let regulation: Regulation = name.parse()?;
        if self.fallback.is_none() && !asking::is_complete(regulation) {
            return Err(format!(
                "{name}: no command asks engines for all of its steps; expected --opening-fallback"
            ));
        }
        let size = Size::new(self.size).map_err(|error| error.to_string())?;
        regulation.start(size).map_err(|error| error.to_string())?;
        Ok(Some(regulation))
    }

    /// Returns the terms of each game.
    ///
    /// # Errors
    /// If the plan names no rule, or an impossible regulation.
    pub fn terms(&self) -> Result<Terms, String> {
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
mod tests {
    use std::collections::HashMap;

    use std::time::Duration;

    use super::super::fixture::plan;
    use super::super::time::TimeControl;
    use super::*;
    use crate::timing::Control;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let plan = plan(3, Some(4), 2);
        assert_eq!(plan.total(), Some(24));
        let mut colours: HashMap<[usize; 2], u32> = HashMap::new();
        let mut pairs: HashMap<u64, Vec<(usize, Symmetry, [usize; 2])>> = HashMap::new();
        for number in 0..24 {
            let pairing = plan.pairing(number).unwrap();
            let players = pairing.players(&plan.opening(&pairing).unwrap());
            *colours.entry(players).or_default() += 1;
            pairs.entry(pairing.pair).or_default().push((pairing.opening, pairing.symmetry, players));
        }
        assert_eq!(colours.len(), 6);
        assert!(colours.values().all(|&n| n == 4), "{colours:?}");
        assert_eq!(pairs.len(), 12);
        for games in pairs.values() {
            let [a, b] = games[..] else { panic!("{games:?}") };
            assert_eq!((a.0, a.1), (b.0, b.1));
            assert_eq!(a.2, [b.2[1], b.2[0]]);
        }
        assert_eq!(plan.pairing(24), None);
    }

    #[test]
    fn plans_come_back_and_older_ones_too() {
        let endings = Endings { passes: Some(6), moves: Some(200), ..Endings::default() };
        let plan = Plan { endings, concurrency: 3, ..plan(2, Some(4), 1) };
        let text = serde_json::to_string(&plan).unwrap();
        assert_eq!(Plan::read(&text).unwrap(), plan);
        let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
        old.as_object_mut().unwrap().retain(|key, _| key != "endings" && key != "concurrency");
        old["adjudication"]["draw_after"] = 90.into();
        let old = Plan::read(&old.to_string()).unwrap();
        assert_eq!(old.endings, Endings { moves: Some(90), ..first_endings() });
        assert_eq!(old.concurrency, 1);
        assert!(Plan::read("{}").is_err());
    }

    /// A plan may have been edited, or be of another program.
    #[test]
    fn plans_that_no_flags_make_are_refused() {
        let good = Plan { sprt: "elo1=5".parse().ok(), ..plan(2, None, 1) };
        assert_eq!((good.check(), plan(3, Some(3), 1).check()), (Ok(()), Ok(())));
        let sprt = good.sprt.unwrap();
        let late = Duration::from_secs(u64::MAX);
        let timed = |time: TimeControl| {
            let mut plan = good.clone();
            plan.contestants[1].time = time;
            plan
        };
        let time = TimeControl::default();
        let rule = ScoreRule { score: 500, moves: 0 };
        let list = |lines: &[&str]| Some(Fallback::List(lines.iter().map(ToString::to_string).collect()));
        assert_eq!(Plan { fallback: list(&["D4; keep"]), ..good.clone() }.check(), Ok(()));
        let mut same = good.clone();
        same.contestants[1].name = same.contestants[0].name.clone();
        for (wrong, said) in [
            (Plan { sprt: None, ..plan(1, None, 1) }, "not 1"),
            (same, "different names"),
            (Plan { sprt: Some(sprt), ..plan(3, None, 1) }, "exactly two engines, not 3"),
            (Plan { sprt: Some(Sprt { elo0: 5.0, ..sprt }), ..good.clone() }, "a greater elo1"),
            (Plan { sprt: Some(Sprt { alpha: 0.0, beta: 0.0, ..sprt }), ..good.clone() }, "alpha and beta"),
            (plan(2, None, 1), "games: expected a number"),
            (Plan { rounds: 2, ..good.clone() }, "games: expected a number"),
            (plan(2, Some(0), 1), "expected 1 or more"),
            (Plan { concurrency: 0, ..good.clone() }, "expected 1 to 1024, not 0"),
            (Plan { concurrency: 1025, ..good.clone() }, "expected 1 to 1024, not 1025"),
            (plan(2, Some(2), 0), "expected 1 or more"),
            (plan(2, Some(3), 2), "an even number"),
            (Plan { size: 99, ..good.clone() }, "size: "),
            (Plan { openings: vec!["h8h8".into()], ..good.clone() }, "opening h8h8"),
            (Plan { fallback: list(&[]), ..good.clone() }, "fallback: expected at least one opening"),
            (Plan { fallback: list(&["D4; keep", "D4; hello"]), ..good.clone() }, "fallback: 'D4; hello': "),
            (
                Plan {
                    adjudication: Adjudication { resign: Some(rule), ..Adjudication::default() },
                    ..good.clone()
                },
                "1 to 1000 moves",
            ),
            (timed(TimeControl { patience: late, ..time }), "at most a day"),
            (
                timed(TimeControl { control: Some(Control { moves: 0, time: time.tolerance }), ..time }),
                "at most a day",
            ),
        ] {
            let text = serde_json::to_string(&wrong).unwrap();
            let error = Plan::read(&text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}; expected {said}");
        }
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_rest() {
        let plan = Plan { format: Format::Gauntlet, ..plan(4, Some(2), 1) };
        assert_eq!(plan.encounters(), [[0, 1], [0, 2], [0, 3]]);
    }

    #[test]
    fn repetitions_are_known_before_the_first_game() {
        let plan = |games, transform| Plan { transform, ..plan(2, Some(games), 1) };
        assert_eq!((plan(6, false).first_repetition(), plan(8, false).first_repetition()), (None, Some(7)));
        assert_eq!((plan(48, true).first_repetition(), plan(49, true).first_repetition()), (None, Some(49)));
        // Odd numbers of games, several encounters, several rounds: compared with a search through all games.
        for (engines, games, rounds) in [(2, 7, 1), (3, 2, 4), (3, 2, 3), (4, 4, 7), (3, 10, 2)] {
            let plan = Plan { transform: false, ..self::plan(engines, Some(games), rounds) };
            let first = (0..plan.total().unwrap()).find(|&n| plan.pairing(n).unwrap().again);
            assert_eq!(plan.first_repetition(), first.map(|n| n + 1), "{engines} {games} {rounds}");
        }
        // Each of 24 rounds has a new opening: three, in eight symmetric forms. Two million games come before the next one.
        let encounters = 300 * 299 / 2;
        let crowd = self::plan(300, Some(2), 25);
        assert_eq!(crowd.first_repetition(), Some(24 * encounters * 2 + 1));
        // The plan has 2^46 games: a test of each of them would never end.
        let many = Plan { opening_rule: Some("swap2".into()), rounds: 1 << 15, ..plan(1 << 31, false) };
        assert_eq!(many.first_repetition(), None);
    }

    #[test]
    fn openings_come_again_turned() {
        let plan = plan(2, None, 1);
        assert_eq!(plan.total(), None);
        let at = |number| plan.pairing(number).unwrap();
        assert_eq!((at(0).opening, at(1).opening, at(2).opening, at(6).opening), (0, 0, 1, 0));
        assert_eq!(at(0).symmetry, Symmetry::IDENTITY);
        assert_ne!(at(6).symmetry, Symmetry::IDENTITY);
        assert_eq!(at(48).symmetry, Symmetry::IDENTITY);
        assert_ne!(plan.opening(&at(2)).unwrap(), plan.opening(&at(8)).unwrap());
    }

    /// The first and the third opening, with one stone in the middle, have one form each. The second one, with a stone beside it,
    /// has four, and the fourth one is a copy of it.
    #[test]
    fn symmetric_openings_repeat_sooner() {
        let mut plan = plan(2, Some(100), 1);
        plan.openings.push(plan.openings[1].clone());
        let stones = |plan: &Plan, number| {
            let position = plan.opening(&plan.pairing(number).unwrap()).unwrap();
            let mut stones: Vec<String> = position.stones().map(|(p, c)| format!("{c} {p}")).collect();
            stones.sort();
            (stones, position.side())
        };
        for (transform, positions) in [(true, 6), (false, 3)] {
            plan.transform = transform;
            plan.forms = Forms::of(&plan.openings, Size::S15, transform).unwrap();
            assert_eq!(plan.check(), Ok(()));
            assert_eq!(Plan::read(&serde_json::to_string(&plan).unwrap()).unwrap(), plan);
            // Two games are a pair.
            let numbers = (0..100).step_by(2);
            let mut seen = Vec::new();
            let first = numbers.clone().find(|&number| {
                let is_again = seen.contains(&stones(&plan, number));
                seen.push(stones(&plan, number));
                is_again
            });
            assert_eq!((seen.len() - 1, first), (positions, Some(2 * positions as u64)), "{seen:?}");
            assert_eq!(numbers.clone().find(|&number| plan.pairing(number).unwrap().again), first);
            assert_eq!(plan.first_repetition(), first.map(|number| number + 1));
        }
        plan.openings.pop();
        assert!(plan.check().unwrap_err().starts_with("forms: expected a number for each opening"));
    }

    /// A tournament of an earlier version goes on with the openings with which it began.
    #[test]
    fn plans_without_forms_turn_each_opening_eight_times() {
        let plan = plan(2, Some(100), 1);
        let mut text: serde_json::Value = serde_json::to_value(&plan).unwrap();
        assert!(text.as_object_mut().unwrap().remove("forms").is_some());
        let old = Plan::read(&text.to_string()).unwrap();
        let used = |pair: u64| {
            let Pairing { opening, symmetry, .. } = old.pairing(2 * pair).unwrap();
            (opening, symmetry)
        };
        for (pair, opening, turn) in [(0, 0, 0), (2, 2, 0), (3, 0, 1), (23, 2, 7), (24, 0, 0), (27, 0, 1)] {
            assert_eq!(used(pair), (opening, Symmetry::ALL[turn]), "{pair}");
        }
        assert_eq!(old.first_repetition(), Some(49));
    }

    #[test]
    fn used_openings_are_known() {
        // Cases: three openings for two games each, in eight symmetric forms or in one; the empty board; openings that
        // the engines play.
        let turned = plan(2, None, 1);
        let plain = Plan { transform: false, ..turned.clone() };
        let empty = Plan { openings: Vec::new(), ..turned.clone() };
        let played = Plan { opening_rule: Some("swap2".into()), ..empty.clone() };
        let rounds = Plan { transform: false, ..plan(3, Some(2), 4) };
        for (plan, first) in [(turned, Some(48)), (plain, Some(6)), (empty, Some(2)), (played, None)] {
            assert_eq!((0..100).find(|&n| plan.pairing(n).unwrap().again), first, "{plan:?}");
        }
        // Three encounters have the same opening in each of the first three rounds.
        assert_eq!((0..24).find(|&n| rounds.pairing(n).unwrap().again), Some(18));
    }
}
