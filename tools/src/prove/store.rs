//! The file of a proof in work: every answer is appended at once.
//!
//! A line names the format, then come records: the length of what follows, its CRC-32 and the CRC-32 of both (four bytes
//! each, little-endian), then a JSON object in DEFLATE. The first record is the question with the net that compares moves:
//! answers of another net would mix with its own. The others are answers, or the [`Stamp`] of a library about to be
//! written: a later run may replace that library and no other file. A record that a kill
//! cut off at the end is dropped, as is one that ends in sixteen zeros or more, with the zeros behind it: a loss of power leaves
//! them in place of bytes that were never written. Any other damage is an error and changes nothing. Proofs
//! stay in the file, packed, until they are asked for. One process writes at a time.

mod packed;

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use packed::is_storable;

use super::Question;
use super::fact::{Answer, Ask, Fact};
use crate::output::Stamp;
use kagetsu::book::Key;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::eval::nets;
use kagetsu::game::notation::{parse_point, setup};
use kagetsu::game::{Point, Size};
use kagetsu::solve::proof::Proof;
use kagetsu::solve::proof_io::Flat;
use kagetsu::{disk, lock};

const MAGIC: &[u8] = b"kagetsu proof\n";
const VERSION: u32 = 1;
/// Bytes of a record before its content.
const RECORD_HEAD: usize = 12;
/// Records end in fewer zero bytes than this: the last set bit of a DEFLATE stream is among its last 70.
const ZEROS: u64 = 16;
/// Time after which an answer is written through to the device. Waiting for the device after each answer would slow down a
/// search that finds many.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file does not begin with the line of this format.
    #[error("not a state of a proof: the first line is not 'kagetsu proof'")]
    Foreign,
    /// Another process writes it.
    #[error("another process is writing it")]
    Busy,
    /// It was made for another question, or by another version.
    #[error("it belongs to another proof ({0}); expected {1}")]
    Other(String, String),
    /// Its answers are those of another net.
    #[error("its answers are of the net {0}, not of {1}; expected the program that began it, or a new state")]
    Net(String, String),
    /// A checksum is wrong, or the content makes no sense.
    #[error("damaged at byte {0}: {1}")]
    Damaged(u64, String),
    /// The search of the proof has no thread.
    #[error("the system refuses a thread ({0}); expected fewer --threads")]
    Threads(std::io::Error),
}

/// The first record.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq)]
struct Head {
    version: u32,
    rule: String,
    position: String,
    attacker: String,
    /// Name of the net; none in a file of a version that did not note it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    net: Option<String>,
}

impl Head {
    fn of(question: &Question) -> Head {
        Head {
            version: VERSION,
            rule: question.rule.to_string(),
            position: setup::print(&question.position),
            attacker: question.attacker.to_string(),
            net: Some(nets::name(question.rule).to_owned()),
        }
    }

