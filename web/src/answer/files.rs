//! Game files as messages carry them: read from base64, written to base64. No path ever comes from a page: a name says
//! the format and nothing else.

use std::path::Path;

use anyhow::{Context, Error, Result, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::convert;
use crate::limits;
use crate::schema::board::Rule;
use crate::schema::tell::{Loaded, Summary};
use crate::schema::{Tell, game};
use kagetsu::game::notation;
use kagetsu_tools::limits::Limits;
use kagetsu_tools::record::{Charset, Format, Game, ReadOptions};
use kagetsu_tools::untrusted;

/// Characters of a name that are shown.
const NAME: usize = 200;

/// Reads a game file: the game of this number, or the first one that a page can show.
pub fn load(name: &str, data: &str, number: Option<u32>) -> Result<Tell> {
    let format = Format::of_path(Path::new(name));
    let name: String = name.chars().take(NAME).collect();
    let format = format.with_context(|| {
        let known = Format::NAMES.join(", ");
        format!("{}: unknown extension; game files are {known}", untrusted::line(&name))
    })?;
    let bytes = STANDARD.decode(data).context("the file's content is not in base64")?;
    let games = format.games(&bytes[..], &reading())?;
    let mut summaries = Vec::new();
    let mut chosen = None;
    let mut left_out: Vec<(u32, Error)> = Vec::new();
    let mut more = false;
    for (i, game) in (0u32..).zip(games) {
        if summaries.len() == limits::GAMES && chosen.is_some() {
            more = true;
            break;
        }
        let is_wanted = chosen.is_none() && number.is_none_or(|number| i == number);
        match game
            .map_err(Error::from)
            .and_then(|game| Ok((is_wanted.then(|| shown(&game)).transpose()?, game)))
        {
            Ok((shown, game)) => {
                if summaries.len() < limits::GAMES {
                    summaries.push(summary(i, &game));
                }
                chosen = chosen.or(shown.map(|game| (i, game)));
            }
            Err(error) if number == Some(i) => return Err(error),
            Err(error) => left_out.extend((left_out.len() < limits::GAMES).then_some((i, error))),
        }
    }
    let Some((number, game)) = chosen else {
        match (number, left_out.into_iter().next()) {
            (None, Some((_, error))) => return Err(error),
            (Some(number), _) if !summaries.is_empty() => {
                bail!("there is no game {} in {}", number + 1, untrusted::line(&name))
            }
            _ => bail!("there is no game in {}", untrusted::line(&name)),
        }
    };
    let games = if summaries.len() > 1 { summaries } else { Vec::new() };
    let left_out = left_out.iter().map(|(i, error)| format!("game {}: {error:#}", i + 1)).collect();
    let format = format.name().into();
    Ok(Tell::Loaded(Loaded { name, format, games, left_out, more, number, game }))
}

/// Returns a game as a page gets it.
///
/// # Errors
/// If the game is impossible, or too large for a page.
pub fn shown(game: &Game) -> Result<game::Game> {
    game.check().map_err(|(_, error)| error)?;
    convert::fits(game.tree.len())?;
    let message = convert::game(game);
    let bytes = serde_json::to_vec(&message).context("the game cannot be sent")?.len();
    ensure!(
        bytes <= limits::GAME_MESSAGE,
        "the game takes {:.1} MB in a message, more than the {:.1} MB that a page can send back",
        bytes as f64 / 1e6,
        limits::GAME_MESSAGE as f64 / 1e6
    );
    Ok(message)
}

/// Checks whether a page can show a game and send it back.
///
/// # Errors
/// If the game is impossible, or too large.
pub fn check_game(game: &Game) -> Result<()> {
    shown(game).map(drop)
}

/// Returns the options for reading files from a page.
pub fn reading() -> ReadOptions {
    ReadOptions { limits: Limits::new(limits::GAME), ..ReadOptions::default() }
}

fn summary(number: u32, game: &Game) -> Summary {
    let players = match (game.property("PB"), game.property("PW")) {
        (None, None) => None,
        (black, white) => Some(format!("{} – {}", black.unwrap_or("?"), white.unwrap_or("?"))),
    };
    let facts = ["GN", "EV", "RO", "DT"].map(|key| game.property(key).map(String::from));
    let parts: Vec<String> = players.into_iter().chain(facts.into_iter().flatten()).collect();
    let title = if parts.is_empty() { format!("game {}", number + 1) } else { parts.join(", ") };
    let moves = game.tree.main_line().filter(|&id| game.tree.turn(id).is_some()).count();
    let title: String = title.chars().take(NAME).collect();
    Summary { number, title: untrusted::line(&title).into_owned(), moves: moves as u32 }
}

/// Writes a game file.
pub fn save(given: &game::Game, format: &str, lossy: bool) -> Result<Tell> {
    let format: Format = format.parse()?;
    let (game, _) = convert::of_game(given)?;
    let mut writer = kagetsu_tools::record::Writer::new(format, Charset::AUTO, lossy);
    let mut bytes = writer.add(game)?;
    bytes.extend(writer.finish()?);
    ensure!(bytes.len() <= limits::MESSAGE, "the file has {} bytes, too many for a page", bytes.len());
    Ok(Tell::File {
        extension: format.name().into(),
        mime: "application/octet-stream".into(),
        data: STANDARD.encode(bytes),
        left_out: writer.left_out().iter().map(|feature| feature.name().to_owned()).collect(),
    })
}

/// Reads a position in any notation.
pub fn parse(text: &str, size: u8, rule: Rule) -> Result<Tell> {
    let is_setup = text.contains('/') && !text.contains("//");
    let size = if is_setup { None } else { Some(convert::size(size)?) };
    let position = notation::parse(text, size)?;
    notation::validate(&position, rule.into(), kagetsu::game::Reading::Literal)?;
    Ok(Tell::Position { position: convert::of_position(&position, rule) })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn loaded(name: &str, bytes: &[u8], number: impl Into<Option<u32>>) -> Result<Loaded> {
        let number = number.into();
        match load(name, &STANDARD.encode(bytes), number)? {
            Tell::Loaded(loaded) => Ok(loaded),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_file_of_several_games() {
        let text = b"(;SZ[15]PB[A]PW[B];B[hh])(;SZ[15]EV[Cup];B[hh];W[hg])";
        let second = loaded("two.sgf", text, 1).unwrap();
        assert_eq!(second.games.iter().map(|g| g.title.as_str()).collect::<Vec<_>>(), ["A – B", "Cup"]);
        assert_eq!((second.game.nodes.len(), second.number), (3, 1));
        assert_eq!(loaded("two.sgf", text, 2).err().unwrap().to_string(), "there is no game 3 in two.sgf");
    }

    #[test]
    fn the_first_sound_game_of_a_file_is_opened() {
        let text = b"(;SZ[15];B[hh];W[hh])(;SZ[15]EV[Cup];B[hh];W[hg])(;SZ[99];B[hh])(;SZ[15]EV[Last];B[hh])";
        let first = loaded("four.sgf", text, None).unwrap();
        assert_eq!((first.game.nodes.len(), first.number), (3, 1));
        assert_eq!(first.games.iter().map(|g| g.number).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(first.left_out.len(), 2, "{:?}", first.left_out);
        assert!(first.left_out[0].starts_with("game 1: ") && first.left_out[0].contains("occupied"));
        assert!(first.left_out[1].starts_with("game 3: "), "{:?}", first.left_out);
        assert!(loaded("four.sgf", text, 0).err().unwrap().to_string().contains("occupied"));
        assert_eq!(loaded("four.sgf", text, 3).unwrap().number, 3);
        let none = loaded("one.sgf", b"(;SZ[15];B[hh];W[hh])", None).err().unwrap().to_string();
        assert!(none.contains("occupied"), "{none}");
    }

    /// A page that shows a game can send it back to save it.
    #[test]
    fn a_game_that_could_not_be_saved_is_not_opened() {
        let with_nodes = |count: usize| {
            let mut text = String::from("(;SZ[15]");
            // Pairs of passes: any number of moves without an occupied point.
            (0..count).for_each(|i| text.push_str(if i % 2 == 0 { ";B[]" } else { ";W[]" }));
            text + ")"
        };
        let large = loaded("a.sgf", with_nodes(limits::NODES - 1).as_bytes(), 0).unwrap();
        let message = crate::schema::Request {
            id: u32::MAX,
            ask: crate::schema::Ask::Save { game: large.game, format: "sgf".into(), lossy: false },
        };
        assert!(serde_json::to_vec(&message).unwrap().len() <= limits::MESSAGE);
        let error = loaded("a.sgf", with_nodes(limits::NODES).as_bytes(), 0).err().unwrap().to_string();
        assert_eq!(error, "the game has 100001 moves, more than the 100000 that a page can show");
        // A control character of one byte takes six in JSON.
        let text = format!("(;SZ[15]C[{}])", "\u{1}".repeat(limits::GAME_MESSAGE / 6));
        let error = loaded("a.sgf", text.as_bytes(), 0).err().unwrap().to_string();
        assert!(error.contains("MB in a message"), "{error}");
    }

    #[test]
    fn files_that_are_no_games_are_refused() {
        for (name, bytes) in
            [("../../etc/passwd", &b"root"[..]), ("a.sgf", b"(;B[zz"), ("a.lib", b"no"), ("a", b"")]
        {
            assert!(loaded(name, bytes, 0).is_err(), "{name}");
        }
        assert!(load("a.sgf", "@@@", None).is_err());
    }

    #[test]
    fn every_format_of_one_game_comes_back() {
        let source = loaded("a.sgf", b"(;SZ[15]RU[Renju];B[hh];W[hg];B[ig];W[ih])", 0).unwrap();
        for format in Format::NAMES.into_iter().filter(|name| !["rec", "db", "bin", "binpack"].contains(name))
        {
            let Tell::File { data, .. } = save(&source.game, format, true).unwrap() else { panic!("a file") };
            let Tell::Loaded(back) = load(&format!("b.{format}"), &data, None).unwrap() else {
                panic!("a game")
            };
            let moves = |game: &game::Game| game.nodes.iter().map(|n| n.turn.clone()).collect::<Vec<_>>();
            let (new, old) = (moves(&back.game), moves(&source.game));
            assert!(new.ends_with(&old[1..]), "{format}: {new:?}");
        }
    }

    #[test]
    fn features_that_a_format_lacks_are_reported() {
        let source = loaded("a.sgf", b"(;SZ[15];B[hh]C[a comment])", 0).unwrap();
        let error = save(&source.game, "txt", false).err().unwrap();
        assert_eq!(error.to_string(), "it cannot hold comments");
        let Tell::File { left_out, .. } = save(&source.game, "txt", true).unwrap() else { panic!("a file") };
        assert_eq!(left_out, ["comments"]);
    }

    #[test]
    fn positions_in_every_notation() {
        let read = |text: &str| match parse(text, 15, Rule::Renju) {
            Ok(Tell::Position { position }) => {
                Ok((position.size, position.setup.len() + position.moves.len()))
            }
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        };
        assert_eq!(read("h8h9i9"), Ok((15, 3)));
        assert_eq!(read("D4 g9"), Ok((15, 4)));
        assert_eq!(read("5/5/2x2/5/5 o"), Ok((5, 1)));
        assert_eq!(read("https://gomocalc.com/#/h8h9i8"), Ok((15, 3)));
        assert!(read("h8h8").unwrap_err().contains("h8 is occupied"));
    }
}
