//! A two-player board game of perfect information.
//!
//! [`Game`] is one trait for the rules and for the calls of the search. It is used as `dyn Game`: dynamic dispatch
//! costs little beside the work of a node, and the search is compiled once for all games.

use std::fmt;

use kagetsu::game::{Color, FoulKinds, Point};

use crate::kind::Kind;

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A stone or disc on a point.
    Place(Point),
    /// A stone that removes all stones next to it (Atomic Renju).
    Bomb(Point),
    /// No stone.
    Pass,
}

impl Move {
    /// The point, unless it is a pass.
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Place(p) | Move::Bomb(p) => Some(p),
            Move::Pass => None,
        }
    }

    /// A number below 2048, different for each move.
    pub const fn code(self) -> u16 {
        match self {
            Move::Place(p) => p.index() as u16,
            Move::Bomb(p) => p.index() as u16 | 1024,
            Move::Pass => 1023,
        }
    }

    /// The inverse of [`Move::code`]: the move with this number.
    pub fn from_code(code: u16) -> Option<Move> {
        match code {
            1023 => Some(Move::Pass),
            1024.. => Point::from_index(usize::from(code) - 1024).map(Move::Bomb),
            _ => Point::from_index(usize::from(code)).map(Move::Place),
        }
    }
}

/// `h8`; `@h8` for a bomb; `--` for a pass.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(p) => write!(f, "{p}"),
            Move::Bomb(p) => write!(f, "@{p}"),
            Move::Pass => f.write_str("--"),
        }
    }
}

/// The content of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// No stone or disc.
    Empty,
    /// A stone or disc.
    Stone(Color),
    /// A square that is not part of the board (the hole of Reversi).
    Hole,
}

/// Reason why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A winning row.
    Row,
    /// Enough stones captured.
    Captures,
    /// One side has a winning row and the other captures its last pair in the same move: a draw.
    RowAndCaptures,
    /// A forbidden move.
    Foul(Foul),
    /// No move is left to either side; the discs of Black and White are counted.
    Discs([u16; 2]),
    /// No empty point is left.
    FullBoard,
    /// The side to move has no stone left.
    NoStones,
    /// Every empty point is forbidden to the side to move.
    OnlyFouls,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason.
    pub reason: Reason,
    /// Number of discs by which Black wins, in games that count them; negative if White wins.
    pub margin: Option<i32>,
}

impl Outcome {
    /// A win without a margin.
    pub const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason, margin: None }
    }

    /// A draw.
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason, margin: None }
    }

    /// 1 if Black wins, -1 if White does, 0 for a draw.
    pub fn sign(&self) -> i32 {
        match self.winner {
            Some(Color::Black) => 1,
            Some(Color::White) => -1,
            None => 0,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins"),
            None => f.write_str("draw"),
        }?;
        match (self.reason, self.winner) {
            (Reason::Row, _) => f.write_str(" by a row"),
            (Reason::Captures, _) => f.write_str(" by captures"),
            (Reason::RowAndCaptures, _) => f.write_str(": a row of one side, the last capture of the other"),
            (Reason::Foul(foul), Some(winner)) => write!(f, " by {}'s foul ({foul})", !winner),
            (Reason::Foul(foul), None) => write!(f, " by a foul ({foul})"),
            (Reason::Discs([black, white]), _) => write!(f, ", {black} discs to {white}"),
            (Reason::FullBoard, _) => f.write_str(": the board is full"),
            (Reason::NoStones, _) => f.write_str(": the stones are used up"),
            (Reason::OnlyFouls, _) => f.write_str(": every empty point is forbidden"),
        }
    }
}

/// A forbidden move of a relative of Renju.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Foul {
    /// Black's fouls of Renju.
    Renju(FoulKinds),
    /// A straight four.
    StraightFour,
    /// A double three.
    DoubleThree,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Foul::Renju(kinds) => write!(f, "{kinds}"),
            Foul::StraightFour => f.write_str("straight four"),
            Foul::DoubleThree => f.write_str("33"),
        }
    }
}

/// Reason why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The point is off the board.
    #[error("{0} is off the {1}x{1} board")]
    OffBoard(Point, usize),
    /// The point is occupied.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// The square is a hole.
    #[error("{0} is a hole")]
    Hole(Point),
    /// A disc there turns nothing.
    #[error("{0} turns no disc")]
    TurnsNothing(Point),
    /// The side has no other move and must pass.
    #[error("{0} has no move and must pass")]
    MustPass(Color),
    /// A pass although there are other moves, or in a game without passes.
    #[error("no pass is allowed here")]
    NoPass,
    /// The move is a foul.
    #[error("{0} is forbidden ({1})")]
    Foul(Point, Foul),
    /// The opening rule does not allow the point.
    #[error("{0} is not allowed: {1}")]
    Opening(Point, &'static str),
    /// The game has no bombs.
    #[error("this game has no bombs")]
    NoBombs,
    /// The side has used its only bomb.
    #[error("{0} has used its bomb")]
    BombUsed(Color),
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
}

/// Static evaluation of a position and hints for the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// Static evaluation from the view of the side to move, in hundredths of a stone; at most [`Look::MOST`] either
    /// way.
    pub value: i32,
    /// Whether the side to move must answer a threat or can win at once. The quiescence search then has no stand pat.
    pub forced: bool,
    /// Number of attacks: moves that leave the opponent few replies. They come first in the list, and the quiescence
    /// search tries them.
    pub attacks: usize,
}

