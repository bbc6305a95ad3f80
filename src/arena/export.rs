//! Records of games in the formats of other programs: SGF for people's viewers, PSQ for Piskvork.

use std::fmt::Write as _;

use anyhow::Context;

use super::record::{GameRecord, MoveRecord};
use crate::game::notation::{self, gomocup};
use crate::game::{Color, Point, Position, RuleKind, Size};

/// A move of the whole game with its record, if an engine made it.
type Played<'a> = (Point, Color, Option<&'a MoveRecord>);

fn start(record: &GameRecord) -> anyhow::Result<(Size, Position)> {
    let size = Size::new(record.size)?;
    let position = notation::parse(&record.start, Some(size));
    Ok((size, position.with_context(|| format!("game {}: '{}'", record.game, record.start))?))
}

fn played<'a>(record: &'a GameRecord, start: &Position, size: Size) -> anyhow::Result<Vec<Played<'a>>> {
    let mut moves: Vec<(Point, Option<&MoveRecord>)> =
        start.moves().iter().filter_map(|m| m.point()).map(|p| (p, None)).collect();
    for made in &record.moves {
        moves.push((notation::parse_point(&made.point, size)?, Some(made)));
    }
    let color = |i: usize| if i.is_multiple_of(2) { start.first() } else { !start.first() };
    Ok(moves.into_iter().enumerate().map(|(i, (p, made))| (p, color(i), made)).collect())
}

/// A game as an SGF tree of one line, with scores, depths and times as comments.
///
/// # Errors
/// If the record names an impossible position.
pub fn sgf(record: &GameRecord) -> anyhow::Result<String> {
    let (size, start) = start(record)?;
    let rule = record.rule.parse::<RuleKind>().map_or(0, RuleKind::gomocup);
    let result = match record.winner() {
        Some(Color::Black) => "B+1",
        Some(Color::White) => "W+1",
        None => "0",
    };
    let mut text = format!(
        "(;FF[4]GM[4]CA[UTF-8]GN[{}]RU[{rule}]SZ[{}]PB[{}]PW[{}]RE[{result}]TE[{}]",
        record.game,
        size.side(),
        escape(&record.black),
        escape(&record.white),
        escape(&reason(record)),
    );
    for color in Color::BOTH {
        let stones: Vec<Point> = start.setup().iter().filter(|s| s.1 == color).map(|s| s.0).collect();
        if !stones.is_empty() {
            text += if color == Color::Black { "AB" } else { "AW" };
            stones.iter().for_each(|&p| text += &format!("[{}]", letters(p, size)));
        }
    }
    for (p, color, made) in played(record, &start, size)? {
        let key = if color == Color::Black { 'B' } else { 'W' };
        let comment = made.map_or_else(|| "opening".to_owned(), comment);
        // Writing to a string cannot fail.
        let _ = write!(text, "\n;{key}[{}]C[{}]", letters(p, size), escape(&comment));
    }
    Ok(text + ")\n")
}

/// A game as a Piskvork file. Setup stones come before the moves, in turn.
///
/// # Errors
/// If the record names an impossible position.
pub fn psq(record: &GameRecord) -> anyhow::Result<String> {
    let (size, start) = start(record)?;
    let mut text = format!("Piskvorky {0}x{0}, 11:11, 0\n", size.side());
    let setup = start.setup().iter().map(|&(p, _)| (p, 0));
    let moves = played(record, &start, size)?;
    for (p, ms) in setup.chain(moves.iter().map(|&(p, _, made)| (p, made.map_or(0, |m| m.ms)))) {
        let (x, y) = gomocup::coordinates(p, size);
        let _ = writeln!(text, "{},{},{ms}", x + 1, y + 1);
    }
    let result = match record.winner() {
        None => 0,
        Some(Color::Black) => 1,
        Some(Color::White) => 2,
    };
    let _ = writeln!(text, "{}\n{}\n{result},{}", record.black, record.white, reason(record));
    Ok(text)
}

fn reason(record: &GameRecord) -> String {
    if record.detail.is_empty() {
        record.end.to_string()
    } else {
        format!("{}: {}", record.end, record.detail)
    }
}

fn comment(made: &MoveRecord) -> String {
    let mut text = format!("{} ms", made.ms);
    if let Some(score) = made.score {
        text += &format!(", score {score}");
    }
    if let Some(depth) = made.depth {
        text += &format!(", depth {depth}");
    }
    text
}

/// SGF's name of a point: column letter, then row letter from the top.
fn letters(p: Point, size: Size) -> String {
    let (x, y) = gomocup::coordinates(p, size);
    [x, y].map(|n| char::from(b'a' + n as u8)).iter().collect()
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::super::record::End;
    use super::*;

    fn record() -> GameRecord {
        GameRecord {
            game: 7,
            black: "a]b".into(),
            white: "c".into(),
            rule: "renju".into(),
            size: 15,
            opening: 1,
            start: "h8h9".into(),
            moves: vec![MoveRecord { point: "i10".into(), ms: 12, score: Some(-3), depth: Some(9) }],
            result: "0-1".into(),
            end: End::Foul,
            detail: "33".into(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn sgf_counts_rows_from_the_top() {
        let text = sgf(&record()).unwrap();
        assert_eq!(
            text,
            "(;FF[4]GM[4]CA[UTF-8]GN[7]RU[4]SZ[15]PB[a\\]b]PW[c]RE[W+1]TE[foul: 33]\n;B[hh]C[opening]\n\
             ;W[hg]C[opening]\n;B[if]C[12 ms, score -3, depth 9])\n"
        );
        let setup =
            GameRecord { start: "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o".into(), ..record() };
        assert!(sgf(&setup).unwrap().contains("AB[hh]\n;W[if]"));
    }

    #[test]
    fn psq_counts_from_one_and_from_the_top() {
        assert_eq!(
            psq(&record()).unwrap(),
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,7,0\n9,6,12\na]b\nc\n2,foul: 33\n"
        );
    }
}