    /// Checks that answers of this run may be added to those of a file with the head `own`.
    fn check(&self, own: &Head) -> Result<(), Error> {
        let without_net = |head: &Head| Head { net: None, ..head.clone() };
        if without_net(own) != without_net(self) {
            return Err(Error::Other(own.name(), self.name()));
        }
        match (&own.net, &self.net) {
            (Some(own), Some(net)) if own != net => Err(Error::Net(own.clone(), net.clone())),
            (None, Some(net)) => {
                log::warn!("the state does not say which net its answers are of: going on with {net}");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn name(&self) -> String {
        format!("version {}, {}, {}, {} to win", self.version, self.rule, self.position, self.attacker)
    }
}

/// An answer as it is written.
#[derive(Serialize, Deserialize)]
struct Record {
    position: String,
    ask: Ask,
    nodes: u64,
    result: Kind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    named: Vec<(String, i32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    points: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proof: Option<Flat>,
}

/// The proof of an answer, read alone.
#[derive(Deserialize)]
struct Proven {
    proof: Option<Flat>,
}

/// The library as it was written.
#[derive(Serialize, Deserialize)]
struct Saved {
    saved: Stamp,
}

/// First bytes of the record of a library. No record of an answer begins with them.
const SAVED: &[u8] = b"{\"saved\"";

#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Won,
    Open,
    Exhausted,
    Refuted,
    Moves,
}

fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}

impl Record {
    fn new(key: &Key, ask: Ask, fact: &Fact, size: Size) -> Record {
        let (result, named, points) = match &fact.answer {
            Answer::Won { replies } => (Kind::Won, Vec::new(), names(replies)),
            Answer::Open { exhausted: false, replies } => (Kind::Open, Vec::new(), names(replies)),
            Answer::Open { replies, .. } => (Kind::Exhausted, Vec::new(), names(replies)),
            Answer::Refuted => (Kind::Refuted, Vec::new(), Vec::new()),
            Answer::Moves { named, others } => {
                (Kind::Moves, named.iter().map(|(p, score)| (p.to_string(), *score)).collect(), names(others))
            }
        };
        let (position, proof) = (setup::print(&key.position(size)), fact.proof.as_ref().map(Flat::of));
        Record { position, ask, nodes: fact.nodes, result, named, points, proof }
    }

    /// The answer, without the proof.
    fn fact(&self, size: Size) -> Result<(Key, Ask, Fact), String> {
        let position = setup::parse(&self.position).map_err(|error| error.to_string())?;
        if position.size() != size {
            return Err(format!("a position on a board of {}", position.size()));
        }
        let point = |name: &String| {
            let p = parse_point(name, size).map_err(|error| error.to_string())?;
            if position.is_free(p) { Ok(p) } else { Err(format!("{name} is not free")) }
        };
        let points = self.points.iter().map(point).collect::<Result<Vec<_>, _>>()?;
        let answer = match self.result {
            Kind::Won => Answer::Won { replies: points },
            Kind::Open => Answer::Open { exhausted: false, replies: points },
            Kind::Exhausted => Answer::Open { exhausted: true, replies: points },
            Kind::Refuted => Answer::Refuted,
            Kind::Moves => {
                let named = self.named.iter().map(|(name, score)| Ok((point(name)?, *score)));
                Answer::Moves { named: named.collect::<Result<_, String>>()?, others: points }
            }
        };
        let (key, symmetry) = Key::of(&position);
        if symmetry != kagetsu::game::symmetry::Symmetry::IDENTITY {
            return Err("a position that is not in its canonical orientation".to_owned());
        }
        Ok((key, self.ask, Fact { answer, proof: None, nodes: self.nodes }))
    }
}

/// Offset of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordOffset(u64);

/// Answers found earlier, without their proofs, and the places of these in the file.
pub type Known = HashMap<(Key, Ask), (Fact, RecordOffset)>;

/// The file.
pub struct Store {
    file: disk::File,
    /// Whether the file stays when the process ends.
    is_kept: bool,
    end: u64,
    size: Size,
    saved: Vec<Stamp>,
    clock: SystemClock,
    /// The time of the last synchronisation.
    synced: Duration,
}

impl Store {
    /// Creates a file, or continues one; returns the answers it holds.
    ///
    /// # Errors
    /// If the file cannot be read or written, is not such a file, belongs to another question or net, or is damaged.
    pub fn open(path: &Path, question: &Question) -> Result<(Store, Known), Error> {
        let file = disk::File::update(path)?;
        if !lock::acquire_if_possible(file.inner()) {
            return Err(Error::Busy);
        }
        Store::of(file, true, question)
    }

    /// Creates a file without a name, which vanishes with the process.
    ///
    /// # Errors
    /// If there is no room for one.
    pub fn nameless(question: &Question) -> Result<Store, Error> {
        Ok(Store::of(disk::File::of(tempfile::tempfile()?), false, question)?.0)
    }

    fn of(mut file: disk::File, is_kept: bool, question: &Question) -> Result<(Store, Known), Error> {
        let size = question.position.size();
        let head = Head::of(question);
        let content = serde_json::to_vec(&head).map_err(std::io::Error::from)?;
        let beginning = [MAGIC, &record(&content)?].concat();
        let mut start = vec![0; beginning.len()];
        let len = read_up_to(&mut file, &mut start)?;
        let (clock, synced) = (SystemClock::new(), Duration::ZERO);
        let mut store = Store { file, is_kept, end: 0, size, saved: Vec::new(), clock, synced };
        let written = start[..len].iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
        let is_short = store.file.inner().metadata()?.len() == len as u64;
        // A file with an incomplete head has no answers yet, and is begun anew.
        if is_short && beginning.starts_with(&start[..written]) && start[..len] != beginning {
            store.file.set_len(0)?;
            store.file.seek(SeekFrom::Start(0))?;
            store.file.write_all(&beginning)?;
            store.end = beginning.len() as u64;
            store.sync()?;
            return Ok((store, Known::new()));
        }
        if !start.starts_with(MAGIC) {
            return Err(Error::Foreign);
        }
        store.end = MAGIC.len() as u64;
        let Some((place, own)) = store.next()? else {
            return Err(Error::Damaged(store.end, "there is no head".into()));
        };
        head.check(&parsed(place, &own)?)?;
        let known = store.facts()?;
        store.file.set_len(store.end)?;
        Ok((store, known))
    }

    /// All answers up to the end of the file.
    fn facts(&mut self) -> Result<Known, Error> {
        let mut known = Known::new();
        while let Some((place, content)) = self.next()? {
            if content.starts_with(SAVED) {
                self.saved.push(parsed::<Saved>(place, &content)?.saved);
                continue;
            }
            let record: Record = parsed(place, &content)?;
            let (key, ask, fact) = record.fact(self.size).map_err(|why| Error::Damaged(place.0, why))?;
            known.insert((key, ask), (fact, place));
        }
        Ok(known)
    }

    /// Returns the place and the content, without a proof, of the record at `self.end`, as
    /// [`packed`](Self::packed) does.
    fn next(&mut self) -> Result<Option<(RecordOffset, Vec<u8>)>, Error> {
        let place = RecordOffset(self.end);
        let Some(packed) = self.packed()? else { return Ok(None) };
        let content = packed::answer(&packed).map_err(|error| Error::Damaged(place.0, error.to_string()))?;
        Ok(Some((place, content)))
    }

    /// Returns the packed content of the record at `self.end`, and moves `self.end` behind it. Returns `None`
    /// at the end of the file, or if the record was not written completely.
    fn packed(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let start = self.end;
        self.file.seek(SeekFrom::Start(start))?;
        let mut head = [0; RECORD_HEAD];
        if read_up_to(&mut self.file, &mut head)? < RECORD_HEAD {
            return Ok(None);
        }
        let word = |i: usize| u32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]);
        if crc32fast::hash(&head[..8]) != word(8) {
            return self.unwritten(start + RECORD_HEAD as u64);
        }
        let mut packed = Vec::new();
        (&mut self.file).take(word(0).into()).read_to_end(&mut packed)?;
        if packed.len() < word(0) as usize {
            return Ok(None);
        }
        let end = start + (RECORD_HEAD + packed.len()) as u64;
        if crc32fast::hash(&packed) != word(4) {
            return self.unwritten(end);
        }
        self.end = end;
        Ok(Some(packed))
    }

