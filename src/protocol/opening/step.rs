//! Commands of an opening, and the state of the opening that each describes.

use crate::game::regulation::fifths::Pattern;
use crate::game::regulation::{Action, Choice, Opening, Refusal, Regulation};
use crate::game::{Point, Size};
use crate::protocol::square::{Square, number};

/// Data that follows the word of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// No data: there are no stones yet.
    Nothing,
    /// No data: the stones were sent before, by `YXBOARD`.
    Board,
    /// Lines with stones, up to `DONE`.
    Stones,
    /// Lines with stones up to `DONE`, and a line with the fifths that are offered.
    StonesThenFifths,
    /// Lines with four stones and the fifths that are offered, up to `DONE`.
    StonesAndFifths,
}

/// Form of the reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Squares, or `SWAP`.
    Gomocup,
    /// Lines of `MESSAGE` with this word.
    Yixin(&'static str),
}

/// Decision asked for once the stones are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ask {
    /// Any choice that the regulation allows.
    Any,
    /// The step after the choice of colours, which has been made.
    Next,
    /// The choice of a fifth, and the sixth.
    Fifth,
    /// The next step, if all stones were put one at a time.
    Single,
    /// The next step, if the last two stones were put at once.
    Couple,
}

/// A line of the table of commands.
#[derive(Debug)]
struct Row {
    word: &'static str,
    /// The regulation with a number of fifths.
    regulation: fn(usize) -> Regulation,
    /// Numbers of stones that the command may come with.
    stones: &'static [usize],
    ask: Ask,
    input: Input,
    form: Form,
}

/// A command of several lines in the form of the Gomocup protocol.
const fn row(
    word: &'static str,
    regulation: fn(usize) -> Regulation,
    stones: &'static [usize],
    ask: Ask,
) -> Row {
    let input = if matches!(ask, Ask::Fifth) { Input::StonesThenFifths } else { Input::Stones };
    Row { word, regulation, stones, ask, input, form: Form::Gomocup }
}

/// A command of the Yixin-Board dialect.
const fn yixin(
    word: &'static str,
    regulation: fn(usize) -> Regulation,
    stones: &'static [usize],
    ask: Ask,
    input: Input,
    tag: &'static str,
) -> Row {
    Row { word, regulation, stones, ask, input, form: Form::Yixin(tag) }
}

const SWAP1: fn(usize) -> Regulation = |_| Regulation::Swap1;
const SWAP: fn(usize) -> Regulation = |_| Regulation::Swap;
const SWAP2: fn(usize) -> Regulation = |_| Regulation::Swap2;
const SWAP5: fn(usize) -> Regulation = |_| Regulation::Swap5;
const PRO: fn(usize) -> Regulation = |_| Regulation::Pro;
const LONG_PRO: fn(usize) -> Regulation = |_| Regulation::LongPro;
const RIF: fn(usize) -> Regulation = |_| Regulation::Rif;
const YAMAGUCHI: fn(usize) -> Regulation = |_| Regulation::Yamaguchi;
const SOOSORV: fn(usize) -> Regulation = Regulation::Soosorv;
const SUPER_SAKATA: fn(usize) -> Regulation = |_| Regulation::SuperSakata;
const TARANNIKOV: fn(usize) -> Regulation = |_| Regulation::Tarannikov;
const LIANHUAN: fn(usize) -> Regulation = |_| Regulation::LianHuan;

