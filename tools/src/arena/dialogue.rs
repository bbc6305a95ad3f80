//! Transcript of the lines between manager and engine during a game.

use std::fmt;
use std::time::Duration;

use super::process::{Line, Stream};
use crate::untrusted;

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

    /// Keeps what was sent.
    pub fn sent(&mut self, at: Duration, text: &str) {
        self.0.push((at, Speaker::Manager, text.to_owned()));
    }

    /// Keeps a line that came.
    pub fn received(&mut self, line: &Line) {
        self.0.push((line.at, Speaker::Engine(line.stream), line.text.clone()));
    }
}

/// One line each: milliseconds since the first, `>` to the engine, `<` from it, `!` its standard error.
impl fmt::Display for Dialogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.0.first().map_or(Duration::ZERO, |entry| entry.0);
        for (at, speaker, text) in &self.0 {
            let sign = match speaker {
                Speaker::Manager => '>',
                Speaker::Engine(Stream::Out) => '<',
                Speaker::Engine(Stream::Err) => '!',
            };
            for line in text.lines() {
                let ms = at.saturating_sub(origin).as_secs_f64() * 1e3;
                writeln!(f, "{ms:>10.3} {sign} {}", untrusted::line(line))?;
            }
        }
        Ok(())
    }
}
