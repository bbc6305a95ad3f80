//! Reader of commands, line by line and independent of the search. It notes when each line was read: the clock of a
//! command starts then.

use std::io::{self, Read};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::inbox::{Inbox, InputLine};
use crate::clock::Clock;

/// Most bytes kept of a line. No command is longer.
const LONGEST_LINE: usize = 1024;
/// Byte-order mark at the start of UTF-8 text, as some managers write it.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// Pause between two attempts to read from a non-blocking input that is empty.
const PAUSE: Duration = Duration::from_millis(1);

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
                // Another process that shares the input has made it non-blocking.
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    thread::sleep(PAUSE);
                    continue;
                }
                Err(_) => 0,
            };
            let at = clock.now();
            // A last line may lack its end.
            let bytes = if length == 0 { &b"\n"[..] } else { buffer.get(..length).unwrap_or(&buffer) };
            let read = bytes.iter().filter_map(|&byte| lines.push(byte)).map(|text| InputLine { text, at });
            if !closing.0.put(read) || length == 0 {
                return;
            }
        }
    };
    thread::Builder::new().name("reader".to_owned()).spawn(read).map(drop)
}

/// Closes the inbox when reading ends, even by a panic. Otherwise a thread that waits for lines would wait for ever.
struct Closing(Arc<Inbox>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Cuts bytes into lines at LF; a CR before it is blank, and so is ignored by the parser.
#[derive(Default)]
struct Splitter {
    /// The line so far, without blanks before it.
    line: Vec<u8>,
    /// Whether the line is longer than [`LONGEST_LINE`].
    cut: bool,
    /// Whether a line came before it.
    begun: bool,
}

impl Splitter {
    /// Takes a byte, and returns the line that it ends, unless that line is blank.
    fn push(&mut self, byte: u8) -> Option<String> {
        if byte != b'\n' {
            let blank = byte.is_ascii_whitespace();
            if self.line.len() < LONGEST_LINE && !(blank && self.line.is_empty()) {
                self.line.push(byte);
            } else {
                self.cut |= !blank;
            }
            return None;
        }
        let mark: &[u8] = if self.begun { &[] } else { BYTE_ORDER_MARK };
        let text = String::from_utf8_lossy(self.line.strip_prefix(mark).unwrap_or(&self.line)).into_owned();
        let text = if self.cut { without_arguments(&text) } else { text };
        *self = Splitter { begun: true, ..Splitter::default() };
        (!text.trim().is_empty()).then_some(text)
    }
}

/// Returns the replacement for a line whose end is missing: its command, and in place of the arguments a character that no
/// command takes, because a number that was cut would be another number. A line without a blank may itself be cut, and a
/// line of data such as `7,7` has no command: of these only that character is left.
fn without_arguments(line: &str) -> String {
    let lost = char::REPLACEMENT_CHARACTER;
    match line.split_once(|c: char| c.is_whitespace()) {
        Some((word, _)) if word.starts_with(|c: char| c.is_ascii_alphabetic()) => format!("{word} {lost}"),
        _ => lost.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;

    fn lines(bytes: &'static [u8]) -> Vec<String> {
        lines_of(bytes)
    }

    fn lines_of(input: impl Read + Send + 'static) -> Vec<String> {
        let inbox = Arc::new(Inbox::default());
        spawn(input, Arc::new(SystemClock::new()), inbox.clone()).unwrap();
        std::iter::from_fn(|| inbox.next()).map(|line| line.text.trim().to_owned()).collect()
    }

    #[test]
    fn any_bytes_become_lines() {
        assert_eq!(lines(b"START 20\r\n\r\n  \nBEGIN\nEND"), ["START 20", "BEGIN", "END"]);
        assert_eq!(lines(b"\xff\xfe\0\n\xc3("), ["\u{fffd}\u{fffd}\0", "\u{fffd}("]);
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\xef\xbb\xbfSTART 20\r\n\xef\xbb\xbfEND\n"), ["START 20", "\u{feff}END"]);
    }

    /// A number that was cut must not be read as another number.
    #[test]
    fn a_line_that_is_too_long_keeps_its_command_alone() {
        let padded = |before: &str, pad: char, after: &str| {
            let text = format!("{before}{}{after}\n", String::from(pad).repeat(2 * LONGEST_LINE));
            lines_of(io::Cursor::new(text))
        };
        assert_eq!(padded("", 'X', ""), ["\u{fffd}"]);
        assert_eq!(padded("TURN 7,", '0', "7"), ["TURN \u{fffd}"]);
        assert_eq!(padded("End", ' ', "of the game"), ["End \u{fffd}"], "another line than END alone");
        assert_eq!(padded("7,", '0', "7,1"), ["\u{fffd}"]);
        assert_eq!(padded("INFO timeout_turn 1", '0', ""), ["INFO \u{fffd}"]);
        assert_eq!(padded("", ' ', "BEGIN"), ["BEGIN"]);
        assert_eq!(padded("TURN 7,7", ' ', ""), ["TURN 7,7"]);
        assert_eq!(padded("TURN 7,7", ' ', "8"), ["TURN \u{fffd}"]);
        assert_eq!(padded("7,7,2", ' ', "8"), ["\u{fffd}"]);
    }

    /// A non-blocking input that is empty at every second call.
    struct Hesitant(bool, &'static [u8]);

    impl Read for Hesitant {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 = !self.0;
            if self.0 { Err(io::ErrorKind::WouldBlock.into()) } else { self.1.read(buffer) }
        }
    }

    #[test]
    fn an_input_that_does_not_wait_is_read_to_its_end() {
        assert_eq!(lines_of(Hesitant(false, b"START 20\nBEGIN\n")), ["START 20", "BEGIN"]);
    }
}
