//! Relatives of Renju: games of rows on the points of a board, with captures, bombs, a stone of both colours, and
//! forbidden moves.
//!
//! [`rules`] lists the differences between the games, [`games`] defines each game, [`board`] keeps the stones,
//! [`fouls`] finds forbidden points with [`kagetsu::game`], [`end`] decides when a game is over, [`look`] evaluates
//! positions for the search.

mod board;
mod end;
mod fouls;
pub mod games;
mod look;
pub mod rules;

use kagetsu::game::{Color, Point, PointSet};

use self::board::Stones;
use self::fouls::flip;
use self::rules::{Beginning, Captures, Rules, Sanction};
use crate::game::{Cell, Game, Illegal, Look, Move, Outcome, Reason};
use crate::kind::Kind;
use crate::mix::mix;
use crate::options::{OptionsError, Stones as Setup};

/// A move that can be taken back: the state before it.
#[derive(Clone)]
struct Ply {
    m: Move,
    side: Color,
    before: [PointSet; 2],
    captured: [u16; 2],
    bomb_used: [bool; 2],
    pending: bool,
}

/// A game of the family.
#[derive(Clone)]
pub struct Five {
    rules: Rules,
    side: Color,
    stones: Stones,
    /// Stones captured by each side.
    captured: [u16; 2],
    bomb_used: [bool; 2],
    /// Whether the side that moved last has a five that must survive the opponent's next move.
    pending: bool,
    outcome: Option<Outcome>,
    /// Whether the game began with an empty board; the opening rule applies only then.
    is_from_start: bool,
    plies: Vec<Ply>,
}

impl Five {
    /// The game at its beginning.
    pub fn new(rules: Rules) -> Five {
        Five {
            rules,
            side: Color::Black,
            stones: Stones::new(rules.size, rules.wild_center),
            captured: [0; 2],
            bomb_used: [false; 2],
            pending: false,
            outcome: None,
            is_from_start: true,
            plies: Vec::new(),
        }
    }

    /// The game from a position: fields `captured=2-4` (stones that Black and White have captured) and `bombs=xo` (who
    /// still has one).
    ///
    /// # Errors
    /// If a field is unknown or has no such value.
    pub fn from_setup(rules: Rules, setup: &Setup) -> Result<Five, OptionsError> {
        let mut game = Five::new(rules);
        game.is_from_start = setup.stones.is_empty();
        setup.stones.iter().for_each(|&(p, color)| game.stones.put(p, color));
        game.side = setup.side;
        for (key, value) in &setup.state {
            match key.as_str() {
                "captured" if rules.captures != Captures::None => {
                    game.captured = rules.captures.parse_numbers(value)?;
                }
                "bombs" if rules.bombs => {
                    if !["x", "o", "xo", "-"].contains(&value.as_str()) {
                        return Err(OptionsError::Value { name: "bombs", expected: "x, o, xo or -" });
                    }
                    game.bomb_used = ['x', 'o'].map(|c| !value.contains(c));
                }
                _ => return Err(OptionsError::no_field(rules.kind, key)),
            }
        }
        game.outcome = game.standing();
        // The five of the side that waits was just made, for a reply that leaves it would have ended the game.
        let waiting = !game.side;
        if rules.perfect_five
            && game.outcome == Some(Outcome::win(waiting, Reason::Row))
            && game.can_break(waiting)
        {
            (game.pending, game.outcome) = (true, None);
        }
        Ok(game)
    }

