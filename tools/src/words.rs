//! Words of messages: numbers with their nouns, as `1 game` and `2 games`, and repeated names.

use std::collections::HashSet;
use std::fmt::Display;

/// Returns a number of things: `1 game`, `2 games`, `2 plies`. The noun's plural ends with an s, or with -ies for a -y.
pub fn count<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if number == N::from(1) => format!("{number} {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {noun}s"),
    }
}

/// Returns a name that was given before, if there is one.
pub fn repeated<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut given = HashSet::new();
    names.into_iter().find(|&name| !given.insert(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_and_several() {
        assert_eq!([0_u64, 1, 2].map(|n| count(n, "game")), ["0 games", "1 game", "2 games"]);
        assert_eq!([1_u64, 2].map(|n| count(n, "ply")), ["1 ply", "2 plies"]);
    }
}
