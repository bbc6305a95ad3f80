//! Ends of a game other than a row, a foul and a full board. Which of them apply depends on the code of rules that is
//! played.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::color::Color;
use super::outcome::{Draw, Outcome};
use super::point::Direction;
use super::quote::quoted;
use super::rule::Rule;
use super::rule_kind::RuleKind;
use super::shape::Shape;
use crate::invalid::Invalid;

/// The additional ends of the game, all of them draws, and when passing is allowed. By default there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Endings {
    /// Either side may pass once this many stones are on the board, at least one; `None` forbids passing.
    pub passes: Option<usize>,
    /// Two passes in a row are a draw.
    pub two_passes: bool,
    /// The game is drawn when neither side can make a winning row any more, however the empty points are filled.
    pub no_row: bool,
    /// The game is drawn when Black is to move and every empty point is a foul. Otherwise Black must pass or, where
    /// passing is not allowed, lose by a foul.
    pub only_fouls: bool,
    /// The players may agree on a draw.
    pub agreement: bool,
    /// The game is drawn after this many moves, setup stones and passes included.
    pub moves: Option<usize>,
    /// The game is drawn when the side to move has placed this many stones.
    pub stones: Option<usize>,
}

/// A named set of [`Endings`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EndSet {
    /// Draws by two passes, when no row is possible, and when Black has fouls only. Passes under Renju from the sixth
    /// stone on.
    #[default]
    Plain,
    /// The rules of the Renju International Federation: passes from the sixth stone on; draws by two passes, by
    /// agreement and when no row is possible. Black with fouls only may pass (RIF rules of 1996, and the Polish rules
    /// by Futrega: "Black is not forced to commit a foul").
    Rif,
    /// Gomocup: nobody passes, and Black with fouls only loses, as Piskvork has it. Under Renju it is a draw after 200
    /// moves (Gomocup 2016).
    Gomocup,
}

impl EndSet {
    /// All sets.
    pub const ALL: [EndSet; 3] = [EndSet::Plain, EndSet::Rif, EndSet::Gomocup];

    /// Lower-case name, as the command line spells it.
    pub const fn name(self) -> &'static str {
        match self {
            EndSet::Plain => "plain",
            EndSet::Rif => "rif",
            EndSet::Gomocup => "gomocup",
        }
    }

    /// Returns the ends of this set under a rule.
    pub fn endings(self, rule: RuleKind) -> Endings {
        let is_renju = rule == RuleKind::Renju;
        match self {
            EndSet::Plain => Endings {
                passes: is_renju.then_some(FIRST_PASS),
                two_passes: true,
                no_row: true,
                only_fouls: true,
                ..Endings::default()
            },
            EndSet::Rif => Endings {
                passes: Some(FIRST_PASS),
                two_passes: true,
                no_row: true,
                agreement: true,
                ..Endings::default()
            },
            EndSet::Gomocup => Endings { moves: is_renju.then_some(GOMOCUP_MOVES), ..Endings::default() },
        }
    }
}

/// Number of stones on the board from which Renju allows passes.
const FIRST_PASS: usize = 6;
/// Number of moves after which a game of Gomocup's Renju league is drawn.
const GOMOCUP_MOVES: usize = 200;

impl fmt::Display for EndSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EndSet {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<EndSet, Invalid> {
        let set = EndSet::ALL.into_iter().find(|set| set.name() == s.to_ascii_lowercase());
        set.ok_or_else(|| {
            format!("{} is not a set of ends: expected plain, rif or gomocup", quoted(s)).into()
        })
    }
}

impl<R: Rule> Board<R> {
    /// Returns how the game ended, if it has: by a row, a foul, a full board, or one of `endings`. The first of these that
    /// holds counts, so that a row made by the last stone of the board wins.
    pub fn outcome(&self, endings: &Endings) -> Option<Outcome> {
        if let Some((color, _)) = self.find_row() {
            Some(Outcome::Row(color))
        } else if let Some(kinds) = self.last_foul() {
            Some(Outcome::Foul(kinds))
        } else {
            self.draw(endings).map(Outcome::Draw)
        }
    }

    /// Returns why the game is drawn, unless it goes on or ended by a row or a foul.
    pub fn draw(&self, endings: &Endings) -> Option<Draw> {
        let reached = |limit: Option<usize>, n: usize| limit.is_some_and(|limit| n >= limit);
        let placed = self.stones_of(self.side()).len();
        if self.empty().is_empty() {
            Some(Draw::FullBoard)
        } else if endings.two_passes && self.passes() >= 2 {
            Some(Draw::TwoPasses)
        } else if reached(endings.moves, self.moves()) {
            Some(Draw::MoveLimit)
        } else if reached(endings.stones, placed) {
            Some(Draw::StoneLimit)
        } else if endings.only_fouls && self.has_only_fouls() {
            Some(Draw::OnlyFouls)
        } else if endings.no_row && Color::BOTH.into_iter().all(|c| !self.can_make_row(c)) {
            Some(Draw::NoRow)
        } else {
            None
        }
    }

    /// Returns whether the side to move may pass.
    pub fn may_pass(&self, endings: &Endings) -> bool {
        endings.passes.is_some_and(|stones| self.stones() >= stones.max(1))
    }

