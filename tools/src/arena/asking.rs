//! Questions to an engine about a step of an opening, by `SWAP2BOARD` and AlphaGomoku's extension of it, and the meaning of
//! its answers.
//!
//! CITE: M. Kozarzewski, "Gomocup protocol extensions", AlphaGomoku, doc/protocols/protocols.tex. The stones so far follow
//! the command, then DONE; where fifth moves are to be chosen from, they stand in one line after it. An answer that keeps
//! the colours is the next step: a stone, or the fifths. The protocol has no word for Taraguchi's choice of fifths after
//! the fourth stone: an engine makes that choice by naming as many points as there are fifths.

use std::fmt::Write as _;

use super::reply::Named;
use kagetsu::game::notation::gomocup;
use kagetsu::game::regulation::{Action, Choice, Opening, Regulation};
use kagetsu::game::{Point, Size};
use kagetsu::invalid::Invalid;

/// Returns whether engines can be asked for every step of a regulation.
pub fn is_complete(regulation: Regulation) -> bool {
    !matches!(
        regulation,
        Regulation::SwapRenju { .. }
            | Regulation::SuperTaraguchi(_)
            | Regulation::Sakata
            // Engines can be asked for its steps only while nobody adds two more stones.
            | Regulation::SuperSakata
    )
}

/// A step of an opening, as a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The word of the command.
    pub word: &'static str,
    /// All its lines.
    pub text: String,
}

/// The command for the next step; `None` if there is none.
pub fn question(opening: &Opening) -> Option<Question> {
    let stones: Vec<Point> = opening.position().stones().map(|(p, _)| p).collect();
    let choices = opening.choices();
    let has = |wanted: fn(&Choice) -> bool| choices.iter().any(wanted);
    let step = Step {
        stones: stones.len(),
        swaps: has(|choice| *choice == Choice::Swap),
        chooses: has(|choice| matches!(choice, Choice::Choose { .. })),
    };
    let (word, number) = step.command(opening)?;
    let size = opening.position().size();
    let mut text = String::from(word);
    // Writing to a string cannot fail.
    if let Some(number) = number {
        let _ = write!(text, " {number}");
    }
    text.push('\n');
    for &p in &stones {
        let _ = writeln!(text, "{}", gomocup::print_point(p, size));
    }
    text.push_str("DONE\n");
    if step.chooses {
        let fifths: Vec<String> = opening.offered().iter().map(|&p| gomocup::print_point(p, size)).collect();
        let _ = writeln!(text, "{}", fifths.join(" "));
    }
    Some(Question { word, text })
}

/// Facts that decide the command of a step, besides the regulation.
struct Step {
    stones: usize,
    /// The colours may be swapped.
    swaps: bool,
    /// A fifth move is to be chosen.
    chooses: bool,
}

impl Step {
    /// The word of the command and the number behind it.
    fn command(&self, opening: &Opening) -> Option<(&'static str, Option<usize>)> {
        let Step { stones, swaps, chooses } = *self;
        let of_swaps = |with: &'static str, without: &'static str| if swaps { with } else { without };
        let declared = opening.declared();
        Some(match opening.regulation() {
            Regulation::Swap1 => ("SWAP1STBOARD", None),
            Regulation::Swap => ("SWAPBOARD", None),
            Regulation::Swap2 => ("SWAP2BOARD", None),
            Regulation::Swap5 if stones == 0 => ("SWAP5STEP1", None),
            Regulation::Swap5 => (of_swaps("SWAP5STEP2", "SWAP5STEP3"), None),
            Regulation::Pro => ("PROBOARD", None),
            Regulation::LongPro => ("LONGPROBOARD", None),
            Regulation::SwapRenju { .. } if stones < 3 => return None,
            Regulation::Rif | Regulation::SwapRenju { .. } => match stones {
                0 => ("RIFSTEP1", None),
                3 => (of_swaps("RIFSTEP2", "RIFSTEP3"), None),
                _ if chooses => ("RIFSTEP5", None),
                _ => ("RIFSTEP4", None),
            },
            Regulation::Yamaguchi => match stones {
                0 => ("YAMAGUCHISTEP1", None),
                3 => (of_swaps("YAMAGUCHISTEP2", "YAMAGUCHISTEP3"), declared),
                _ if chooses => ("YAMAGUCHISTEP5", declared),
                _ => ("YAMAGUCHISTEP4", declared),
            },
            Regulation::Soosorv(most) => match stones {
                0 => ("SOOSYRVSTEP1", Some(most)),
                3 => (of_swaps("SOOSYRVSTEP2", "SOOSYRVSTEP3"), Some(most)),
                _ if chooses => ("SOOSYRVSTEP6", declared),
                _ => (of_swaps("SOOSYRVSTEP4", "SOOSYRVSTEP5"), declared),
            },
            Regulation::Tarannikov => (of_swaps("TARANNIKOVSTEP2", "TARANNIKOVSTEP1"), None),
            Regulation::Taraguchi(fifths) if chooses => ("TARAGUCHISTEP4", Some(fifths)),
            Regulation::Taraguchi(fifths) => (of_swaps("TARAGUCHISTEP2", "TARAGUCHISTEP1"), Some(fifths)),
            Regulation::SuperSakata => match stones {
                0 => ("SAKATASTEP1", None),
                3 => ("SAKATASTEP2", None),
                5 => ("SAKATASTEP3", None),
                _ => return None,
            },
            Regulation::LianHuan => (of_swaps("LIANHUANSTEP2", "LIANHUANSTEP1"), None),
            Regulation::Plain { .. } | Regulation::SuperTaraguchi(_) | Regulation::Sakata => return None,
        })
    }
}