impl Look {
    /// Largest absolute value of a static evaluation.
    pub const MOST: i32 = 20_000;
}

/// A game in progress.
pub trait Game: Send + Sync {
    /// The game's name.
    fn kind(&self) -> Kind;

    /// Its variant in words, as `6x6, parallel start`.
    fn variant(&self) -> String;

    /// Side length of the board.
    fn size(&self) -> usize;

    /// Whether row 1 is drawn at the top.
    fn is_first_row_on_top(&self) -> bool {
        false
    }

    /// The side to move.
    fn side(&self) -> Color;

    /// The content of a point of the board.
    fn cell(&self, p: Point) -> Cell;

    /// Replaces `list` by the legal moves, in board order, bombs last; a pass if it is the only move; none if the game
    /// is over.
    fn moves(&self, list: &mut Vec<Move>);

    /// Whether a move may be played.
    ///
    /// # Errors
    /// If it is illegal.
    fn check(&self, m: Move) -> Result<(), Illegal>;

    /// Plays a move that [`Game::check`] accepts. The effect of other moves is unspecified.
    fn play(&mut self, m: Move);

    /// Takes the last move back; `None` at the start.
    fn undo(&mut self) -> Option<Move>;

    /// The moves since the start, oldest first, each with its side.
    fn history(&self) -> Vec<(Color, Move)>;

    /// The end of the game; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash key of the whole state: stones, side to move, captures, bombs and the rest that future moves depend on.
    fn hash(&self) -> u64;

    /// The rest of the state in words: captures, bombs left, stones left in the turn, discs.
    fn notes(&self) -> Vec<String>;

    /// Stones captured by Black and by White.
    fn captured(&self) -> [u16; 2] {
        [0; 2]
    }

    /// A copy.
    fn boxed(&self) -> Box<dyn Game>;

    /// The state beyond stones and side to move, as `key=value` fields of a setup string.
    fn state(&self) -> String {
        String::new()
    }

    /// Evaluates a position that is not over and lists the moves worth searching, each with a score for move ordering
    /// (larger is better). Replaces `list`, which then holds at least one move, and legal moves only.
    fn look(&self, list: &mut Vec<(Move, i32)>) -> Look;

    /// Whether the root searches all of [`Game::root_moves`], including those that [`Game::look`] leaves out.
    fn tries_all(&self) -> bool {
        true
    }

    /// The legal moves that a search may choose at its root: all, unless some take so long to judge that the search would
    /// exceed its time. Those are then left out, and at least one move stays.
    fn root_moves(&self) -> Vec<Move> {
        self.legal()
    }

    /// Looks for a win by force within this number of turns, if the game has its own threat search. Subtracts the moves
    /// that it tries from `steps` and gives up at 0. Called only where [`Look::forced`] is false; the position is the
    /// same afterwards.
    fn force(&mut self, _turns: usize, _steps: &mut u64) -> Option<Force> {
        None
    }

    /// The exact result with perfect play, from the view of the side to move.
    ///
    /// # Errors
    /// If the game has no solver or a limit was reached.
    fn solve(&self, _effort: &Effort<'_>) -> Result<Solved, Unsolved> {
        Err(Unsolved { nodes: 0 })
    }

    /// All legal moves.
    fn legal(&self) -> Vec<Move> {
        let mut list = Vec::new();
        self.moves(&mut list);
        list
    }
}

/// The game, its variant and its moves; a drawing of the board is in [`diagram`](crate::diagram).
impl fmt::Debug for dyn Game + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: String = self.history().into_iter().map(|(_, m)| m.to_string()).collect();
        write!(f, "{} ({}) {moves:?}", self.kind(), self.variant())
    }
}

/// A win by force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Force {
    /// The moves of the side to move up to the opponent's turn.
    pub moves: Vec<Move>,
    /// Upper bound of the plies to the win.
    pub plies: usize,
}

/// Limits and options of an exact solve.
pub struct Effort<'a> {
    /// Bytes of the table.
    pub hash: usize,
    /// Threads.
    pub threads: usize,
    /// Positions visited.
    pub nodes: u64,
    /// Positions with more empty squares are not tried.
    pub most_empty: u32,
    /// Whether empty squares count for the winner.
    pub empties_to_winner: bool,
    /// Called regularly; the solver stops when it returns true.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Receives each bound of the value once it is proved: lower, upper, positions visited.
    pub on_bound: &'a (dyn Fn(i32, i32, u64) + Sync),
}

/// A solved position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Number of discs by which the side to move wins; negative if it loses.
    pub value: i32,
    /// Best play, from the side to move on.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

/// Error: no exact result within the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not solved within the limits")]
pub struct Unsolved {
    /// Positions visited.
    pub nodes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_moves_are_distinct() {
        let mut seen = std::collections::HashSet::new();
        for index in 0..kagetsu::game::POINTS {
            let Some(p) = Point::from_index(index) else { continue };
            for m in [Move::Place(p), Move::Bomb(p)] {
                assert!(m.code() < 2048 && seen.insert(m.code()), "{m}");
                assert_eq!(Move::from_code(m.code()), Some(m));
            }
        }
        assert!(seen.insert(Move::Pass.code()));
        assert_eq!(Move::from_code(Move::Pass.code()), Some(Move::Pass));
    }
}
