//! Choices of a player at one step, as families of actions, and the test whether an action belongs to one.

use std::fmt;

use super::action::{Action, joined};
use super::area::Area;
use super::fifths::Pattern;
use super::refusal::Refusal;
use crate::game::Error;
use crate::game::color::Color;
use crate::game::point::{Point, PointSet};
use crate::game::position::Position;

/// A family of legal actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Put stones, one for each zone, no two on the same point.
    Place {
        /// The number of the first of them, counted from 1.
        first: usize,
        /// Area of each stone.
        zones: Vec<Zone>,
        /// Largest number of fifth moves that may be declared with the stones, if a number must be declared; the
        /// smallest is 1.
        declare: Option<usize>,
    },
    /// Leave the colours as they are.
    Keep,
    /// Exchange the colours.
    Swap,
    /// Offer points for the fifth stone, no two symmetric.
    Offer {
        /// Number of points.
        count: usize,
        /// Points that may be among them.
        points: PointSet,
        /// Tells which of them count as one.
        pattern: Pattern,
    },
    /// Choose the fifth stone and put the sixth on another point.
    Choose {
        /// The points offered.
        fifths: Vec<Point>,
        /// Area of the sixth stone, except the chosen fifth.
        sixths: PointSet,
    },
}

/// Area of one stone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    /// The part of the board.
    pub area: Area,
    /// Its free points.
    pub points: PointSet,
}

impl Choice {
    /// Returns whether an action is of this family's kind, whatever its points.
    pub(super) fn is_kind_of(&self, action: &Action) -> bool {
        match (self, action) {
            (Choice::Place { zones, .. }, Action::Place { stones, .. }) => zones.len() == stones.len(),
            (Choice::Keep, Action::Keep)
            | (Choice::Swap, Action::Swap)
            | (Choice::Offer { .. }, Action::Offer(_))
            | (Choice::Choose { .. }, Action::Choose { .. }) => true,
            _ => false,
        }
    }

    /// Checks that an action of this family's kind belongs to it.
    pub(super) fn check(&self, action: &Action, position: &Position) -> Result<(), Refusal> {
        match (self, action) {
            (Choice::Place { first, zones, declare }, Action::Place { stones, declare: declared }) => {
                check_stones(*first, zones, stones, position)?;
                check_number(*declare, *declared)
            }
            (Choice::Offer { count, pattern, .. }, Action::Offer(points)) => {
                check_offer(*count, pattern, points, position)
            }
            (Choice::Choose { fifths, .. }, &Action::Choose { fifth, sixth }) => {
                if !fifths.contains(&fifth) {
                    return Err(Refusal::NotOffered { fifth, offered: joined(fifths, ", ") });
                }
                check_free(sixth, &[fifth], position)
            }
            _ => Ok(()),
        }
    }
}

fn check_stones(first: usize, zones: &[Zone], stones: &[Point], position: &Position) -> Result<(), Refusal> {
    for (i, (zone, &p)) in zones.iter().zip(stones).enumerate() {
        check_free(p, &stones[..i], position)?;
        if !zone.points.contains(p) {
            return Err(Refusal::Area { number: first + i, point: p, area: zone.area });
        }
    }
    Ok(())
}

/// Checks that `p` is an empty point of the board and none of `taken`, the earlier points of the same action.
fn check_free(p: Point, taken: &[Point], position: &Position) -> Result<(), Refusal> {
    if !position.size().contains(p.x(), p.y()) {
        Err(Error::OffBoard(p, position.size()).into())
    } else if position.is_occupied(p) || taken.contains(&p) {
        Err(Error::Occupied(p).into())
    } else {
        Ok(())
    }
}

fn check_number(most: Option<usize>, declared: Option<usize>) -> Result<(), Refusal> {
    match (most, declared) {
        (None, None) => Ok(()),
        (Some(most), Some(number)) if (1..=most).contains(&number) => Ok(()),
        (Some(most), _) => Err(Refusal::Number { most }),
        (None, Some(_)) => Err(Refusal::NoNumber),
    }
}

fn check_offer(
    count: usize,
    pattern: &Pattern,
    points: &[Point],
    position: &Position,
) -> Result<(), Refusal> {
    if points.len() != count {
        return Err(Refusal::Count { expected: count, found: points.len() });
    }
    for (i, &p) in points.iter().enumerate() {
        check_free(p, &[], position)?;
        if let Some(&other) = points[..i].iter().find(|&&q| pattern.are_symmetric(p, q)) {
            return Err(Refusal::Symmetric(other, p));
        }
    }
    Ok(())
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Place { first, zones, declare } => {
                let (last, more) = (first + zones.len() - 1, zones.len() > 1);
                let color = if first.is_multiple_of(2) { Color::White } else { Color::Black };
                match more {
                    true => write!(f, "put stones {first} to {last}")?,
                    false => write!(f, "put stone {first}, {color}'s,")?,
                }
                if zones.iter().all(|zone| zone.area == zones[0].area) {
                    write!(f, " {}", zones[0].area)?;
                } else {
                    let areas: Vec<_> = zones.iter().map(|zone| zone.area.to_string()).collect();
                    write!(f, " {}", areas.join(", then "))?;
                }
                declare
                    .map_or(Ok(()), |most| write!(f, " and declare the number of fifth moves, 1 to {most}"))
            }
            Choice::Keep => f.write_str("keep"),
            Choice::Swap => f.write_str("swap"),
            Choice::Offer { count: 1, .. } => f.write_str("offer a point for stone 5"),
            Choice::Offer { count, .. } => write!(f, "offer {count} points for stone 5, no two symmetric"),
            Choice::Choose { fifths, .. } => {
                write!(f, "choose stone 5 from {} and put stone 6 anywhere", joined(fifths, ", "))
            }
        }
    }
}

/// Several choices in one sentence.
pub(super) fn alternatives(choices: &[Choice]) -> String {
    choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", or ")
}
