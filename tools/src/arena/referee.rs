//! The referee of one game: the rules core behind a rule chosen at run time.

use kagetsu::game::{
    Board, Color, Draw, Endings, Error, FoulKinds, Move, Point, Position, Rule, RuleKind, Size,
};
use kagetsu::with_rule;

/// Result of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// The game goes on.
    Goes,
    /// The mover has won.
    Wins,
    /// The mover has lost by a forbidden move.
    Foul(FoulKinds),
    /// Nobody wins.
    Drawn(Draw),
    /// An illegal move: off the board or occupied, or a pass where none is allowed. The position is unchanged.
    Illegal,
}

/// A pass as engines write it, following Rapfi: coordinates off the board.
pub const PASS: (i64, i64) = (-1, -1);

trait RuleBoard: Send {
    fn rule_on(&mut self, m: Move, endings: &Endings) -> Ruling;
}

impl<R: Rule> RuleBoard for Board<R> {
    fn rule_on(&mut self, m: Move, endings: &Endings) -> Ruling {
        match m {
            Move::Pass if self.may_pass(endings) => self.pass(),
            Move::Pass => return Ruling::Illegal,
            Move::Place(p) if self.check_free(p).is_err() => return Ruling::Illegal,
            Move::Place(p) if self.is_foul(p, self.side()) => return Ruling::Foul(self.foul_kinds(p)),
            Move::Place(p) => self.play(p),
        }
        match self.winner() {
            Some(_) => Ruling::Wins,
            None => self.draw(endings).map_or(Ruling::Goes, Ruling::Drawn),
        }
    }
}

/// A game's rules and its position.
pub struct Referee {
    position: Position,
    endings: Endings,
    judge: Box<dyn RuleBoard>,
}

impl Referee {
    /// A referee for a game from this position, with these ends besides rows, fouls and a full board.
    ///
    /// # Errors
    /// If the position is impossible.
    pub fn new(rule: RuleKind, position: Position, endings: Endings) -> Result<Referee, Error> {
        let judge: Box<dyn RuleBoard> =
            with_rule!(rule, R => Box::new(Board::<R>::from_position(&position)?));
        Ok(Referee { position, endings, judge })
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.position.side()
    }

    /// Judges a move given as column from the left and row from the top, or a [`PASS`], and plays it if it is legal. A
    /// foul is played too: it is the game's last move. The move is `None` off the board.
    pub fn play(&mut self, at: (i64, i64)) -> (Ruling, Option<Move>) {
        let point = || point(at.0, at.1, self.position.size()).map(Move::Place);
        let Some(m) = Some(Move::Pass).filter(|_| at == PASS).or_else(point) else {
            return (Ruling::Illegal, None);
        };
        let ruling = self.judge.rule_on(m, &self.endings);
        if ruling != Ruling::Illegal && self.position.push(m).is_err() {
            return (Ruling::Illegal, None);
        }
        (ruling, Some(m))
    }
}

fn point(x: i64, y: i64, size: Size) -> Option<Point> {
    kagetsu::game::notation::gomocup::point(usize::try_from(x).ok()?, usize::try_from(y).ok()?, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::EndSet;
    use kagetsu::game::notation::{self, gomocup, moves};

    /// The ruling on a point of the position that the moves make.
    fn ruling(rule: RuleKind, text: &str, point: &str) -> Ruling {
        let size = Size::S15;
        let position = moves::parse(text, size).unwrap();
        let mut referee = Referee::new(rule, position, EndSet::Plain.endings(rule)).unwrap();
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
        let endings = EndSet::Plain.endings(RuleKind::Renju);
        let mut referee = Referee::new(RuleKind::Renju, Position::new(Size::S15), endings).unwrap();
        for at in [(15, 0), (0, 15), (-1, 3), (3, i64::MAX)] {
            assert_eq!(referee.play(at), (Ruling::Illegal, None));
        }
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let size = Size::new(5).unwrap();
        let endings = Endings::default();
        let mut referee = Referee::new(RuleKind::Freestyle, Position::new(size), endings).unwrap();
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
        assert_eq!(rulings[24], Ruling::Drawn(Draw::FullBoard));
    }

    /// The rulings on moves from a position, by the ends of a set.
    fn rulings(set: EndSet, text: &str, moves: &[(i64, i64)]) -> Vec<Ruling> {
        let position = notation::parse(text, None).unwrap();
        let mut referee = Referee::new(RuleKind::Renju, position, set.endings(RuleKind::Renju)).unwrap();
        moves.iter().map(|&at| referee.play(at).0).collect()
    }

    #[test]
    fn passes_are_moves_where_the_set_has_them() {
        let six = "h8h9i8i9j8j9";
        let drawn = Ruling::Drawn(Draw::TwoPasses);
        assert_eq!(rulings(EndSet::Plain, six, &[PASS, PASS]), [Ruling::Goes, drawn]);
        assert_eq!(rulings(EndSet::Plain, six, &[PASS, (0, 0), PASS]), [Ruling::Goes; 3]);
        assert_eq!(
            rulings(EndSet::Plain, &six[..10], &[PASS, (0, 0), PASS])[..2],
            [Ruling::Illegal, Ruling::Goes]
        );
        assert_eq!(rulings(EndSet::Gomocup, six, &[PASS, (0, 0)]), [Ruling::Illegal, Ruling::Goes]);
    }

    #[test]
    fn fouls_alone_are_what_the_set_makes_of_them() {
        // White's last move leaves Black the foul d1 (six), where White would make five; d1 is column 3, row 6.
        let before = "1ooxooo/ooxxxxo/xooooxx/xxxoxox/xoooxox/oxxoxoo/xxx1xxx o";
        let (last, foul) = ((0, 0), (3, 6));
        assert_eq!(rulings(EndSet::Plain, before, &[last]), [Ruling::Drawn(Draw::OnlyFouls)]);
        assert_eq!(
            rulings(EndSet::Rif, before, &[last, PASS, foul]),
            [Ruling::Goes, Ruling::Goes, Ruling::Wins]
        );
        let six = FoulKinds { overline: true, ..FoulKinds::NONE };
        assert_eq!(rulings(EndSet::Gomocup, before, &[last, foul]), [Ruling::Goes, Ruling::Foul(six)]);
    }

    #[test]
    fn a_game_without_a_possible_row_is_drawn() {
        // Both colours are on every line of five points.
        let before = "1xoxo/ooxxo/xxoox/ooxx1/xxoxo o";
        assert_eq!(rulings(EndSet::Plain, before, &[(0, 0)]), [Ruling::Drawn(Draw::NoRow)]);
        assert_eq!(rulings(EndSet::Gomocup, before, &[(0, 0)]), [Ruling::Goes]);
    }
}
