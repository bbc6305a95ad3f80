//! The opening of a game by a regulation. Engines that know the commands ([`asking`]) decide, a fallback decides for
//! the others, and the regulation judges every decision.

use std::time::Duration;

use super::asking::{self, Meant, Question};
use super::fallback::only_choice;
use super::fault::{Fault, FaultKind, Stop};
use super::pause::Halt;
use super::player::Player;
use super::record::Decision;
use super::time::GameClock;
use kagetsu::game::Point;
use kagetsu::game::regulation::{Chooser, Opening};

/// An opening that is over, or in which an engine failed.
pub struct Negotiated {
    /// The stones and who holds which colour.
    pub opening: Opening,
    /// The first free move, if the last answer named it.
    pub after: Option<Point>,
    /// Decisions, in order.
    pub decisions: Vec<Decision>,
    /// Reason for an early end: the failure of the player that [`Opening::seat`] names, or because the game must stop.
    pub stop: Option<Stop>,
}

/// The two players of an opening, in the order of their seats, and who decides where they cannot.
pub struct Negotiation<'a, 'p, 'f> {
    /// The players.
    pub players: &'a mut [&'p mut Player; 2],
    /// Their clocks, which run while they are asked.
    pub clocks: &'a mut [GameClock; 2],
    /// Decides for engines that do not know the commands. Without a fallback, not knowing a command is a fault.
    pub fallback: Option<&'f mut dyn Chooser>,
    /// Freezes engines that are not asked.
    pub suspend: bool,
    /// Tells the game to stop.
    pub halt: Halt<'a>,
}

impl Negotiation<'_, '_, '_> {
    /// Plays an opening to its end.
    pub fn play(mut self, mut opening: Opening) -> Negotiated {
        let (mut decisions, mut after) = (Vec::new(), None);
        while !opening.is_over() {
            match self.step(&mut opening) {
                Ok((made, next)) => {
                    decisions.extend(made);
                    after = next;
                }
                Err(stop) => return Negotiated { opening, after, decisions, stop: Some(stop) },
            }
        }
        Negotiated { opening, after, decisions, stop: None }
    }

    /// One answer, which may be several actions.
    fn step(&mut self, opening: &mut Opening) -> Result<(Vec<Decision>, Option<Point>), Stop> {
        let seat = opening.seat();
        let (meant, elapsed) = match asking::question(opening) {
            Some(question) if self.fallback.is_none() || self.players[seat.index()].answers_openings() => {
                match self.ask(&question, opening) {
                    Err(Stop::Fault(Fault { kind: FaultKind::OpeningRefused, detail }))
                        if self.fallback.is_some() =>
                    {
                        let player = &mut self.players[seat.index()];
                        player.give_up_openings(&format!("{detail}: decided by the runner"));
                        self.decide(opening)?
                    }
                    answer => answer?,
                }
            }
            _ => self.decide(opening)?,
        };
        let name = self.players[seat.index()].contestant().name.clone();
        let mut next = opening.clone();
        let mut decisions = Vec::new();
        for action in &meant.actions {
            next.apply(action).map_err(illegal)?;
            let ms = if decisions.is_empty() { elapsed.as_millis() as u64 } else { 0 };
            decisions.push(Decision { engine: name.clone(), action: action.to_string(), ms });
        }
        if let Some(p) = meant.after.filter(|&p| !next.position().is_free(p)) {
            return Err(illegal(format!("{p} is occupied")));
        }
        *opening = next;
        Ok((decisions, meant.after))
    }

    /// Asks the engine whose turn it is.
    fn ask(&mut self, question: &Question, opening: &Opening) -> Result<(Meant, Duration), Stop> {
        let i = opening.seat().index();
        let (player, clock) = (&mut *self.players[i], &mut self.clocks[i]);
        let answer = player.open(question, self.fallback.is_some(), clock, self.halt);
        // An engine that refuses the command plays on, so it is suspended too.
        if self.suspend {
            player.suspend();
        }
        let (answer, elapsed) = answer?;
        clock.charge(elapsed);
        Ok((asking::meant(&answer, opening).map_err(illegal)?, elapsed))
    }

    /// Decides in the engine's place.
    fn decide(&mut self, opening: &Opening) -> Result<(Meant, Duration), Stop> {
        let action = only_choice(opening).or_else(|| self.fallback.as_mut()?.choose(opening));
        let action = action.ok_or_else(|| {
            let name = opening.regulation();
            Fault::new(FaultKind::OpeningRefused, format!("no command asks for this step of {name}"))
        })?;
        Ok((Meant { actions: vec![action], after: None }, Duration::ZERO))
    }
}

fn illegal(reason: impl std::fmt::Display) -> Stop {
    Fault::new(FaultKind::IllegalMove, format!("in the opening: {reason}")).into()
}
