//! A game between a person and the engine, or between two people: an opening by a regulation if there is one, the moves,
//! whose turn it is, the clocks, offers of a draw, the end. Knows neither terminal nor engine; time comes in as readings of
//! a clock. [`super::save`] makes a game file of it.

use std::fmt;
use std::time::Duration;

use crate::timing::{Reading, SideClock, Timing};
use crate::words;
use kagetsu::game::regulation::{Action, Opening, Refusal, Regulation, Seat};
use kagetsu::game::{Board, Color, Draw, Endings, Move, Outcome, Point, Position, Rule, RuleKind};
use kagetsu::with_rule;

/// Reason of a game's end.
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

/// Terms of a game: rule, clocks, ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The rule.
    pub rule: RuleKind,
    /// Ends of the game besides a row, a foul and a full board.
    pub endings: Endings,
    /// The time of each side, if there are clocks.
    pub timing: Option<Timing>,
}

impl Terms {
    /// A game under a rule with its plain ends and no clocks.
    pub fn of(rule: RuleKind) -> Terms {
        Terms { rule, endings: kagetsu::game::EndSet::Plain.endings(rule), timing: None }
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
    /// The clocks of Black and White.
    clocks: Option<[SideClock; 2]>,
    turns: Vec<Turn>,
    /// The side that has offered a draw, until that is answered.
    offer: Option<Color>,
    /// For each side the number of turns at its last offer: it may offer again once it has done something.
    offered_at: [Option<usize>; 2],
    /// When the side to move began to think.
    since: Duration,
    end: Option<End>,
    /// When the game ended, and the clocks stopped.
    ended: Option<Duration>,
}

/// A turn, with the game as it was before.
#[derive(Clone)]
pub struct Turn {
    /// The action.
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
    clocks: Option<[SideClock; 2]>,
}

impl Session {
    /// A game from a position, at the time `now`.
    pub fn new(terms: Terms, position: Position, human: Color, now: Duration) -> Session {
        let Terms { rule, endings, timing } = terms;
        let mut session = Session {
            rule,
            endings,
            position,
            opening: None,
            human,
            two: false,
            clocks: timing.map(|timing| [SideClock::new(timing); 2]),
            turns: Vec::new(),
            offer: None,
            offered_at: [None; 2],
            since: now,
            end: None,
            ended: None,
        };
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

    /// Returns the turns so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The person's side; in an opening the one held so far.
    pub fn human(&self) -> Color {
        self.human
    }

    /// Returns how the game ended.
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

    /// The time of each side at the start, if there are clocks; both have the same.
    pub fn timing(&self) -> Option<&Timing> {
        self.clocks.as_ref().map(|[black, _]| black.timing())
    }

    /// Returns the clocks of both sides at the time `now`.
    pub fn clock(&self, now: Duration) -> Option<[Reading; 2]> {
        let clocks = self.clocks?;
        let used = self.ended.unwrap_or(now).saturating_sub(self.since);
        let of = |color| if color == self.actor() { used } else { Duration::ZERO };
        Some(Color::BOTH.map(|color| clocks[color.index()].read(of(color))))
    }

    /// Ends the game if the side to act has no time left.
    pub fn tick(&mut self, now: Duration) {
        let side = self.actor();
        if self.clock(now).is_some_and(|clock| clock[side.index()].is_out) {
            self.finish(End::Time(side), now);
        }
    }

    /// Ends the game, unless it is over; the clocks stand still from then on.
    fn finish(&mut self, end: End, now: Duration) {
        if self.end.is_none() {
            (self.end, self.ended) = (Some(end), Some(now));
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
            clocks: self.clocks,
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
        // Who plays on refuses an offer.
        self.offer = None;
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
                Some(stones) => {
                    format!("nobody may pass with fewer than {} on the board", words::count(stones, "stone"))
                }
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
    /// they hold; a move is counted when the turn passes to the other one.
    fn charge(&mut self, turn: &Turn) {
        let passes = (self.actor() == self.human) != turn.by_human;
        let side = if turn.by_human { self.human } else { !self.human };
        if let Some(clocks) = &mut self.clocks {
            if self.human != turn.human {
                clocks.swap(0, 1);
            }
            let own = &mut clocks[side.index()];
            own.charge(turn.used);
            if passes {
                own.count_move();
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
        self.clocks = turn.clocks;
        self.since = now;
        (self.end, self.ended) = (None, None);
        self.offer = None;
        self.offered_at = [None; 2];
        Ok(())
    }

    /// The side that has offered a draw.
    pub fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// The person offers a draw; of two people, the one whose turn it is.
    ///
    /// # Errors
    /// Why that cannot be.
    pub fn offer_draw(&mut self) -> Result<(), String> {
        let side = if self.two { self.actor() } else { self.human };
        self.may_offer(side)?;
        self.offer_by(side);
        Ok(())
    }

    /// The engine offers a draw, where that can be.
    pub fn offer_by_engine(&mut self) {
        if self.may_offer(!self.human).is_ok() {
            self.offer_by(!self.human);
        }
    }

    fn offer_by(&mut self, side: Color) {
        self.offer = Some(side);
        self.offered_at[side.index()] = Some(self.turns.len());
    }

    fn may_offer(&self, side: Color) -> Result<(), String> {
        if let Some(end) = self.end {
            return Err(format!("the game is over: {end}"));
        }
        if !self.endings.agreement {
            return Err("nobody may offer a draw in this game: --agreement or --ends rif allows it".into());
        }
        if self.opening().is_some() {
            return Err("the opening is not over: no draw can be offered".into());
        }
        if self.offer.is_some() {
            return Err("a draw is offered already: accept or refuse".into());
        }
        // Each turn is of one side; since its offer it has had one if two have passed.
        match self.offered_at[side.index()] {
            Some(turns) if self.turns.len() < turns + 2 => {
                Err("your offer was refused: you may offer again after your next move".into())
            }
            _ => Ok(()),
        }
    }

    /// Accepts or refuses the offer of a draw.
    ///
    /// # Errors
    /// If no draw was offered.
    pub fn answer_offer(&mut self, accepts: bool, now: Duration) -> Result<(), String> {
        self.offer.take().ok_or("nobody has offered a draw")?;
        if accepts {
            self.finish(End::Rule(Outcome::Draw(Draw::Agreement)), now);
        }
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
        if let Some(outcome) = outcome {
            (self.end, self.ended) = (Some(End::Rule(outcome)), Some(self.since));
        }
    }
}

/// Returns the text of a refusal for the person.
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

    /// So much time for the game, and a second after each move.
    fn timing(seconds: u64) -> Option<Timing> {
        Some(Timing { main: s(seconds), increment: s(1), ..Timing::default() })
    }

    /// Returns the time left for both sides.
    fn left(session: &Session, now: u64) -> [Duration; 2] {
        session.clock(s(now)).unwrap().map(|reading| reading.main)
    }

    fn session(position: &str, timing: Option<Timing>) -> Session {
        let position = notation::parse(position, Some(Size::S15)).unwrap();
        Session::new(Terms { timing, ..Terms::of(RuleKind::Renju) }, position, Color::Black, s(0))
    }

    fn play(session: &mut Session, action: &str, now: u64) -> Result<(), String> {
        session.act(&Action::parse(action, Size::S15).unwrap(), s(now))
    }

    fn choosing(regulation: &str, human: Color, timing: Option<Timing>) -> Session {
        let opening = regulation.parse::<Regulation>().unwrap().start(Size::S15).unwrap();
        Session::with_opening(Terms { timing, ..Terms::of(RuleKind::Renju) }, opening, human, s(0))
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
        let mut session = session("", timing(10));
        assert_eq!(left(&session, 3), [s(7), s(10)]);
        play(&mut session, "h8", 4).unwrap();
        assert_eq!(left(&session, 6), [s(7), s(8)]);
        play(&mut session, "h9", 6).unwrap();
        session.undo(s(20)).unwrap();
        assert_eq!(left(&session, 21), [s(9), s(10)]);
        session.tick(s(29));
        assert_eq!(session.end(), None);
        session.tick(s(30));
        assert_eq!(session.end(), Some(End::Time(Color::Black)));
        assert_eq!(session.end().unwrap().to_string(), "white wins: black's time is up");
    }

    #[test]
    fn clocks_stand_still_at_the_end() {
        let mut session = session("", timing(10));
        play(&mut session, "h8", 4).unwrap();
        play(&mut session, "h9", 6).unwrap();
        session.tick(s(13));
        assert_eq!(session.end(), Some(End::Time(Color::Black)));
        assert_eq!(left(&session, 60), [s(0), s(9)]);
        session.undo(s(60)).unwrap();
        assert_eq!(left(&session, 61), [s(9), s(10)]);
        session.resign(s(64));
        assert_eq!(left(&session, 90), [s(6), s(10)]);
    }

    #[test]
    fn two_people_play_undo_and_resign_in_turn() {
        let mut session = session("", timing(10)).for_two();
        for (p, now) in [("h8", 4), ("h9", 6), ("i9", 7)] {
            assert!(!session.is_engines_turn());
            play(&mut session, p, now).unwrap();
        }
        assert_eq!(left(&session, 7), [s(7), s(9)]);
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
        let mut session = choosing("swap2", Color::White, timing(100));
        play(&mut session, "h8 h9 a1", 10).unwrap();
        assert_eq!(left(&session, 15), [s(91), s(95)]);
        play(&mut session, "swap", 15).unwrap();
        // The person is Black now and has used 5 s; the engine is to move.
        assert_eq!((session.human(), session.actor()), (Color::Black, Color::White));
        assert_eq!(left(&session, 18), [s(96), s(88)]);
        session.undo(s(20)).unwrap();
        assert_eq!(left(&session, 20), [s(91), s(100)]);
        // Who keeps is still to act, and gets no time for it; who puts two stones hands the choice over.
        play(&mut session, "a15 o15", 22).unwrap();
        assert_eq!((session.human(), session.actor()), (Color::Black, Color::White));
        assert_eq!(left(&session, 22), [s(99), s(91)]);
        let mut keeps = choosing("swap", Color::White, timing(50));
        play(&mut keeps, "h8 h9 a1", 10).unwrap();
        play(&mut keeps, "keep", 12).unwrap();
        assert_eq!(left(&keeps, 12), [s(41), s(48)]);
        keeps.tick(s(60));
        assert_eq!(keeps.end(), Some(End::Time(Color::White)));
    }
    #[test]
    fn controls_and_byoyomi_run_for_each_side() {
        let timing = Timing {
            main: s(10),
            control: "2/20s".parse().ok(),
            byoyomi: "2x5s".parse().ok(),
            ..Timing::default()
        };
        let mut session = session("", Some(timing)).for_two();
        play(&mut session, "h8", 8).unwrap();
        play(&mut session, "h9", 8).unwrap();
        let black = session.clock(s(12)).unwrap()[0];
        assert_eq!(
            (black.is_byoyomi(), black.in_hand, black.periods, black.to_control),
            (true, s(3), 2, Some(1))
        );
        play(&mut session, "i9", 16).unwrap();
        assert_eq!(left(&session, 16), [s(20), s(10)], "the control; one period is gone");
        play(&mut session, "i10", 16).unwrap();
        assert_eq!(session.clock(s(16)).unwrap()[0].periods, 1);
        session.tick(s(40));
        assert_eq!(session.end(), None);
        session.undo(s(40)).unwrap();
        session.undo(s(40)).unwrap();
        assert_eq!(session.clock(s(40)).unwrap()[0].periods, 2, "the clocks go back");
        session.tick(s(52));
        assert_eq!(session.end(), Some(End::Time(Color::Black)));
    }

    #[test]
    fn draws_are_offered_accepted_and_refused() {
        let endings = Endings { agreement: true, ..Endings::default() };
        let terms = Terms { endings, ..Terms::of(RuleKind::Renju) };
        let mut session = Session::new(terms, Position::new(Size::S15), Color::Black, s(0));
        assert!(session.answer_offer(true, s(0)).is_err(), "nobody has offered");
        session.offer_draw().unwrap();
        assert_eq!(session.offer(), Some(Color::Black));
        assert!(session.offer_draw().is_err());
        session.answer_offer(false, s(0)).unwrap();
        assert!(session.offer_draw().unwrap_err().contains("after your next move"));
        play(&mut session, "h8", 0).unwrap();
        play(&mut session, "h9", 0).unwrap();
        session.offer_by_engine();
        assert_eq!(session.offer(), Some(Color::White));
        play(&mut session, "i9", 0).unwrap();
        assert_eq!((session.offer(), session.end()), (None, None), "who plays on refuses");
        play(&mut session, "i8", 0).unwrap();
        session.offer_draw().unwrap();
        session.answer_offer(true, s(0)).unwrap();
        assert_eq!(session.end(), Some(End::Rule(Outcome::Draw(Draw::Agreement))));
        session.undo(s(0)).unwrap();
        assert_eq!((session.end(), session.offer()), (None, None));
        let mut plain =
            Session::new(Terms::of(RuleKind::Renju), Position::new(Size::S15), Color::Black, s(0));
        assert!(plain.offer_draw().unwrap_err().contains("--agreement"));
        let opening = "rif".parse::<Regulation>().unwrap().start(Size::S15).unwrap();
        let mut opened = Session::with_opening(terms, opening, Color::Black, s(0));
        assert!(opened.offer_draw().unwrap_err().contains("the opening is not over"));
    }
}
