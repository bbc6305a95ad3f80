//! Judgements of an annotation on their way into a game. The page keeps what an annotation would write at each move, and
//! sends it back with the game as it then is.

use anyhow::{Context, Result};

use super::{convert, files};
use crate::schema::{Tell, game};
use kagetsu::game::notation::parse_point;
use kagetsu_tools::review::annotated::{self, Entry};

/// Returns the entry of a judged move as a message.
pub fn entry(Entry { comment, properties, line }: Entry) -> game::Entry {
    game::Entry { comment, properties, line: convert::names(&line) }
}

/// Writes judgements into a game.
pub fn write(given: &game::Game, sent: Vec<(u32, game::Entry)>) -> Result<Tell> {
    let (game, ids) = convert::of_game(given)?;
    let mut entries = Vec::with_capacity(sent.len());
    for (node, game::Entry { comment, properties, line }) in sent {
        let id = ids.get(node as usize).with_context(|| format!("the game has no node {node}"))?;
        let line = line.iter().map(|name| parse_point(name, game.size)).collect::<Result<Vec<_>, _>>()?;
        entries.push((*id, Entry { comment, properties, line }));
    }
    Ok(Tell::Written { game: files::shown(&annotated::write(&game, &entries))? })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use kagetsu_tools::record::{Format, ReadOptions};

    fn game() -> game::Game {
        let text = &b"(;SZ[15]RU[renju];B[hh]C[mine];W[hg]TR[hh]C[also mine](;B[ih])(;B[aa]))"[..];
        convert::game(&Format::Sgf.read(text, &ReadOptions::default()).unwrap()[0])
    }

    fn judged(node: u32, line: &[&str]) -> (u32, game::Entry) {
        let entry = game::Entry {
            comment: "Score -3 (48 % for Black). This is a mistake.".into(),
            properties: vec![("V".into(), "-3".into()), ("BM".into(), "1".into())],
            line: line.iter().map(|name| name.to_string()).collect(),
        };
        (node, entry)
    }

    fn written(game: &game::Game, entries: Vec<(u32, game::Entry)>) -> Result<game::Game> {
        match write(game, entries)? {
            Tell::Written { game } => Ok(game),
            other => panic!("{other:?}"),
        }
    }

    /// White's move is judged: its comment stays, and the better line is a variation behind the moves that were there.
    #[test]
    fn a_judged_move_has_a_comment_a_sign_and_a_better_line() {
        let (before, entries) = (game(), vec![judged(2, &["i9", "h9"])]);
        let after = written(&before, entries.clone()).unwrap();
        assert_eq!(after.nodes[..2], before.nodes[..2], "the other moves stay as they are");
        let notes = &after.nodes[2].notes;
        let comment = "also mine\n\nScore -3 (48 % for Black). This is a mistake.";
        assert!(notes.contains(&game::Note::Comment { text: comment.into() }), "{notes:?}");
        let mark = game::Note::Mark { point: "h8".into(), mark: game::Mark::Triangle };
        assert!(notes.contains(&mark), "{notes:?}");
        let bad = game::Note::Property { key: "BM".into(), value: "1".into() };
        assert!(notes.contains(&bad), "{notes:?}");
        let moves: Vec<_> = after.nodes.iter().map(|node| (node.parent, node.turn.as_deref())).collect();
        let known = [(None, None), (Some(0), Some("h8")), (Some(1), Some("h9")), (Some(2), Some("i8"))];
        assert_eq!(moves[..4], known);
        assert_eq!(moves[4..], [(Some(2), Some("a15")), (Some(1), Some("i9")), (Some(5), Some("h9"))]);
        assert_eq!(written(&after, entries).unwrap(), after, "a second time changes nothing");
    }

    #[test]
    fn entries_that_do_not_fit_the_game_are_refused() {
        let refused = |entry, why: &str| {
            let error = written(&game(), vec![entry]).err().unwrap().to_string();
            assert!(error.contains(why), "{error}");
        };
        refused(judged(9, &[]), "no node 9");
        refused(judged(2, &["h8"]), "occupied");
        refused(judged(2, &["z9"]), "z9");
    }
}
