//! The tables before the games: numbers of players, tournaments and so on, and what they stand for.

use std::collections::HashMap;
use std::mem;

use quick_xml::events::BytesStart;

/// A tournament.
#[derive(Default, Debug)]
pub struct Tournament {
    /// Its name.
    pub name: String,
    /// Its date, or its year.
    pub date: String,
}

/// Names behind the numbers in games.
#[derive(Default, Debug)]
pub struct Tables {
    /// Players by their full names.
    pub players: HashMap<String, String>,
    /// Tournaments.
    pub tournaments: HashMap<String, Tournament>,
    /// Opening rules by their names.
    pub rules: HashMap<String, String>,
    /// Openings by their codes.
    pub openings: HashMap<String, String>,
    /// Whether a warning has told of malformed attributes.
    warned: bool,
}

impl Tables {
    /// Takes an element that may be one of a table, and that begins at this byte. A malformed attribute is left out, and so
    /// are those after it. A warning tells so once a file: a table has names, and the games have their moves without them.
    pub fn add(&mut self, element: &BytesStart<'_>, at: usize) {
        let name = element.name();
        let kind = name.as_ref();
        if !["player", "tournament", "rule", "opening"].contains(&kind) {
            return;
        }
        let attributes = Attributes::of(element);
        if let Err(problem) = attributes.check()
            && !mem::replace(&mut self.warned, true)
        {
            log::warn!(
                "byte {at}: <{kind}>: {problem}: left out with those after it, here and in later rows"
            );
        }
        let Some(id) = attributes.get("id").map(str::to_owned) else { return };
        let text = |key| attributes.get(key).unwrap_or_default().to_owned();
        match kind {
            "player" => {
                let full = [text("name"), text("surname")].join(" ");
                self.players.insert(id, full.trim().to_owned());
            }
            "tournament" => {
                let date =
                    Some(text("start")).filter(|start| !start.is_empty()).unwrap_or_else(|| text("year"));
                self.tournaments.insert(id, Tournament { name: text("name"), date });
            }
            "rule" => drop(self.rules.insert(id, text("name"))),
            _ => drop(self.openings.insert(id, text("abbr"))),
        }
    }
}

/// The attributes of an element. A malformed one ends them; an entity that XML does not know stays as it is written.
pub struct Attributes {
    named: Vec<(String, String)>,
    /// The error of the malformed one.
    problem: Option<String>,
}

impl Attributes {
    /// Reads them.
    pub fn of(element: &BytesStart<'_>) -> Attributes {
        let text = |value: &str| {
            quick_xml::escape::unescape(value).map_or(value.to_owned(), |text| text.into_owned())
        };
        let mut attributes = Attributes { named: Vec::new(), problem: None };
        // The library's check for repeated names takes quadratic time.
        for attribute in element.attributes().with_checks(false) {
            match attribute {
                Ok(a) => attributes.named.push((a.key.as_ref().to_owned(), text(&a.value))),
                Err(error) => {
                    let number = attributes.named.len() + 1;
                    attributes.problem = Some(format!("attribute {number}: {error}"));
                    break;
                }
            }
        }
        attributes
    }

    /// Checks that none was malformed.
    ///
    /// # Errors
    /// The number of the malformed one, and the expected content.
    pub fn check(&self) -> Result<(), String> {
        self.problem.clone().map_or(Ok(()), Err)
    }

    /// The value of the first attribute of this name.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.named.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}
