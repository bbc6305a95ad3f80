//! The forms in which the openings of a list are used: as they are and, if that is wanted, turned and
//! mirrored as well.
//!
//! Each position is used once before any comes again, whatever the order of its moves: an opening that a
//! symmetry leaves as it is has fewer than eight forms, and one that is an image of an earlier one has only
//! those that the other has not.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use kagetsu::game::symmetry::{Symmetry, image_keys};
use kagetsu::game::{Size, notation};

/// The forms of a list, in the order of their use: all openings as they are, then all under the second
/// symmetry, and so on. A plan keeps for each opening the symmetries by which it is used, as bits in the
/// order of [`Symmetry::ALL`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub struct Forms {
    symmetries: Vec<u8>,
    /// Index of the opening and of the symmetry of each form.
    order: Vec<(u32, u8)>,
}

impl Forms {
    /// Returns the forms of openings on a board of this size, turned and mirrored if `is_turned`.
    ///
    /// # Errors
    /// If an opening cannot be read.
    pub fn of(openings: &[String], size: Size, is_turned: bool) -> anyhow::Result<Forms> {
        let keys = |text: &String| -> anyhow::Result<_> {
            let position = notation::parse(text, Some(size))?;
            Ok(image_keys(position.stones(), position.side(), size))
        };
        let keys: Vec<_> = openings.iter().map(keys).collect::<anyhow::Result<_>>()?;
        let mut seen = HashSet::new();
        let mut symmetries = vec![0_u8; openings.len()];
        let turns = if is_turned { Symmetry::ALL.len() } else { 1 };
        for symmetry in 0..turns {
            for (used, images) in symmetries.iter_mut().zip(&keys) {
                if seen.insert(images[symmetry]) {
                    *used |= 1 << symmetry;
                }
            }
        }
        Ok(Forms::from(symmetries))
    }

    /// Returns whether these may be the forms of a list with so many openings. None at all are those of plans
    /// from before they were kept, and of plans without a list.
    pub fn fits(&self, openings: usize) -> bool {
        self.symmetries.is_empty() || self.symmetries.len() == openings && !self.order.is_empty()
    }

    /// Returns the number of forms, `None` if no forms are kept.
    pub fn count(&self) -> Option<u64> {
        Some(self.order.len() as u64).filter(|&count| count > 0)
    }

    /// Returns the opening, by its index, and the symmetry of the form of this number.
    pub fn get(&self, number: u64) -> Option<(usize, Symmetry)> {
        let &(opening, symmetry) = self.order.get(usize::try_from(number).ok()?)?;
        Some((opening as usize, Symmetry::ALL[usize::from(symmetry)]))
    }
}

impl From<Vec<u8>> for Forms {
    fn from(symmetries: Vec<u8>) -> Forms {
        let of = |symmetry: u8| {
            let uses = (0_u32..).zip(&symmetries).filter(move |(_, used)| **used >> symmetry & 1 == 1);
            uses.map(move |(opening, _)| (opening, symmetry))
        };
        let order = (0_u8..).take(Symmetry::ALL.len()).flat_map(of).collect();
        Forms { symmetries, order }
    }
}

impl From<Forms> for Vec<u8> {
    fn from(forms: Forms) -> Vec<u8> {
        forms.symmetries
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the stones and the side to move of each form of openings on 15x15, and the forms.
    fn forms(openings: &[&str], is_turned: bool) -> (Vec<String>, Forms) {
        let openings: Vec<String> = openings.iter().map(ToString::to_string).collect();
        let forms = Forms::of(&openings, Size::S15, is_turned).unwrap();
        let shown = (0..forms.count().unwrap()).map(|number| {
            let (opening, symmetry) = forms.get(number).unwrap();
            let position = notation::parse(&openings[opening], Some(Size::S15)).unwrap();
            let position = symmetry.apply_position(&position);
            let mut stones: Vec<String> =
                position.stones().map(|(p, color)| format!("{color} {p}")).collect();
            stones.sort();
            format!("{}, {} to move", stones.join(", "), position.side())
        });
        (shown.collect(), forms)
    }

    /// The numbers of forms were counted by hand: one stone in the middle, one on the middle column, two on a
    /// diagonal, and stones that no symmetry leaves in place.
    #[test]
    fn a_symmetric_opening_has_fewer_forms() {
        for (opening, expected) in
            [("h8", 1), ("h9", 4), ("h8h9", 4), ("h8i9", 4), ("h8i10", 8), ("h8h9i11", 8)]
        {
            let (shown, forms) = forms(&[opening], true);
            assert_eq!(
                (shown.len(), forms.count()),
                (expected, Some(expected as u64)),
                "{opening}: {shown:?}"
            );
            assert_eq!(BTreeSet::from_iter(&shown).len(), expected, "{opening}: {shown:?}");
        }
        // The colours are exchanged by a half turn, which is no symmetry of the position.
        assert_eq!(forms(&["g8i8"], true).0.len(), 4);
    }

    #[test]
    fn no_position_comes_twice_and_none_is_missing() {
        // The second opening is the first one turned, the third is new, and the fourth has the stones of the
        // first in another order. The fifth differs from the sixth by the side to move.
        let middle = "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 x";
        let openings = ["g8h9i8", "h9g8h7", "h8i10", "i8h9g8", "h8", middle];
        let (shown, turned) = forms(&openings, true);
        assert_eq!(BTreeSet::from_iter(&shown).len(), shown.len(), "{shown:?}");
        assert_eq!(shown.len(), 4 + 8 + 1 + 1);
        let at = |forms: &Forms, number| forms.get(number).unwrap();
        let first: Vec<_> = (0..5).map(|number| at(&turned, number)).collect();
        assert_eq!(first, [0, 1, 2, 4, 5].map(|opening| (opening, Symmetry::IDENTITY)), "first as they are");
        // A quarter turn of the first opening is the second one, and has been used.
        assert_eq!(at(&turned, 5), (1, Symmetry::ROTATE_LEFT));
        let (shown, plain) = forms(&openings, false);
        assert_eq!(shown.len(), 5, "{shown:?}");
        assert_eq!((at(&plain, 4), plain.get(5)), ((5, Symmetry::IDENTITY), None));
    }

    #[test]
    fn forms_come_back() {
        let forms = forms(&["h8", "h8i10", "h8"], true).1;
        let text = serde_json::to_string(&forms).unwrap();
        assert_eq!(text, "[1,255,0]");
        let read: Forms = serde_json::from_str(&text).unwrap();
        assert_eq!(read, forms);
        assert_eq!([2, 3, 4].map(|openings| read.fits(openings)), [false, true, false]);
        assert!(!Forms::from(vec![0, 0]).fits(2), "no opening is ever used");
        assert!(Forms::default().fits(2) && Forms::default().count().is_none());
    }
}
