//! Wins by force: turns whose threats take both stones of the opponent's turn to stop, until there are threats that two
//! stones cannot stop.
//!
//! The opponent gets stones on all points that could stop the threats, and the attack must still win. So the search has
//! no branches for the defence. Each win that it finds is proved, but it misses some wins. CITE: Wu, Huang, "A New
//! Family of k-in-a-row Games" (2005), on threats; Wu, Lin, "Relevance-Zone-Oriented Proof Search for Connect6" (2010),
//! on this defence.

use kagetsu::game::{Color, Point, PointSet, Size};

use super::stops::{needed, stops};
use super::windows::{THREAT, Threat, Windows};
use crate::game::{Force, Move};

/// Largest number of points tried for a stone.
const WIDEST: usize = 12;

/// The threat search of a side that cannot complete a window in this turn.
pub struct Attack<'a> {
    pub windows: &'a mut Windows,
    pub size: Size,
    pub occupied: PointSet,
    pub side: Color,
    /// Stones that may still be tried.
    pub steps: &'a mut u64,
}

impl Attack<'_> {
    /// A win with `left` stones of the turn left, within this number of turns.
    pub fn run(&mut self, left: u8, turns: usize) -> Option<Force> {
        (1..=turns).find_map(|turns| {
            let mut moves = Vec::new();
            let plies = self.stones(left, turns, &PointSet::EMPTY, &mut moves)?;
            moves.reverse();
            Some(Force { moves, plies })
        })
    }

    /// Places the remaining stones of a turn and returns the plies to the win, if there is one. Appends the stones to
    /// `moves`, the last first.
    fn stones(&mut self, left: u8, turns: usize, tried: &PointSet, moves: &mut Vec<Move>) -> Option<usize> {
        if left == 0 {
            return self.reply(turns);
        }
        let mut tried = *tried;
        for p in self.choices(left, turns, &tried) {
            if *self.steps == 0 {
                return None;
            }
            *self.steps -= 1;
            self.place(p, self.side);
            let found = self.stones(left - 1, turns, &tried, moves);
            self.remove(p, self.side);
            if let Some(plies) = found {
                moves.push(Move::Place(p));
                return Some(plies + 1);
            }
            // Do not try these two stones in the other order: the position is the same.
            tried.insert(p);
        }
        None
    }

    /// The opponent's turn after the threats of the side to move.
    fn reply(&mut self, turns: usize) -> Option<usize> {
        if self.windows.has_threat(!self.side) {
            return None;
        }
        let threats = self.threats(self.side);
        match needed(&threats) {
            3 => return Some(4),
            2 if turns > 1 => {}
            _ => return None,
        }
        let stops = stops(&threats, 2);
        stops.iter().for_each(|p| self.place(p, !self.side));
        // Stops that complete a row are more than the opponent's two stones, but they hide the threat that two of them
        // make: a full window counts as no threat.
        let is_open = !self.windows.has_row(!self.side);
        let found = is_open.then(|| self.stones(2, turns - 1, &PointSet::EMPTY, &mut Vec::new())).flatten();
        stops.iter().for_each(|p| self.remove(p, !self.side));
        found.map(|plies| plies + 2)
    }

    /// The points for a stone, best first.
    fn choices(&self, left: u8, turns: usize, tried: &PointSet) -> Vec<Point> {
        let (windows, side) = (&*self.windows, self.side);
        // Threats that two stones cannot stop lie on at least two lines, and the two stones of a turn share at most one
        // line. So each stone of the last turn, when it is placed, is in a window that already has three stones.
        let mut least = if turns == 1 || left == 1 { THREAT - 1 } else { THREAT - 2 };
        if turns > 1 && left == 1 && windows.has_threat(side) && needed(&self.threats(side)) == 2 {
            // The first stone of the turn already takes two stones to stop, so the second may prepare the next turn.
            least = THREAT - 2;
        }
        let empty = PointSet::full(self.size).without(&self.occupied).without(tried);
        let near = if windows.has_threat(!side) {
            stops(&self.threats(!side), left) & empty
        } else {
            self.occupied.dilate().dilate() & empty
        };
        let mut points: Vec<(i32, Point)> = near
            .iter()
            .filter(|&p| windows.promise(side, p).has(least))
            .map(|p| (-windows.promise(side, p).worth(), p))
            .collect();
        points.sort_unstable();
        points.truncate(WIDEST);
        points.into_iter().map(|(_, p)| p).collect()
    }

    fn threats(&self, color: Color) -> Vec<Threat> {
        let mut threats = Vec::new();
        self.windows.threats(color, |p| !self.occupied.contains(p), &mut threats);
        threats
    }

    fn place(&mut self, p: Point, color: Color) {
        self.occupied.insert(p);
        self.windows.place(p, color);
    }

    fn remove(&mut self, p: Point, color: Color) {
        self.occupied.remove(p);
        self.windows.remove(p, color);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Connect6, SIZE};
    use super::*;
    use crate::{Cell, Kind, Options, notation};

    fn force(position: &str, turns: usize) -> Option<(Vec<String>, usize)> {
        let mut game = notation::parse(position, &Options::new(Kind::Connect6)).expect("a position");
        let before = (game.hash(), notation::print_setup(&*game));
        let found = game.force(turns, &mut 10_000);
        assert_eq!((game.hash(), notation::print_setup(&*game)), before);
        found.map(|force| (force.moves.iter().map(ToString::to_string).collect(), force.plies))
    }

    /// Two open threes on lines of their own become two straight fours, which take four stones to stop.
    #[test]
    fn two_threes_win() {
        let position = "13/13/4xxx6/13/13/13/13/13/13/4xxx6/13/13/o11o x";
        let (moves, plies) = force(position, 1).unwrap();
        assert_eq!((moves.len(), plies), (2, 6));
        let rows: Vec<&str> = moves.iter().map(|m| &m[1..]).collect();
        assert!(rows.contains(&"4") && rows.contains(&"11"), "{moves:?}");
        // One three is not enough, nor are two whose rows have no room for six.
        assert_eq!(force("13/13/4xxx6/13/13/13/13/13/13/13/13/13/o11o x", 1), None);
        let closed = "13/13/2o1xxx1o4/13/13/13/13/13/13/2o1xxx1o4/13/13/o11o x";
        assert_eq!(force(closed, 3), None);
    }

    /// The attack ends where the opponent can complete a row of its own.
    #[test]
    fn the_opponents_threats_come_first() {
        let position = "13/oooo9/4xxx6/13/oooo9/13/13/13/oooo9/4xxx6/13/13/13 x";
        assert_eq!(force(position, 2), None);
    }

    /// The stops of the first turn complete a row: with two of them the opponent threatens six itself.
    #[test]
    fn stops_may_complete_a_row() {
        let reply = |rows_16_to_9: &str| {
            let threes = "12xxx4";
            let position = format!("19/19/{threes}/{rows_16_to_9}/19/19/19/19/19/{threes}/19/19 o");
            let stones = notation::parse(&position, &Options::new(Kind::Connect6)).expect("a position");
            let mut game = Connect6::new(SIZE);
            for p in SIZE.points() {
                if let Cell::Stone(color) = stones.cell(p) {
                    game.windows.place(p, color);
                    game.stones[color.index()].insert(p);
                }
            }
            let occupied = game.occupied();
            let windows = &mut game.windows;
            let steps = &mut 10_000;
            Attack { windows, size: SIZE, occupied, side: Color::Black, steps }.reply(2)
        };
        // Black threatens row 10 at e10 and f10, column h at h10 and h15. White's stones wait between them.
        assert_eq!(reply("7o11/19/7x11/7x11/7x11/7x11/xxxx2o1oox8/7o11"), None);
        // Without them the two threes win.
        assert_eq!(reply("7o11/19/7x11/7x11/7x11/7x11/xxxx15/7o11"), Some(8));
    }

    #[test]
    fn steps_are_counted() {
        let position = "13/13/4xx7/13/13/13/13/13/13/4xx7/13/13/o11o x";
        let mut game = notation::parse(position, &Options::new(Kind::Connect6)).unwrap();
        let mut steps = 7;
        assert_eq!((game.force(5, &mut steps), steps), (None, 0));
    }
}
