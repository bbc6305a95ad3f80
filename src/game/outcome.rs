//! The end of a game.
//!
//! Under every code a game ends at a winning row, a foul, or a full board. The other ends differ from code to code: see
//! [`super::endings`].

use std::fmt;

use super::board::Board;
use super::color::Color;
use super::foul::{FoulKinds, FoulTables};
use super::point::{Direction, Point, PointSet, Size};
use super::rule::Rule;
use super::rule_kind::Five;

/// Result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This colour made a winning row.
    Row(Color),
    /// Black's last move was a foul: White wins.
    Foul(FoulKinds),
    /// Nobody wins.
    Draw(Draw),
}

/// Reason of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draw {
    /// No empty point is left.
    FullBoard,
    /// Neither side can make a winning row any more.
    NoRow,
    /// Black is to move and every empty point is a foul.
    OnlyFouls,
    /// Both sides passed, one after the other.
    TwoPasses,
    /// The limit on moves is reached.
    MoveLimit,
    /// The side to move has used up its stones.
    StoneLimit,
    /// The players agreed.
    Agreement,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Row(color) => Some(color),
            Outcome::Foul(_) => Some(Color::White),
            Outcome::Draw(_) => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Row(color) => write!(f, "{color} wins by a row"),
            Outcome::Foul(kinds) => write!(f, "white wins by black's foul ({kinds})"),
            Outcome::Draw(draw) => write!(f, "draw: {draw}"),
        }
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Draw::FullBoard => "the board is full",
            Draw::NoRow => "neither side can make a winning row any more",
            Draw::OnlyFouls => "black has only foul points left",
            Draw::TwoPasses => "both sides passed",
            Draw::MoveLimit => "the move limit is reached",
            Draw::StoneLimit => "the stones are used up",
            Draw::Agreement => "both sides agreed",
        })
    }
}

/// Returns a run of stones that wins for `color`, searched on the whole board.
pub fn winning_row(stones: [&PointSet; 2], size: Size, color: Color, five: Five) -> Option<Vec<Point>> {
    let own = stones[color.index()];
    let theirs = stones[(!color).index()];
    let has = |set: &PointSet, p: Option<Point>| p.is_some_and(|p| set.contains(p));
    for p in own.iter() {
        for d in Direction::ALL {
            if has(own, p.offset(d, -1, size)) {
                continue;
            }
            let run: Vec<Point> =
                (0..).map_while(|n| p.offset(d, n, size).filter(|&q| own.contains(q))).collect();
            let length = run.len();
            let closed = has(theirs, p.offset(d, -1, size)) && has(theirs, p.offset(d, length as i32, size));
            let wins = match five {
                Five::AtLeast => length >= 5,
                Five::Exactly => length == 5,
                Five::Unclosed => length == 5 && !closed,
                Five::UnclosedOrLong => length >= 6 || length == 5 && !closed,
            };
            if wins {
                return Some(run);
            }
        }
    }
    None
}

impl<R: Rule> Board<R> {
    /// The colour with a winning row anywhere on the board, setup stones included, with the row's points.
    pub fn find_row(&self) -> Option<(Color, Vec<Point>)> {
        let stones = [self.stones_of(Color::Black), self.stones_of(Color::White)];
        Color::BOTH
            .into_iter()
            .find_map(|c| winning_row(stones, self.size(), c, R::KIND.five(c)).map(|row| (c, row)))
    }

    /// Returns the kinds of foul of the last ply, if it was a foul of Black.
    pub fn last_foul(&self) -> Option<FoulKinds> {
        let p = self.last_move(0).filter(|_| R::fouls(!self.side()))?;
        // An occupied point keeps the shapes from before its stone.
        let shapes = self.shapes(p);
        let mut lines = self.lines().clone();
        lines.toggle(p, Color::Black);
        Some(FoulTables::new(self.reading()).kinds(&mut lines, p, shapes)).filter(|kinds| kinds.any())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation;
    use crate::game::{Endings, Freestyle, Renju, Standard};

    fn board<R: Rule>(text: &str) -> Board<R> {
        Board::from_position(&notation::parse(text, None).unwrap()).unwrap()
    }

    fn outcome<R: Rule>(text: &str) -> Option<Outcome> {
        board::<R>(text).outcome(&Endings::default())
    }

    #[test]
    fn rows_and_fouls_end_the_game() {
        assert_eq!(outcome::<Renju>(""), None);
        assert_eq!(outcome::<Renju>("d4a1e4a2f4a3g4a4h4"), Some(Outcome::Row(Color::Black)));
        assert_eq!(
            outcome::<Renju>("xxxxx/5/5/5/5 x"),
            Some(Outcome::Row(Color::Black)),
            "setup stones count"
        );
        let overline = "d4a1e4a3f4a5h4a7i4a9g4";
        let six = FoulKinds { overline: true, ..FoulKinds::NONE };
        assert_eq!(outcome::<Renju>(overline), Some(Outcome::Foul(six)));
        assert_eq!(outcome::<Standard>(overline), None);
        assert_eq!(outcome::<Freestyle>(overline), Some(Outcome::Row(Color::Black)));
        assert_eq!(outcome::<Renju>(&format!("--{overline}")), Some(Outcome::Row(Color::White)));
        // The stone on a10 makes six in its column and five in its row: a five is no foul.
        let five_and_six = "a9o1b10o3c10o5d10o7e10o9a11o11a12o13a13n2a14n4a10";
        assert_eq!(outcome::<Renju>(five_and_six), Some(Outcome::Row(Color::Black)));
        let three = FoulKinds { double_three: true, ..FoulKinds::NONE };
        assert_eq!(outcome::<Renju>("f8a1g8a3h9a5h10a7h8"), Some(Outcome::Foul(three)));
        assert_eq!(outcome::<Renju>("f8a1g8a3h9a5h10a7h8--"), None, "only the last move is judged");
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let full = "xxoox/ooxxo/xxoox/ooxxo/xxoox o";
        assert_eq!(outcome::<Freestyle>(full), Some(Outcome::Draw(Draw::FullBoard)));
    }
}
