//! Backing up scores: later positions of a book correct the moves that lead to them.
//!
//! The book has positions deeper than the search of an early position reached. So scores are backed up by
//! minimax: a move takes the score of the position after it, if the book has that position, and a position
//! takes the score of its best move. The stored entries stay as the searches found them, so that books can be
//! merged in any order.

use std::collections::HashMap;

use super::entry::{Candidate, Entry, MARGIN, SURPRISE};
use super::key::Key;
use super::section::Section;
use crate::game::{Move, Point, Position};

/// Approximate number of positions visited for one answer. A lookup has to fit into the time for a move. The built-in
/// books have fewer positions.
const MOST: usize = 5_000;

/// Returns the entry of a position in the key's orientation, corrected by the entries after it. If there are too many of
/// them, it looks fewer plies ahead.
pub(super) fn judge(section: &Section, key: &Key) -> Option<Entry> {
    judge_within(section, key, MOST)
}

fn judge_within(section: &Section, key: &Key, most: usize) -> Option<Entry> {
    let walk = |plies: usize, left: usize| {
        let mut backup = Backup { section, known: HashMap::new(), left };
        let entry = backup.entry(key, plies)?;
        (backup.left > 0).then_some((entry, backup.left))
    };
    if let Some((entry, _)) = walk(usize::MAX, most) {
        return Some(entry);
    }
    let (mut best, mut left) = (section.entries.get(key)?.clone(), most);
    for plies in 1.. {
        let Some(deeper) = walk(plies, left) else { break };
        (best, left) = deeper;
    }
    Some(best)
}

/// The positions of a section, with the scores computed so far.
struct Backup<'a> {
    section: &'a Section,
    known: HashMap<Key, (i16, bool)>,
    /// Positions that may still be looked at.
    left: usize,
}

