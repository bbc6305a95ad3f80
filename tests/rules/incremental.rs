//! The board's incremental state equals a fresh computation and the reference, after any sequence of play, pass and
//! undo; and the eight symmetries agree.

use crate::common::random::Random;
use crate::common::reference::{Cell, Grid};
use kagetsu::game::Threat;
use kagetsu::game::symmetry::Symmetry;
use kagetsu::game::{Board, Color, Direction, Level, Move, Point, PointSet, Position, Rule, RuleKind, Size};
use kagetsu::with_rule;
use proptest::prelude::*;

/// The levels that boards count: those that belong to a threat.
const COUNTED: [Level; 11] = [
    Level::Foul,
    Level::Three,
    Level::ThreePlus,
    Level::SuspectThree,
    Level::DoubleThree,
    Level::Four,
    Level::FourPlus,
    Level::SuspectFour,
    Level::FourThree,
    Level::WinningFour,
    Level::Five,
];

const THREATS: [Threat; 4] = [Threat::Five, Threat::Four, Threat::Three, Threat::Suspect];

/// One step of a random walk; points are near earlier stones most of the time.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Play(u64),
    Pass,
    Undo,
}

fn steps() -> impl Strategy<Value = Vec<Edit>> {
    let step = prop_oneof![
        12 => any::<u64>().prop_map(Edit::Play),
        1 => Just(Edit::Pass),
        4 => Just(Edit::Undo),
    ];
    prop::collection::vec(step, 1..160)
}

/// A board, and beside it the stones and moves as plain lists.
struct Walk<R: Rule> {
    board: Board<R>,
    grid: Grid,
    position: Position,
}

impl<R: Rule> Walk<R> {
    fn new(start: Position) -> Walk<R> {
        let board = Board::from_position(&start).unwrap();
        Walk { board, grid: Grid::from_position(&start), position: start }
    }

    fn step(&mut self, step: Edit) {
        match step {
            Edit::Play(seed) => {
                let Some(p) = Random::new(seed).empty_point(&self.grid) else { return };
                self.grid.set(p, Cell::Stone(self.board.side()));
                self.board.play(p);
                self.position.push(Move::Place(p)).unwrap();
            }
            Edit::Pass => {
                self.board.pass();
                self.position.push(Move::Pass).unwrap();
            }
            Edit::Undo => {
                let Some(m) = self.position.pop() else { return };
                assert_eq!(self.board.undo(), m.point());
                if let Some(p) = m.point() {
                    self.grid.set(p, Cell::Empty);
                }
            }
        }
    }

    /// The same stones on a fresh board, all put down as setup.
    fn fresh_board(&self) -> Board<R> {
        let position =
            Position::from_stones(self.position.size(), self.position.stones(), self.position.side())
                .unwrap();
        Board::from_position(&position).unwrap()
    }

    fn check_against_scratch(&self) {
        let (kept, fresh) = (&self.board, self.fresh_board());
        assert_eq!(kept.side(), self.position.side());
        assert_eq!(kept.hash(), fresh.hash());
        assert_eq!(kept.empty(), fresh.empty());
        assert_eq!(kept.stones(), self.grid.stones().count());
        assert_eq!(kept.ply(), self.position.moves().len());
        for color in Color::BOTH {
            assert_eq!(kept.stones_of(color), fresh.stones_of(color));
            for threat in THREATS {
                assert_eq!(kept.threats(color, threat), fresh.threats(color, threat), "{color} {threat:?}");
            }
            for level in COUNTED {
                let points = fresh.empty().iter().filter(|&p| fresh.level(p, color) == level).count();
                assert_eq!(kept.count(color, level), points, "{color} {level:?}");
                assert_eq!(fresh.count(color, level), points, "{color} {level:?}");
            }
            for p in kept.empty().iter() {
                assert_eq!(kept.shapes(p), fresh.shapes(p), "{p}");
                assert_eq!(kept.level(p, color), fresh.level(p, color), "{p} {color}");
            }
        }
    }

