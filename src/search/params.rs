//! The numbers of the search, one line each: name, value, range and step for tuning. The formulas made of them are in
//! [`super::formulas`].
//!
//! Constants in a normal build; with the feature `tune` they can be set by name while the program runs (`set`), which
//! is what tuning by games needs. Depths are in sixty-fourths of a ply.

macro_rules! params {
    ($($(#[doc = $doc:literal])* $name:ident = $value:literal, $low:literal..=$high:literal, $step:literal;)*) => {
        $(
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
                cells::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod cells {
            use std::sync::atomic::AtomicI32;
            $(pub static $name: AtomicI32 = AtomicI32::new($value);)*
        }

        /// All parameters with their defaults.
        pub const ALL: &[Param] = &[
            $(Param { name: stringify!($name), value: $value, low: $low, high: $high, step: $step },)*
        ];

        /// Sets a parameter by name.
        ///
        /// # Errors
        /// If there is no parameter of this name or the value is out of its range.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> Result<(), String> {
            match name {
                $(stringify!($name) => {
                    if !($low..=$high).contains(&value) {
                        return Err(format!("{name} = {value} is out of range: expected {} to {}", $low, $high));
                    }
                    cells::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                    Ok(())
                })*
                _ => Err(format!("there is no search parameter '{name}'")),
            }
        }
    };
}

/// A tunable number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Name, as [`ALL`] lists it.
    pub name: &'static str,
    /// Value in a normal build.
    pub value: i32,
    /// Smallest sensible value.
    pub low: i32,
    /// Largest sensible value.
    pub high: i32,
    /// A change that should show in games.
    pub step: i32,
}

params! {
    /// Razoring is tried below this depth.
    razor_depth = 212, 64..=512, 24;
    /// Razoring margin at the horizon.
    razor_base = 61, 0..=300, 15;
    /// Razoring margin for each ply.
    razor_slope = 62, 0..=300, 10;
    /// Reverse futility is tried below this depth.
    futility_depth = 438, 128..=1024, 48;
    /// Reverse futility margin for each ply.
    futility_slope = 49, 10..=150, 6;
    /// What an improving position is spared of the reverse futility margin, in depth.
    futility_improving = 43, 0..=128, 10;
    /// Quiet moves are judged by the static evaluation below this depth.
    move_futility_depth = 272, 64..=768, 32;
    /// Margin of that judgement at the horizon.
    move_futility_base = 36, 0..=200, 10;
    /// Margin of that judgement for each ply.
    move_futility_slope = 52, 10..=200, 8;
    /// The ordering score of a move counts this part, in 64ths, in that judgement.
    move_futility_score = 17, 0..=64, 4;
    /// Moves tried before late move pruning, at the horizon.
    late_base = 6, 1..=10, 1;
    /// Growth of that number with depth, an exponent in hundredths.
    late_power = 138, 80..=220, 8;
    /// What that number is multiplied by for moves that make a threat or answer one, in 64ths.
    late_threats = 150, 24..=1024, 20;
    /// Below this depth fours that only gain time are not tried.
    idle_four_depth = 301, 0..=2000, 60;
    /// From this depth on a node without table move is searched less deep.
    iir_depth = 240, 128..=1024, 48;
    /// From this depth on the table move is tested for being alone in being good.
    singular_depth = 384, 256..=1024, 48;
    /// By how much, for each ply, other moves must then be worse.
    singular_slope = 4, 0..=20, 1;
    /// How much deeper the reply to a five is searched.
    five_extension = 72, 0..=96, 6;
    /// Replies to a five are extended up to this many plies from the root.
    five_extension_plies = 48, 8..=120, 6;
    /// Scale of the late move reduction, in 64ths.
    reduction_scale = 61, 20..=130, 5;
    /// Constant part of the late move reduction.
    reduction_base = -9, -64..=64, 8;
    /// Added when the position is not improving.
    reduction_worsening = 19, 0..=96, 8;
    /// Added at cut nodes.
    reduction_cut = 47, 0..=128, 8;
    /// Taken away at PV nodes.
    reduction_pv = 62, 0..=128, 8;
    /// Taken away where the position is or was on a line searched with a full window.
    reduction_on_pv = 25, 0..=128, 12;
    /// Added, once or up to three times, to fours that only put off an unstoppable four.
    reduction_delay = 41, 0..=150, 12;
    /// Taken away for moves that threaten.
    reduction_threat = 53, 0..=160, 10;
    /// History is worth this many units for each 64th of a ply.
    reduction_history = 100, 32..=400, 16;
    /// History counts this part in the ordering.
    history_divisor = 98, 24..=400, 12;
    /// Ordering bonus of the move that refuted the same previous move before.
    counter_bonus = 20, 0..=100, 6;
    /// History bonus: part that grows with the square of the depth.
    history_square = 16, 2..=64, 4;
    /// History bonus: part that grows with the depth.
    history_linear = 64, 0..=256, 16;
    /// Share of the bonus, in 64ths, that quiet moves lose which were tried before the refutation.
    history_malus = 32, 0..=128, 8;
    /// Largest history bonus.
    history_most = 1600, 400..=6000, 200;
    /// Fours that one side may play in quiescence.
    most_fours = 12, 2..=30, 2;
    /// Share, in 128ths, of the evaluation one ply before in a node's own: with it the side to move matters less.
    average = 30, 0..=64, 8;
    /// What is left of the depth at the horizon when an unstoppable four must be prevented.
    defence_depth = 43, 0..=80, 16;
    /// By how much the other moves are searched less once a move has raised alpha.
    raised_reduction = 62, 0..=96, 16;
    /// From this depth on moves that another thread is searching are put off.
    defer_depth = 192, 64..=1024, 48;
    /// Half-width of the first aspiration window.
    aspiration = 17, 4..=80, 4;
}
