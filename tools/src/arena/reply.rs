//! Parser of an engine's line, as Gomocup managers read it.

/// The class of a reply line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// `OK`.
    Ok,
    /// `ERROR …`.
    Error,
    /// `UNKNOWN …`.
    Unknown,
    /// `MESSAGE …` or `DEBUG …`, with the text.
    Note(&'a str),
    /// `SUGGEST x,y`, with the coordinates.
    Suggest(i64, i64),
    /// `x,y`: column from the left, row from the top.
    Move(i64, i64),
    /// A line without a meaning to managers.
    Other,
}

impl Reply<'_> {
    /// Reads a line. The case of its words does not matter.
    pub fn parse(line: &str) -> Reply<'_> {
        let line = line.trim();
        if let Some((x, y)) = coordinates(line) {
            return Reply::Move(x, y);
        }
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        if is("MESSAGE") || is("DEBUG") {
            Reply::Note(rest.trim())
        } else if line.eq_ignore_ascii_case("OK") {
            Reply::Ok
        } else if is("ERROR") {
            Reply::Error
        } else if is("UNKNOWN") {
            Reply::Unknown
        } else if let (true, Some((x, y))) = (is("SUGGEST"), coordinates(rest)) {
            Reply::Suggest(x, y)
        } else {
            Reply::Other
        }
    }
}

/// An answer to a question about an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// `SWAP`: the colours are exchanged.
    Swap,
    /// `x,y x,y … N`: points, each as column from the left and row from the top, and the number of fifth moves behind them
    /// where one is declared.
    Stones {
        /// The points.
        stones: Vec<(i64, i64)>,
        /// The number.
        number: Option<usize>,
    },
}

impl Named {
    /// Parses a line; `None` if it is not such an answer.
    pub fn parse(line: &str) -> Option<Named> {
        let line = line.trim();
        if line.eq_ignore_ascii_case("SWAP") {
            return Some(Named::Swap);
        }
        if let Some(stone) = coordinates(line) {
            return Some(Named::Stones { stones: vec![stone], number: None });
        }
        let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
        let number = words.pop_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let number = number.map(str::parse).transpose().ok()?;
        let stones: Vec<_> = words.into_iter().map(coordinates).collect::<Option<_>>()?;
        (!stones.is_empty()).then_some(Named::Stones { stones, number })
    }
}

/// Reads `x,y` with blanks allowed around the numbers.
fn coordinates(text: &str) -> Option<(i64, i64)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// Score and depth that an engine reported for its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thinking {
    /// Score from the engine's view; a win in `n` plies is [`MATE`] less `n`, a loss the negative of that.
    pub score: Option<i32>,
    /// Depth in plies.
    pub depth: Option<u32>,
}

/// Score of a proven win: above every other score.
pub const MATE: i32 = 30_000;

impl Thinking {
    /// Reads depth and score from a message: the word `depth`, and `ev`, `eval` or `score`, each followed by its value
    /// after blanks, `:` or `=`. Rapfi, Yixin and this project's engine write them in this form. Later messages replace
    /// earlier ones.
    pub fn read(&mut self, message: &str) {
        let mut words = message
            .split(|c: char| c.is_ascii_whitespace() || matches!(c, '|' | ':' | '=' | ',' | ';'))
            .filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            if word.eq_ignore_ascii_case("depth") {
                let number = words.clone().next().and_then(|value| value.split('-').next()?.parse().ok());
                self.depth = number.or(self.depth);
            } else if ["ev", "eval", "score"].iter().any(|key| word.eq_ignore_ascii_case(key)) {
                self.score = words.clone().next().and_then(score).or(self.score);
            }
        }
    }
}

/// A number, or `+M5` and `-M8` for a proven win and loss.
fn score(text: &str) -> Option<i32> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned.strip_prefix(['M', 'm']) {
        Some(plies) => {
            let value = MATE - plies.parse::<i32>().ok()?.clamp(0, 1000);
            Some(if text.starts_with('-') { -value } else { value })
        }
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_classified() {
        let cases = [
            ("7,8", Reply::Move(7, 8)),
            (" 7 , 8 ", Reply::Move(7, 8)),
            ("-1,99", Reply::Move(-1, 99)),
            ("ok", Reply::Ok),
            ("OK then", Reply::Other),
            ("Error bad", Reply::Error),
            ("UNKNOWN", Reply::Unknown),
            ("message Depth 3", Reply::Note("Depth 3")),
            ("DEBUG", Reply::Note("")),
            ("SUGGEST 3,4", Reply::Suggest(3, 4)),
            ("7,8,9", Reply::Other),
            ("7.8", Reply::Other),
            ("hello", Reply::Other),
        ];
        for (line, expected) in cases {
            assert_eq!(Reply::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn answers_about_openings() {
        let stones = |stones: &[(i64, i64)], number| Some(Named::Stones { stones: stones.to_vec(), number });
        for (line, expected) in [
            ("SWAP", Some(Named::Swap)),
            (" swap ", Some(Named::Swap)),
            ("7,8", stones(&[(7, 8)], None)),
            ("7, 8", stones(&[(7, 8)], None)),
            ("7,8 9,9", stones(&[(7, 8), (9, 9)], None)),
            ("0,0 -1,2  3,4", stones(&[(0, 0), (-1, 2), (3, 4)], None)),
            ("7,7 7,6 8,6 3", stones(&[(7, 7), (7, 6), (8, 6)], Some(3))),
            ("SWAP 7,8", None),
            ("7,8 9 9", None),
            ("7,8 -1", None),
            ("9", None),
            ("", None),
            ("OK", None),
        ] {
            assert_eq!(Named::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn thinking_is_read_in_the_known_forms() {
        let read = |messages: &[&str]| {
            let mut thinking = Thinking::default();
            messages.iter().for_each(|m| thinking.read(m));
            (thinking.score, thinking.depth)
        };
        let rapfi = "Speed 800K | Depth 14-22 | Eval -190 | Node 100K | Time 125ms";
        assert_eq!(read(&[rapfi]), (Some(-190), Some(14)));
        assert_eq!(read(&["depth 5-9 ev +M5 n 12 tm 3 pv h8"]), (Some(MATE - 5), Some(5)));
        assert_eq!(read(&["depth=7 score: -m8"]), (Some(8 - MATE), Some(7)));
        assert_eq!(read(&["depth 4 ev 10", "no news", "eval"]), (Some(10), Some(4)));
        assert_eq!(read(&["hello"]), (None, None));
    }
}
