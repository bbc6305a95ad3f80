//! Every state of every regulation, walked together with the table. In each state the same player must act, and of many
//! actions exactly those in the table must be accepted.
//!
//! States are explored without regard to the places of stones: each row of the table with each holder of Black and each
//! declared number is visited with several placements.

use std::collections::{BTreeSet, HashMap};

use kagetsu::game::regulation::{Action, Opening, Regulation, Seat};
use kagetsu::game::{Color, Point, Size};
use kagetsu::random::{IndexedRandom, Random, SeedableRng, SliceRandom};

use super::table::{Area, Entry, Kind, Row, Sheet, sheets};

const SIZE: Size = Size::S15;
/// Visits of each state, with different stones.
const VISITS: usize = 2;

fn distance(p: Point) -> usize {
    p.x().abs_diff(7).max(p.y().abs_diff(7))
}

/// State of an opening according to the table.
#[derive(Clone)]
struct Model {
    state: &'static str,
    black: Seat,
    last_placer: Seat,
    stones: Vec<Point>,
    declared: usize,
    offered: Vec<Point>,
}

impl Model {
    fn actor(&self, row: &Row) -> Seat {
        match row.actor {
            "P1" => Seat::P1,
            "P2" => Seat::P2,
            "B" => self.black,
            "W" => !self.black,
            "other" => !self.last_placer,
            unknown => panic!("{unknown}"),
        }
    }

    fn free(&self, p: Point) -> bool {
        !self.stones.contains(&p)
    }

    /// Whether an entry of the table allows an action.
    fn allows(&self, kind: &Kind, action: &Action) -> bool {
        match (kind, action) {
            (Kind::Keep, Action::Keep) | (Kind::Swap, Action::Swap) => true,
            (Kind::Stones { areas, declare: most }, Action::Place { stones, declare }) => {
                stones.len() == areas.len()
                    && distinct(stones)
                    && stones
                        .iter()
                        .zip(areas)
                        .all(|(&p, &Area(low, high))| self.free(p) && (low..=high).contains(&distance(p)))
                    && match (most, declare) {
                        (None, None) => true,
                        (Some(most), Some(k)) => *k >= 1 && k <= most,
                        _ => false,
                    }
            }
            (Kind::Offer(count), Action::Offer(points)) => {
                points.len() == count.unwrap_or(self.declared)
                    && points.iter().all(|&p| self.free(p))
                    && pairs(points).all(|(p, q)| !symmetric(&self.stones, p, q))
            }
            (Kind::Choose, &Action::Choose { fifth, sixth }) => {
                self.offered.contains(&fifth) && self.free(sixth) && sixth != fifth
            }
            _ => false,
        }
    }

    /// The state after an action that the entry allows.
    fn after(&self, actor: Seat, entry: &Entry, action: &Action) -> Model {
        let mut next = Model { state: entry.next, ..self.clone() };
        match action {
            Action::Swap => next.black = !self.black,
            Action::Place { stones, declare } => {
                next.stones.extend(stones);
                next.last_placer = actor;
                next.declared = declare.unwrap_or(self.declared);
            }
            Action::Offer(points) => next.offered = points.clone(),
            Action::Choose { fifth, sixth } => next.stones.extend([*fifth, *sixth]),
            _ => {}
        }
        match entry.black {
            Some("P1") => next.black = Seat::P1,
            Some("P2") => next.black = Seat::P2,
            Some("other") => next.black = !self.black,
            _ => {}
        }
        next
    }
}

fn distinct(points: &[Point]) -> bool {
    points.iter().collect::<BTreeSet<_>>().len() == points.len()
}

fn pairs(points: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    points.iter().enumerate().flat_map(|(i, &p)| points[..i].iter().map(move |&q| (q, p)))
}

