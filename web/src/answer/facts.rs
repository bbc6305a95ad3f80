//! Judgement of a position by the rules.

use anyhow::Result;

use super::convert::{self, names};
use crate::schema::Tell;
use crate::schema::board::{self, Ends};
use crate::schema::facts::{Ended, Facts, Foul};
use kagetsu::game::openings26::Opening;
use kagetsu::game::{Board, Color, Outcome, Rule, notation};
use kagetsu::with_rule;

/// The facts of a position.
pub fn facts(given: &board::Position, ends: Ends) -> Result<Tell> {
    let (position, rule) = convert::position(given)?;
    let endings = convert::endings(ends, given.rule);
    let opening = Opening::of_position(&position).filter(|_| given.rule == board::Rule::Renju);
    with_rule!(rule, R => {
        let board = Board::<R>::from_position(&position)?;
        let outcome = board.outcome(&endings);
        let fouls = if R::fouls(Color::Black) { fouls(&board) } else { Vec::new() };
        Ok(Tell::Facts(Facts {
            side: position.side().into(),
            fouls,
            false_fouls: names(&false_fouls(&board)),
            ended: outcome.map(|outcome| ended(&board, outcome)),
            may_pass: outcome.is_none() && board.may_pass(&endings),
            may_agree: endings.agreement,
            opening: opening.map(|o| (o.code.to_owned(), format!("{} ({})", o.romaji, o.meaning()))),
            text: notation::print(&position),
        }))
    })
}

fn fouls<R: Rule>(board: &Board<R>) -> Vec<Foul> {
    let kinds = |p| board.foul_kinds(p).names().map(String::from).collect();
    board.fouls().iter().map(|p| Foul { point: p.to_string(), kinds: kinds(p) }).collect()
}

fn false_fouls<R: Rule>(board: &Board<R>) -> Vec<kagetsu::game::Point> {
    if !R::fouls(Color::Black) {
        return Vec::new();
    }
    board.empty().iter().filter(|&p| board.is_false_foul(p)).collect()
}

fn ended<R: Rule>(board: &Board<R>, outcome: Outcome) -> Ended {
    let row = board.find_row().map_or_else(Vec::new, |(_, row)| names(&row));
    let text = match outcome {
        Outcome::Row(color) => format!("{color} wins"),
        Outcome::Foul(kinds) => format!("white wins: black's move is forbidden ({})", kinds_in_words(kinds)),
        Outcome::Draw(draw) => format!("draw: {draw}"),
    };
    Ended { text, winner: outcome.winner().map(Into::into), row }
}

fn kinds_in_words(kinds: kagetsu::game::FoulKinds) -> String {
    let word = |name| match name {
        "6" => "overline",
        "44" => "double four",
        _ => "double three",
    };
    kinds.names().map(word).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::schema::board::{Position, Rule};
    use kagetsu::game::Size;

    fn of(text: &str, rule: Rule, ends: Ends) -> Facts {
        let position = notation::parse(text, Some(Size::S15)).unwrap();
        let given: Position = convert::of_position(&position, rule);
        let Tell::Facts(facts) = facts(&given, ends).unwrap() else { panic!("facts are facts") };
        facts
    }

    #[test]
    fn fouls_by_kind() {
        let facts = of("f8a1g8a3h9a5h10a7", Rule::Renju, Ends::Plain);
        assert_eq!(facts.fouls.len(), 1);
        assert_eq!(
            (facts.fouls[0].point.as_str(), &facts.fouls[0].kinds[..]),
            ("h8", &["33".to_string()][..])
        );
        assert!(facts.ended.is_none() && facts.may_pass && !facts.may_agree);
        assert!(of("f8a1g8a3h9a5h10a7", Rule::Standard, Ends::Plain).fouls.is_empty());
    }

    #[test]
    fn ends_are_told() {
        let facts = of("d4a1e4a2f4a3g4a4h4", Rule::Renju, Ends::Plain);
        assert!(!facts.may_pass, "the game is over");
        let won = facts.ended.unwrap();
        assert_eq!((won.text.as_str(), won.winner), ("black wins", Some(board::Color::Black)));
        assert_eq!(won.row, ["d4", "e4", "f4", "g4", "h4"]);
        let foul = of("f8a1g8a3h9a5h10a7h8", Rule::Renju, Ends::Plain).ended.unwrap();
        assert_eq!(foul.text, "white wins: black's move is forbidden (double three)");
        let draw = of("h8----", Rule::Renju, Ends::Rif).ended.unwrap();
        assert_eq!((draw.text.as_str(), draw.winner), ("draw: both sides passed", None));
        assert!(of("h8----", Rule::Renju, Ends::Gomocup).ended.is_none());
    }

    #[test]
    fn openings_have_names() {
        let (code, name) = of("h8h9i9", Rule::Renju, Ends::Plain).opening.unwrap();
        assert_eq!((code.as_str(), name.as_str()), ("D4", "Kagetsu (Flower Moon)"));
        assert!(of("h8h9i9", Rule::Standard, Ends::Plain).opening.is_none());
    }
}
