//! The short form of fuzzing, on stable Rust: every reader gets some thousand damaged files, made from whole ones by small
//! changes. `scripts/fuzz.sh` does the same for hours, guided by coverage.

mod attacks;
mod faults;

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use kagetsu::book::{Candidate, Entry, Journal, Key, Recipe};
use kagetsu::clock::SystemClock;
use kagetsu::eval::nets;
use kagetsu::game::{Board, Color, Freestyle, Point, RuleKind, Size, notation};
use kagetsu::random::{Random, RngExt, SeedableRng};
use kagetsu::solve::proof_io::{Flat, to_sgf};
use kagetsu::solve::{Budget, Vcf, Verdict};
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::record::Format;
use kagetsu_tools::selfplay::game::{Choice, Ending, Exploration, Game, Ply};
use kagetsu_tools::selfplay::play::{Recipe as SelfPlay, player};
use kagetsu_tools::selfplay::store::{Head, write};
use kagetsu_tools::sift::settings::Settings;

use crate::attacks::memory;

/// Bytes that mean something to some reader.
const TOKENS: [&[u8]; 24] = [
    b"(;",
    b")",
    b"[",
    b"]",
    b"\\",
    b";B[hh]",
    b"AB",
    b"SZ[",
    b"\n",
    b"\r\n",
    b"h8",
    b"--",
    b"-1\n",
    b"8,8,0\n",
    b"<game>",
    b"</game>",
    b"<move>",
    b"&#x",
    b"\"",
    b"\x00\x00",
    b"\xff\xff\xff\xff",
    b"\x01\x00\x00\x00",
    b"{",
    b"}",
];

/// Changes, removes, doubles and inserts some bytes.
fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.random_range(..4usize) {
        let len = bytes.len();
        let at = random.random_range(..len + 1);
        let end = (at + 1 + random.random_range(..24usize)).min(len);
        match random.random_range(..7usize) {
            0 if at < len => bytes[at] ^= 1 << random.random_range(..8usize),
            1 if at < len => bytes[at] = random.random_range(..256usize) as u8,
            2 => bytes.truncate(at),
            3 if at < end => drop(bytes.drain(at..end)),
            4 if at < end => {
                let copy = bytes[at..end].to_vec();
                let to = random.random_range(..len + 1);
                bytes.splice(to..to, copy);
            }
            5 => drop(bytes.splice(at..at, TOKENS[random.random_range(..TOKENS.len())].iter().copied())),
            _ if at < len => {
                bytes[at] = bytes[at].wrapping_add(random.random_range(..3usize) as u8).wrapping_sub(1)
            }
            _ => {}
        }
    }
    bytes
}

/// Attacks with this number of changed copies of whole inputs.
fn attack(name: &str, seeds: &[Vec<u8>], count: usize, target: impl Fn(&[u8])) {
    let mut random = Random::seed_from_u64(name.bytes().map(u64::from).sum());
    seeds.iter().for_each(|seed| target(seed));
    for _ in 0..count {
        let seed = &seeds[random.random_range(..seeds.len())];
        target(&mutate(seed, &mut random));
    }
}

fn data(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)).unwrap()
}

#[test]
fn game_files() {
    let sgf = b"(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[4]RE[W+1]PB[a\\]b]AB[hh][gg:hi]AE[aa];W[hg]C[x\ny]LB[aa:1](;B[if]MS[12])(;B[ig]))";
    let moves = Format::Txt.read(b"h8h9i8i9j8\n", &Default::default()).unwrap();
    let renju = moves.iter().cloned().map(|mut game| {
        game.rule = Some(RuleKind::Renju);
        game
    });
    let renju: Vec<_> = renju.collect();
    for (format, name) in Format::ALL.into_iter().zip(Format::NAMES) {
        let mut seeds = vec![b"".to_vec()];
        seeds.extend(format.write(&renju, Default::default(), true));
        match format {
            Format::Sgf => seeds.push(sgf.to_vec()),
            Format::Lib => seeds.extend([data("openings26.lib"), data("rapfi.lib")]),
            Format::Db => seeds.extend([data("rapfi.db"), data("rapfi-lz4.db"), data("rapfi-values.db")]),
            _ => {}
        }
        attack(name, &seeds, 2000, |bytes| attacks::games(format, bytes));
    }
}

