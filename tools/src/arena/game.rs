//! One game: two players, a referee, two clocks, from the opening to the reason for the end.

use serde::{Deserialize, Serialize};

use super::fault::{Fault, FaultKind, Stop};
use super::negotiation::{Negotiated, Negotiation};
use super::pause::Halt;
use super::player::{Answer, Player};
use super::record::{End, MoveRecord, OpeningRecord};
use super::referee::{Referee, Ruling};
use super::reply::MATE;
use super::request::Ask;
use super::time::GameClock;
use crate::limits::MOVES;
use kagetsu::game::notation::moves;
use kagetsu::game::quote::quoted;
use kagetsu::game::regulation::{Chooser, Opening, Regulation};
use kagetsu::game::{Color, Draw, Endings, Move, Outcome, Position, RuleKind, status};
use kagetsu::invalid::Invalid;

/// Ends a game by the engines' scores. Everything is off by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// Resignation: an engine loses that has reported a score of minus this or lower for the given number of its moves
    /// in a row.
    pub resign: Option<ScoreRule>,
    /// Draw by score: when both engines have reported scores no further from zero than this for the given number of
    /// moves each in a row.
    pub draw_score: Option<ScoreRule>,
}

/// A score and for how many moves of a side it must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScoreRule {
    /// Distance from zero.
    pub score: i32,
    /// Moves in a row.
    pub moves: usize,
}

impl ScoreRule {
    /// Returns whether the rule can end a game.
    pub fn is_possible(self) -> bool {
        self.score >= 0 && (1..=MOVES).contains(&self.moves)
    }

    /// Returns whether a score is not a proof and no further from zero than this one.
    fn is_near_zero(self, score: i32) -> bool {
        // An engine may report any number, even `i32::MIN`, which has no positive counterpart.
        i64::from(score).abs() <= i64::from(self.score.min(MATE - 1001))
    }
}

/// `SCORE:MOVES`, as in `500:3`.
impl std::str::FromStr for ScoreRule {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<ScoreRule, Invalid> {
        let rule = s.split_once(':').and_then(|(score, moves)| {
            Some(ScoreRule { score: score.parse().ok()?, moves: moves.parse().ok()? })
        });
        rule.filter(|rule| rule.is_possible()).ok_or_else(|| {
            format!("{}: expected SCORE:MOVES, as 500:3, with 1 to {MOVES} moves", quoted(s)).into()
        })
    }
}

/// The terms of a game.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The rule.
    pub rule: RuleKind,
    /// Ends besides a row, a foul and a full board.
    pub endings: Endings,
    /// The regulation by which the engines play the opening themselves.
    pub regulation: Option<Regulation>,
    /// Early ends.
    pub adjudication: Adjudication,
    /// Whether an engine is frozen while it is not its turn, as the Gomocup judge does.
    pub suspend: bool,
    /// Whether every request is a whole BOARD instead of a TURN.
    pub send_board: bool,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Index of the player who had Black: 0, or 1 after a swap.
    pub black: usize,
    /// Record of the opening, if a regulation asked for one.
    pub regulation: Option<OpeningRecord>,
    /// The position after the opening.
    pub start: Position,
    /// The moves after the opening.
    pub moves: Vec<MoveRecord>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Reason of the end.
    pub end: End,
    /// More about the end, for people.
    pub detail: String,
}

/// Plays a game. `players` are Black and White at its start; `fallback` decides about its opening when an
/// engine cannot be asked. Returns `None` if the game had to stop before its end.
///
/// # Errors
/// If the system cannot start an engine's process again.
///
/// # Panics
/// If the opening is impossible or no regulation can be played on the board; both are checked when they are read.
pub fn play(
    players: [&mut Player; 2],
    opening: &Position,
    terms: &Terms,
    fallback: Option<&mut dyn Chooser>,
    halt: Halt<'_>,
) -> anyhow::Result<Option<Finished>> {
    let referee = Referee::new(terms.rule, opening.clone(), terms.endings)
        .expect("openings are checked when they are read");
    let clocks = [0, 1].map(|i: usize| GameClock::new(players[i].contestant().time));
    let mut game = Game {
        players,
        black: 0,
        regulation: None,
        start: opening.clone(),
        referee,
        clocks,
        terms,
        halt,
        moves: Vec::new(),
        asked: [false; 2],
        not_started: None,
    };
    let finished = game.play(fallback);
    match game.not_started {
        Some(error) => Err(anyhow::Error::msg(error)),
        None => Ok(finished),
    }
}

