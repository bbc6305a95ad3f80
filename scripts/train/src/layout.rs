//! The parameters of a net as one list of numbers: where each part of them begins.

use kagetsu::eval::arch::{CHANNELS, HIDDEN, INPUTS, POLICY_CHANNELS, POLICY_HIDDEN, POLICY_OUTPUTS, SECOND};
use kagetsu::game::CODES;

/// The beginnings of the parts of the parameters.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// One head and one embedding for both colours.
    pub tied: bool,
    pub linear: usize,
    pub moves: usize,
    /// The policy's embedding.
    pub policy: usize,
    /// The policy's layers; the second has a row of hidden neurons for each output.
    pub policy_w1: usize,
    pub policy_b1: usize,
    pub policy_w2: usize,
    pub policy_b2: usize,
    pub w1: usize,
    pub b1: usize,
    pub w2: usize,
    pub b2: usize,
    pub w3: usize,
    pub b3: usize,
    /// Running means of the first layer's inputs. They are subtracted from the inputs, so that a step does not move all
    /// neurons the same way. For this part the gradient holds the inputs themselves.
    pub mean: usize,
    pub len: usize,
}

impl Layout {
    pub fn new(tied: bool) -> Layout {
        let (heads, embeddings) = if tied { (1, 1) } else { (2, 2) };
        let linear = embeddings * CODES * CHANNELS;
        let moves = linear + heads * 2 * CODES;
        let policy = moves + heads * 2 * CODES;
        let policy_w1 = policy + embeddings * CODES * POLICY_CHANNELS;
        let policy_b1 = policy_w1 + heads * POLICY_HIDDEN * INPUTS;
        let policy_w2 = policy_b1 + heads * POLICY_HIDDEN;
        let policy_b2 = policy_w2 + heads * POLICY_OUTPUTS * POLICY_HIDDEN;
        let w1 = policy_b2 + heads * POLICY_OUTPUTS;
        let b1 = w1 + heads * HIDDEN * INPUTS;
        let w2 = b1 + heads * HIDDEN;
        let b2 = w2 + heads * HIDDEN * SECOND;
        let w3 = b2 + heads * HIDDEN;
        let b3 = w3 + heads * HIDDEN;
        Layout {
            tied,
            linear,
            moves,
            policy,
            policy_w1,
            policy_b1,
            policy_w2,
            policy_b2,
            w1,
            b1,
            w2,
            b2,
            w3,
            b3,
            mean: b3 + heads,
            len: b3 + heads + INPUTS,
        }
    }

    /// Offset of the embedding of a code of the first or second colour.
    #[inline]
    pub fn row(&self, second: bool, code: u16) -> usize {
        let table = if second && !self.tied { CODES } else { 0 };
        (table + usize::from(code)) * CHANNELS
    }

    /// Offset of the policy's embedding of a code of the first or second colour.
    #[inline]
    pub fn policy_row(&self, second: bool, code: u16) -> usize {
        let table = if second && !self.tied { CODES } else { 0 };
        self.policy + (table + usize::from(code)) * POLICY_CHANNELS
    }

    /// Offset of a linear or move weight.
    #[inline]
    pub fn weight(base: usize, head: u8, second: bool, code: u16) -> usize {
        base + (usize::from(head) * 2 + usize::from(second)) * CODES + usize::from(code)
    }
}

/// Returns a channel of `N`, or the one in its place when the colours' halves are exchanged.
#[inline]
pub fn exchange<const N: usize>(channel: usize, swap: bool) -> usize {
    if swap { (channel + N / 2) % N } else { channel }
}
