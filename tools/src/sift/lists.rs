//! The lists of openings, one for tuning and one for testing.

use super::settings::Settings;
use crate::runs::stamps::List;
use crate::words;

/// One of the two lists. Parameters that were tuned on some openings must be tested on others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// For tuning.
    Tuning,
    /// For testing.
    Testing,
}

impl Part {
    /// Both lists.
    pub const ALL: [Part; 2] = [Part::Tuning, Part::Testing];

    /// Returns the name of its file.
    pub const fn file(self) -> &'static str {
        match self {
            Part::Tuning => "tuning.txt",
            Part::Testing => "testing.txt",
        }
    }

    fn purpose(self) -> &'static str {
        match self {
            Part::Tuning => "tuning",
            Part::Testing => "testing",
        }
    }
}

/// Returns a list of kept openings. They go to the lists in turn, so that a longer list begins with the shorter one.
pub fn list(settings: &Settings, part: Part, kept: &[String]) -> List {
    let first = usize::from(part == Part::Testing);
    let entries: Vec<String> = kept.iter().skip(first).step_by(2).cloned().collect();
    let head = [
        format!(
            "{} for {}, {} {}x{}, chosen by outcome, made by kagetsu {} with the net {}:",
            words::count(entries.len(), "opening"),
            part.purpose(),
            settings.rule,
            settings.size,
            settings.size,
            env!("CARGO_PKG_VERSION"),
            settings.net
        ),
        format!("settings: {} in both lists, {}", words::count(kept.len(), "opening"), settings.flags()),
    ];
    List { name: part.file(), head, entries }
}
