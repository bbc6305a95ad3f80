//! What has been read and not yet dealt with, between the thread that reads and the one that plays; and what a line does to
//! a search that runs. All else waits its turn, so that nothing is lost.
//!
//! No manager sends more than a few lines ahead, but whatever arrives, memory is bounded: with [`MOST_WAITING`] lines
//! unread, reading waits too, and so does whoever writes into the pipe.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::command::Command;

/// Lines that may wait at a time: more than a `BOARD` of any size and all settings.
const MOST_WAITING: usize = 4096;

/// Once the input is closed, searches may go on for this long.
const GRACE: Duration = Duration::from_secs(1);

/// A line of input.
#[derive(Debug)]
pub struct Line {
    /// Without its end; bytes that are no UTF-8 are replaced.
    pub text: String,
    /// The clock's reading when it had been read.
    pub at: Duration,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Somebody waits for its answer.
    Answer,
    /// It is the opponent's turn: what is found is remembered and not said, and whatever is read ends it.
    Ponder,
}

/// Shared by the two threads.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    /// A line has come, one has gone, or there will be no more. Only one of the threads can wait for it at a time: there
    /// are either no lines, or too many, or no more to come.
    changed: Condvar,
    stop: AtomicBool,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Line>,
    /// The search that runs.
    thinking: Option<Purpose>,
    /// There will be no more lines.
    closed: bool,
    /// The time for what is left to answer after that has passed.
    late: bool,
    /// Nothing is to be answered any more.
    ended: bool,
}

