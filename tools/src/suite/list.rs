//! Suites: lists of positions with verdicts, built in or read from a file.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::entry::Entry;
use crate::limits;

/// The built-in suite: a list for each rule except caro with winning sixes.
const BUILT_IN: [(&str, &str); 4] = [
    ("freestyle-20.txt", include_str!("positions/freestyle-20.txt")),
    ("standard-15.txt", include_str!("positions/standard-15.txt")),
    ("renju-15.txt", include_str!("positions/renju-15.txt")),
    ("caro-15.txt", include_str!("positions/caro-15.txt")),
];

/// Returns the built-in suite.
///
/// # Errors
/// If it is damaged.
pub fn built_in() -> Result<Vec<Entry>> {
    let lists = BUILT_IN.iter().map(|(name, text)| read(text, name));
    Ok(lists.collect::<Result<Vec<_>>>()?.concat())
}

/// Reads a file of one position a line. Blank lines and lines that start with `#` are skipped.
///
/// # Errors
/// If it cannot be read, has no position, or a line is wrong: its number, what is wrong, and what is expected.
pub fn read_file(path: &Path) -> Result<Vec<Entry>> {
    let name = path.display();
    let text = std::fs::File::open(path).and_then(|file| limits::read_text(file, limits::FILE));
    let entries = read(&text.with_context(|| format!("cannot read {name}"))?, &name.to_string())?;
    if entries.is_empty() {
        bail!("{name} has no position: expected lines as 'renju 15 win h8h9i8'");
    }
    Ok(entries)
}

/// Reads a list of this name.
///
/// # Errors
/// The errors of [`read_file`].
pub fn read(text: &str, name: &str) -> Result<Vec<Entry>> {
    let lines = text.lines().map(str::trim).zip(1..);
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let entry =
        |(line, number)| Entry::read(line).map_err(|error| anyhow::anyhow!("{name}:{number}: {error}"));
    lines.map(entry).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use kagetsu::game::symmetry::Canonical;

    use super::*;

    #[test]
    fn errors_have_the_number_of_the_line() {
        let error = read("# two\n\nrenju 15 win h8\n  renju 15 won h8\n", "my.txt").unwrap_err();
        assert!(error.to_string().starts_with("my.txt:4: 'won' is not a verdict"), "{error}");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "# nothing\n").unwrap();
        let error = read_file(file.path()).unwrap_err().to_string();
        assert!(error.ends_with("has no position: expected lines as 'renju 15 win h8h9i8'"), "{error}");
    }

    /// Every position of the built-in suite is legal and unfinished, and is there once.
    #[test]
    fn the_built_in_suite_is_sound() {
        let entries = built_in().unwrap();
        let mut seen = HashSet::new();
        for entry in &entries {
            let key = (entry.rule, Canonical::of_position(&entry.position).key);
            assert!(seen.insert(key), "twice: {entry}");
        }
        for (name, text) in BUILT_IN {
            let start = name.trim_end_matches(".txt").replace('-', " ");
            let list = read(text, name).unwrap();
            assert!(!list.is_empty(), "{name}");
            assert!(list.iter().all(|entry| entry.to_string().starts_with(&start)), "{name}");
        }
    }
}
