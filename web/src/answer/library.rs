//! The 26 openings, and the opening book.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use super::convert::{self, names};
use crate::schema::library::{Assessments, BookEntry, BookMove, NamedOpening};
use crate::schema::{Tell, board};
use kagetsu::book::Shelf;
use kagetsu::game::openings26::OPENINGS;
use kagetsu::search::Score;

/// Bytes that the open book may take.
const BOOK_MEMORY: u64 = 256 << 20;

/// The book in the program, opened when it is first asked.
static BOOK: Mutex<Shelf> = Mutex::new(Shelf::BuiltIn);

/// The 26 openings.
pub fn openings() -> Tell {
    let named = OPENINGS.iter().map(|opening| NamedOpening {
        code: opening.code.into(),
        name: opening.romaji.into(),
        kanji: opening.kanji.into(),
        english: opening.english.into(),
        moves: names(&opening.moves),
        assessments: Assessments {
            rif: opening.worth.rif.to_string(),
            english: opening.worth.english.to_string(),
            chinese: opening.worth.chinese.to_string(),
        },
    });
    Tell::Openings { openings: named.collect() }
}

/// The book's moves in a position.
pub fn book(given: &board::Position) -> Result<Tell> {
    let (position, rule) = convert::position(given)?;
    let mut shelf = BOOK.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = shelf.open(BOOK_MEMORY)?.and_then(|book| book.probe(rule, &position));
    let entry = entry.map(|entry| BookEntry {
        depth: entry.depth.into(),
        proven: entry.proven,
        moves: entry
            .moves()
            .iter()
            .filter(|candidate| position.is_free(candidate.point))
            .map(|candidate| {
                let score = Score(candidate.score.into());
                BookMove {
                    point: candidate.point.to_string(),
                    score: score.0,
                    win_rate: score.win_rate(rule),
                    agreed: candidate.agreed,
                }
            })
            .collect(),
    });
    Ok(Tell::Book { entry })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use kagetsu::game::{RuleKind, Size, notation};

    #[test]
    fn all_openings_are_there() {
        let Tell::Openings { openings } = openings() else { panic!("openings") };
        assert_eq!(openings.len(), 26);
        assert_eq!(
            (openings[3].code.as_str(), &openings[3].moves[..]),
            ("D4", &["h8", "h9", "i9"].map(String::from)[..])
        );
        // Kagetsu wins for Black in every table, Yugetsu (I13) is good for White.
        assert_eq!(
            (openings[3].name.as_str(), openings[3].assessments.rif.as_str()),
            ("Kagetsu", "Black wins")
        );
        let last = &openings[25];
        assert_eq!(last.code, "I13");
        assert!(last.assessments.rif.contains("White"), "{last:?}");
    }

    /// The book may know any first moves, but each must be an empty point of the board.
    #[test]
    fn the_book_answers() {
        let known = |rule: RuleKind, side: usize, moves: &str| {
            let position = notation::parse(moves, Some(Size::new(side).unwrap())).unwrap();
            let Tell::Book { entry } = book(&convert::of_position(&position, rule.into())).unwrap() else {
                panic!("a book")
            };
            let moves = entry.map(|entry| entry.moves).unwrap_or_default();
            for found in &moves {
                let p = notation::parse_point(&found.point, position.size()).unwrap();
                assert!(position.is_free(p) && (0.0..=1.0).contains(&found.win_rate));
            }
            moves.len()
        };
        let is_empty = kagetsu::book::built_in().unwrap().is_empty();
        let found: usize = RuleKind::ALL
            .into_iter()
            .flat_map(|rule| [15, 20].map(|side| (rule, side)))
            .map(|(rule, side)| known(rule, side, "") + known(rule, side, "h8h9i9") + known(rule, side, "h8"))
            .sum();
        assert!(is_empty || found > 0);
    }
}
