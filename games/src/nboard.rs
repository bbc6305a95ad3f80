//! The NBoard protocol, version 2, for Othello programs.
//!
//! CITE: C. Welty, "NBoard Protocol" (instructions/Protocol.htm of github.com/weltyc/ntest). Lines that are not understood
//! are ignored. Evaluations are in discs from the view of the side to move.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use kagetsu::clock::Clock;
use kagetsu::game::Color;
use kagetsu::game::quote::quoted;

use crate::game::{Game, Move};
use crate::kind::Kind;
use crate::notation;
use crate::options::Options;
use crate::players::Searcher;
use crate::search::{DISC, Limits, Line, Report};

/// Depth if the client sets none.
const DEPTH: u32 = 12;
/// Most bytes of a line; a longer one is not obeyed, for a part of it could mean something else.
const LONGEST: usize = 100_000;
/// Time for one position when a whole game is analysed.
const POSITION: Duration = Duration::from_secs(1);
/// Time for a move of a game without a clock: the longest that `go` takes.
pub const MOVE: Duration = Duration::from_secs(30);
/// The shortest time for a move, even after its clock has run out.
const SHORTEST: Duration = Duration::from_millis(50);
/// Number of moves among which the rest of a clock is divided.
const MOVES_TO_GO: u32 = 30;

/// Whether a line must stop the current search when it arrives.
pub fn interrupts(line: &str) -> bool {
    let word = line.split_ascii_whitespace().next().unwrap_or_default();
    let is_set = line.trim_start().starts_with("set game");
    is_set || ["ping", "move", "hint", "go", "analyze", "quit"].contains(&word)
}

/// Whether a line asks for a search without a time limit.
pub fn is_unlimited(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("hint")
}

/// A session.
pub struct Session<'a> {
    game: Box<dyn Game>,
    player: Searcher<'a>,
    clock: &'a dyn Clock,
    /// Set while a line waits that stops the present work.
    stop: &'a AtomicBool,
    depth: u32,
    threads: usize,
    clocks: Clocks,
}

impl<'a> Session<'a> {
    /// Creates a session with this number of bytes for tables.
    pub fn new(threads: usize, hash: u64, clock: &'a dyn Clock, stop: &'a AtomicBool) -> Session<'a> {
        let game = Options::new(Kind::Reversi).begin();
        let player = Searcher::new(Limits::default(), hash, clock, stop);
        Session { game, player, clock, stop, depth: DEPTH, threads, clocks: [None; 2] }
    }

    /// Answers a line; each answer is one line for `say`. Returns whether the session continues.
    pub fn line(&mut self, line: &str, say: &mut dyn FnMut(&str)) -> bool {
        if line.len() > LONGEST {
            say(&format!("status the line is longer than {LONGEST} bytes"));
            return true;
        }
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "nboard" => say("set myname Kagetsu"),
            "set" => self.set(rest, say),
            "move" => {
                if let Err(text) = self.play(rest) {
                    say(&format!("status {text}"));
                }
            }
            "hint" => self.hint(rest, say),
            "go" => self.go(say),
            "ping" => say(&format!("pong {}", rest.trim())),
            "learn" => say("learned"),
            "analyze" => self.analyze(say),
            "quit" => return false,
            _ => {}
        }
        true
    }

    fn set(&mut self, text: &str, say: &mut dyn FnMut(&str)) {
        match text.split_once(' ') {
            Some(("depth", depth)) => {
                self.depth = depth.trim().parse().unwrap_or(self.depth).clamp(1, 60);
            }
            Some(("game", game)) => match read_game(game) {
                Ok((game, clocks)) => (self.game, self.clocks) = (game, clocks),
                Err(text) => say(&format!("status the game cannot be read: {text}")),
            },
            _ => {}
        }
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        let m = parse_move(text, self.game.size())?;
        let has_passed = notation::play_left_out_pass(m, self.game.as_mut());
        if let Err(reason) = self.game.check(m) {
            // The position is as it was before the illegal move.
            if has_passed {
                self.game.undo();
            }
            return Err(format!("illegal move {m}: {reason}"));
        }
        spend(&mut self.clocks, self.game.side(), text);
        self.game.play(m);
        Ok(())
    }

    fn search(&mut self, limits: Limits, say: &mut dyn FnMut(&str)) -> Report {
        let limits = Limits { threads: self.threads, ..limits };
        self.player.set_limits(limits);
        let start = self.clock.now();
        let report = self.player.report(&*self.game, &mut |report| {
            for line in &report.lines {
                say(&search_line(line, report));
            }
        });
        let time = self.clock.now().saturating_sub(start);
        say(&format!("nodestats {} {:.2}", report.nodes, time.as_secs_f64()));
        report
    }

    fn hint(&mut self, text: &str, say: &mut dyn FnMut(&str)) {
        if self.game.outcome().is_some() {
            return;
        }
        say("status Analyzing");
        let multipv = text.trim().parse().unwrap_or(1usize).clamp(1, 64);
        self.search(Limits { depth: Some(self.depth), multipv, ..Limits::default() }, say);
        say("status");
    }

    fn go(&mut self, say: &mut dyn FnMut(&str)) {
        if self.game.outcome().is_some() {
            say("status the game is over");
            return;
        }
        say("status Thinking");
        let start = self.clock.now();
        let time = self.clocks[self.game.side().index()].map_or(MOVE, |clock| clock.share());
        let limits = Limits { depth: Some(self.depth), time: Some(time), ..Limits::default() };
        let report = self.search(limits, say);
        let time = self.clock.now().saturating_sub(start).as_secs_f64();
        if let Some(line) = report.lines.first()
            && let Some(&m) = line.moves.first()
        {
            say(&format!("=== {}/{}/{time:.2}", name(m), discs(line.score)));
        }
        say("status");
    }

    /// Evaluates every position of the game, the last first, until a line interrupts it. The value of a
    /// search that is cut short is not sent: the client would take it for one of full depth.
    fn analyze(&mut self, say: &mut dyn FnMut(&str)) {
        let played = self.game.boxed();
        for made in (0..=played.history().len()).rev() {
            if self.game.outcome().is_none() {
                let limits = Limits { depth: Some(self.depth), time: Some(POSITION), ..Limits::default() };
                let report = self.search(limits, &mut |_| {});
                if self.stop.load(Relaxed) {
                    break;
                }
                if let Some(line) = report.lines.first() {
                    say(&format!("analysis {made} {}", discs(line.score)));
                }
            } else if let Some(margin) = self.game.outcome().and_then(|outcome| outcome.margin) {
                let sign = if self.game.side() == Color::Black { 1 } else { -1 };
                say(&format!("analysis {made} {}", discs(sign * margin * DISC)));
            }
            self.game.undo();
        }
        self.game = played;
    }
}

