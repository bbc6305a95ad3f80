//! The time of a game as players have it: main time, increments, control points and byo-yomi, and the clock of one side.
//! Pure: readings of a clock come from outside.

mod text;

use crate::words;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use kagetsu::invalid::Invalid;

pub use text::span;

/// The longest time that can be set. Sums of such times cannot overflow.
pub const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a time as [`span`] does.
///
/// # Errors
/// As [`span`], or if it is longer than [`LONGEST`].
pub fn duration(text: &str) -> Result<Duration, Invalid> {
    let time = span(text)?;
    if time <= LONGEST { Ok(time) } else { Err("expected at most a day".into()) }
}

/// Time of each side for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Timing {
    /// Time at the start.
    pub main: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Time added after a number of moves, again and again.
    pub control: Option<Control>,
    /// Time for each move once all other time is used up.
    pub byoyomi: Option<Byoyomi>,
}

/// A control point: after each `moves` moves of a side, `time` is added to its clock. Unused time is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Control {
    /// Moves from one control to the next.
    pub moves: u32,
    /// Time added at each.
    pub time: Duration,
}

/// Japanese byo-yomi: a move that takes less than a period costs nothing. Each whole period used is lost, and the game
/// is lost with the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Byoyomi {
    /// Number of periods.
    pub periods: u32,
    /// Length of each.
    pub time: Duration,
}

impl Timing {
    /// Returns the time of a game; `None` without main time, control points and byo-yomi. With control points alone the first
    /// one's time is given at the start, with byo-yomi alone none.
    pub fn of(
        main: Option<Duration>,
        increment: Duration,
        control: Option<Control>,
        byoyomi: Option<Byoyomi>,
    ) -> Option<Timing> {
        let main = main.or(control.map(|control| control.time)).or(byoyomi.map(|_| Duration::ZERO))?;
        Some(Timing { main, increment, control, byoyomi })
    }

    /// Returns whether all times could have been given by flags: none longer than [`LONGEST`], no control point after zero
    /// moves, no byo-yomi without time.
    pub fn is_possible(&self) -> bool {
        let is_time = |time: Duration| time <= LONGEST;
        let is_period = |time: Duration| is_time(time) && !time.is_zero();
        is_time(self.main)
            && is_time(self.increment)
            && self.control.is_none_or(|control| control.moves > 0 && is_period(control.time))
            && self.byoyomi.is_none_or(|byoyomi| byoyomi.periods > 0 && is_period(byoyomi.time))
    }

    /// The increment, control points and byo-yomi in words, as the SGF property `OT` has them; empty if there are none.
    pub fn overtime(&self) -> String {
        let mut parts = Vec::new();
        if !self.increment.is_zero() {
            parts.push(format!("{} s added after each move", self.increment.as_secs_f64()));
        }
        if let Some(Control { moves, time }) = self.control {
            parts.push(format!("{} / {} s", words::count(moves, "move"), time.as_secs_f64()));
        }
        if let Some(Byoyomi { periods, time }) = self.byoyomi {
            parts.push(format!("{periods}x{} s byo-yomi", time.as_secs_f64()));
        }
        parts.join(", ")
    }
}

/// `40/2h`.
impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.moves, humantime::format_duration(self.time))
    }
}

impl FromStr for Control {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Control, Invalid> {
        let read = |(moves, time): (&str, &str)| Some((positive(moves)?, period(time)?));
        let (moves, time) =
            s.split_once('/').and_then(read).ok_or("expected MOVES/TIME, at most a day, as 40/2h")?;
        Ok(Control { moves, time })
    }
}

/// `3x30s`.
impl fmt::Display for Byoyomi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.periods, humantime::format_duration(self.time))
    }
}

impl FromStr for Byoyomi {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Byoyomi, Invalid> {
        let (periods, time) = s.split_once('x').unwrap_or(("1", s));
        let read = positive(periods).zip(period(time));
        let (periods, time) =
            read.ok_or("expected PERIODSxTIME or a time, at most a day, as 3x30s or 30s")?;
        Ok(Byoyomi { periods, time })
    }
}

fn positive(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|&n| n > 0)
}

/// A time of at most a day: in `3y30s` the `y` would be years, but it is meant to be an `x`.
fn period(text: &str) -> Option<Duration> {
    duration(text.trim()).ok().filter(|time| !time.is_zero())
}

/// Clock of one side. It does not run by itself: the caller gives the time used when it reads the clock, and charges it
/// after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideClock {
    timing: Timing,
    /// Left before byo-yomi.
    left: Duration,
    /// Time beyond the limit that was forgiven. The next increment or control repays it first.
    debt: Duration,
    periods: u32,
    moves: u32,
}