    /// Returns why the rule of the opening forbids a stone; `Ok` if it does not.
    fn opening_allows(&self, p: Point) -> Result<(), &'static str> {
        if !self.is_from_start || self.rules.beginning == Beginning::Free {
            return Ok(());
        }
        let center = self.rules.size.center();
        match self.plies.len() {
            0 if p != center => Err("the first stone is placed in the centre"),
            2 if self.rules.beginning == Beginning::Pro
                && p.distance(center) <= 2
                && self.rules.size.side() >= 7 =>
            {
                Err("the third stone must be outside the central 5x5")
            }
            _ => Ok(()),
        }
    }

    /// The empty points that the rule of the opening allows.
    fn open_points(&self) -> PointSet {
        self.stones.empty().iter().filter(|&p| self.opening_allows(p).is_ok()).collect()
    }

    /// Points where a stone may be placed.
    fn places(&self) -> PointSet {
        let allowed = self.open_points();
        let free = allowed.without(&self.forbidden(self.side));
        // A side that can only make fouls must make one, if a foul counts as a move.
        if free.is_empty() && self.rules.sanction == Sanction::Loss { allowed } else { free }
    }

    /// Replaces `list` by stones on these points, and by the bombs of the side to move.
    fn list_moves(&self, places: &PointSet, list: &mut Vec<Move>) {
        list.clear();
        list.extend(places.iter().map(Move::Place));
        if self.has_bomb(self.side) {
            let is_free = |p: &Point| self.foul_of(Move::Bomb(*p)).is_none();
            list.extend(self.open_points().iter().filter(is_free).map(Move::Bomb));
        }
    }

    fn has_bomb(&self, color: Color) -> bool {
        self.rules.bombs && !self.bomb_used[color.index()]
    }

    /// Places a stone and carries out its captures or its bomb. Returns the points whose stones became the mover's, and
    /// the points whose stones were removed.
    fn place(&mut self, m: Move, p: Point) -> (PointSet, PointSet) {
        let color = self.side;
        self.stones.put(p, color);
        let mut changed = PointSet::from_iter([p]);
        let mut removed = PointSet::EMPTY;
        if matches!(m, Move::Bomb(_)) {
            removed = self.stones.around(p);
            self.bomb_used[color.index()] = true;
        }
        let caught = match m {
            Move::Place(_) => self.stones.captured_by(p, color, &self.rules),
            Move::Bomb(_) | Move::Pass => PointSet::EMPTY,
        };
        self.captured[color.index()] += caught.len() as u16;
        if self.rules.captures == Captures::Flip {
            caught.iter().for_each(|q| flip(&mut self.stones, q, color));
            changed = changed | caught;
        } else {
            removed = removed | caught;
        }
        for q in removed.iter() {
            if let Some(color) = self.stones.color(q) {
                self.stones.take(q, color);
            }
        }
        (changed, removed)
    }
}

impl Game for Five {
    fn kind(&self) -> Kind {
        self.rules.kind
    }

    fn variant(&self) -> String {
        self.rules.describe()
    }

    fn size(&self) -> usize {
        self.rules.size.side()
    }

    fn side(&self) -> Color {
        self.side
    }

    fn cell(&self, p: Point) -> Cell {
        self.stones.color(p).map_or(Cell::Empty, Cell::Stone)
    }

    fn moves(&self, list: &mut Vec<Move>) {
        list.clear();
        if self.outcome.is_none() {
            self.list_moves(&self.places(), list);
        }
    }

    fn check(&self, m: Move) -> Result<(), Illegal> {
        if let Some(outcome) = self.outcome {
            return Err(Illegal::Over(outcome));
        }
        let p = m.point().ok_or(Illegal::NoPass)?;
        if !self.rules.size.contains(p.x(), p.y()) {
            return Err(Illegal::OffBoard(p, self.size()));
        }
        if self.stones.color(p).is_some() {
            return Err(Illegal::Occupied(p));
        }
        self.opening_allows(p).map_err(|why| Illegal::Opening(p, why))?;
        match m {
            Move::Bomb(_) if !self.rules.bombs => Err(Illegal::NoBombs),
            Move::Bomb(_) if !self.has_bomb(self.side) => Err(Illegal::BombUsed(self.side)),
            _ => match self.foul_of(m) {
                Some(foul) if self.rules.sanction == Sanction::Illegal => Err(Illegal::Foul(p, foul)),
                _ => Ok(()),
            },
        }
    }

