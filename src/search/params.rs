//! The tunable numbers of the search, one line each: name, value, range and step. The formulas made of them are in
//! [`super::formulas`].
//!
//! In a normal build they are constants. With the feature `tune` they can be set by name at run time (`set`), for tuning
//! by games (`scripts/spsa`). Brackets hold the numbers of rules that have their own, which were tuned by games of that rule
//! alone (`docs/search.md`); their names begin with that of the rule, such as `renju_razor_depth`.
//!
//! Depths and reductions are in sixty-fourths of a ply; margins are in units of the score. Names that begin with `time_`
//! belong to time management, see [`Param::is_time`].

use crate::game::{Rule, RuleKind};

/// The rule that a bracket names: one line for each rule that has numbers of its own.
macro_rules! kind {
    (renju) => {
        RuleKind::Renju
    };
}

/// Defines the function of a number, which depends on the rule if some rule has a number of its own.
macro_rules! number {
    ($(#[doc = $doc:literal])* $name:ident = $value:literal) => {
        $(#[doc = $doc])*
        #[cfg(not(feature = "tune"))]
        #[inline(always)]
        pub const fn $name() -> i32 {
            $value
        }

        $(#[doc = $doc])*
        #[cfg(feature = "tune")]
        #[inline]
        pub fn $name() -> i32 {
            cells::$name.0[0].load(std::sync::atomic::Ordering::Relaxed)
        }
    };
    ($(#[doc = $doc:literal])* $name:ident = $value:literal, $($rule:ident $own:literal),+) => {
        $(#[doc = $doc])*
        #[cfg(not(feature = "tune"))]
        #[inline(always)]
        pub const fn $name<R: Rule>() -> i32 {
            match R::KIND {
                $(kind!($rule) => $own,)+
                _ => $value,
            }
        }

        $(#[doc = $doc])*
        #[cfg(feature = "tune")]
        #[inline]
        pub fn $name<R: Rule>() -> i32 {
            cells::$name.0[R::KIND as usize].load(std::sync::atomic::Ordering::Relaxed)
        }
    };
}

macro_rules! params {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident = $value:literal $([$($rule:ident $own:literal),+])?, $low:literal..=$high:literal, $step:literal;
    )*) => {
        $(number! { $(#[doc = $doc])* $name = $value $(, $($rule $own),+)? })*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod cells {
            use super::{Cell, RuleKind};
            $(pub static $name: Cell = Cell::new($value, &[$($((kind!($rule), $own)),+)?]);)*
        }

        /// All parameters with their defaults.
        pub const ALL: &[Param] = &[$(
            Param { name: stringify!($name), value: $value, low: $low, high: $high, step: $step },
            $($(
                Param {
                    name: concat!(stringify!($rule), "_", stringify!($name)),
                    value: $own,
                    low: $low,
                    high: $high,
                    step: $step,
                },
            )+)?
        )*];

        /// Sets a parameter for the rules that it belongs to. Its name must be one of [`ALL`].
        #[cfg(feature = "tune")]
        fn store(name: &str, value: i32) {
            $(
                let own: &[RuleKind] = &[$($(kind!($rule)),+)?];
                if name == stringify!($name) {
                    let others = RuleKind::ALL.into_iter().filter(|kind| !own.contains(kind));
                    others.for_each(|kind| cells::$name.store(kind, value));
                }
                $($(
                    if name == concat!(stringify!($rule), "_", stringify!($name)) {
                        cells::$name.store(kind!($rule), value);
                    }
                )+)?
            )*
        }
    };
}

/// A number that can be set at run time, for each rule.
#[cfg(feature = "tune")]
struct Cell([std::sync::atomic::AtomicI32; RuleKind::ALL.len()]);

#[cfg(feature = "tune")]
impl Cell {
    /// A number with those of the rules that have their own.
    const fn new(value: i32, own: &[(RuleKind, i32)]) -> Cell {
        let mut values = [value; RuleKind::ALL.len()];
        let mut i = 0;
        while i < own.len() {
            values[own[i].0 as usize] = own[i].1;
            i += 1;
        }
        let [a, b, c, d, e] = values;
        let cell = std::sync::atomic::AtomicI32::new;
        Cell([cell(a), cell(b), cell(c), cell(d), cell(e)])
    }

    fn store(&self, kind: RuleKind, value: i32) {
        self.0[kind as usize].store(value, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Sets a parameter by name.
///
/// # Errors
/// If there is no parameter of this name or the value is out of its range.
#[cfg(feature = "tune")]
pub fn set(name: &str, value: i32) -> Result<(), crate::invalid::Invalid> {
    let Some(param) = ALL.iter().find(|param| param.name == name) else {
        return Err(format!("unknown search parameter '{name}'; src/search/params.rs lists them").into());
    };
    if !(param.low..=param.high).contains(&value) {
        let (low, high) = (param.low, param.high);
        return Err(format!("{name} = {value}: out of range, expected {low} to {high}").into());
    }
    store(name, value);
    Ok(())
}

/// A tunable number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Name: that of its function in this module.
    pub name: &'static str,
    /// Value in a normal build.
    pub value: i32,
    /// Smallest value that can be set.
    pub low: i32,
    /// Largest value that can be set.
    pub high: i32,
    /// Change that should be large enough to show in games.
    pub step: i32,
}

impl Param {
    /// Returns whether the number belongs to time management. It has no effect on a search limited by nodes.
    pub fn is_time(&self) -> bool {
        self.name.starts_with("time_")
    }
}

params! {
    /// Razoring: used below this depth.
    razor_depth = 211 [renju 200], 64..=512, 24;
    /// Razoring: margin at depth 0.
    razor_base = 78 [renju 91], 0..=300, 15;
    /// Razoring: margin added for each ply of depth.
    razor_slope = 52 [renju 78], 0..=300, 10;
    /// Reverse futility pruning: used below this depth.
    futility_depth = 385 [renju 421], 128..=1024, 48;
    /// Reverse futility pruning: margin for each ply of depth.
    futility_slope = 45 [renju 26], 10..=150, 6;
    /// Reverse futility pruning: depth discount when improving.
    futility_improving = 43 [renju 49], 0..=128, 10;
    /// Futility pruning of quiet moves: used below this depth.
    move_futility_depth = 365 [renju 316], 64..=768, 32;
    /// Futility pruning of quiet moves: margin at depth 0.
    move_futility_base = 25 [renju 26], 0..=200, 10;
    /// Futility pruning of quiet moves: margin added for each ply of depth.
    move_futility_slope = 41 [renju 48], 10..=200, 8;
    /// Futility pruning of quiet moves: share of the ordering score added to the margin, in 64ths.
    move_futility_score = 6 [renju 16], 0..=64, 4;
    /// Late move pruning: moves tried at depth 0.
    late_base = 5 [renju 3], 1..=10, 1;
    /// Late move pruning: exponent with which the number of moves tried grows with depth, in hundredths.
    late_power = 143 [renju 152], 80..=220, 8;
    /// Late move pruning: factor of the number of moves tried where the node does not improve, in 64ths.
    late_worsening = 32, 16..=64, 8;
    /// Late move pruning: factor for moves that make or stop a threat, in 64ths.
    late_threats = 70 [renju 115], 24..=1024, 20;
    /// Late move pruning: factor of the number of moves tried at PV nodes, in 64ths.
    late_pv = 96, 64..=512, 32;
    /// Late move pruning: a move whose ordering score is less than this below the first one's is near to it.
    late_near = 64, 0..=256, 24;
    /// Late move pruning: factor of the number of moves tried, for near moves, in 64ths.
    late_near_share = 96, 64..=256, 16;
    /// Late move pruning: a move whose ordering score is more than this below the first one's is far from it.
    late_far = 192, 64..=640, 48;
    /// Late move pruning: factor of the number of moves tried, for far moves, in 64ths.
    late_far_share = 48, 8..=64, 8;
    /// Idle fours, which only gain time, are pruned below this depth.
    idle_four_depth = 301, 0..=2000, 60;
    /// Transposition table cutoff: up to this depth also where the result is not the expected one.
    cutoff_depth = 320, 0..=2000, 64;
    /// Internal iterative reduction: used from this depth on.
    iir_depth = 156 [renju 220], 128..=1024, 48;
    /// Singular extension: tested from this depth on.
    singular_depth = 457 [renju 461], 256..=1024, 48;
    /// Singular extension: depth by which the table entry may be shallower than the node.
    singular_entry = 192, 0..=512, 64;
    /// Singular extension: depth at which the other moves are searched, as a share of the node's, in 64ths.
    singular_share = 32, 16..=48, 4;
    /// Singular extension: margin for each ply of depth by which the other moves must be worse.
    singular_slope = 6 [renju 3], 0..=20, 1;
    /// Singular extension: factor of the margin at former PV nodes, in 64ths.
    singular_former = 96, 32..=256, 16;
    /// Singular extension: a further extension if the other moves are worse by this much more.
    double_margin = 28 [renju 29], 0..=400, 8;
    /// Singular extension: that further extension.
    double_extension = 50 [renju 72], 0..=128, 8;
    /// Negative singular extension where the table move alone is expected to fail high.
    negative_high = 52 [renju 60], 0..=192, 8;
    /// Negative singular extension at other cut nodes.
    negative_cut = 10 [renju 10], 0..=192, 8;
    /// Extension of the reply to a five.
    five_extension = 72, 0..=96, 6;
    /// Extension of the reply to a five: used up to this many plies from the root.
    five_extension_plies = 48, 8..=120, 6;
    /// Late move reduction: factor of the product of logarithms, in 64ths.
    reduction_scale = 75 [renju 61], 20..=130, 5;
    /// Late move reduction: constant part.
    reduction_base = -12 [renju 14], -64..=64, 8;
    /// Late move reduction: added when the position is not improving.
    reduction_worsening = 18 [renju 5], 0..=96, 8;
    /// Late move reduction: added at cut nodes.
    reduction_cut = 37 [renju 55], 0..=128, 8;
    /// Late move reduction: subtracted at PV nodes.
    reduction_pv = 68 [renju 59], 0..=128, 8;
    /// Late move reduction: subtracted at present and former PV nodes.
    reduction_on_pv = 23 [renju 26], 0..=128, 12;
    /// Late move reduction: added up to three times for a four that only delays a straight four.
    reduction_delay = 41, 0..=150, 12;
    /// Late move reduction: subtracted for moves that make or stop a threat.
    reduction_threat = 73 [renju 55], 0..=160, 10;
    /// Late move reduction: subtracted for moves that take a point where the opponent would make a three or more.
    reduction_block = 24, 0..=128, 12;
    /// Late move reduction: history score worth one 64th of a ply.
    reduction_history = 83 [renju 108], 32..=400, 16;
    /// Late move reduction: a re-search is deeper if the reduced one beats the best value by this much.
    deeper_margin = 36 [renju 46], 0..=400, 8;
    /// Late move reduction: extension of such a re-search.
    deeper_extension = 48, 0..=128, 8;
    /// Late move reduction: a re-search is shallower if the reduced one beats the best value by less than this.
    shallower_margin = 15 [renju 3], 0..=100, 3;
    /// Late move reduction: reduction of such a re-search.
    shallower_reduction = 48, 0..=128, 8;
    /// Late move reduction: share of the continuation history in the history score, in 64ths.
    reduction_continuation = 16 [renju 46], 0..=128, 8;
    /// Move ordering: divisor of the history score.
    history_divisor = 100 [renju 98], 24..=400, 12;
    /// Move ordering: divisor of the continuation history of the opponent's last move.
    reply_divisor = 64 [renju 60], 24..=400, 12;
    /// Move ordering: divisor of the continuation history of the own last move.
    followup_divisor = 80 [renju 90], 24..=400, 12;
    /// Move ordering: bonus of the countermove.
    counter_bonus = 23 [renju 29], 0..=100, 6;
    /// History bonus: factor of the square of the depth in plies.
    history_square = 16, 2..=64, 4;
    /// History bonus: factor of the depth in plies.
    history_linear = 64, 0..=256, 16;
    /// History malus of moves tried before the one that failed high: share of the bonus, in 64ths.
    history_malus = 128, 0..=192, 8;
    /// History bonus: that of a ply more where the value exceeds beta by more than this.
    history_surprise = 50, 0..=400, 12;
    /// History bonus or malus of a late move searched without reduction, for its continuation histories: share of the usual
    /// bonus, in 64ths.
    history_late = 32, 0..=128, 8;
    /// History bonus of a table move that cuts a node off: share of the usual bonus, in 64ths.
    history_table = 32, 0..=128, 8;
    /// History bonus: largest value.
    history_most = 1600, 400..=6000, 200;
    /// Histories: share that is left from the search of one position to the next, in 64ths.
    history_kept = 56, 0..=64, 8;
    /// Correction history: amount of a table entry that corrects the evaluation by one unit of score.
    correction_unit = 16, 4..=64, 3;
    /// Quiescence search: most fours in one combination.
    most_fours = 12, 2..=30, 2;
    /// Depth at the horizon when a straight four must be prevented.
    defence_depth = 43, 0..=80, 16;
    /// Extra reduction of the other moves after alpha was raised.
    raised_reduction = 70 [renju 63], 0..=96, 16;
    /// Extra reduction after alpha was raised: used below this depth.
    raised_depth = 768, 128..=2000, 128;
    /// Deferred moves (ABDADA): used from this depth on.
    defer_depth = 192, 64..=1024, 48;
    /// Aspiration window: half-width of the first one.
    aspiration = 14 [renju 20], 4..=80, 4;
    /// Time kept back for reading the command, finishing a node and writing the reply, in milliseconds.
    time_overhead = 12, 0..=200, 4;
    /// Further time kept back: a fiftieth of the time, at most this many milliseconds.
    time_reserve = 100, 0..=500, 20;
    /// Number of moves among which the remaining time of a game is shared out.
    time_horizon = 22, 8..=80, 3;
    /// A move may use at most the remaining time of the game divided by this.
    time_share = 6, 2..=20, 1;
    /// Time is ample, and no move saves any, if the remaining time lasts for this many moves at the full limit.
    time_ample = 40, 10..=200, 8;
    /// Percentage of the soft limit when the best move has just changed.
    time_changed = 130, 50..=300, 12;
    /// Percentage of the soft limit after one iteration with the same best move.
    time_stable_1 = 100, 30..=200, 8;
    /// Percentage of the soft limit after two or three iterations with the same best move.
    time_stable_2 = 80, 30..=200, 8;
    /// Percentage of the soft limit after four and more iterations with the same best move.
    time_stable_4 = 65, 20..=200, 8;
    /// Percentage added to the soft limit when the score has dropped by 100 or more, in proportion for less.
    time_drop = 50, 0..=200, 12;
    /// Percentage of the hard limit after which no iteration begins.
    time_last_start = 75, 20..=100, 6;
}