/// The definition, literally: some lattice isometry, whatever its shift, keeps both pairs of stones and leads from `p`
/// to `q`.
fn symmetric(stones: &[Point], p: Point, q: Point) -> bool {
    let at = |p: Point| (p.x() as i32, p.y() as i32);
    let turned = |t: i32, (x, y): (i32, i32)| {
        let (x, y) = if t & 1 != 0 { (y, x) } else { (x, y) };
        (if t & 2 != 0 { -x } else { x }, if t & 4 != 0 { -y } else { y })
    };
    (0..8).any(|t| {
        let ((x, y), (to_x, to_y)) = (turned(t, at(p)), at(q));
        let image = |r: Point| {
            let (a, b) = turned(t, at(r));
            (a - x + to_x, b - y + to_y)
        };
        [0, 1].into_iter().all(|first| {
            let pair = BTreeSet::from([at(stones[first]), at(stones[first + 2])]);
            pair == BTreeSet::from([image(stones[first]), image(stones[first + 2])])
        })
    })
}

/// Actions of all kinds, most of them illegal in any one state.
fn probes(model: &Model, row: &Row, random: &mut Random) -> Vec<Action> {
    let mut probes = vec![Action::Keep, Action::Swap, Action::Pass];
    let all: Vec<Point> = SIZE.points().collect();
    probes.extend(all.iter().map(|&p| Action::place([p])));
    // A point at each distance from the centre, and an occupied one.
    let mut near: Vec<Point> = (0..=7)
        .map(|d| {
            let ring: Vec<_> = all.iter().copied().filter(|&p| distance(p) == d).collect();
            *ring.choose(random).unwrap()
        })
        .collect();
    near.extend(model.stones.last());
    for &p in &near {
        for &q in &near {
            probes.push(Action::place([p, q]));
            probes.push(Action::Choose { fifth: p, sixth: q });
            probes.extend(near.iter().map(|&r| Action::place([p, q, r])));
        }
    }
    for fifth in model.offered.iter().copied() {
        probes.extend(all.iter().map(|&sixth| Action::Choose { fifth, sixth }));
    }
    let stones = legal_stones(model, row, random);
    for k in (0..=12).chain([55, 56, 57, 200]) {
        probes.push(Action::Place { stones: stones.clone(), declare: Some(k) });
        probes.push(Action::Place { stones: all[..1].to_vec(), declare: Some(k) });
    }
    probes.extend(offers(model, random));
    probes
}

/// Stones that some entry of the row allows, if any does.
fn legal_stones(model: &Model, row: &Row, random: &mut Random) -> Vec<Point> {
    let areas = row.entries.iter().find_map(|e| match &e.kind {
        Kind::Stones { areas, .. } => Some(areas.clone()),
        _ => None,
    });
    let mut stones = Vec::new();
    for Area(low, high) in areas.unwrap_or_default() {
        let fits = |p: &Point| model.free(*p) && !stones.contains(p) && (low..=high).contains(&distance(*p));
        let candidates: Vec<_> = SIZE.points().filter(fits).collect();
        stones.push(*candidates.choose(random).unwrap());
    }
    stones
}

/// Offers of 0 to 12 points and of as many as declared: without symmetric points, and spoilt in several ways.
fn offers(model: &Model, random: &mut Random) -> Vec<Action> {
    if model.stones.len() != 4 {
        return vec![Action::Offer(vec![]), Action::Offer(vec![Point::new(0, 0), Point::new(3, 1)])];
    }
    let mut order: Vec<Point> = SIZE.points().filter(|&p| model.free(p)).collect();
    order.shuffle(random);
    let mut chosen: Vec<Point> = Vec::new();
    for &p in &order {
        if chosen.len() < 57 && chosen.iter().all(|&q| !symmetric(&model.stones, p, q)) {
            chosen.push(p);
        }
    }
    let mut offers = Vec::new();
    for count in (0..=12).chain([model.declared, 56]) {
        let good = chosen[..count].to_vec();
        for (i, &p) in good.iter().enumerate().take(3) {
            let twin = order.iter().find(|&&q| q != p && symmetric(&model.stones, p, q));
            let other = (i + 1) % count;
            for bad in [Some(&p), twin, model.stones.first()].into_iter().flatten() {
                let mut spoilt = good.clone();
                spoilt[other] = *bad;
                offers.push(Action::Offer(spoilt));
            }
        }
        offers.push(Action::Offer(good));
    }
    offers
}

