//! When a game is over, and how.
//!
//! By the rule a game ends at a winning row, a foul, or a full board. Every other end is an agreement of the players or
//! of their referee: [`Endings`] has them, all off by default.

use std::fmt;

use super::board::Board;
use super::color::Color;
use super::foul::{FoulKinds, Judge};
use super::point::{Direction, Point, PointSet, Size};
use super::rule::{Five, Rule};
use super::shape::Shape;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This colour made a winning row.
    Row(Color),
    /// Black's last move was a foul: White wins.
    Foul(FoulKinds),
    /// Nobody wins.
    Draw(Draw),
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draw {
    /// No empty point is left.
    FullBoard,
    /// [`Endings::no_row`].
    NoRow,
    /// [`Endings::only_fouls`].
    OnlyFouls,
    /// [`Endings::two_passes`].
    TwoPasses,
    /// [`Endings::moves`].
    MoveLimit,
    /// [`Endings::stones`].
    StoneLimit,
    /// [`Endings::empty_points`].
    FewEmptyPoints,
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
            Draw::FewEmptyPoints => "too few empty points are left",
        })
    }
}

/// Ends of the game besides those of the rule, all of them draws. By default there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Endings {
    /// Neither side can make a winning row any more, however the empty points are filled.
    pub no_row: bool,
    /// Black is to move and every empty point is a foul.
    pub only_fouls: bool,
    /// Two passes in a row.
    pub two_passes: bool,
    /// This many moves were made since the position was set up, passes included (Gomocup Renju: 200).
    pub moves: Option<usize>,
    /// The side to move has placed this many stones (over the board: 50).
    pub stones: Option<usize>,
    /// No more than this many points are empty (Piskvork: 25).
    pub empty_points: Option<usize>,
}

impl Endings {
    fn find<R: Rule>(&self, board: &Board<R>) -> Option<Draw> {
        let reached = |limit: Option<usize>, n: usize| limit.is_some_and(|limit| n >= limit);
        let placed = board.stones_of(board.side()).len();
        if self.two_passes && board.ply() >= 2 && (0..2).all(|back| board.last_move(back).is_none()) {
            Some(Draw::TwoPasses)
        } else if reached(self.moves, board.ply()) {
            Some(Draw::MoveLimit)
        } else if reached(self.stones, placed) {
            Some(Draw::StoneLimit)
        } else if self.empty_points.is_some_and(|limit| board.empty().len() <= limit) {
            Some(Draw::FewEmptyPoints)
        } else if self.only_fouls && board.has_only_fouls() {
            Some(Draw::OnlyFouls)
        } else if self.no_row && Color::BOTH.into_iter().all(|c| !board.can_make_row(c)) {
            Some(Draw::NoRow)
        } else {
            None
        }
    }
}

