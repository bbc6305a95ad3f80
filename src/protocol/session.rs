//! State of the conversation: how a line changes the game and the settings, and the reply or the task that it leads to.
//! It reads no clock, does no input or output, and never waits.

use std::time::Duration;

use super::block::{self, Block, BlockKind};
use super::command::{Command, Refusal};
use super::draw::View;
use super::opening::step::{Input, OpeningStep};
use super::output;
use super::settings::{Setting, Settings};
use super::square::Square;
use super::think::{Answer, Question, Task};
use crate::decide::Balanced;
use crate::engine::{MAX_HASH, Options};
use crate::game::regulation::Opening;
use crate::game::{Move, Point, PointSet, Position, Reading, RuleKind, Size, status};
use crate::search::{Limits, Report};

/// Response to a line.
#[derive(Debug)]
pub enum Response {
    /// There is nothing to do.
    None,
    /// Send this text, of one or several lines.
    Say(String),
    /// Think about this task, then call [`Session::answer`].
    Think(Box<Task>),
    /// Clear the transposition table and the histories.
    ClearHash,
    /// End the program.
    Quit,
}

/// The state of the conversation.
#[derive(Default)]
pub struct Session {
    settings: Settings,
    /// The game since the last command that began one.
    game: Option<Position>,
    /// The command of several lines that is being read.
    block: Option<Block>,
    /// Points that the engine must not choose. They outlive games, because boards start a game for each move.
    excluded: PointSet,
    /// The engine's view of the game.
    view: View,
    /// Whether the opponent is thinking about the engine's last answer: no line since has changed the game or stopped it.
    opponent_thinks: bool,
}

type Outcome = Result<Response, String>;

impl Session {
    /// Handles a line that is not blank. The engine must not be thinking.
    pub fn line(&mut self, line: &str) -> Response {
        let outcome = match self.block.take() {
            Some(block) => self.block_line(block, line),
            None => {
                self.settings.yixin |= Command::is_yixin(line);
                match Command::parse(line) {
                    Ok(command) => self.command(command),
                    Err(Refusal::Unknown) => Ok(unknown()),
                    Err(Refusal::Invalid(why)) => Err(why.to_owned()),
                }
            }
        };
        outcome.unwrap_or_else(|error| Response::Say(format!("ERROR {error}")))
    }

    /// Applies the result of a [`Response::Think`] to the game, and returns it as text.
    pub fn answer(&mut self, answer: Answer, used: Duration) -> String {
        self.settings.time.spend(used);
        // The stones of an opening are not those of the game.
        self.opponent_thinks = !matches!(answer, Answer::Opening(_));
        let size = self.size();
        match answer {
            Answer::Move(Some(p)) => match self.place(p) {
                Ok(()) => Square::of(p, size).to_string(),
                Err(error) => format!("ERROR {error}"),
            },
            Answer::Balance(found) => self.balanced(&found),
            Answer::Opening(text) => text,
            Answer::Move(None) => "ERROR the board is full".to_owned(),
        }
    }

    /// Returns the options and limits of a move in the game under the settings in force, to prepare for it.
    pub fn upcoming(&self) -> Option<(Options, Limits)> {
        let rule = self.settings.rule().ok().filter(|_| self.game.is_some())?;
        Some((self.settings.options(rule), self.settings.move_limits()))
    }

    /// Stores the engine's evaluation of the game, from the last report on the move that it is about to make.
    pub fn note_report(&mut self, report: &Report) {
        if let (Some(game), Ok(rule)) = (&self.game, self.settings.rule()) {
            self.view.record(game, rule, report);
        }
    }

    /// Returns the task for the opponent's time, if pondering is on and the opponent is thinking: search the opponent's move
    /// until a line comes.
    pub fn ponder(&self) -> Option<Box<Task>> {
        let (rule, position) = (self.settings.rule().ok()?, self.game.as_ref()?);
        if !self.opponent_thinks
            || !self.settings.ponders()
            || status::is_over(position, rule, Reading::Literal)
        {
            return None;
        }
        let limits = Limits { threads: self.settings.threads(), ..Limits::default() };
        let options = self.settings.options(rule);
        Some(Box::new(Task { question: Question::Move, position: position.clone(), options, limits }))
    }