/// Returns legal actions to continue with: the first ones of each entry of the row, and the first ones for each number.
fn continuations<'a>(row: &'a Row, model: &Model, probes: &[Action]) -> Vec<(&'a Entry, Action)> {
    let mut found = Vec::new();
    for entry in &row.entries {
        let legal: Vec<_> = probes.iter().filter(|a| model.allows(&entry.kind, a)).collect();
        assert!(!legal.is_empty(), "{}: no probe fits an entry", row.state);
        let all = matches!(entry.kind, Kind::Stones { declare: Some(_), .. });
        let step = if all { 1 } else { legal.len().div_ceil(VISITS) };
        found.extend(legal.into_iter().step_by(step).map(|a| (entry, a.clone())));
    }
    found
}

/// Walks the library's state machine beside the table and returns how many states it saw.
fn explore(sheet: &Sheet, seed: u64) -> usize {
    let mut random = Random::seed_from_u64(seed);
    let regulation: Regulation = sheet.name.parse().unwrap();
    assert_eq!(regulation.to_string(), sheet.name);
    let start = Model {
        state: sheet.rows.first().map_or("PLAY", |row| row.state),
        black: Seat::P1,
        last_placer: Seat::P2,
        stones: Vec::new(),
        declared: 0,
        offered: Vec::new(),
    };
    let mut visits: HashMap<(&str, Seat, usize), usize> = HashMap::new();
    let mut stack = vec![(start, regulation.start(SIZE).unwrap())];
    while let Some((model, opening)) = stack.pop() {
        let count = visits.entry((model.state, opening.holder(Color::Black), model.declared)).or_default();
        *count += 1;
        if *count > VISITS {
            continue;
        }
        let stones: Vec<_> = opening.position().stones().map(|(p, _)| p).collect();
        assert_eq!(stones, model.stones);
        if model.state == "PLAY" {
            check_play(sheet.name, &model, &opening);
            continue;
        }
        let row = sheet.rows.iter().find(|row| row.state == model.state).unwrap();
        let actor = model.actor(row);
        assert_eq!(opening.seat(), actor, "{} {}", sheet.name, row.state);
        assert!(!opening.is_over());
        let probes = probes(&model, row, &mut random);
        for action in &probes {
            let allowed = row.entries.iter().any(|e| model.allows(&e.kind, action));
            let mut tried = opening.clone();
            let result = tried.apply(action);
            assert_eq!(
                result.is_ok(),
                allowed,
                "{} {} {}: {action}: {result:?}",
                sheet.name,
                row.state,
                kagetsu::game::notation::moves::print(opening.position().moves())
            );
            assert!(allowed || tried == opening, "a refused action changes nothing");
        }
        for (entry, action) in continuations(row, &model, &probes) {
            let mut next = opening.clone();
            next.apply(&action).unwrap();
            stack.push((model.after(actor, entry, &action), next));
        }
    }
    let seen: BTreeSet<_> = visits.keys().map(|key| key.0).collect();
    let rows: BTreeSet<_> = sheet.rows.iter().map(|row| row.state).chain(["PLAY"]).collect();
    assert_eq!(seen, rows, "{}: every row is reached", sheet.name);
    visits.len()
}

fn check_play(name: &str, model: &Model, opening: &Opening) {
    assert!(opening.is_over() && opening.choices().is_empty(), "{name}");
    assert_eq!(opening.holder(Color::Black), model.black, "{name}");
    assert_eq!(opening.holder(Color::White), !model.black, "{name}");
    let mover = if model.stones.len().is_multiple_of(2) { model.black } else { !model.black };
    assert_eq!(opening.seat(), mover, "{name}");
    for action in [Action::Keep, Action::Swap, Action::Pass, Action::place([Point::new(0, 0)])] {
        assert!(opening.clone().apply(&action).is_err(), "{name}: {action}");
    }
}

#[test]
fn state_machines_agree_with_the_table() {
    let sheets = sheets();
    assert_eq!(sheets.len(), 20);
    for (i, sheet) in sheets.iter().enumerate() {
        let states = explore(sheet, i as u64);
        assert!(states > sheet.rows.len(), "{}: {states} states", sheet.name);
    }
}