impl Backup<'_> {
    /// Returns the entry of a position, corrected by the entries of up to `plies` plies after it.
    fn entry(&mut self, key: &Key, plies: usize) -> Option<Entry> {
        let section = self.section;
        let entry = section.entries.get(key)?;
        if plies == 0 || entry.proven || entry.agreed().is_empty() {
            return Some(entry.clone());
        }
        let position = key.position(section.size);
        let (mut moves, mut proven) = (entry.moves().to_vec(), Vec::new());
        for c in moves.iter_mut().filter(|c| c.agreed) {
            let Some((score, is_proven)) = self.after(&position, c.point, plies) else { continue };
            *c = Candidate { score, agreed: i32::from(score) >= i32::from(c.score) - SURPRISE, ..*c };
            proven.extend(is_proven.then_some(score));
        }
        let best = moves.iter().map(|c| c.score).max()?;
        moves.iter_mut().for_each(|c| c.agreed &= i32::from(c.score) >= i32::from(best) - MARGIN);
        let is_proven = best > 0 && proven.contains(&best);
        Some(Entry::new(best, entry.depth, is_proven, entry.nodes, moves))
    }

    /// Returns the worth of a move from the mover's view, and whether it is proven; `None` if the book ends there.
    fn after(&mut self, position: &Position, p: Point, plies: usize) -> Option<(i16, bool)> {
        self.left = self.left.checked_sub(1)?;
        let mut next = position.clone();
        next.push(Move::Place(p)).ok()?;
        let key = Key::of(&next).0;
        // A key fixes the number of stones, so every order of moves reaches it at the same number of plies.
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let Entry { score, proven, .. } = self.entry(&key, plies - 1)?;
        // The score of a proven result counts the moves to the end, which are one more.
        let worth = (if proven { score.signum() - score } else { -score }, proven);
        self.known.insert(key, worth);
        Some(worth)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::recipe::Recipe;
    use super::*;
    use crate::game::notation::{parse, parse_point};
    use crate::game::symmetry::Symmetry;
    use crate::game::{RuleKind, Size};

    /// Builds a section of these positions, each with its score, whether it is proven, and its moves: name, score,
    /// whether agreed.
    type Line<'a> = (&'a str, i16, bool, &'a [(&'a str, i16, bool)]);

    fn section(lines: &[Line<'_>]) -> Section {
        let recipe = Recipe::new(RuleKind::Freestyle, Size::S15, "x");
        let mut section = Section { recipe, size: Size::S15, entries: BTreeMap::new() };
        for &(text, score, proven, moves) in lines {
            let (key, symmetry) = key(text);
            let candidate = |&(name, score, agreed): &(&str, i16, bool)| {
                let point = symmetry.apply(parse_point(name, Size::S15).unwrap(), Size::S15);
                Candidate { point, score, agreed }
            };
            section.add(key, Entry::new(score, 9, proven, 100, moves.iter().map(candidate).collect()));
        }
        section
    }

    fn key(text: &str) -> (Key, Symmetry) {
        Key::of(&parse(text, None).unwrap())
    }

    /// The score of a position, whether it is proven, and its moves; those that are not agreed are in
    /// brackets.
    fn judged(section: &Section, text: &str) -> (i16, bool, String) {
        judged_within(section, text, MOST)
    }

    fn judged_within(section: &Section, text: &str, most: usize) -> (i16, bool, String) {
        let (key, symmetry) = key(text);
        let entry = judge_within(section, &key, most).unwrap().image(symmetry.inverse(), Size::S15);
        let moves = entry.moves().iter().map(|c| match c.agreed {
            true => format!("{} {}", c.point, c.score),
            false => format!("({} {})", c.point, c.score),
        });
        (entry.score, entry.proven, moves.collect::<Vec<_>>().join(", "))
    }

    const ROOT: Line<'_> =
        ("h8i9", 50, false, &[("g7", 50, true), ("h10", 45, true), ("k8", 40, true), ("a1", 10, false)]);

    #[test]
    fn moves_take_the_scores_of_the_positions_after_them() {
        let alone = section(&[ROOT]);
        assert_eq!(judged(&alone, "h8i9"), (50, false, "g7 50, h10 45, k8 40, (a1 10)".to_owned()));
        let lines: [Line<'_>; 4] = [
            ROOT,
            // The positions below change g7 to 20 and h10 to 60. White's o15 scores less for White than i7,
            // so it does not matter.
            ("h8i9g7", -50, false, &[("i7", -50, true), ("o15", -90, false)]),
            ("h8i9g7i7", 20, false, &[("c3", 20, true)]),
            ("h8i9h10", -60, false, &[]),
        ];
        let deeper = section(&lines);
        assert_eq!(judged(&deeper, "h8i9g7"), (-20, false, "i7 -20, (o15 -90)".to_owned()));
        assert_eq!(judged(&deeper, "h8i9"), (60, false, "h10 60, k8 40, (g7 20), (a1 10)".to_owned()));
        assert_eq!(judged(&deeper, "h8i9h10"), (-60, false, String::new()));
    }

    #[test]
    fn a_move_far_below_its_first_score_is_not_agreed_even_if_best() {
        let section = section(&[("h8i9", 50, false, &[("g7", 50, true)]), ("h8i9g7", 51, false, &[])]);
        assert_eq!(judged(&section, "h8i9"), (-51, false, "(g7 -51)".to_owned()));
    }

    #[test]
    fn proven_results_count_the_moves_to_the_end() {
        let won = section(&[ROOT, ("h8i9k8", -29_980, true, &[("l8", -29_980, true)])]);
        assert_eq!(judged(&won, "h8i9"), (29_979, true, "k8 29979, (g7 50), (h10 45), (a1 10)".to_owned()));
        // Two losing moves do not make the position lost.
        let lost = section(&[ROOT, ("h8i9g7", 29_980, true, &[]), ("h8i9h10", 29_970, true, &[])]);
        assert_eq!(
            judged(&lost, "h8i9"),
            (40, false, "k8 40, (a1 10), (h10 -29969), (g7 -29979)".to_owned())
        );
    }

    #[test]
    fn a_deep_book_is_read_as_far_as_the_limit_allows() {
        let lines: [Line<'_>; 4] = [
            ("h8i9", 50, false, &[("g7", 50, true)]),
            ("h8i9g7", -40, false, &[("i7", -40, true)]),
            ("h8i9g7i7", 30, false, &[("c3", 30, true)]),
            ("h8i9g7i7c3", -20, false, &[]),
        ];
        let section = section(&lines);
        let score = |most| judged_within(&section, "h8i9", most).0;
        // Three positions follow. If the limit stops a visit of all of them, or of one ply more, that ply's results are
        // not used.
        assert_eq!([1, 2, 3, 4].map(score), [50, 40, 40, 20]);
    }
}