    /// Returns the size of the board.
    fn size(&self) -> Size {
        self.game.as_ref().map_or(Size::S15, Position::size)
    }

    /// Returns whether the manager wants the lines that a board draws from.
    pub fn detail(&self) -> bool {
        self.settings.detail
    }

    fn command(&mut self, command: Command) -> Outcome {
        self.opponent_thinks &= command.leaves_the_game();
        match command {
            Command::About => Ok(Response::Say(output::about())),
            Command::Start(size) => Ok(self.start(size)),
            Command::Restart => {
                let size = self.game()?.size();
                Ok(self.start(size))
            }
            Command::Info(setting) => Ok(setting.map_or(Response::None, |setting| self.set(setting))),
            Command::End => Ok(Response::Quit),
            // The engine is not thinking.
            Command::Stop => Ok(Response::None),
            Command::ShowInfo => Ok(Response::Say(output::abilities())),
            Command::ClearHash => Ok(Response::ClearHash),
            Command::Draw => {
                let game = self.game()?;
                let accepts = self.settings.rule().is_ok_and(|rule| self.view.accepts_draw(game, rule));
                Ok(Response::Say(output::draw(accepts).to_owned()))
            }
            Command::AdmitAll => {
                self.excluded = PointSet::EMPTY;
                Ok(Response::None)
            }
            Command::Begin => self.think(Question::Move, 1),
            Command::Best(lines) => self.think(Question::Move, lines),
            Command::Balance(stones, bias) => self.think(Question::Balance(stones, bias), 1),
            Command::Turn(square) => {
                self.settings.rule()?;
                self.place_at(square)?;
                self.think(Question::Move, 1)
            }
            Command::Play(square) => {
                self.place_at(square)?;
                self.view.forget();
                Ok(Response::Say(square.to_string()))
            }
            Command::TakeBack(square) => {
                let game = self.game()?;
                let p = square.point(game.size()).ok_or_else(|| off_board(square))?;
                self.game = Some(block::without(game, p)?);
                Ok(Response::Say("OK".to_owned()))
            }
            Command::ShowFouls => {
                let game = self.game()?;
                let fouls = status::fouls(game, self.settings.rule()?);
                Ok(Response::Say(output::fouls(fouls.iter(), game.size())))
            }
            Command::Opening(step) => {
                self.settings.rule()?;
                let size = self.game()?.size();
                let stones = if step.input() == Input::Board { self.stones()? } else { Vec::new() };
                let opening = step.opening(size, &stones, &[])?;
                if step.input() == Input::Nothing {
                    // Yixin-Board's "New" sets its clocks anew and sends this step alone.
                    self.begin(size);
                }
                self.decide(step, opening)
            }
            Command::Block(kind) => {
                // Without a game the lines of a block are still read, and then rejected.
                self.block = Some(Block::new(kind, self.size()));
                Ok(Response::None)
            }
        }
    }

    /// Takes a setting over. Tells the user of tables that are larger than the engine's largest, once for each size.
    fn set(&mut self, setting: Setting) -> Response {
        let before = self.settings.hash();
        self.settings.apply(setting);
        let hash = self.settings.hash();
        if hash == before || hash.is_none_or(|bytes| bytes <= MAX_HASH) {
            return Response::None;
        }
        let (most, gib) = (MAX_HASH >> 10, MAX_HASH >> 30);
        Response::Say(output::message(&format!("hash_size: the tables take at most {most} ({gib} GiB)")))
    }

    /// Handles a line of a block. Commands that cannot belong to it are obeyed: settings, which have no reply, and
    /// commands that make the block pointless. In a user's text, that is `END` alone.
    fn block_line(&mut self, block: Block, line: &str) -> Outcome {
        match Command::parse(line) {
            Ok(command @ Command::End) => self.command(command),
            _ if block.is_in_text() => self.push(block, line),
            Ok(command @ (Command::Start(_) | Command::Restart)) => self.command(command),
            Ok(command @ Command::Info(_)) => {
                self.block = Some(block);
                self.command(command)
            }
            // The manager has given the block up, although its new game is refused.
            Err(Refusal::Invalid(why)) if Command::names_a_start(line) => Err(why.to_owned()),
            _ => self.push(block, line),
        }
    }

