//! Transcript of the lines between manager and engine during a game.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use super::process::{Line, Stream};
use crate::untrusted;
use crate::words;

/// Bytes of the text that are shown at the beginning and again at the end. An engine may have written a megabyte for each
/// move, and a broken one does so in each of thousands of games.
const SHOWN: usize = 256 << 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Speaker {
    Manager,
    Engine(Stream),
}

/// The lines of a game, with their times. Bounded, because the engine's output is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dialogue(Vec<(Duration, Speaker, String)>);

impl Dialogue {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds text that was sent.
    pub fn sent(&mut self, at: Duration, text: &str) {
        self.0.push((at, Speaker::Manager, text.to_owned()));
    }

    /// Adds a line that was received.
    pub fn received(&mut self, line: &Line) {
        self.0.push((line.at, Speaker::Engine(line.stream), line.text.clone()));
    }
}

/// One line each: milliseconds since the first, `>` to the engine, `<` from it, `!` its standard error. The middle of a long
/// dialogue is left out.
impl fmt::Display for Dialogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.0.first().map_or(Duration::ZERO, |entry| entry.0);
        let lines = self.0.iter().flat_map(|(at, speaker, text)| {
            let sign = match speaker {
                Speaker::Manager => '>',
                Speaker::Engine(Stream::Out) => '<',
                Speaker::Engine(Stream::Err) => '!',
            };
            let ms = at.saturating_sub(origin).as_secs_f64() * 1e3;
            text.lines().map(move |line| format!("{ms:>10.3} {sign} {}\n", untrusted::line(line)))
        });
        let mut end = End::default();
        let mut shown = 0;
        for line in lines {
            shown += line.len();
            if shown <= SHOWN { f.write_str(&line)? } else { end.add(line) }
        }
        fmt::Display::fmt(&end, f)
    }
}

/// The last lines of a dialogue that is too long for its beginning.
#[derive(Default)]
struct End {
    lines: VecDeque<String>,
    /// Bytes of the lines.
    len: usize,
    /// Lines that were left out, and their bytes.
    left_out: (u64, usize),
}

impl End {
    fn add(&mut self, line: String) {
        self.len += line.len();
        self.lines.push_back(line);
        while self.len > SHOWN
            && let Some(first) = self.lines.pop_front()
        {
            self.len -= first.len();
            self.left_out = (self.left_out.0 + 1, self.left_out.1 + first.len());
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lines, bytes) = self.left_out;
        if lines > 0 {
            writeln!(f, "… {} left out here, {bytes} bytes", words::count(lines, "line"))?;
        }
        self.lines.iter().try_for_each(|line| f.write_str(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialogue(lines: u64) -> Dialogue {
        let mut dialogue = Dialogue::default();
        dialogue.sent(Duration::from_secs(1), "START 15\nBEGIN\n");
        for n in 0..lines {
            let at = Duration::from_millis(1001 + n);
            dialogue.received(&Line { at, text: format!("MESSAGE line {n:>7}"), stream: Stream::Out });
        }
        dialogue
    }

    #[test]
    fn a_short_dialogue_is_whole() {
        let expected = "     0.000 > START 15\n     0.000 > BEGIN\n     1.000 < MESSAGE line       0\n";
        assert_eq!(dialogue(1).to_string(), expected);
        assert_eq!(dialogue(10_000).to_string().lines().count(), 10_002);
    }

    #[test]
    fn the_middle_of_a_long_dialogue_is_left_out() {
        let text = dialogue(100_000).to_string();
        assert!(text.len() <= 2 * SHOWN + 100, "{} bytes", text.len());
        assert!(text.starts_with("     0.000 > START 15\n") && text.ends_with(" < MESSAGE line   99999\n"));
        let said = text.lines().find(|line| line.starts_with('…')).unwrap();
        let words: Vec<&str> = said.split(' ').collect();
        let ["…", lines, "lines", "left", "out", "here,", bytes, "bytes"] = words[..] else {
            panic!("{said}")
        };
        let [lines, bytes]: [usize; 2] = [lines, bytes].map(|number| number.parse().unwrap());
        assert_eq!(text.lines().count() - 1 + lines, 100_002);
        assert_eq!(
            text.len() - said.len() - 1 + bytes,
            100_000 * "     1.000 < MESSAGE line       0\n".len()
                + "     0.000 > START 15\n     0.000 > BEGIN\n".len()
        );
    }
}
