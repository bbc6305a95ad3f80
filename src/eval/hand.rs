//! The first net: weights set by hand, from the worth of each shape.
//!
//! An empty point has for each colour the worth of the shapes that a stone there would make. A move has the
//! worth of its own shapes and of those that it takes from the opponent. Only the linear part of the net is
//! used. The first generation of self-play games is made with these weights; later nets learned from games
//! alone.

use super::arch::{LINEAR_ONE, LOGIT_ONE};
use super::net::{Info, Net};
use crate::game::codes::codes;
use crate::game::{Color, Direction, Level, RuleKind, Shape, Shapes};

/// Scale of the net: eight integer units of a linear weight are worth one unit of score.
const SCALE: i32 = LINEAR_ONE / 8;
/// Weight of the shapes of the side to move, in eighths; those of the opponent count eight eighths.
const OWN: i32 = 9;
/// Score of having the move (tempo).
const TEMPO: i32 = 24;

/// Returns the net of a rule.
pub fn net(rule: RuleKind) -> Net {
    let info = Info::new(rule, SCALE, 0, 0, "weights by hand".to_string());
    let mut net = Net::zero(info);
    for color in Color::BOTH {
        let fouls = rule == RuleKind::Renju && color == Color::Black;
        for raw in 0..=u16::MAX {
            let shapes = Shapes(u32::from(raw));
            let all = Direction::ALL.map(|d| shapes.get(Color::Black, d));
            let level = Level::of_shapes(raw, fouls);
            let code = usize::from(codes()[usize::from(raw)]);
            let point = point_value(level, all);
            let attack = attack_value(level, all);
            for side in Color::BOTH {
                let (linear, moves) =
                    if side == color { (OWN * point, attack) } else { (-8 * point, attack * 3 / 4) };
                net.linear[color.index()][code][side.index()] = linear as i16;
                net.moves[color.index()][code][side.index()] = moves as i16;
            }
        }
    }
    for head in &mut net.heads {
        head.b3 = TEMPO * LOGIT_ONE / SCALE;
    }
    net
}

fn point_value(level: Level, shapes: [Shape; 4]) -> i32 {
    let lines: i32 = shapes
        .into_iter()
        .map(|s| match s {
            Shape::Dead | Shape::ClosedOne | Shape::Overline => 0,
            Shape::One => 1,
            Shape::ClosedTwo => 2,
            Shape::Two => 3,
            Shape::TwoDouble => 4,
            Shape::TwoTriple => 5,
            Shape::ClosedThree => 6,
            Shape::Three => 23,
            Shape::ThreeDouble => 28,
            Shape::Four => 34,
            Shape::StraightFour | Shape::DoubleFour => 60,
            Shape::Five => 100,
        })
        .sum();
    let together = match level {
        Level::Foul => return 0,
        Level::DoubleTwo => 6,
        Level::ThreePlus => 8,
        Level::DoubleThree => 40,
        Level::FourPlus => 15,
        Level::FourThree => 70,
        Level::WinningFour => 100,
        _ => 0,
    };
    lines + together
}

fn attack_value(level: Level, shapes: [Shape; 4]) -> i32 {
    let lines: i32 = shapes
        .into_iter()
        .map(|s| match s {
            Shape::Dead | Shape::Overline => 0,
            Shape::ClosedOne => 1,
            Shape::One => 3,
            Shape::ClosedTwo => 8,
            Shape::Two => 14,
            Shape::TwoDouble => 17,
            Shape::TwoTriple => 20,
            Shape::ClosedThree => 20,
            Shape::Three => 60,
            Shape::ThreeDouble => 70,
            Shape::Four => 60,
            _ => 100,
        })
        .sum();
    let together = match level {
        Level::None | Level::Two | Level::ClosedThree => 0,
        Level::Foul => return 0,
        Level::DoubleTwo => 30,
        Level::Three => 60,
        Level::ThreePlus => 110,
        Level::SuspectThree => 40,
        Level::DoubleThree => 400,
        Level::Four => 60,
        Level::FourPlus => 150,
        Level::SuspectFour => 150,
        Level::FourThree => 800,
        Level::WinningFour => 1500,
        Level::Five => 3000,
    };
    lines + together
}
