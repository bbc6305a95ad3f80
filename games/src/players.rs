//! Players: the search, the main engine, a random mover and a greedy one; and matches between them.

use std::sync::atomic::AtomicBool;

use kagetsu::clock::Clock;
use kagetsu::engine::{Engine, Options as EngineOptions};
use kagetsu::game::{Color, Move as EngineMove, Point, Position, RuleKind, Size};
use kagetsu::random::{IndexedRandom, Random, SeedableRng};
use kagetsu::search::{Context, Limits as EngineLimits};

use crate::game::{Cell, Game, Illegal, Move};
use crate::kind::Kind;
use crate::search::{self, Limits, Report, Table};

/// A player: chooses moves.
pub trait Player {
    /// A legal move of a game that is not over. For another one it may panic.
    fn choose(&mut self, game: &dyn Game) -> Move;
}

/// Plays a random legal move, each with the same probability.
pub struct RandomMover(Random);

impl RandomMover {
    /// Creates a random mover; equal seeds give equal choices.
    pub fn new(seed: u64) -> RandomMover {
        RandomMover(Random::seed_from_u64(seed))
    }
}

impl Player for RandomMover {
    fn choose(&mut self, game: &dyn Game) -> Move {
        let moves = game.legal();
        *moves.choose(&mut self.0).expect("a game that is not over has a move")
    }
}

/// Plays the move with the best static evaluation after it; among equal moves a random one.
pub struct Greedy(Random);

impl Greedy {
    /// Creates a greedy mover; the seed decides between equal moves.
    pub fn new(seed: u64) -> Greedy {
        Greedy(Random::seed_from_u64(seed))
    }
}

impl Player for Greedy {
    fn choose(&mut self, game: &dyn Game) -> Move {
        let mut next = game.boxed();
        let side = game.side();
        let mut list = Vec::new();
        let mut best: (i32, Vec<Move>) = (i32::MIN, Vec::new());
        for m in game.legal() {
            next.play(m);
            let sign = if next.side() == side { 1 } else { -1 };
            let value = match next.outcome() {
                Some(outcome) => {
                    i32::from(outcome.winner == Some(side)) * 60_000
                        - i32::from(outcome.winner == Some(!side)) * 60_000
                }
                None => sign * next.look(&mut list).value,
            };
            next.undo();
            if value > best.0 {
                best = (value, vec![m]);
            } else if value == best.0 {
                best.1.push(m);
            }
        }
        *best.1.choose(&mut self.0).expect("a game that is not over has a move")
    }
}

/// Returns the rule by which the main engine plays a game; `None` for the games that the search of this crate plays.
pub fn engine_rule(kind: Kind) -> Option<RuleKind> {
    match kind {
        Kind::Renju => Some(RuleKind::Renju),
        Kind::Freestyle => Some(RuleKind::Freestyle),
        Kind::Standard => Some(RuleKind::Standard),
        _ => None,
    }
}

/// The search, or the main engine for the games that it plays.
pub struct Searcher<'a> {
    limits: Limits,
    table: Table,
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
    engine: Option<Engine>,
    hash: u64,
}

impl<'a> Searcher<'a> {
    /// Creates a player with these limits for each move and this number of bytes for tables, of which the main engine uses at
    /// most [`MAX_HASH`](kagetsu::engine::MAX_HASH).
    pub fn new(limits: Limits, hash: u64, clock: &'a dyn Clock, stop: &'a AtomicBool) -> Searcher<'a> {
        let bytes = usize::try_from(hash).unwrap_or(usize::MAX);
        Searcher { limits, table: Table::new(bytes), clock, stop, engine: None, hash }
    }

    /// Changes the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Clears the transposition table and the main engine's memory.
    pub fn clear(&mut self) {
        self.table.clear();
        self.engine = None;
    }

    /// Returns what the search found. It has a line unless the limits exclude every move.
    ///
    /// Where the main engine plays, in Renju, freestyle and standard, `on_report` is not called and the scores are in the
    /// engine's units.
    pub fn report(&mut self, game: &dyn Game, on_report: &mut dyn FnMut(&Report)) -> Report {
        if let Some(m) = self.engine_move(game) {
            return m;
        }
        search::search(game, &self.limits, &mut self.table, self.clock, self.stop, on_report)
    }

    /// Returns the main engine's move, if it plays this game and its move is legal under the chosen options. The engine
    /// does not know the opening rule, so the points that the rule forbids are excluded from its search.
    fn engine_move(&mut self, game: &dyn Game) -> Option<Report> {
        let rule = engine_rule(game.kind())?;
        let engine = self.engine.get_or_insert_with(Engine::new);
        engine.set_options(EngineOptions { rule, hash: Some(self.hash), ..EngineOptions::default() });
        let position = engine_position(game)?;
        let breaks_opening = |p: &Point| matches!(game.check(Move::Place(*p)), Err(Illegal::Opening(..)));
        let excluded = position.size().points().filter(breaks_opening).collect();
        engine.set_position(position);
        let start = self.clock.now();
        let limits = EngineLimits {
            turn: self.limits.time,
            nodes: self.limits.nodes,
            depth: self.limits.depth,
            multipv: self.limits.multipv,
            threads: self.limits.threads,
            excluded,
            ..EngineLimits::default()
        };
        let context = Context { clock: self.clock, start, stop: self.stop };
        let (p, report) = engine.go(&limits, &context, &mut |_| {})?;
        game.check(Move::Place(p)).ok()?;
        let line = |line: &kagetsu::search::Line| search::Line {
            score: line.score.0,
            moves: line.moves.iter().copied().map(Move::Place).collect(),
        };
        Some(Report {
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            elapsed: report.elapsed,
            lines: report.lines.iter().map(line).collect(),
            solved: false,
        })
    }
}

