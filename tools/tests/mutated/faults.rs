//! Every step of every state file fails once, in three ways: opening, each write, each synchronisation, each cut. After
//! any failure the file is read again. It must have everything acknowledged and nothing that was not written, and must
//! accept further items.

use std::fs;
use std::path::Path;

use kagetsu::book::{Entry, Journal as BookJournal, Key, Recipe};
use kagetsu::disk::faults::{self, Fault};
use kagetsu::game::{Color, RuleKind, Size, notation};
use kagetsu_tools::arena::record::GameRecord;
use kagetsu_tools::prove::Question;
use kagetsu_tools::prove::fact::{Answer, Ask, Fact as Found};
use kagetsu_tools::prove::store::Store;
use kagetsu_tools::runs::journal::Journal;
use kagetsu_tools::selfplay::game::Game;
use kagetsu_tools::selfplay::store::{Head, Reader, Writer};

use crate::{attacks::memory, sample_games};

/// Adds items of these numbers to a file until something fails. Returns the acknowledged ones.
type Add<'a> = &'a dyn Fn(&Path, &[u64]) -> Vec<u64>;
/// Returns the numbers of a file's items. It opens the file to continue it first, which cuts off an interrupted write.
type Read<'a> = &'a dyn Fn(&Path) -> Result<Vec<u64>, String>;

/// Makes each step fail in turn, on a new file and on one with two items. Returns the number of steps.
fn every_step(name: &str, add: Add<'_>, read: Read<'_>) -> u64 {
    let mut points = 0;
    for fault in [Fault::Once, Fault::Lasting, Fault::Torn] {
        for before in [&[][..], &[1, 2]] {
            for step in 1.. {
                let dir = memory::folder().unwrap();
                let path = dir.path().join("file");
                if !before.is_empty() {
                    assert_eq!(add(&path, before), before);
                }
                faults::arm(step, fault);
                let acknowledged = add(&path, &[3, 4, 5]);
                let taken = faults::disarm();
                let what = format!("{name}, {fault:?} at step {step} of {taken}, {} before", before.len());
                let found = read(&path).unwrap_or_else(|error| panic!("{what}: {error}"));
                let kept = [before, &acknowledged].concat();
                assert!(found.starts_with(&kept), "{what}: {kept:?} were acknowledged, {found:?} are there");
                assert!([before, &[3, 4, 5]].concat().starts_with(&found), "{what}: {found:?}");
                // It goes on.
                let rest: Vec<u64> = (3..=5).filter(|n| !found.contains(n)).collect();
                assert_eq!(add(&path, &rest), rest, "{what}");
                assert_eq!(read(&path).unwrap(), [before, &[3, 4, 5]].concat(), "{what}");
                assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{what}: nothing lies beside it");
                if step > taken {
                    assert_eq!(acknowledged, [3, 4, 5], "{what}");
                    break;
                }
                points += 1;
            }
        }
    }
    assert!(points >= 3 * 2 * 4, "{name}: {points} points");
    points
}

#[test]
fn games_of_self_play() {
    let games: Vec<Game> = sample_games(6);
    let head = Head::new("caro", 9, 100, 1, "hand");
    let add = |path: &Path, numbers: &[u64]| {
        let mut done = Vec::new();
        let Ok((mut writer, _)) = Writer::open(path, &head) else { return done };
        for &n in numbers {
            match writer.append(&[Game { number: n, ..games[n as usize].clone() }]) {
                Ok(()) => done.push(n),
                Err(_) => break,
            }
        }
        done
    };
    let read = |path: &Path| {
        Writer::open(path, &head).map_err(|error| error.to_string())?;
        let reader = Reader::open(path).map_err(|error| error.to_string())?;
        reader.map(|game| game.map(|game| game.number).map_err(|error| error.to_string())).collect()
    };
    every_step("self-play", &add, &read);
}

#[test]
fn parts_of_books() {
    let size = Size::new(9).unwrap();
    let recipe = Recipe::new(RuleKind::Caro, size, "x");
    let texts = ["", "e5", "e5e6", "e5f6", "e5e6e7", "e5f6g7"];
    let key = |n: u64| Key::of(&notation::parse(texts[n as usize], Some(size)).unwrap()).0;
    let add = |path: &Path, numbers: &[u64]| {
        let mut done = Vec::new();
        let Ok((mut journal, _)) = BookJournal::open(path, &recipe) else { return done };
        for &n in numbers {
            match journal.append(&key(n), &Entry::new(5, n as u8, false, 100, Vec::new())) {
                Ok(()) => done.push(n),
                Err(_) => break,
            }
        }
        done
    };
    let read = |path: &Path| {
        let (_, section) = BookJournal::open(path, &recipe).map_err(|error| error.to_string())?;
        let mut numbers: Vec<u64> = section.entries.values().map(|entry| entry.depth.into()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    };
    every_step("book", &add, &read);
}

#[test]
fn states_of_proofs() {
    let position = notation::parse("h8a1h9a2", None).unwrap();
    let question = Question { rule: RuleKind::Renju, position: position.clone(), attacker: Color::Black };
    let key = Key::of(&position).0;
    let add = |path: &Path, numbers: &[u64]| {
        let mut done = Vec::new();
        let Ok((mut store, _)) = Store::open(path, &question) else { return done };
        for &n in numbers {
            let fact = Found { answer: Answer::Refuted, proof: None, nodes: n };
            match store.append(&key, Ask::Win(n as usize), &fact) {
                Ok(_) => done.push(n),
                Err(_) => break,
            }
        }
        done
    };
    let read = |path: &Path| {
        let (_, known) = Store::open(path, &question).map_err(|error| error.to_string())?;
        let mut numbers: Vec<u64> = known.values().map(|(fact, _)| fact.nodes).collect();
        numbers.sort_unstable();
        Ok(numbers)
    };
    every_step("proof", &add, &read);
}

#[test]
fn journals_of_tournaments() {
    let record = |n: u64| -> GameRecord {
        let text = format!(
            r#"{{"game":{n},"black":"a","white":"b","rule":"renju","size":15,"opening":1,"regulation":null,"start":"","moves":[],"result":"1-0","end":"five","detail":"","warnings":[]}}"#
        );
        serde_json::from_str(&text).unwrap()
    };
    let add = |path: &Path, numbers: &[u64]| {
        let mut done = Vec::new();
        let opened = match path.exists() {
            true => Journal::open(path).map(|(journal, _)| journal),
            false => Journal::create(path),
        };
        let Ok(mut journal) = opened else { return done };
        for &n in numbers {
            match journal.append(&record(n)) {
                Ok(()) => done.push(n),
                Err(_) => break,
            }
        }
        done
    };
    let read = |path: &Path| {
        if !path.exists() {
            return Ok(Vec::new());
        }
        let (_, games) = Journal::<GameRecord>::open(path).map_err(|error| error.to_string())?;
        Ok(games.iter().map(|game| game.game).collect())
    };
    every_step("tournament", &add, &read);
}
