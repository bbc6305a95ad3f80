//! Fills a file with games, on many threads.
//!
//! Threads take the next number that the file does not have yet; one writer appends what they finish, in blocks. A game
//! waits for its block no longer than the order's patience: a kill costs the games of that time, and nothing that was
//! written. With a shard `i` of `n` only the numbers `k` with `k mod n = i` are made: `n` machines make a set together,
//! and their files are merged afterwards.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Duration;

use super::game::Game;
pub use super::numbers::{Numbers, Shard};
use super::store::{Error, Found, Head, Writer};
use crate::jobs;
use kagetsu::clock::{Clock, SystemClock};

/// Games of a block, unless time writes it earlier.
const BLOCK: usize = 64;

/// Makes games by number.
pub trait Maker: Send {
    /// Makes the game of this number; `None` if it was stopped before the end.
    fn game(&mut self, number: u64, stop: &AtomicBool) -> Option<Game>;
}

/// Games to make.
#[derive(Clone, Debug)]
pub struct Order {
    /// Numbers of the games.
    pub numbers: Numbers,
    /// Threads.
    pub threads: usize,
    /// Finished games wait no longer than this to be written.
    pub patience: Duration,
}

/// A file that games are made for, and what it has.
pub struct Collection {
    writer: Writer,
    have: HashSet<u64>,
    /// Bytes of an unfinished block that were cut off the file.
    pub cut: u64,
}

impl Collection {
    /// Begins a file, or continues one that has games of the same kind.
    ///
    /// # Errors
    /// If the file cannot be used: see [`Writer::open`].
    pub fn open(path: &Path, head: &Head) -> Result<Collection, Error> {
        let (writer, Found { numbers, cut }) = Writer::open(path, head)?;
        Ok(Collection { writer, have: numbers.into_iter().collect(), cut })
    }

    /// Returns the number of games, of any order.
    pub fn len(&self) -> usize {
        self.have.len()
    }

    /// Returns whether there are no games yet.
    pub fn is_empty(&self) -> bool {
        self.have.is_empty()
    }

    /// Returns the number of games of an order that are missing.
    pub fn missing(&self, order: &Order) -> u64 {
        order.numbers.without(&self.have)
    }

    /// Makes the missing games of an order, with a maker for each thread, until all are made or `stop` is set, and tells
    /// `on_game` of each. Returns how many were made.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn fill(
        &mut self,
        order: &Order,
        maker: impl Fn() -> Box<dyn Maker> + Send + Sync,
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(&Game),
    ) -> Result<u64, Error> {
        let (have, writer) = (&self.have, &mut self.writer);
        let missing = order.numbers.iter().filter(|n| !have.contains(n));
        let work = |maker: &mut Box<dyn Maker>, number| maker.game(number, stop);
        let mut made = Vec::new();
        // After a failure the threads find their channel closed.
        let written = jobs::side_by_side(order.threads, missing, maker, work, |games| {
            write_all(writer, games, order.patience, &mut |game| {
                made.push(game.number);
                on_game(game);
            })
        });
        let count = made.len() as u64;
        self.have.extend(made);
        written.map_err(|error| Error::Threads(error.to_string()))?.map(|()| count)
    }
}

/// Writes finished games: a block when it is full, or when its first game has waited long enough.
fn write_all(
    writer: &mut Writer,
    games: mpsc::Receiver<Game>,
    patience: Duration,
    on_game: &mut dyn FnMut(&Game),
) -> Result<(), Error> {
    let clock = SystemClock::new();
    let mut block = Vec::with_capacity(BLOCK);
    let mut due = Duration::MAX;
    loop {
        match games.recv_timeout(due.saturating_sub(clock.now())) {
            Ok(game) => {
                if block.is_empty() {
                    due = clock.now().saturating_add(patience);
                }
                on_game(&game);
                block.push(game);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return if block.is_empty() { Ok(()) } else { writer.append(&block) };
            }
        }
        if block.len() >= BLOCK || clock.now() >= due {
            writer.append(&block)?;
            block.clear();
            due = Duration::MAX;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::play::{Recipe, player};
    use super::super::store::Reader;
    use super::*;
    use kagetsu::game::{RuleKind, Size};

    fn order(games: u64, shard: &str) -> Order {
        let numbers = shard.parse::<Shard>().unwrap().numbers(games);
        Order { numbers, threads: 2, patience: Duration::from_secs(10) }
    }

    fn maker() -> Box<dyn Maker> {
        let recipe = Recipe { rule: RuleKind::Caro, size: Size::new(9).unwrap(), nodes: 50, seed: 1 };
        player(recipe, Box::new(SystemClock::new()))
    }

    fn open(path: &Path) -> Collection {
        Collection::open(path, &Head::new("caro", 9, 50, 1, "hand")).unwrap()
    }

    /// Games that were there, and games made.
    fn make(path: &Path, order: &Order) -> (usize, u64) {
        let mut collection = open(path);
        let (found, missing) = (collection.len(), collection.missing(order));
        let made = collection.fill(order, maker, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!((made, collection.missing(order)), (missing, 0));
        (found, made)
    }

    /// Without patience, every game is in the file when the next one comes.
    #[test]
    fn finished_games_are_written_when_patience_ends() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games");
        let order = Order { patience: Duration::ZERO, threads: 1, ..order(4, "0/1") };
        let mut written = Vec::new();
        let mut look = |_: &Game| written.push(games(&path).len());
        open(&path).fill(&order, maker, &AtomicBool::new(false), &mut look).unwrap();
        assert_eq!(written, [0, 1, 2, 3]);
    }

    fn games(path: &Path) -> Vec<Game> {
        let mut games: Vec<Game> = Reader::open(path).unwrap().map(Result::unwrap).collect();
        games.sort_by_key(|g| g.number);
        games
    }

    #[test]
    fn a_set_made_in_parts_is_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let [whole, parts] = ["whole", "parts"].map(|name| dir.path().join(name));
        assert_eq!(make(&whole, &order(9, "0/1")), (0, 9));
        assert_eq!(make(&parts, &order(4, "0/1")), (0, 4));
        assert_eq!(make(&parts, &order(9, "1/2")), (4, 2));
        assert_eq!(make(&parts, &order(9, "0/2")), (6, 3));
        assert_eq!(games(&whole), games(&parts));
    }
}
