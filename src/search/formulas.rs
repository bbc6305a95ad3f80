//! Margins, move counts and reductions of the search, computed from the numbers in [`super::params`].

use std::sync::LazyLock;

use super::depth::Depth;
use super::params as P;
use crate::game::{Freestyle, Renju, Rule, RuleKind};

/// Returns how far below alpha the static evaluation must be for razoring.
pub fn razor_margin<R: Rule>(depth: Depth) -> i32 {
    P::razor_base::<R>() + depth.raw() * P::razor_slope::<R>() / 64
}

/// Returns how far above beta the static evaluation must be for reverse futility pruning; less when improving.
pub fn futility_margin<R: Rule>(depth: Depth, improving: bool) -> i32 {
    let discount = if improving { P::futility_improving::<R>() } else { 0 };
    (depth.raw() - discount).max(0) * P::futility_slope::<R>() / 64
}

/// Returns the futility margin of a quiet move with this ordering score: the most that it is expected to add to the static
/// evaluation at a shallow node. A score above 1000 counts as 1000.
pub fn move_futility_margin<R: Rule>(depth: Depth, score: i32) -> i32 {
    P::move_futility_base::<R>()
        + depth.raw() * P::move_futility_slope::<R>() / 64
        + score.min(1000) * P::move_futility_score::<R>() / 64
}

/// Returns how many moves of a node, of any kind, are counted before late move pruning drops its remaining quiet moves: a
/// constant and a power of the depth in plies; a share of it where the node does not improve.
pub fn late_moves<R: Rule>(depth: Depth, improving: bool) -> usize {
    /// Powers of the depths below 64, with the exponent of all other rules and with that of Renju.
    static POWERS: LazyLock<[[usize; 64]; 2]> = LazyLock::new(|| {
        [P::late_power::<Freestyle>(), P::late_power::<Renju>()].map(|hundredths| {
            let exponent = f64::from(hundredths) / 100.0;
            std::array::from_fn(|i| (i as f64).powf(exponent) as usize)
        })
    });
    let powers = &POWERS[usize::from(R::KIND == RuleKind::Renju)];
    let n = P::late_base::<R>() as usize + powers[depth.floor().clamp(0, 63) as usize];
    if improving { n } else { n * P::late_worsening() as usize / 64 }
}

/// Returns the number of moves tried before late move pruning also takes moves that make or stop a threat.
pub fn late_threats<R: Rule>(depth: Depth, improving: bool) -> usize {
    late_moves::<R>(depth, improving) * P::late_threats::<R>() as usize / 64
}

/// Returns the factor, in 64ths, of the number of moves left by late move pruning, at a move whose ordering score is
/// `gap` below that of the first one.
///
/// More moves are tried at PV nodes, because a move missed there changes the result of the whole search; more where the
/// policy and the histories are undecided, and fewer where they are sure.
pub fn late_share(pv: bool, gap: i32) -> usize {
    let share = if pv { P::late_pv() } else { 64 };
    let share = if gap < P::late_near() {
        share * P::late_near_share() / 64
    } else if gap > P::late_far() {
        share * P::late_far_share() / 64
    } else {
        share
    };
    share as usize
}

/// Returns by how much the other moves must be worse than the table value for the table move to be singular; more where an
/// earlier search had a PV node.
pub fn singular_margin<R: Rule>(depth: Depth, former_pv: bool) -> i32 {
    let margin = depth.raw() * P::singular_slope::<R>() / 64;
    if former_pv { margin * P::singular_former() / 64 } else { margin }
}

/// Returns the history bonus of a move that fails high.
pub fn history_bonus(depth: Depth) -> i32 {
    let d = depth.floor().max(0);
    (P::history_square() * d * d + P::history_linear() * d).min(P::history_most())
}

/// Returns the history malus of each move that was tried before the one that failed high.
pub fn history_malus(depth: Depth) -> i32 {
    history_bonus(depth) * P::history_malus() / 64
}

/// Properties of a late move and its node that its reduction depends on.
#[derive(Clone, Copy)]
pub struct Late {
    /// Depth of the node.
    pub depth: Depth,
    /// Number of the move, from 1.
    pub count: usize,
    /// Whether the position is quiet and its static evaluation better than at an earlier turn (step 6).
    pub improving: bool,
    /// Whether the window is open (PV node).
    pub pv: bool,
    /// Whether the node is expected to fail high (cut node).
    pub cut: bool,
    /// Whether the position is, or was in an earlier search, a PV node.
    pub on_pv: bool,
    /// Whether the move makes a threat or stops one.
    pub threat: bool,
    /// Whether the move takes a point where the opponent would make a three or more.
    pub blocks: bool,
    /// Extra reduction of a move that only gains time.
    pub delay: i32,
    /// History score of the move.
    pub history: i32,
}

/// Returns the late move reduction: the product of the logarithms of depth and move number, then more at nodes that are
/// not improving and at cut nodes, less at present and former PV nodes, for threats, for moves that take a point from the
/// opponent, and for moves with good history.
pub fn reduction<R: Rule>(late: Late) -> Depth {
    /// Logarithms of whole numbers, in 64ths.
    static LOG: LazyLock<[i32; 512]> =
        LazyLock::new(|| std::array::from_fn(|i| ((i.max(1) as f64).ln() * 64.0) as i32));
    let depth = LOG[late.depth.floor().clamp(1, 511) as usize];
    let count = LOG[late.count.min(511)];
    let mut r = P::reduction_base::<R>() + depth * count / 64 * P::reduction_scale::<R>() / 64;
    if !late.improving {
        r += P::reduction_worsening::<R>();
    }
    if late.cut {
        r += P::reduction_cut::<R>();
    }
    if late.pv {
        r -= P::reduction_pv::<R>();
    }
    if late.on_pv {
        r -= P::reduction_on_pv::<R>();
    }
    if late.threat {
        r -= P::reduction_threat::<R>();
    }
    if late.blocks {
        r -= P::reduction_block();
    }
    r += late.delay;
    r -= late.history / P::reduction_history::<R>();
    Depth::from_raw(r.max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The move loop relies on this order: a move that is pruned has only pruned moves after it.
    #[test]
    fn fewer_moves_are_tried_where_the_gap_is_larger() {
        let shares = |pv| (0..700).map(|gap| late_share(pv, gap)).collect::<Vec<_>>();
        let (pv, other) = (shares(true), shares(false));
        assert!(pv.is_sorted_by(|a, b| a >= b) && other.is_sorted_by(|a, b| a >= b));
        assert!(pv.iter().zip(&other).all(|(pv, other)| pv > other));
        assert!(other[0] > 64 && other[699] < 64);
    }
}
