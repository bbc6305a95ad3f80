//! File format of a net.
//!
//! A file consists of a line that names the format, a line of JSON ([`Info`]), the CRC-32 of all that follows (four
//! bytes, little-endian), and the weights, compressed by DEFLATE: little-endian numbers in the order of the fields of
//! [`Net`]. A file that is damaged, of another layout, or has weights out of range is rejected. The checksum does not
//! cover the description.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::{Info, Net, NetError};
use crate::eval::arch::{EMBEDDING_ONE, HIDDEN, LARGEST_BIAS, LARGEST_WEIGHT, POLICY_OUTPUTS, SECOND};

/// First line of a file.
const MAGIC: &[u8] = b"kagetsu net\n";
/// Version of the layout.
pub const VERSION: u32 = 3;
/// Version of the layout whose second layer has no squares as inputs. Such nets are read, with weights of 0 for them.
pub const WITHOUT_SQUARES: u32 = 2;

/// Largest file accepted; nets are far smaller.
const LARGEST_FILE: u64 = 16 << 20;

/// Reads the bytes of a net's file, or enough of them to see that it is too large to be one.
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST_FILE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reference to a weight of 8, 16 or 32 bits.
enum Weight<B, N, W> {
    Byte(B),
    Narrow(N),
    Wide(W),
}

