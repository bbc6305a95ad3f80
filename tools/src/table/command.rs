//! Commands of a player, as text.

use super::wording;
use kagetsu::engine::skill;
use kagetsu::game::regulation::{Action, Opening};
use kagetsu::game::{Point, Size, notation};
use kagetsu::invalid::Invalid;

/// A command of the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A stone on a point.
    Play(Point),
    /// A step of an opening.
    Act(Action),
    /// Take the last move back, and the engine's answer to it.
    Undo,
    /// Ask for the engine's move.
    Hint,
    /// Change the engine's level.
    Level(u8),
    /// Give the game up.
    Resign,
    /// Offer a draw, or accept the one that is offered.
    Draw,
    /// Accept the draw that is offered, or refuse it.
    Answer(bool),
    /// Write the game to a file.
    Save(String),
    /// End the program.
    Quit,
    /// List the commands.
    Help,
}

/// The commands in one line.
pub const HELP: &str = "h8 plays there; pass, undo, hint, draw, level N, resign, save FILE, quit";

/// The weakest and the strongest level.
pub const LEVELS: std::ops::RangeInclusive<u8> = 0..=skill::FULL;

/// Commands besides the actions of an opening.
const WORDS: &str = "undo, hint, level N, resign, save FILE, quit";

/// Returns the list of commands, in an opening or after it.
pub fn help(opening: Option<&Opening>) -> String {
    opening.map_or(HELP.into(), |opening| format!("{}; {WORDS}", wording::forms(&opening.choices())))
}

/// Reads a command. The first letter is enough for undo, hint, draw, pass, quit, level and save, but not for resign, which
/// cannot be taken back. During an `opening`, everything else is an action of it.
///
/// # Errors
/// The commands expected.
pub fn parse(text: &str, size: Size, opening: Option<&Opening>) -> Result<Command, Invalid> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match word.to_ascii_lowercase().as_str() {
        "undo" | "u" => Ok(Command::Undo),
        "hint" | "h" | "?" => Ok(Command::Hint),
        "resign" => Ok(Command::Resign),
        "draw" | "d" if rest.is_empty() => Ok(Command::Draw),
        "accept" if rest.is_empty() => Ok(Command::Answer(true)),
        "refuse" if rest.is_empty() => Ok(Command::Answer(false)),
        "pass" | "p" | "--" if opening.is_none() && rest.is_empty() => Ok(Command::Act(Action::Pass)),
        "quit" | "q" | "exit" => Ok(Command::Quit),
        "help" => Ok(Command::Help),
        "level" | "l" => {
            let level = rest.parse().ok().filter(|level| LEVELS.contains(level));
            level.map(Command::Level).ok_or_else(|| "level: expected a number, 0 to 100".into())
        }
        "save" | "s" if rest.is_empty() => Err("save: expected the name of a file, as game.sgf".into()),
        "save" | "s" => Ok(Command::Save(rest.to_string())),
        _ => match opening {
            Some(_) => Action::parse(text, size).map(Command::Act).map_err(|error| error.to_string()),
            None => notation::parse_point(text, size).map(Command::Play).map_err(|error| error.to_string()),
        }
        .map_err(|error| format!("{error} ({})", help(opening)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::regulation::Regulation;

    #[test]
    fn words_letters_and_points() {
        let parse = |text| parse(text, Size::S15, None);
        assert_eq!(parse(" H8 "), Ok(Command::Play(Point::new(7, 7))));
        assert_eq!(parse("u"), Ok(Command::Undo));
        for pass in ["pass", "P", "--"] {
            assert_eq!(parse(pass), Ok(Command::Act(Action::Pass)));
        }
        assert_eq!(parse("Hint"), Ok(Command::Hint));
        assert_eq!(
            ["draw", "d", "Accept", "refuse"].map(parse),
            [Command::Draw, Command::Draw, Command::Answer(true), Command::Answer(false)].map(Ok)
        );
        assert_eq!(parse("level 30"), Ok(Command::Level(30)));
        assert_eq!(parse("save my game.sgf"), Ok(Command::Save("my game.sgf".into())));
        for wrong in ["level 101", "level", "save", "p8", "h16", "", "undoo", "r"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_opening_has_words_of_its_own() {
        let opening = Regulation::Yamaguchi.start(Size::S15).unwrap();
        let parse = |text| parse(text, Size::S15, Some(&opening));
        let act = |text| Ok(Command::Act(Action::parse(text, Size::S15).unwrap()));
        for text in ["h8", "D4 declare 2", "keep", "swap", "offer h10 i7", "choose h10 a1"] {
            assert_eq!(parse(text), act(text), "{text}");
        }
        assert_eq!((parse("u"), parse("resign")), (Ok(Command::Undo), Ok(Command::Resign)));
        let said = parse("D4 declare many").unwrap_err().to_string();
        assert!(
            said.contains("'many' is not a number") && said.contains("POINT declare NUMBER; undo"),
            "{said}"
        );
    }
}
