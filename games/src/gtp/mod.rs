//! The Go Text Protocol, version 2, for the games of this crate, with the extensions by which GoGui learns the rules of a
//! game that is not Go.
//!
//! Columns are letters without I, rows are numbers. Points have the same names as elsewhere in this crate (D3 is d3, in
//! Reversi too), except that the letters after H are shifted by one. A turn of Connect6 is two `play` commands of one
//! colour. In all games but Connect6 and Reversi a colour may move twice in a row, because clients set stones up by
//! `play`. `kagetsu-bomb COLOUR POINT` plays the bomb of Atomic Renju. `genmove` never plays a bomb, because its answer
//! cannot express one; `kagetsu-genmove` may. When a game is over, passes are accepted and `genmove` answers PASS,
//! because clients of Go end a game by two passes.
//!
//! CITE: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2"; the manual of GoGui, chapters on game
//! rules and analyze commands.

mod commands;
mod time;

use std::sync::atomic::AtomicBool;

use kagetsu::clock::Clock;
use kagetsu::game::{Color, Point};

use crate::game::{Game, Move};
use crate::options::Options;
use crate::players::Searcher;
use crate::search::Limits;
use time::Clocks;

/// The answer to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The text to send, with the empty line that ends it.
    pub text: String,
    /// Whether the session is over.
    pub quit: bool,
}

/// A session: a game and a player.
pub struct Session<'a> {
    options: Options,
    game: Box<dyn Game>,
    /// The games up to each place where a colour moved twice in a row, oldest first.
    before: Vec<Box<dyn Game>>,
    /// Passes after the end of the game.
    passes: u32,
    player: Searcher<'a>,
    limits: Limits,
    clock: &'a dyn Clock,
    clocks: Clocks,
}

/// Most bytes of a line; a longer one is not obeyed, for a part of it could mean something else.
const LONGEST: usize = 10_000;

impl<'a> Session<'a> {
    /// Creates a session with a game of these options. `limits` apply to each move if no clock is set; `hash` is the
    /// size of the tables in bytes.
    pub fn new(
        options: Options,
        limits: Limits,
        hash: u64,
        clock: &'a dyn Clock,
        stop: &'a AtomicBool,
    ) -> Session<'a> {
        let game = options.begin();
        let player = Searcher::new(limits, hash, clock, stop);
        Session {
            options,
            game,
            before: Vec::new(),
            passes: 0,
            player,
            limits,
            clock,
            clocks: Clocks::default(),
        }
    }

    /// Answers a line; `None` if it is empty or a comment.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        let line = line.split('#').next().unwrap_or_default();
        let words: String =
            line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
        let mut words = words.split_ascii_whitespace().peekable();
        let id =
            words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit())).unwrap_or_default().to_owned();
        let command = words.next().map(str::to_owned);
        let Some(command) = command else {
            return (!id.is_empty()).then(|| reply('?', &id, "missing command", false));
        };
        if line.len() > LONGEST {
            let text = format!("syntax error: the line is longer than {LONGEST} bytes");
            return Some(reply('?', &id, &text, false));
        }
        let arguments: Vec<&str> = words.collect();
        Some(match self.run(&command, &arguments) {
            Ok(text) => reply('=', &id, &text, command == "quit"),
            Err(text) => reply('?', &id, &text, false),
        })
    }

    /// Chooses a move for the side to move.
    fn choose(&mut self, with_bombs: bool) -> Option<Move> {
        let time = self.clocks.share(self.game.side()).or(self.limits.time);
        self.player.set_limits(Limits { time, keeps_bomb: !with_bombs, ..self.limits });
        let report = self.player.report(&*self.game, &mut |_| {});
        let can_say = |m: &Move| with_bombs || !matches!(m, Move::Bomb(_));
        let best = report.lines.first().and_then(|line| line.moves.first()).copied();
        best.filter(|&m| self.game.check(m).is_ok()).or_else(|| self.game.legal().into_iter().find(can_say))
    }
}

fn reply(sign: char, id: &str, text: &str, quit: bool) -> Reply {
    // An empty line would end the answer too early. The first line stands behind the sign, so it may be empty: the rows
    // of a board begin below it.
    let lines = text.lines().enumerate().filter(|(i, line)| *i == 0 || !line.trim().is_empty());
    let text = lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    let blank = if text.is_empty() { "" } else { " " };
    Reply { text: format!("{sign}{id}{blank}{text}\n\n"), quit }
}

/// The name of a point in GTP.
fn vertex(p: Point) -> String {
    let letter = b'A' + p.x() as u8 + u8::from(p.x() >= 8);
    format!("{}{}", letter as char, p.y() + 1)
}

/// Reads a point or `pass`.
fn parse_vertex(text: &str, size: usize) -> Option<Option<Point>> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(None);
    }
    let letter = text.bytes().next()?.to_ascii_uppercase();
    let column = match letter {
        b'A'..=b'H' => letter - b'A',
        b'J'..=b'Z' => letter - b'A' - 1,
        _ => return None,
    };
    let digits = &text[1..];
    let row: usize = digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))?;
    let is_on_board = usize::from(column) < size && (1..=size).contains(&row);
    is_on_board.then(|| Some(Point::new(column.into(), row - 1)))
}

/// Reads a colour.
fn parse_color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}
