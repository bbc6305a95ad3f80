//! Reversi (Othello), also on other even boards, with a hole, or as the game in which fewer discs win.
//!
//! Rules: 8x8, or n x n with n even. A disc must turn at least one of the opponent's; it turns every line of the
//! opponent's discs between itself and another own disc, and only lines that start at itself. A side that has a move
//! must play one; a side that has none passes. The game ends when neither can move; more discs win.
//!
//! A hole acts as an edge: discs on different sides of it do not capture across it.
//! Columns are letters from the left, rows numbers **from the top**.
//!
//! CITE: en.wikipedia.org/wiki/Reversi (rules, sizes, variants); the numbers of the tests: aartbik.com/MISC/reversi.html
//! (perft), J. Feinstein 1993 (6x6).

mod about;
mod bits;
mod frame;
mod look;
pub mod pattern;
pub mod solver;

use std::fmt;
use std::str::FromStr;

use kagetsu::game::quote::quoted;
use kagetsu::game::{Color, Point};
use kagetsu::invalid::Invalid;

pub use self::about::ABOUT;
use self::bits::{Bits, Wide};
use self::frame::Frame;
use crate::game::{Cell, Effort, Game, Illegal, Look, Move, Outcome, Reason, Solved, Unsolved};
use crate::kind::Kind;
use crate::search::DISC;

/// The four discs of the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// Equal colours on the diagonals, as in Othello: Black has the square right of the middle in the upper row.
    #[default]
    Othello,
    /// Equal colours side by side: White in the upper, Black in the lower row.
    Parallel,
}

impl Start {
    /// The colour on each of the four squares: upper left, upper right, lower left, lower right.
    fn colors(self) -> [Color; 4] {
        use Color::{Black, White};
        match self {
            Start::Othello => [White, Black, Black, White],
            Start::Parallel => [White, White, Black, Black],
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Start::Othello => "othello",
            Start::Parallel => "parallel",
        })
    }
}

impl FromStr for Start {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Start, Invalid> {
        match text {
            "othello" => Ok(Start::Othello),
            "parallel" => Ok(Start::Parallel),
            _ => Err(format!("{} is not a start: expected othello or parallel", quoted(text)).into()),
        }
    }
}

/// Options of a game. Nothing here checks them: [`Options`](crate::Options) do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Side length, even, 4 to 16.
    pub side: usize,
    /// The first four discs.
    pub start: Start,
    /// Whether fewer discs win.
    pub anti: bool,
    /// A square that cannot be played.
    pub hole: Option<Point>,
}

impl Setup {
    /// Smallest side.
    pub const SMALLEST: usize = 4;
    /// Largest side.
    pub const LARGEST: usize = 16;

    /// The four squares of the beginning: upper left, upper right, lower left, lower right.
    pub fn center(&self) -> [Point; 4] {
        let (a, b) = (self.side / 2 - 1, self.side / 2);
        [Point::new(a, a), Point::new(b, a), Point::new(a, b), Point::new(b, b)]
    }

    /// The game at its beginning.
    pub fn begin(&self) -> Box<dyn Game> {
        let discs: Vec<_> = self.center().into_iter().zip(self.start.colors()).collect();
        self.with_discs(&discs, Color::Black)
    }

    /// The game from a position.
    pub fn with_discs(&self, discs: &[(Point, Color)], side: Color) -> Box<dyn Game> {
        if self.side <= u64::STRIDE {
            Box::new(Reversi::<u64>::new(*self, discs, side))
        } else {
            Box::new(Reversi::<Wide>::new(*self, discs, side))
        }
    }
}

/// A move that can be taken back.
#[derive(Clone, Copy)]
struct Ply<B> {
    m: Move,
    discs: [B; 2],
    moves: B,
}

/// A game of Reversi.
#[derive(Clone)]
pub struct Reversi<B> {
    setup: Setup,
    frame: Frame<B>,
    /// Discs of Black and of White.
    discs: [B; 2],
    side: Color,
    /// Squares where the side to move can place a disc.
    moves: B,
    over: bool,
    plies: Vec<Ply<B>>,
}

fn square<B: Bits>(p: Point) -> usize {
    p.y() * B::STRIDE + p.x()
}

fn point<B: Bits>(square: usize) -> Point {
    Point::new(square % B::STRIDE, square / B::STRIDE)
}

impl<B: Bits> Reversi<B> {
    fn new(setup: Setup, discs: &[(Point, Color)], side: Color) -> Reversi<B> {
        let mut game = Reversi {
            setup,
            frame: Frame::new(setup.side, setup.hole.map(square::<B>)),
            discs: [B::ZERO; 2],
            side,
            moves: B::ZERO,
            over: false,
            plies: Vec::new(),
        };
        for &(p, color) in discs {
            let set = &mut game.discs[color.index()];
            *set = *set | B::bit(square::<B>(p));
        }
        game.find_moves();
        game
    }

    fn find_moves(&mut self) {
        let (own, other) = (self.own(), self.other());
        self.moves = self.frame.moves(own, other);
        self.over = self.moves == B::ZERO && self.frame.moves(other, own) == B::ZERO;
    }

    fn own(&self) -> B {
        self.discs[self.side.index()]
    }

    fn other(&self) -> B {
        self.discs[(!self.side).index()]
    }

    fn empty(&self) -> B {
        self.frame.squares & !(self.discs[0] | self.discs[1])
    }
}