/// Effect of an answer: actions one after another, and a stone after the opening's end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Meant {
    /// The actions.
    pub actions: Vec<Action>,
    /// The first free move: an answer that keeps the colours at the end of an opening names it.
    pub after: Option<Point>,
}

/// Reads an answer in this opening.
///
/// # Errors
/// If it names no point of the board. Legality is left to the regulation.
pub fn meant(answer: &Named, opening: &Opening) -> Result<Meant, Invalid> {
    let Named::Stones { stones, number } = answer else {
        return Ok(Meant { actions: vec![Action::Swap], after: None });
    };
    let size = opening.position().size();
    let stones: Vec<Point> = stones
        .iter()
        .map(|&(x, y)| point(x, y, size).ok_or_else(|| format!("{x},{y} is off the board")))
        .collect::<Result<_, _>>()?;
    if let Some(action) = of_choices(&stones, *number, &opening.choices()) {
        return Ok(Meant { actions: vec![action], after: None });
    }
    let mut kept = opening.clone();
    if opening.choices().contains(&Choice::Keep) && kept.apply(&Action::Keep).is_ok() {
        if let (true, &[p]) = (kept.is_over(), &stones[..]) {
            return Ok(Meant { actions: vec![Action::Keep], after: Some(p) });
        }
        if let Some(next) = of_choices(&stones, *number, &kept.choices()) {
            return Ok(Meant { actions: vec![Action::Keep, next], after: None });
        }
    }
    // No legal answer. The regulation reports the fault when the action is taken.
    Ok(Meant { actions: vec![Action::Place { stones, declare: *number }], after: None })
}

/// Returns the action that these stones stand for, if a choice allows that number of stones.
fn of_choices(stones: &[Point], number: Option<usize>, choices: &[Choice]) -> Option<Action> {
    choices.iter().find_map(|choice| match (choice, stones) {
        (Choice::Place { zones, declare, .. }, _) if zones.len() == stones.len() => {
            Some(Action::Place { stones: stones.to_vec(), declare: number.filter(|_| declare.is_some()) })
        }
        (Choice::Offer { count, .. }, _) if *count == stones.len() || choices.len() == 1 => {
            Some(Action::Offer(stones.to_vec()))
        }
        (Choice::Choose { .. }, &[fifth, sixth]) => Some(Action::Choose { fifth, sixth }),
        _ => None,
    })
}

