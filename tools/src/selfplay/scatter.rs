//! Random stones to begin a game with.
//!
//! They fall into a small box somewhere on the board, or, under Renju on 15x15, near one of the 26 openings.

use kagetsu::game::openings26::OPENINGS;
use kagetsu::game::symmetry::Symmetry;
use kagetsu::game::{Board, Color, Move, Point, PointSet, Position, Rule, Size, Threat};
use kagetsu::random::{IndexedRandom, Random, RngExt};

/// Returns a position of between `fewest` and `most` random stones in which neither side can win at once; `None` if the
/// stones drawn make no such position. Under Renju on 15x15 it has at least the three stones of an opening.
pub fn scatter<R: Rule>(size: Size, (fewest, most): (usize, usize), random: &mut Random) -> Option<Position> {
    let wanted = random.random_range(fewest..=most.max(fewest));
    let mut position = Position::new(size);
    if R::FOULS && size == Size::S15 {
        let image = Symmetry::ALL.choose(random)?;
        for p in OPENINGS.choose(random)?.moves {
            position.push(Move::Place(image.apply(p, size))).ok()?;
        }
    }
    let area = field(&position, random);
    let mut board = Board::<R>::from_position(&position).ok()?;
    while position.moves().len() < wanted {
        let free: Vec<Point> = area.iter().filter(|&p| board.is_legal(p)).collect();
        if free.is_empty() {
            return None;
        }
        let p = *free.choose(random)?;
        position.push(Move::Place(p)).ok()?;
        board.play(p);
        // The winner follows from the last stone alone.
        if board.winner().is_some() {
            return None;
        }
    }
    quiet(&board).then_some(position)
}

/// Returns the points for random stones: near the present ones, or in a box anywhere.
fn field(position: &Position, random: &mut Random) -> PointSet {
    let size = position.size();
    let all = PointSet::full(size);
    if !position.moves().is_empty() {
        return position.stones().map(|(p, _)| p).collect::<PointSet>().dilate().dilate() & all;
    }
    let side = (5 + random.random_range(..3usize)).min(size.side());
    let mut corner = || random.random_range(..size.side() - side + 1);
    let (left, bottom) = (corner(), corner());
    all.iter().filter(|p| p.x().wrapping_sub(left) < side && p.y().wrapping_sub(bottom) < side).collect()
}

/// Returns whether no side has won and no side threatens to win with one stone.
pub fn quiet<R: Rule>(board: &Board<R>) -> bool {
    board.winner().is_none() && Color::BOTH.iter().all(|&c| board.threats(c, Threat::Five).is_empty())
}
