//! The referee of one game: the rules core behind a rule chosen at run time.

use kagetsu::game::{Board, Color, Error, FoulKinds, Point, Position, Rule, RuleKind, Size};
use kagetsu::with_rule;

/// What a move did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// The game goes on.
    Goes,
    /// The mover has won.
    Wins,
    /// The mover has lost by a forbidden move.
    Foul(FoulKinds),
    /// Nobody can win any more: the board is full, or the side to move has no legal point.
    Drawn,
    /// It was no move: off the board or occupied. The position is unchanged.
    Illegal,
}

trait Judge: Send {
    fn rule_on(&mut self, p: Point) -> Ruling;
}

impl<R: Rule> Judge for Board<R> {
    fn rule_on(&mut self, p: Point) -> Ruling {
        if self.check_free(p).is_err() {
            return Ruling::Illegal;
        }
        if self.is_foul(p, self.side()) {
            return Ruling::Foul(self.foul_kinds(p));
        }
        self.play(p);
        if self.winner().is_some() {
            Ruling::Wins
        } else if self.empty().iter().any(|q| self.is_legal(q)) {
            Ruling::Goes
        } else {
            Ruling::Drawn
        }
    }
}

/// A game's rules and its position.
pub struct Referee {
    position: Position,
    judge: Box<dyn Judge>,
}

impl Referee {
    /// A referee for a game from this position.
    ///
    /// # Errors
    /// If the position is impossible.
    pub fn new(rule: RuleKind, position: Position) -> Result<Referee, Error> {
        let judge: Box<dyn Judge> = with_rule!(rule, R => Box::new(Board::<R>::from_position(&position)?));
        Ok(Referee { position, judge })
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.position.side()
    }

    /// Judges a move given as column from the left and row from the top, and makes it if it is one. A foul is made too:
    /// it is the game's last move.
    pub fn play(&mut self, (x, y): (i64, i64)) -> (Ruling, Option<Point>) {
        let Some(p) = point(x, y, self.position.size()) else { return (Ruling::Illegal, None) };
        let ruling = self.judge.rule_on(p);
        if ruling != Ruling::Illegal && self.position.push(kagetsu::game::Move::Place(p)).is_err() {
            return (Ruling::Illegal, None);
        }
        (ruling, Some(p))
    }
}

fn point(x: i64, y: i64, size: Size) -> Option<Point> {
    kagetsu::game::notation::gomocup::point(usize::try_from(x).ok()?, usize::try_from(y).ok()?, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::notation::{self, gomocup, moves};

    /// The ruling on a point of the position that the moves make.
    fn ruling(rule: RuleKind, text: &str, point: &str) -> Ruling {
        let size = Size::S15;
        let mut referee = Referee::new(rule, moves::parse(text, size).unwrap()).unwrap();
        let (x, y) = gomocup::coordinates(notation::parse_point(point, size).unwrap(), size);
        referee.play((x as i64, y as i64)).0
    }

    #[test]
    fn rows_win_as_the_rule_has_it() {
        let four = "a1 a15 b1 c15 c1 e15 d1 g15";
        for rule in RuleKind::ALL {
            assert_eq!(ruling(rule, four, "e1"), Ruling::Wins, "{rule}");
            assert_eq!(ruling(rule, four, "f1"), Ruling::Goes, "{rule}");
            assert_eq!(ruling(rule, four, "a1"), Ruling::Illegal, "{rule}");
        }
        // a1 b1 c1 _ e1 f1: the gap makes six.
        let gap = "a1 a15 b1 c15 c1 e15 e1 g15 f1 i15";
        assert_eq!(ruling(RuleKind::Freestyle, gap, "d1"), Ruling::Wins);
        assert_eq!(ruling(RuleKind::Standard, gap, "d1"), Ruling::Goes);
        assert!(matches!(ruling(RuleKind::Renju, gap, "d1"), Ruling::Foul(kinds) if kinds.overline));
        assert_eq!(ruling(RuleKind::Caro, gap, "d1"), Ruling::Goes);
        assert_eq!(ruling(RuleKind::Caro6, gap, "d1"), Ruling::Wins);
        // Both ends closed by white stones.
        let closed = "c1 b1 d1 h1 e1 a15 f1 c15";
        assert_eq!(ruling(RuleKind::Caro, closed, "g1"), Ruling::Goes);
        assert_eq!(ruling(RuleKind::Freestyle, closed, "g1"), Ruling::Wins);
    }

    #[test]
    fn points_beyond_the_edge_are_no_moves() {
        let mut referee = Referee::new(RuleKind::Renju, Position::new(Size::S15)).unwrap();
        for at in [(15, 0), (0, 15), (-1, 3), (3, i64::MAX)] {
            assert_eq!(referee.play(at), (Ruling::Illegal, None));
        }
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let size = Size::new(5).unwrap();
        let mut referee = Referee::new(RuleKind::Freestyle, Position::new(size)).unwrap();
        // Two colours in columns of a pattern without a row of five.
        let pattern = ["xxoxo", "ooxox", "xxxoo", "xoxox", "oxoxo"];
        let mut cells: [Vec<(i64, i64)>; 2] = Default::default();
        for (y, row) in pattern.iter().enumerate() {
            for (x, c) in row.chars().enumerate() {
                cells[usize::from(c == 'o')].push((x as i64, y as i64));
            }
        }
        let (black, white) = (cells[0].clone(), cells[1].clone());
        assert_eq!((black.len(), white.len()), (13, 12));
        let order = (0..25).map(|i| if i % 2 == 0 { black[i / 2] } else { white[i / 2] });
        let rulings: Vec<Ruling> = order.map(|at| referee.play(at).0).collect();
        assert!(rulings[..24].iter().all(|&r| r == Ruling::Goes), "{rulings:?}");
        assert_eq!(rulings[24], Ruling::Drawn);
    }
}
