//! Jobs of the engine for a page, one file for each kind.

pub mod analysis;
pub mod annotation;
pub mod decision;
pub mod reply;
pub mod solution;
pub mod trial;

use std::time::Duration;

use kagetsu::clock::Clock;

use crate::resources::Resources;
use crate::schema::board;
use kagetsu::search::Limits;

/// Longest time for a move; a request for more gets this.
const LONGEST_MOVE: Duration = Duration::from_secs(600);

/// Returns the limits of the engine for a move on this clock.
fn limits(resources: &Resources, clock: board::Clock) -> Limits {
    let limits = Limits { threads: resources.threads, ..Limits::default() };
    let ms = |ms: u32| Duration::from_millis(ms.into());
    match clock {
        board::Clock::Move { ms: time } => {
            Limits { turn: Some(ms(time.max(10)).min(LONGEST_MOVE)), ..limits }
        }
        board::Clock::Game { left, increment } => {
            Limits { left: Some(ms(left.max(10))), increment: ms(increment), ..limits }
        }
    }
}

/// Milliseconds since a moment.
fn ms_since(resources: &Resources, began: Duration) -> u32 {
    u32::try_from(resources.clock.now().saturating_sub(began).as_millis()).unwrap_or(u32::MAX)
}
