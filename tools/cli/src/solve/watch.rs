//! Limits of a search, and a sign of life on stderr while it goes on.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Args, Kind};
use crate::progress::Progress;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::solve::Budget;

/// What all threads of a question share: the line of progress, and whether they are to stop.
pub struct Watch<'a> {
    progress: Option<Mutex<Progress>>,
    message: String,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Watch<'a> {
    /// For one win, which takes as long as it takes.
    pub fn of_win(kind: Kind) -> Watch<'a> {
        Watch::shown(Progress::open_ended(), format!("searching for a {}", kind.name()))
    }

    /// For trying each of so many moves.
    pub fn of_defences(moves: usize) -> Watch<'a> {
        Watch::shown(Progress::of(moves as u64), String::new())
    }

    fn shown(progress: Progress, message: String) -> Watch<'a> {
        Watch { progress: Some(Mutex::new(progress)), message, stop: None }
    }

    /// For one of many questions, whose number is what is shown; its searches end when the flag is set.
    pub fn silent(stop: &'a AtomicBool) -> Watch<'a> {
        Watch { progress: None, message: String::new(), stop: Some(stop) }
    }

    /// Starts the time of a position.
    pub fn start(&self) -> Timer<'_> {
        Timer { watch: self, clock: SystemClock::new() }
    }

    /// One more move has been tried.
    pub fn tried(&self) {
        if let Some(mut progress) = self.progress() {
            progress.step();
        }
    }

    fn progress(&self) -> Option<MutexGuard<'_, Progress>> {
        Some(self.progress.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The time of one position. Whoever reads it shows that the work goes on.
pub struct Timer<'a> {
    watch: &'a Watch<'a>,
    clock: SystemClock,
}

impl Timer<'_> {
    /// The budget that the flags give to a position.
    pub fn budget(&self, args: &Args) -> Budget<'_> {
        self.limited(args, args.nodes.map_or(Budget::unlimited(), Budget::nodes))
    }

    /// The time that the flags give, whatever is done in it.
    pub fn time_alone(&self, args: &Args) -> Budget<'_> {
        self.limited(args, Budget::unlimited())
    }

    fn limited<'a>(&'a self, args: &Args, budget: Budget<'a>) -> Budget<'a> {
        let budget = budget.until(self, args.time().unwrap_or(Duration::MAX));
        match self.watch.stop {
            Some(stop) => budget.stopped_by(stop),
            None => budget,
        }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.clock.now()
    }
}

impl Clock for Timer<'_> {
    fn now(&self) -> Duration {
        if let Some(mut progress) = self.watch.progress() {
            progress.say(|| self.watch.message.clone());
        }
        self.clock.now()
    }
}