fn point(x: i64, y: i64, size: Size) -> Option<Point> {
    gomocup::point(usize::try_from(x).ok()?, usize::try_from(y).ok()?, size)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::table::wording::tests::opening;

    /// The commands as AlphaGomoku's text has them.
    #[test]
    fn every_step_has_its_command() {
        let three = "7,7\n7,6\n8,6\n";
        for (regulation, actions, expected) in [
            ("swap1", &[][..], "SWAP1STBOARD\nDONE\n".to_owned()),
            ("swap2", &["D4"], format!("SWAP2BOARD\n{three}DONE\n")),
            ("swap5", &["h8", "swap"], "SWAP5STEP3\n7,7\nDONE\n".into()),
            ("rif", &["D4"], format!("RIFSTEP2\n{three}DONE\n")),
            ("rif", &["D4", "swap"], format!("RIFSTEP3\n{three}DONE\n")),
            ("rif", &["D4", "keep", "g9"], format!("RIFSTEP4\n{three}6,6\nDONE\n")),
            ("rif", &["D4", "keep", "g9", "offer h10 i7"], format!("RIFSTEP5\n{three}6,6\nDONE\n7,5 8,8\n")),
            ("swap-renju", &["h8", "h9", "i9"], format!("RIFSTEP2\n{three}DONE\n")),
            ("yamaguchi", &["D4 declare 3"], format!("YAMAGUCHISTEP2 3\n{three}DONE\n")),
            ("soosorv:8", &[], "SOOSYRVSTEP1 8\nDONE\n".into()),
            ("soosorv:8", &["D4", "keep", "g9 declare 2"], format!("SOOSYRVSTEP4 2\n{three}6,6\nDONE\n")),
            (
                "soosorv:8",
                &["D4", "keep", "g9 declare 2", "swap"],
                format!("SOOSYRVSTEP5 2\n{three}6,6\nDONE\n"),
            ),
            ("tarannikov", &["h8"], "TARANNIKOVSTEP2\n7,7\nDONE\n".into()),
            ("tarannikov", &["h8", "keep"], "TARANNIKOVSTEP1\n7,7\nDONE\n".into()),
            ("taraguchi:10", &["h8"], "TARAGUCHISTEP2 10\n7,7\nDONE\n".into()),
            ("super-sakata", &["D4"], format!("SAKATASTEP2\n{three}DONE\n")),
            ("lianhuan", &["h8"], "LIANHUANSTEP1\n7,7\nDONE\n".into()),
            ("lianhuan", &["h8 h9"], "LIANHUANSTEP2\n7,7\n7,6\nDONE\n".into()),
            ("longpro", &["h8"], "LONGPROBOARD\n7,7\nDONE\n".into()),
        ] {
            assert_eq!(
                question(&opening(regulation, actions)).map(|q| q.text),
                Some(expected),
                "{regulation}"
            );
        }
        for (regulation, actions) in [("sakata", &[][..]), ("super-taraguchi", &[]), ("swap-renju", &["h8"])]
        {
            assert_eq!(question(&opening(regulation, actions)), None);
        }
    }

    #[test]
    fn answers_are_what_the_step_asks_for() {
        let meant = |regulation, actions: &[&str], line: &str| {
            let found = meant(&Named::parse(line).unwrap(), &opening(regulation, actions)).unwrap();
            let mut words: Vec<String> = found.actions.iter().map(ToString::to_string).collect();
            words.extend(found.after.map(|p| format!("then {p}")));
            words.join("; ")
        };
        assert_eq!(meant("yamaguchi", &[], "7,7 7,6 8,6 3"), "h8 h9 i9 declare 3");
        assert_eq!(meant("rif", &["D4"], "SWAP"), "swap");
        assert_eq!(meant("rif", &["D4"], "6,6"), "keep; g9");
        assert_eq!(meant("rif", &["D4", "keep", "g9"], "7,5 8,8"), "offer h10 i7");
        assert_eq!(meant("rif", &["D4", "keep", "g9"], "7,5"), "offer h10", "the regulation counts");
        assert_eq!(meant("rif", &["D4", "keep", "g9", "offer h10 i7"], "8,8 0,0"), "choose i7 a15");
        assert_eq!(meant("soosorv:8", &["D4"], "6,6 2"), "keep; g9 declare 2");
        assert_eq!(meant("soosorv:8", &["D4", "keep", "g9 declare 2"], "7,5 8,8"), "keep; offer h10 i7");
        assert_eq!(meant("swap", &["D4"], "6,6"), "keep; then g9");
        assert_eq!(meant("swap1", &["h8"], "6,6"), "keep; then g9");
        let fourth = ["h8", "keep", "h9", "keep", "i9", "keep", "g9"];
        assert_eq!(meant("taraguchi:2", &fourth, "7,5 8,8"), "offer h10 i7");
        assert_eq!(meant("taraguchi:2", &fourth, "7,5"), "h10");
        assert_eq!(meant("lianhuan", &["h8 h9"], "8,6 0,0"), "i9 a15");
        assert_eq!(meant("swap2", &["D4"], "1,1 2,2 3,3"), "b14 c13 d12", "three are too many");
    }
}