impl<B: Bits> Game for Reversi<B> {
    fn kind(&self) -> Kind {
        Kind::Reversi
    }

    fn variant(&self) -> String {
        let Setup { side, start, anti, hole } = self.setup;
        let mut words = vec![format!("{side}x{side}"), format!("{start} start")];
        words.extend(anti.then(|| "fewer discs win".to_owned()));
        words.extend(hole.map(|hole| format!("hole on {hole}")));
        words.join(", ")
    }

    fn size(&self) -> usize {
        self.setup.side
    }

    fn is_first_row_on_top(&self) -> bool {
        true
    }

    fn side(&self) -> Color {
        self.side
    }

    fn cell(&self, p: Point) -> Cell {
        let i = square::<B>(p);
        match Color::BOTH.into_iter().find(|c| self.discs[c.index()].has(i)) {
            Some(color) => Cell::Stone(color),
            None if self.frame.squares.has(i) => Cell::Empty,
            None => Cell::Hole,
        }
    }

    fn moves(&self, list: &mut Vec<Move>) {
        list.clear();
        list.extend(self.moves.iter().map(|i| Move::Place(point::<B>(i))));
        if list.is_empty() && !self.over {
            list.push(Move::Pass);
        }
    }

    fn check(&self, m: Move) -> Result<(), Illegal> {
        if let Some(outcome) = self.outcome() {
            return Err(Illegal::Over(outcome));
        }
        let must_pass = self.moves == B::ZERO;
        let p = match m {
            Move::Pass => return if must_pass { Ok(()) } else { Err(Illegal::NoPass) },
            Move::Bomb(_) => return Err(Illegal::NoBombs),
            Move::Place(p) => p,
        };
        if p.x().max(p.y()) >= self.setup.side {
            return Err(Illegal::OffBoard(p, self.setup.side));
        }
        match self.cell(p) {
            Cell::Hole => Err(Illegal::Hole(p)),
            Cell::Stone(_) => Err(Illegal::Occupied(p)),
            Cell::Empty if self.moves.has(square::<B>(p)) => Ok(()),
            Cell::Empty if must_pass => Err(Illegal::MustPass(self.side)),
            Cell::Empty => Err(Illegal::TurnsNothing(p)),
        }
    }

    fn play(&mut self, m: Move) {
        self.plies.push(Ply { m, discs: self.discs, moves: self.moves });
        if let Some(p) = m.point() {
            let i = square::<B>(p);
            let turned = self.frame.turned(self.own(), self.other(), i);
            let (own, other) = (self.own() | turned | B::bit(i), self.other() & !turned);
            self.discs[self.side.index()] = own;
            self.discs[(!self.side).index()] = other;
        }
        self.side = !self.side;
        self.find_moves();
    }

    fn undo(&mut self) -> Option<Move> {
        let ply = self.plies.pop()?;
        self.discs = ply.discs;
        self.moves = ply.moves;
        self.side = !self.side;
        self.over = false;
        Some(ply.m)
    }

    fn history(&self) -> Vec<(Color, Move)> {
        let first = if self.plies.len().is_multiple_of(2) { self.side } else { !self.side };
        let side = |i: usize| if i.is_multiple_of(2) { first } else { !first };
        self.plies.iter().enumerate().map(|(i, ply)| (side(i), ply.m)).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.over {
            return None;
        }
        let counts = self.discs.map(|set| set.count() as u16);
        let more = i32::from(counts[0]) - i32::from(counts[1]);
        let margin = if self.setup.anti { -more } else { more };
        let winner = match margin.signum() {
            1 => Some(Color::Black),
            -1 => Some(Color::White),
            _ => None,
        };
        Some(Outcome { winner, reason: Reason::Discs(counts), margin: Some(margin) })
    }

    fn hash(&self) -> u64 {
        let key = self.discs[1].mix(self.discs[0].mix(self.side.index() as u64));
        self.frame.squares.mix(key ^ u64::from(self.setup.anti))
    }

    fn notes(&self) -> Vec<String> {
        vec![format!("discs: black {}, white {}", self.discs[0].count(), self.discs[1].count())]
    }

    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn look(&self, list: &mut Vec<(Move, i32)>) -> Look {
        look::look(self, list)
    }

    fn solve(&self, effort: &Effort<'_>) -> Result<Solved, Unsolved> {
        // Discs that do not fit into one word belong to a board too large for the solver.
        let (Some(own), Some(other)) = (self.own().word(), self.other().word()) else {
            return Err(Unsolved { nodes: 0 });
        };
        if self.empty().count() > effort.most_empty {
            return Err(Unsolved { nodes: 0 });
        }
        let counting =
            solver::Counting { anti: self.setup.anti, empties_to_winner: effort.empties_to_winner };
        let frame = Frame::new(self.setup.side, self.setup.hole.map(square::<u64>));
        let question = solver::Question { frame, own, other, counting };
        let guess = look::look(self, &mut Vec::new()).value / DISC;
        let answer = solver::solve(&question, guess, effort)?;
        let a_move = |square: &Option<usize>| square.map_or(Move::Pass, |i| Move::Place(point::<u64>(i)));
        Ok(Solved {
            value: answer.value,
            line: answer.line.iter().map(a_move).collect(),
            nodes: answer.nodes,
        })
    }
}
