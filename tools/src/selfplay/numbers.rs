//! Numbers of the games to make: a part of a set, however large, or a list.

use std::collections::HashSet;

use kagetsu::game::quote::quoted;
use kagetsu::invalid::Invalid;

/// A part of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// This part's number, from 0.
    pub index: u64,
    /// The number of parts.
    pub of: u64,
}

impl std::str::FromStr for Shard {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Shard, Invalid> {
        let wrong =
            || Invalid::from(format!("{} is not a shard: expected I/N with I from 0 to N-1", quoted(s)));
        let (index, of) = s.split_once('/').ok_or_else(wrong)?;
        let (index, of) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if index < of { Ok(Shard { index, of }) } else { Err(wrong()) }
    }
}

impl Shard {
    /// Returns whether this part has the item of this number.
    pub fn has(self, number: u64) -> bool {
        number % self.of == self.index
    }

    /// Returns the numbers of this part in a set of so many games.
    pub fn numbers(self, games: u64) -> Numbers {
        Numbers::Part(self, games)
    }
}

/// Numbers of games, each once.
#[derive(Clone, Debug)]
pub enum Numbers {
    /// The numbers of a part of a set of so many games. They are not held in memory.
    Part(Shard, u64),
    /// A list of numbers.
    List(Vec<u64>),
}

impl FromIterator<u64> for Numbers {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Numbers {
        Numbers::List(numbers.into_iter().collect())
    }
}

impl Numbers {
    /// Returns the numbers in order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = u64> + Send + '_> {
        match self {
            Numbers::Part(shard, games) => Box::new((shard.index..*games).step_by(shard.of as usize)),
            Numbers::List(list) => Box::new(list.iter().copied()),
        }
    }

    /// Returns how many of them are not among these.
    pub fn without(&self, have: &HashSet<u64>) -> u64 {
        match self {
            Numbers::Part(Shard { index, of }, games) => {
                let is_there = |number: &&u64| *number < games && *number % of == *index;
                games.saturating_sub(*index).div_ceil(*of) - have.iter().filter(is_there).count() as u64
            }
            Numbers::List(list) => list.iter().filter(|number| !have.contains(number)).count() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_checked() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, of: 3 }));
        for bad in ["3/3", "1", "a/b", "0/0", "-1/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn parts_of_a_set_are_counted_as_a_list_is() {
        let have: HashSet<u64> = [0, 1, 2, 5, 8, 11, 12, 1000].into();
        for (shard, games, numbers) in [
            ("0/1", 3, &[0, 1, 2][..]),
            ("2/3", 12, &[2, 5, 8, 11]),
            ("2/3", 11, &[2, 5, 8]),
            ("2/3", 1, &[]),
        ] {
            let part = shard.parse::<Shard>().unwrap().numbers(games);
            let list: Numbers = numbers.iter().copied().collect();
            assert_eq!(part.iter().collect::<Vec<_>>(), numbers, "{shard}");
            assert_eq!(part.without(&HashSet::new()), numbers.len() as u64, "{shard}");
            assert_eq!(part.without(&have), list.without(&have), "{shard}");
            assert_eq!(list.without(&HashSet::from([2])), numbers.iter().filter(|&&n| n != 2).count() as u64);
        }
    }

    #[test]
    fn a_huge_set_takes_no_memory() {
        let numbers = Shard { index: 1, of: 2 }.numbers(100_000_000_000);
        assert_eq!(numbers.without(&HashSet::from([1, 2, 3])), 50_000_000_000 - 2);
        assert_eq!(numbers.iter().nth(2), Some(5));
    }
}