    /// Adds a line to a block, and acts on the block if the line ends it.
    fn push(&mut self, mut block: Block, line: &str) -> Outcome {
        if block.push(line) {
            return self.end_block(block);
        }
        self.block = Some(block);
        Ok(Response::None)
    }

    fn end_block(&mut self, block: Block) -> Outcome {
        if !matches!(block.kind(), BlockKind::Unsupported(_)) {
            self.game()?;
        }
        match block.kind() {
            BlockKind::Unsupported(_) => Ok(unknown()),
            BlockKind::Board => {
                self.settings.rule()?;
                self.game = Some(block.into_position()?);
                self.think(Question::Move, 1)
            }
            BlockKind::QuietBoard => {
                self.game = Some(block.into_position()?);
                Ok(Response::None)
            }
            BlockKind::Opening(step) => {
                let opening = block.into_opening(&step)?;
                self.decide(step, opening)
            }
            BlockKind::Exclude => {
                self.excluded = self.excluded | block.into_points()?;
                Ok(Response::None)
            }
            BlockKind::Admit => {
                self.excluded = self.excluded.without(&block.into_points()?);
                Ok(Response::None)
            }
        }
    }

    fn start(&mut self, size: Size) -> Response {
        self.begin(size);
        Response::Say("OK".to_owned())
    }

    /// Begins a new game.
    fn begin(&mut self, size: Size) {
        self.settings.time.new_game();
        self.settings.games += 1;
        if self.size() != size {
            self.excluded = PointSet::EMPTY;
        }
        self.game = Some(Position::new(size));
    }

    fn game(&self) -> Result<&Position, String> {
        self.game.as_ref().ok_or_else(|| "no game: START comes first".to_owned())
    }

    /// Plays the stones that balance the position best, and reports them, after others that are about as good.
    fn balanced(&mut self, found: &[Balanced]) -> String {
        let size = self.size();
        let Some(best) = found.first() else {
            return "ERROR no balancing stones were found".to_owned();
        };
        if let Err(error) = best.stones.iter().try_for_each(|&p| self.place(p)) {
            return format!("ERROR {error}");
        }
        output::balanced(found, size) + &output::squares(&best.stones, size)
    }

    /// The stones of the game in order.
    fn stones(&self) -> Result<Vec<Point>, String> {
        Ok(self.game()?.moves().iter().filter_map(|m| m.point()).collect())
    }

    /// Starts the decision of an opening's step.
    fn decide(&self, step: OpeningStep, opening: Opening) -> Outcome {
        let position = opening.position().clone();
        self.task(Question::Opening(step, Box::new(opening)), position, 1)
    }

    fn place_at(&mut self, square: Square) -> Result<(), String> {
        let p = square.point(self.game()?.size()).ok_or_else(|| off_board(square))?;
        self.place(p).map_err(|_| format!("{square} is occupied"))
    }

    fn place(&mut self, p: Point) -> Result<(), String> {
        match &mut self.game {
            Some(game) => game.push(Move::Place(p)).map_err(|e| e.to_string()),
            None => Err("no game".to_owned()),
        }
    }

    fn think(&mut self, question: Question, lines: usize) -> Outcome {
        let position = self.game()?.clone();
        self.task(question, position, lines)
    }

    fn task(&self, question: Question, position: Position, lines: usize) -> Outcome {
        let rule: RuleKind = self.settings.rule()?;
        let options = self.settings.options(rule);
        let mut limits = match question {
            Question::Move => self.settings.move_limits(),
            Question::Balance(..) | Question::Opening(..) => self.settings.limits(),
        };
        limits.multipv = lines;
        if matches!(question, Question::Move | Question::Balance(..)) {
            limits.excluded = self.excluded;
        }
        Ok(Response::Think(Box::new(Task { question, position, options, limits })))
    }
}

/// The response to a command that is not supported.
fn unknown() -> Response {
    Response::Say("UNKNOWN command".to_owned())
}

fn off_board(square: Square) -> String {
    format!("{square} is off the board")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
