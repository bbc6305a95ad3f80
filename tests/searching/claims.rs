//! Every proven result that the search announces for a root move, a win or a loss, by one thread and by two, against the
//! value of the game by brute force, on boards with few empty points.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Color, Point, Position, Rule, RuleKind, Size, notation};
use kagetsu::search::{Context, Limits, Search};
use kagetsu::with_rule;

use crate::common::random::Random;
use crate::common::reference::{Cell, Grid};

/// Value of a win, larger than the plies of any game here.
const MATE: i32 = 1000;

/// The value of positions by trying every move. Black with fouls only loses, as in Gomocup: by that rule all
/// claims of the search must hold.
struct Minimax {
    grid: Grid,
    kind: RuleKind,
    known: HashMap<(Vec<(Point, Color)>, Color), i32>,
}

impl Minimax {
    /// Returns the value for `side`, to move: `MATE - n` if it wins in n plies, minus that if it loses, 0 for a draw.
    fn value(&mut self, side: Color) -> i32 {
        let empties: Vec<Point> = self.grid.empties().collect();
        if empties.iter().any(|&p| self.grid.would_win(p, side, self.kind)) {
            return MATE - 1;
        }
        let key = (self.grid.stones().collect(), side);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let legal: Vec<Point> =
            empties.iter().copied().filter(|&p| self.grid.is_legal(p, side, self.kind)).collect();
        let after = legal.into_iter().map(|p| self.after(p, side)).max();
        let value = after.unwrap_or(if empties.is_empty() { 0 } else { 1 - MATE });
        self.known.insert(key, value);
        value
    }

    /// Returns the value for `side` of a move to `p`.
    fn after(&mut self, p: Point, side: Color) -> i32 {
        if self.grid.would_win(p, side, self.kind) {
            return MATE - 1;
        }
        self.grid.set(p, Cell::Stone(side));
        let value = -self.value(!side);
        self.grid.set(p, Cell::Empty);
        value - value.signum()
    }
}

/// The claims checked.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    wins: usize,
    losses: usize,
}

fn check<R: Rule>(search: &mut Search<R>, position: &Position, limits: &Limits, seen: &mut Seen) {
    let grid = Grid::from_position(position);
    if Color::BOTH.into_iter().any(|color| grid.has_won(color, R::KIND)) {
        return;
    }
    let side = position.side();
    let mut slow = Minimax { grid, kind: R::KIND, known: HashMap::new() };
    let board = Board::<R>::from_position(position).unwrap();
    let at = format!("{} {}", R::KIND, notation::setup::print(position));
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let context = Context { clock: &clock, start: clock.now(), stop: &stop };
    let mut reports = Vec::new();
    let Some((_, last)) = search.go(&board, limits, &context, &mut |report| reports.push(report.clone()))
    else {
        assert!(board.empty().iter().all(|p| !board.is_legal(p)), "{at}");
        return;
    };
    seen.positions += 1;
    for line in reports.iter().chain([&last]).flat_map(|report| &report.lines) {
        let Some(plies) = line.score.mate() else { continue };
        let value = slow.after(line.moves[0], side);
        // The claim is a win or loss in at most so many plies.
        let holds = if plies > 0 { value >= MATE - plies } else { value <= -MATE - plies };
        assert!(holds, "{at}: {} in {plies}, but the value is {value}", line.moves[0]);
        seen.wins += usize::from(plies > 0);
        seen.losses += usize::from(plies < 0);
    }
}

/// A position of both sides' stones in turn, with few empty points.
fn dense(random: &mut Random) -> Position {
    let size = Size::new([6, 7, 8][random.below(3)]).unwrap();
    let empty = 4 + random.below(6);
    let moves = random.position(size, size.area() - empty);
    Position::from_stones(size, moves.stones(), Color::BOTH[random.below(2)]).unwrap()
}

#[test]
fn wins_and_losses_are_those_of_the_game() {
    for kind in RuleKind::ALL {
        let (mut random, mut seen) = (Random::new(kind as u64), Seen::default());
        with_rule!(kind, R => {
            let mut search = Search::<R>::new(4 << 20);
            for round in 0..100 {
                let (multipv, threads) = ([1, 400][round % 2], [1, 2][round / 2 % 2]);
                let (depth, nodes) = (Some(12), Some(20_000));
                let limits = Limits { depth, nodes, multipv, threads, ..Limits::default() };
                search.clear();
                check::<R>(&mut search, &dense(&mut random), &limits, &mut seen);
            }
        });
        let counts = [seen.positions, seen.wins, seen.losses];
        assert!(counts.iter().all(|&n| n >= 20), "{kind}: {seen:?}");
    }
}