    /// Decides about the record from `self.end` to `end`, whose checksum is wrong. Returns `None` if it was
    /// not written completely: it is all zeros, or ends in more of them than any record does, and the rest of
    /// the file is zeros. Otherwise the record is damaged.
    fn unwritten(&mut self, end: u64) -> Result<Option<Vec<u8>>, Error> {
        let len = self.file.inner().metadata()?.len();
        let zeros = len.saturating_sub(ZEROS).max(self.end);
        self.file.seek(SeekFrom::Start(zeros.min(end - 1)))?;
        let mut buffer = [0; 1 << 12];
        loop {
            match self.file.read(&mut buffer)? {
                0 => return Ok(None),
                read if buffer[..read].iter().all(|&b| b == 0) => {}
                _ => return Err(Error::Damaged(self.end, "a checksum is wrong".into())),
            }
        }
    }

    /// Writes an answer.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, key: &Key, ask: Ask, fact: &Fact) -> Result<RecordOffset, Error> {
        self.put(&Record::new(key, ask, fact, self.size))
    }

    /// Writes that a library with this content is about to be written. After a kill the library may be there or not.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append_saved(&mut self, saved: Stamp) -> Result<(), Error> {
        if !self.saved.contains(&saved) {
            self.put(&Saved { saved })?;
            self.sync()?;
            self.saved.push(saved);
        }
        Ok(())
    }

    /// The libraries that were written, or about to be.
    pub fn saved(&self) -> &[Stamp] {
        &self.saved
    }

    fn put(&mut self, content: &impl Serialize) -> Result<RecordOffset, Error> {
        let place = RecordOffset(self.end);
        let bytes = record(&serde_json::to_vec(content).map_err(std::io::Error::from)?)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&bytes)?;
        self.end += bytes.len() as u64;
        if self.clock.now() - self.synced >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(place)
    }

    /// Waits until the device has all answers, so that no loss of power costs any of them.
    ///
    /// # Errors
    /// If the device does not take them.
    pub fn sync(&mut self) -> Result<(), Error> {
        if self.is_kept {
            self.file.sync_data()?;
        }
        self.synced = self.clock.now();
        Ok(())
    }

    /// Returns the proof of the answer at a place.
    ///
    /// # Errors
    /// If the file cannot be read, or has no proof there.
    pub fn proof(&mut self, place: RecordOffset) -> Result<Proof, Error> {
        let damaged = |why: String| Error::Damaged(place.0, why);
        let end = std::mem::replace(&mut self.end, place.0);
        let packed = self.packed();
        self.end = end;
        let none = || damaged("there is no proof".into());
        let packed = packed?.ok_or_else(none)?;
        let Proven { proof } = packed::read(&packed).map_err(|error| damaged(error.to_string()))?;
        proof.ok_or_else(none)?.proof().map_err(|error| damaged(error.to_string()))
    }
}

fn parsed<T: for<'a> Deserialize<'a>>(place: RecordOffset, content: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(content).map_err(|error| Error::Damaged(place.0, error.to_string()))
}

/// A record with this content.
fn record(content: &[u8]) -> Result<Vec<u8>, std::io::Error> {
    let packed = packed::pack(content)?;
    let mut bytes = Vec::with_capacity(RECORD_HEAD + packed.len());
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&packed).to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(packed);
    Ok(bytes)
}

/// Reads until the buffer is full or the file ends; returns the number of bytes read.
fn read_up_to(file: &mut disk::File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read(&mut buffer[read..])? {
            0 => break,
            n => read += n,
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests;
