//! A game between a person and the engine, or between two people: an opening by a regulation if there is one, the moves,
//! whose turn it is, the clocks, offers of a draw, the end. Knows neither terminal nor engine; time comes in as readings of
//! a clock. [`super::save`] makes a game file of it.

use std::fmt;
use std::time::Duration;

use crate::timing::{Reading, SideClock, Timing};
use crate::words;
use kagetsu::game::regulation::{Action, Opening, Refusal, Regulation, Seat};
use kagetsu::game::{Board, Color, Draw, Endings, Move, Outcome, Point, Position, Rule, RuleKind};
use kagetsu::invalid::Invalid;
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
#[derive(Clone, Debug)]
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
    /// Number of turns at each side's last offer: a side may offer again once it has made a turn.
    offered_at: [Option<usize>; 2],
    /// Time at which the side to move began to think.
    since: Duration,
    end: Option<End>,
    /// Time at which the game ended and the clocks stopped.
    ended: Option<Duration>,
}

/// A turn, with the game as it was before.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The action.
    pub action: Action,
    /// Whether the person did it. With two people, whether the one who was there first did it.
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

    /// Returns whether two people play, and not the engine.
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

    /// Returns the side that acts and whose clock runs. It is the side to move, except when White chooses among the
    /// offered fifth stones.
    pub fn actor(&self) -> Color {
        self.opening().map_or(self.position.side(), |opening| opening.color_of(opening.seat()))
    }

    /// Returns whether it is the engine's turn.
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

    /// Ends the game, unless it is over; the clocks stand still from then on, and an offer of a draw is void.
    fn finish(&mut self, end: End, now: Duration) {
        if self.end.is_none() {
            (self.end, self.ended) = (Some(end), Some(now));
            self.offer = None;
        }
    }

    /// A step of the opening, or a stone of the side to move.
    ///
    /// # Errors
    /// Why it cannot be done; the game is then as before.
    pub fn act(&mut self, action: &Action, now: Duration) -> Result<(), Invalid> {
        self.tick(now);
        if let Some(end) = self.end {
            return Err(format!("the game is over: {end}").into());
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
        // Making a move declines a pending draw offer.
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

    /// Returns whether the side to move may pass.
    pub fn may_pass(&self) -> bool {
        let allowed =
            || with_rule!(self.rule, R => self.board::<R>().is_some_and(|b| b.may_pass(&self.endings)));
        self.end.is_none() && self.opening().is_none() && allowed()
    }

    /// Returns whether Black is to move and has fouls only.
    pub fn has_only_fouls(&self) -> bool {
        with_rule!(self.rule, R => self.board::<R>().is_some_and(|b| b.has_only_fouls()))
    }

    /// Returns the ends of the game besides a row, a foul and a full board.
    pub fn endings(&self) -> &Endings {
        &self.endings
    }

    /// The board of the position, which always exists: a position checks its points itself.
    fn board<R: Rule>(&self) -> Option<Board<R>> {
        Board::from_position(&self.position).ok()
    }

    /// Charges the time of a turn just done to the clock of the player who did it. Clocks belong to the
    /// players, whatever colours they hold; a move is counted when the turn passes to the other player.
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

    /// Takes back the person's last turn and all turns after it; with two people, the last turn of either.
    /// The clocks go back too.
    ///
    /// # Errors
    /// If the person has no turn to take back.
    pub fn undo(&mut self, now: Duration) -> Result<(), Invalid> {
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

    /// Offers a draw for the person; with two people, for the one whose turn it is.
    ///
    /// # Errors
    /// Why no draw can be offered now.
    pub fn offer_draw(&mut self) -> Result<(), Invalid> {
        let side = if self.two { self.actor() } else { self.human };
        self.may_offer(side)?;
        self.offer_by(side);
        Ok(())
    }

    /// Offers a draw for the engine, if an offer is allowed now.
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
        // Turns alternate: if two turns have passed since its offer, the side has had one.
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
    /// If no draw was offered, or the game is over.
    pub fn answer_offer(&mut self, accepts: bool, now: Duration) -> Result<(), Invalid> {
        if let Some(end) = self.end {
            return Err(format!("the game is over: {end}").into());
        }
        self.offer.take().ok_or("nobody has offered a draw")?;
        if accepts {
            self.finish(End::Rule(Outcome::Draw(Draw::Agreement)), now);
        }
        Ok(())
    }

    /// Resigns for the person; with two people, for the one whose turn it is.
    pub fn resign(&mut self, now: Duration) {
        let side = if self.two { self.actor() } else { self.human };
        self.finish(End::Resigned(side), now);
    }

    /// The engine gives up.
    pub fn resign_engine(&mut self, now: Duration) {
        self.finish(End::Resigned(!self.human), now);
    }

    /// Checks whether the game is over by the rule. The rule does not apply before the end of the opening.
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
    // If all free points are fouls and passing is not allowed, a foul may be played.
    let is_forced = board.has_only_fouls() && !board.may_pass(endings);
    if board.is_foul(p, board.side()) && !is_forced {
        return Err(format!("{p} is a foul for black ({})", board.foul_kinds(p)));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
