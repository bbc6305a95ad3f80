//! Kernels: the inner loops of the net, compiled for several kinds of processor. The best is selected once at run time.
//!
//! Every kind is the code of [`scalar`], with products from [`x86`] where compilers do not find the best instruction by
//! themselves. All give the same numbers.

#![expect(
    clippy::needless_range_loop,
    reason = "builds with several code generation units do not inline zip, map and from_fn: 2.7 times slower"
)]

mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::OnceLock;

use super::arch::{POLICY_CHANNELS, POLICY_WIDTH, REGIONS};
use super::features::{Change, Scored, Sums};
use super::net::{Net, PolicyRow, Row};
use super::policy::{Policy, SHIFT_TO_MOVE};
use crate::game::{Codes, Color, POINTS};

/// The region of every point of the board.
type Regions = [u8; POINTS];

/// The inner loops for one kind of processor.
#[derive(Clone, Copy)]
pub struct Kernels {
    /// Name of the instruction set.
    pub name: &'static str,
    /// Computes the sums after some changes from the sums before.
    pub update: fn(&Net, &Sums, &mut Sums, &[Change]),
    /// Returns the logit for the side to move.
    pub forward: fn(&Net, &Sums, Color) -> i32,
    /// Returns the outputs of the policy head of the side to move.
    pub policy: fn(&Net, &Sums, Color) -> [i32; POLICY_WIDTH],
    /// Fills in the policy scores of moves of the side to move.
    pub moves: fn(&Net, Color, &Policy, &Regions, &mut [Scored]),
}

#[inline(always)]
fn rows(net: &Net, codes: [usize; 2]) -> [&Row; 2] {
    [&net.embedding[0][codes[0]], &net.embedding[1][codes[1]]]
}

#[inline(always)]
fn linear(net: &Net, codes: [usize; 2]) -> [i32; 2] {
    let (black, white) = (net.linear[0][codes[0]], net.linear[1][codes[1]]);
    [i32::from(black[0]) + i32::from(white[0]), i32::from(black[1]) + i32::from(white[1])]
}

#[inline(always)]
fn update(net: &Net, before: &Sums, sums: &mut Sums, changes: &[Change]) {
    *sums = *before;
    for change in changes {
        let region = &mut sums.regions[usize::from(change.region) % REGIONS];
        let before = change.before.indices();
        let old = linear(net, before);
        match change.after {
            Some(after) => {
                let after = after.indices();
                scalar::replace(region, rows(net, before), rows(net, after));
                let new = linear(net, after);
                for side in 0..2 {
                    sums.linear[side] += new[side] - old[side];
                }
            }
            None => {
                let [black, white] = rows(net, before);
                scalar::remove(region, black, white);
                for side in 0..2 {
                    sums.linear[side] -= old[side];
                }
            }
        }
    }
}

/// Writes the policy score of each move. `prior` must compute the same values as [`scalar::prior`].
#[inline(always)]
fn moves(
    net: &Net,
    side: Color,
    (policy, regions): (&Policy, &Regions),
    list: &mut [Scored],
    prior: impl Fn(&[i16; POLICY_CHANNELS], &PolicyRow, &PolicyRow) -> i32,
) {
    let s = side.index();
    for (p, codes, score) in list {
        let codes = codes.indices();
        let prior = prior(&policy.channels, &net.policy[0][codes[0]], &net.policy[1][codes[1]]);
        let linear = i32::from(net.moves[0][codes[0]][s]) + i32::from(net.moves[1][codes[1]][s]);
        *score = linear + (prior >> SHIFT_TO_MOVE) + policy.place(*p, regions);
    }
}

/// Adds an empty point to sums that are computed from scratch.
pub fn add_point(net: &Net, sums: &mut Sums, region: u8, codes: Codes) {
    let codes = codes.indices();
    let [black, white] = rows(net, codes);
    scalar::add(&mut sums.regions[usize::from(region)], black, white);
    let more = linear(net, codes);
    for side in 0..2 {
        sums.linear[side] += more[side];
    }
}

fn portable_forward(net: &Net, sums: &Sums, side: Color) -> i32 {
    scalar::forward(&net.heads[side.index()], &sums.regions, scalar::dots)
}

fn portable_policy(net: &Net, sums: &Sums, side: Color) -> [i32; POLICY_WIDTH] {
    scalar::policy(&net.policy_heads[side.index()], &sums.regions, scalar::dots, scalar::second_layer)
}

fn portable_moves(net: &Net, side: Color, policy: &Policy, regions: &Regions, list: &mut [Scored]) {
    moves(net, side, (policy, regions), list, scalar::prior);
}

macro_rules! kernels {
    ($module:ident, $second:ident, $prior:ident, $features:literal) => {
        #[cfg(target_arch = "x86_64")]
        mod $module {
            use super::{
                Change, Color, Kernels, Net, POLICY_WIDTH, Policy, Regions, Scored, Sums, scalar, x86,
            };

            #[target_feature(enable = $features)]
            fn update(net: &Net, before: &Sums, sums: &mut Sums, changes: &[Change]) {
                super::update(net, before, sums, changes);
            }

            #[target_feature(enable = $features)]
            fn forward(net: &Net, sums: &Sums, side: Color) -> i32 {
                scalar::forward(&net.heads[side.index()], &sums.regions, |w, x| x86::$module(w, x))
            }

            #[target_feature(enable = $features)]
            fn policy(net: &Net, sums: &Sums, side: Color) -> [i32; POLICY_WIDTH] {
                scalar::policy(
                    &net.policy_heads[side.index()],
                    &sums.regions,
                    |w, x| x86::$module(w, x),
                    |out, w, x| x86::$second(out, w, x),
                )
            }

            #[target_feature(enable = $features)]
            fn moves(net: &Net, side: Color, policy: &Policy, regions: &Regions, list: &mut [Scored]) {
                super::moves(net, side, (policy, regions), list, |c, b, w| x86::$prior(c, b, w));
            }

            /// Kernels for these features. They must only be called where the processor has them.
            pub const KERNELS: Kernels = Kernels {
                name: $features,
                // SAFETY: `available` gives these out only after it has found the features.
                update: |n, b, s, c| unsafe { update(n, b, s, c) },
                // SAFETY: as above.
                forward: |n, s, c| unsafe { forward(n, s, c) },
                // SAFETY: as above.
                policy: |n, s, c| unsafe { policy(n, s, c) },
                // SAFETY: as above.
                moves: |n, s, p, r, l| unsafe { moves(n, s, p, r, l) },
            };
        }
    };
}

kernels!(avx2, avx2_second, avx2_prior, "avx2,bmi1,bmi2");
kernels!(avx512, avx512_second, avx512_prior, "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni");

/// Kernels for any processor.
pub const PORTABLE: Kernels = Kernels {
    name: "portable",
    update,
    forward: portable_forward,
    policy: portable_policy,
    moves: portable_moves,
};

/// Returns the kernels that this processor can run, the slowest first.
pub fn available() -> Vec<Kernels> {
    #[allow(unused_mut)]
    let mut found = vec![PORTABLE];
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
    {
        found.push(avx2::KERNELS);
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vnni")
        {
            found.push(avx512::KERNELS);
        }
    }
    found
}

/// Returns the fastest kernels for this processor.
pub fn best() -> Kernels {
    static BEST: OnceLock<Kernels> = OnceLock::new();
    *BEST.get_or_init(|| available().pop().unwrap_or(PORTABLE))
}
