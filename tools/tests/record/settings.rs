//! Settings and commands that a user of the library reads: their errors go on with `?`, with their text.

use std::error::Error;
use std::str::FromStr;
use std::time::Duration;

use kagetsu::game::{Color, Position, RuleKind, Size};
use kagetsu_tools::arena::fallback::Fallback;
use kagetsu_tools::arena::game::ScoreRule;
use kagetsu_tools::arena::openings::Notation;
use kagetsu_tools::arena::stats::{Model, Sprt};
use kagetsu_tools::limits::engine_memory;
use kagetsu_tools::record::{Charset, Format};
use kagetsu_tools::selfplay::game::Game;
use kagetsu_tools::selfplay::run::Shard;
use kagetsu_tools::sift::settings::Pair;
use kagetsu_tools::suite::entry::Entry;
use kagetsu_tools::table::{Session, Terms, command, save};
use kagetsu_tools::timing::{self, Byoyomi, Control};

/// Passes an error on, as a caller does that has errors of several kinds, and returns its text.
fn said<T, E: Error + Send + Sync + 'static>(result: Result<T, E>) -> String {
    let passed = || anyhow::Ok(result?);
    passed().err().map_or_else(String::new, |error| error.to_string())
}

/// Reads a setting that is none.
fn read<T: FromStr<Err: Error + Send + Sync + 'static>>(text: &str) -> String {
    said(text.parse::<T>())
}

#[test]
fn errors_are_passed_on_with_their_text() {
    let (terms, empty) = (Terms::of(RuleKind::Renju), Position::new(Size::S15));
    let mut session = Session::new(terms, empty, Color::Black, Duration::ZERO);
    for (said, expected) in [
        (read::<Control>("40"), "expected MOVES/TIME, at most a day, as 40/2h"),
        (read::<Byoyomi>("3x"), "expected PERIODSxTIME or a time, at most a day, as 3x30s or 30s"),
        (read::<ScoreRule>("5"), "'5': expected SCORE:MOVES, as 500:3, with 1 to 1000 moves"),
        (read::<Model>("elo"), "'elo' is not a model: expected logistic or normalized"),
        (read::<Sprt>("elo1"), "'elo1': expected key=value"),
        (read::<Charset>("klingon"), "'klingon' is not an encoding: expected utf-8, gbk, shift_jis, …"),
        (read::<Shard>("3/3"), "'3/3' is not a shard: expected I/N with I from 0 to N-1"),
        (read::<Pair>("5"), "'5': expected two numbers of nodes above 0, as 40000:50000"),
        (said(timing::duration("25h")), "expected at most a day"),
        (said(engine_memory("5T")), "'T' is not a unit: expected K, M or G, e.g. 256M"),
        (said(Fallback::list("", Size::S15)), "the list has no opening"),
        (
            said(Entry::read("renju 15 win # all")),
            "no position: expected moves or a setup string after the verdict",
        ),
        (said(command::parse("level", Size::S15, None)), "level: expected a number, 0 to 100"),
        (said(session.undo(Duration::ZERO)), "there is no move of yours to take back"),
        (said(save::format("game")), "game: a name like game.sgf or game.psq was expected"),
        (said(Game::decode(&mut &[0; 7][..])), "the game ends too early"),
    ] {
        assert_eq!(said, expected);
    }
    assert!(read::<Format>("pgn").starts_with("'pgn' is not a format: expected one of "));
    assert!(read::<Notation>("pgn").starts_with("'pgn' is not a notation: expected one of auto, "));
}
