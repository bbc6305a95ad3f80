//! The numbers of the search, and the formulas made of them.

use std::sync::LazyLock;

use super::depth::Depth;

/// Razoring is tried below this depth.
pub const RAZOR_DEPTH: Depth = Depth::from_raw(166);
/// Reverse futility is tried below this depth.
pub const FUTILITY_DEPTH: Depth = Depth::plies(7);
/// Moves are judged by the static evaluation below this depth.
pub const FUTILITY_MOVE_DEPTH: Depth = Depth::plies(4);
/// From this depth on a node without table move is searched less deep.
pub const IIR_DEPTH: Depth = Depth::plies(4);
/// From this depth on the table move is tested for being alone in being good.
pub const SINGULAR_DEPTH: Depth = Depth::plies(7);
/// How much deeper forced replies are searched.
pub const FORCED_EXTENSION: Depth = Depth::from_raw(64);
/// Forced replies are extended up to this many plies from the root.
pub const FORCED_EXTENSION_PLIES: usize = 48;
/// History counts this part of the move score.
pub const HISTORY_DIVISOR: i32 = 96;
/// Ordering bonus of the move that refuted the same previous move before.
pub const COUNTER_BONUS: i32 = 20;
/// Moves that score less than this make no three.
pub const THREATENING: i32 = 40;
/// Fours without a further pattern that one side may play in quiescence.
pub const PLAIN_FOURS: u32 = 2;
/// Fours that one side may play in quiescence.
pub const MAX_FOURS: u32 = 12;

/// How far below alpha a node is razored.
pub fn razor_margin(depth: Depth) -> i32 {
    60 + depth.raw() * 60 / 64
}

/// How far above beta a node is cut off.
pub fn futility_margin(depth: Depth, improving: bool) -> i32 {
    (depth.raw() - if improving { 48 } else { 0 }).max(0) * 45 / 64
}

/// What a quiet move may add to the static evaluation at a shallow node.
pub fn move_futility(depth: Depth) -> i32 {
    40 + depth.raw() * 50 / 64
}

/// Moves tried at a node before late move pruning.
pub fn late_moves(depth: Depth, improving: bool) -> usize {
    let n = 3 + LATE_MOVES[depth.floor().clamp(0, 63) as usize];
    if improving { n } else { n / 2 }
}

/// Depth to the power of 1.32.
static LATE_MOVES: LazyLock<[usize; 64]> =
    LazyLock::new(|| std::array::from_fn(|i| (i as f64).powf(1.32) as usize));

/// By how much the other moves must be worse for the table move to be singular.
pub fn singular_margin(depth: Depth) -> i32 {
    depth.raw() * 3 / 64
}

/// History bonus for a refutation.
pub fn history_bonus(depth: Depth) -> i32 {
    let d = depth.floor().max(0);
    (16 * d * d + 64 * d).min(1600)
}

/// Logarithms in 64ths, of whole numbers.
static LOG: LazyLock<[i32; 512]> =
    LazyLock::new(|| std::array::from_fn(|i| ((i.max(1) as f64).ln() * 64.0) as i32));

/// By how much a late move is searched less deep.
pub fn reduction(
    depth: Depth,
    count: usize,
    improving: bool,
    pv: bool,
    cut: bool,
    tactical: bool,
    history: i32,
) -> Depth {
    let depth_log = LOG[depth.floor().clamp(1, 511) as usize];
    let mut r = depth_log * LOG[count.min(511)] / 64;
    if !improving {
        r += 24;
    }
    if cut {
        r += 48;
    }
    if pv {
        r -= 48;
    }
    if tactical {
        r -= 64;
    }
    r -= history / 96;
    Depth::from_raw(r.max(0))
}
