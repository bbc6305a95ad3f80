//! Boards drawn as text, as the engine draws them; in Reversi row 1 is on top.

use kagetsu::game::Point;

use crate::game::{Cell, Game, Move};
use crate::notation::{rows, sign};

/// Draws the board: `x` Black, `o` White, `.` empty, `#` a hole, brackets around the last move, `marks` on empty points.
pub fn draw(game: &dyn Game, marks: &[(Point, char)]) -> String {
    let size = game.size();
    let last = game.history().last().and_then(|(_, m)| m.point());
    let mut text = String::new();
    for y in rows(game) {
        text.push_str(&format!("{:>2}", y + 1));
        let mut after = ' ';
        for x in 0..size {
            let p = Point::new(x, y);
            let cell = game.cell(p);
            let mark = marks.iter().find(|(q, _)| *q == p).map(|(_, mark)| *mark);
            let c = if cell == Cell::Empty { mark.unwrap_or('.') } else { sign(cell) };
            let is_last = last == Some(p) && matches!(cell, Cell::Stone(_));
            text.push(if is_last { '[' } else { after });
            text.push(c);
            after = if is_last { ']' } else { ' ' };
        }
        text.push_str(if after == ']' { "]\n" } else { "\n" });
    }
    text.push_str("  ");
    for x in 0..size {
        text.push(' ');
        text.push((b'a' + x as u8) as char);
    }
    text.push('\n');
    text
}

/// A mark on each point where a stone may be placed.
pub fn legal_marks(game: &dyn Game) -> Vec<(Point, char)> {
    let place = |m: Move| if let Move::Place(p) = m { Some((p, '+')) } else { None };
    game.legal().into_iter().filter_map(place).collect()
}
