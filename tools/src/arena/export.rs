//! Records of games in the formats of other programs: SGF for people's viewers, PSQ for Piskvork.

use anyhow::Context;

use super::contestant::Contestant;
use super::fault::FaultKind;
use super::record::{End, GameRecord, MoveRecord};
use super::time::TimeControl;
use crate::record::{Game, GameResult, How, NodeId, Note, psq, sgf};
use kagetsu::game::notation::{self, moves};
use kagetsu::game::{Color, Move, Position, Size};

/// A game as an SGF tree of one line, with scores, depths and times as comments. The players' time is looked up among the
/// contestants.
///
/// # Errors
/// If the record names an impossible position.
pub fn sgf(record: &GameRecord, contestants: &[Contestant]) -> anyhow::Result<String> {
    let mut game = game(record, start(record)?)?;
    game.add_property("GN", &record.game.to_string());
    game.add_property("DT", record.date.as_deref().unwrap_or_default());
    game.add_opening();
    game.add_how(how(record.end));
    let time = |name: &str| contestants.iter().find(|c| c.name == name).map(|c| c.time);
    add_time(&mut game, [time(&record.black), time(&record.white)]);
    game.add_property("TE", &reason(record));
    Ok(sgf::write(&[game]))
}

/// Returns how a game ended, apart from the rule.
fn how(end: End) -> How {
    use FaultKind::{HalfLine, NoMove, Overtime, Silence};
    match end {
        End::Resigned => How::Resignation,
        // The Gomocup judge counts every reply that is not a move as a move not made in time.
        End::Fault(Overtime | Silence | HalfLine | NoMove) => How::Time,
        End::Fault(_) => How::Forfeit,
        _ => How::Rule,
    }
}

/// Writes the time controls of both sides as `TM` and `OT`. If they differ, `OT` has both of them in words.
fn add_time(game: &mut Game, times: [Option<TimeControl>; 2]) {
    let [Some(black), Some(white)] = times else { return };
    let main = |time: &TimeControl| time.timing().map(|timing| timing.main.as_secs_f64());
    let (mains, texts) = ([main(&black), main(&white)], [black.overtime(), white.overtime()]);
    if mains[0] == mains[1] && texts[0] == texts[1] {
        game.add_property("TM", &mains[0].map_or(String::new(), |main| main.to_string()));
        game.add_property("OT", &texts[0]);
        return;
    }
    let [black, white] = [0, 1].map(|i: usize| {
        let main = mains[i].map(|main| format!("{main} s"));
        let all = main.into_iter().chain(Some(texts[i].clone()).filter(|text| !text.is_empty()));
        Some(all.collect::<Vec<_>>().join(", ")).filter(|all| !all.is_empty()).unwrap_or("no limit".into())
    });
    game.add_property("OT", &format!("Black {black}; White {white}"));
}

/// Returns a game as a Piskvork file. Setup stones are written before the moves, with colours alternating.
/// Returns `None` if they cannot alternate, or if somebody passed: the format has neither. The reason for the
/// end stands where the Gomocup judge writes the tournament's name.
///
/// # Errors
/// If the record names an impossible position.
pub fn psq(record: &GameRecord) -> anyhow::Result<Option<String>> {
    let Some(start) = in_turn(&start(record)?) else { return Ok(None) };
    let mut game = game(record, start)?;
    if game.tree.main_line().skip(1).any(|id| game.tree.point(id).is_none()) {
        return Ok(None);
    }
    game.add_property("EV", &reason(record));
    Ok(Some(psq::write(&game)))
}

/// Returns a position with the same stones and side to move, reached by moves from the empty board.
fn in_turn(position: &Position) -> Option<Position> {
    let mut played = Position::new(position.size());
    let of = |color| position.setup().iter().filter(move |s| s.1 == color).map(|s| s.0);
    let mut stones = [of(Color::Black), of(Color::White)];
    for _ in position.setup() {
        let p = stones[played.side() as usize].next()?;
        played.push(Move::Place(p)).ok()?;
    }
    if played.side() != position.first() {
        return None;
    }
    position.moves().iter().try_for_each(|&m| played.push(m)).ok()?;
    Some(played)
}

fn start(record: &GameRecord) -> anyhow::Result<Position> {
    let position = notation::parse(&record.start, Some(Size::new(record.size)?));
    position.with_context(|| format!("game {}: '{}'", record.game, record.start))
}