#[test]
fn nets_of_any_weights() {
    let whole = nets::net(RuleKind::Renju).to_bytes();
    let head = whole.splitn(3, |&b| b == b'\n').nth(1).unwrap();
    let seeds = [whole.clone(), [head, b"\n"].concat(), [head, b"\n", &[0; 500]].concat()];
    attack("net", &seeds, 60, attacks::net);
    attack("small nets", &seeds[1..], 2000, attacks::net);
}

#[test]
fn books_and_parts() {
    let dir = memory::folder().unwrap();
    let path = dir.path().join("part");
    let recipe = Recipe::new(RuleKind::Caro, Size::new(9).unwrap(), "x");
    let mut journal = Journal::open(&path, &recipe).unwrap().0;
    for (text, depth) in [("e5", 3), ("e5e6", 4), ("e5f6", 5)] {
        let key = Key::of(&notation::parse(text, Some(Size::new(9).unwrap())).unwrap()).0;
        let candidate = Candidate { point: Point::new(2, 2), score: 7, agreed: true };
        journal.append(&key, &Entry::new(5, depth, false, 100, vec![candidate])).unwrap();
    }
    drop(journal);
    let part = fs::read(&path).unwrap();
    attack("book", &[part, b"\x01\x01\x44\x00\x07\x01".to_vec(), vec![3; 40]], 3000, attacks::book);
}

#[test]
fn games_of_self_play() {
    // A game of several exploration samples, which `attacks::selfplay` takes as the only one of a block.
    let sample = |x| Exploration { moves: vec![Point::new(x, 5), Point::new(x, 6)], best: None, score: 9 };
    let ply = |(x, y), samples| Ply { point: Point::new(x, y), score: 1, choice: Choice::Best, samples };
    let plies =
        vec![ply((4, 4), Vec::new()), ply((5, 4), vec![sample(2), sample(3)]), ply((6, 4), vec![sample(1)])];
    let size = Size::new(9).unwrap();
    let ending = Ending::Adjudicated;
    let game = Game { number: 1, rule: RuleKind::Caro, size, winner: None, ending, plies };
    assert_eq!(game.check(), Ok(()));
    let mut explored = vec![1];
    game.encode(&mut explored);
    let seeds = [data_of_games(), explored, b"\x01\x00\x01\x09\x00\x10\x20\x30".to_vec(), vec![1; 60]];
    attack("selfplay", &seeds, 3000, attacks::selfplay);
}

/// Games of the engine against itself with hardly any nodes.
fn sample_games(count: u64) -> Vec<Game> {
    let recipe = SelfPlay { rule: RuleKind::Caro, size: Size::new(9).unwrap(), nodes: 20, seed: 1 };
    let never = AtomicBool::new(false);
    let mut player = player(recipe, Box::new(SystemClock::new()));
    (0..count).map(|number| player.game(number, &never).unwrap()).collect()
}

/// A whole file of games.
fn data_of_games() -> Vec<u8> {
    let head = Head::new("caro", 9, 100, 1, "hand");
    let mut file = Vec::new();
    write(&head, &sample_games(1), &mut file).unwrap();
    file
}

#[test]
fn states_of_proofs() {
    let key = Key::of(&notation::parse("h8a1h9a2", None).unwrap()).0;
    let position = notation::setup::print(&key.position(Size::S15));
    let win = format!(
        r#"{{"position":"{position}","ask":{{"win":0}},"nodes":5,"result":"open","points":["d4","e5"]}}"#
    );
    let moves = format!(
        r#"{{"position":"{position}","ask":"moves","nodes":7,"result":"moves","named":[["c3",9]],"points":["d4"]}}"#
    );
    let answers = [win.into_bytes(), moves.into_bytes()];
    answers.iter().for_each(|answer| assert_eq!(attacks::state(answer), 1));
    let saved = br#"{"saved":{"len":5,"crc":7}}"#;
    let seeds = [&answers[..], &[saved.to_vec(), b"kagetsu proof\n".to_vec()]].concat();
    attack("state", &seeds, 3000, |bytes| _ = attacks::state(bytes));
}

