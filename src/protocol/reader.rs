//! Reads commands line by line, whatever else goes on, and notes when each was read: that is when its clock starts.
//!
//! Lines that come while the engine thinks wait for it. No manager sends more than a few, but whatever arrives, memory
//! is bounded: with [`MOST_WAITING`] lines unread, reading waits too, and so does whoever writes into the pipe.

use std::io::{self, Read};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::gomocup::Event;
use crate::clock::Clock;

/// What a line holds beyond this is dropped; no command is that long.
const LONGEST_LINE: usize = 4096;

/// Lines that may wait at a time: more than a `BOARD` of any size and all settings.
const MOST_WAITING: usize = 4096;

/// A line of input.
#[derive(Debug)]
pub struct Line {
    /// Without its end; bytes that are no UTF-8 are replaced.
    pub text: String,
    /// The clock's reading when it had been read.
    pub at: Duration,
    /// Given back when the line has been dealt with.
    _place: Place,
}

/// The places for lines that wait.
#[derive(Clone, Default, Debug)]
struct Places(Arc<(Mutex<usize>, Condvar)>);

impl Places {
    /// Takes a place, waiting until there is one.
    fn take(&self) -> Place {
        let (taken, freed) = &*self.0;
        let lock = taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken =
            freed.wait_while(lock, |taken| *taken >= MOST_WAITING).unwrap_or_else(PoisonError::into_inner);
        *taken += 1;
        Place(self.clone())
    }
}

/// One of the [`Places`], given back when it is dropped.
#[derive(Debug)]
struct Place(Places);

impl Drop for Place {
    fn drop(&mut self) {
        let (taken, freed) = &*self.0.0;
        *taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        freed.notify_one();
    }
}

/// Starts the thread that turns `input` into events: lines, then [`Event::Closed`].
pub fn spawn(
    mut input: impl Read + Send + 'static,
    clock: Arc<dyn Clock>,
    events: Sender<Event>,
) -> io::Result<()> {
    let read = move || {
        let mut lines = Splitter::default();
        let places = Places::default();
        let mut buffer = [0; 4096];
        loop {
            let length = match input.read(&mut buffer) {
                Ok(length) => length,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            let at = clock.now();
            let mut send =
                |text: String| events.send(Event::Line(Line { text, at, _place: places.take() })).is_ok();
            if length == 0 {
                // A last line may lack its end. If nobody listens any more, that is as good.
                let _ = lines.push(b'\n').is_none_or(&mut send) && events.send(Event::Closed).is_ok();
                return;
            }
            let wanted = buffer.iter().take(length).all(|&byte| lines.push(byte).is_none_or(&mut send));
            if !wanted {
                return;
            }
        }
    };
    thread::Builder::new().name("reader".to_owned()).spawn(read).map(drop)
}

/// Cuts bytes into lines at LF; a CR before it is blank, and so is ignored by the parser.
#[derive(Default)]
struct Splitter(Vec<u8>);

impl Splitter {
    /// Takes a byte, and gives the line that it ends unless that is blank.
    fn push(&mut self, byte: u8) -> Option<String> {
        if byte != b'\n' {
            if self.0.len() < LONGEST_LINE {
                self.0.push(byte);
            }
            return None;
        }
        let text = String::from_utf8_lossy(&self.0).into_owned();
        self.0.clear();
        (!text.trim().is_empty()).then_some(text)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;
    use std::sync::mpsc;

    fn lines(input: &'static [u8]) -> Vec<String> {
        let (sender, events) = mpsc::channel();
        spawn(input, Arc::new(SystemClock::new()), sender).unwrap();
        let mut texts = Vec::new();
        while let Event::Line(line) = events.recv().unwrap() {
            texts.push(line.text.trim().to_owned());
        }
        texts
    }

    #[test]
    fn a_flood_waits() {
        let (sender, events) = mpsc::channel();
        spawn(Flood, Arc::new(SystemClock::new()), sender).unwrap();
        // Nobody deals with the lines that are kept here, so the flood must come to a halt.
        let mut kept = Vec::new();
        while let Ok(Event::Line(line)) = events.recv_timeout(Duration::from_millis(500)) {
            kept.push(line);
            assert!(kept.len() <= MOST_WAITING);
        }
        assert_eq!(kept.len(), MOST_WAITING);
        kept.clear();
        assert!(matches!(events.recv(), Ok(Event::Line(_))));
    }

    /// Lines without end.
    struct Flood;

    impl Read for Flood {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.iter_mut().zip(b"TURN 1,1\n".iter().cycle()).for_each(|(to, from)| *to = *from);
            Ok(buffer.len() / 9 * 9)
        }
    }

    #[test]
    fn any_bytes_become_lines() {
        assert_eq!(lines(b"START 20\r\n\r\n  \nBEGIN\nEND"), ["START 20", "BEGIN", "END"]);
        assert_eq!(lines(b"\xff\xfe\0\n\xc3("), ["\u{fffd}\u{fffd}\0", "\u{fffd}("]);
        assert_eq!(lines(b""), [""; 0]);
        let long = Box::leak(vec![b'X'; 100_000].into_boxed_slice());
        assert_eq!(lines(long), ["X".repeat(LONGEST_LINE)]);
    }
}
