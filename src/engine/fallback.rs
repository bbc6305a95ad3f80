//! A move without a search, in case everything else fails.

use std::panic;

use crate::game::{Board, Color, Point, Position, Reading, Rule, RuleKind, Threat};
use crate::with_rule;

/// Returns some move for the side to move: a winning move, a move that stops the opponent's five, a legal point near
/// the last stone, or any empty point. `None` only on a full board. It never panics, even if the board does.
pub(super) fn choose(position: &Position, rule: RuleKind, reading: Reading) -> Option<Point> {
    let sensible = panic::catch_unwind(|| {
        with_rule!(rule, R => {
            let mut board = Board::<R>::from_position(position).ok()?;
            board.set_reading(reading);
            sensible(&board)
        })
    });
    sensible.ok().flatten().or_else(|| {
        let center = position.size().center();
        position.size().points().filter(|&p| position.is_free(p)).min_by_key(|&p| p.distance(center))
    })
}

fn sensible<R: Rule>(board: &Board<R>) -> Option<Point> {
    let side = board.side();
    let fives = |color: Color| board.threats(color, Threat::Five).first();
    let anchor = board.last_move(0).unwrap_or(board.size().center());
    let near = |points: &mut dyn Iterator<Item = Point>| {
        points.filter(|&p| board.is_legal(p)).min_by_key(|&p| p.distance(anchor))
    };
    fives(side)
        .or_else(|| near(&mut board.five_replies(fives(!side)?, !side).iter()))
        .or_else(|| near(&mut board.empty().iter()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::game::{Move, Size, notation};

    fn position(points: &[(usize, usize)]) -> Position {
        let mut position = Position::new(Size::S15);
        for &(x, y) in points {
            position.push(Move::Place(Point::new(x, y))).unwrap();
        }
        position
    }

    #[test]
    fn wins_or_stops_a_win() {
        let fours = [(3, 3), (3, 9), (4, 3), (4, 9), (5, 3), (5, 9), (6, 3), (6, 9)];
        let p = choose(&position(&fours), RuleKind::Standard, Reading::Literal).unwrap();
        assert!(p == Point::new(2, 3) || p == Point::new(7, 3), "{p}");
        let p = choose(&position(&fours[..7]), RuleKind::Standard, Reading::Literal).unwrap();
        assert!(p == Point::new(2, 3) || p == Point::new(7, 3), "{p}");
    }

    #[test]
    fn otherwise_it_is_a_legal_point_near_the_last_stone() {
        let corner = Point::new(0, 0);
        for rule in RuleKind::ALL {
            let p = choose(&position(&[(7, 7), (0, 0)]), rule, Reading::Literal).unwrap();
            assert_eq!(p.distance(corner), 1, "{rule}: {p}");
        }
        // White's f8 makes a four, and its only reply, e8, is a double three.
        let lost = notation::parse("a8b8e6c8e7d8f7k1g6m3o15f8", None).unwrap();
        let (e8, f8) = (Point::new(4, 7), Point::new(5, 7));
        let p = choose(&lost, RuleKind::Renju, Reading::Literal).unwrap();
        assert!(p != e8 && p.distance(f8) == 1, "{p}");
        assert_eq!(choose(&lost, RuleKind::Standard, Reading::Literal), Some(e8));
    }

    #[test]
    fn an_empty_board_is_answered_in_the_middle() {
        assert_eq!(choose(&position(&[]), RuleKind::Renju, Reading::Literal), Some(Size::S15.center()));
    }
}
