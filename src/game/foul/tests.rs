use super::*;
use crate::game::{Position, notation};
use crate::random::{IndexedRandom, Random, RngExt, SeedableRng};

/// Positions with a point that needs very many recursive calls, found by [`a_search_for_worse`] and similar
/// searches. The last two are the worst in which no row of five stands yet, and the deepest of
/// `tests/data/fouls.jsonl`.
const WORST: &str = include_str!("../../../tests/data/foul_worst.txt");
/// Recursive calls that one point may need. A thousand of them take about a tenth of a millisecond.
const MOST: u32 = 1000;

fn worst() -> impl Iterator<Item = Board<Renju>> {
    WORST.lines().map(|line| Board::from_position(&notation::parse(line, None).unwrap()).unwrap())
}

/// The rule word by word, three after three and extension after extension. Counts its recursive calls.
fn plain(judge: &FoulTables, lines: &mut Lines, p: Point, calls: &mut u32) -> bool {
    *calls += 1;
    let shapes = lines.shapes(p, judge.shapes);
    let mut real = 0;
    for d in Direction::ALL {
        if real == 2 || !shapes.get(Color::Black, d).is_three() {
            continue;
        }
        let extensions = lines.extensions(p, d, Color::Black, Five::Exactly);
        lines.toggle(p, Color::Black);
        let is_real = extensions.iter().any(|e| match judge.level(lines.shapes(e, judge.shapes)) {
            Level::Five => judge.reading == Reading::FiveExtends,
            Level::Foul => false,
            Level::SuspectThree | Level::SuspectFour => !plain(judge, lines, e, calls),
            _ => true,
        });
        lines.toggle(p, Color::Black);
        real += usize::from(is_real);
    }
    real == 2
}

/// Returns the largest number of recursive calls for one point of a board, by the fast form and by the plain
/// one. Checks that both answer alike and put the stones back.
fn most_calls(board: &Board<Renju>) -> (u32, u32) {
    let (mut most, mut most_plain) = (0, 0);
    for reading in [Reading::Literal, Reading::FiveExtends] {
        let judge = FoulTables::new(reading);
        for p in board.empty().iter() {
            let mut lines = board.lines().clone();
            let (mut calls, mut calls_plain) = (0, 0);
            let answer = judge.is_double_three(&mut lines, p, board.shapes(p), &mut calls);
            assert_eq!(answer, plain(&judge, &mut lines, p, &mut calls_plain), "{p} {reading:?}");
            assert!(lines == *board.lines(), "{p}");
            assert!(calls <= calls_plain);
            (most, most_plain) = (most.max(calls), most_plain.max(calls_plain));
        }
    }
    (most, most_plain)
}

#[test]
fn the_worst_positions_need_a_bounded_number_of_calls() {
    let calls: Vec<(u32, u32)> = worst().map(|board| most_calls(&board)).collect();
    let (most, most_plain) = (calls.iter().map(|c| c.0).max(), calls.iter().map(|c| c.1).max());
    // Check that the test positions are still hard: they need more than 5000 calls without the shortcuts, and more than 350 with
    // them.
    assert!(most > Some(350) && most_plain > Some(5000), "{calls:?}");
    assert!(most < Some(MOST), "{calls:?}");
}

/// The worst positions with a few stones changed: a three that is judged by shapes must be judged rightly.
#[test]
fn both_forms_agree_near_the_worst_positions() {
    let mut random = Random::seed_from_u64(7);
    let mut plain = Vec::new();
    for board in worst() {
        for _ in 0..8 {
            let mut climber = Climber::new(&board);
            for _ in 0..random.random_range(1..=6) {
                climber.change(&mut random);
            }
            plain.push(most_calls(&Board::from_position(&climber.position()).unwrap()).1);
        }
    }
    assert!(plain.iter().filter(|&&calls| calls > 50).count() > plain.len() / 4, "{plain:?}");
}

/// Stones on a board, and the recursive calls that its worst point needs, for a search by hill climbing.
#[derive(Clone)]
struct Climber {
    size: Size,
    stones: [PointSet; 2],
    lines: Lines,
    worst: (u32, Point),
}

