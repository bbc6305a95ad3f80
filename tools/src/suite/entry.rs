//! One position of a suite, as a line of text.
//!
//! A line has the rule, the side of the board, the verdict and the position, with a comment that says where it comes from:
//!
//! ```text
//! renju 15 win h8h9i8 # opening 12, game 25
//! freestyle 20 best k11 j10k10k9 # opening 3, game 6
//! ```

use std::fmt;

use kagetsu::game::quote::quoted;
use kagetsu::game::symmetry::Symmetry;
use kagetsu::game::{Position, RuleKind, Size, notation, status};
use kagetsu::invalid::Invalid;

use super::verdict::Verdict;
use crate::arena::openings;

/// A position with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The rule.
    pub rule: RuleKind,
    /// The position.
    pub position: Position,
    /// The verdict.
    pub verdict: Verdict,
    /// The origin of the position; may be empty.
    pub origin: String,
}

impl Entry {
    /// Reads a line that is neither blank nor a comment alone.
    ///
    /// # Errors
    /// Says what is wrong, and what is expected.
    pub fn read(line: &str) -> Result<Entry, Invalid> {
        let (line, origin) = line.split_once('#').unwrap_or((line, ""));
        let mut words = line.split_whitespace();
        let rule: RuleKind = words.next().ok_or("no rule")?.parse()?;
        let side = words.next().ok_or("expected the side of the board after the rule, as in 'renju 15'")?;
        let number = side.parse().map_err(|_| {
            format!(
                "{} is not the side of a board: expected a number after the rule, as in 'renju 15'",
                quoted(side)
            )
        })?;
        let size = Size::new(number).map_err(|error| error.to_string())?;
        let verdict = Verdict::read(&mut words, size)?;
        let text = words.collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err("no position: expected moves or a setup string after the verdict".into());
        }
        let position = notation::parse(&text, Some(size)).map_err(|error| error.to_string())?;
        openings::check(&position, rule).map_err(|error| format!("{error:#}"))?;
        if let Verdict::Best(point) = verdict
            && !status::is_legal(&position, rule, point)
        {
            let expected = "expected an empty point, not forbidden";
            return Err(format!("the best move {point} is not legal: {expected}").into());
        }
        Ok(Entry { rule, position, verdict, origin: origin.trim().to_owned() })
    }

    /// Returns the image under a symmetry. It is as hard, but a search meets its moves in another order.
    pub fn image(&self, symmetry: Symmetry) -> Entry {
        let verdict = match self.verdict {
            Verdict::Best(point) => Verdict::Best(symmetry.apply(point, self.position.size())),
            proven => proven,
        };
        Entry { position: symmetry.apply_position(&self.position), verdict, ..self.clone() }
    }
}

/// Writes the line.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { rule, position, verdict, origin } = self;
        write!(f, "{rule} {} {verdict} {}", position.size().side(), notation::print(position))?;
        if origin.is_empty() { Ok(()) } else { write!(f, " # {origin}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for line in [
            "renju 15 win h8h9i8 # opening 12, game 25",
            "freestyle 20 best k11 j10k10k9",
            "caro 5 loss 5/5/2x2/5/5 o # drawn by hand",
        ] {
            assert_eq!(Entry::read(line).unwrap().to_string(), line);
        }
        let entry = Entry::read("  standard 15\tbest  h8   a1 b2 # x # y ").unwrap();
        assert_eq!(entry.to_string(), "standard 15 best h8 a1b2 # x # y");
    }

    #[test]
    fn an_image_has_position_and_best_move_turned_alike() {
        let image = |line, symmetry| Entry::read(line).unwrap().image(symmetry).to_string();
        let best = "renju 15 best b1 h8a3o2 # x";
        assert_eq!(image(best, Symmetry::MIRROR_COLUMNS), "renju 15 best n1 h8o3a2 # x");
        assert_eq!(image("freestyle 20 win a1t2", Symmetry::MIRROR_ROWS), "freestyle 20 win a20t19");
        assert_eq!(image(best, Symmetry::IDENTITY), best);
    }

    #[test]
    fn a_bad_line_is_refused_with_what_is_expected() {
        for (line, problem) in [
            ("go 15 win h8", "expected"),
            ("renju", "expected the side of the board after the rule, as in 'renju 15'"),
            ("renju win h8", "'win' is not the side of a board"),
            ("renju 99 win h8", "board size 99 is not supported"),
            ("renju 15 h8", "'h8' is not a verdict"),
            ("renju 15 win # all", "no position"),
            ("renju 15 win h8h8", "move 2"),
            ("renju 15 win 5/5/2x2/5/5 o", "the position is 5x5, but size 15 was asked for"),
            ("renju 15 win h8--h9", "move 2 is a pass"),
            ("freestyle 15 win a1a15b1b15c1c15d1d15e1", "the game is over already"),
            ("renju 15 best h8 h8h9", "the best move h8 is not legal"),
            ("renju 15 best h8 h7a1h6b3g8o15f8o1", "the best move h8 is not legal"),
        ] {
            let error = Entry::read(line).unwrap_err();
            assert!(error.to_string().contains(problem), "{line}: {error}");
        }
        assert!(Entry::read("freestyle 15 best h8 h7a1h6b3g8o15f8o1").is_ok(), "no fouls there");
    }
}
