//! Choosers: the trait of those that decide in an opening, and a chooser that decides at random.

use super::action::Action;
use super::choice::{Choice, Zone};
use super::opening::Opening;
use crate::game::point::{Point, PointSet};
use crate::random::{IndexedRandom, Random, RngExt, SeedableRng};

/// Maker of the decisions in an opening: a person, a search, a random source.
pub trait Chooser {
    /// Returns a legal action of the player to act; `None` if the opening is over or the chooser gives up.
    fn choose(&mut self, opening: &Opening) -> Option<Action>;
}

/// Decides at random among the legal actions: first which kind of action, then its points, each as likely.
#[derive(Clone, Debug)]
pub struct RandomChooser(Random);

impl RandomChooser {
    /// Creates a chooser; the same seed gives the same choices.
    pub fn new(seed: u64) -> RandomChooser {
        RandomChooser(Random::seed_from_u64(seed))
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        list.choose(&mut self.0).cloned()
    }

    fn point(&mut self, points: &PointSet) -> Option<Point> {
        self.pick(&points.iter().collect::<Vec<_>>())
    }

    /// Picks stones on different points. In every regulation a zone inside another one comes before it, so each stone
    /// finds a point.
    fn stones(&mut self, zones: &[Zone]) -> Option<Vec<Point>> {
        let mut taken = PointSet::EMPTY;
        zones
            .iter()
            .map(|zone| {
                let p = self.point(&zone.points.without(&taken))?;
                taken.insert(p);
                Some(p)
            })
            .collect()
    }
}

impl Chooser for RandomChooser {
    fn choose(&mut self, opening: &Opening) -> Option<Action> {
        Some(match self.pick(&opening.choices())? {
            Choice::Place { zones, declare, .. } => {
                let stones = self.stones(&zones)?;
                Action::Place { stones, declare: declare.map(|most| self.0.random_range(1..=most)) }
            }
            Choice::Keep => Action::Keep,
            Choice::Swap => Action::Swap,
            Choice::Offer { count, mut points, pattern } => {
                let size = opening.position().size();
                let mut offer = Vec::with_capacity(count);
                for _ in 0..count {
                    let p = self.point(&points)?;
                    points = points.without(&pattern.class(p, size));
                    offer.push(p);
                }
                Action::Offer(offer)
            }
            Choice::Choose { fifths, mut sixths } => {
                let fifth = self.pick(&fifths)?;
                sixths.remove(fifth);
                Action::Choose { fifth, sixth: self.point(&sixths)? }
            }
        })
    }
}
