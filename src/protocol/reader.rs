//! Reads commands line by line, whatever else goes on, and notes when each was read: that is when its clock starts.

use std::io::{self, Read};
use std::sync::Arc;
use std::thread;

use super::inbox::{Inbox, Line};
use crate::clock::Clock;

/// Bytes; what a line holds beyond them is dropped. No command is that long.
const LONGEST_LINE: usize = 1024;

/// Starts the thread that puts the lines of `input` into the inbox, up to an `END`, and then closes it.
pub fn spawn(
    mut input: impl Read + Send + 'static,
    clock: Arc<dyn Clock>,
    inbox: Arc<Inbox>,
) -> io::Result<()> {
    let read = move || {
        let closing = Closing(inbox);
        let mut lines = Splitter::default();
        let mut buffer = [0; 4096];
        loop {
            let length = match input.read(&mut buffer) {
                Ok(length) => length,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            let at = clock.now();
            // A last line may lack its end.
            let bytes = if length == 0 { &b"\n"[..] } else { buffer.get(..length).unwrap_or(&buffer) };
            let read = bytes.iter().filter_map(|&byte| lines.push(byte)).map(|text| Line { text, at });
            if !closing.0.put(read) || length == 0 {
                return;
            }
        }
    };
    thread::Builder::new().name("reader".to_owned()).spawn(read).map(drop)
}

/// Closes the inbox when reading ends, be it by a panic: who waits for lines would wait for ever.
struct Closing(Arc<Inbox>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
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

    fn lines(input: &'static [u8]) -> Vec<String> {
        let inbox = Arc::new(Inbox::default());
        spawn(input, Arc::new(SystemClock::new()), inbox.clone()).unwrap();
        std::iter::from_fn(|| inbox.next()).map(|line| line.text.trim().to_owned()).collect()
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
