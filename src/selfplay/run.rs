//! Fills a file with games, on many threads.
//!
//! Threads take the next number that the file does not have yet; one writer appends what they finish, so a kill costs
//! the games of the last seconds and no finished block. With a shard `i` of `n` only the numbers `k` with
//! `k mod n = i` are made: `n` machines make a set together, and their files are merged afterwards.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Duration;

use super::play::{Recipe, player};
use super::record::Game;
use super::store::{Error, Head, Writer};
use crate::clock::{Clock, SystemClock};

/// Games of a block, unless time writes it earlier.
const BLOCK: usize = 64;
/// Finished games wait no longer than this to be written.
const PATIENCE: Duration = Duration::from_secs(10);

/// Which part of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// This part's number, from 0.
    pub index: u64,
    /// The number of parts.
    pub of: u64,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(s: &str) -> Result<Shard, String> {
        let wrong = || format!("'{s}' is no shard: expected I/N with I from 0 to N-1");
        let (index, of) = s.split_once('/').ok_or_else(wrong)?;
        let (index, of) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if index < of { Ok(Shard { index, of }) } else { Err(wrong()) }
    }
}

/// What is to be made.
#[derive(Clone, Debug)]
pub struct Order {
    /// How the games are played.
    pub recipe: Recipe,
    /// Numbers below this.
    pub games: u64,
    /// The part of them that is made here.
    pub shard: Shard,
    /// Threads.
    pub threads: usize,
}

/// What became of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done {
    /// Games that the file had before.
    pub found: u64,
    /// Games made now.
    pub made: u64,
    /// Bytes of an unfinished block that were cut off the file.
    pub cut: u64,
}

/// Makes the games that `path` lacks, until all are made or `stop` is set; tells `on_game` of each.
///
/// # Errors
/// If the file cannot be used ([`Writer::open`]) or written.
pub fn run(
    path: &Path,
    head: &Head,
    order: &Order,
    stop: &AtomicBool,
    on_game: &mut dyn FnMut(&Game),
) -> Result<Done, Error> {
    let (mut writer, found) = Writer::open(path, head)?;
    let have: HashSet<u64> = found.numbers.iter().copied().collect();
    let next = AtomicU64::new(order.shard.index);
    let mut made = 0;
    let written = std::thread::scope(|scope| {
        let (sender, games) = mpsc::sync_channel(2 * BLOCK);
        for _ in 0..order.threads.max(1) {
            let (sender, have, next) = (sender.clone(), &have, &next);
            scope.spawn(move || {
                let mut player = player(order.recipe, Box::new(SystemClock::new()));
                loop {
                    let number = next.fetch_add(order.shard.of, Relaxed);
                    if number >= order.games {
                        break;
                    }
                    if have.contains(&number) {
                        continue;
                    }
                    let Some(game) = player.game(number, stop) else { break };
                    if sender.send(game).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let result = write_all(&mut writer, &games, &mut made, on_game);
        // After a failure the threads find their channel closed.
        drop(games);
        result
    });
    written.map(|()| Done { found: have.len() as u64, made, cut: found.cut })
}

fn write_all(
    writer: &mut Writer,
    games: &mpsc::Receiver<Game>,
    made: &mut u64,
    on_game: &mut dyn FnMut(&Game),
) -> Result<(), Error> {
    let clock = SystemClock::new();
    let (mut block, mut since) = (Vec::with_capacity(BLOCK), Duration::ZERO);
    loop {
        match games.recv_timeout(PATIENCE) {
            Ok(game) => {
                if block.is_empty() {
                    since = clock.now();
                }
                *made += 1;
                on_game(&game);
                block.push(game);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return if block.is_empty() { Ok(()) } else { writer.append(&block) };
            }
        }
        if block.len() >= BLOCK || !block.is_empty() && clock.now() - since >= PATIENCE {
            writer.append(&block)?;
            block.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::Reader;
    use super::*;
    use crate::game::{RuleKind, Size};

    fn order(games: u64, shard: &str) -> Order {
        let recipe = Recipe { rule: RuleKind::Caro, size: Size::new(9).unwrap(), nodes: 50, seed: 1 };
        Order { recipe, games, shard: shard.parse().unwrap(), threads: 2 }
    }

    fn make(path: &Path, order: &Order) -> Done {
        let head = Head::new("caro", 9, 50, 1, "hand");
        run(path, &head, order, &AtomicBool::new(false), &mut |_| {}).unwrap()
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
        assert_eq!(make(&whole, &order(9, "0/1")), Done { found: 0, made: 9, cut: 0 });
        assert_eq!(make(&parts, &order(4, "0/1")).made, 4);
        assert_eq!(make(&parts, &order(9, "1/2")), Done { found: 4, made: 2, cut: 0 });
        assert_eq!(make(&parts, &order(9, "0/2")), Done { found: 6, made: 3, cut: 0 });
        assert_eq!(games(&whole), games(&parts));
    }

    #[test]
    fn shards_are_checked() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, of: 3 }));
        for bad in ["3/3", "1", "a/b", "0/0", "-1/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