/// Returns the whole game, from a start position.
fn game(record: &GameRecord, mut start: Position) -> anyhow::Result<Game> {
    let opening = start.moves().len();
    for made in &record.moves {
        for &m in moves::parse(&made.point, start.size())?.moves() {
            start.push(m).with_context(|| format!("game {}", record.game))?;
        }
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
    use std::time::Duration;

    use super::*;

    fn record() -> GameRecord {
        GameRecord {
            game: 7,
            date: Some("2026-11-24".into()),
            black: "a]b".into(),
            white: "c".into(),
            rule: "renju".into(),
            size: 15,
            opening: 1,
            regulation: None,
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
        let text = sgf(&record(), &[]).unwrap();
        assert_eq!(
            text,
            "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[4]RE[W+1]PB[a\\]b]PW[c]GN[7]DT[2026-11-24]ON[D2]TE[foul: 33]\n\
             ;B[hh]C[opening]\n;W[hg]C[opening]\n;B[if]C[12 ms, score -3, depth 9]MS[12])\n"
        );
        let setup =
            GameRecord { start: "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o".into(), ..record() };
        assert!(sgf(&setup, &[]).unwrap().contains("AB[hh]\n;W[if]"));
    }

    #[test]
    fn sgf_tells_time_and_how_the_game_ended() {
        let contestant = |name: &str, time: TimeControl| Contestant {
            name: name.into(),
            time,
            ..Contestant::new("engine".into(), Vec::new())
        };
        let second = Duration::from_secs(1);
        let game = TimeControl { game: Some(60 * second), increment: second, ..TimeControl::default() };
        let turn = TimeControl { turn: Some(second), ..TimeControl::default() };
        let told = |record: &GameRecord, times: [TimeControl; 2]| {
            sgf(record, &[contestant("c", times[1]), contestant("a]b", times[0])]).unwrap()
        };
        let time_loss = GameRecord { end: End::Fault(FaultKind::Overtime), ..record() };
        for (end, times, expected) in [
            (
                End::Fault(FaultKind::Overtime),
                [game; 2],
                &["RE[W+T]", "TM[60]OT[1 s added after each move]"][..],
            ),
            (End::Fault(FaultKind::Silence), [turn; 2], &["RE[W+T]", "OT[1 s for each move]"]),
            (End::Fault(FaultKind::Crash), [TimeControl::default(); 2], &["RE[W+F]"]),
            (
                End::Resigned,
                [game, turn],
                &["RE[W+R]", "OT[Black 60 s, 1 s added after each move; White 1 s for each move]"],
            ),
            (End::Five, [TimeControl::default(); 2], &["RE[W+1]"]),
        ] {
            let text = told(&GameRecord { end, ..time_loss.clone() }, times);
            assert!(expected.iter().all(|part| text.contains(part)), "{end}: {text}");
        }
        let drawn = GameRecord { result: "1/2-1/2".into(), end: End::Agreement, ..record() };
        assert!(told(&drawn, [game; 2]).contains("RE[0]"));
    }

    #[test]
    fn psq_counts_from_one_and_from_the_top() {
        assert_eq!(
            psq(&record()).unwrap().unwrap(),
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,7,0\n9,6,12\na]b\nc\n2,foul: 33\n"
        );
    }

    #[test]
    fn psq_has_setup_stones_in_turn() {
        let starting = |start: &str| psq(&GameRecord { start: start.into(), ..record() }).unwrap();
        let text = starting("15/15/15/15/15/15/6oo7/7x7/15/15/15/15/15/15/14x x").unwrap();
        let rows: Vec<&str> = text.lines().skip(1).take(5).collect();
        let points: Vec<&str> = rows.iter().map(|row| row.rsplit_once(',').unwrap().0).collect();
        let (black, white) = (["8,8", "15,15"], ["7,7", "8,7"]);
        assert!(black.contains(&points[0]) && black.contains(&points[2]), "{text}");
        assert!(white.contains(&points[1]) && white.contains(&points[3]), "{text}");
        assert_eq!(rows[4], "9,6,12");
        assert_eq!(starting("15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 x"), None, "White is to move");
        assert_eq!(starting("15/15/15/15/15/15/15/7o7/15/15/15/15/15/15/15 x"), None, "Black begins");
    }

    /// A Piskvork file is a list of stones in turn: without the pass all stones after it would change their colour.
    #[test]
    fn psq_of_a_game_with_a_pass_is_left_out() {
        let mut passed = record();
        passed.moves.insert(0, MoveRecord { point: "--".into(), ..passed.moves[0].clone() });
        assert_eq!(psq(&passed).unwrap(), None);
        assert_eq!(psq(&GameRecord { start: "h8--h9".into(), ..record() }).unwrap(), None);
    }
}
