//! Queue between the reading thread and the playing thread, and the effect of a line on a running search. All other
//! lines wait their turn, so that nothing is lost.
//!
//! `END` takes effect within half a second. If nothing but settings has come since the command that the engine is thinking
//! about, the search is aborted without a reply. Commands before an `END` in the queue, as in a script, are still answered, but
//! soon.
//!
//! A new game (`START`, `RESTART`, or Yixin-Board's first step of an opening) stops the search as `STOP` does: its answer is
//! given at once, since every command has one, and then the game begins.
//!
//! `INFO timeout_turn 0` makes the engine move at once, if nothing but settings has come since that command.
//!
//! Managers send only a few lines ahead, but the memory of the queue is bounded: with [`MOST_WAITING`] lines
//! in it, reading waits, and so does the sender, whose pipe is full. An `END` behind them takes effect once
//! it is read.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::command::{Command, Refusal};

/// Most lines in the queue: more than a `BOARD` of any size and all settings.
const MOST_WAITING: usize = 1024;

/// Time to answer the rest of the queue once the input has ended.
const GRACE: Duration = Duration::from_secs(1);

/// Time to answer the rest of the queue once `END` has been read.
const GRACE_OF_END: Duration = Duration::from_millis(350);

/// A line of input.
#[derive(Debug)]
pub struct InputLine {
    /// Text without line end; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// The clock's reading when the line had been read.
    pub at: Duration,
}

/// Purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// The manager waits for the reply.
    Answer,
    /// Pondering on the opponent's time: the result is kept and not sent, and any line ends the search.
    Ponder,
}

/// Queue shared by the two threads.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    /// Signalled at every change that a thread may wait for: lines, room for lines, the end.
    changed: Condvar,
    stop: AtomicBool,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<InputLine>,
    /// The search that is running.
    thinking: Option<Purpose>,
    /// Set when no more lines come, or none that matter.
    closed: bool,
    /// Set when the time to answer the rest has passed.
    out_of_time: bool,
    /// Set when nothing is to be answered any more.
    over: bool,
}

impl Inbox {
    /// Adds the lines read at once, waiting for room if necessary. Returns whether further lines matter.
    pub fn put(&self, lines: impl IntoIterator<Item = InputLine>) -> bool {
        let mut state = self.lock();
        for line in lines {
            let command = Command::parse(&line.text);
            self.heed(&mut state, &command);
            // `END` is the last command, and must be seen at once: it needs no room.
            let ends = command == Ok(Command::End);
            if state.waiting.len() >= MOST_WAITING && !ends {
                self.changed.notify_all();
                let is_full = |s: &mut State| s.waiting.len() >= MOST_WAITING && !s.over;
                state = self.changed.wait_while(state, is_full).unwrap_or_else(PoisonError::into_inner);
                // Another search may have started meanwhile.
                self.heed(&mut state, &command);
            }
            state.waiting.push_back(line);
            state.closed |= ends;
            if state.closed || state.over {
                break;
            }
        }
        self.changed.notify_all();
        !state.closed && !state.over
    }

    /// Stops the running search if this command ends it.
    fn heed(&self, state: &mut State, command: &Result<Command, Refusal>) {
        let Some(purpose) = state.thinking else { return };
        let is_setting =
            |line: &InputLine| Command::parse(&line.text).is_ok_and(|command| command.is_setting());
        // Whether nothing but settings has come since the command that the engine is thinking about.
        let is_last = || state.waiting.iter().all(is_setting);
        let over = matches!(command, Ok(Command::End)) && is_last();
        let hurries = matches!(command, Ok(command) if command.hurries()) && is_last();
        state.over |= over;
        // A stop also stays in the queue: if a command before it starts another search, the stop is meant for that one.
        let stops = matches!(command, Ok(command) if command.stops());
        if state.over || hurries || stops || purpose == Purpose::Ponder {
            self.stop();
        }
    }

    /// Marks the end of the input. Returns when everything is answered, or the time for it has passed.
    pub fn close(&self) {
        let mut state = self.lock();
        let grace = if state.closed { GRACE_OF_END } else { GRACE };
        state.closed = true;
        if state.thinking == Some(Purpose::Ponder) {
            self.stop();
        }
        self.changed.notify_all();
        let left = self.changed.wait_timeout_while(state, grace, |s| !s.over);
        left.unwrap_or_else(PoisonError::into_inner).0.out_of_time = true;
        self.stop();
    }

