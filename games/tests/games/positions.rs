//! Positions for the tests of the rules, and what a move does there.

use kagetsu::game::Color;
use kagetsu_games::{Cell, Game, Kind, Move, Options, notation};

/// A position of a game with options.
pub fn game(kind: Kind, choices: &[(&str, &str)], position: &str) -> Box<dyn Game> {
    let mut options = Options::new(kind);
    choices.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    notation::parse(position, &options).unwrap_or_else(|error| panic!("{position}: {error}"))
}

pub fn at(text: &str) -> Move {
    notation::parse_move(text, 22).unwrap()
}

/// The outcome of a game after a move, in words.
pub fn after(game: &mut dyn Game, text: &str) -> String {
    assert_eq!(game.check(at(text)), Ok(()), "{text}");
    game.play(at(text));
    game.outcome().map_or_else(|| "goes on".to_owned(), |outcome| outcome.to_string())
}

pub fn end(kind: Kind, choices: &[(&str, &str)], position: &str, text: &str) -> String {
    after(game(kind, choices, position).as_mut(), text)
}

pub fn refusal(kind: Kind, choices: &[(&str, &str)], position: &str, text: &str) -> String {
    game(kind, choices, position).check(at(text)).unwrap_err().to_string()
}

pub fn cell(game: &dyn Game, text: &str) -> Cell {
    game.cell(at(text).point().unwrap())
}

pub const BLACK: Cell = Cell::Stone(Color::Black);
pub const WHITE: Cell = Cell::Stone(Color::White);