    /// Shapes, sets and winner against the rules written on a plain array.
    fn check_against_reference(&mut self) {
        let kind = R::KIND;
        for color in Color::BOTH {
            for p in self.board.empty().iter() {
                for d in Direction::ALL {
                    let want = self.grid.strip(p, d as usize, color, kind).shape();
                    assert_eq!(self.board.shapes(p).get(color, d), want, "{kind} {p} {color} {d:?}");
                }
                let wins = self.grid.would_win(p, color, kind);
                assert_eq!(self.board.threats(color, Threat::Five).contains(p), wins, "{kind} {p} {color}");
            }
        }
        let last = self.position.moves().last().and_then(|m| m.point());
        let winner = last.filter(|&p| self.grid.wins_at(p, kind)).map(|_| !self.board.side());
        assert_eq!(self.board.winner(), winner, "{kind}");
        let row = self.board.find_row();
        let any = Color::BOTH.into_iter().find(|&c| self.grid.has_won(c, kind));
        assert_eq!(row.as_ref().map(|(c, _)| *c), any, "{kind}");
        if let Some((color, points)) = row {
            assert!(points.len() >= 5);
            assert!(points.iter().all(|&p| self.grid.get(p) == Cell::Stone(color)));
            assert!(points.iter().all(|&p| self.grid.wins_at(p, kind)));
        }
    }
}

fn walk<R: Rule>(start: &Position, steps: &[Edit]) {
    let mut walk = Walk::<R>::new(start.clone());
    walk.check_against_scratch();
    for (i, &step) in steps.iter().enumerate() {
        walk.step(step);
        if i % 8 == 7 || i + 1 == steps.len() {
            walk.check_against_scratch();
        }
        if i % 40 == 39 || i + 1 == steps.len() {
            walk.check_against_reference();
        }
    }
    while !walk.position.moves().is_empty() {
        walk.step(Edit::Undo);
    }
    walk.check_against_scratch();
}