    /// Waits for the next line; `None` if nothing more is to be answered.
    pub fn next(&self) -> Option<InputLine> {
        let is_idle = |s: &mut State| s.waiting.is_empty() && !s.closed && !s.over;
        let state = self.changed.wait_while(self.lock(), is_idle);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.over {
            return None;
        }
        let line = state.waiting.pop_front();
        self.changed.notify_all();
        line
    }

    /// Waits for a line or the end of the input, up to `time`. Returns whether neither came.
    pub fn is_quiet_for(&self, time: Duration) -> bool {
        let is_idle = |s: &mut State| s.waiting.is_empty() && !s.closed && !s.over;
        let waited = self.changed.wait_timeout_while(self.lock(), time, is_idle);
        waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Starts a search for a reply; from now on lines may stop it.
    pub fn begin(&self) {
        let mut state = self.lock();
        let is_stop = |line: &InputLine| Command::parse(&line.text).is_ok_and(|command| command.stops());
        // Only the settings that come next concern this search, as in `heed`.
        let commands = state.waiting.iter().map(|line| Command::parse(&line.text));
        let mut settings = commands.map_while(Result::ok).take_while(Command::is_setting);
        let hurries = settings.any(|setting| setting.hurries());
        let stops = state.out_of_time || hurries || state.waiting.iter().any(is_stop);
        self.stop.store(stops, Relaxed);
        state.thinking = Some(Purpose::Answer);
    }

    /// Starts a search on the opponent's time, unless lines are waiting. Returns whether it started.
    pub fn begin_pondering(&self) -> bool {
        let mut state = self.lock();
        let idle = state.waiting.is_empty() && !state.closed && !state.over;
        if idle {
            self.stop.store(false, Relaxed);
            state.thinking = Some(Purpose::Ponder);
        }
        idle
    }

    /// Ends the search. Returns whether its result is to be sent.
    pub fn finish(&self) -> bool {
        let mut state = self.lock();
        state.thinking = None;
        !state.over
    }

    /// Returns the stop flag of the search.
    pub fn stopped(&self) -> &AtomicBool {
        &self.stop
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Gives up: no more lines are taken.
    pub fn abandon(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::clock::{Clock, SystemClock};
    use std::thread;

    fn put(inbox: &Inbox, texts: &[&str]) -> bool {
        inbox.put(texts.iter().map(|&text| InputLine { text: text.to_owned(), at: Duration::ZERO }))
    }

    fn is_stopped(inbox: &Inbox) -> bool {
        inbox.stopped().load(Relaxed)
    }

    /// Waits until the search is stopped.
    fn wait(inbox: &Inbox) {
        let clock = SystemClock::new();
        while !is_stopped(inbox) {
            let late = clock.now() > Duration::from_secs(60);
            if late {
                // A reader that waits for room would hang the test.
                inbox.abandon();
            }
            assert!(!late, "nothing stops the search");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn rest(inbox: &Inbox) -> Vec<String> {
        std::iter::from_fn(|| inbox.next()).map(|line| line.text).collect()
    }

    #[test]
    fn lines_that_stop_a_search() {
        let stops = |before: &[&str], after: &[&str]| {
            let inbox = Inbox::default();
            put(&inbox, before);
            inbox.begin();
            put(&inbox, after);
            is_stopped(&inbox)
        };
        assert!(!stops(&["ABOUT"], &["TURN 7,7", "ABOUT"]));
        assert!(stops(&[], &["TURN 7,7", "YXSTOP"]));
        assert!(stops(&["TURN 7,7", "STOP"], &[]));
        assert!(stops(&[], &["START 15"]) && stops(&[], &["ABOUT", "restart"]), "another game begins");
        assert!(stops(&[], &["yxswap2step1"]) && stops(&["YXSOOSORVSTEP1"], &[]), "likewise");
        assert!(!stops(&[], &["yxswap2step2"]), "an opening goes on");
        assert!(stops(&[], &["end"]));
        assert!(!stops(&[], &["End of the game"]) && !stops(&["Stop here"], &[]), "a line of a user's text");
        assert!(!stops(&[], &["ABOUT", "END"]), "there is something to answer before");
        assert!(stops(&[], &["INFO timeout_turn 0"]) && stops(&[], &["INFO rule 1", "info Timeout_Turn -1"]));
        assert!(!stops(&[], &["INFO timeout_turn 1"]) && !stops(&[], &["INFO timeout_match 0"]));
        assert!(!stops(&[], &["TURN 7,7", "INFO timeout_turn 0"]), "another move is meant");
        assert!(stops(&["INFO rule 1", "INFO timeout_turn 0"], &[]), "it came before the search began");
        assert!(!stops(&["TURN 7,7", "INFO timeout_turn 0"], &[]), "another move is meant");
        // `END` needs no room.
        let inbox = Inbox::default();
        put(&inbox, &["ABOUT"; MOST_WAITING]);
        assert!(!put(&inbox, &["END"]), "known at once");
        assert!(put(&Inbox::default(), &["End of the game"]), "more lines come");
    }

    #[test]
    fn anything_stops_pondering() {
        let inbox = Inbox::default();
        assert!(inbox.begin_pondering() && !is_stopped(&inbox));
        put(&inbox, &["INFO rule 0"]);
        assert!(is_stopped(&inbox) && inbox.finish());
        assert!(!inbox.begin_pondering(), "there is something else to do");
        assert_eq!(inbox.next().unwrap().text, "INFO rule 0");
        assert!(inbox.begin_pondering() && !is_stopped(&inbox));
        assert!(!put(&inbox, &["END"]));
        assert!(is_stopped(&inbox) && !inbox.finish() && !inbox.begin_pondering());
    }

    #[test]
    fn it_is_quiet_until_there_is_a_line_or_the_end() {
        let (inbox, moment) = (Inbox::default(), Duration::from_millis(1));
        assert!(inbox.is_quiet_for(moment));
        put(&inbox, &["ABOUT"]);
        assert!(!inbox.is_quiet_for(moment));
        assert!(inbox.next().is_some() && inbox.is_quiet_for(moment));
        put(&inbox, &["END"]);
        assert!(inbox.next().is_some() && !inbox.is_quiet_for(moment), "there will be no more");
    }

    #[test]
    fn a_stop_does_not_outlive_its_turn() {
        let inbox = Inbox::default();
        inbox.begin();
        put(&inbox, &["STOP"]);
        assert!(is_stopped(&inbox) && inbox.finish());
        assert_eq!(inbox.next().unwrap().text, "STOP");
        inbox.begin();
        assert!(!is_stopped(&inbox));
    }

    #[test]
    fn an_answer_that_nobody_waits_for_is_not_given() {
        for lines in [&["END", "ABOUT"][..], &["INFO rule 0", "END"]] {
            let inbox = Inbox::default();
            inbox.begin();
            assert!(!put(&inbox, lines));
            assert!(is_stopped(&inbox) && !inbox.finish() && inbox.next().is_none(), "{lines:?}");
        }
    }

    #[test]
    fn lines_read_before_the_input_ended_are_answered_in_time() {
        for (lines, goes_on) in [(&["START 15", "BEGIN"][..], true), (&["BEGIN", "END"], false)] {
            let inbox = Inbox::default();
            assert_eq!(put(&inbox, lines), goes_on);
            thread::scope(|scope| {
                scope.spawn(|| inbox.close());
                assert_eq!(rest(&inbox), lines);
                // The search ends without another line.
                inbox.begin();
                wait(&inbox);
                assert!(inbox.finish() && !inbox.begin_pondering());
                inbox.begin();
                assert!(is_stopped(&inbox), "no further time");
            });
        }
    }

    #[test]
    fn too_many_lines_wait_for_room() {
        let inbox = Inbox::default();
        let flood = || std::iter::repeat_with(|| InputLine { text: "ABOUT".to_owned(), at: Duration::ZERO });
        thread::scope(|scope| {
            let reader = scope.spawn(|| inbox.put(flood().take(2 * MOST_WAITING)));
            for _ in 0..MOST_WAITING {
                assert!(inbox.next().is_some());
                assert!(inbox.lock().waiting.len() <= MOST_WAITING);
            }
            assert!(reader.join().unwrap());
            inbox.begin();
            let reader = scope.spawn(|| put(&inbox, &["YXSTOP"]));
            wait(&inbox);
            assert!(!reader.is_finished(), "it stops the search, and waits for room all the same");
            inbox.abandon();
            assert!(!reader.join().unwrap(), "who waits for room is told that it is over");
        });
    }

    #[test]
    fn a_stop_that_waits_for_room_ends_a_search_begun_meanwhile() {
        let inbox = Inbox::default();
        put(&inbox, &["ABOUT"; MOST_WAITING]);
        thread::scope(|scope| {
            scope.spawn(|| put(&inbox, &["STOP"]));
            thread::sleep(Duration::from_millis(50));
            inbox.begin();
            assert!(inbox.next().is_some());
            wait(&inbox);
        });
    }
}