impl Inbox {
    /// Takes in what was read at once, waiting for room if need be. Returns whether anything more can be of interest.
    pub fn put(&self, lines: impl IntoIterator<Item = Line>) -> bool {
        let mut state = self.lock();
        for line in lines {
            if state.waiting.len() >= MOST_WAITING {
                self.changed.notify_one();
                state = self
                    .changed
                    .wait_while(state, |s| s.waiting.len() >= MOST_WAITING && !s.ended)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            if let Some(purpose) = state.thinking {
                let command = Command::parse(&line.text);
                state.ended |= matches!(command, Ok(Command::End));
                // A stop stays in line, too: should a command before it make the engine think again, it is meant for that.
                if state.ended || purpose == Purpose::Ponder || matches!(command, Ok(Command::Stop)) {
                    self.stop();
                }
            }
            state.waiting.push_back(line);
            if state.ended {
                break;
            }
        }
        self.changed.notify_one();
        !state.ended
    }

    /// There will be no more lines. Returns when all is answered, which is seen to after a while.
    pub fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        if state.thinking == Some(Purpose::Ponder) {
            self.stop();
        }
        self.changed.notify_one();
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, GRACE, |s| !s.ended)
            .unwrap_or_else(PoisonError::into_inner);
        state.late = true;
        self.stop();
    }

    /// The next line, once there is one; `None` if there is nothing more to answer.
    pub fn next(&self) -> Option<Line> {
        let mut state = self
            .changed
            .wait_while(self.lock(), |s| s.waiting.is_empty() && !s.closed && !s.ended)
            .unwrap_or_else(PoisonError::into_inner);
        if state.ended {
            return None;
        }
        let line = state.waiting.pop_front();
        self.changed.notify_one();
        line
    }

    /// Begins a search, from now on stopped by what comes. Returns whether it is worth while.
    pub fn begin(&self, purpose: Purpose) -> bool {
        let mut state = self.lock();
        if purpose == Purpose::Ponder && (state.closed || !state.waiting.is_empty()) {
            return false;
        }
        let is_stop = |line: &Line| matches!(Command::parse(&line.text), Ok(Command::Stop));
        self.stop.store(state.late || state.waiting.iter().any(is_stop), Relaxed);
        state.thinking = Some(purpose);
        true
    }

    /// Ends the search.
    pub fn finish(&self) {
        self.lock().thinking = None;
    }

    /// Whether the search must stop.
    pub fn stopped(&self) -> &AtomicBool {
        &self.stop
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Ends it all.
    pub fn end(&self) {
        self.lock().ended = true;
        self.stop();
        self.changed.notify_one();
    }

    /// Whether nothing is to be answered any more.
    pub fn has_ended(&self) -> bool {
        self.lock().ended
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::thread;

    fn put(inbox: &Inbox, texts: &[&str]) -> bool {
        inbox.put(texts.iter().map(|&text| Line { text: text.to_owned(), at: Duration::ZERO }))
    }

    fn rest(inbox: &Inbox) -> Vec<String> {
        std::iter::from_fn(|| inbox.next()).map(|line| line.text).collect()
    }

    /// Whether a search with this purpose, begun after the first lines, is stopped by the others.
    fn stops(purpose: Purpose, before: &[&str], after: &[&str]) -> bool {
        let inbox = Inbox::default();
        put(&inbox, before);
        assert!(inbox.begin(purpose));
        put(&inbox, after);
        inbox.stopped().load(Relaxed)
    }

    #[test]
    fn what_stops_a_search() {
        assert!(!stops(Purpose::Answer, &["ABOUT"], &["TURN 7,7", "ABOUT"]));
        assert!(stops(Purpose::Answer, &[], &["TURN 7,7", "YXSTOP"]));
        assert!(stops(Purpose::Answer, &["TURN 7,7", "STOP"], &[]));
        assert!(stops(Purpose::Answer, &[], &["end"]));
        assert!(!stops(Purpose::Answer, &["END"], &[]), "it waits for its turn");
        assert!(stops(Purpose::Ponder, &[], &["INFO rule 0"]));
        let inbox = Inbox::default();
        put(&inbox, &["ABOUT"]);
        assert!(!inbox.begin(Purpose::Ponder), "there is something else to do");
        assert!(inbox.begin(Purpose::Answer));
    }

    #[test]
    fn a_stop_does_not_outlive_its_turn() {
        let inbox = Inbox::default();
        assert!(inbox.begin(Purpose::Answer));
        put(&inbox, &["STOP"]);
        inbox.finish();
        assert_eq!(inbox.next().unwrap().text, "STOP");
        assert!(inbox.begin(Purpose::Answer));
        assert!(!inbox.stopped().load(Relaxed));
    }

    #[test]
    fn the_end_of_a_search_for_nobody() {
        let inbox = Inbox::default();
        assert!(inbox.begin(Purpose::Answer));
        assert!(!put(&inbox, &["ABOUT", "END", "ABOUT"]));
        inbox.finish();
        assert!(inbox.has_ended() && inbox.next().is_none());
    }

    #[test]
    fn what_was_read_before_the_input_was_closed_is_dealt_with() {
        let inbox = Inbox::default();
        put(&inbox, &["START 15", "BEGIN"]);
        thread::scope(|scope| {
            scope.spawn(|| inbox.close());
            assert_eq!(rest(&inbox), ["START 15", "BEGIN"]);
            assert!(inbox.begin(Purpose::Answer));
            while !inbox.stopped().load(Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
            assert!(!inbox.begin(Purpose::Ponder));
            assert!(inbox.begin(Purpose::Answer) && inbox.stopped().load(Relaxed), "no further time");
        });
    }

    #[test]
    fn a_flood_waits() {
        let inbox = Inbox::default();
        let flood = || std::iter::repeat_with(|| Line { text: "ABOUT".to_owned(), at: Duration::ZERO });
        thread::scope(|scope| {
            let reader = scope.spawn(|| inbox.put(flood().take(2 * MOST_WAITING)));
            for _ in 0..MOST_WAITING {
                assert!(inbox.next().is_some());
                assert!(inbox.lock().waiting.len() <= MOST_WAITING);
            }
            assert!(reader.join().unwrap());
            let reader = scope.spawn(|| inbox.put(flood()));
            inbox.end();
            assert!(!reader.join().unwrap(), "who waits for room is told that it is over");
        });
    }
}