/// A board of few or of many stones put near each other.
fn starts() -> impl Strategy<Value = Position> {
    (5..23usize, any::<u64>(), 0..100usize).prop_map(|(side, seed, fill)| {
        let size = Size::new(side).unwrap();
        let stones = (size.area() * fill / 100).min(size.area() / 2);
        let moves = Random::new(seed).position(size, stones);
        Position::from_stones(size, moves.stones(), moves.side()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn kept_equals_from_scratch(start in starts(), steps in steps(), rule in 0..5usize) {
        with_rule!(RuleKind::ALL[rule], R => walk::<R>(&start, &steps));
    }

    #[test]
    fn symmetries_agree(start in starts(), rule in 0..5usize) {
        with_rule!(RuleKind::ALL[rule], R => check_symmetries::<R>(&start));
    }
}

/// The direction onto which a symmetry maps lines of a direction.
fn image(symmetry: Symmetry, direction: Direction) -> Direction {
    let size = Size::S15;
    let from = symmetry.apply(size.center(), size);
    let to = symmetry.apply(size.center().offset(direction, 1, size).unwrap(), size);
    let runs = |d: &Direction| [-1, 1].into_iter().any(|n| from.offset(*d, n, size) == Some(to));
    Direction::ALL.into_iter().find(runs).unwrap()
}

fn check_symmetries<R: Rule>(position: &Position) {
    let size = position.size();
    let board = Board::<R>::from_position(position).unwrap();
    for symmetry in Symmetry::ALL {
        let turned = Board::<R>::from_position(&symmetry.apply_position(position)).unwrap();
        for p in board.empty().iter() {
            let q = symmetry.apply(p, size);
            for color in Color::BOTH {
                for d in Direction::ALL {
                    let turned = turned.shapes(q).get(color, image(symmetry, d));
                    assert_eq!(board.shapes(p).get(color, d), turned, "{p} {color} {d:?} {symmetry:?}");
                }
                assert_eq!(board.level(p, color), turned.level(q, color));
                assert_eq!(board.is_foul(p, color), turned.is_foul(q, color));
            }
            assert_eq!(board.foul_kinds(p), turned.foul_kinds(q));
        }
        for color in Color::BOTH {
            for threat in THREATS {
                let set: PointSet =
                    board.threats(color, threat).iter().map(|p| symmetry.apply(p, size)).collect();
                assert_eq!(set, *turned.threats(color, threat));
            }
        }
    }
}

/// The points where `color` would win by one stone.
fn fives(grid: &mut Grid, color: Color, kind: RuleKind) -> Vec<Point> {
    let points: Vec<Point> = grid.empties().collect();
    points.into_iter().filter(|&p| grid.would_win(p, color, kind)).collect()
}

/// Checks levels by the effect of the next stones, and the replies to a five, by trying all stones on the
/// board.
fn check_levels<R: Rule>(position: &Position, seen: &mut [usize; Level::COUNT]) {
    let kind = R::KIND;
    let board = Board::<R>::from_position(position).unwrap();
    let mut grid = Grid::from_position(position);
    for color in Color::BOTH {
        let before = fives(&mut grid, color, kind);
        for p in grid.clone().empties() {
            let level = board.level(p, color);
            seen[level as usize] += 1;
            assert_eq!(level == Level::Five, before.contains(&p), "{kind} {p} {color}");
            grid.set(p, Cell::Stone(color));
            if level != Level::Five && level != Level::Foul {
                let after = fives(&mut grid, color, kind);
                let four = after.iter().any(|q| !before.contains(q));
                // A four through an earlier completion point still counts as a four.
                let makes_four = Direction::ALL.iter().any(|&d| board.shapes(p).get(color, d).fours() > 0);
                assert_eq!(level.makes_four(), makes_four, "{kind} {p} {color}");
                assert!(level.makes_four() || !four, "{kind} {p} {color}: {after:?}");
                if level == Level::WinningFour {
                    assert!(
                        wins_against_any_reply(&mut grid, color, kind),
                        "{kind} {p} {color} {position:?}"
                    );
                } else if level.makes_four() && before.is_empty() && !R::fouls(color) {
                    // The reply that stops it may be a five of the opponent's own.
                    let stopped = !fives(&mut grid, !color, kind).is_empty()
                        || !wins_against_any_reply(&mut grid, color, kind);
                    assert!(stopped, "{kind} {p} {color} {position:?}");
                }
            }
            grid.set(p, Cell::Empty);
        }
        for p in board.threats(color, Threat::Five).iter() {
            let averts = |q: &Point| {
                let mut grid = grid.clone();
                grid.set(*q, Cell::Stone(!color));
                *q == p || !grid.would_win(p, color, kind)
            };
            let replies: PointSet = grid.empties().filter(averts).collect();
            assert_eq!(board.five_replies(p, color), replies, "{kind} {p} {color} {position:?}");
        }
    }
}

/// Whether `color` can win by one stone after every stone of the opponent that does not win.
fn wins_against_any_reply(grid: &mut Grid, color: Color, kind: RuleKind) -> bool {
    let threats = fives(grid, color, kind);
    let replies: Vec<Point> = grid.empties().collect();
    !threats.is_empty()
        && replies.into_iter().all(|reply| {
            if grid.would_win(reply, !color, kind) {
                return true;
            }
            grid.set(reply, Cell::Stone(!color));
            let wins = threats.iter().any(|&p| p != reply && grid.would_win(p, color, kind));
            grid.set(reply, Cell::Empty);
            wins
        })
}

#[test]
fn levels_agree_with_the_effect_of_the_next_stones() {
    let mut random = Random::new(4);
    for kind in RuleKind::ALL {
        let mut seen = [0; Level::COUNT];
        for _ in 0..150 {
            let size = Size::new(*random.choose(&[5, 7, 10, 12, 15])).unwrap();
            let stones = random.below(size.area() / 2);
            let position = random.position(size, stones);
            with_rule!(kind, R => check_levels::<R>(&position, &mut seen));
        }
        assert!(seen[Level::WinningFour as usize] > 100 && seen[Level::FourThree as usize] > 10, "{seen:?}");
    }
}
