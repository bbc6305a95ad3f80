//! An opening in progress: the stones, who holds which colour, and what may be done next.

use std::collections::VecDeque;

use super::action::Action;
use super::choice::{Choice, Zone, alternatives};
use super::fifths::Pattern;
use super::refusal::Refusal;
use super::script::{ScriptStep, balance};
use super::seat::Seat;
use super::{Regulation, area::Area};
use crate::game::color::Color;
use crate::game::point::{Point, Size};
use crate::game::position::{Move, Position};

/// An opening in progress.
///
/// ```
/// use kagetsu::game::regulation::{Action, Regulation, Seat};
/// use kagetsu::game::{Color, Size};
///
/// let mut opening = "swap2".parse::<Regulation>().unwrap().start(Size::S15).unwrap();
/// let stones = Action::parse("h8 a1 i10", Size::S15).unwrap();
/// opening.apply(&stones).unwrap();
/// assert_eq!((opening.seat(), opening.choices().len()), (Seat::P2, 3));
/// opening.apply(&Action::Swap).unwrap();
/// assert!(opening.is_over());
/// assert_eq!((opening.holder(Color::Black), opening.seat()), (Seat::P2, Seat::P1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    regulation: Regulation,
    position: Position,
    black: Seat,
    /// Remaining steps; the first is never [`ScriptStep::HandOver`].
    steps: VecDeque<ScriptStep>,
    declared: Option<usize>,
    offered: Vec<Point>,
}

impl Opening {
    pub(super) fn new(regulation: Regulation, size: Size, steps: Vec<ScriptStep>) -> Opening {
        Opening {
            regulation,
            position: Position::new(size),
            black: Seat::P1,
            steps: steps.into(),
            declared: None,
            offered: Vec::new(),
        }
    }

    /// The regulation.
    pub fn regulation(&self) -> Regulation {
        self.regulation
    }

    /// The stones so far, in the order in which they were put. Points offered for the fifth stone are not among them.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns whether the opening is over. The game then goes on with free moves from [`Self::position`], by
    /// [`Self::seat`].
    pub fn is_over(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns who acts, and whose clock runs. Until all points are offered, it is the player who offers them. Until
    /// the fifth stone is chosen and the sixth is put, it is the player who chooses. When the opening is over, it is
    /// the side to move.
    pub fn seat(&self) -> Seat {
        let side = self.position.side();
        // The fifth stone is Black's, but White chooses it.
        self.holder(if self.steps.front() == Some(&ScriptStep::Choose) { !side } else { side })
    }

    /// Returns who holds a colour. While a choice is open, the colours are as if the player kept them.
    pub fn holder(&self, color: Color) -> Seat {
        match color {
            Color::Black => self.black,
            Color::White => !self.black,
        }
    }

    /// The colour that a player holds.
    pub fn color_of(&self, seat: Seat) -> Color {
        if seat == self.black { Color::Black } else { Color::White }
    }

    /// The number of fifth moves that was declared.
    pub fn declared(&self) -> Option<usize> {
        self.declared
    }

    /// The points that were offered for the fifth stone, while and after one of them is chosen.
    pub fn offered(&self) -> &[Point] {
        &self.offered
    }

    /// Returns the choices of the player to act; empty when the opening is over.
    pub fn choices(&self) -> Vec<Choice> {
        self.ways().iter().filter_map(|way| self.choice(way.first()?)).collect()
    }

    /// Does an action.
    ///
    /// # Errors
    /// If the action is not legal; the opening is then as before.
    pub fn apply(&mut self, action: &Action) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        if *action == Action::Pass {
            return Err(Refusal::Pass);
        }
        for way in self.ways() {
            let Some(choice) = way.first().and_then(|step| self.choice(step)) else { continue };
            if choice.is_kind_of(action) {
                choice.check(action, &self.position)?;
                return self.take(way, action);
            }
        }
        Err(Refusal::Kind {
            seat: self.seat(),
            color: self.color_of(self.seat()),
            expected: alternatives(&self.choices()),
            found: action.kind(),
        })
    }

    /// Returns the ways to go on from here, each as the steps that replace the first one.
    fn ways(&self) -> Vec<Vec<ScriptStep>> {
        match self.steps.front() {
            None => Vec::new(),
            Some(ScriptStep::Either(ways)) => ways.clone(),
            Some(ScriptStep::Balance) => balance(),
            Some(step) => vec![vec![step.clone()]],
        }
    }

    /// Returns the actions of a step; `None` if the board has no room for it.
    fn choice(&self, step: &ScriptStep) -> Option<Choice> {
        let free = || Area::Anywhere.free_points(&self.position);
        match step {
            ScriptStep::Place { areas, declare } => {
                let zone = |&area: &Area| Zone { area, points: area.free_points(&self.position) };
                let zones: Vec<_> = areas.iter().map(zone).collect();
                let first = self.position.moves().len() + 1;
                (free().len() >= zones.len()).then_some(Choice::Place { first, zones, declare: *declare })
            }
            ScriptStep::Keep => Some(Choice::Keep),
            ScriptStep::Swap => Some(Choice::Swap),
            ScriptStep::Offer(count) => {
                let count = count.or(self.declared)?;
                Some(Choice::Offer { count, points: free(), pattern: Pattern::of_position(&self.position)? })
            }
            ScriptStep::Choose => Some(Choice::Choose { fifths: self.offered.clone(), sixths: free() }),
            ScriptStep::Either(_) | ScriptStep::Balance | ScriptStep::HandOver => None,
        }
    }

    /// Does a legal action, which is the first step of `way`.
    fn take(&mut self, way: Vec<ScriptStep>, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Place { stones, declare } => {
                self.put(stones)?;
                self.declared = declare.or(self.declared);
            }
            Action::Swap => self.black = !self.black,
            Action::Offer(points) => self.offered = points.clone(),
            Action::Choose { fifth, sixth } => self.put(&[*fifth, *sixth])?,
            Action::Keep | Action::Pass => {}
        }
        self.steps.pop_front();
        for step in way.into_iter().skip(1).rev() {
            self.steps.push_front(step);
        }
        if self.steps.front() == Some(&ScriptStep::HandOver) {
            self.steps.pop_front();
            self.black = !self.black;
        }
        Ok(())
    }

    fn put(&mut self, stones: &[Point]) -> Result<(), Refusal> {
        for &p in stones {
            self.position.push(Move::Place(p))?;
        }
        Ok(())
    }
}
