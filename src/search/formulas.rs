//! Margins, counts and reductions, made of the numbers in [`super::params`].

use std::sync::LazyLock;

use super::depth::Depth;
use super::params as P;

/// How far below alpha a node is razored.
pub fn razor_margin(depth: Depth) -> i32 {
    P::razor_base() + depth.raw() * P::razor_slope() / 64
}

/// How far above beta a node is cut off.
pub fn futility_margin(depth: Depth, improving: bool) -> i32 {
    let spared = if improving { P::futility_improving() } else { 0 };
    (depth.raw() - spared).max(0) * P::futility_slope() / 64
}

/// What a quiet move with this ordering score may add to the static evaluation at a shallow node.
pub fn move_futility_margin(depth: Depth, score: i32) -> i32 {
    P::move_futility_base()
        + depth.raw() * P::move_futility_slope() / 64
        + score.min(1000) * P::move_futility_score() / 64
}

/// Moves tried at a node before late move pruning.
pub fn late_moves(depth: Depth, improving: bool) -> usize {
    static POWERS: LazyLock<[usize; 64]> = LazyLock::new(|| {
        let exponent = f64::from(P::late_power()) / 100.0;
        std::array::from_fn(|i| (i as f64).powf(exponent) as usize)
    });
    let n = P::late_base() as usize + POWERS[depth.floor().clamp(0, 63) as usize];
    if improving { n } else { n / 2 }
}

/// The same for moves that make a threat or answer one.
pub fn late_threats(depth: Depth, improving: bool) -> usize {
    late_moves(depth, improving) * P::late_threats() as usize / 64
}

/// By how much the other moves must be worse for the table move to be singular.
pub fn singular_margin(depth: Depth) -> i32 {
    depth.raw() * P::singular_slope() / 64
}

/// History bonus for a refutation.
pub fn history_bonus(depth: Depth) -> i32 {
    let d = depth.floor().max(0);
    (P::history_square() * d * d + P::history_linear() * d).min(P::history_most())
}

/// What each quiet move loses in history that was tried before a refutation (-29 ± 25 Elo at 3000 nodes, +9 ± 29 at
/// 20,000).
pub fn history_malus(depth: Depth) -> i32 {
    history_bonus(depth) * P::history_malus() / 64
}

/// What the reduction of a late move depends on.
#[derive(Clone, Copy)]
pub struct Late {
    /// Depth of the node.
    pub depth: Depth,
    /// Number of the move, from 1.
    pub count: usize,
    /// Whether the position is better than two plies ago.
    pub improving: bool,
    /// Whether the node has an open window.
    pub pv: bool,
    /// Whether the node is expected to fail high.
    pub cut: bool,
    /// Whether the position is or was on a line searched with a full window.
    pub on_pv: bool,
    /// Whether the move makes a threat or answers one.
    pub threat: bool,
    /// What is added because it only gains time.
    pub delay: i32,
    /// Success of the move so far.
    pub history: i32,
}

/// By how much a late move is searched less deep. In Elo: worsening -9, cut nodes +12, PV +19, former PV +12, delays +8,
/// threats +4, history -23.
pub fn reduction(late: Late) -> Depth {
    /// Logarithms of whole numbers, in 64ths.
    static LOG: LazyLock<[i32; 512]> =
        LazyLock::new(|| std::array::from_fn(|i| ((i.max(1) as f64).ln() * 64.0) as i32));
    let depth = LOG[late.depth.floor().clamp(1, 511) as usize];
    let count = LOG[late.count.min(511)];
    let mut r = P::reduction_base() + depth * count / 64 * P::reduction_scale() / 64;
    if !late.improving {
        r += P::reduction_worsening();
    }
    if late.cut {
        r += P::reduction_cut();
    }
    if late.pv {
        r -= P::reduction_pv();
    }
    if late.on_pv {
        r -= P::reduction_on_pv();
    }
    if late.threat {
        r -= P::reduction_threat();
    }
    r += late.delay;
    r -= late.history / P::reduction_history();
    Depth::from_raw(r.max(0))
}
