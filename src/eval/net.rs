//! Weights of one rule's net; [`mod@file`] stores them.

pub mod file;

use serde::{Deserialize, Serialize};

use self::file::{VERSION, WITHOUT_SQUARES};
use super::arch::{CHANNELS, HIDDEN, INPUTS, POLICY_CHANNELS, POLICY_HIDDEN, POLICY_WIDTH, SECOND};
use crate::game::{CODES, Color, RuleKind};

/// Description of a net and its origin: the second line of its file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Info {
    /// Version of the layout.
    pub version: u32,
    /// Name of the rule it was trained for.
    pub rule: String,
    /// Scale: score units that equal a logit of 1.
    pub scale: i32,
    /// Number of games it learned from.
    pub games: u64,
    /// Number of positions it learned from.
    pub positions: u64,
    /// The way it was made, in words.
    pub made: String,
}

impl Info {
    /// Describes a net of the present layout.
    pub fn new(rule: RuleKind, scale: i32, games: u64, positions: u64, made: String) -> Info {
        Info { version: VERSION, rule: rule.name().to_string(), scale, games, positions, made }
    }
}

/// A row of an embedding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; CHANNELS]);

/// A row of the policy's embedding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct PolicyRow(pub [i8; POLICY_CHANNELS]);

impl PolicyRow {
    /// A row of zeros.
    pub const ZERO: PolicyRow = PolicyRow([0; POLICY_CHANNELS]);
}

/// Layers of the value head for one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// First layer, a row of [`INPUTS`] for each neuron.
    pub w1: Vec<i16>,
    /// Biases of the first layer, in [`super::arch::INPUT_ONE`] times [`super::arch::WEIGHT_ONE`].
    pub b1: [i32; HIDDEN],
    /// Second layer, a row of [`SECOND`] for each neuron.
    pub w2: [[i16; SECOND]; HIDDEN],
    /// Biases of the second layer, in [`super::arch::LOGIT_ONE`].
    pub b2: [i32; HIDDEN],
    /// Output weights.
    pub w3: [i16; HIDDEN],
    /// Output bias, in [`super::arch::LOGIT_ONE`].
    pub b3: i32,
}

impl Head {
    /// Returns a head whose weights are all zero.
    pub fn zero() -> Head {
        Head {
            w1: vec![0; HIDDEN * INPUTS],
            b1: [0; HIDDEN],
            w2: [[0; SECOND]; HIDDEN],
            b2: [0; HIDDEN],
            w3: [0; HIDDEN],
            b3: 0,
        }
    }
}

/// Weights of two neurons of the policy's hidden layer, side by side for each output; padding outputs are zero.
pub type Pair = [[i16; 2]; POLICY_WIDTH];

/// Layers of the policy head for one side to move. From the same inputs as the value head, they give a weight to each
/// channel of a point's policy vector, a score to each region, and a score to each relation to the last two moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyHead {
    /// First layer, a row of [`INPUTS`] for each neuron.
    pub w1: Vec<i16>,
    /// Biases of the first layer, in [`super::arch::INPUT_ONE`] times [`super::arch::WEIGHT_ONE`].
    pub b1: [i32; POLICY_HIDDEN],
    /// Second layer.
    pub w2: Vec<Pair>,
    /// Biases of the second layer, in [`super::arch::LOGIT_ONE`].
    pub b2: [i32; POLICY_WIDTH],
}

impl PolicyHead {
    /// Returns a head whose weights are all zero.
    pub fn zero() -> PolicyHead {
        PolicyHead {
            w1: vec![0; POLICY_HIDDEN * INPUTS],
            b1: [0; POLICY_HIDDEN],
            w2: vec![[[0; 2]; POLICY_WIDTH]; POLICY_HIDDEN / 2],
            b2: [0; POLICY_WIDTH],
        }
    }
}

/// Weights of a rule. Colours and sides to move are numbered as by [`Color::index`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    /// Description and origin.
    pub info: Info,
    /// Embedding vectors of the value, by colour and code.
    pub embedding: [Vec<Row>; 2],
    /// Linear terms by colour and code, one for each side to move.
    pub linear: [Vec<[i16; 2]>; 2],
    /// Move scores by colour and code, one for each side to move.
    pub moves: [Vec<[i16; 2]>; 2],
    /// Value heads, by side to move.
    pub heads: [Head; 2],
    /// Embedding vectors of the policy, by colour and code.
    pub policy: [Vec<PolicyRow>; 2],
    /// Policy heads, by side to move.
    pub policy_heads: [PolicyHead; 2],
}

/// Reason why a net cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetError {
    /// The file does not begin like a net.
    #[error("not a kagetsu net: the first line is not 'kagetsu net'")]
    Foreign,
    /// The description in the second line cannot be read.
    #[error("the net's description cannot be read: {0}")]
    Info(String),
    /// The layout is not supported.
    #[error("the net has layout {0}; expected {WITHOUT_SQUARES} or {VERSION}")]
    Version(u32),
    /// The weights do not match their checksum, or are out of range.
    #[error("the net is damaged: {0}")]
    Damaged(String),
    /// The net was trained for another rule.
    #[error("the net is for {0}; expected one for {1}")]
    Rule(String, RuleKind),
}

impl Net {
    /// Returns a net whose weights are all zero.
    pub fn zero(info: Info) -> Net {
        let both = |_| vec![[0; 2]; CODES];
        Net {
            info,
            embedding: [(); 2].map(|()| vec![Row([0; CHANNELS]); CODES]),
            linear: Color::BOTH.map(both),
            moves: Color::BOTH.map(both),
            heads: [Head::zero(), Head::zero()],
            policy: [(); 2].map(|()| vec![PolicyRow::ZERO; CODES]),
            policy_heads: [PolicyHead::zero(), PolicyHead::zero()],
        }
    }

    /// Checks that the net was trained for this rule.
    ///
    /// # Errors
    /// If it was trained for another one.
    pub fn check_rule(&self, rule: RuleKind) -> Result<(), NetError> {
        if self.info.rule == rule.name() { Ok(()) } else { Err(NetError::Rule(self.info.rule.clone(), rule)) }
    }

    /// Returns whether only the linear terms count: the embedding, the output weights of the value heads, and the second
    /// layer of the policy heads are zero.
    pub fn is_linear(&self) -> bool {
        let no_vectors = self.embedding.iter().flatten().all(|row| row.0.iter().all(|&w| w == 0));
        let no_value = self.heads.iter().all(|h| h.w3.iter().all(|&w| w == 0));
        let silent =
            |h: &PolicyHead| h.b2.iter().all(|&b| b == 0) && h.w2.iter().flatten().flatten().all(|&w| w == 0);
        no_vectors && no_value && self.policy_heads.iter().all(silent)
    }
}

#[cfg(test)]
mod tests {
    use super::file::tests::random_net;
    use super::*;

    #[test]
    fn a_net_is_for_its_own_rule() {
        let mut net = random_net(4);
        net.info.rule = "caro".to_string();
        assert_eq!(net.check_rule(RuleKind::Caro), Ok(()));
        for other in [RuleKind::Caro6, RuleKind::Renju] {
            assert_eq!(net.check_rule(other), Err(NetError::Rule("caro".into(), other)));
        }
    }
}
