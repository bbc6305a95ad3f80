//! What a player sees, as lines of text: the board with the cursor, and beside it the state of the game.

use std::time::Duration;

use anstyle::Style;

use super::session::Session;
use crate::cli::draw;
use crate::game::openings26::Opening;
use crate::game::{Color, Diagram, Point};

/// The parts of the picture that are not the game's.
pub struct View<'a> {
    /// The game.
    pub session: &'a Session,
    /// The engine's level.
    pub level: u8,
    /// The point of the cursor, if there is one.
    pub cursor: Option<Point>,
    /// A move that was recommended.
    pub hint: Option<Point>,
    /// The last thing that was said to the player.
    pub message: &'a str,
    /// The clock's reading.
    pub now: Duration,
}

/// Half the moves that are listed.
const LISTED: usize = 5;

impl View<'_> {
    /// The board; every cell two columns wide, coloured where `colors`.
    pub fn board(&self, colors: bool) -> Vec<String> {
        let mut diagram = Diagram::of(self.session.position());
        self.hint.into_iter().for_each(|p| diagram.mark(p, draw::FIVE));
        let side = self.session.position().size().side();
        let text = diagram.to_string();
        let row = |(i, line): (usize, &str)| {
            let cursor = self.cursor.filter(|p| i < side && side - 1 - i == p.y());
            // Below the rows stand the letters of the columns.
            if i < side { paint(line, cursor.map(|p| 3 + 2 * p.x()), colors) } else { line.to_owned() }
        };
        text.lines().enumerate().map(row).collect()
    }

    /// The state of the game.
    pub fn panel(&self) -> Vec<String> {
        let position = self.session.position();
        let human = self.session.human();
        let mut lines = vec![
            format!("{}, {}, level {}", self.session.rule(), position.size(), self.level),
            format!("you are {human} ({})", if human == Color::Black { 'x' } else { 'o' }),
        ];
        lines.extend(Opening::of_position(position).map(|o| format!("{} {} {}", o.code, o.romaji, o.kanji)));
        if let Some(clock) = self.session.clock(self.now) {
            lines.push(String::new());
            for color in Color::BOTH {
                lines.push(format!("{:6}{}", color.to_string(), minutes(clock.left[color.index()])));
            }
        }
        lines.push(String::new());
        lines.extend(self.moves());
        lines.push(String::new());
        lines.push(match self.session.end() {
            Some(end) => format!("game over: {end}"),
            None if self.session.is_engines_turn() => "the engine is thinking".into(),
            None => "your move".into(),
        });
        lines.extend(self.message.lines().map(str::to_owned));
        lines
    }

    /// The last moves, two a line.
    fn moves(&self) -> Vec<String> {
        let moves = self.session.position().moves();
        let name = |m: &crate::game::Move| m.point().map_or("pass".to_string(), |p| p.to_string());
        let pairs: Vec<String> = moves
            .chunks(2)
            .enumerate()
            .map(|(i, two)| {
                let names: Vec<String> = two.iter().map(|m| format!("{:5}", name(m))).collect();
                format!("{:>3}. {}", 2 * i + 1, names.concat().trim_end())
            })
            .collect();
        pairs[pairs.len().saturating_sub(LISTED)..].to_vec()
    }
}

/// A line of a diagram with its colours; the character at `cursor` is shown in reverse.
fn paint(line: &str, cursor: Option<usize>, colors: bool) -> String {
    let mut text = String::new();
    let mut last_move = false;
    for (i, sign) in line.chars().enumerate() {
        last_move |= sign == '[';
        let style = match sign {
            _ if !colors => Style::new(),
            'x' if i > 2 => Style::new().bold(),
            'o' if i > 2 => draw::DOUBTFUL.bold(),
            _ if last_move => Style::new().bold(),
            _ => draw::style(sign),
        };
        last_move &= sign != ']';
        // The cursor has to be seen without colours too.
        let style = if cursor == Some(i) { style.invert() } else { style };
        text += &format!("{style}{sign}{style:#}");
    }
    text
}

/// Minutes and seconds, and tenths in the last minute.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:>6.1}", time.as_secs_f64()),
        _ => format!("{:>3}:{:02}", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::play::session::GameClock;
    use crate::game::{RuleKind, notation};

    fn session() -> Session {
        let left = [Duration::from_secs(600), Duration::from_millis(59_960)];
        let clock = GameClock { left, increment: Duration::ZERO };
        let position = notation::parse("D4 g9", None).unwrap();
        Session::new(RuleKind::Renju, position, Color::Black, Some(clock), Duration::ZERO)
    }

    #[test]
    fn the_cursor_is_shown_where_it_is() {
        let session = session();
        let cursor = notation::parse_point("c14", session.position().size()).ok();
        let view = View { session: &session, level: 5, cursor, hint: None, message: "", now: Duration::ZERO };
        let board = view.board(false);
        assert_eq!(board.len(), 16);
        assert!(board[1].contains("14 . . \u{1b}[7m.\u{1b}[0m . ."), "{:?}", board[1]);
        assert_eq!(board.iter().filter(|line| line.contains('\u{1b}')).count(), 1);
        assert_eq!(board[6], " 9 . . . . . .[o]o x . . . . . .");
    }

    #[test]
    fn the_panel_tells_the_state() {
        let session = session();
        let view = View {
            session: &session,
            level: 5,
            cursor: None,
            hint: None,
            message: "hello",
            now: Duration::ZERO,
        };
        let panel = view.panel().join("\n");
        for expected in [
            "renju, 15x15, level 5",
            "you are black (x)",
            "D4 Kagetsu",
            "black  10:00",
            "white   60.0",
            "  3. i9   g9",
            "your move\nhello",
        ] {
            assert!(panel.contains(expected), "{expected}: {panel}");
        }
    }
}
