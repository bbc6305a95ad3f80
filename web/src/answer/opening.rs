//! Opening regulations, step by step. The engine has the rules; a page sends the actions so far and gets the choices.

use anyhow::{Context, Result, ensure};

use super::convert::{self, names};
use crate::schema::tell::{Choice, RegulationName, Zone};
use crate::schema::{Tell, tell};
use kagetsu::game::PointSet;
use kagetsu::game::regulation::{self, Action, Opening, Regulation, Seat};

/// Actions of the longest opening: Super Sakata goes on as long as the players want.
const LONGEST: usize = 600;

/// The regulations: name, title, description, and whether it belongs to Renju.
const NAMES: [(&str, &str, &str, bool); 17] = [
    ("plain", "Centre first", "The first stone in the centre, then free moves.", true),
    ("rif", "RIF (1996–2008)", "An opening, a swap, stone 4, two fifths of which White keeps one.", true),
    ("swap-renju", "Swap (1989–95)", "As RIF, the three stones put in turn.", true),
    ("yamaguchi", "Yamaguchi", "The number of fifths is declared with the opening.", true),
    (
        "soosorv:8",
        "Soosõrv-8",
        "Up to 8 fifths, declared with stone 4; two swaps. World championships since 2017.",
        true,
    ),
    ("tarannikov", "Tarannikov", "A swap after each of five stones.", true),
    ("taraguchi:10", "Taraguchi-10", "As Tarannikov, or ten fifths instead of stone 5.", true),
    ("super-taraguchi:10", "Super Taraguchi-10", "As Taraguchi-10 in wider squares.", true),
    ("sakata", "Sakata", "One stone 5 in the central 7×7; known from one secondary source.", true),
    (
        "super-sakata",
        "Super Sakata",
        "Two stones of the opponent, then a choice of colour or two more stones.",
        true,
    ),
    (
        "lianhuan",
        "LianHuan",
        "One or two stones at a time; after two the opponent may swap. China, 2011.",
        true,
    ),
    ("swap", "Swap", "Three stones anywhere, then the opponent chooses the colour.", false),
    ("swap1", "Swap1", "One stone anywhere, then the opponent chooses the colour.", false),
    (
        "swap2",
        "Swap2",
        "Three stones; the opponent chooses, or puts two more and lets the first choose.",
        false,
    ),
    ("swap5", "Swap5", "A swap after each of five stones anywhere.", false),
    ("pro", "Pro", "The first stone in the centre, the third outside the central 5×5.", false),
    ("longpro", "Long Pro", "The first stone in the centre, the third outside the central 7×7.", false),
];

/// The regulations, for a list to choose from.
pub fn catalogue() -> Vec<RegulationName> {
    let name = |&(name, title, about, renju): &(&str, &str, &str, bool)| RegulationName {
        name: name.into(),
        title: title.into(),
        about: about.into(),
        renju,
    };
    NAMES.iter().map(name).collect()
}

/// The opening after these actions.
///
/// # Errors
/// If one of them is not legal, or not an action.
pub fn read(regulation: &str, size: u8, actions: &[String]) -> Result<Opening> {
    let regulation: Regulation = regulation.parse()?;
    let size = convert::size(size)?;
    ensure!(
        actions.len() <= LONGEST,
        "the opening has {} actions: expected at most {LONGEST}",
        actions.len()
    );
    let mut opening = regulation.start(size)?;
    for (i, text) in actions.iter().enumerate() {
        let step = || format!("step {}", i + 1);
        let action = Action::parse(text, size).with_context(step)?;
        opening.apply(&action).with_context(step)?;
    }
    Ok(opening)
}

/// The state of an opening.
pub fn state(regulation: &str, size: u8, actions: &[String]) -> Result<Tell> {
    let opening = read(regulation, size, actions)?;
    let number = |seat: Seat| seat.index() as u8 + 1;
    Ok(Tell::Opening(tell::Opening {
        moves: opening.position().moves().iter().map(|&turn| convert::turn_name(turn)).collect(),
        seat: number(opening.seat()),
        black: number(opening.holder(kagetsu::game::Color::Black)),
        over: opening.is_over(),
        choices: opening.choices().iter().map(|choice| of_choice(choice, &opening)).collect(),
        offered: names(opening.offered()),
        declared: opening.declared().map(|number| number as u32),
    }))
}

fn of_choice(choice: &regulation::Choice, opening: &Opening) -> Choice {
    let text = choice.to_string();
    match choice {
        regulation::Choice::Place { first, zones, declare } => Choice::Place {
            text,
            first: *first as u32,
            zones: zones
                .iter()
                .map(|zone| Zone { text: zone.area.to_string(), points: names(&points(&zone.points)) })
                .collect(),
            declare: declare.map(|most| most as u32),
        },
        regulation::Choice::Keep => Choice::Keep,
        regulation::Choice::Swap => Choice::Swap,
        regulation::Choice::Offer { count, points: open, pattern } => {
            let mut left = *open;
            let mut classes = Vec::new();
            while let Some(p) = left.first() {
                let class: Vec<_> = pattern
                    .class(p, opening.position().size())
                    .iter()
                    .filter(|&q| open.contains(q))
                    .collect();
                left.remove(p);
                class.iter().for_each(|&q| left.remove(q));
                if class.len() > 1 {
                    classes.push(names(&class));
                }
            }
            Choice::Offer { text, count: *count as u32, classes }
        }
        regulation::Choice::Choose { fifths, .. } => Choice::Choose { text, fifths: names(fifths) },
    }
}

fn points(set: &PointSet) -> Vec<kagetsu::game::Point> {
    set.iter().collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn at(regulation: &str, actions: &[&str]) -> tell::Opening {
        let actions: Vec<String> = actions.iter().map(|text| text.to_string()).collect();
        let Tell::Opening(opening) = state(regulation, 15, &actions).unwrap() else { panic!("an opening") };
        opening
    }

    #[test]
    fn no_regulation_is_missing() {
        let named: Vec<String> = catalogue().into_iter().map(|entry| entry.name).collect();
        let plain = |text: &str| text.split(['[', ':']).next().unwrap_or_default().to_owned();
        for spelling in Regulation::SPELLINGS {
            let known = named.iter().any(|name| name == spelling || plain(name) == plain(spelling));
            assert!(known, "{spelling} is not offered");
        }
    }

    #[test]
    fn every_regulation_starts() {
        for name in catalogue() {
            let start = at(&name.name, &[]);
            assert!(!start.over && !start.choices.is_empty() && start.seat == 1, "{}", name.name);
        }
    }

    #[test]
    fn zones_and_offers() {
        let start = at("rif", &[]);
        let Choice::Place { zones, declare: None, .. } = &start.choices[0] else { panic!("{start:?}") };
        assert_eq!(zones.iter().map(|zone| zone.points.len()).collect::<Vec<_>>(), [1, 9, 25]);
        let offer = at("rif", &["h8 h9 h10", "keep", "h7"]);
        let Choice::Offer { count: 2, classes, .. } = &offer.choices[0] else { panic!("{offer:?}") };
        assert!(
            classes.contains(&vec!["g8".to_string(), "i8".to_string()]),
            "the stones stand in one column"
        );
        let error =
            state("rif", 15, &["h8 h9 h10", "keep", "h7", "offer g8 i8"].map(String::from)).err().unwrap();
        assert!(format!("{error:#}").contains("symmetric"), "{error:#}");
    }
}
