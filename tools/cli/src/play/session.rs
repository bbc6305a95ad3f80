//! A game between a person and the engine, or between two people: an opening by a regulation if there is one, the moves, whose turn it is, the
//! clocks, the end. Knows neither terminal nor engine; time comes in as readings of a clock. [`super::record`] makes a
//! game file of it.

use std::fmt;
use std::time::Duration;

use kagetsu::game::regulation::{Action, Opening, Refusal, Regulation, Seat};
use kagetsu::game::{Board, Color, Endings, Move, Outcome, Point, Position, Rule, RuleKind};
use kagetsu::with_rule;

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
    /// The side that has won.
    pub fn winner(self) -> Option<Color> {
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

/// What a game is played by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The rule.
    pub rule: RuleKind,
    /// Ends of the game besides a row, a foul and a full board.
    pub endings: Endings,
    /// The clocks, if there are any.
    pub clock: Option<GameClock>,
}

impl Terms {
    /// A game under a rule with its plain ends and no clocks.
    #[cfg(test)]
    pub fn of(rule: RuleKind) -> Terms {
        Terms { rule, endings: kagetsu::game::EndSet::Plain.endings(rule), clock: None }
    }
}

/// One game.
pub struct Session {
    rule: RuleKind,
    endings: Endings,
    position: Position,
    /// The opening, kept when it is over, and where the person sits in it.
    opening: Option<(Opening, Seat)>,
    human: Color,
    /// Whether a second person sits where the engine would.
    two: bool,
    clock: Option<GameClock>,
    turns: Vec<Turn>,
    /// When the side to move began to think.
    since: Duration,
    end: Option<End>,
}

/// What somebody did, and the game as it was before.
#[derive(Clone)]
pub struct Turn {
    /// What was done.
    pub action: Action,
    /// Whether the person did it; of two people, the one who was there first.
    pub by_human: bool,
    /// The time it took.
    pub used: Duration,
    /// Moves before it.
    pub moves: usize,
    /// The opening before it, unless that was over.
    pub opening: Option<Opening>,
    human: Color,
    clock: Option<GameClock>,
}

impl Session {
    /// A game from a position, at the time `now`.
    pub fn new(terms: Terms, position: Position, human: Color, now: Duration) -> Session {
        let Terms { rule, endings, clock } = terms;
        let (opening, turns, since, end) = (None, Vec::new(), now, None);
        let two = false;
        let mut session = Session { rule, endings, position, opening, human, two, clock, turns, since, end };
        session.look();
        session
    }

    /// A game that begins with an opening, in which the person holds this colour at first.
    pub fn with_opening(terms: Terms, opening: Opening, human: Color, now: Duration) -> Session {
        let mut session = Session::new(terms, opening.position().clone(), human, now);
        let seat = opening.holder(human);
        session.opening = Some((opening, seat));
        session
    }

    /// The same game with a second person in the engine's place.
    pub fn for_two(mut self) -> Session {
        self.two = true;
        self
    }

    /// Whether two people play, and not the engine.
    pub fn is_for_two(&self) -> bool {
        self.two
    }