/// The position of a game that the main engine plays.
fn engine_position(game: &dyn Game) -> Option<Position> {
    let size = Size::new(game.size()).ok()?;
    let history = game.history();
    let mut before = game.boxed();
    while before.undo().is_some() {}
    let setup = size.points().filter_map(|p| match before.cell(p) {
        Cell::Stone(color) => Some((p, color)),
        Cell::Empty | Cell::Hole => None,
    });
    let mut position = Position::from_stones(size, setup, before.side()).ok()?;
    for (_, m) in history {
        position.push(EngineMove::Place(m.point()?)).ok()?;
    }
    Some(position)
}

impl Player for Searcher<'_> {
    fn choose(&mut self, game: &dyn Game) -> Move {
        let report = self.report(game, &mut |_| {});
        let best = report.lines.first().and_then(|line| line.moves.first()).copied();
        best.filter(|&m| game.check(m).is_ok()).unwrap_or_else(|| game.legal()[0])
    }
}

/// A result of a match from the view of its first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// A game of a match.
#[derive(Debug)]
pub struct Played {
    /// Its number, from 1.
    pub number: u32,
    /// The colour of the first player.
    pub first: Color,
    /// The game as it ended.
    pub game: Box<dyn Game>,
    /// The result so far.
    pub score: Score,
}

/// Error: the game was over after each random opening that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("each opening of {0} random moves ended the game: expected fewer moves or a larger board")]
pub struct NoOpening(usize);

/// Random openings that are tried before a match is given up.
const ATTEMPTS: u32 = 1_000;

/// Plays a match: games in pairs from the same opening of some random moves, each player once with either colour.
/// `on_game` returns whether to go on.
///
/// # Errors
/// If the game is over after every opening that is tried, because it has too many moves for the board, or because the
/// game that `begin` gives is over itself.
pub fn play_match(
    begin: &dyn Fn() -> Box<dyn Game>,
    players: [&mut dyn Player; 2],
    games: u32,
    opening: usize,
    seed: u64,
    on_game: &mut dyn FnMut(&Played) -> bool,
) -> Result<Score, NoOpening> {
    let mut random = Random::seed_from_u64(seed);
    let mut score = Score::default();
    let mut start = begin();
    for number in 1..=games {
        if number % 2 == 1 {
            start = random_opening(begin, opening, &mut random)?;
        }
        let first = if number % 2 == 1 { Color::Black } else { Color::White };
        let mut game = start.boxed();
        while game.outcome().is_none() {
            let m = players[usize::from(game.side() != first)].choose(&*game);
            game.play(m);
        }
        match game.outcome().and_then(|outcome| outcome.winner) {
            None => score.draws += 1,
            Some(color) if color == first => score.wins += 1,
            Some(_) => score.losses += 1,
        }
        if !on_game(&Played { number, first, game, score }) {
            break;
        }
    }
    Ok(score)
}

/// Returns a beginning of this number of random moves after which the game is not over.
fn random_opening(
    begin: &dyn Fn() -> Box<dyn Game>,
    moves: usize,
    random: &mut Random,
) -> Result<Box<dyn Game>, NoOpening> {
    for _ in 0..ATTEMPTS {
        let mut game = begin();
        for _ in 0..moves {
            if game.outcome().is_some() {
                break;
            }
            // Prefers moves near the stones: a move far from them is wasted.
            let mut list = Vec::new();
            game.look(&mut list);
            let m = list.choose(random).expect("a game that is not over has a move").0;
            game.play(m);
        }
        if game.outcome().is_none() {
            return Ok(game);
        }
    }
    Err(NoOpening(moves))
}