#[test]
fn proofs_of_wins() {
    let position = notation::parse("e8d8f8h4g8a1h5a3h6a5h7a7", None).unwrap();
    let board = Board::<Freestyle>::from_position(&position).unwrap();
    let (mut vcf, mut budget) = (Vcf::new(1 << 16), Budget::unlimited());
    assert_eq!(vcf.solve(&board, Color::Black, &mut budget), Verdict::Win);
    let proof = vcf.proof(&board, Color::Black, &mut budget).unwrap();
    let json = serde_json::to_vec(&Flat::of(&proof)).unwrap();
    let sgf = to_sgf(&proof, &position, Color::Black).into_bytes();
    // A turn that two replies lead to, and one for all other replies.
    let shared = br#"[{"move":"h8","five":false,"replies":[["i8",1],["g8",1]],"otherwise":2},
        {"move":"h7","five":false,"replies":[],"otherwise":null},
        {"move":"h6","five":true,"replies":[],"otherwise":null}]"#;
    attack("proof", &[json, sgf, shared.to_vec()], 3000, attacks::proof);
}

/// An engine of a match, as plans and settings have it.
fn contestant(name: &str) -> String {
    let engine = Contestant::new("engine".into(), vec!["--flag".into()]);
    serde_json::to_string(&Contestant { name: name.into(), ..engine }).unwrap()
}

#[test]
fn plans_and_journals() {
    let game = br#"{"game":1,"black":"a","white":"b","rule":"renju","size":15,"opening":1,"regulation":null,"start":"h8h9","moves":[{"move":"i10","ms":1,"score":null,"depth":3}],"result":"1-0","end":"five","detail":"","warnings":[]}"#;
    let plan = format!(
        r#"{{"contestants":[{0},{1}],"format":"round_robin","rule":"renju","size":15,"games":2,"rounds":1,"openings":["h8h9"],"opening_rule":"swap2","transform":true,"forms":[15],"endings":{{"passes":6,"two_passes":true,"no_row":true,"only_fouls":true,"agreement":false,"moves":null,"stones":null}},"adjudication":{{"resign":null,"draw_score":null}},"suspend":false,"send_board":false,"restart":false,"sprt":null}}"#,
        contestant("a"),
        contestant("b")
    );
    let (one, two) = ([&game[..], b"\n"].concat(), [&game[..], b"\n", &game[..], b"\n{"].concat());
    assert!(attacks::tournament(plan.as_bytes()).0);
    assert_eq!([&one, &two].map(|games| attacks::tournament(games).1), [1, 2]);
    let seeds = [one, two, plan.into_bytes()];
    attack("tournament", &seeds, 3000, |bytes| _ = attacks::tournament(bytes));
}

#[test]
fn candidates_of_openings() {
    let candidate = br#"{"number":0,"opening":"h8h9i10","score":-7,"games":[{"engine":"a","black":1,"white":2,"result":"1-0","moves":30}],"verdict":"kept"}"#;
    let settings = format!(
        r#"{{"rule":"renju","size":15,"source":{{"random":{{"seed":1,"nodes":100,"stones":[4,9]}}}},"nodes":9,"even":0,"bias":40,"quick":{{"first":1,"second":2}},"long":{{"first":3,"second":4}},"engines":[{}],"net":"{}"}}"#,
        contestant("a"),
        nets::net(RuleKind::Renju).name()
    );
    serde_json::from_str::<Settings>(&settings).unwrap().check().unwrap();
    attack("sift", &[[&candidate[..], b"\n"].concat(), settings.into_bytes()], 400, attacks::sift);
}

#[test]
fn suites_of_hard_positions() {
    let list =
        b"# two\nrenju 15 win h8h9i8 # opening 12\nfreestyle 9 best e5 a1b1\ncaro 5 loss 5/5/2x2/5/5 o\n";
    let game = br#"{"number":0,"found":["renju 15 win h8h9i8 # opening 12"]}"#;
    let settings = br#"{"rule":"renju","size":15,"openings":["h8"],"games":{"first":1,"second":2},"effort":{"short":1,"long":2,"promise":0,"compare":0,"hash":1},"net":"hand"}"#;
    let seeds = [list.to_vec(), [&game[..], b"\n"].concat(), settings.to_vec()];
    attack("suite", &seeds, 150, attacks::suite);
}
