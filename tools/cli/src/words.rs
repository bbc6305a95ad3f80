//! Small words of the reports.

use std::fmt::Display;

/// A number of things: `1 game`, `2 games`. The noun's plural is made with an s.
pub fn count<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_and_several() {
        assert_eq!([0_u64, 1, 2].map(|n| count(n, "game")), ["0 games", "1 game", "2 games"]);
    }
}