impl Climber {
    fn new(board: &Board<Renju>) -> Climber {
        let stones = Color::BOTH.map(|color| *board.stones_of(color));
        let mut climber = Climber {
            size: board.size(),
            stones,
            lines: board.lines().clone(),
            worst: (0, Point::new(0, 0)),
        };
        climber.worst = climber.value();
        climber
    }

    fn color(&self, p: Point) -> Option<Color> {
        Color::BOTH.into_iter().find(|color| self.stones[color.index()].contains(p))
    }

    fn set(&mut self, p: Point, to: Option<Color>) {
        if let Some(color) = self.color(p) {
            self.lines.toggle(p, color);
            self.stones[color.index()].remove(p);
        }
        if let Some(color) = to {
            self.lines.toggle(p, color);
            self.stones[color.index()].insert(p);
        }
    }

    fn value(&mut self) -> (u32, Point) {
        let judge = FoulTables::new(Reading::Literal);
        let empty = PointSet::full(self.size).without(&self.stones[0]).without(&self.stones[1]);
        let of_point = |p: Point| {
            let shapes = self.lines.shapes(p, judge.shapes);
            let mut calls = 0;
            if matches!(judge.level(shapes), Level::SuspectThree | Level::SuspectFour) {
                judge.is_double_three(&mut self.lines, p, shapes, &mut calls);
            }
            (calls, p)
        };
        empty.iter().map(of_point).max().unwrap_or(self.worst)
    }

    /// Changes a point; returns it with its former stone.
    fn change(&mut self, random: &mut Random) -> (Point, Option<Color>) {
        let p =
            Point::new(random.random_range(0..self.size.side()), random.random_range(0..self.size.side()));
        let there = self.color(p);
        self.set(p, *[None, Some(Color::Black), Some(Color::White)].choose(random).unwrap());
        (p, there)
    }

    fn position(&self) -> Position {
        let stones = Color::BOTH.into_iter().flat_map(|c| self.stones[c.index()].iter().map(move |p| (p, c)));
        Position::from_stones(self.size, stones, Color::Black).unwrap()
    }

    /// Changes up to three points. If the worst point then needs fewer recursive calls, takes the change
    /// back, the more likely the lower the temperature is (simulated annealing).
    fn step(&mut self, random: &mut Random, temperature: f64) {
        let (old_worst, mut old) = (self.worst, Vec::new());
        for _ in 0..random.random_range(1..=3) {
            let p = Point::new(
                random.random_range(0..self.size.side()),
                random.random_range(0..self.size.side()),
            );
            let there = self.color(p);
            let colors = [None, Some(Color::Black), Some(Color::White)];
            old.push((p, there));
            self.set(p, *colors.choose(random).unwrap());
        }
        self.worst = self.value();
        let gain = (f64::from(self.worst.0) / f64::from(old_worst.0.max(1))).ln();
        if gain < temperature * random.random::<f64>().ln() {
            old.into_iter().rev().for_each(|(p, there)| self.set(p, there));
            self.worst = old_worst;
        }
    }
}

/// Looks for positions that need more recursive calls, by simulated annealing from the worst known ones; logs
/// them.
#[test]
#[ignore = "takes minutes: WORSE_ROUNDS says how many climbs, WORSE_STEPS how long each is, WORSE_SEED from which seed"]
fn a_search_for_worse() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    // It fails only if another test has set a log up already.
    let _ = env_logger::builder().filter_level(log::LevelFilter::Info).try_init();
    let steps: u64 = number("WORSE_STEPS", 200_000);
    let mut random = Random::seed_from_u64(number("WORSE_SEED", 1));
    let mut worst: Vec<Climber> = worst().map(|board| Climber::new(&board)).collect();
    for round in 0..number("WORSE_ROUNDS", 10) {
        let mut climber = worst.choose(&mut random).unwrap().clone();
        let mut best = climber.clone();
        let hot = *[0.03, 0.06, 0.1, 0.15].choose(&mut random).unwrap();
        for step in 0..steps {
            climber.step(&mut random, hot * (1.0 - step as f64 / steps as f64) + 0.005);
            if climber.worst.0 > best.worst.0 {
                best = climber.clone();
            }
        }
        log::info!(
            "climb {round}: {} at {}: {}",
            best.worst.0,
            best.worst.1,
            notation::print(&best.position())
        );
        worst.push(best.clone());
        assert!(best.worst.0 < MOST, "the bound of the test is too low");
    }
}
