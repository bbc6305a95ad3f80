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

/// Makes a file without answers whose head names this net.
fn file_of_net(path: &Path, net: Option<&str>) -> Vec<u8> {
    let head = Head { net: net.map(str::to_owned), ..Head::of(&question()) };
    let bytes = [MAGIC, &record(&serde_json::to_vec(&head).unwrap()).unwrap()].concat();
    fs::write(path, &bytes).unwrap();
    bytes
}

/// A version that did not note the net has left files, and their answers are worth keeping.
#[test]
fn a_search_goes_on_with_its_own_net() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("state");
    let bytes = file_of_net(&path, Some("renju-of-another-year"));
    let said = answers(&path).unwrap_err().to_string();
    let own = nets::name(RuleKind::Renju);
    let expected = format!("its answers are of the net renju-of-another-year, not of {own}; expected");
    assert!(said.contains(&expected), "{said}");
    assert!(fs::read(&path).unwrap() == bytes, "it is left as it was");
    for net in [Some(own), None] {
        file_of_net(&path, net);
        append(&mut Store::open(&path, &question()).unwrap().0, 1);
        assert_eq!(answers(&path).unwrap(), 1, "{net:?}");
    }
}

/// Checks that a file is refused and stays as it is.
fn check_damaged(path: &Path, bytes: &[u8], what: &str) {
    fs::write(path, bytes).unwrap();
    assert!(matches!(answers(path), Err(Error::Damaged(..))), "{what}");
    assert!(fs::read(path).unwrap() == bytes, "{what}");
}

#[test]
fn answers_before_bytes_that_were_never_written_are_kept() {
    let dir = crate::runs::memory::folder().unwrap();
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
    let dir = crate::runs::memory::folder().unwrap();
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

/// A file of one record with this content.
fn file_of(content: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("state");
    drop(Store::open(&path, &question()).unwrap());
    let bytes = [fs::read(&path).unwrap(), record(content.as_bytes()).unwrap()].concat();
    fs::write(&path, bytes).unwrap();
    (dir, path)
}

/// A small file may unpack to any size.
#[test]
fn only_as_much_is_unpacked_as_an_answer_has() {
    let key = Key::of(&question().position).0;
    let position = setup::print(&key.position(Size::S15));
    let answer = |more: &str| {
        format!(r#"{{"position":"{position}","ask":{{"win":0}},"nodes":1,"result":"won"{more}}}"#)
    };
    let (_dir, path) = file_of(&answer(&" ".repeat(16_000)));
    assert_eq!(answers(&path).unwrap(), 1);
    let (_dir, path) = file_of(&answer(&" ".repeat(17_000)));
    let said = answers(&path).unwrap_err().to_string();
    assert!(said.ends_with(": the record has more than 16384 bytes without a proof"), "{said}");

    // The text in place of a proof is read when the proof is asked for.
    let (_dir, path) = file_of(&answer(&format!(r#","proof":[{}]"#, " ".repeat(1 << 20))));
    let (mut store, known) = Store::open(&path, &question()).unwrap();
    let (fact, place) = &known[&(key, Ask::Win(0))];
    assert_eq!((fact.nodes, &fact.answer), (1, &Answer::Won { replies: Vec::new() }));
    assert!(matches!(store.proof(*place), Err(Error::Damaged(..))));
}

#[test]
fn proofs_come_back() {
    use kagetsu::solve::proof::{After, Turns};

    let key = Key::of(&question().position).0;
    let mut turns = Turns::default();
    let end = turns.push(Point::new(3, 4), After::Five);
    let replies = After::Replies { listed: vec![(Point::new(5, 5), end)], otherwise: Some(end) };
    let root = turns.push(Point::new(7, 3), replies);
    let proof = Proof::new(turns, root);
    let fact = Fact { answer: Answer::Won { replies: Vec::new() }, proof: Some(proof.clone()), nodes: 9 };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("state");
    let mut store = Store::open(&path, &question()).unwrap().0;
    store.append(&key, Ask::Win(1), &fact).unwrap();
    append(&mut store, 2);
    drop(store);
    let (mut store, known) = Store::open(&path, &question()).unwrap();
    let place = |ask| known[&(key.clone(), ask)].1;
    assert_eq!(store.proof(place(Ask::Win(1))).unwrap(), proof);
    let said = store.proof(place(Ask::Win(2))).unwrap_err().to_string();
    assert!(said.ends_with(": there is no proof"), "{said}");
    // The file goes on behind its last answer, wherever a proof was read.
    append(&mut store, 3);
    drop(store);
    assert_eq!(answers(&path).unwrap(), 3);
}

/// On the largest board, with the longest names and numbers.
#[test]
fn the_longest_answer_is_within_its_bound() {
    let size = Size::new(kagetsu::game::MAX_SIZE).unwrap();
    let key = Key::of(&kagetsu::game::Position::new(size)).0;
    let points = vec![Point::new(21, 21); size.area()];
    let named = points.iter().map(|&p| (p, i32::MIN)).collect();
    for answer in [Answer::Moves { named, others: Vec::new() }, Answer::Won { replies: points }] {
        let fact = Fact { answer, proof: None, nodes: u64::MAX };
        let record = Record { position: "x".repeat(507), ..Record::new(&key, Ask::Win(3), &fact, size) };
        let len = serde_json::to_vec(&record).unwrap().len() as u64;
        assert!((2_000..=packed::ANSWER).contains(&len), "{len}");
    }
}
