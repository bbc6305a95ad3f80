//! Progress on stderr while the solvers work, and the flag that stops them.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use kagetsu_console::progress::Progress;
use kagetsu_tools::study::{Event, Kind};

/// The line of progress of a question, shared by its threads, and its stop flag.
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    events: Box<dyn Fn(Event) + Sync + 'a>,
}

impl<'a> Watch<'a> {
    /// Creates the watch of a search for one win, whose length is unknown. The work ends when the flag is set.
    pub fn of_win(kind: Kind, stop: &'a AtomicBool) -> Watch<'a> {
        Watch::shown(Progress::open_ended(), format!("searching for a {}", kind.name()), stop)
    }

    /// Creates a watch for trying each of `moves` moves, until the flag is set.
    pub fn of_defences(moves: usize, stop: &'a AtomicBool) -> Watch<'a> {
        Watch::shown(Progress::of(moves as u64), String::new(), stop)
    }

    fn shown(progress: Progress, message: String, stop: &'a AtomicBool) -> Watch<'a> {
        let progress = Mutex::new(progress);
        let events = move |event| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Working => progress.say(|| message.clone()),
                Event::Tried => progress.step(),
            }
        };
        Watch { stop, events: Box::new(events) }
    }

    /// Creates the watch of one of many questions. It shows nothing; the question's work ends when the flag is set.
    pub fn silent(stop: &'a AtomicBool) -> Watch<'a> {
        Watch { stop, events: Box::new(|_| {}) }
    }

    /// The flag that ends the work.
    pub fn stop(&self) -> &AtomicBool {
        self.stop
    }

    /// The receiver of events.
    pub fn events(&self) -> &(dyn Fn(Event) + Sync) {
        &self.events
    }
}
