//! Parser of one line into a command. Pure: it knows neither the position nor the engine.

use super::block::{BlockKind, Lines};
use super::opening::step::{Input, OpeningStep};
use super::settings::Setting;
use super::square::{Square, number};
use crate::decide::Stones;
use crate::game::Size;
use crate::search::Score;

/// Command of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `ABOUT`
    About,
    /// `START n`, `START w h`, `RECTSTART w,h`: a new game.
    Start(Size),
    /// `RESTART`: a new game on the same board.
    Restart,
    /// `BEGIN`: move on the empty board.
    Begin,
    /// `TURN x,y`: the opponent's stone, to be answered.
    Turn(Square),
    /// `PLAY x,y`: a move that the manager chose for the engine.
    Play(Square),
    /// `TAKEBACK x,y`
    TakeBack(Square),
    /// `BOARD`, `YXBOARD`, `YXBLOCK`, `YXBLOCKUNDO`, `SWAP2BOARD` and other steps of an opening's choice: lines with
    /// squares follow, up to `DONE`. The same for unsupported commands that lines follow.
    Block(BlockKind),
    /// A step of an opening's choice without further lines.
    Opening(OpeningStep),
    /// `INFO key value`; `None` for keys without effect here and for values that make no sense. Never answered.
    Info(Option<Setting>),
    /// `STOP`, `YXSTOP`: answer now.
    Stop,
    /// `END`
    End,
    /// `YXSHOWINFO`
    ShowInfo,
    /// `YXSHOWFORBID`
    ShowFouls,
    /// `YXDRAW`: the opponent offers a draw.
    Draw,
    /// `YXHASHCLEAR`
    ClearHash,
    /// `YXBLOCKRESET`: no square is excluded any more.
    AdmitAll,
    /// `YXNBEST n`: the best lines, and a move. `YXSEARCHDEFEND` asks for a line of every move.
    Best(usize),
    /// `YXBALANCEONE b`, `YXBALANCETWO b`: one move or two that bring the score near `b`.
    Balance(Stones, i32),
}

/// Reason why a line is not a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Unknown command, answered by `UNKNOWN`.
    Unknown,
    /// A command with wrong arguments; answered `ERROR`.
    Invalid(&'static str),
}

const SIZES: Refusal = Refusal::Invalid("unsupported board size: expected 5 to 22, such as 15 or 20");
const SQUARE: Refusal = Refusal::Invalid("expected a square as x,y");

impl Command {
    /// Parses a line that is not blank. Words are matched in any case; blanks around arguments do not matter.
    ///
    /// `END` and `STOP` take effect as soon as they are read, whatever the line belongs to. So they must stand alone: a user's
    /// text, which Yixin-Board sends to its database, may have a line that begins with the same word.
    pub fn parse(line: &str) -> Result<Command, Refusal> {
        let line = line.trim();
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let stands_alone = rest.is_empty();
        let square = || Square::parse(rest).ok_or(SQUARE);
        Ok(match word.to_ascii_uppercase().as_str() {
            "ABOUT" => Command::About,
            "START" => Command::Start(size(rest.split_ascii_whitespace())?),
            "RECTSTART" => Command::Start(size(rest.split(','))?),
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => Command::Turn(square()?),
            "PLAY" => Command::Play(square()?),
            "TAKEBACK" => Command::TakeBack(square()?),
            "BOARD" => Command::Block(BlockKind::Board),
            "YXBOARD" => Command::Block(BlockKind::QuietBoard),
            "YXBLOCK" => Command::Block(BlockKind::Exclude),
            "YXBLOCKUNDO" => Command::Block(BlockKind::Admit),
            "YXBLOCKRESET" => Command::AdmitAll,
            "INFO" => Command::Info(Setting::parse(rest)),
            "STOP" | "YXSTOP" if stands_alone => Command::Stop,
            "END" if stands_alone => Command::End,
            "YXSHOWINFO" => Command::ShowInfo,
            "YXSHOWFORBID" => Command::ShowFouls,
            "YXDRAW" => Command::Draw,
            "YXHASHCLEAR" => Command::ClearHash,
            "YXNBEST" => Command::Best(lines(rest)?),
            // CITE: <https://github.com/dhbloo/rapfi>, `searchDefend` in `command/gomocup.cpp`.
            "YXSEARCHDEFEND" => Command::Best(usize::MAX),
            "YXBALANCEONE" => Command::Balance(Stones::One, bias(rest)?),
            "YXBALANCETWO" => Command::Balance(Stones::Two, bias(rest)?),
            word => match (Lines::after(word, rest), OpeningStep::parse(word, rest)) {
                (Some(lines), _) => Command::Block(BlockKind::Unsupported(lines)),
                (None, Some(step)) if matches!(step.input(), Input::Nothing | Input::Board) => {
                    Command::Opening(step)
                }
                (None, Some(step)) => Command::Block(BlockKind::Opening(step)),
                (None, None) => return Err(Refusal::Unknown),
            },
        })
    }