struct Game<'a> {
    /// Black and White.
    players: [&'a mut Player; 2],
    /// Index of the player who had Black at the start.
    black: usize,
    regulation: Option<OpeningRecord>,
    start: Position,
    referee: Referee,
    clocks: [GameClock; 2],
    terms: &'a Terms,
    halt: Halt<'a>,
    moves: Vec<MoveRecord>,
    /// Whether the side has been given the position already.
    asked: [bool; 2],
    /// The engine whose process could not be started again, and why.
    not_started: Option<String>,
}

impl Game<'_> {
    /// Plays the game. Returns `None` if it had to stop before its end.
    fn play(&mut self, fallback: Option<&mut dyn Chooser>) -> Option<Finished> {
        let (terms, size) = (self.terms, self.start.size());
        // Both dialogues are cleared before anything is sent: if the first engine fails, the other never hears of the game.
        self.players.iter_mut().for_each(|player| player.forget());
        for color in Color::BOTH {
            match self.players[color.index()].new_game(size, terms.rule, self.halt) {
                Ok(()) if terms.suspend => self.players[color.index()].suspend(),
                Ok(()) => {}
                Err(stop) => return self.stopped(color, stop),
            }
        }
        if let Some(regulation) = terms.regulation {
            let start = regulation.start(size).expect("regulations are checked when they are read");
            if let Some(finished) = self.open(start, fallback) {
                return finished;
            }
        }
        loop {
            if let Some(finished) = self.turn() {
                return finished;
            }
        }
    }

    /// Plays the opening by a regulation. Returns a result only if an engine failed, the stones of the opening
    /// end the game, or the game had to stop; the result is `None` if the game had to stop.
    fn open(&mut self, start: Opening, fallback: Option<&mut dyn Chooser>) -> Option<Option<Finished>> {
        let opener = self.players[0].contestant().name.clone();
        let negotiation = Negotiation {
            players: &mut self.players,
            clocks: &mut self.clocks,
            fallback,
            suspend: self.terms.suspend,
            halt: self.halt,
        };
        let Negotiated { opening, after, decisions, stop } = negotiation.play(start);
        let last = decisions.last().map(|decision| decision.engine.clone());
        self.regulation = Some(OpeningRecord {
            rule: opening.regulation().to_string(),
            opener,
            chooser: last.filter(|_| opening.is_over()),
            decisions,
        });
        self.start = opening.position().clone();
        if let Some(p) = after {
            self.start.push(Move::Place(p)).expect("it is free");
        }
        self.referee = Referee::new(self.terms.rule, self.start.clone(), self.terms.endings)
            .expect("its stones are on points apart");
        self.black = opening.holder(Color::Black).index();
        if self.black == 1 {
            self.players.swap(0, 1);
            self.clocks.swap(0, 1);
        }
        match stop {
            Some(stop) => Some(self.stopped(opening.color_of(opening.seat()), stop)),
            None => self.ended_by_opening().map(Some),
        }
    }

    /// Returns the end of a game that is over after its opening: by some regulations the players may add stones until
    /// there is a row.
    fn ended_by_opening(&mut self) -> Option<Finished> {
        let outcome = status::outcome(&self.start, self.terms.rule, &self.terms.endings).ok().flatten()?;
        let (end, detail) = match outcome {
            Outcome::Row(_) => (End::Five, String::new()),
            Outcome::Foul(kinds) => (End::Foul, kinds.to_string()),
            Outcome::Draw(draw) => (drawn(draw), String::new()),
        };
        Some(self.finished(outcome.winner(), end, detail))
    }

    /// Plays one move. Returns the result when the game is over, which is `None` if the game had to stop.
    fn turn(&mut self) -> Option<Option<Finished>> {
        let side = self.referee.side();
        let i = side.index();
        let last = self.referee.position().moves().last().and_then(|m: &Move| m.point());
        let ask = match last {
            Some(p) if self.asked[i] && !self.terms.send_board => Ask::Turn(p),
            _ => Ask::Position(self.referee.position()),
        };
        self.asked[i] = true;
        let answer = match self.players[i].think(ask, &self.clocks[i], self.halt) {
            Ok(answer) => answer,
            Err(stop) => return Some(self.stopped(side, stop)),
        };
        if self.terms.suspend {
            self.players[i].suspend();
        }
        self.clocks[i].charge(answer.elapsed);
        let (ruling, made) = self.referee.play(answer.coordinates);
        if let Some(m) = made.filter(|_| ruling != Ruling::Illegal) {
            self.record(m, &answer);
        }
        let (winner, end, detail) = match ruling {
            Ruling::Goes => return self.adjudicate(side).map(Some),
            Ruling::Wins => (Some(side), End::Five, String::new()),
            Ruling::Foul(kinds) => (Some(!side), End::Foul, kinds.to_string()),
            Ruling::Drawn(draw) => (None, drawn(draw), String::new()),
            Ruling::Illegal => return Some(self.stopped(side, illegal(&answer, made).into())),
        };
        Some(Some(self.finished(winner, end, detail)))
    }

    fn record(&mut self, made: Move, answer: &Answer) {
        self.moves.push(MoveRecord {
            point: moves::print(&[made]),
            ms: answer.elapsed.as_millis() as u64,
            score: answer.thinking.score,
            depth: answer.thinking.depth,
        });
    }

    /// Ends the game by scores, if the terms say so. `side` has just moved.
    fn adjudicate(&mut self, side: Color) -> Option<Finished> {
        let rules = self.terms.adjudication;
        let scores = |every: usize| self.moves.iter().rev().step_by(every).map(|m| m.score);
        let holds = |rule: ScoreRule, every, count, test: &dyn Fn(i32) -> bool| {
            scores(every).take(count).filter(|s| s.is_some_and(test)).count() == count && rule.moves > 0
        };
        if let Some(rule) = rules.resign
            && holds(rule, 2, rule.moves, &|s| s <= -rule.score)
        {
            return Some(self.finished(Some(!side), End::Resigned, String::new()));
        }
        if let Some(rule) = rules.draw_score
            && holds(rule, 1, rule.moves.saturating_mul(2), &|s| rule.is_near_zero(s))
        {
            return Some(self.finished(None, End::DrawScore, String::new()));
        }
        None
    }

    /// Returns the end of a game in which a player failed, or `None` if the game had to stop.
    fn stopped(&mut self, side: Color, stop: Stop) -> Option<Finished> {
        match stop {
            Stop::Aborted => None,
            Stop::NotStarted(error) => {
                self.not_started = Some(error);
                None
            }
            Stop::Fault(Fault { kind, detail }) => Some(self.finished(Some(!side), End::Fault(kind), detail)),
        }
    }

    fn finished(&mut self, winner: Option<Color>, end: End, detail: String) -> Finished {
        Finished {
            black: self.black,
            regulation: self.regulation.take(),
            start: self.start.clone(),
            moves: std::mem::take(&mut self.moves),
            winner,
            end,
            detail,
        }
    }
}

