//! The commands.

use std::time::Duration;

use kagetsu::game::{Color, Point};

use super::time::Left;
use super::{Session, parse_color, parse_vertex, vertex};
use crate::diagram;
use crate::game::{Cell, Game, Illegal, Move};
use crate::kind::Kind;
use crate::notation;

/// All commands.
const COMMANDS: [&str; 29] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "final_score",
    "time_settings",
    "time_left",
    "gogui-analyze_commands",
    "gogui-rules_game_id",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
    "gogui-rules_captured_count",
    "kagetsu-bomb",
    "kagetsu-genmove",
    "kagetsu-position",
    "kagetsu-rules",
];

/// The result of a command: the text of the answer, or of the error.
type Answer = Result<String, String>;

impl Session<'_> {
    /// Runs a command.
    pub(super) fn run(&mut self, command: &str, arguments: &[&str]) -> Answer {
        let words = arguments.len();
        let needs = |n: usize, what: &str| {
            if words == n { Ok(()) } else { Err(format!("syntax error: expected {what}")) }
        };
        match command {
            "protocol_version" => Ok("2".into()),
            "name" => Ok("Kagetsu".into()),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "known_command" => {
                needs(1, "a command")?;
                Ok(COMMANDS.contains(&arguments[0]).to_string())
            }
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" | "komi" => Ok(String::new()),
            "boardsize" => needs(1, "a size").and_then(|()| self.board_size(arguments[0])),
            "clear_board" => self.clear(),
            "play" => needs(2, "a colour and a point").and_then(|()| self.play(arguments)),
            "kagetsu-bomb" => needs(2, "a colour and a point").and_then(|()| self.bomb(arguments)),
            "genmove" => needs(1, "a colour").and_then(|()| self.genmove(arguments[0], true, false)),
            "reg_genmove" => needs(1, "a colour").and_then(|()| self.genmove(arguments[0], false, false)),
            "kagetsu-genmove" => needs(1, "a colour").and_then(|()| self.genmove(arguments[0], true, true)),
            "undo" => self.undo(),
            "showboard" => Ok(format!("\n{}", self.board())),
            "final_score" => self.final_score(),
            "time_settings" => needs(3, "three numbers").and_then(|()| self.time_settings(arguments)),
            "time_left" => needs(3, "a colour and two numbers").and_then(|()| self.time_left(arguments)),
            _ => self.extension(command),
        }
    }

    /// The commands that ask about the game.
    fn extension(&self, command: &str) -> Answer {
        let game = &*self.game;
        match command {
            "gogui-analyze_commands" => Ok("\
                string/Position/kagetsu-position\nstring/Rules of the game/kagetsu-rules\n\
                string/Result/gogui-rules_final_result\nplist/Legal moves/gogui-rules_legal_moves"
                .into()),
            "gogui-rules_game_id" => Ok(game_id(game.kind()).into()),
            "gogui-rules_board_size" => Ok(game.size().to_string()),
            "gogui-rules_board" => Ok(self.rules_board()),
            "gogui-rules_legal_moves" => {
                let name = |m: Move| match m {
                    Move::Place(p) => Some(vertex(p)),
                    Move::Pass => Some("pass".into()),
                    Move::Bomb(_) => None,
                };
                Ok(game.legal().into_iter().filter_map(name).collect::<Vec<_>>().join(" "))
            }
            "gogui-rules_side_to_move" => Ok(game.side().to_string()),
            "gogui-rules_final_result" => Ok(game
                .outcome()
                .map_or_else(|| "the game is not over".into(), |outcome| outcome.to_string())),
            "gogui-rules_captured_count" => Ok(self.captured()),
            "kagetsu-position" => Ok(notation::print_setup(game)),
            "kagetsu-rules" => {
                Ok(format!("{}: {}\n{}", game.kind(), game.variant(), game.kind().about().rules))
            }
            _ => Err("unknown command".into()),
        }
    }

    fn board_size(&mut self, text: &str) -> Answer {
        let size: usize = text.parse().map_err(|_| "syntax error: expected a size".to_owned())?;
        if self.options.is_size_fixed && size != self.options.size() {
            return Err("unacceptable size".into());
        }
        self.options.set_size(size).map_err(|_| "unacceptable size".to_owned())?;
        self.clear()
    }

    fn clear(&mut self) -> Answer {
        self.game = self.options.begin();
        self.before.clear();
        self.passes = 0;
        self.player.clear();
        self.clocks.begin();
        Ok(String::new())
    }

    /// Returns the game with the turn given to `color`; `None` if it has the turn already. The protocol
    /// allows two plays of one colour in a row, and clients set stones up by them. The game then goes on from
    /// a position of the same stones.
    ///
    /// # Errors
    /// In games whose rules decide the turn by more than the colours: there a move out of turn is a mistake.
    fn turned_to(&self, color: Color) -> Result<Option<Box<dyn Game>>, String> {
        let side = self.game.side();
        if color == side || self.game.outcome().is_some() {
            return Ok(None);
        }
        if matches!(self.game.kind(), Kind::Connect6 | Kind::Reversi) {
            return Err(format!("illegal move: it is {side}'s turn"));
        }
        let setup = notation::print_setup_for(&*self.game, color);
        notation::parse(&setup, &self.options).map(Some).map_err(|error| error.to_string())
    }

    /// Goes on with a game that [`Session::turned_to`] has made.
    fn turn(&mut self, turned: Box<dyn Game>) {
        self.before.push(std::mem::replace(&mut self.game, turned));
    }

    /// Returns to the game before the last turn that was given to the other colour, if no move is left after it.
    fn turn_back(&mut self) {
        if self.game.history().is_empty()
            && let Some(game) = self.before.pop()
        {
            self.game = game;
        }
    }

    fn point(&self, text: &str) -> Result<Option<Point>, String> {
        parse_vertex(text, self.game.size())
            .ok_or_else(|| "syntax error: expected a point of the board".into())
    }

    fn play(&mut self, arguments: &[&str]) -> Answer {
        let color = color_of(arguments[0])?;
        let m = self.point(arguments[1])?.map_or(Move::Pass, Move::Place);
        if self.game.outcome().is_some() && m == Move::Pass {
            self.passes += 1;
            return Ok(String::new());
        }
        // The error is exactly that of the specification, by which clients tell the opponent's mistake from a
        // failure of this program: gomill makes the opponent lose for this text, and this program for any
        // other.
        self.make(color, m).map_err(|_| "illegal move".to_owned())
    }

    fn bomb(&mut self, arguments: &[&str]) -> Answer {
        let color = color_of(arguments[0])?;
        let p = self.point(arguments[1])?.ok_or("syntax error: expected a point of the board")?;
        self.make(color, Move::Bomb(p))
    }

    fn make(&mut self, color: Color, m: Move) -> Answer {
        let turned = self.turned_to(color)?;
        let game = turned.as_deref().unwrap_or(&*self.game);
        game.check(m).map_err(|reason| format!("illegal move: {}", in_gtp(m, reason)))?;
        if let Some(turned) = turned {
            self.turn(turned);
        }
        self.game.play(m);
        Ok(String::new())
    }

    fn genmove(&mut self, color: &str, is_played: bool, with_bombs: bool) -> Answer {
        let color = color_of(color)?;
        if self.game.outcome().is_some() {
            self.passes += u32::from(is_played);
            return Ok("PASS".into());
        }
        if let Some(turned) = self.turned_to(color)? {
            if turned.outcome().is_some() {
                return Err("no move".into());
            }
            self.turn(turned);
        }
        let start = self.clock.now();
        let chosen = self.choose(with_bombs);
        if let Some(m) = chosen.filter(|_| is_played) {
            self.clocks.spend(color, self.clock.now().saturating_sub(start));
            self.game.play(m);
        }
        self.turn_back();
        Ok(match chosen.ok_or("no move")? {
            Move::Pass => "PASS".into(),
            Move::Place(p) => vertex(p),
            Move::Bomb(p) => format!("bomb {}", vertex(p)),
        })
    }

    fn undo(&mut self) -> Answer {
        if self.passes > 0 {
            self.passes -= 1;
            return Ok(String::new());
        }
        let undone = self.game.undo();
        self.turn_back();
        undone.map(|_| String::new()).ok_or_else(|| "cannot undo".into())
    }

    fn final_score(&self) -> Answer {
        let outcome = self.game.outcome().ok_or("the game is not over")?;
        let margin = outcome.margin.map_or(1, i32::abs);
        Ok(match outcome.winner {
            None => "0".into(),
            Some(Color::Black) => format!("B+{margin}"),
            Some(Color::White) => format!("W+{margin}"),
        })
    }

    /// Sets the main time and byo-yomi. Zero for both, or byo-yomi for zero stones, means no limit.
    fn time_settings(&mut self, arguments: &[&str]) -> Answer {
        let numbers: Result<Vec<u32>, _> = arguments.iter().map(|text| text.parse()).collect();
        let numbers = numbers.map_err(|_| "syntax error: expected three numbers".to_owned())?;
        let period = Left { time: seconds(numbers[1]), stones: numbers[2] };
        self.clocks.set(seconds(numbers[0]), period);
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: &[&str]) -> Answer {
        let color = parse_color(arguments[0]).ok_or("syntax error: expected a colour")?;
        let number =
            |text: &str| text.parse::<u32>().map_err(|_| "syntax error: expected a number".to_owned());
        let left = Left { time: seconds(number(arguments[1])?), stones: number(arguments[2])? };
        self.clocks.tell(color, left);
        Ok(String::new())
    }

    fn board(&self) -> String {
        let game = &*self.game;
        let turn = match game.outcome() {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", game.side()),
        };
        // Columns as GTP names them.
        let drawn = diagram::draw(game, &[]);
        let body = drawn.trim_end().rsplit_once('\n').map_or("", |(body, _)| body);
        let letters: String = (0..game.size())
            .map(|x| vertex(Point::new(x, 0)).chars().next().unwrap_or(' '))
            .flat_map(|c| [' ', c])
            .collect();
        format!("{body}\n  {letters}\n{}\n{turn}", game.notes().join("\n"))
    }

    /// Returns the rows in the order in which GoGui fills its board: the upper row first, whose number is the size. GoGui
    /// skips signs other than X, O and the dot, so a hole is a dot as well.
    fn rules_board(&self) -> String {
        let size = self.game.size();
        let cell = |x: usize, y: usize| match self.game.cell(Point::new(x, y)) {
            Cell::Empty | Cell::Hole => ".",
            Cell::Stone(Color::Black) => "X",
            Cell::Stone(Color::White) => "O",
        };
        let row = |y: usize| (0..size).map(|x| cell(x, y)).collect::<Vec<_>>().join(" ");
        (0..size).rev().map(row).collect::<Vec<_>>().join("\n")
    }

    /// The numbers of captured white and black stones, in the order that GoGui expects.
    fn captured(&self) -> String {
        let [black, white] = self.game.captured();
        format!("{black} {white}")
    }
}

