//! Speed of the evaluation net on every kernel that this processor can run: the update of the sums by one stone, the score
//! from the sums, and the policy scores. Times are for one stone, one score, one position; the weights are
//! random, the positions from games.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use kagetsu::eval::arch::CHANNELS;
use kagetsu::eval::features::{Change, Sums};
use kagetsu::eval::kernels;
use kagetsu::eval::net::{Head, Info, Net, PolicyHead, Row};
use kagetsu::eval::region::regions;
use kagetsu::game::CODES;
use kagetsu::game::{Board, BoardObserver, Codes, Color, POINTS, Point, PointSet, Renju, RuleKind, Size};
use kagetsu::random::{Random, RngExt, SeedableRng};

#[path = "../tests/common/data.rs"]
#[allow(dead_code)]
mod data;

/// A net whose weights are as large as trained ones.
fn net() -> Net {
    let mut random = Random::seed_from_u64(1);
    let mut weight = move || random.random_range(-200..=200i16);
    let mut net = Net::zero(Info::new(RuleKind::Renju, 200, 0, 0, "at random".to_string()));
    for color in 0..2 {
        for code in 0..CODES {
            net.embedding[color][code] = Row(std::array::from_fn::<_, CHANNELS, _>(|_| weight()));
            net.linear[color][code] = [weight(), weight()];
        }
    }
    for head in &mut net.heads {
        let Head { w1, b1, w2, b2, w3, b3 } = head;
        let narrow = w1.iter_mut().chain(w2.iter_mut().flatten()).chain(w3);
        narrow.for_each(|w| *w = weight());
        b1.iter_mut().chain(b2).chain([b3]).for_each(|b| *b = 64 * i32::from(weight()));
    }
    for head in &mut net.policy_heads {
        let PolicyHead { w1, b1, w2, b2 } = head;
        w1.iter_mut().chain(w2.iter_mut().flatten().flatten()).for_each(|w| *w = weight());
        b1.iter_mut().chain(b2).for_each(|b| *b = 64 * i32::from(weight()));
    }
    net
}

/// A position's sums, and the changes of each of several stones. The sums stay in the cache while these stones take
/// their turns, as in a search.
struct Case {
    sums: Sums,
    stones: Vec<Vec<Change>>,
}

/// Notes what a stone changes.
struct Notes<'a> {
    regions: &'a [u8; POINTS],
    changes: Vec<Change>,
}

impl BoardObserver for Notes<'_> {
    fn placed(&mut self, p: Point, _: Color, codes: Codes) {
        self.changes.push(Change { region: self.regions[p.index()], before: codes, after: None });
    }

    fn changed(&mut self, p: Point, old: Codes, new: Codes) {
        self.changes.push(Change { region: self.regions[p.index()], before: old, after: Some(new) });
    }
}

/// Empty points near stones in positions from games.
fn cases(net: &Net) -> Vec<Case> {
    let regions = regions(Size::S15);
    let mut cases = Vec::new();
    for row in data::foul_rows().iter().filter(|row| row.class == "selfplay") {
        let mut board = Board::<Renju>::from_position(&row.position()).expect("a position");
        let sums = Sums::of(net, &board);
        let stones: PointSet = row.position().stones().map(|(p, _)| p).collect();
        let near = stones.dilate() & *board.empty();
        let changes = |p| {
            let mut notes = Notes { regions: &regions, changes: Vec::new() };
            board.play_observed(p, &mut notes);
            board.undo();
            notes.changes
        };
        cases.push(Case { sums, stones: near.iter().step_by(5).map(changes).collect() });
    }
    assert!(cases.len() > 50, "{} positions are too few to show anything", cases.len());
    cases
}

fn speed(c: &mut Criterion) {
    let net = net();
    let cases = cases(&net);
    let stones: Vec<(&Sums, &[Change])> =
        cases.iter().flat_map(|case| case.stones.iter().map(|stone| (&case.sums, &stone[..]))).collect();
    let changes: usize = stones.iter().map(|(_, changes)| changes.len()).sum();
    eprintln!("{} stones, {:.1} changes each", stones.len(), changes as f64 / stones.len() as f64);
    for kernels in kernels::available() {
        let mut group = c.benchmark_group(format!("net, {}", kernels.name));
        let mut sums = Sums::ZERO;
        let mut next = stones.iter().cycle();
        group.bench_function("update", |b| {
            b.iter(|| {
                let Some((before, changes)) = next.next() else { return };
                (kernels.update)(&net, before, &mut sums, black_box(changes));
                black_box(&sums);
            });
        });
        let mut next = stones.iter().cycle();
        group.bench_function("forward", |b| {
            b.iter(|| next.next().map(|(sums, _)| (kernels.forward)(&net, black_box(sums), Color::Black)));
        });
        let mut next = stones.iter().cycle();
        group.bench_function("policy", |b| {
            b.iter(|| next.next().map(|(sums, _)| (kernels.policy)(&net, black_box(sums), Color::Black)));
        });
        group.finish();
    }
}

criterion_group!(benches, speed);
criterion_main!(benches);
