//! Records of games in the formats of other programs: SGF for people's viewers, PSQ for Piskvork.

use anyhow::Context;

use super::record::{GameRecord, MoveRecord};
use crate::game::notation;
use crate::game::{Move, Position, Size};
use crate::record::{Game, GameResult, NodeId, Note, psq, sgf};

/// A game as an SGF tree of one line, with scores, depths and times as comments.
///
/// # Errors
/// If the record names an impossible position.
pub fn sgf(record: &GameRecord) -> anyhow::Result<String> {
    let mut game = game(record, start(record)?)?;
    game.add_property("GN", &record.game.to_string());
    game.add_property("TE", &reason(record));
    Ok(sgf::write(&[game]))
}

/// A game as a Piskvork file. Setup stones come before the moves, in turn; the reason of the end stands where the
/// Gomocup judge has the tournament's name.
///
/// # Errors
/// If the record names an impossible position.
pub fn psq(record: &GameRecord) -> anyhow::Result<String> {
    let start = start(record)?;
    let mut moves = Position::new(start.size());
    for m in start.setup().iter().map(|&(p, _)| Move::Place(p)).chain(start.moves().iter().copied()) {
        moves.push(m)?;
    }
    let mut game = game(record, moves)?;
    game.add_property("EV", &reason(record));
    Ok(psq::write(&game))
}

fn start(record: &GameRecord) -> anyhow::Result<Position> {
    let position = notation::parse(&record.start, Some(Size::new(record.size)?));
    position.with_context(|| format!("game {}: '{}'", record.game, record.start))
}

/// The whole game, from a start.
fn game(record: &GameRecord, mut start: Position) -> anyhow::Result<Game> {
    let opening = start.moves().len();
    for made in &record.moves {
        let p = notation::parse_point(&made.point, start.size())?;
        start.push(Move::Place(p)).with_context(|| format!("game {}", record.game))?;
    }
    let mut game = Game::of_position(&start);
    game.rule = record.rule.parse().ok();
    game.result = Some(record.winner().map_or(GameResult::Draw, GameResult::Win));
    game.add_property("PB", &record.black);
    game.add_property("PW", &record.white);
    let nodes: Vec<NodeId> = game.tree.main_line().skip(1).collect();
    for (i, id) in nodes.into_iter().enumerate() {
        match i.checked_sub(opening).and_then(|i| record.moves.get(i)) {
            None => game.tree.annotate(id, [Note::Comment("opening")]),
            Some(made) => {
                let ms = u32::try_from(made.ms).unwrap_or(u32::MAX);
                game.tree.annotate(id, [Note::Comment(&comment(made)), Note::Time(ms)]);
            }
        }
    }
    Ok(game)
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
            "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[4]RE[W+1]PB[a\\]b]PW[c]GN[7]TE[foul: 33]\n;B[hh]C[opening]\n\
             ;W[hg]C[opening]\n;B[if]C[12 ms, score -3, depth 9]MS[12])\n"
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