fn color_of(text: &str) -> Result<Color, String> {
    parse_color(text).ok_or_else(|| "syntax error: expected a colour, b or w".into())
}

fn seconds(number: u32) -> Duration {
    Duration::from_secs(number.into())
}

/// Returns why a move is illegal. A reason about the point begins with it; here it has the name that the client knows.
fn in_gtp(m: Move, reason: Illegal) -> String {
    let text = reason.to_string();
    let renamed = m.point().and_then(|p| {
        let rest = text.strip_prefix(&p.to_string())?;
        Some(format!("{}{rest}", vertex(p).to_ascii_lowercase()))
    });
    renamed.unwrap_or(text)
}

/// The name by which GoGui tells games apart: an upper-case letter, then only lower-case letters, by its manual.
fn game_id(kind: Kind) -> &'static str {
    match kind {
        Kind::Renju => "Renju",
        Kind::Freestyle => "Freestyle",
        Kind::Standard => "Standard",
        Kind::Russian => "Russian",
        Kind::AntiRenju => "Antirenju",
        Kind::Bipartisan => "Bipartisan",
        Kind::Atomic => "Atomic",
        Kind::Repensi => "Repensi",
        Kind::Ninuki => "Ninuki",
        Kind::Pente => "Pente",
        Kind::KeryoPente => "Keryopente",
        Kind::Gomoku33 => "Gomokuthreethree",
        Kind::Connect6 => "Connectsix",
        Kind::Reversi => "Othello",
    }
}
