//! Black's points by the rules about fouls.

use kagetsu::game::{
    Board, Color, Endings, Error, FoulKinds, Level, Outcome, Point, Position, Reading, Rule, RuleKind,
};
use kagetsu::with_rule;

/// Findings about Black's points, whoever is to move, each list in board order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Findings {
    /// End of the game by a row, by a foul that Black has played, or by a full board.
    pub end: Option<Outcome>,
    /// Points forbidden to Black.
    pub fouls: Vec<(Point, FoulKinds)>,
    /// Legal points that make no five, yet where two lines hold a three by their stones.
    pub false_fouls: Vec<Point>,
    /// Points where a stone wins.
    pub fives: Vec<Point>,
    /// Points forbidden by one reading only.
    pub readings_differ: Vec<Point>,
}

/// Finds Black's fouls by a reading of the rule, and what is near them.
///
/// # Errors
/// If the position is impossible.
pub fn find(position: &Position, rule: RuleKind, reading: Reading) -> Result<Findings, Error> {
    with_rule!(rule, R => Ok(findings(Board::<R>::from_position(position)?, reading)))
}

fn findings<R: Rule>(mut board: Board<R>, reading: Reading) -> Findings {
    let points: Vec<Point> = board.empty().iter().collect();
    let mut kinds_by = |reading| -> Vec<FoulKinds> {
        board.set_reading(reading);
        points.iter().map(|&p| board.foul_kinds(p)).collect()
    };
    let others = kinds_by(match reading {
        Reading::Literal => Reading::FiveExtends,
        Reading::FiveExtends => Reading::Literal,
    });
    // Last, so that the board goes on with this reading.
    let kinds = kinds_by(reading);
    let judged = || points.iter().copied().zip(kinds.iter().copied());
    Findings {
        end: board.outcome(&Endings::default()),
        fouls: judged().filter(|(_, kinds)| kinds.any()).collect(),
        false_fouls: points.iter().copied().filter(|&p| board.is_false_foul(p)).collect(),
        fives: points.iter().copied().filter(|&p| board.level(p, Color::Black) == Level::Five).collect(),
        readings_differ: judged()
            .zip(&others)
            .filter(|((_, kinds), other)| kinds.any() != other.any())
            .map(|((p, _), _)| p)
            .collect(),
    }
}