    /// The rule.
    pub fn rule(&self) -> RuleKind {
        self.rule
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The opening as long as it is not over.
    pub fn opening(&self) -> Option<&Opening> {
        self.opening.as_ref().map(|(opening, _)| opening).filter(|opening| !opening.is_over())
    }

    /// The regulation of the opening, and the points that were offered for the fifth stone.
    pub fn regulation(&self) -> Option<(Regulation, &[Point])> {
        self.opening.as_ref().map(|(opening, _)| (opening.regulation(), opening.offered()))
    }

    /// What was done so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The person's side; in an opening the one held so far.
    pub fn human(&self) -> Color {
        self.human
    }

    /// How the game ended.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The side that acts and whose clock runs: the side to move, but for a choice among the fifth stones offered.
    pub fn actor(&self) -> Color {
        self.opening().map_or(self.position.side(), |opening| opening.color_of(opening.seat()))
    }

    /// Whether it is the engine's turn.
    pub fn is_engines_turn(&self) -> bool {
        self.end.is_none() && !self.two && self.actor() != self.human
    }

    /// What both sides have left at the time `now`.
    pub fn clock(&self, now: Duration) -> Option<GameClock> {
        let mut clock = self.clock?;
        if self.end.is_none() {
            let own = &mut clock.left[self.actor().index()];
            *own = own.saturating_sub(now.saturating_sub(self.since));
        }
        Some(clock)
    }

    /// Ends the game if the side to act has no time left.
    pub fn tick(&mut self, now: Duration) {
        let side = self.actor();
        if self.clock(now).is_some_and(|clock| clock.left[side.index()].is_zero()) {
            self.finish(End::Time(side), now);
        }
    }

    /// Ends the game, unless it is over; the clocks stand still from then on.
    fn finish(&mut self, end: End, now: Duration) {
        if self.end.is_none() {
            self.clock = self.clock(now);
            self.end = Some(end);
        }
    }

    /// A step of the opening, or a stone of the side to move.
    ///
    /// # Errors
    /// Why it cannot be done; the game is then as before.
    pub fn act(&mut self, action: &Action, now: Duration) -> Result<(), String> {
        self.tick(now);
        if let Some(end) = self.end {
            return Err(format!("the game is over: {end}"));
        }
        let turn = Turn {
            action: action.clone(),
            by_human: self.actor() == self.human,
            used: now.saturating_sub(self.since),
            moves: self.position.moves().len(),
            opening: self.opening().cloned(),
            human: self.human,
            clock: self.clock,
        };
        match &mut self.opening {
            Some((opening, seat)) if !opening.is_over() => {
                opening.apply(action).map_err(refused)?;
                self.position = opening.position().clone();
                self.human = opening.color_of(*seat);
            }
            _ => self.put(action)?,
        }
        self.charge(&turn);
        self.turns.push(turn);
        self.since = now;
        self.look();
        Ok(())
    }

    /// A stone or a pass after the opening.
    fn put(&mut self, action: &Action) -> Result<(), String> {
        if *action == Action::Pass {
            return self.pass();
        }
        let Action::Place { stones, declare: None } = action else {
            return Err(format!("expected a point or pass, not '{action}'"));
        };
        let [p] = stones[..] else { return Err("expected one point".into()) };
        with_rule!(self.rule, R => legal::<R>(&self.position, p, &self.endings))?;
        self.position.push(Move::Place(p)).map_err(|error| error.to_string())
    }

    fn pass(&mut self) -> Result<(), String> {
        if !self.may_pass() {
            return Err(match self.endings.passes {
                Some(stones) => format!("nobody may pass before {stones} stones are on the board"),
                None => "nobody may pass in this game".into(),
            });
        }
        self.position.push(Move::Pass).map_err(|error| error.to_string())
    }

    /// Whether the side to move may pass.
    pub fn may_pass(&self) -> bool {
        let allowed =
            || with_rule!(self.rule, R => self.board::<R>().is_some_and(|b| b.may_pass(&self.endings)));
        self.end.is_none() && self.opening().is_none() && allowed()
    }

    /// Whether Black is to move and has fouls only.
    pub fn has_only_fouls(&self) -> bool {
        with_rule!(self.rule, R => self.board::<R>().is_some_and(|b| b.has_only_fouls()))
    }

    /// Whether the last move was a pass.
    pub fn was_passed(&self) -> bool {
        self.position.moves().last() == Some(&Move::Pass)
    }

    /// The board of the position, which always exists: a position checks its points itself.
    fn board<R: Rule>(&self) -> Option<Board<R>> {
        Board::from_position(&self.position).ok()
    }

    /// Takes the time of a turn just done from the clock of whoever did it. Clocks belong to the players, whatever colours
    /// they hold; time is added when the turn passes to the other one.
    fn charge(&mut self, turn: &Turn) {
        let passes = (self.actor() == self.human) != turn.by_human;
        let side = if turn.by_human { self.human } else { !self.human };
        if let Some(clock) = &mut self.clock {
            if self.human != turn.human {
                clock.left.swap(0, 1);
            }
            let own = &mut clock.left[side.index()];
            *own = own.saturating_sub(turn.used);
            if passes {
                *own = own.saturating_add(clock.increment);
            }
        }
    }

    /// Takes back the last thing that the person did, and all that came after it; of two people, the last thing that either
    /// did. The clocks go back too.
    ///
    /// # Errors
    /// If there is nothing of the person's to take back.
    pub fn undo(&mut self, now: Duration) -> Result<(), String> {
        let last = self.turns.iter().rposition(|turn| turn.by_human || self.two);
        let turn = last.and_then(|last| self.turns.drain(last..).next());
        let Some(turn) = turn else { return Err("there is no move of yours to take back".into()) };
        self.position.truncate(turn.moves);
        if let (Some((opening, _)), Some(before)) = (&mut self.opening, turn.opening) {
            *opening = before;
        }
        self.human = turn.human;
        self.clock = turn.clock;
        self.since = now;
        self.end = None;
        Ok(())
    }

    /// The person gives up; of two people, the one whose turn it is.
    pub fn resign(&mut self, now: Duration) {
        let side = if self.two { self.actor() } else { self.human };
        self.finish(End::Resigned(side), now);
    }

    /// The engine gives up.
    pub fn resign_engine(&mut self, now: Duration) {
        self.finish(End::Resigned(!self.human), now);
    }

    /// Looks whether the game is over by the rule, which does not judge before the opening is over.
    fn look(&mut self) {
        if self.opening().is_some() {
            return;
        }
        let outcome = with_rule!(self.rule, R => self.board::<R>().and_then(|b| b.outcome(&self.endings)));
        self.end = outcome.map(End::Rule);
    }
}

/// A refusal as the person is told of it.
fn refused(refusal: Refusal) -> String {
    match refusal {
        Refusal::Kind { color, expected, found, .. } => {
            format!("as {color} so far you may {expected}; not {found}")
        }
        other => other.to_string(),
    }
}

fn legal<R: Rule>(position: &Position, p: Point, endings: &Endings) -> Result<(), String> {
    let board = Board::<R>::from_position(position).map_err(|error| error.to_string())?;
    board.check_free(p).map_err(|error| error.to_string())?;
    // Who may not pass has to move, even if it is a foul.
    let is_forced = board.has_only_fouls() && !board.may_pass(endings);
    if board.is_foul(p, board.side()) && !is_forced {
        return Err(format!("{p} is a foul for black ({})", board.foul_kinds(p)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::{Draw, Size, notation};

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn session(position: &str, clock: Option<GameClock>) -> Session {
        let position = notation::parse(position, Some(Size::S15)).unwrap();
        Session::new(Terms { clock, ..Terms::of(RuleKind::Renju) }, position, Color::Black, s(0))
    }

    fn play(session: &mut Session, action: &str, now: u64) -> Result<(), String> {
        session.act(&Action::parse(action, Size::S15).unwrap(), s(now))
    }

    fn choosing(regulation: &str, human: Color, clock: Option<GameClock>) -> Session {
        let opening = regulation.parse::<Regulation>().unwrap().start(Size::S15).unwrap();
        Session::with_opening(Terms { clock, ..Terms::of(RuleKind::Renju) }, opening, human, s(0))
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
        let mut second =
            Session::new(Terms::of(RuleKind::Renju), Position::new(Size::S15), Color::White, s(0));
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
    fn clocks_stand_still_at_the_end() {
        let mut session = session("", Some(GameClock { left: [s(10), s(10)], increment: s(1) }));
        play(&mut session, "h8", 4).unwrap();
        play(&mut session, "h9", 6).unwrap();
        session.tick(s(13));
        assert_eq!(session.end(), Some(End::Time(Color::Black)));
        assert_eq!(session.clock(s(60)).unwrap().left, [s(0), s(9)]);
        session.undo(s(60)).unwrap();
        assert_eq!(session.clock(s(61)).unwrap().left, [s(9), s(10)]);
        session.resign(s(64));
        assert_eq!(session.clock(s(90)).unwrap().left, [s(6), s(10)]);
    }

    #[test]
    fn two_people_play_undo_and_resign_in_turn() {
        let clock = GameClock { left: [s(10), s(10)], increment: s(1) };
        let mut session = session("", Some(clock)).for_two();
        for (p, now) in [("h8", 4), ("h9", 6), ("i9", 7)] {
            assert!(!session.is_engines_turn());
            play(&mut session, p, now).unwrap();
        }
        assert_eq!(session.clock(s(7)).unwrap().left, [s(7), s(9)]);
        session.undo(s(8)).unwrap();
        assert_eq!((session.position().moves().len(), session.actor()), (2, Color::Black));
        play(&mut session, "i8", 8).unwrap();
        session.resign(s(9));
        assert_eq!(session.end(), Some(End::Resigned(Color::White)));
        let mut opening = choosing("swap", Color::Black, None).for_two();
        for action in ["h8 h9 i9", "swap", "g7"] {
            play(&mut opening, action, 0).unwrap();
        }
        assert_eq!((opening.opening().is_none(), opening.position().moves().len()), (true, 4));
    }

    #[test]
    fn an_opening_leads_to_a_game() {
        let mut session = choosing("rif", Color::White, None);
        assert!(session.is_engines_turn());
        play(&mut session, "h8 h9 i9", 0).unwrap();
        assert_eq!(
            (session.human(), session.actor(), session.is_engines_turn()),
            (Color::White, Color::White, false)
        );
        let refusal = play(&mut session, "g9", 0).unwrap_err();
        assert_eq!(refusal, "as white so far you may keep, or swap; not put a stone");
        play(&mut session, "swap", 0).unwrap();
        assert_eq!((session.human(), session.is_engines_turn()), (Color::Black, true));
        play(&mut session, "g9", 0).unwrap();
        assert_eq!(
            play(&mut session, "offer g8", 0),
            Err("expected 2 points for the fifth stone, not 1".into())
        );
        play(&mut session, "offer h10 i7", 0).unwrap();
        assert_eq!(
            (session.actor(), session.is_engines_turn()),
            (Color::White, true),
            "White chooses Black's stone"
        );
        play(&mut session, "choose i7 g7", 0).unwrap();
        assert!(session.opening().is_none() && !session.is_engines_turn());
        assert_eq!(play(&mut session, "swap", 0), Err("expected a point or pass, not 'swap'".into()));
        assert_eq!(play(&mut session, "h8", 0), Err("h8 is occupied".into()));
        play(&mut session, "h10", 0).unwrap();
        assert_eq!(notation::moves::print(session.position().moves()), "h8h9i9g9i7g7h10");
    }

    #[test]
    fn undo_goes_back_into_the_opening() {
        let mut session = choosing("rif", Color::White, None);
        for action in ["h8 h9 i9", "swap", "g9", "offer h10 i7", "choose i7 g7", "h10"] {
            play(&mut session, action, 0).unwrap();
        }
        session.undo(s(0)).unwrap();
        assert!(session.opening().is_none() && session.position().moves().len() == 6);
        session.undo(s(0)).unwrap();
        assert_eq!((session.position().moves().len(), session.human()), (4, Color::Black));
        play(&mut session, "offer h10 g8", 0).unwrap();
        session.undo(s(0)).unwrap();
        session.undo(s(0)).unwrap();
        assert_eq!((session.position().moves().len(), session.human()), (3, Color::White));
        assert!(session.undo(s(0)).is_err(), "the engine's stones are not the person's");
        play(&mut session, "keep", 0).unwrap();
        assert_eq!((session.human(), session.is_engines_turn()), (Color::White, false));
    }

    #[test]
    fn clocks_stay_with_the_players_when_colours_are_exchanged() {
        let clock = GameClock { left: [s(100), s(50)], increment: s(1) };
        let mut session = choosing("swap2", Color::White, Some(clock));
        play(&mut session, "h8 h9 a1", 10).unwrap();
        assert_eq!(session.clock(s(15)).unwrap().left, [s(91), s(45)]);
        play(&mut session, "swap", 15).unwrap();
        // The person is Black now and has used 5 s; the engine is to move.
        assert_eq!((session.human(), session.actor()), (Color::Black, Color::White));
        assert_eq!(session.clock(s(18)).unwrap().left, [s(46), s(88)]);
        session.undo(s(20)).unwrap();
        assert_eq!(session.clock(s(20)).unwrap().left, [s(91), s(50)]);
        // Who keeps is still to act, and gets no time for it; who puts two stones hands the choice over.
        play(&mut session, "a15 o15", 22).unwrap();
        assert_eq!((session.human(), session.actor()), (Color::Black, Color::White));
        assert_eq!(session.clock(s(22)).unwrap().left, [s(49), s(91)]);
        let mut keeps = choosing("swap", Color::White, Some(clock));
        play(&mut keeps, "h8 h9 a1", 10).unwrap();
        play(&mut keeps, "keep", 12).unwrap();
        assert_eq!(keeps.clock(s(12)).unwrap().left, [s(91), s(48)]);
        keeps.tick(s(60));
        assert_eq!(keeps.end(), Some(End::Time(Color::White)));
    }
}