/// The commands. If a step of one regulation equals that of another, only the simpler one is listed: Taraguchi's stones
/// and swaps are Tarannikov's, its offers are Soosõrv's, and Sakata's last choice is that of swap2.
static TABLE: [Row; 44] = [
    row("SWAP1STBOARD", SWAP1, &[0, 1], Ask::Any),
    row("SWAPBOARD", SWAP, &[0, 3], Ask::Any),
    row("SWAP2BOARD", SWAP2, &[0, 3, 5], Ask::Any),
    row("SWAP5STEP1", SWAP5, &[0], Ask::Any),
    row("SWAP5STEP2", SWAP5, &[1, 2, 3, 4, 5], Ask::Any),
    row("SWAP5STEP3", SWAP5, &[1, 2, 3, 4, 5], Ask::Next),
    row("PROBOARD", PRO, &[0, 1, 2], Ask::Any),
    row("LONGPROBOARD", LONG_PRO, &[0, 1, 2], Ask::Any),
    row("RIFSTEP1", RIF, &[0], Ask::Any),
    row("RIFSTEP2", RIF, &[3], Ask::Any),
    row("RIFSTEP3", RIF, &[3], Ask::Next),
    row("RIFSTEP4", RIF, &[4], Ask::Next),
    row("RIFSTEP5", RIF, &[4], Ask::Fifth),
    row("YAMAGUCHISTEP1", YAMAGUCHI, &[0], Ask::Any),
    row("YAMAGUCHISTEP2", YAMAGUCHI, &[3], Ask::Any),
    row("YAMAGUCHISTEP3", YAMAGUCHI, &[3], Ask::Next),
    row("YAMAGUCHISTEP4", YAMAGUCHI, &[4], Ask::Next),
    row("YAMAGUCHISTEP5", YAMAGUCHI, &[4], Ask::Fifth),
    row("SOOSYRVSTEP1", SOOSORV, &[0], Ask::Any),
    row("SOOSYRVSTEP2", SOOSORV, &[3], Ask::Any),
    row("SOOSYRVSTEP3", SOOSORV, &[3], Ask::Next),
    row("SOOSYRVSTEP4", SOOSORV, &[4], Ask::Any),
    row("SOOSYRVSTEP5", SOOSORV, &[4], Ask::Next),
    row("SOOSYRVSTEP6", SOOSORV, &[4], Ask::Fifth),
    row("TARAGUCHISTEP1", TARANNIKOV, &[0, 1, 2, 3, 4, 5], Ask::Next),
    row("TARAGUCHISTEP2", TARANNIKOV, &[1, 2, 3, 4, 5], Ask::Any),
    row("TARAGUCHISTEP3", SOOSORV, &[4], Ask::Next),
    row("TARAGUCHISTEP4", SOOSORV, &[4], Ask::Fifth),
    row("SAKATASTEP1", SUPER_SAKATA, &[0], Ask::Any),
    row("SAKATASTEP2", SUPER_SAKATA, &[3], Ask::Any),
    row("SAKATASTEP3", SWAP2, &[5], Ask::Any),
    row("TARANNIKOVSTEP1", TARANNIKOV, &[0, 1, 2, 3, 4, 5], Ask::Next),
    row("TARANNIKOVSTEP2", TARANNIKOV, &[1, 2, 3, 4, 5], Ask::Any),
    row("LIANHUANSTEP1", LIANHUAN, &[0, 1, 2, 3, 4], Ask::Single),
    row("LIANHUANSTEP2", LIANHUAN, &[2, 3, 4, 5], Ask::Couple),
    yixin("YXSWAP2STEP1", SWAP2, &[0], Ask::Any, Input::Nothing, "SWAP2"),
    yixin("YXSWAP2STEP2", SWAP2, &[3], Ask::Any, Input::Board, "SWAP2"),
    yixin("YXSWAP2STEP3", SWAP2, &[5], Ask::Any, Input::Board, "SWAP2"),
    yixin("YXSOOSORVSTEP1", SOOSORV, &[0], Ask::Any, Input::Nothing, "SOOSORV"),
    yixin("YXSOOSORVSTEP2", SOOSORV, &[3], Ask::Any, Input::Stones, "SOOSORV"),
    yixin("YXSOOSORVSTEP3", SOOSORV, &[3], Ask::Next, Input::Stones, "SOOSORV"),
    yixin("YXSOOSORVSTEP4", SOOSORV, &[4], Ask::Any, Input::Stones, "SOOSORV"),
    yixin("YXSOOSORVSTEP5", SOOSORV, &[4], Ask::Next, Input::Stones, "SOOSORV"),
    yixin("YXSOOSORVSTEP6", SOOSORV, &[4], Ask::Fifth, Input::StonesAndFifths, "SOOSORV"),
];

/// Number of fifths if the command gives none: that of the world championships.
const USUAL: usize = 8;
/// Taraguchi's usual number.
const TARAGUCHI: usize = 10;
/// Largest number of fifths that a command may ask for, as in the names of regulations.
const MOST: i64 = 99;

/// A step of an opening's choice, as a command names it.
#[derive(Clone, Copy, Debug)]
pub struct OpeningStep {
    row: &'static Row,
    /// The number of fifths; `None` if the command has another text in its place.
    number: Option<usize>,
}

impl PartialEq for OpeningStep {
    fn eq(&self, other: &OpeningStep) -> bool {
        (self.row.word, self.number) == (other.row.word, other.number)
    }
}

impl Eq for OpeningStep {}

impl OpeningStep {
    /// Parses a command's word in upper case and the rest of its line; `None` for other words. A wrong number is not an
    /// error here, or the lines that follow would be taken for commands: [`Self::opening`] reports it.
    pub fn parse(word: &str, rest: &str) -> Option<OpeningStep> {
        let row = TABLE.iter().find(|row| row.word == word)?;
        let usual = if word.starts_with("TARAGUCHI") { TARAGUCHI } else { USUAL };
        let number = match rest.trim() {
            "" => Some(usual),
            text => number(text).filter(|n| (1..=MOST).contains(n)).map(|n| n as usize),
        };
        Some(OpeningStep { row, number })
    }

