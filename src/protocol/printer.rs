//! Writer of replies, and of the reports that say something new, at a bounded rate.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::output;
use crate::clock::Clock;
use crate::game::Size;
use crate::search::Report;

/// Pause between two attempts to write to a non-blocking output that is full.
const PAUSE: Duration = Duration::from_millis(1);

/// An output that waits for room in the pipe even if another process that shares the pipe has made it non-blocking. So no
/// reply is lost.
struct Patient<W>(W);

impl<W: Write> Patient<W> {
    fn patiently<T>(&mut self, mut work: impl FnMut(&mut W) -> io::Result<T>) -> io::Result<T> {
        loop {
            match work(&mut self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
                done => return done,
            }
        }
    }
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.patiently(|output| output.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.patiently(W::flush)
    }
}

/// Writer to the manager.
pub struct Printer<W> {
    output: Patient<W>,
    clock: Arc<dyn Clock>,
    throttle: Throttle,
    /// The last report shown in the present search.
    shown: Option<Report>,
}

impl<W: Write> Printer<W> {
    /// Creates a writer on this pipe.
    pub fn new(output: W, clock: Arc<dyn Clock>) -> Printer<W> {
        Printer { output: Patient(output), clock, throttle: Throttle::default(), shown: None }
    }

    /// Writes a reply, with its line end in one piece: a manager never finds half a line, even if this process waits for a
    /// processor in between.
    ///
    /// # Errors
    /// If the pipe is closed.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        text.lines().for_each(|line| log::log!(level(line), "< {line}"));
        self.output.write_all(format!("{text}\n").as_bytes())?;
        self.output.flush()
    }

    /// Writes a report on a position of this size, unless it repeats the one before or too many came lately; with
    /// `detail`, in the lines that a board draws from. The `last` report of a search has precedence.
    ///
    /// # Errors
    /// If the pipe is closed.
    pub fn show(&mut self, report: &Report, size: Size, detail: bool, last: bool) -> io::Result<()> {
        let same = |shown: &Report| shown.depth == report.depth && shown.lines == report.lines;
        if !self.shown.as_ref().is_some_and(same) && self.throttle.admits(self.clock.now(), last) {
            self.say(&output::report(report, size, detail))?;
            self.shown = Some(report.clone());
        }
        if last {
            self.shown = None;
        }
        Ok(())
    }
}

/// Returns the log level of a reply: a warning for `ERROR` and `UNKNOWN`.
fn level(reply: &str) -> log::Level {
    if reply.starts_with("ERROR") || reply.starts_with("UNKNOWN") {
        log::Level::Warn
    } else {
        log::Level::Debug
    }
}

/// Lets through at most ten reports in any second.
///
/// Reports of a running search have a larger distance, so that there is room for its last report.
#[derive(Default)]
struct Throttle {
    shown: VecDeque<Duration>,
}

impl Throttle {
    const MOST: usize = 10;
    const SPACING: Duration = Duration::from_millis(150);

    /// Returns whether a report may be shown `now`, and if so counts it.
    fn admits(&mut self, now: Duration, last_of_search: bool) -> bool {
        while self.shown.front().is_some_and(|&t| now.saturating_sub(t) >= Duration::from_secs(1)) {
            self.shown.pop_front();
        }
        let early = self.shown.back().is_some_and(|&t| now.saturating_sub(t) < Throttle::SPACING);
        let admitted = self.shown.len() < Throttle::MOST && (last_of_search || !early);
        if admitted {
            self.shown.push_back(now);
        }
        admitted
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::game::Point;
    use crate::search::{Line, Score, Source};

    /// An output that takes one byte at every second call and is full at the others.
    struct Full(bool, Vec<u8>);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = !self.0;
            if self.0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.1.extend(&bytes[..1]);
            Ok(1)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0 = !self.0;
            if self.0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
        }
    }

    #[test]
    fn a_full_output_loses_nothing() {
        let mut full = Full(false, Vec::new());
        let mut printer = Printer::new(&mut full, Arc::new(crate::clock::SystemClock::new()));
        printer.say("OK").unwrap();
        printer.say("7,7").unwrap();
        drop(printer);
        assert_eq!(full.1, b"OK\n7,7\n");
    }

    /// An output that keeps the bytes of each call apart.
    #[derive(Default)]
    struct Pieces(Vec<String>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(String::from_utf8(bytes.to_vec()).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The standard output is a line writer, too.
    #[test]
    fn a_reply_and_its_line_end_are_one_piece() {
        let mut pieces = Pieces::default();
        let lines = io::LineWriter::new(&mut pieces);
        let mut printer = Printer::new(lines, Arc::new(crate::clock::SystemClock::new()));
        for reply in ["OK", "MESSAGE depth 1-1", "7,7"] {
            printer.say(reply).unwrap();
        }
        drop(printer);
        assert_eq!(pieces.0, ["OK\n", "MESSAGE depth 1-1\n", "7,7\n"]);
    }

    /// A clock that advances by a second at each reading.
    #[derive(Default)]
    struct Ticking(AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Duration {
            Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }

    #[test]
    fn a_report_is_shown_once_in_a_search() {
        let line = |score| Line { score: Score(score), moves: vec![Point::new(7, 7)] };
        let [first, second] = [30, 31].map(|score| Report::of(Source::Search, vec![line(score)]));
        let mut written = Vec::new();
        let mut printer = Printer::new(&mut written, Arc::new(Ticking::default()));
        // The next search ends with its first report, which is that of the search before.
        for (report, last) in
            [(&first, false), (&first, false), (&second, false), (&second, true), (&second, true)]
        {
            printer.show(report, Size::S15, false, last).unwrap();
        }
        drop(printer);
        let text = String::from_utf8(written).unwrap();
        let scores: Vec<&str> = text.lines().filter_map(|line| line.split(' ').nth(4)).collect();
        assert_eq!(scores, ["30", "31", "31"], "{text}");
    }

    #[test]
    fn at_most_ten_reports_a_second() {
        let mut throttle = Throttle::default();
        let shown: Vec<u64> =
            (0..5000).filter(|&ms| throttle.admits(Duration::from_millis(ms), ms % 30 == 29)).collect();
        assert!(shown.len() >= 40, "{} in five seconds", shown.len());
        assert!(shown.windows(11).all(|w| w[10] - w[0] >= 1000));
    }

    /// A search that reports every millisecond, for as long as it takes.
    #[test]
    fn the_last_report_of_a_search_is_always_shown() {
        for length in [0, 1, 100, 999, 1000, 1500, 5000] {
            let mut throttle = Throttle::default();
            let shown = (0..length).filter(|&ms| throttle.admits(Duration::from_millis(ms), false)).count();
            assert!(shown > 0 || length == 0);
            assert!(throttle.admits(Duration::from_millis(length), true), "after {length} ms");
        }
    }
}
