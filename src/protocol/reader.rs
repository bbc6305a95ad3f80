//! Reads commands line by line, whatever else goes on, and notes when each was read: that is when its clock starts.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use super::gomocup::Event;
use crate::clock::Clock;

/// What a line holds beyond this is dropped; no command is that long.
const LONGEST_LINE: usize = 4096;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Without its end; bytes that are no UTF-8 are replaced.
    pub text: String,
    /// The clock's reading when it had been read.
    pub at: Duration,
}

/// Starts the thread that turns `input` into events: lines, then [`Event::Closed`].
pub fn spawn(
    mut input: impl Read + Send + 'static,
    clock: Arc<dyn Clock>,
    events: Sender<Event>,
) -> io::Result<()> {
    let read = move || {
        let mut lines = Splitter::default();
        let mut buffer = [0; 4096];
        loop {
            let length = match input.read(&mut buffer) {
                Ok(length) => length,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            let at = clock.now();
            let mut send = |text: String| events.send(Event::Line(Line { text, at })).is_ok();
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
    fn any_bytes_become_lines() {
        assert_eq!(lines(b"START 20\r\n\r\n  \nBEGIN\nEND"), ["START 20", "BEGIN", "END"]);
        assert_eq!(lines(b"\xff\xfe\0\n\xc3("), ["\u{fffd}\u{fffd}\0", "\u{fffd}("]);
        assert_eq!(lines(b""), [""; 0]);
        let long = Box::leak(vec![b'X'; 100_000].into_boxed_slice());
        assert_eq!(lines(long), ["X".repeat(LONGEST_LINE)]);
    }
}
