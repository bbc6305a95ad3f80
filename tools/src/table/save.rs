//! A game as a file. The opening's actions other than stones stand in comments and in properties with the names of
//! RenjuNet's database. A format without room for these leaves them out.

use anyhow::Context;

use super::session::{End, Session, Turn};
use crate::record::{Format, Game, GameResult, How, NodeId, Note};
use kagetsu::game::regulation::{Action, Choice, Regulation};
use kagetsu::game::{Color, Move, RuleKind};
use kagetsu::invalid::Invalid;

/// Header of a saved game: everything besides its moves.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The engine's name.
    pub engine: &'a str,
    /// The day, as `2026-11-24`.
    pub date: &'a str,
}

/// The game for a file.
pub fn record(session: &Session, header: &Header<'_>) -> Game {
    let Header { engine, date } = *header;
    let mut game = Game::of_position(session.position());
    game.rule = Some(session.rule());
    game.result = session.end().map(|end| end.winner().map_or(GameResult::Draw, GameResult::Win));
    let second = if session.is_for_two() { "human" } else { engine };
    let names = if session.human() == Color::Black { ["human", second] } else { [second, "human"] };
    game.add_property("PB", names[0]);
    game.add_property("PW", names[1]);
    game.add_property("DT", date);
    if let Some(timing) = session.timing() {
        game.add_property("TM", &timing.main.as_secs_f64().to_string());
        game.add_property("OT", &timing.overtime());
    }
    game.add_opening();
    game.add_how(match session.end() {
        Some(End::Resigned(_)) => How::Resignation,
        Some(End::Time(_)) => How::Time,
        _ => How::Rule,
    });
    // The root, and the node of each move.
    let line: Vec<NodeId> = game.tree.main_line().collect();
    for (turn, moves) in session.turns().iter().zip(moves_after(session)) {
        if moves > turn.moves {
            let ms = u32::try_from(turn.used.as_millis()).unwrap_or(u32::MAX);
            game.tree.annotate(line[moves], [Note::Time(ms)]);
        }
    }
    if session.regulation().is_some() {
        describe(session, &mut game);
        for (comment, &node) in comments(session, engine).iter().zip(&line) {
            if !comment.is_empty() {
                game.tree.annotate(node, [Note::Comment(comment.trim_end())]);
            }
        }
    }
    game
}

/// Returns the format for the name of a game file.
///
/// # Errors
/// If the extension is unknown.
pub fn format(name: &str) -> Result<Format, Invalid> {
    let extension = std::path::Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
    Format::from_extension(extension)
        .ok_or_else(|| format!("{name}: a name like game.sgf or game.psq was expected").into())
}

/// Returns the bytes of a game file, in the format of its name.
///
/// # Errors
/// If the format is unknown or cannot hold the game.
pub fn file(session: &Session, name: &str, header: &Header<'_>) -> anyhow::Result<Vec<u8>> {
    Ok(format(name)?.write(&[record(session, header)], Default::default(), true)?)
}

/// Checks whether the game can be written to a file of this name later in the game.
///
/// # Errors
/// If the name has no known format, or its format cannot hold the game.
pub fn check(session: &Session, name: &str) -> anyhow::Result<()> {
    let format = format(name)?;
    let mut game = record(session, &Header { engine: "kagetsu", date: "" });
    let position = session.position();
    // Some formats need a move to hold a game, others can hold it only without one.
    if let (Some(last), Some(p)) =
        (game.tree.main_line().last(), position.size().points().find(|&p| position.is_free(p)))
    {
        game.tree.add(last, Some((position.side(), Move::Place(p))));
    }
    format.write(&[game], Default::default(), true).with_context(|| name.to_owned())?;
    Ok(())
}

/// Moves after each turn.
fn moves_after(session: &Session) -> impl Iterator<Item = usize> {
    let next = session.turns().iter().skip(1).map(|turn| turn.moves);
    next.chain([session.position().moves().len()])
}

