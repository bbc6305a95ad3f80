//! Writes games and the tables that they need.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::{ATTRIBUTES, DATE, INFO, OPENING, RULE};
use crate::record::{Game, GameResult, WriteError};
use crate::untrusted::xml;
use kagetsu::game::{Color, RuleKind};

/// Collects games and tables.
#[derive(Default, Debug)]
pub struct Writer {
    games: String,
    /// Games without a number of their own: the place in `games` where the number belongs, and the game's place in the file,
    /// from 1.
    unnumbered: Vec<(usize, usize)>,
    /// The numbers that games have of their own.
    numbers: HashSet<String>,
    players: NumberedNames,
    tournaments: NumberedNames,
    rules: NumberedNames,
    openings: NumberedNames,
    count: usize,
}

/// Elements with numbers from 1, each once.
#[derive(Default, Debug)]
struct NumberedNames {
    numbers: HashMap<String, usize>,
    text: String,
}

impl NumberedNames {
    /// Returns the number of the element with these attributes, for an attribute of a game; nothing if they are all
    /// empty.
    fn number(&mut self, element: &str, attributes: &[(&str, &str)], as_attribute: &str) -> String {
        if attributes.iter().all(|(_, value)| value.is_empty()) {
            return String::new();
        }
        let mut text = String::new();
        for (key, value) in attributes {
            attribute(&mut text, key, value);
        }
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry(text).or_insert_with_key(|text| {
            // Writing to a string cannot fail.
            let _ = writeln!(self.text, "<{element} id=\"{next}\"{text}/>");
            next
        });
        format!(" {as_attribute}=\"{number}\"")
    }
}

impl Writer {
    /// Adds the main line of a game.
    ///
    /// # Errors
    /// If its rule is not Renju, or not known: readers take every game of the database as Renju.
    pub fn add(&mut self, game: &Game) -> Result<(), WriteError> {
        if game.rule != Some(RuleKind::Renju) {
            return Err(WriteError::Rule("renju"));
        }
        self.count += 1;
        let property = |key| game.property(key).unwrap_or_default();
        let mut text = String::from("<game");
        if property("GN").is_empty() {
            self.unnumbered.push((self.games.len() + text.len(), self.count));
        } else {
            self.numbers.insert(property("GN").to_owned());
        }
        for (key, name) in ATTRIBUTES.iter().filter(|(_, name)| !property(name).is_empty()) {
            attribute(&mut text, key, property(name));
        }
        let tournament = [("name", property("EV")), ("start", property(DATE))];
        text += &self.tournaments.number("tournament", &tournament, "tournament");
        text += &self.rules.number("rule", &[("name", property(RULE))], "rule");
        text += &self.openings.number("opening", &[("abbr", property(OPENING))], "opening");
        text += &self.players.number("player", &[("name", property("PB"))], "black");
        text += &self.players.number("player", &[("name", property("PW"))], "white");
        match game.result {
            None => {}
            Some(GameResult::Draw) => attribute(&mut text, "bresult", "0.5"),
            Some(GameResult::Win(Color::Black)) => attribute(&mut text, "bresult", "1"),
            Some(GameResult::Win(Color::White)) => attribute(&mut text, "bresult", "0"),
        }
        let points = game.tree.main_line().filter_map(|id| game.tree.point(id)).map(|p| p.to_string());
        let _ = write!(text, "><move>{}</move>", points.collect::<Vec<_>>().join(" "));
        let info = property(INFO).trim();
        if !info.is_empty() {
            let _ = write!(text, "<info>{}</info>", xml(info));
        }
        self.games += &text;
        self.games += "</game>\n";
        Ok(())
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        let mut text =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<database version=\"1.0\">\n");
        let tables = [
            ("rules", &self.rules),
            ("openings", &self.openings),
            ("players", &self.players),
            ("tournaments", &self.tournaments),
        ];
        for (name, table) in tables {
            let _ = writeln!(text, "<{name}>\n{}</{name}>", table.text);
        }
        text += "<games>\n";
        self.write_games(&mut text);
        text += "</games>\n</database>\n";
        text.into_bytes()
    }

    /// Appends the games. One without a number of its own gets its place in the file as its number or, if another game has
    /// that number, one beyond the last place.
    fn write_games(&self, text: &mut String) {
        let is_taken = |number: usize| self.numbers.contains(&number.to_string());
        let mut spare = (self.count + 1..).filter(|&number| !is_taken(number));
        let mut written = 0;
        for &(at, place) in &self.unnumbered {
            let number = if is_taken(place) { spare.next().unwrap_or(place) } else { place };
            *text += &self.games[written..at];
            attribute(text, "id", &number.to_string());
            written = at;
        }
        *text += &self.games[written..];
    }
}

/// Appends an attribute. Line ends, which would be read as blanks, are written as numbers.
fn attribute(text: &mut String, key: &str, value: &str) {
    let value = xml(value).replace('\n', "&#10;");
    let _ = write!(text, " {key}=\"{value}\"");
}
