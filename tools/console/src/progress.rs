//! Progress on stderr: after two seconds a line shows how far the work is. Without a terminal that understands escape
//! codes nothing is shown.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::understands_escapes;
use kagetsu::clock::{Clock, SystemClock};

const QUIET: Duration = Duration::from_secs(2);

/// A line of progress that appears if the work takes long and disappears when it is done.
pub struct Progress {
    bar: ProgressBar,
    clock: SystemClock,
    hidden: bool,
}

impl Progress {
    /// Creates the progress of `steps` pieces of work, with an estimate of the time left.
    pub fn of(steps: u64) -> Progress {
        Progress::styled(ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden()))
            .with_template("{wide_bar} {pos}/{len}, {eta} left {msg}")
    }

    /// Creates the progress of work whose end is not known.
    pub fn open_ended() -> Progress {
        Progress::styled(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()))
            .with_template("{elapsed} {wide_msg}")
    }

    /// Creates the progress of pieces of work whose number is not known.
    pub fn counting() -> Progress {
        Progress::styled(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()))
            .with_template("{elapsed}, {pos} answered")
    }

    fn styled(bar: ProgressBar) -> Progress {
        Progress { bar, clock: SystemClock::new(), hidden: true }
    }

    fn with_template(self, template: &str) -> Progress {
        self.bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
        self
    }

    /// Counts pieces that are finished already.
    pub fn go_on(&self, done: u64) {
        go_on(&self.bar, done);
    }

    /// Counts one more finished piece.
    pub fn step(&mut self) {
        self.appear();
        self.bar.inc(1);
    }

    /// Shows a message beside the bar.
    pub fn say(&mut self, message: impl FnOnce() -> String) {
        self.appear();
        if !self.hidden {
            self.bar.set_message(message());
        }
    }

    /// Hides the bar while `write` writes to the same terminal, then draws it again.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    fn appear(&mut self) {
        if self.hidden && self.clock.now() >= QUIET {
            self.hidden = false;
            if understands_escapes() {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
        }
    }
}

/// Lets a bar begin after `done` pieces, which the estimate of the time left does not take for pieces of this
/// moment. The bar may have no steady tick yet: with one, the estimate would meet these pieces later.
pub fn go_on(bar: &ProgressBar, done: u64) {
    bar.set_position(done);
    bar.reset_eta();
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One piece takes more than 20 ms, and 1,000 are left.
    #[test]
    fn earlier_pieces_do_not_shorten_the_time_left() {
        let mut progress = Progress::of(1_000_000);
        progress.go_on(998_999);
        std::thread::sleep(Duration::from_millis(20));
        progress.step();
        assert!(progress.bar.eta() >= Duration::from_secs(10), "{:?}", progress.bar.eta());
    }
}
