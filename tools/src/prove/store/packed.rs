//! The content of records: JSON objects in DEFLATE. A small file may unpack to any size, so that all of it is
//! read within bounds, and a proof is unpacked only when it is asked for.

use std::io::{self, BufReader, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::de::DeserializeOwned;

use kagetsu::solve::proof::{After, Proof, TurnId};

/// Most bytes of a record without its proof. On the largest board, of 484 points, an answer has 507 for the
/// position, at most 6 for a point without a score and 20 for one with a score, and fewer than 200 besides.
pub const ANSWER: u64 = 1 << 14;
/// Most turns and replies of a proof that is kept: more than the nodes of the largest search for a win.
const PARTS: usize = 1 << 22;
/// Most bytes of a turn or a reply of a proof in a record.
const PART: usize = r#"{"move":"v22","five":false,"replies":[],"otherwise":4194303},"#.len();
/// Most bytes of a record.
const RECORD: u64 = 1 << 28;
const _: () = assert!((PARTS * PART) as u64 + ANSWER <= RECORD);
/// Start of the proof, which comes last in a record. A text within a value cannot have it, for its quotes
/// would be escaped.
const PROOF: &[u8] = b",\"proof\":";

/// Returns whether a record has room for a proof.
pub fn is_storable(proof: &Proof) -> bool {
    let parts = |turn: TurnId| match &proof.turns().get(turn).after {
        After::Five => 1,
        After::Replies { listed, .. } => 1 + listed.len(),
    };
    proof.order().into_iter().map(parts).sum::<usize>() <= PARTS
}

/// Packs a content.
pub fn pack(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content)?;
    encoder.finish()
}

/// Unpacks a record without its proof.
pub fn answer(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    DeflateDecoder::new(packed).take(ANSWER + 1).read_to_end(&mut text)?;
    if let Some(end) = text.windows(PROOF.len()).position(|part| part == PROOF) {
        text.truncate(end);
        text.push(b'}');
    } else if text.len() as u64 > ANSWER {
        return Err(too_long("without a proof", ANSWER));
    }
    Ok(text)
}

/// Reads a record piece by piece: parts that the value does not have take no memory.
pub fn read<T: DeserializeOwned>(packed: &[u8]) -> serde_json::Result<T> {
    read_up_to(packed, RECORD)
}

fn read_up_to<T: DeserializeOwned>(packed: &[u8], most: u64) -> serde_json::Result<T> {
    let content = Bounded { content: DeflateDecoder::new(packed), read: 0, most };
    serde_json::from_reader(BufReader::new(content))
}

fn too_long(what: &str, most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the record has more than {most} bytes {what}"))
}

/// A content that fails when it is too long.
struct Bounded<R> {
    content: R,
    read: u64,
    most: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.read += read as u64;
        if self.read > self.most { Err(too_long("unpacked", self.most)) } else { Ok(read) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use kagetsu::game::Point;
    use kagetsu::solve::proof::Turns;
    use kagetsu::solve::proof_io::Flat;

    use super::*;

    fn end() -> (Turns, TurnId) {
        let mut turns = Turns::default();
        let end = turns.push(Point::new(21, 21), After::Five);
        (turns, end)
    }

    /// The bound on a part of a proof is that of the format.
    #[test]
    fn parts_of_a_proof_are_as_long_as_was_assumed() {
        let (mut turns, end) = end();
        let replies = After::Replies { listed: vec![(Point::new(20, 21), end)], otherwise: Some(end) };
        let root = turns.push(Point::new(21, 21), replies);
        let flat = serde_json::to_string(&Flat::of(&Proof::new(turns, root))).unwrap();
        let root = r#"{"move":"v22","five":false,"replies":[["u22",1]],"otherwise":1}"#;
        let end = r#"{"move":"v22","five":true,"replies":[],"otherwise":null}"#;
        assert_eq!(flat, format!("[{root},{end}]"));
        let (reply, index) = (r#"["u22",4194303],"#.len(), "4194303".len());
        assert!(reply < PART && end.len() < PART && PARTS - 1 < 10_usize.pow(index as u32));
    }

    #[test]
    fn a_proof_that_no_record_holds_is_refused() {
        // A turn of many replies, all of which lead to one end.
        for (replies, fits) in [(PARTS - 2, true), (PARTS - 1, false)] {
            let (mut turns, end) = end();
            let listed = vec![(Point::new(0, 0), end); replies];
            let root = turns.push(Point::new(1, 0), After::Replies { listed, otherwise: None });
            assert_eq!(is_storable(&Proof::new(turns, root)), fits, "{replies}");
        }
    }

    #[test]
    fn contents_are_read_up_to_their_bounds() {
        let blanks = |count: usize, more: &str| pack(format!("{{{}{more}}}", " ".repeat(count)).as_bytes());
        let most = ANSWER as usize - 2;
        assert_eq!(answer(&blanks(most, "").unwrap()).unwrap().len(), ANSWER as usize);
        let error = answer(&blanks(most + 1, "").unwrap()).unwrap_err().to_string();
        assert_eq!(error, "the record has more than 16384 bytes without a proof");
        // The proof is not unpacked, whatever it is.
        let proof = format!("\"ask\":1,\"proof\":[{}", " ".repeat(1 << 20));
        assert_eq!(answer(&blanks(1, &proof).unwrap()).unwrap(), b"{ \"ask\":1}");

        let long = blanks(1000, "\"ask\":1").unwrap();
        assert_eq!(read_up_to::<Value>(&long, 1009).unwrap()["ask"], 1);
        let error = read_up_to::<Value>(&long, 1008).unwrap_err().to_string();
        assert_eq!(error, "the record has more than 1008 bytes unpacked");
    }
}
