//! RenjuNet's database of tournament games, XML: tables of players, tournaments, rules and openings, then the games.
//!
//! The reader keeps the tables and gives one game after the other, so that a database of a hundred thousand
//! games needs little memory; the file may be compressed by gzip. The database itself may only be used
//! offline and not for gain: its users have their own copy, and this project contains no part of it.

mod decode;
mod ration;
mod read;
mod tables;
mod write;

pub use decode::decode;
pub use read::{read, read_within};
pub use write::Writer;

use super::Feature;

/// Features that the format can hold.
pub const HOLDS: &[Feature] = &[
    Feature::SeveralGames,
    Feature::Rule,
    Feature::Result,
    Feature::Players,
    Feature::Event,
    Feature::Details,
];

/// Attributes of a game that are kept as they are, and the properties that they become: the number, the round, the times
/// used, the fifth moves that were offered or their number, the swaps, who entered the game.
const ATTRIBUTES: [(&str, &str); 7] = [
    ("id", "GN"),
    ("round", "RO"),
    ("btime", "BTIME"),
    ("wtime", "WTIME"),
    ("alt", "ALT"),
    ("swap", "SWAP"),
    ("publisher", "PUBLISHER"),
];
/// The property of a game's date, of its opening rule, of its opening, of the remarks on it.
const DATE: &str = "DT";
const RULE: &str = "RU";
const OPENING: &str = "ON";
const INFO: &str = "GC";

/// Returns whether the format has a place for a fact of this name.
pub fn holds(key: &str) -> bool {
    [DATE, RULE, OPENING, INFO].contains(&key) || ATTRIBUTES.iter().any(|(_, property)| *property == key)
}