fn search_line(line: &Line, report: &Report) -> String {
    let moves: Vec<String> = line.moves.iter().map(|&m| name(m)).collect();
    let depth = if report.solved { "100%".to_owned() } else { report.depth.to_string() };
    format!("search {} {} 0 {depth}", moves.join("-"), discs(line.score))
}

fn discs(score: i32) -> String {
    format!("{:.2}", f64::from(score) / f64::from(DISC))
}

/// A move as NBoard writes it.
fn name(m: Move) -> String {
    m.point().map_or_else(|| "PA".to_owned(), |p| p.to_string().to_uppercase())
}

/// Reads a move, with or without an evaluation and a time. A pass is `--` or any beginning of the word, as for NBoard.
fn parse_move(text: &str, size: usize) -> Result<Move, String> {
    let text = text.split('/').next().unwrap_or_default().trim();
    let is_pass = !text.is_empty() && "pass".starts_with(&text.to_ascii_lowercase());
    if is_pass || text == "--" {
        return Ok(Move::Pass);
    }
    notation::parse_point(text, size).map(Move::Place).map_err(|error| error.to_string())
}

/// Reads a game in GGF: the type of `TY`, the board of `BO`, the moves of `B` and `W`, the clock of `TI`, or of `TB` and `TW` if
/// Black and White have different ones. The clocks show the time left after the moves.
fn read_game(text: &str) -> Result<(Box<dyn Game>, Clocks), String> {
    let mut options = Options::new(Kind::Reversi);
    // The type counts for the board and the moves, wherever it stands.
    let tags = tags(text)?;
    if tags.iter().any(|&(tag, value)| tag == "TY" && value.contains('a')) {
        options.set("anti", "yes").map_err(|error| error.to_string())?;
    }
    let mut game = options.begin();
    let mut clocks: Clocks = [None; 2];
    for (tag, value) in tags {
        match tag {
            "TI" => clocks = [SideClock::read(value); 2],
            "TB" => clocks[Color::Black.index()] = SideClock::read(value),
            "TW" => clocks[Color::White.index()] = SideClock::read(value),
            "BO" => {
                let (size, squares) =
                    value.trim().split_once(' ').ok_or("BO: expected a size and squares")?;
                let size: usize = size.parse().map_err(|_| "BO: expected a size")?;
                options.set_size(size).map_err(|error| error.to_string())?;
                let squares: String = squares.split_ascii_whitespace().collect();
                let (board, side) = squares.split_at_checked(size * size).ok_or("BO: too few squares")?;
                game = notation::parse(&format!("{board} {side}"), &options)
                    .map_err(|error| error.to_string())?;
            }
            "B" | "W" => {
                let color = if tag == "B" { Color::Black } else { Color::White };
                let m = parse_move(value, options.size())?;
                notation::play_left_out_pass(m, game.as_mut());
                if game.outcome().is_none() && game.side() != color {
                    return Err(format!("{tag}[{}]: it is {}'s turn", name(m), game.side()));
                }
                game.check(m).map_err(|reason| format!("move {m}: {reason}"))?;
                spend(&mut clocks, color, value);
                game.play(m);
            }
            _ => {}
        }
    }
    Ok((game, clocks))
}