    /// Returns the number of passes at the end of the moves.
    fn passes(&self) -> usize {
        (0..self.ply()).take_while(|&back| self.last_move(back).is_none()).count()
    }

    /// Returns whether Black is to move and every empty point is a foul.
    pub fn has_only_fouls(&self) -> bool {
        R::fouls(self.side()) && !self.empty().is_empty() && self.empty().iter().all(|p| !self.is_legal(p))
    }

    /// Returns whether some filling of the empty points gives `color` a winning row. Every such row includes an empty
    /// point, and the shapes there show it.
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
    use crate::game::outcome::winning_row;
    use crate::game::{Caro, Caro6, Point, PointSet, Position, Renju, Size, Standard, notation};

    fn board<R: Rule>(text: &str) -> Board<R> {
        Board::from_position(&notation::parse(text, None).unwrap()).unwrap()
    }

    fn draw(draw: Draw) -> Option<Outcome> {
        Some(Outcome::Draw(draw))
    }

    #[test]
    fn optional_ends_are_off_unless_asked_for() {
        let check = |text: &str, endings: Endings| board::<Renju>(text).outcome(&endings);
        let none = Endings::default();
        let cases = [
            ("h8----", Endings { two_passes: true, ..none }, Draw::TwoPasses),
            ("h8--", Endings { moves: Some(2), ..none }, Draw::MoveLimit),
            ("xx3/5/5/5/5 x", Endings { moves: Some(2), ..none }, Draw::MoveLimit),
            ("h8h9i8i9", Endings { stones: Some(2), ..none }, Draw::StoneLimit),
        ];
        for (text, endings, expected) in cases {
            assert_eq!(check(text, none), None, "{text}");
            assert_eq!(check(text, endings), draw(expected), "{text}");
        }
        assert_eq!(check("h8--", Endings { two_passes: true, ..none }), None);
        assert_eq!(check("h8h9--", Endings { two_passes: true, ..none }), None);
        assert_eq!(check("h8----h9", Endings { two_passes: true, ..none }), None, "the game went on");
        assert_eq!(check("h8h9i8", Endings { stones: Some(2), ..none }), None, "white has one stone left");
    }

    #[test]
    fn sets_of_ends_differ_as_their_codes_do() {
        let of = |set: EndSet, rule| set.endings(rule);
        assert_eq!("RIF".parse(), Ok(EndSet::Rif));
        assert!("fide".parse::<EndSet>().is_err());
        for set in EndSet::ALL {
            assert_eq!(set.name().parse(), Ok(set));
        }
        // Passes: from the sixth stone on under Renju, under other rules only if the set has them.
        for (set, rule, text, may) in [
            (EndSet::Plain, RuleKind::Renju, "h8h9i8i9j8", false),
            (EndSet::Plain, RuleKind::Renju, "h8h9i8i9--j8", false),
            (EndSet::Plain, RuleKind::Renju, "h8h9i8i9j8j9", true),
            (EndSet::Plain, RuleKind::Renju, "xxx2/ooo2/5/5/5 x", true),
            (EndSet::Plain, RuleKind::Freestyle, "h8h9i8i9j8j9", false),
            (EndSet::Rif, RuleKind::Freestyle, "h8h9i8i9j8j9", true),
            (EndSet::Gomocup, RuleKind::Renju, "h8h9i8i9j8j9", false),
        ] {
            assert_eq!(board::<Renju>(text).may_pass(&of(set, rule)), may, "{set} {rule} {text}");
        }
        let passes = Endings { passes: Some(0), ..Endings::default() };
        assert!(!board::<Renju>("").may_pass(&passes) && board::<Renju>("h8").may_pass(&passes));
        assert_eq!(of(EndSet::Gomocup, RuleKind::Renju).moves, Some(200));
        assert_eq!(of(EndSet::Gomocup, RuleKind::Freestyle), Endings::default());
        let agreed = EndSet::ALL.map(|set| of(set, RuleKind::Renju).agreement);
        assert_eq!(agreed, [false, true, false]);
        // Black has only fouls: a draw, a pass, or a loss to come.
        let text = "xx1xxx/xxxooo/xoxooo/oooxxx/oxoxox/xoooxo x";
        let ends = EndSet::ALL.map(|set| board::<Renju>(text).outcome(&of(set, RuleKind::Renju)));
        assert_eq!(ends, [draw(Draw::OnlyFouls), draw(Draw::NoRow), None]);
    }

    #[test]
    fn only_fouls_left_for_black() {
        let endings = Endings { only_fouls: true, ..Endings::default() };
        // The only empty point in the bottom row would make six in a row, which on this board is only a foul.
        let text = "oxoxox/oxoxox/xoxoxo/xoxoxo/oxoxox/xxx1xx x";
        assert_eq!(board::<Renju>(text).outcome(&endings), draw(Draw::OnlyFouls));
        assert_eq!(board::<Standard>(text).outcome(&endings), None);
        let white = text.replace(" x", " o");
        assert_eq!(board::<Renju>(&white).outcome(&endings), None, "white may still play");
    }

    /// Returns whether the empty points can be filled so that `color` has a winning row, by trying all fillings.
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