    /// Returns whether a line names a command that begins a game on a board of its own, whether or not the rest is right.
    pub fn names_a_start(line: &str) -> bool {
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        ["START", "RECTSTART"].iter().any(|name| word.eq_ignore_ascii_case(name))
    }

    /// Returns whether reading this command ends a running search at once; the move found so far is still sent. A new game does,
    /// and so does a first step of an opening in Yixin-Board's form: its "New" sends that step alone, even to an engine that is
    /// thinking, and skips the next answer, which is about the old game. CITE: <https://github.com/dhbloo/Yixin-Board>,
    /// `new_game_resetclock` in `main.c`.
    pub fn stops(&self) -> bool {
        match self {
            Command::Stop | Command::Start(_) | Command::Restart => true,
            Command::Opening(step) => step.input() == Input::Nothing,
            _ => false,
        }
    }

    /// Returns whether this command leaves no time for the move: an engine that is thinking about it when the
    /// command is read moves at once. Piskvork's "Continue" sends `INFO timeout_turn 0` to such an engine.
    /// CITE: <https://github.com/plastovicka/Piskvork>, `stopThinking` in `source/game.cpp`.
    pub fn hurries(&self) -> bool {
        matches!(self, Command::Info(Some(Setting::TurnTime(..=0))))
    }

    /// Returns whether this command only changes a setting: it has no reply.
    pub fn is_setting(&self) -> bool {
        matches!(self, Command::Info(_))
    }

    /// Returns whether the game and the opponent's turn in it stay as they are, so that pondering may go on.
    pub fn leaves_the_game(&self) -> bool {
        matches!(
            self,
            Command::About
                | Command::Info(_)
                | Command::ShowInfo
                | Command::ShowFouls
                | Command::Draw
                | Command::ClearHash
                | Command::AdmitAll
                | Command::Block(BlockKind::Unsupported(_))
        )
    }

    /// Returns whether a line names a command, right or wrong, that only clients of the Yixin-Board dialect send.
    pub fn is_yixin(line: &str) -> bool {
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        let marked = word.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("YX"));
        marked && !word.eq_ignore_ascii_case("YXSTOP")
    }
}

/// Reads one side length, or two equal ones.
fn size<'a>(mut sides: impl Iterator<Item = &'a str>) -> Result<Size, Refusal> {
    let first = sides.next().and_then(number).ok_or(Refusal::Invalid("expected a board size"))?;
    match (sides.next().map(number), sides.next()) {
        (None, _) => {}
        (Some(second), None) if second == Some(first) => {}
        _ => return Err(Refusal::Invalid("only square boards are supported")),
    }
    usize::try_from(first).ok().and_then(|n| Size::new(n).ok()).ok_or(SIZES)
}

fn lines(text: &str) -> Result<usize, Refusal> {
    let n = number(text).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0);
    n.ok_or(Refusal::Invalid("expected a number of lines"))
}

