//! The opening of a game by swap2: the engines decide by `SWAP2BOARD`, the regulation judges what they answer.

use std::sync::atomic::AtomicBool;

use super::fault::{Fault, FaultKind, Stop};
use super::player::Player;
use super::record::Decision;
use super::reply::Swap2;
use super::time::GameClock;
use kagetsu::game::notation::gomocup;
use kagetsu::game::regulation::{Action, Opening, Regulation};
use kagetsu::game::{Point, Size};

/// Whether engines can be asked for the decisions of a regulation.
pub fn is_possible(regulation: Regulation) -> bool {
    regulation == Regulation::Swap2
}

/// An opening that is over, or where an engine failed in it.
pub struct Negotiated {
    /// The stones and who holds which colour.
    pub opening: Opening,
    /// Decisions in order.
    pub decisions: Vec<Decision>,
    /// Reason of an early end: the failure of the player that [`Opening::seat`] names, or the end of the tournament.
    pub stop: Option<Stop>,
}

/// Lets the players, in the order of their seats, play an opening to its end. Their clocks run meanwhile.
pub fn negotiate(
    mut opening: Opening,
    players: &mut [&mut Player; 2],
    clocks: &mut [GameClock; 2],
    suspend: bool,
    abort: &AtomicBool,
) -> Negotiated {
    let mut decisions = Vec::new();
    while !opening.is_over() {
        let seat = opening.seat();
        let (player, clock) = (&mut *players[seat.index()], &mut clocks[seat.index()]);
        let answer = player.open(opening.position(), clock, abort);
        let made = answer.and_then(|(answer, elapsed)| {
            if suspend {
                player.suspend();
            }
            clock.charge(elapsed);
            let size = opening.position().size();
            let action = action(&answer, size).map_err(illegal)?;
            opening.apply(&action).map_err(illegal)?;
            Ok(Decision {
                engine: player.contestant().name.clone(),
                action: action.to_string(),
                ms: elapsed.as_millis() as u64,
            })
        });
        match made {
            Ok(decision) => decisions.push(decision),
            Err(stop) => return Negotiated { opening, decisions, stop: Some(stop) },
        }
    }
    Negotiated { opening, decisions, stop: None }
}

/// Converts an answer to an action.
fn action(answer: &Swap2, size: Size) -> Result<Action, String> {
    match answer {
        Swap2::Swap => Ok(Action::Swap),
        Swap2::Stones(stones) => {
            let point =
                |&(x, y): &(i64, i64)| point(x, y, size).ok_or_else(|| format!("{x},{y} is off the board"));
            Ok(Action::place(stones.iter().map(point).collect::<Result<Vec<_>, _>>()?))
        }
    }
}

fn point(x: i64, y: i64, size: Size) -> Option<Point> {
    gomocup::point(usize::try_from(x).ok()?, usize::try_from(y).ok()?, size)
}

fn illegal(reason: impl std::fmt::Display) -> Stop {
    Fault::new(FaultKind::IllegalMove, format!("in the opening: {reason}")).into()
}