/// The opening's rule, its swaps and the fifth moves that were not chosen.
fn describe(session: &Session, game: &mut Game) {
    let Some((regulation, offered)) = session.regulation() else { return };
    if session.rule() == RuleKind::Renju && is_renjus(regulation) {
        game.add_property("RU", &regulation.to_string());
    }
    let swap = |turn: &Turn| {
        let could = turn.opening.as_ref()?.choices().contains(&Choice::Swap);
        could.then_some(if turn.action == Action::Swap { 'R' } else { '-' })
    };
    game.add_property("SWAP", &session.turns().iter().filter_map(swap).collect::<String>());
    let chosen = session.position().moves().get(4).and_then(|m| m.point());
    let others = offered.iter().filter(|p| Some(**p) != chosen);
    game.add_property("ALT", &others.map(ToString::to_string).collect::<Vec<_>>().join(" "));
}

/// Returns whether a regulation belongs to Renju alone.
fn is_renjus(regulation: Regulation) -> bool {
    use Regulation::{LongPro, Plain, Pro, Swap, Swap1, Swap2, Swap5};
    !matches!(regulation, Plain { .. } | Swap | Swap1 | Swap2 | Swap5 | Pro | LongPro)
}

/// Returns the decisions in the opening other than stones, as one comment for each number of stones on the
/// board.
fn comments(session: &Session, engine: &str) -> Vec<String> {
    let mut comments = vec![String::new(); session.position().moves().len() + 1];
    if let Some((regulation, _)) = session.regulation() {
        comments[0] = format!("opening rule {regulation}\n");
    }
    for (turn, moves) in session.turns().iter().zip(moves_after(session)) {
        let what = match &turn.action {
            Action::Keep | Action::Swap | Action::Offer(_) => turn.action.to_string(),
            Action::Place { declare: Some(number), .. } => format!("declare {number}"),
            Action::Place { .. } | Action::Choose { .. } | Action::Pass => continue,
        };
        let who = match (session.is_for_two(), turn.by_human) {
            (true, true) => "first player",
            (true, false) => "second player",
            (false, true) => "human",
            (false, false) => engine,
        };
        comments[moves] += &format!("{who}: {what}\n");
    }
    comments
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::session::Terms;
    use super::*;
    use crate::timing::Timing;
    use kagetsu::game::{Size, notation};

    const HEADER: Header<'_> = Header { engine: "kagetsu", date: "2026-11-24" };

    fn act(session: &mut Session, action: &str, seconds: u64) {
        session.act(&Action::parse(action, Size::S15).unwrap(), Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn the_record_says_who_won_and_how_long_moves_took() {
        let position = notation::parse("h8h9", Some(Size::S15)).unwrap();
        let mut session = Session::new(Terms::of(RuleKind::Renju), position, Color::Black, Duration::ZERO);
        act(&mut session, "i9", 2);
        session.resign(Duration::from_secs(2));
        let bytes = file(&session, "game.sgf", &HEADER).unwrap();
        let games = Format::Sgf.read(&bytes, &Default::default()).unwrap();
        assert_eq!(games[0], record(&session, &HEADER));
        assert_eq!(
            (games[0].result, games[0].property("PB"), games[0].property("DT")),
            (Some(GameResult::Win(Color::White)), Some("human"), Some("2026-11-24"))
        );
        assert!(String::from_utf8(bytes).unwrap().contains("RE[W+R]"));
        let last = games[0].tree.main_line().last().unwrap();
        assert_eq!(games[0].tree.notes(last).collect::<Vec<_>>(), [Note::Time(2000)]);
        assert!(file(&session, "game", &HEADER).is_err());
    }

    #[test]
    fn time_and_the_opening_are_told_however_the_game_began() {
        let s = Duration::from_secs;
        let timing = Timing {
            main: s(600),
            increment: s(5),
            control: "40/20m".parse().ok(),
            byoyomi: "3x30s".parse().ok(),
        };
        let text = |start: &str, rule: RuleKind, timing: Option<Timing>, seconds: u64| {
            let position = notation::parse(start, None).unwrap();
            let terms = Terms { timing, ..Terms::of(rule) };
            let mut session = Session::new(terms, position, Color::Black, s(0));
            session.tick(s(seconds));
            String::from_utf8(file(&session, "game.sgf", &HEADER).unwrap()).unwrap()
        };
        let lost = text("D4 g9", RuleKind::Renju, Some(timing), 2000);
        let overtime = "OT[5 s added after each move, 40 moves / 1200 s, 3x30 s byo-yomi]";
        for expected in ["DT[2026-11-24]", "TM[600]", overtime, "ON[D4]", "RE[W+T]"] {
            assert!(lost.contains(expected), "{expected}: {lost}");
        }
        let going_on = text("h8g8g9", RuleKind::Renju, None, 0);
        assert!(going_on.contains("ON[D4]") && !going_on.contains("RE["), "{going_on}");
        assert!(!going_on.contains("TM[") && !going_on.contains("OT["), "{going_on}");
        assert!(!text("h8g8g9", RuleKind::Freestyle, None, 0).contains("ON["));
        // Neither side can make five on this board any more.
        let drawn = text("oxoxo/ooxxo/xxoox/ooxx1/xxoxo x", RuleKind::Renju, None, 0);
        assert!(drawn.contains("RE[0]"), "{drawn}");
    }

    /// The opening of Soosorv-8, the person first as Black, with both swaps.
    fn soosorv() -> Session {
        let opening = Regulation::Soosorv(8).start(Size::S15).unwrap();
        let mut session =
            Session::with_opening(Terms::of(RuleKind::Renju), opening, Color::Black, Duration::ZERO);
        for (action, seconds) in [
            ("h8 h9 i9", 1),
            ("keep", 2),
            ("g9 declare 3", 4),
            ("swap", 7),
            ("offer h10 i7 a1", 11),
            ("choose i7 g7", 16),
        ] {
            act(&mut session, action, seconds);
        }
        session
    }

    #[test]
    fn the_opening_is_told_in_sgf() {
        let session = soosorv();
        assert_eq!(session.human(), Color::White);
        let bytes = file(&session, "game.sgf", &HEADER).unwrap();
        let game = &Format::Sgf.read(&bytes, &Default::default()).unwrap()[0];
        for (key, value) in
            [("PB", "kagetsu"), ("RU", "soosorv:8"), ("ON", "D4"), ("SWAP", "-R"), ("ALT", "h10 a1")]
        {
            assert_eq!(game.property(key), Some(value), "{key}");
        }
        assert_eq!(game.rule, Some(RuleKind::Renju));
        let notes = |moves: usize| {
            let node = game.tree.main_line().nth(moves).unwrap();
            game.tree.notes(node).collect::<Vec<_>>()
        };
        assert_eq!(notes(0), [Note::Comment("opening rule soosorv:8")]);
        assert_eq!(notes(1), []);
        assert_eq!(notes(3), [Note::Comment("kagetsu: keep"), Note::Time(1000)]);
        let fourth = "kagetsu: declare 3\nhuman: swap\nkagetsu: offer h10 i7 a1";
        assert_eq!(notes(4), [Note::Comment(fourth), Note::Time(2000)]);
        assert_eq!(notes(6), [Note::Time(5000)]);
        assert_eq!(*game, record(&session, &HEADER));
    }

    #[test]
    fn other_formats_take_what_they_can() {
        let session = soosorv();
        let database = file(&session, "game.xml", &HEADER).unwrap();
        let game = &Format::Xml.read(&database, &Default::default()).unwrap()[0];
        assert_eq!((game.property("SWAP"), game.property("RU")), (Some("-R"), Some("soosorv:8")));
        let piskvork = file(&session, "game.psq", &HEADER).unwrap();
        let game = &Format::Psq.read(&piskvork, &Default::default()).unwrap()[0];
        assert_eq!(game.main_position(None).unwrap(), *session.position());
        assert_eq!(game.property("PW"), Some("human"));
    }

    #[test]
    fn an_opening_without_swaps_and_offers() {
        let opening = Regulation::Pro.start(Size::S15).unwrap();
        let mut session =
            Session::with_opening(Terms::of(RuleKind::Freestyle), opening, Color::Black, Duration::ZERO);
        act(&mut session, "h8", 0);
        let game = record(&session, &HEADER);
        assert_eq!(["SWAP", "ALT", "RU", "ON"].map(|key| game.property(key)), [None; 4]);
        let root = game.tree.main_line().next().unwrap();
        assert_eq!(game.tree.notes(root).collect::<Vec<_>>(), [Note::Comment("opening rule pro")]);
    }
}