/// Reads a score; 0 if the text is blank. Numbers beyond the largest score count as that.
fn bias(text: &str) -> Result<i32, Refusal> {
    if text.trim().is_empty() {
        return Ok(0);
    }
    let bias = number(text).ok_or(Refusal::Invalid("expected a score"))?;
    Ok(bias.clamp(-i64::from(Score::MATE), i64::from(Score::MATE)) as i32)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_in_any_case_and_spacing() {
        assert_eq!(Command::parse("begin"), Ok(Command::Begin));
        assert_eq!(Command::parse("  Start \t 20  "), Ok(Command::Start(Size::S20)));
        assert_eq!(Command::parse("start 15 15"), Ok(Command::Start(Size::S15)));
        assert_eq!(Command::parse("RECTSTART 15,15"), Ok(Command::Start(Size::S15)));
        for text in ["TURN 10,9", "TURN  10,9 ", "turn 10, 9", "TURN 10 ,9"] {
            assert_eq!(Command::parse(text), Ok(Command::Turn(Square { x: 10, y: 9 })), "{text}");
        }
        assert_eq!(Command::parse("YXNBEST 3"), Ok(Command::Best(3)));
        assert_eq!(Command::parse("yxbalanceone -50"), Ok(Command::Balance(Stones::One, -50)));
        assert_eq!(Command::parse("YXBALANCETWO"), Ok(Command::Balance(Stones::Two, 0)));
        let greatest = Ok(Command::Balance(Stones::Two, Score::MATE));
        assert_eq!(Command::parse("YXBALANCETWO 99999999999999999999"), greatest);
    }

    #[test]
    fn wrong_arguments_are_errors() {
        let wrong = [
            "START",
            "START abc",
            "START 4",
            "START 23",
            "START -5",
            "START 20x20",
            "START 99999999999999999999",
            "START 20 15",
            "START 15 15 15",
            "RECTSTART",
            "RECTSTART 20,15",
            "TURN",
            "TURN 5",
            "TURN x,y",
            "TAKEBACK abc",
            "PLAY",
            "YXNBEST 0",
            "YXBALANCEONE x",
            "YXNBEST",
        ];
        for text in wrong {
            assert!(matches!(Command::parse(text), Err(Refusal::Invalid(_))), "{text}");
        }
    }

    #[test]
    fn a_prefix_is_not_a_command() {
        for text in ["STARTED 9", "TURNS 1,1", "B", "FOOBAR 1 2", "YXNOSUCH", "\u{fffd}", "5,5,1", "DONE"] {
            assert_eq!(Command::parse(text), Err(Refusal::Unknown), "{text}");
        }
    }

    #[test]
    fn a_sentence_is_no_command_that_takes_effect_at_once() {
        for text in ["End of the game", "stop here", "YXSTOP\there"] {
            assert_eq!(Command::parse(text), Err(Refusal::Unknown), "{text}");
        }
        for (text, command) in [(" end ", Command::End), ("yxstop\r", Command::Stop)] {
            assert_eq!(Command::parse(text), Ok(command), "{text}");
        }
    }

    #[test]
    fn info_never_fails() {
        for text in ["INFO", "INFO x", "INFO rule", "INFO rule x", "INFO folder C:\\Program Files"] {
            assert_eq!(Command::parse(text), Ok(Command::Info(None)), "{text}");
        }
        assert_eq!(Command::parse("info RULE 4"), Ok(Command::Info(Some(Setting::Rule(4)))));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed(text in ".*") {
            let _ = Command::parse(&text);
        }

        #[test]
        fn any_arguments_are_parsed(
            word in "(START|RECTSTART|TURN|PLAY|TAKEBACK|INFO|YXNBEST|YXBALANCEONE)",
            arguments in "[-+ ,0-9a-z_.é]{0,24}",
        ) {
            prop_assert_ne!(Command::parse(&format!("{word} {arguments}")), Err(Refusal::Unknown));
        }
    }
}
