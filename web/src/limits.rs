//! Limits of the server for a page, and a token bucket that limits the rate of messages.

use std::time::Duration;

use kagetsu::clock::{Clock, SystemClock};

/// Bytes of a message: a game file of ten megabytes in base64, or the game of one in JSON.
pub const MESSAGE: usize = 24 << 20;
/// Bytes of a game in JSON that is sent to a page: with some changes it must still fit into a message that comes back.
pub const GAME_MESSAGE: usize = MESSAGE - (1 << 20);
/// Connections at one time; one more is closed at once.
pub const CONNECTIONS: usize = 128;
/// Pages at one time.
pub const PAGES: usize = 32;
/// Time within which the head of a request must arrive.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// Time within which a page must read a message, and any client a part of an answer.
pub const SEND_TIME: Duration = Duration::from_secs(30);
/// Messages that a page may send at once, beyond the rate.
pub const BURST: f64 = 400.0;
/// Messages a second that a page may send in the long run.
pub const RATE: f64 = 100.0;
/// Jobs for the engine that a page may have waiting.
pub const JOBS: usize = 8;
/// Answers that may wait for a slow page; with one more its connection ends.
pub const ANSWERS: usize = 256;
/// Largest number of nodes of a game that is sent to or from a page.
pub const NODES: usize = 100_000;
/// Bytes of a game in a file, unpacked: a small packed file must not take much memory before it is refused.
pub const GAME: u64 = 64 << 20;
/// Largest number of games of a file that are listed.
pub const GAMES: usize = 500;
/// Largest number of puzzles in a file.
pub const PUZZLES: usize = 2_000;
/// Time between two pings; a page that answers none in between is taken to be gone.
pub const PING: Duration = Duration::from_secs(20);

/// Counts messages: allows a number of them at once, and in the long run a number per second.
#[derive(Debug)]
pub struct Bucket {
    clock: SystemClock,
    left: f64,
    at: Duration,
}

impl Bucket {
    /// A full bucket.
    pub fn new() -> Bucket {
        Bucket { clock: SystemClock::new(), left: BURST, at: Duration::ZERO }
    }

    /// Takes one token out; `false` if the bucket is empty.
    pub fn take(&mut self) -> bool {
        let now = self.clock.now();
        self.take_at(now)
    }

    fn take_at(&mut self, now: Duration) -> bool {
        self.left = (self.left + RATE * now.saturating_sub(self.at).as_secs_f64()).min(BURST);
        self.at = now;
        let has = self.left >= 1.0;
        if has {
            self.left -= 1.0;
        }
        has
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_fills_again() {
        let mut bucket = Bucket::new();
        let taken = (0..2 * BURST as usize).filter(|_| bucket.take_at(Duration::ZERO)).count();
        assert_eq!(taken, BURST as usize);
        assert!(bucket.take_at(Duration::from_millis(20)) && bucket.take_at(Duration::from_millis(20)));
        assert!(!bucket.take_at(Duration::from_millis(20)));
        let later = Duration::from_secs(3600);
        assert_eq!((0..1000).filter(|_| bucket.take_at(later)).count(), BURST as usize);
    }
}
