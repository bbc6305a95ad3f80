//! Openings chosen by outcome, for matches.
//!
//! A score near even does not mean that both colours can win: in some such openings the same colour wins every game. A
//! candidate goes through sieves, the cheapest first: it is balanced by a short search ([`crate::selfplay::openings`])
//! or comes from a list, judged by a long search ([`judge`]), then played by engines against themselves: a quick pair of
//! games, then a long pair of each engine. In a pair the colours have different numbers of nodes, once this way and once
//! that: with equal numbers both games would be the same. A candidate is rejected if one colour wins the quick pair, or
//! all long games.
//!
//! [`settings`] says how candidates are made and judged, [`sieve`] judges one, [`candidate`] is the result; [`run`] does
//! many and keeps them in a directory, so that an interrupted run can be continued; [`lists`] writes those that were kept;
//! [`even`] estimates from the games which score gives both colours equal chances.

pub mod candidate;
pub mod even;
mod judge;
pub mod lists;
pub mod run;
pub mod settings;
mod sieve;