    fn play(&mut self, m: Move) {
        let Some(p) = m.point() else { return };
        // The foul is judged before the stone is placed, as the rules of fouls require.
        let foul = match self.rules.sanction {
            Sanction::Loss => self.foul_of(m),
            Sanction::Illegal => None,
        };
        self.plies.push(Ply {
            m,
            side: self.side,
            before: self.stones.of,
            captured: self.captured,
            bomb_used: self.bomb_used,
            pending: self.pending,
        });
        let (changed, removed) = self.place(m, p);
        self.finish(foul, &changed, &removed);
    }

    fn undo(&mut self) -> Option<Move> {
        let ply = self.plies.pop()?;
        for color in Color::BOTH {
            let (now, before) = (self.stones.of[color.index()], ply.before[color.index()]);
            now.without(&before).iter().for_each(|p| self.stones.take(p, color));
        }
        for color in Color::BOTH {
            let (now, before) = (self.stones.of[color.index()], ply.before[color.index()]);
            before.without(&now).iter().for_each(|p| self.stones.put(p, color));
        }
        self.side = ply.side;
        self.captured = ply.captured;
        self.bomb_used = ply.bomb_used;
        self.pending = ply.pending;
        self.outcome = None;
        Some(ply.m)
    }

    fn history(&self) -> Vec<(Color, Move)> {
        self.plies.iter().map(|ply| (ply.side, ply.m)).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn hash(&self) -> u64 {
        let flag = |holds: bool, bit: u32| u64::from(holds) << bit;
        let captured = if self.rules.captured_to_win.is_some() { self.captured } else { [0; 2] };
        let state = u64::from(captured[0])
            | u64::from(captured[1]) << 16
            | flag(self.bomb_used[0], 32)
            | flag(self.bomb_used[1], 33)
            | flag(self.pending, 34)
            | flag(self.side == Color::White, 35)
            // The opening rule depends on the number of the move.
            | if self.plies.len() < 3 { (self.plies.len() as u64 + 1) << 36 } else { 0 };
        self.stones.hash ^ mix(state, 0)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.rules.captures != Captures::None {
            let [black, white] = self.captured;
            let goal = self.rules.captured_to_win.map_or(String::new(), |goal| format!(" of {goal}"));
            notes.push(format!("captured stones: by black {black}, by white {white}{goal}"));
        }
        if self.rules.bombs {
            let left: Vec<String> =
                Color::BOTH.into_iter().filter(|&c| self.has_bomb(c)).map(|c| c.to_string()).collect();
            let left = if left.is_empty() { "none".to_owned() } else { left.join(", ") };
            notes.push(format!("bombs left: {left}"));
        }
        if self.pending && self.outcome.is_none() {
            notes.push(format!("{} has a five that a capture can break", !self.side));
        }
        notes
    }

    fn state(&self) -> String {
        let mut fields = Vec::new();
        if self.rules.captures != Captures::None && self.captured != [0, 0] {
            fields.push(format!("captured={}-{}", self.captured[0], self.captured[1]));
        }
        if self.rules.bombs {
            let left: String = Color::BOTH
                .into_iter()
                .zip(['x', 'o'])
                .filter(|&(c, _)| self.has_bomb(c))
                .map(|(_, s)| s)
                .collect();
            fields.push(format!("bombs={}", if left.is_empty() { "-" } else { &left }));
        }
        fields.join(" ")
    }

    fn captured(&self) -> [u16; 2] {
        self.captured
    }

    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn look(&self, list: &mut Vec<(Move, i32)>) -> Look {
        look::look(self, list)
    }

    fn root_moves(&self) -> Vec<Move> {
        let mut list = Vec::new();
        if self.outcome.is_none() {
            let clear = self.open_points().without(&self.doubtful(self.side));
            let places = if clear.is_empty() { self.places() } else { clear };
            self.list_moves(&places, &mut list);
        }
        list
    }
}
