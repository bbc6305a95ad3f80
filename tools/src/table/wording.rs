//! Openings in words: what a step asks, how the possible actions are written, what a person meant, and the reasons of a
//! decision.

use kagetsu::decide::Decision;
use kagetsu::game::regulation::{Action, Choice, Opening};
use kagetsu::search::Score;

/// Returns the possible actions, one a line, the first after `who`.
pub fn question(who: &str, choices: &[Choice]) -> Vec<String> {
    let line = |(i, choice): (usize, &Choice)| match i {
        0 => format!("{who} {choice}"),
        _ => format!("{:>1$} {choice}", "or", who.chars().count()),
    };
    choices.iter().enumerate().map(line).collect()
}

/// Returns the written forms of the possible actions, in one line.
pub fn forms(choices: &[Choice]) -> String {
    let points = |count: usize| match count {
        0..=3 => vec!["POINT"; count].join(" "),
        _ => format!("POINT ... ({count} of them)"),
    };
    let form = |choice: &Choice| match choice {
        Choice::Place { zones, declare: None, .. } => points(zones.len()),
        Choice::Place { zones, declare: Some(_), .. } => format!("{} declare NUMBER", points(zones.len())),
        Choice::Keep => "keep".into(),
        Choice::Swap => "swap".into(),
        Choice::Offer { count, .. } => format!("offer {}", points(*count)),
        Choice::Choose { .. } => "choose FIFTH SIXTH".into(),
    };
    choices.iter().map(form).collect::<Vec<_>>().join(", or ")
}

/// Interprets an action as it was written: points without a word are an offer or a choice where only these are
/// possible.
pub fn meant(action: Action, opening: &Opening) -> Action {
    let Action::Place { stones, declare: None } = &action else { return action };
    let choices = opening.choices();
    let places =
        |choice: &Choice| matches!(choice, Choice::Place { zones, .. } if zones.len() == stones.len());
    if choices.iter().any(places) {
        return action;
    }
    let offers = |choice: &Choice| matches!(choice, Choice::Offer { .. });
    match (&stones[..], &choices[..]) {
        (&[fifth, sixth], [Choice::Choose { .. }]) => Action::Choose { fifth, sixth },
        (&[_, ..], choices) if choices.iter().any(offers) => Action::Offer(stones.clone()),
        _ => action,
    }
}

/// Returns the actions compared, each with its score for the player who decides.
pub fn reasons(decision: &Decision) -> impl Iterator<Item = String> {
    let text = |score: Option<Score>| score.map_or_else(|| "-".to_string(), |score| score.to_string());
    decision.reasons.iter().map(move |reason| format!("{:>14} {}", text(reason.score), reason.action))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use kagetsu::game::Size;
    use kagetsu::game::regulation::Regulation;

    /// Returns the opening after these actions.
    pub(crate) fn opening(regulation: &str, actions: &[&str]) -> Opening {
        let mut opening = regulation.parse::<Regulation>().unwrap().start(Size::S15).unwrap();
        for action in actions {
            opening.apply(&Action::parse(action, Size::S15).unwrap()).unwrap();
        }
        opening
    }

    #[test]
    fn points_without_a_word() {
        let meant = |regulation, actions: &[&str], text: &str| {
            let opening = opening(regulation, actions);
            meant(Action::parse(text, Size::S15).unwrap(), &opening).to_string()
        };
        let offer = ["D4", "keep", "g9"];
        assert_eq!(meant("rif", &offer, "h10 i7"), "offer h10 i7");
        assert_eq!(meant("rif", &offer, "h10 i7 j7"), "offer h10 i7 j7", "the regulation counts");
        assert_eq!(meant("rif", &offer, "swap"), "swap");
        assert_eq!(meant("rif", &["D4", "keep", "g9", "offer h10 i7"], "i7 g7"), "choose i7 g7");
        assert_eq!(meant("rif", &["D4", "keep"], "i7 g7"), "i7 g7", "nothing is offered here");
        let fourth = ["h8", "keep", "h9", "keep", "i9", "keep", "g9"];
        assert_eq!(meant("taraguchi:2", &fourth, "g8"), "g8", "the fifth stone itself");
        assert_eq!(meant("taraguchi:2", &fourth, "g8 a1"), "offer g8 a1");
        assert_eq!(meant("swap2", &["h8 h9 a1"], "g8 b1"), "g8 b1", "two more stones");
    }

    #[test]
    fn questions_say_who_and_how() {
        let choices = opening("taraguchi:5", &["h8", "keep", "h9", "keep", "i9", "keep", "g9"]).choices();
        let lines = question("you may", &choices);
        assert_eq!(lines[0], "you may swap");
        assert_eq!(lines[1], "     or put stone 5, black's, in the central 9x9");
        assert_eq!(lines.len(), 3);
        assert_eq!(forms(&choices), "swap, or POINT, or offer POINT ... (5 of them)");
        assert_eq!(forms(&opening("yamaguchi", &[]).choices()), "POINT POINT POINT declare NUMBER");
    }
}
