//! Files that a loss of power left, and damaged ones.

use std::fs;
use std::path::PathBuf;
use std::thread;

use kagetsu::disk::faults::{self, Fault};
use kagetsu::game::{Color, RuleKind, notation};

use super::*;

fn question() -> Question {
    let position = notation::parse("h8a1h9a2", None).unwrap();
    Question { rule: RuleKind::Renju, position, attacker: Color::Black }
}

fn append(store: &mut Store, number: usize) {
    let key = Key::of(&question().position).0;
    let fact = Fact { answer: Answer::Refuted, proof: None, nodes: number as u64 };
    store.append(&key, Ask::Win(number), &fact).unwrap();
}

/// A file of four answers, its bytes, and where they end: the head and each answer.
fn file(folder: &Path) -> (PathBuf, Vec<u8>, Vec<usize>) {
    let path = folder.join("state");
    let mut store = Store::open(&path, &question()).unwrap().0;
    let mut ends = vec![store.end as usize];
    for number in 1..=4 {
        append(&mut store, number);
        ends.push(store.end as usize);
    }
    drop(store);
    let bytes = fs::read(&path).unwrap();
    (path, bytes, ends)
}

/// Returns the number of answers in a file.
fn answers(path: &Path) -> Result<usize, Error> {
    Store::open(path, &question()).map(|(_, known)| known.len())
}

/// Checks that a file is refused and stays as it is.
fn check_damaged(path: &Path, bytes: &[u8], what: &str) {
    fs::write(path, bytes).unwrap();
    assert!(matches!(answers(path), Err(Error::Damaged(..))), "{what}");
    assert!(fs::read(path).unwrap() == bytes, "{what}");
}

#[test]
fn answers_before_bytes_that_were_never_written_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let (path, bytes, ends) = file(dir.path());
    for at in ends[0]..=bytes.len() {
        // The zeros may go on behind the answer that was being written.
        for behind in [20, 10_000] {
            let left = [&bytes[..at], &vec![0; bytes.len() - at + behind]].concat();
            fs::write(&path, &left).unwrap();
            let whole = ends.iter().filter(|&&end| left[..end] == bytes[..end]).count() - 1;
            let (mut store, known) = Store::open(&path, &question()).unwrap();
            assert_eq!(known.len(), whole, "{at}");
            append(&mut store, 9);
            drop(store);
            assert_eq!(answers(&path).unwrap(), whole + 1, "{at}");
        }
    }
    // A file without an answer may be cut anywhere.
    for at in 0..ends[0] {
        let head = [&bytes[..at], &vec![0; ends[0] - at]].concat();
        fs::write(&path, head).unwrap();
        assert_eq!(answers(&path).unwrap(), 0, "{at}");
        assert!(fs::read(&path).unwrap() == bytes[..ends[0]], "{at}");
    }
}

#[test]
fn damage_is_not_taken_for_bytes_that_were_never_written() {
    let dir = tempfile::tempdir().unwrap();
    let (path, bytes, ends) = file(dir.path());
    for at in ends[0]..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        check_damaged(&path, &damaged, &format!("byte {at}"));
    }
    // Zeros with an answer behind them, and an answer that is damaged before zeros.
    let mut damaged = bytes.clone();
    damaged[ends[2]..ends[3]].fill(0);
    check_damaged(&path, &damaged, "zeros inside");
    let mut damaged = [&bytes[..], &[0; 100]].concat();
    damaged[ends[1] + RECORD_HEAD] ^= 4;
    check_damaged(&path, &damaged, "damage inside");
}

#[test]
fn answers_come_to_the_device() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("state");
    let steps_of = |work: &mut dyn FnMut()| {
        faults::arm(u64::MAX, Fault::Once);
        work();
        faults::disarm()
    };
    let mut store = Store::open(&path, &question()).unwrap().0;
    let mut nameless = Store::nameless(&question()).unwrap();
    // A write and a synchronisation, at least.
    let saved = Stamp { len: 1, crc: 1 };
    assert!(steps_of(&mut || store.append_saved(saved).unwrap()) >= 2);
    thread::sleep(SYNC_EVERY);
    assert_eq!(steps_of(&mut || append(&mut store, 1)), 2);
    assert_eq!(steps_of(&mut || store.sync().unwrap()), 1);
    assert_eq!(steps_of(&mut || append(&mut nameless, 1)), 1);
    faults::arm(1, Fault::Once);
    let synced = store.sync();
    faults::disarm();
    assert!(matches!(synced, Err(Error::Io(_))));
}
