//! Requests of a manager to an engine, as protocol text.

use std::fmt::Write as _;

use kagetsu::game::notation::gomocup;
use kagetsu::game::{Color, Point, Position, Size};

/// The command that makes an engine think.
#[derive(Clone, Copy, Debug)]
pub enum Ask<'a> {
    /// BOARD with the whole position, or BEGIN if it is empty.
    Position(&'a Position),
    /// TURN with the opponent's move.
    Turn(Point),
    /// A question about the opening, with all its lines.
    Opening(&'a str),
}

impl Ask<'_> {
    /// The lines of the command.
    pub fn text(self, size: Size) -> String {
        match self {
            Ask::Turn(p) => format!("TURN {}\n", gomocup::print_point(p, size)),
            Ask::Position(position) if position.stones().next().is_none() => "BEGIN\n".into(),
            Ask::Position(position) => {
                let mut text = String::from("BOARD\n");
                for (p, color) in in_turn(position) {
                    let whose = if color == position.side() { 1 } else { 2 };
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "{},{whose}", gomocup::print_point(p, size));
                }
                text + "DONE\n"
            }
            Ask::Opening(text) => text.to_owned(),
        }
    }
}

/// Returns the stones with colours taking turns as far as possible: engines read the order of moves from it. Stones
/// that were moves keep their order.
fn in_turn(position: &Position) -> Vec<(Point, Color)> {
    let of = |color| position.stones().filter(move |&(_, c)| c == color);
    let (mut next, mut other) = (of(Color::Black), of(Color::White));
    let mut stones = Vec::new();
    loop {
        let (a, b) = (next.next(), other.next());
        if a.is_none() && b.is_none() {
            return stones;
        }
        stones.extend(a);
        stones.extend(b);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use kagetsu::game::notation::moves;

    #[test]
    fn requests_are_the_protocols() {
        let size = Size::S15;
        let (empty, position) = (Position::new(size), moves::parse("h8h9i9", size).unwrap());
        assert_eq!(Ask::Position(&empty).text(size), "BEGIN\n");
        // White is to move: its own stones are 1. Rows count from the top.
        assert_eq!(Ask::Position(&position).text(size), "BOARD\n7,7,2\n7,6,1\n8,6,2\nDONE\n");
        assert_eq!(Ask::Turn(Point::new(0, 0)).text(size), "TURN 0,14\n");
        assert_eq!(Ask::Opening("SWAP2BOARD\nDONE\n").text(size), "SWAP2BOARD\nDONE\n");
    }
}
