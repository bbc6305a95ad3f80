//! Progress on stderr: bars on a terminal, and lines from time to time elsewhere.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::model::Sums;

/// Time between lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// Writes a line to stderr. The work goes on if nobody reads it.
pub fn tell(line: &impl Display) {
    let _ = writeln!(stderr(), "{line}");
}

/// A bar; without a terminal it is hidden.
fn bar(len: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(len);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Progress of the first reading of the games. Its bar disappears when it is dropped.
pub struct Reading(ProgressBar);

impl Reading {
    /// Creates the progress of reading these files.
    pub fn new(files: &[PathBuf]) -> Reading {
        let len = files.iter().filter_map(|path| Some(path.metadata().ok()?.len())).sum();
        Reading(bar(len, "reading {wide_bar} {bytes}/{total_bytes}, {eta} left"))
    }

    /// Counts bytes that were read.
    pub fn advance(&mut self, bytes: u64) {
        self.0.inc(bytes);
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The training, in positions of all epochs.
pub struct Learning {
    bar: ProgressBar,
    all: u64,
    lines: bool,
    /// Time at which the first step was done, and the positions until then.
    start: Option<(Instant, u64)>,
    /// Time at which the last line was written.
    said: Instant,
}

impl Learning {
    /// Creates the progress of learning this number of positions.
    pub fn new(all: u64) -> Learning {
        let bar = bar(all, "{wide_bar} {msg}");
        Learning { bar, all, lines: !stderr().is_terminal(), start: None, said: Instant::now() }
    }

    /// Tells that `done` positions are done, and the sums of the losses of this epoch.
    pub fn advance(&mut self, epoch: u64, done: u64, sums: &Sums) {
        let now = Instant::now();
        let &mut (start, before) = self.start.get_or_insert((now, done));
        let speed = (done - before) as f64 / (now - start).as_secs_f64().max(1e-3);
        let text = || state(epoch, sums.value / sums.count.max(1.0), (done, self.all), speed);
        self.bar.set_position(done);
        if !self.lines {
            self.bar.set_message(text());
        } else if now - self.said >= EVERY {
            tell(&text());
            self.said = now;
        }
    }

    /// Writes a line above the bar.
    pub fn say(&self, line: &impl Display) {
        self.bar.suspend(|| tell(line));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The progress of a training in words; its speed is in positions a second.
fn state(epoch: u64, loss: f64, (done, all): (u64, u64), speed: f64) -> String {
    let share = 100.0 * done as f64 / all.max(1) as f64;
    let left = if speed > 0.0 {
        let left = Duration::try_from_secs_f64((all - done) as f64 / speed).unwrap_or(Duration::MAX);
        format!(", {} left", HumanDuration(left))
    } else {
        String::new()
    };
    format!("epoch {epoch}, {share:.1} %: value {loss:.4}, {speed:.0} positions a second{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_loss_speed_and_time_left() {
        assert_eq!(
            state(2, 0.43216, (1_500_000, 6_000_000), 15_000.0),
            "epoch 2, 25.0 %: value 0.4322, 15000 positions a second, 5 minutes left"
        );
        // The speed is not known after the first step.
        assert_eq!(state(1, 0.5, (0, 10), 0.0), "epoch 1, 0.0 %: value 0.5000, 0 positions a second");
    }
}
