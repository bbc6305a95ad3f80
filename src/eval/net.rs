//! The weights of one rule, and their file.
//!
//! A file is a line that names the format, a line of JSON ([`Info`]), the CRC-32 of all that follows (four bytes,
//! little-endian), and the weights in DEFLATE: little-endian numbers in the order of the fields of [`Net`]. A file that
//! is damaged, of another layout, or has weights beyond their range is refused.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use super::arch::{
    CHANNELS, EMBEDDING_ONE, HIDDEN, INPUTS, LARGEST_WEIGHT, POLICY_CHANNELS, POLICY_HIDDEN, POLICY_OUTPUTS,
    POLICY_WIDTH,
};
use super::codes::CODES;
use crate::game::{Color, RuleKind};

/// First line of a file.
const MAGIC: &[u8] = b"kagetsu net\n";
const VERSION: u32 = 2;

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

/// A weight of 8, 16 or 32 bits.
enum Weight<B, N, W> {
    Byte(B),
    Narrow(N),
    Wide(W),
}

/// A function that visits every weight in the order of the file, by shared or by exclusive references: the order is
/// written down once.
macro_rules! visit_weights {
    ($name:ident, $iter:ident $(, $mut:tt)?) => {
        fn $name(&$($mut)? self, visit: &mut dyn FnMut(Weight<&$($mut)? i8, &$($mut)? i16, &$($mut)? i32>)) {
            for row in self.embedding.$iter().flatten() {
                row.0.$iter().for_each(|w| visit(Weight::Narrow(w)));
            }
            for pair in self.linear.$iter().chain(self.moves.$iter()).flatten() {
                pair.$iter().for_each(|w| visit(Weight::Narrow(w)));
            }
            for head in self.heads.$iter() {
                head.w1.$iter().for_each(|w| visit(Weight::Narrow(w)));
                head.b1.$iter().for_each(|w| visit(Weight::Wide(w)));
                head.w2.$iter().flatten().for_each(|w| visit(Weight::Narrow(w)));
                head.b2.$iter().for_each(|w| visit(Weight::Wide(w)));
                head.w3.$iter().for_each(|w| visit(Weight::Narrow(w)));
                visit(Weight::Wide(&$($mut)? head.b3));
            }
            for row in self.policy.$iter().flatten() {
                row.0.$iter().for_each(|w| visit(Weight::Byte(w)));
            }
            for head in self.policy_heads.$iter() {
                head.w1.$iter().for_each(|w| visit(Weight::Narrow(w)));
                head.b1.$iter().for_each(|w| visit(Weight::Wide(w)));
                for pairs in head.w2.$iter() {
                    let pairs = pairs.$iter().take(POLICY_OUTPUTS);
                    pairs.flatten().for_each(|w| visit(Weight::Narrow(w)));
                }
                head.b2.$iter().take(POLICY_OUTPUTS).for_each(|w| visit(Weight::Wide(w)));
            }
        }
    };
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

    /// A short name: the rule, and the CRC-32 of the weights.
    pub fn name(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        // All numbers count with 32 bits.
        self.each(&mut |weight| match weight {
            Weight::Byte(&w) => hasher.update(&i32::from(w).to_le_bytes()),
            Weight::Narrow(&w) => hasher.update(&i32::from(w).to_le_bytes()),
            Weight::Wide(&w) => hasher.update(&w.to_le_bytes()),
        });
        format!("{}-{:08x}", self.info.rule, hasher.finalize())
    }

    /// The net as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut weights = Vec::new();
        self.each(&mut |weight| match weight {
            Weight::Byte(w) => weights.extend_from_slice(&w.to_le_bytes()),
            Weight::Narrow(w) => weights.extend_from_slice(&w.to_le_bytes()),
            Weight::Wide(w) => weights.extend_from_slice(&w.to_le_bytes()),
        });
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail.
        let _ = encoder.write_all(&weights);
        let packed = encoder.finish().unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(serde_json::to_vec(&self.info).unwrap_or_default());
        bytes.push(b'\n');
        bytes.extend(crc32fast::hash(&packed).to_le_bytes());
        bytes.extend(packed);
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are not a net of this layout, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetError::Foreign)?;
        let end = rest.iter().position(|&b| b == b'\n').ok_or(NetError::Foreign)?;
        let info: Info = serde_json::from_slice(&rest[..end]).map_err(|e| NetError::Info(e.to_string()))?;
        if info.version != VERSION {
            return Err(NetError::Version(info.version));
        }
        let damaged = |why: &str| NetError::Damaged(why.to_string());
        let (sum, packed) =
            rest[end + 1..].split_first_chunk::<4>().ok_or_else(|| damaged("it ends too early"))?;
        if crc32fast::hash(packed) != u32::from_le_bytes(*sum) {
            return Err(damaged("its checksum is wrong"));
        }
        let mut net = Net::zero(info);
        let expected = net.bytes();
        let mut weights = Vec::with_capacity(expected);
        let mut decoder = DeflateDecoder::new(packed).take(expected as u64 + 1);
        decoder.read_to_end(&mut weights).map_err(|e| NetError::Damaged(e.to_string()))?;
        if weights.len() != expected {
            return Err(NetError::Damaged(format!(
                "{} bytes of weights; expected {expected}",
                weights.len()
            )));
        }
        net.fill(&weights);
        net.check_ranges()?;
        Ok(net)
    }

    /// Size of the weights in a file, before compression.
    fn bytes(&self) -> usize {
        let mut n = 0;
        self.each(&mut |weight| {
            n += match weight {
                Weight::Byte(w) => size_of_val(w),
                Weight::Narrow(w) => size_of_val(w),
                Weight::Wide(w) => size_of_val(w),
            }
        });
        n
    }

    fn fill(&mut self, mut bytes: &[u8]) {
        self.each_mut(&mut |weight| match weight {
            Weight::Byte(w) => {
                if let Some((head, rest)) = bytes.split_first_chunk::<1>() {
                    (*w, bytes) = (i8::from_le_bytes(*head), rest);
                }
            }
            Weight::Narrow(w) => {
                if let Some((head, rest)) = bytes.split_first_chunk::<2>() {
                    (*w, bytes) = (i16::from_le_bytes(*head), rest);
                }
            }
            Weight::Wide(w) => {
                if let Some((head, rest)) = bytes.split_first_chunk::<4>() {
                    (*w, bytes) = (i32::from_le_bytes(*head), rest);
                }
            }
        });
    }

    visit_weights!(each, iter);
    visit_weights!(each_mut, iter_mut, mut);

    /// With these ranges no sum of the evaluation can overflow.
    fn check_ranges(&self) -> Result<(), NetError> {
        let rows = self.embedding.iter().flatten().flat_map(|row| row.0);
        let embedding = rows.map(|w| w.unsigned_abs()).max() <= Some(8 * EMBEDDING_ONE as u16);
        let value = self.heads.iter().flat_map(|h| h.w1.iter().chain(h.w2.iter().flatten()).chain(&h.w3));
        let policy =
            self.policy_heads.iter().flat_map(|h| h.w1.iter().chain(h.w2.iter().flatten().flatten()));
        let layers = value.chain(policy).map(|w| w.unsigned_abs());
        let biases = self.heads.iter().flat_map(|h| h.b1.iter().chain(&h.b2).chain([&h.b3]));
        let biases = biases.chain(self.policy_heads.iter().flat_map(|h| h.b1.iter().chain(&h.b2)));
        let layers = layers.max() <= Some(LARGEST_WEIGHT as u16);
        let biases = biases.map(|b| b.unsigned_abs()).max() <= Some(1 << 24);
        let scale = (1..=4096).contains(&self.info.scale);
        if embedding && layers && biases && scale {
            Ok(())
        } else {
            Err(NetError::Damaged("a weight is out of range".to_string()))
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::random::Random;

    /// A net of random weights of the size that trained ones have.
    pub fn random_net(seed: u64) -> Net {
        let mut random = Random::new(seed);
        let mut net = Net::zero(Info::new(RuleKind::Renju, 200, 0, 0, "at random".to_string()));
        net.each_mut(&mut |weight| match weight {
            Weight::Byte(w) => *w = (random.below(201) as i32 - 100) as i8,
            Weight::Narrow(w) => *w = random.below(601) as i16 - 300,
            Weight::Wide(w) => *w = random.below(20_001) as i32 - 10_000,
        });
        net
    }

    #[test]
    fn bytes_round_trip() {
        let net = random_net(1);
        assert_eq!(Net::from_bytes(&net.to_bytes()), Ok(net));
    }

    #[test]
    fn foreign_and_damaged_files_are_refused() {
        let bytes = random_net(2).to_bytes();
        assert_eq!(Net::from_bytes(b"something else"), Err(NetError::Foreign));
        let second = bytes.iter().skip(MAGIC.len()).position(|&b| b == b'\n').unwrap() + MAGIC.len();
        for at in [second + 2, second + 100, bytes.len() - 1] {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert!(matches!(Net::from_bytes(&bad), Err(NetError::Damaged(_))), "{at}");
        }
        assert!(matches!(Net::from_bytes(&bytes[..bytes.len() - 5]), Err(NetError::Damaged(_))));
        let other = Net { info: Info { version: 9, ..random_net(2).info }, ..random_net(2) };
        assert_eq!(Net::from_bytes(&other.to_bytes()), Err(NetError::Version(9)));
    }

    #[test]
    fn weights_beyond_their_range_are_refused() {
        let mut net = random_net(3);
        net.heads[1].w1[5] = LARGEST_WEIGHT + 1;
        assert!(matches!(Net::from_bytes(&net.to_bytes()), Err(NetError::Damaged(_))));
    }

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