/// Returns the tags of a game with their values.
///
/// # Errors
/// If there is none, or a part of the text is no tag, as where the end is missing.
fn tags(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let between = ['(', ';', ' ', ')'];
    let mut tags = Vec::new();
    let mut rest = text.trim_start_matches(between);
    while !rest.is_empty() {
        let (tag, after) =
            rest.split_once('[').ok_or_else(|| format!("{}: expected a tag, as B[f5]", quoted(rest)))?;
        // A count of the games may stand before the first tag.
        let tag = tag.trim_end();
        let (count, tag) = tag.rsplit_once(between).unwrap_or(("", tag));
        let is_count = count.chars().all(|c| c.is_ascii_digit() || between.contains(&c));
        if !is_count || tag.is_empty() || !tag.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(format!("{}: expected a tag of capitals before [", quoted(rest)));
        }
        let (value, after) =
            after.split_once(']').ok_or_else(|| format!("{}: expected ] at the end", quoted(rest)))?;
        tags.push((tag, value));
        rest = after.trim_start_matches(between);
    }
    if tags.is_empty() { Err("expected a game in GGF".to_owned()) } else { Ok(tags) }
}

/// The clocks of Black and White; `None` without one.
type Clocks = [Option<SideClock>; 2];

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SideClock {
    left: Duration,
    /// The time that each move adds.
    increment: Duration,
}

impl SideClock {
    /// Reads a clock such as `15:00`, or `15:00/0:10` with an increment. A third part, extra time, is not used. `None` if there
    /// is no time, or 0, which NBoard writes for a game without a clock.
    fn read(text: &str) -> Option<SideClock> {
        let mut parts = text.split('/').map(read_time);
        let left = parts.next().flatten().filter(|left| !left.is_zero())?;
        Some(SideClock { left, increment: parts.next().flatten().unwrap_or_default() })
    }

    /// Takes the time of a move off.
    fn spend(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used).saturating_add(self.increment);
    }

    /// Returns the time for a move.
    fn share(&self) -> Duration {
        (self.left / MOVES_TO_GO).clamp(SHORTEST, MOVE)
    }
}

/// Takes the time of a move such as `F5/1.20/3.4`, in seconds in its third part, off the clock of its side.
fn spend(clocks: &mut Clocks, color: Color, text: &str) {
    if let Some(clock) = &mut clocks[color.index()] {
        clock.spend(text.split('/').nth(2).and_then(read_time).unwrap_or_default());
    }
}

/// Reads a time such as `1:15:00` or `4.5`; the last number counts seconds.
fn read_time(text: &str) -> Option<Duration> {
    let mut numbers = text.split(':').map(|part| part.trim().parse::<f64>().ok());
    let seconds = numbers.try_fold(0.0, |sum: f64, number| Some(60.0 * sum + number?))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clocks that NBoard's `OsClock.java` reads and writes: hours, minutes and seconds, the increment, the time after the end.
    /// A move takes its time off the clock and then adds the increment.
    #[test]
    fn clocks_run() {
        for (clock, moved, milliseconds) in [
            ("15:00", "F5/1.20/20", Some(880_000)),
            ("1:00:00//02:00", "F5", Some(3_600_000)),
            ("05:00/00:10/02:00", "F5//30.5", Some(279_500)),
            ("45.5", "PA//0.25", Some(45_250)),
            ("14:32.25", "F5/-3.00", Some(872_250)),
            ("0:03/0:02", "F5//1000", Some(2_000)),
            ("15:00", "F5//soon", Some(900_000)),
            ("15:00", "F5//-7", Some(900_000)),
            ("0", "F5//1", None),
            ("", "F5//1", None),
            ("-5:00", "F5//1", None),
            ("9e999", "F5//1", None),
        ] {
            let mut clocks = [SideClock::read(clock); 2];
            spend(&mut clocks, Color::Black, moved);
            let left = clocks[0].map(|clock| clock.left);
            assert_eq!(left, milliseconds.map(Duration::from_millis), "{clock} {moved}");
            assert_eq!(clocks[1], SideClock::read(clock), "{clock} {moved}");
        }
    }
}