/// Reading of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Time that may pass before a period of byo-yomi or, without one, the game is lost.
    pub in_hand: Duration,
    /// Time left before byo-yomi.
    pub main: Duration,
    /// Periods of byo-yomi left, the running one among them.
    pub periods: u32,
    /// Moves to the next control, the current one included.
    pub to_control: Option<u32>,
    /// Whether no time is left at all.
    pub is_out: bool,
}

impl Reading {
    /// Returns whether a period of byo-yomi runs.
    pub fn is_byoyomi(&self) -> bool {
        self.main.is_zero() && self.periods > 0
    }
}

impl SideClock {
    /// Returns the clock at the start of a game. A control after zero moves never comes.
    pub fn new(mut timing: Timing) -> SideClock {
        timing.control = timing.control.filter(|control| control.moves > 0);
        let periods = timing.byoyomi.map_or(0, |byoyomi| byoyomi.periods);
        SideClock { timing, left: timing.main, debt: Duration::ZERO, periods, moves: 0 }
    }

    /// The terms of the game.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    fn period(&self) -> Duration {
        self.timing.byoyomi.map_or(Duration::ZERO, |byoyomi| byoyomi.time)
    }

    /// Returns the time that a move may take before the game is lost, including `tolerance`. Tolerance that was used is
    /// missing from later moves, except in byo-yomi, in which each move has its own time.
    pub fn allowed(&self, tolerance: Duration) -> Duration {
        let all = self.left + self.period().saturating_mul(self.periods) + tolerance;
        all.saturating_sub(self.debt)
    }

    /// Returns the periods lost by a move that takes `used`, and the time used of the current period.
    fn in_byoyomi(&self, used: Duration) -> (u32, Duration) {
        let over = used.saturating_sub(self.left);
        let period = self.period().as_nanos().max(1);
        let lost = u32::try_from(over.as_nanos() / period).unwrap_or(u32::MAX);
        (lost, over.saturating_sub(self.period().saturating_mul(lost)))
    }

    /// Returns the reading after `used` has passed since the last move.
    pub fn read(&self, used: Duration) -> Reading {
        let to_control = self.timing.control.map(|control| control.moves - self.moves % control.moves);
        let main = self.left.saturating_sub(used + self.debt);
        if self.periods == 0 {
            return Reading { in_hand: main, main, periods: 0, to_control, is_out: main.is_zero() };
        }
        let (lost, begun) = self.in_byoyomi(used);
        let periods = self.periods.saturating_sub(lost);
        let in_hand = if periods == 0 { Duration::ZERO } else { main + self.period() - begun };
        Reading { in_hand, main, periods, to_control, is_out: periods == 0 }
    }

    /// Deducts the time of a turn. If it was more than the side had, the caller has decided to let the game
    /// go on.
    pub fn charge(&mut self, used: Duration) {
        if self.periods > 0 {
            let (lost, _) = self.in_byoyomi(used);
            self.periods = self.periods.saturating_sub(lost).max(1);
            self.left = self.left.saturating_sub(used);
        } else {
            let used = used + self.debt;
            self.debt = used.saturating_sub(self.left);
            self.left = self.left.saturating_sub(used);
        }
    }

    /// Counts a move: adds the increment, and at a control its time.
    pub fn count_move(&mut self) {
        self.moves = self.moves.saturating_add(1);
        let control = self.timing.control.filter(|control| self.moves.is_multiple_of(control.moves));
        let gained = self.timing.increment + control.map_or(Duration::ZERO, |control| control.time);
        let repaid = gained.min(self.debt);
        self.debt -= repaid;
        self.left = self.left.saturating_add(gained - repaid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Makes a move that took this many seconds.
    fn play(clock: &mut SideClock, seconds: u64) {
        clock.charge(s(seconds));
        clock.count_move();
    }

    #[test]
    fn times_are_written_as_players_write_them() {
        assert_eq!("40/2h".parse(), Ok(Control { moves: 40, time: s(7200) }));
        assert_eq!("3x30s".parse(), Ok(Byoyomi { periods: 3, time: s(30) }));
        assert_eq!("1m".parse(), Ok(Byoyomi { periods: 1, time: s(60) }));
        for (control, byoyomi) in [("40/2h", "3x30s"), ("1/500ms", "1x1m 5s")] {
            assert_eq!(control.parse::<Control>().unwrap().to_string(), control);
            assert_eq!(byoyomi.parse::<Byoyomi>().unwrap().to_string(), byoyomi);
        }
        for wrong in ["", "40", "0/1h", "40/0s", "-1/1h", "x/1h", "40/2"] {
            assert!(wrong.parse::<Control>().is_err(), "{wrong}");
        }
        for wrong in ["", "0x30s", "3x", "x30s", "3x0s", "fast", "3y30s", "25h"] {
            assert!(wrong.parse::<Byoyomi>().is_err(), "{wrong}");
        }
    }

    /// Clocks at their bounds do not overflow, whatever the number of moves.
    #[test]
    fn a_day_is_the_longest_time() {
        assert_eq!((duration("1day"), duration("0s")), (Ok(LONGEST), Ok(Duration::ZERO)));
        assert_eq!(duration("25h"), Err("expected at most a day".into()));
        assert_eq!(duration("18446744073709551615s"), Err("expected at most a day".into()));
        let expected = "expected a shorter time, or fewer digits after the point";
        assert_eq!(duration("99999999999999999999s"), Err(expected.into()));
        assert!(duration("5").is_err());
        let byoyomi = Some(Byoyomi { periods: u32::MAX, time: LONGEST });
        let control = Some(Control { moves: 1, time: LONGEST });
        let longest = Timing { main: LONGEST, increment: LONGEST, control, byoyomi };
        assert!(longest.is_possible());
        let mut clock = SideClock::new(longest);
        for _ in 0..1000 {
            play(&mut clock, 0);
        }
        assert!(clock.allowed(LONGEST) > clock.read(LONGEST).in_hand);
        for wrong in [
            Timing { main: LONGEST + s(1), ..longest },
            Timing { increment: LONGEST + s(1), ..longest },
            Timing { control: Some(Control { moves: 0, time: LONGEST }), ..longest },
            Timing { byoyomi: Some(Byoyomi { periods: 1, time: s(0) }), ..longest },
        ] {
            assert!(!wrong.is_possible(), "{wrong:?}");
        }
    }

    #[test]
    fn overtime_is_told_in_words() {
        let timing = Timing {
            main: s(7200),
            increment: Duration::from_millis(500),
            control: "40/1h".parse().ok(),
            byoyomi: "3x30s".parse().ok(),
        };
        assert_eq!(timing.overtime(), "0.5 s added after each move, 40 moves / 3600 s, 3x30 s byo-yomi");
        assert_eq!(Timing { main: s(60), ..Timing::default() }.overtime(), "");
    }

    #[test]
    fn a_control_adds_time_and_keeps_what_was_left() {
        let timing = Timing { main: s(100), control: "2/50s".parse().ok(), ..Timing::default() };
        let mut clock = SideClock::new(timing);
        assert_eq!(clock.read(s(0)).to_control, Some(2));
        play(&mut clock, 30);
        assert_eq!((clock.read(s(0)).main, clock.read(s(0)).to_control), (s(70), Some(1)));
        play(&mut clock, 30);
        assert_eq!((clock.read(s(10)).main, clock.read(s(0)).to_control), (s(80), Some(2)));
        play(&mut clock, 0);
        assert!(clock.read(s(90)).is_out && !clock.read(s(89)).is_out, "before the control, not after it");
    }

    /// Flags and files cannot give such a control, but a program can.
    #[test]
    fn a_control_after_no_moves_never_comes() {
        let control = Some(Control { moves: 0, time: s(50) });
        let mut clock = SideClock::new(Timing { main: s(100), control, ..Timing::default() });
        play(&mut clock, 30);
        assert_eq!((clock.read(s(0)).main, clock.read(s(0)).to_control), (s(70), None));
    }

    #[test]
    fn byoyomi_costs_whole_periods_alone() {
        let timing = Timing { main: s(10), byoyomi: "3x30s".parse().ok(), ..Timing::default() };
        let mut clock = SideClock::new(timing);
        assert_eq!((clock.read(s(0)).in_hand, clock.read(s(0)).is_byoyomi()), (s(40), false));
        // 29 s of the first period: none is lost.
        play(&mut clock, 39);
        let reading = clock.read(s(0));
        assert_eq!((reading.in_hand, reading.periods, reading.is_byoyomi()), (s(30), 3, true));
        play(&mut clock, 29);
        assert_eq!(clock.read(s(0)).periods, 3);
        assert_eq!((clock.read(s(45)).in_hand, clock.read(s(45)).periods), (s(15), 2));
        play(&mut clock, 45);
        assert_eq!((clock.read(s(0)).in_hand, clock.read(s(0)).periods), (s(30), 2));
        assert_eq!((clock.read(s(59)).is_out, clock.read(s(60)).is_out), (false, true));
        assert_eq!(clock.allowed(s(1)), s(61));
        // Time forgiven in byo-yomi is not missing from the next move.
        clock.charge(s(61));
        assert_eq!(clock.allowed(s(1)), s(31));
    }

    #[test]
    fn forgiven_lateness_is_missing_later_on() {
        let timing = Timing { main: s(8), increment: s(1), ..Timing::default() };
        let mut clock = SideClock::new(timing);
        play(&mut clock, 9);
        assert_eq!((clock.read(s(0)).main, clock.allowed(s(2))), (s(0), s(2)), "the increment has paid it");
        clock.charge(s(2));
        assert_eq!((clock.allowed(s(2)), clock.read(s(0)).is_out), (s(0), true));
    }
}