/// Returns the end that a record states for a draw.
fn drawn(draw: Draw) -> End {
    match draw {
        Draw::FullBoard => End::Full,
        Draw::NoRow => End::NoRow,
        Draw::OnlyFouls => End::OnlyFouls,
        Draw::TwoPasses => End::TwoPasses,
        Draw::MoveLimit => End::DrawLength,
        Draw::StoneLimit => End::StoneLimit,
        Draw::Agreement => End::Agreement,
    }
}

fn illegal(answer: &Answer, made: Option<Move>) -> Fault {
    let (x, y) = answer.coordinates;
    let detail = match made {
        Some(Move::Place(p)) => format!("{x},{y} ({p}) is occupied"),
        Some(Move::Pass) => format!("{x},{y} is a pass, and none is allowed here"),
        None => format!("{x},{y} is off the board"),
    };
    Fault::new(FaultKind::IllegalMove, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_rules_are_read() {
        assert_eq!("500:3".parse(), Ok(ScoreRule { score: 500, moves: 3 }));
        for bad in ["500", "500:0", "500:1001", "10:9223372036854775808", "-1:3", "a:b", ""] {
            assert!(bad.parse::<ScoreRule>().is_err(), "{bad}");
        }
    }

    #[test]
    fn scores_of_any_size_are_compared() {
        let rule = ScoreRule { score: 50, moves: 1 };
        for (score, near) in [(0, true), (-50, true), (51, false), (i32::MAX, false), (i32::MIN, false)] {
            assert_eq!(rule.is_near_zero(score), near, "{score}");
        }
        assert!(!ScoreRule { score: i32::MAX, moves: 1 }.is_near_zero(5 - MATE), "a proven loss");
    }
}
