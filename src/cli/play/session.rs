//! A game between a person and the engine: the moves, whose turn it is, the clocks, the end. Knows neither terminal nor
//! engine; time comes in as readings of a clock.

use std::fmt;
use std::time::Duration;

use crate::game::{Board, Color, Endings, Move, Outcome, Point, Position, Rule, RuleKind};
use crate::record::{Format, Game, GameResult, NodeId, Note};
use crate::with_rule;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By the rule.
    Rule(Outcome),
    /// This side gave up.
    Resigned(Color),
    /// This side's time ran out.
    Time(Color),
}

impl End {
    fn winner(self) -> Option<Color> {
        match self {
            End::Rule(outcome) => outcome.winner(),
            End::Resigned(side) | End::Time(side) => Some(!side),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Rule(outcome) => write!(f, "{outcome}"),
            End::Resigned(side) => write!(f, "{} wins: {side} resigns", !*side),
            End::Time(side) => write!(f, "{} wins: {side}'s time is up", !*side),
        }
    }
}

/// Time of both sides for the whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// What black and white have left.
    pub left: [Duration; 2],
    /// Added after each move.
    pub increment: Duration,
}

/// One game.
pub struct Session {
    rule: RuleKind,
    position: Position,
    /// Moves of the position that the game began with.
    given: usize,
    human: Color,
    clock: Option<GameClock>,
    /// The clock as it was before each move of this game, and the time that the move took.
    times: Vec<(Option<GameClock>, Duration)>,
    /// When the side to move began to think.
    since: Duration,
    end: Option<End>,
}

impl Session {
    /// A game from a position, at the time `now`.
    pub fn new(
        rule: RuleKind,
        position: Position,
        human: Color,
        clock: Option<GameClock>,
        now: Duration,
    ) -> Session {
        let given = position.moves().len();
        let mut session =
            Session { rule, position, given, human, clock, times: Vec::new(), since: now, end: None };
        session.look();
        session
    }