    /// Returns the data that follows the word.
    pub fn input(&self) -> Input {
        self.row.input
    }

    /// Returns the form of the reply.
    pub fn form(&self) -> Form {
        self.row.form
    }

    /// Builds the opening in progress that the command describes: its stones and the fifths offered.
    ///
    /// # Errors
    /// If they are not a valid step; the text says why.
    pub fn opening(&self, size: Size, stones: &[Point], fifths: &[Point]) -> Result<Opening, String> {
        let Row { word, regulation, stones: expected, ask, .. } = self.row;
        if !expected.contains(&stones.len()) {
            let numbers: Vec<String> = expected.iter().map(ToString::to_string).collect();
            return Err(format!("{word} has {} stones, not {}", numbers.join(" or "), stones.len()));
        }
        let fifth = *ask == Ask::Fifth;
        let mut number = self.number.ok_or("expected a number of fifth moves")?;
        // Yixin-Board does not check that its user's fifths are different, and would wait for ever after an error.
        let fifths = match (stones, self.form()) {
            (&[first, second, third, fourth], Form::Yixin(_)) => {
                Pattern::of([first, second, third, fourth]).distinct(fifths)
            }
            _ => fifths.to_vec(),
        };
        if fifth {
            number = fifths.len();
        }
        if number == 0 {
            return Err("expected the fifth moves that are offered".to_owned());
        }
        let mut opening = regulation(number).start(size).map_err(|e| e.to_string())?;
        let reason = |refusal| reason(&refusal, size);
        put(&mut opening, stones, number, *ask, reason)?;
        if *ask != Ask::Any && opening.choices().contains(&Choice::Keep) {
            opening.apply(&Action::Keep).map_err(reason)?;
        }
        if fifth {
            opening.apply(&Action::Offer(fifths)).map_err(reason)?;
        }
        Ok(opening)
    }
}

/// Puts stones in the order of the regulation. At every choice of colours they are kept.
fn put(
    opening: &mut Opening,
    stones: &[Point],
    number: usize,
    ask: Ask,
    reason: impl Fn(Refusal) -> String,
) -> Result<(), String> {
    let mut rest = stones;
    while !rest.is_empty() {
        let choices = opening.choices();
        let most = match ask {
            Ask::Single => 1,
            Ask::Couple if rest.len() != 2 => 1,
            _ => usize::MAX,
        };
        // If there are two ways to put stones, the last one puts more.
        let place = choices.iter().rev().find_map(|choice| match choice {
            Choice::Place { zones, declare, .. } if zones.len() <= most => {
                Some((rest.split_at_checked(zones.len())?, *declare))
            }
            _ => None,
        });
        let action = match place {
            Some(((now, later), declare)) => {
                rest = later;
                Action::Place { stones: now.to_vec(), declare: declare.map(|_| number) }
            }
            None if choices.contains(&Choice::Keep) => Action::Keep,
            None => return Err("these stones do not fit this step of the opening".to_owned()),
        };
        opening.apply(&action).map_err(&reason)?;
    }
    Ok(())
}

/// Returns the text of a refusal, with its points in the protocol's notation.
fn reason(refusal: &Refusal, size: Size) -> String {
    let square = |p| Square::of(p, size);
    match *refusal {
        Refusal::Area { number, point, area } => {
            format!("stone {number} must be put {area}: {} is not allowed", square(point))
        }
        Refusal::Symmetric(p, q) => {
            format!("{} and {} are symmetric: they count as one fifth move", square(p), square(q))
        }
        _ => refusal.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::notation::parse;

    /// The number of fifths is eight in the world championships, and ten in Taraguchi-10.
    #[test]
    fn the_usual_number_of_fifths_is_understood() {
        let position = parse("h8h9i9g8", None).unwrap();
        let stones: Vec<Point> = position.stones().map(|(p, _)| p).collect();
        let opening = |word, rest| OpeningStep::parse(word, rest).unwrap().opening(Size::S15, &stones, &[]);
        for (word, rest, expected) in [
            ("SOOSYRVSTEP5", "", 8),
            ("SOOSYRVSTEP5", " 3 ", 3),
            ("YXSOOSORVSTEP5", "", 8),
            ("TARAGUCHISTEP3", "", 10),
            ("TARAGUCHISTEP3", "5", 5),
        ] {
            let choices = opening(word, rest).unwrap().choices();
            let is_offer = matches!(choices[..], [Choice::Offer { count, .. }] if count == expected);
            assert!(is_offer, "{word} {rest}: {choices:?}");
        }
        for wrong in ["0", "100", "-1", "x", "5 5"] {
            assert!(opening("SOOSYRVSTEP5", wrong).is_err(), "{wrong}");
        }
    }
}
