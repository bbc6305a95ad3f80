//! Decisions about an opening for engines that do not know the commands for them.

use serde::{Deserialize, Serialize};

use kagetsu::game::Size;
use kagetsu::game::regulation::{Action, Choice, Chooser, Opening, RandomChooser};
use kagetsu::invalid::Invalid;

/// Source of decisions for engines that do not know the command of a step, and at steps that have none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// The runner's own engine.
    Runner,
    /// A list of whole openings, one for each pair of games. After the last line the list begins again.
    List(Vec<String>),
}

impl Fallback {
    /// Reads a list: one opening a line, its actions between semicolons, as `D4; swap; g9; offer h10 i7; choose h10 a1`.
    /// Blank lines and lines that start with `#` are passed over.
    ///
    /// # Errors
    /// Names the line that is not such an opening.
    pub fn list(text: &str, size: Size) -> Result<Fallback, Invalid> {
        let mut list = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            actions(line, size).map_err(|error| format!("line {}: {error}", i + 1))?;
            list.push(line.to_owned());
        }
        if list.is_empty() { Err("the list has no opening".into()) } else { Ok(Fallback::List(list)) }
    }

    /// Checks a list that was not read by [`Fallback::list`].
    ///
    /// # Errors
    /// Names the line that is not an opening.
    pub fn check(&self, size: Size) -> Result<(), Invalid> {
        let Fallback::List(list) = self else { return Ok(()) };
        if list.is_empty() {
            return Err("expected at least one opening".into());
        }
        for line in list {
            actions(line, size).map_err(|error| format!("'{line}': {error}"))?;
        }
        Ok(())
    }
}

fn actions(line: &str, size: Size) -> Result<Vec<Action>, String> {
    let action = |text| Action::parse(text, size).map_err(|error| format!("'{}': {error}", str::trim(text)));
    line.split(';').map(action).collect()
}

/// Decides by a line of the list: takes its first action that is legal here and was not used yet. If there is none,
/// because an engine has left the line, it chooses at random.
pub struct ListChooser {
    actions: Vec<Action>,
    otherwise: RandomChooser,
}

impl ListChooser {
    /// Creates a chooser by the line for the pair of this number.
    pub fn new(list: &[String], pair: u64, size: Size) -> ListChooser {
        let line = list.get((pair % list.len().max(1) as u64) as usize);
        // The list is checked when a plan is made or read. By a list that was not checked, the chooser
        // decides at random.
        let actions = line.and_then(|line| actions(line, size).ok()).unwrap_or_default();
        ListChooser { actions, otherwise: RandomChooser::new(pair) }
    }
}

impl Chooser for ListChooser {
    fn choose(&mut self, opening: &Opening) -> Option<Action> {
        let legal = |action: &Action| opening.clone().apply(action).is_ok();
        match self.actions.iter().position(legal) {
            Some(i) => self.actions.drain(..=i).next_back(),
            None => self.otherwise.choose(opening),
        }
    }
}

/// Returns the choice of a step that has only one, such as the first stone in the centre.
pub fn only_choice(opening: &Opening) -> Option<Action> {
    match &opening.choices()[..] {
        [Choice::Place { zones, declare: None, .. }] if zones.iter().all(|zone| zone.points.len() == 1) => {
            let stones: Option<Vec<_>> = zones.iter().map(|zone| zone.points.first()).collect();
            stones.map(Action::place)
        }
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use kagetsu::game::notation;
    use kagetsu::game::regulation::Regulation;

    #[test]
    fn a_list_decides_line_by_line() {
        let text =
            "# two\n\nD4; keep; g9; offer h10 i7; choose i7 a1\nI7; swap; a1; offer c3 d5; choose c3 o15\n";
        let Fallback::List(list) = Fallback::list(text, Size::S15).unwrap() else { panic!() };
        let play = |pair| {
            let mut opening = Regulation::Rif.start(Size::S15).unwrap();
            let mut chooser = ListChooser::new(&list, pair, Size::S15);
            while let Some(action) = chooser.choose(&opening) {
                opening.apply(&action).unwrap();
            }
            assert!(opening.is_over());
            notation::print(opening.position())
        };
        assert_eq!([play(0), play(2)], ["h8h9i9g9i7a1"; 2]);
        assert_eq!(play(1), "h8i9i7a1c3o15");
        // An engine has placed another opening: the line's actions are used as far as they are legal.
        let mut opening = Regulation::Rif.start(Size::S15).unwrap();
        opening.apply(&Action::parse("D13", Size::S15).unwrap()).unwrap();
        let mut chooser = ListChooser::new(&list, 1, Size::S15);
        assert_eq!(chooser.choose(&opening), Some(Action::Swap));
        for (text, error) in
            [("", "no opening"), ("D4; hello", "line 1: 'hello'"), ("D4\nchoose a1", "line 2")]
        {
            assert!(Fallback::list(text, Size::S15).unwrap_err().to_string().contains(error), "{text}");
        }
    }
}
