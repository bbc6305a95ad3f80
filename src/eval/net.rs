//! The weights of one rule; [`mod@file`] is how they are stored.

pub mod file;

use serde::{Deserialize, Serialize};

use self::file::VERSION;
use super::arch::{CHANNELS, HIDDEN, INPUTS, POLICY_CHANNELS, POLICY_HIDDEN, POLICY_WIDTH};
use crate::game::{CODES, Color, RuleKind};

/// What a net is and where it came from: the second line of its file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Info {
    /// Version of the layout.
    pub version: u32,
    /// Name of the rule it was trained for.
    pub rule: String,
    /// Units of score to a logit of 1.
    pub scale: i32,
    /// Games it learned from.
    pub games: u64,
    /// Positions of them.
    pub positions: u64,
    /// How it was made.
    pub made: String,
}

impl Info {
    /// For a net of the present layout.
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
    /// All zero.
    pub const ZERO: PolicyRow = PolicyRow([0; POLICY_CHANNELS]);
}

/// The value's layers of one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// First layer, a row of [`INPUTS`] for each neuron.
    pub w1: Vec<i16>,
    /// Its biases, in [`super::arch::INPUT_ONE`] times [`super::arch::WEIGHT_ONE`].
    pub b1: [i32; HIDDEN],
    /// Second layer, a row for each neuron.
    pub w2: [[i16; HIDDEN]; HIDDEN],
    /// Its biases, in [`super::arch::LOGIT_ONE`].
    pub b2: [i32; HIDDEN],
    /// Output weights.
    pub w3: [i16; HIDDEN],
    /// Output bias, in [`super::arch::LOGIT_ONE`].
    pub b3: i32,
}

impl Head {
    /// All zero.
    pub fn zero() -> Head {
        Head {
            w1: vec![0; HIDDEN * INPUTS],
            b1: [0; HIDDEN],
            w2: [[0; HIDDEN]; HIDDEN],
            b2: [0; HIDDEN],
            w3: [0; HIDDEN],
            b3: 0,
        }
    }
}

/// The weights of two neurons of the policy's hidden layer, side by side for each output; those beyond the last output are
/// zero.
pub type Pair = [[i16; 2]; POLICY_WIDTH];

/// The policy's layers of one side to move: from the same inputs as the value's to what a move is worth by its point's
/// vector, its region, and where it lies from the last moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyHead {
    /// First layer, a row of [`INPUTS`] for each neuron.
    pub w1: Vec<i16>,
    /// Its biases, in [`super::arch::INPUT_ONE`] times [`super::arch::WEIGHT_ONE`].
    pub b1: [i32; POLICY_HIDDEN],
    /// Second layer.
    pub w2: Vec<Pair>,
    /// Its biases, in [`super::arch::LOGIT_ONE`].
    pub b2: [i32; POLICY_WIDTH],
}

impl PolicyHead {
    /// All zero.
    pub fn zero() -> PolicyHead {
        PolicyHead {
            w1: vec![0; POLICY_HIDDEN * INPUTS],
            b1: [0; POLICY_HIDDEN],
            w2: vec![[[0; 2]; POLICY_WIDTH]; POLICY_HIDDEN / 2],
            b2: [0; POLICY_WIDTH],
        }
    }
}

/// The weights of a rule. Colours and sides to move are numbered as [`Color::index`] does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    /// What it is.
    pub info: Info,
    /// For each colour and code.
    pub embedding: [Vec<Row>; 2],
    /// For each colour and code, the linear term for each side to move.
    pub linear: [Vec<[i16; 2]>; 2],
    /// For each colour and code, the move score for each side to move.
    pub moves: [Vec<[i16; 2]>; 2],
    /// For each side to move.
    pub heads: [Head; 2],
    /// For each colour and code, what the policy looks at.
    pub policy: [Vec<PolicyRow>; 2],
    /// For each side to move.
    pub policy_heads: [PolicyHead; 2],
}

/// Why a net cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetError {
    /// The file does not begin as a net does.
    #[error("no net of kagetsu: the first line is not 'kagetsu net'")]
    Foreign,
    /// The second line cannot be read.
    #[error("the net's description cannot be read: {0}")]
    Info(String),
    /// Another layout.
    #[error("the net has layout {0}; expected {VERSION}")]
    Version(u32),
    /// The weights are not what their checksum says.
    #[error("the net is damaged: {0}")]
    Damaged(String),
    /// The net is for another rule.
    #[error("the net is for {0}; expected one for {1}")]
    Rule(String, RuleKind),
}

impl Net {
    /// A net whose weights are all zero.
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

    /// Checks that the net is for this rule.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_rule(&self, rule: RuleKind) -> Result<(), NetError> {
        if self.info.rule == rule.name() { Ok(()) } else { Err(NetError::Rule(self.info.rule.clone(), rule)) }
    }

    /// Whether the net is nothing but its linear terms: no point has a vector, no layer adds to the output's bias, and the
    /// policy says nothing.
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