    /// The rule.
    pub fn rule(&self) -> RuleKind {
        self.rule
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The person's side.
    pub fn human(&self) -> Color {
        self.human
    }

    /// How the game ended.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Whether it is the engine's turn.
    pub fn is_engines_turn(&self) -> bool {
        self.end.is_none() && self.position.side() != self.human
    }

    /// What both sides have left at the time `now`.
    pub fn clock(&self, now: Duration) -> Option<GameClock> {
        let mut clock = self.clock?;
        if self.end.is_none() {
            let own = &mut clock.left[self.position.side().index()];
            *own = own.saturating_sub(now.saturating_sub(self.since));
        }
        Some(clock)
    }

    /// Ends the game if the side to move has no time left.
    pub fn tick(&mut self, now: Duration) {
        let side = self.position.side();
        if self.end.is_none() && self.clock(now).is_some_and(|clock| clock.left[side.index()].is_zero()) {
            self.end = Some(End::Time(side));
        }
    }

    /// A stone of the side to move.
    ///
    /// # Errors
    /// Why it cannot be played; the game is then as before.
    pub fn play(&mut self, p: Point, now: Duration) -> Result<(), String> {
        self.tick(now);
        if let Some(end) = self.end {
            return Err(format!("the game is over: {end}"));
        }
        with_rule!(self.rule, R => legal::<R>(&self.position, p))?;
        let (before, side) = (self.clock, self.position.side());
        let used = now.saturating_sub(self.since);
        self.position.push(Move::Place(p)).map_err(|error| error.to_string())?;
        self.times.push((before, used));
        if let Some(clock) = &mut self.clock {
            let own = &mut clock.left[side.index()];
            *own = own.saturating_sub(used) + clock.increment;
        }
        self.since = now;
        self.look();
        Ok(())
    }

    /// Takes moves back until it is the person's turn again, at least one; the clocks go back too.
    ///
    /// # Errors
    /// If there is no move of the person's to take back.
    pub fn undo(&mut self, now: Duration) -> Result<(), String> {
        let played = &self.position.moves()[self.given..];
        let first = if self.position.first() == self.human { 0 } else { 1 };
        // The last move of the person's: there it is the person's turn once more.
        let last = (0..played.len()).rev().find(|i| (self.given + i) % 2 == first);
        let Some(last) = last else { return Err("there is no move of yours to take back".into()) };
        self.position.truncate(self.given + last);
        if let Some((clock, _)) = self.times.drain(last..).next() {
            self.clock = clock;
        }
        self.since = now;
        self.end = None;
        Ok(())
    }

    /// The person gives up.
    pub fn resign(&mut self) {
        self.end = self.end.or(Some(End::Resigned(self.human)));
    }

    /// The engine gives up.
    pub fn resign_engine(&mut self) {
        self.end = self.end.or(Some(End::Resigned(!self.human)));
    }

    /// Looks whether the game is over by the rule.
    fn look(&mut self) {
        let outcome = with_rule!(self.rule, R => {
            // A position checks its points itself, so a board of it always exists.
            Board::<R>::from_position(&self.position).ok().and_then(|b| b.outcome(&Endings::default()))
        });
        self.end = outcome.map(End::Rule);
    }

    /// The game for a file; `engine` is the engine's name there.
    pub fn record(&self, engine: &str) -> Game {
        let mut game = Game::of_position(&self.position);
        game.rule = Some(self.rule);
        game.result = self.end.map(|end| end.winner().map_or(GameResult::Draw, GameResult::Win));
        let names = if self.human == Color::Black { ["human", engine] } else { [engine, "human"] };
        game.add_property("PB", names[0]);
        game.add_property("PW", names[1]);
        let line: Vec<NodeId> = game.tree.main_line().skip(1 + self.given).collect();
        for (id, (_, time)) in line.into_iter().zip(&self.times) {
            game.tree.annotate(id, [Note::Time(u32::try_from(time.as_millis()).unwrap_or(u32::MAX))]);
        }
        game
    }

    /// The bytes of a game file, in the format that its name tells.
    ///
    /// # Errors
    /// If the name tells none, or the format cannot hold the game.
    pub fn file(&self, name: &str, engine: &str) -> Result<Vec<u8>, String> {
        let extension = std::path::Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
        let format = Format::from_extension(extension)
            .ok_or_else(|| format!("{name}: a name like game.sgf or game.psq was expected"))?;
        format.write(&[self.record(engine)], Default::default(), true).map_err(|error| error.to_string())
    }
}

fn legal<R: Rule>(position: &Position, p: Point) -> Result<(), String> {
    let board = Board::<R>::from_position(position).map_err(|error| error.to_string())?;
    board.check_free(p).map_err(|error| error.to_string())?;
    if board.is_foul(p, board.side()) {
        return Err(format!("{p} is a foul for black ({})", board.foul_kinds(p)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Draw, Size, notation};

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn session(position: &str, clock: Option<GameClock>) -> Session {
        let position = notation::parse(position, Some(Size::S15)).unwrap();
        Session::new(RuleKind::Renju, position, Color::Black, clock, s(0))
    }

    fn play(session: &mut Session, name: &str, now: u64) -> Result<(), String> {
        session.play(notation::parse_point(name, Size::S15).unwrap(), s(now))
    }

    #[test]
    fn only_legal_moves_are_played() {
        let mut session = session("f8a1g8a3h9a5h10a7", None);
        assert_eq!(play(&mut session, "h8", 0), Err("h8 is a foul for black (33)".into()));
        assert_eq!(play(&mut session, "a1", 0), Err("a1 is occupied".into()));
        assert_eq!(play(&mut session, "k10", 0), Ok(()));
        assert!(session.is_engines_turn());
    }

    #[test]
    fn a_row_ends_the_game() {
        let mut session = session("d4a1e4a2f4a3g4a4", None);
        play(&mut session, "h4", 0).unwrap();
        assert_eq!(session.end(), Some(End::Rule(Outcome::Row(Color::Black))));
        assert!(!session.is_engines_turn());
        assert_eq!(play(&mut session, "o15", 0), Err("the game is over: black wins by a row".into()));
        session.undo(s(0)).unwrap();
        assert_eq!((session.end(), session.position().moves().len()), (None, 8));
        assert!(session.undo(s(0)).is_err(), "the moves that were given stay");
        assert_eq!(End::Rule(Outcome::Draw(Draw::FullBoard)).winner(), None);
    }

    #[test]
    fn undo_returns_to_the_persons_turn() {
        let mut session = session("", None);
        for name in ["h8", "h9", "i9"] {
            play(&mut session, name, 0).unwrap();
        }
        session.undo(s(0)).unwrap();
        assert_eq!(notation::moves::print(session.position().moves()), "h8h9");
        session.undo(s(0)).unwrap();
        assert_eq!(session.position().moves().len(), 0);
        assert!(session.undo(s(0)).is_err());
        let mut second = Session::new(RuleKind::Renju, Position::new(Size::S15), Color::White, None, s(0));
        assert!(second.is_engines_turn());
        play(&mut second, "h8", 0).unwrap();
        assert!(second.undo(s(0)).is_err(), "the engine's first move is not the person's");
    }

    #[test]
    fn clocks_run_and_go_back() {
        let mut session = session("", Some(GameClock { left: [s(10), s(10)], increment: s(1) }));
        assert_eq!(session.clock(s(3)).unwrap().left, [s(7), s(10)]);
        play(&mut session, "h8", 4).unwrap();
        assert_eq!(session.clock(s(6)).unwrap().left, [s(7), s(8)]);
        play(&mut session, "h9", 6).unwrap();
        session.undo(s(20)).unwrap();
        assert_eq!(session.clock(s(21)).unwrap().left, [s(9), s(10)]);
        session.tick(s(29));
        assert_eq!(session.end(), None);
        session.tick(s(30));
        assert_eq!(session.end(), Some(End::Time(Color::Black)));
        assert_eq!(session.end().unwrap().to_string(), "white wins: black's time is up");
    }

    #[test]
    fn the_record_says_who_won_and_how_long_moves_took() {
        let mut session = session("h8h9", None);
        play(&mut session, "i9", 2).unwrap();
        session.resign();
        let bytes = session.file("game.sgf", "kagetsu").unwrap();
        let games = Format::Sgf.read(&bytes, &Default::default()).unwrap();
        assert_eq!(games[0], session.record("kagetsu"));
        assert_eq!(
            (games[0].result, games[0].property("PB")),
            (Some(GameResult::Win(Color::White)), Some("human"))
        );
        let last = games[0].tree.main_line().last().unwrap();
        assert_eq!(games[0].tree.notes(last).collect::<Vec<_>>(), [Note::Time(2000)]);
        assert!(session.file("game", "kagetsu").is_err());
    }
}
