//! An explanation as indented lines.

use std::fmt;

use super::{Explanation, Extension, FoulVerdict, MOST_NODES};
use crate::game::Point;

impl fmt::Display for FoulVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FoulVerdict::Five => f.write_str("five"),
            FoulVerdict::Foul(kinds) => write!(f, "foul {kinds}"),
            FoulVerdict::Legal => f.write_str("legal"),
        }
    }
}

/// Writes the tree as indented lines, without a line break at the end.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.point, self.verdict)?;
        self.fmt_grounds(f, 1)
    }
}

impl Explanation {
    /// Writes the patterns that the stone makes, each on its own line, `depth` levels in.
    fn fmt_grounds(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        for (name, rows) in [("five", &self.fives), ("overline", &self.overlines)] {
            for row in rows {
                write!(f, "{}{name} {}, {}", NewLine(depth), Names(&row.stones), row.direction.name())?;
            }
        }
        for four in &self.fours {
            let (name, completions) = match four.completions.len() {
                2 => ("straight four", &four.completions),
                _ => ("four", &four.completions),
            };
            write!(f, "{}{name} {}, {}", NewLine(depth), Names(&four.stones), four.direction.name())?;
            write!(f, ", completed by {}", Names(completions))?;
        }
        for three in &self.threes {
            let real = match three.is_real() {
                Some(true) => ": real",
                Some(false) => ": false",
                None => "",
            };
            write!(f, "{}three {}, {}", NewLine(depth), Names(&three.stones), three.direction.name())?;
            f.write_str(real)?;
            for Extension { point, reason, extends } in &three.extensions {
                let Some(reason) = reason else { continue };
                let verb = if *extends { "extends it" } else { "does not extend it" };
                write!(f, "{}{point} {verb}: {}", NewLine(depth + 1), reason.verdict)?;
                reason.fmt_grounds(f, depth + 2)?;
            }
        }
        if self.is_cut {
            write!(f, "{}the threes are not examined here: ", NewLine(depth))?;
            write!(f, "an explanation examines {MOST_NODES} points at most")?;
        }
        Ok(())
    }
}

/// A line break and the indentation of the next line.
struct NewLine(usize);

impl fmt::Display for NewLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{:1$}", "", 2 * self.0)
    }
}

/// Points separated by blanks.
struct Names<'a>(&'a [Point]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, p) in self.0.iter().enumerate() {
            let blank = if i > 0 { " " } else { "" };
            write!(f, "{blank}{p}")?;
        }
        Ok(())
    }
}
