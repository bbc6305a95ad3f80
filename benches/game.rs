//! Speed of the rules core: play and undo with all shapes of both colours, and foul checks. The throughput that is
//! reported counts pairs of play and undo, and checked points.

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use kagetsu::game::{
    Board, Color, Direction, Point, PointSet, Position, Reading, Renju, Rule, RuleKind, Size, fouls_of,
};
use kagetsu::with_rule;

#[path = "../tests/common/data.rs"]
#[allow(dead_code)]
mod data;

/// Positions from games (middle game, equally many stones of both colours) and from the adversarial classes.
fn positions(adversarial: bool) -> Vec<Position> {
    let classes: &[&str] = if adversarial {
        &["adv0", "adv1", "adv2", "adv3", "advdeep", "advfx"]
    } else {
        &["selfplay", "vcfdb", "playout"]
    };
    let rows = data::foul_rows().into_iter().filter(|row| classes.contains(&row.class.as_str()));
    let positions: Vec<Position> = rows.map(|row| row.position()).collect();
    assert!(positions.len() > 100);
    positions
}

/// The same stones in the middle of a board of another size.
fn moved_to(position: &Position, size: Size) -> Position {
    let shift = (size.side() - position.size().side()) / 2;
    let stones = position.stones().map(|(p, color)| (Point::new(p.x() + shift, p.y() + shift), color));
    Position::from_stones(size, stones, Color::Black).expect("a larger board")
}

/// Empty points next to a stone: where a search plays.
fn candidates<R: Rule>(board: &Board<R>) -> Vec<Point> {
    let near = |p: Point| {
        let steps = Direction::ALL.into_iter().flat_map(|d| [(d, -1), (d, 1)]);
        steps.filter_map(|(d, n)| p.offset(d, n, board.size())).any(|q| board.stone(q).is_some())
    };
    board.empty().iter().filter(|&p| near(p)).collect()
}

fn play_and_undo<R: Rule>(group: &mut BenchmarkGroup<WallTime>, size: Size) {
    let mut boards: Vec<(Board<R>, Vec<Point>)> = positions(false)
        .iter()
        .map(|position| {
            let board = Board::from_position(&moved_to(position, size)).expect("a position");
            let candidates = candidates(&board);
            (board, candidates)
        })
        .collect();
    group.throughput(Throughput::Elements(boards.iter().map(|(_, c)| c.len() as u64).sum()));
    group.bench_function(format!("{} {size}", R::KIND), |b| {
        b.iter(|| {
            for (board, candidates) in &mut boards {
                for &p in candidates.iter() {
                    board.play(black_box(p));
                    black_box(board.undo());
                }
            }
        });
    });
}

fn pairs(c: &mut Criterion) {
    let mut group = c.benchmark_group("play and undo");
    for size in [Size::S15, Size::S20] {
        for kind in RuleKind::ALL {
            with_rule!(kind, R => play_and_undo::<R>(&mut group, size));
        }
    }
    group.finish();
}

/// Every empty point of a position given by its stones alone.
fn fouls_from_stones(c: &mut Criterion) {
    let mut group = c.benchmark_group("fouls from stones");
    for (name, adversarial) in [("realistic", false), ("adversarial", true)] {
        let stones: Vec<[PointSet; 2]> = positions(adversarial)
            .iter()
            .map(|position| {
                Color::BOTH.map(|c| position.stones().filter(|s| s.1 == c).map(|(p, _)| p).collect())
            })
            .collect();
        let empty = |[black, white]: &[PointSet; 2]| (225 - black.len() - white.len()) as u64;
        group.throughput(Throughput::Elements(stones.iter().map(empty).sum()));
        group.bench_function(name, |b| {
            b.iter(|| {
                for [black, white] in &stones {
                    black_box(fouls_of(Size::S15, [black_box(black), white], Reading::Literal));
                }
            });
        });
    }
    group.finish();
}

/// Every empty point after one more stone on a board that is kept; the time includes the stone and its undo.
fn fouls_after_play(c: &mut Criterion) {
    let mut group = c.benchmark_group("fouls after play");
    for (name, adversarial) in [("realistic", false), ("adversarial", true)] {
        let mut boards: Vec<(Board<Renju>, Vec<Point>)> = positions(adversarial)
            .iter()
            .map(|position| {
                let board = Board::from_position(position).expect("a position");
                let moves = candidates(&board).into_iter().step_by(5).collect();
                (board, moves)
            })
            .collect();
        let checks =
            |(board, moves): &(Board<Renju>, Vec<Point>)| (moves.len() * (board.empty().len() - 1)) as u64;
        group.throughput(Throughput::Elements(boards.iter().map(checks).sum()));
        group.bench_function(name, |b| {
            b.iter(|| {
                for (board, moves) in &mut boards {
                    for &p in moves.iter() {
                        board.play(p);
                        let is_foul = |q: &Point| board.is_foul(*q, Color::Black);
                        black_box(board.empty().iter().filter(is_foul).count());
                        board.undo();
                    }
                }
            });
        });
    }
    group.finish();
}

/// All empty points of the positions that need the deepest recursions known: each should take less than a millisecond.
fn fouls_of_the_worst(c: &mut Criterion) {
    let mut group = c.benchmark_group("fouls of the worst positions");
    for (i, position) in data::worst_fouls().iter().enumerate() {
        let board = Board::<Renju>::from_position(position).expect("a position");
        group.bench_function(format!("{}", i + 1), |b| b.iter(|| black_box(&board).fouls()));
    }
    group.finish();
}

criterion_group!(benches, pairs, fouls_from_stones, fouls_after_play, fouls_of_the_worst);
criterion_main!(benches);
