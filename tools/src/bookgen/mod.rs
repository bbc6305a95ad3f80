//! Builds and checks opening books: judges positions by searches, the likeliest first.
//!
//! [`build`] judges positions ([`judge`]) in the order of [`frontier`] from the beginnings of [`roots`], on several threads;
//! [`check`] judges moves of a finished book again by much longer searches; [`counts`] counts positions and moves;
//! [`export`] writes a section as a tree of moves.
//! A callback hears of every position, and a flag stops the work; nothing here prints.

pub mod build;
pub mod check;
pub mod counts;
mod export;
pub mod frontier;
pub mod judge;
pub mod roots;

pub use export::tree;

use kagetsu::book::Recipe;
use kagetsu::eval::nets;
use kagetsu::game::{Move, Point, Position, RuleKind, Size};

/// The recipe of entries of this rule and size that are made with the nets in use.
pub fn recipe(rule: RuleKind, size: Size) -> Recipe {
    Recipe::new(rule, size, &nets::net(rule).name())
}

/// The position after a stone; `None` if there can be none.
fn after(position: &Position, p: Point) -> Option<Position> {
    let mut next = position.clone();
    next.push(Move::Place(p)).ok()?;
    Some(next)
}