/// Defines a function that visits every weight in the order of the file, by shared or by exclusive references, with the
/// first `second` inputs of the value's second layer. So the order is written down only once.
macro_rules! visit_weights {
    ($name:ident, $iter:ident $(, $mut:tt)?) => {
        fn $name(
            &$($mut)? self,
            second: usize,
            visit: &mut dyn FnMut(Weight<&$($mut)? i8, &$($mut)? i16, &$($mut)? i32>),
        ) {
            for row in self.embedding.$iter().flatten() {
                row.0.$iter().for_each(|w| visit(Weight::Narrow(w)));
            }
            for pair in self.linear.$iter().chain(self.moves.$iter()).flatten() {
                pair.$iter().for_each(|w| visit(Weight::Narrow(w)));
            }
            for head in self.heads.$iter() {
                head.w1.$iter().for_each(|w| visit(Weight::Narrow(w)));
                head.b1.$iter().for_each(|w| visit(Weight::Wide(w)));
                for row in head.w2.$iter() {
                    row.$iter().take(second).for_each(|w| visit(Weight::Narrow(w)));
                }
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

impl Info {
    /// Reads only the description from the bytes of a file.
    ///
    /// # Errors
    /// If they are not a net of this layout.
    pub fn from_bytes(bytes: &[u8]) -> Result<Info, NetError> {
        read_info(bytes).map(|(info, _)| info)
    }
}

/// Splits a file into its description and the bytes after it.
fn read_info(bytes: &[u8]) -> Result<(Info, &[u8]), NetError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NetError::Foreign)?;
    let end = rest.iter().position(|&b| b == b'\n').ok_or(NetError::Foreign)?;
    let info: Info = serde_json::from_slice(&rest[..end]).map_err(|e| NetError::Info(e.to_string()))?;
    if ![VERSION, WITHOUT_SQUARES].contains(&info.version) {
        return Err(NetError::Version(info.version));
    }
    Ok((info, &rest[end + 1..]))
}

impl Net {
    /// Returns a short name: the rule, and the CRC-32 of the weights.
    pub fn name(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        // Every number enters the checksum with 32 bits.
        self.each(SECOND, &mut |weight| match weight {
            Weight::Byte(&w) => hasher.update(&i32::from(w).to_le_bytes()),
            Weight::Narrow(&w) => hasher.update(&i32::from(w).to_le_bytes()),
            Weight::Wide(&w) => hasher.update(&w.to_le_bytes()),
        });
        format!("{}-{:08x}", self.info.rule, hasher.finalize())
    }

    /// Returns the net as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes_with(SECOND)
    }

    fn bytes_with(&self, second: usize) -> Vec<u8> {
        let mut weights = Vec::new();
        self.each(second, &mut |weight| match weight {
            Weight::Byte(w) => weights.extend_from_slice(&w.to_le_bytes()),
            Weight::Narrow(w) => weights.extend_from_slice(&w.to_le_bytes()),
            Weight::Wide(w) => weights.extend_from_slice(&w.to_le_bytes()),
        });
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        // Writing to memory cannot fail.
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
        let (info, rest) = read_info(bytes)?;
        let second = if info.version == WITHOUT_SQUARES { HIDDEN } else { SECOND };
        let damaged = |why: &str| NetError::Damaged(why.to_string());
        let (sum, packed) = rest.split_first_chunk::<4>().ok_or_else(|| damaged("it ends too early"))?;
        if crc32fast::hash(packed) != u32::from_le_bytes(*sum) {
            return Err(damaged("its checksum is wrong"));
        }
        let mut net = Net::zero(Info { version: VERSION, ..info });
        let expected = net.bytes(second);
        let mut weights = Vec::with_capacity(expected);
        let mut decoder = DeflateDecoder::new(packed).take(expected as u64 + 1);
        decoder.read_to_end(&mut weights).map_err(|e| NetError::Damaged(e.to_string()))?;
        if weights.len() != expected {
            return Err(NetError::Damaged(format!(
                "{} bytes of weights; expected {expected}",
                weights.len()
            )));
        }
        net.fill(second, &weights);
        net.check_ranges()?;
        Ok(net)
    }

    /// Returns the size of the uncompressed weights in bytes.
    fn bytes(&self, second: usize) -> usize {
        let mut n = 0;
        self.each(second, &mut |weight| {
            n += match weight {
                Weight::Byte(w) => size_of_val(w),
                Weight::Narrow(w) => size_of_val(w),
                Weight::Wide(w) => size_of_val(w),
            }
        });
        n
    }

    fn fill(&mut self, second: usize, mut bytes: &[u8]) {
        self.each_mut(second, &mut |weight| match weight {
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

    /// Checks that every weight is within its range, so that no sum of the evaluation can overflow.
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
        let biases = biases.map(|b| b.unsigned_abs()).max() <= Some(LARGEST_BIAS as u32);
        let scale = (1..=4096).contains(&self.info.scale);
        if embedding && layers && biases && scale {
            Ok(())
        } else {
            Err(NetError::Damaged("a weight is out of range".to_string()))
        }
    }
}

#[cfg(test)]
pub(in crate::eval) mod tests {
    use super::*;
    use crate::game::RuleKind;
    use crate::random::{Random, RngExt, SeedableRng};

    /// Returns a net of random weights, as large as trained ones.
    pub fn random_net(seed: u64) -> Net {
        let mut random = Random::seed_from_u64(seed);
        let mut net = Net::zero(Info::new(RuleKind::Renju, 200, 0, 0, "at random".to_string()));
        net.each_mut(SECOND, &mut |weight| match weight {
            Weight::Byte(w) => *w = random.random_range(-100..=100i8),
            Weight::Narrow(w) => *w = random.random_range(-300..=300i16),
            Weight::Wide(w) => *w = random.random_range(-10_000..=10_000i32),
        });
        net
    }

    /// Returns a net whose layers and biases are at the ends of their ranges: of four weights, `highest` on average are at the
    /// upper end.
    pub fn extreme_net(seed: u64, highest: u32) -> Net {
        let mut random = Random::seed_from_u64(seed);
        let mut net = Net::zero(Info::new(RuleKind::Renju, 4096, 0, 0, "at the ends".to_string()));
        net.each_mut(SECOND, &mut |weight| {
            let high = random.random_ratio(highest, 4);
            match weight {
                Weight::Byte(w) => *w = if high { i8::MAX } else { i8::MIN },
                Weight::Narrow(w) => *w = if high { LARGEST_WEIGHT } else { -LARGEST_WEIGHT },
                Weight::Wide(w) => *w = if high { LARGEST_BIAS } else { -LARGEST_BIAS },
            }
        });
        net
    }

    #[test]
    fn bytes_round_trip() {
        let net = random_net(1);
        assert_eq!(Net::from_bytes(&net.to_bytes()), Ok(net));
    }

    #[test]
    fn a_net_without_squares_is_read_with_weights_of_zero() {
        let net = random_net(4);
        let old = Net { info: Info { version: WITHOUT_SQUARES, ..net.info.clone() }, ..net.clone() };
        let mut expected = net;
        for row in expected.heads.iter_mut().flat_map(|head| &mut head.w2) {
            row[HIDDEN..].fill(0);
        }
        assert_eq!(Net::from_bytes(&old.bytes_with(HIDDEN)), Ok(expected));
        assert!(matches!(Net::from_bytes(&old.to_bytes()), Err(NetError::Damaged(_))));
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
}