/// A run of stones that wins for `color`, looked for on the whole board.
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

    /// How the game ended, if it has: by the rule, or by one of `endings`.
    pub fn outcome(&self, endings: &Endings) -> Option<Outcome> {
        if let Some((color, _)) = self.find_row() {
            Some(Outcome::Row(color))
        } else if let Some(kinds) = self.last_foul() {
            Some(Outcome::Foul(kinds))
        } else if self.empty().is_empty() {
            Some(Outcome::Draw(Draw::FullBoard))
        } else {
            endings.find(self).map(Outcome::Draw)
        }
    }

    /// What kinds of foul Black's last move was, if the last ply is one.
    pub fn last_foul(&self) -> Option<FoulKinds> {
        let p = self.last_move(0).filter(|_| R::fouls(!self.side()))?;
        // A point keeps the shapes it had when it was taken.
        let shapes = self.shapes(p);
        let mut lines = self.lines().clone();
        lines.toggle(p, Color::Black);
        Some(Judge::new(self.reading()).kinds(&mut lines, p, shapes)).filter(|kinds| kinds.any())
    }

    /// Whether Black is to move and has empty points, all of them fouls.
    fn has_only_fouls(&self) -> bool {
        R::fouls(self.side()) && !self.empty().is_empty() && self.empty().iter().all(|p| !self.is_legal(p))
    }

    /// Whether some filling of empty points gives `color` a winning row. Each such row holds an empty point, and the
    /// shape there tells of it.
    fn can_make_row(&self, color: Color) -> bool {
        self.empty().iter().any(|p| {
            let shapes = self.shapes(p);
            Direction::ALL.into_iter().any(|d| !matches!(shapes.get(color, d), Shape::Dead | Shape::Overline))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation;
    use crate::game::{Caro, Caro6, Freestyle, Position, Renju, RuleKind, Standard};

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
        let three = FoulKinds { double_three: true, ..FoulKinds::NONE };
        assert_eq!(outcome::<Renju>("f8a1g8a3h9a5h10a7h8"), Some(Outcome::Foul(three)));
        assert_eq!(outcome::<Renju>("f8a1g8a3h9a5h10a7h8--"), None, "only the last move is judged");
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let full = "xxoox/ooxxo/xxoox/ooxxo/xxoox o";
        assert_eq!(outcome::<Freestyle>(full), Some(Outcome::Draw(Draw::FullBoard)));
    }

    #[test]
    fn optional_ends_are_off_unless_asked_for() {
        let check = |text: &str, endings: Endings| board::<Renju>(text).outcome(&endings);
        let none = Endings::default();
        let draw = |draw| Some(Outcome::Draw(draw));
        let cases = [
            ("h8----", Endings { two_passes: true, ..none }, Draw::TwoPasses),
            ("h8--", Endings { moves: Some(2), ..none }, Draw::MoveLimit),
            ("h8h9i8i9", Endings { stones: Some(2), ..none }, Draw::StoneLimit),
            ("xxoox/5/5/5/5 x", Endings { empty_points: Some(20), ..none }, Draw::FewEmptyPoints),
        ];
        for (text, endings, expected) in cases {
            assert_eq!(check(text, none), None, "{text}");
            assert_eq!(check(text, endings), draw(expected), "{text}");
        }
        assert_eq!(check("h8--", Endings { two_passes: true, ..none }), None);
        assert_eq!(check("h8h9--", Endings { two_passes: true, ..none }), None);
        assert_eq!(check("h8h9i8", Endings { stones: Some(2), ..none }), None, "white has one stone left");
        assert_eq!(check("xxoo1/5/5/5/5 x", Endings { empty_points: Some(20), ..none }), None);
    }

    #[test]
    fn only_fouls_left_for_black() {
        let endings = Endings { only_fouls: true, ..Endings::default() };
        // The one empty point in the bottom row makes six; on a board of six that is a foul and nothing else.
        let text = "oxoxox/oxoxox/xoxoxo/xoxoxo/oxoxox/xxx1xx x";
        assert_eq!(board::<Renju>(text).outcome(&endings), Some(Outcome::Draw(Draw::OnlyFouls)));
        assert_eq!(board::<Standard>(text).outcome(&endings), None);
        let white = text.replace(" x", " o");
        assert_eq!(board::<Renju>(&white).outcome(&endings), None, "white may still play");
    }

    /// Whether the empty points can be filled so that `color` has a winning row: every way of filling is tried.
    fn can_make_row_by_trying(cells: &[Option<Color>], side: usize, color: Color, rule: RuleKind) -> bool {
        let empty: Vec<usize> = (0..cells.len()).filter(|&i| cells[i].is_none()).collect();
        (0..3u32.pow(empty.len() as u32)).any(|mut code| {
            let mut cells = cells.to_vec();
            for &i in &empty {
                cells[i] = [None, Some(Color::Black), Some(Color::White)][code as usize % 3];
                code /= 3;
            }
            let stones_of = |color| {
                let own = cells.iter().enumerate().filter(|(_, cell)| **cell == Some(color));
                own.map(|(i, _)| Point::new(i % side, i / side)).collect::<PointSet>()
            };
            let sets = Color::BOTH.map(stones_of);
            winning_row([&sets[0], &sets[1]], Size::new(side).unwrap(), color, rule.five(color)).is_some()
        })
    }

    fn agree<R: Rule>(cells: &[Option<Color>], side: usize) {
        let stones = (0..cells.len()).filter_map(|i| cells[i].map(|c| (Point::new(i % side, i / side), c)));
        let position = Position::from_stones(Size::new(side).unwrap(), stones, Color::Black).unwrap();
        let board = Board::<R>::from_position(&position).unwrap();
        if board.find_row().is_some() {
            return;
        }
        for color in Color::BOTH {
            let expected = can_make_row_by_trying(cells, side, color, R::KIND);
            let text = notation::setup::print(&position);
            assert_eq!(board.can_make_row(color), expected, "{:?} {color} {text}", R::KIND);
        }
    }

    proptest::proptest! {
        /// Mostly black boards have many rows of six and closed rows.
        #[test]
        fn no_row_agrees_with_trying_everything(
            black in proptest::collection::vec(proptest::bool::weighted(0.65), 49),
            empty in proptest::collection::vec(0usize..49, 1..5),
        ) {
            let mut cells: Vec<_> =
                black.iter().map(|&black| Some(if black { Color::Black } else { Color::White })).collect();
            for i in empty {
                cells[i] = None;
            }
            agree::<Standard>(&cells, 7);
            agree::<Renju>(&cells, 7);
            agree::<Caro>(&cells, 7);
            agree::<Caro6>(&cells, 7);
        }
    }
}
