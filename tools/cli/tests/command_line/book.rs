//! The opening book from outside: interrupted and split builds, conversions, the engine that plays from it, and the
//! built-in book.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::cli::{engine, failure, printed, run};
use kagetsu::book::{self, Book, Candidate, Entry, Journal, Key, Recipe, Shelf};
use kagetsu::game::notation;
use kagetsu::game::openings26::OPENINGS;
use kagetsu::game::status::{fouls, is_over};
use kagetsu::game::{Color, Move, Point, PointSet, Position, Reading, RuleKind, Size};

/// Runs a command whose arguments are separated by blanks; `@` stands for the directory.
fn kagetsu(dir: &Path, line: &str) -> String {
    let line = line.replace('@', dir.to_str().unwrap());
    printed(&line.split(' ').collect::<Vec<_>>())
}

/// The bytes of the book that parts make.
fn merged(dir: &Path, parts: &str) -> Vec<u8> {
    kagetsu(dir, &format!("book merge --force @/merged {parts}"));
    fs::read(dir.join("merged")).unwrap()
}

#[test]
fn an_interrupted_build_comes_to_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let build = |part: &str, positions, threads| {
        let line = format!(
            "book build @/{part} --rule caro --size 9 --nodes 60 --positions {positions} --threads {threads}"
        );
        kagetsu(dir.path(), &line)
    };
    assert_eq!(build("whole", 75, 2), "0 positions known before, 75 judged\n");
    let whole = merged(dir.path(), "@/whole");
    assert_eq!(Book::from_bytes(&whole).unwrap().len(), 75);
    // The part as a kill leaves it: some entries of one round, and half an entry.
    let bytes = fs::read(dir.path().join("whole")).unwrap();
    fs::write(dir.path().join("killed"), &bytes[..bytes.len() / 2]).unwrap();
    let said = build("killed", 75, 1);
    let (found, made) = said.split_once(" positions known before, ").unwrap();
    let made = made.strip_suffix(" judged\n").unwrap();
    let [found, made]: [usize; 2] = [found, made].map(|n| n.parse().unwrap());
    assert!(found > 10 && made > 10 && found + made == 75, "{said}");
    assert_eq!(merged(dir.path(), "@/killed"), whole);
    // The build takes two steps, neither of them a whole number of rounds.
    build("steps", 41, 2);
    assert_eq!(build("steps", 75, 2), "41 positions known before, 34 judged\n");
    assert_eq!(merged(dir.path(), "@/steps"), whole);
}

#[test]
fn parts_of_two_machines_make_the_book_of_one() {
    let dir = tempfile::tempdir().unwrap();
    let build = |part: &str, shard: &str| {
        let common = "--rule standard --size 9 --nodes 60 --loss 16";
        kagetsu(dir.path(), &format!("book build @/{part} {common} --shard {shard}"));
    };
    build("whole", "0/1");
    build("a", "0/2");
    build("b", "1/2");
    let whole = merged(dir.path(), "@/whole");
    let len = |bytes: &[u8]| Book::from_bytes(bytes).unwrap().len();
    assert!(len(&whole) > 40 && len(&merged(dir.path(), "@/a")) < len(&whole));
    assert_eq!(merged(dir.path(), "@/a @/b"), whole);
    assert_eq!(merged(dir.path(), "@/b @/a @/a"), whole);
    fs::copy(dir.path().join("merged"), dir.path().join("book")).unwrap();
    assert_eq!(merged(dir.path(), "@/book @/b"), whole, "a book joins as parts do");
}

/// A part that a kill or a loss of power has cut off gives its complete entries, with a warning.
#[test]
fn bytes_left_out_of_a_part_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let [part, book] = ["part", "book"].map(|name| dir.path().join(name).to_str().unwrap().to_owned());
    let recipe = Recipe::new(RuleKind::Caro, Size::S15, "test");
    let mut journal = Journal::open(Path::new(&part), &recipe).unwrap().0;
    for text in ["h8", "h8h9"] {
        let key = Key::of(&notation::parse(text, None).unwrap()).0;
        journal.append(&key, &Entry::new(5, 3, false, 100, Vec::new())).unwrap();
    }
    drop(journal);
    let whole = fs::read(&part).unwrap();
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    for (bytes, positions) in [(&whole[..], 2), (&whole[..whole.len() - 1], 1), (&changed[..], 1)] {
        fs::write(&part, bytes).unwrap();
        let output = run(&["book", "merge", "--force", &book, &part]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        assert_eq!(Book::from_bytes(&fs::read(&book).unwrap()).unwrap().len(), positions);
        match positions {
            2 => assert_eq!(said, ""),
            _ => assert!(said.starts_with(&format!("kagetsu: warning: {part}: its last ")), "{said}"),
        }
    }
}

#[test]
fn no_move_of_a_build_is_wrong_by_its_review() {
    let dir = tempfile::tempdir().unwrap();
    kagetsu(dir.path(), "book build @/part --rule standard --nodes 300 --positions 100");
    merged(dir.path(), "@/part");
    // Without the review there were two wrong moves. The test fails with the list of wrong moves.
    let said = kagetsu(dir.path(), "book check --book @/merged --sample 1000 --times 20");
    let (moves, rest) = said.split_once(" moves with 20 times the nodes: ").unwrap();
    assert!(moves.parse::<usize>().unwrap() > 100 && rest.contains(", 0 wrong (0 lost by force)"), "{said}");
}

/// Positions that are judged again from an exported file give the same entries, unless the file has further moves.
#[test]
fn a_book_goes_through_game_files_and_back() {
    let dir = tempfile::tempdir().unwrap();
    kagetsu(dir.path(), "book build @/part --rule renju --nodes 60 --positions 60");
    let original = Book::from_bytes(&merged(dir.path(), "@/part")).unwrap();
    fs::copy(dir.path().join("merged"), dir.path().join("my.book")).unwrap();
    let original = &original.section(RuleKind::Renju, Size::S15).unwrap().entries;
    for format in ["lib", "sgf", "db"] {
        let said = kagetsu(dir.path(), &format!("book export @/book.{format} --rule renju --book @/my.book"));
        assert!(said.starts_with("60 positions, "), "{said}");
        let import = format!("book import @/{format}.part @/book.{format} --rule renju --nodes 60");
        kagetsu(dir.path(), &import);
        let back = Book::from_bytes(&merged(dir.path(), &format!("@/{format}.part"))).unwrap();
        let back = &back.section(RuleKind::Renju, Size::S15).unwrap().entries;
        let answered = original.iter().filter(|(_, entry)| !entry.agreed().is_empty());
        let missing: Vec<_> = answered.map(|(key, _)| key).filter(|key| !back.contains_key(key)).collect();
        assert!(missing.is_empty(), "{format}: {missing:?}");
        let known: Vec<_> =
            back.iter().filter_map(|(key, entry)| Some((original.get(key)?, entry))).collect();
        let same = known.iter().filter(|(before, after)| before == after).count();
        // Some moves are not found by the search: those that lead to otherwise unreachable positions, and those to book
        // positions that are reached in other ways.
        let more = known.iter().filter(|(before, after)| after.moves().len() > before.moves().len()).count();
        assert!(same + more == known.len() && same >= 10, "{format}: {same} and {more} of {}", known.len());
    }
    let out = dir.path().join("caro.db");
    let (status, message) = failure(&["book", "export", out.to_str().unwrap(), "--rule", "caro"]);
    let problem = "the format stores only these rules: freestyle, standard or renju";
    assert_eq!((status, message), (1, format!("kagetsu: {}: {problem}\n", out.display())));
    assert!(!out.exists());
}

/// A list of games or of samples would hold one line of the tree.
#[test]
fn a_book_is_written_only_in_formats_that_hold_it() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["x.txt", "x.psq", "x.bin", "x.txt.gz", "x.book", "x"] {
        let out = dir.path().join(name);
        let (status, said) = failure(&["book", "export", out.to_str().unwrap(), "--rule", "renju"]);
        assert!(status == 2 && said.ends_with(": expected a name in .lib, .sgf or .db\n"), "{name}: {said}");
        assert!(!out.exists(), "{name}");
    }
}

#[test]
fn a_part_goes_on_with_what_it_has_and_with_the_moves_of_a_library() {
    let dir = tempfile::tempdir().unwrap();
    kagetsu(dir.path(), "book build @/part --rule renju --nodes 120 --positions 30");
    let shorter = kagetsu(dir.path(), "book build @/part --rule renju --nodes 60 --positions 30");
    assert_eq!(shorter, "30 positions known before, 0 judged\n", "longer searches are not made again");
    let corners = [(0, 0), (0, 14), (14, 0), (14, 14)].map(|(x, y)| Point::new(x, y));
    let knows_corner = || {
        let mut position = Position::new(Size::S15);
        position.push(Move::Place(Size::S15.center())).unwrap();
        let entry =
            Book::from_bytes(&merged(dir.path(), "@/part")).unwrap().probe(RuleKind::Renju, &position);
        entry.unwrap().moves().iter().any(|c| corners.contains(&c.point))
    };
    assert!(!knows_corner());
    fs::write(dir.path().join("lines.sgf"), "(;FF[4]GM[4]SZ[15];B[hh];W[ao])").unwrap();
    kagetsu(dir.path(), "book import @/part @/lines.sgf --rule renju --nodes 120");
    assert!(knows_corner(), "its moves are judged though their positions were there");
    let part = dir.path().join("part");
    let before = fs::read(&part).unwrap();
    let other = ["book", "build", part.to_str().unwrap(), "--rule", "freestyle", "--positions", "5"];
    let (status, message) = failure(&other);
    assert!(
        status == 1 && message.contains("for renju 15x15; expected one for freestyle 15x15"),
        "{message}"
    );
    assert_eq!(fs::read(&part).unwrap(), before);
}

/// A book for the empty board whose one move no search would find.
fn absurd() -> Book {
    let (key, symmetry) = Key::of(&Position::new(Size::S15));
    let point = symmetry.apply(Point::new(1, 2), Size::S15);
    let entry = Entry::new(12, 9, false, 10_000, vec![Candidate { point, score: 12, agreed: true }]);
    let mut book = Book::default();
    let recipe = Recipe::new(RuleKind::Freestyle, Size::S15, "test");
    book.section_mut(&recipe).unwrap().add(key, entry);
    book
}

/// Gomocup counts rows from the top.
const ABSURD: &str = "1,12";

/// The lines that the engine says, started with this argument.
fn conversation(argument: Option<&str>, lines: &str) -> Vec<String> {
    let mut command = Command::new(engine());
    command.args(argument).stdin(Stdio::piped()).stdout(Stdio::piped()).env_remove("KAGETSU_LOG");
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("START 15\nINFO timeout_turn 100\n{lines}\n").as_bytes()).unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let mut said = Vec::new();
    for line in output.lines().map(Result::unwrap) {
        let is_move = line.split_once(',').is_some_and(|(x, _)| x.parse::<u8>().is_ok());
        said.push(line);
        if is_move {
            break;
        }
    }
    input.write_all(b"END\n").unwrap();
    child.wait().unwrap();
    said
}

#[test]
fn the_engine_plays_from_the_book_it_is_given_unless_told_not_to() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("absurd.book");
    let mut bytes = absurd().to_bytes();
    fs::write(&path, &bytes).unwrap();
    let argument = format!("--book={}", path.display());
    let last = |argument: &str, lines: &str| conversation(Some(argument), lines).pop().unwrap();
    assert_eq!(last(&argument, "BEGIN"), ABSURD);
    for off in ["INFO book 0", "INFO usedatabase 0", "INFO max_node 300", "INFO rule 1"] {
        assert_ne!(last(&argument, &format!("{off}\nBEGIN")), ABSURD, "{off}");
    }
    assert_eq!(last(&argument, "INFO book 0\nINFO book 1\nBEGIN"), ABSURD);
    assert_ne!(last("--no-book", "BEGIN"), ABSURD);
    *bytes.last_mut().unwrap() ^= 4;
    fs::write(&path, &bytes).unwrap();
    let said = conversation(Some(&argument), "BEGIN");
    let refusal = format!("MESSAGE {}: the book is damaged at byte ", path.display());
    assert!(said[0].starts_with(&refusal) && said[0].ends_with("; playing without a book"), "{said:?}");
    assert_ne!(said.last().unwrap(), ABSURD);
}

#[test]
fn a_book_is_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("absurd.book");
    fs::write(&path, absurd().to_bytes()).unwrap();
    let fits = |line: &str| kagetsu(dir.path(), &format!("book {line} --book @/absurd.book"));
    assert_eq!(fits("probe h8 --rule freestyle"), "not in the book\n");
    let path = path.to_str().unwrap();
    let board = format!("{} x", ["15"; 15].join("/"));
    let probed = printed(&["book", "probe", &board, "--rule", "freestyle", "--book", path]);
    assert_eq!(probed, "score 12, depth 9, 10000 nodes\nb3       12\n");
    let json = printed(&["book", "probe", &board, "--rule", "freestyle", "--book", path, "--json"]);
    let expected = r#"{"known":true,"score":12,"mate":null,"proven":false,"depth":9,"nodes":10000,"moves":[{"move":"b3","score":12,"agreed":true}]}"#;
    assert_eq!(json.trim_end(), expected);
    let stats = fits("stats");
    assert!(stats.contains("freestyle 15x15, judged by test") && stats.contains("0: 1\n"), "{stats}");
    // The corner is not the centre, and a longer search shows the difference.
    let output = run(&["book", "check", "--book", path, "--sample", "1", "--times", "4", "--bound", "20"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("b3") && text.contains("1 wrong"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

/// The moves of a book can be played, whatever it was built with.
#[test]
fn the_built_in_book_is_sound() {
    let mut shelf = Shelf::BuiltIn;
    let book = shelf.open(u64::MAX).unwrap().unwrap();
    assert!(book.to_bytes().len() < 4 << 20, "the whole package is to stay small");
    for (rule, section) in book.sections() {
        for (key, entry) in &section.entries {
            let position = key.position(section.size);
            let say = || format!("{rule} {position:?}");
            assert!(!is_over(&position, rule, Reading::Literal), "{}", say());
            assert_eq!(&Key::of(&position).0, key, "{}", say());
            let fouls = if key.side() == Color::Black { fouls(&position, rule) } else { PointSet::EMPTY };
            for c in entry.moves() {
                assert!(position.is_free(c.point) && !fouls.contains(c.point), "{} {}", say(), c.point);
            }
            // Games begin near the centre.
            let center = section.size.center();
            let near = |c: &Candidate| c.point.distance(center) <= 2;
            assert!(key.stones() > 0 || entry.moves().iter().all(near), "{}", say());
            // The review removed better moves than those to play.
            let best = entry.agreed().first().map_or(entry.score, |c| c.score);
            assert!((0..=book::MARGIN).contains(&i32::from(entry.score - best)), "{}", say());
        }
    }
}

/// Renju's book has each of the 26 openings, and that of freestyle has Gomocup's shipped list.
#[test]
fn the_built_in_book_knows_its_beginnings() {
    let mut shelf = Shelf::BuiltIn;
    let book = shelf.open(u64::MAX).unwrap().unwrap();
    for opening in &OPENINGS {
        let mut position = Position::new(Size::S15);
        opening.moves.iter().for_each(|&p| position.push(Move::Place(p)).unwrap());
        for rule in [RuleKind::Renju, RuleKind::Freestyle, RuleKind::Standard] {
            assert!(book.probe(rule, &position).is_some(), "{rule} {}", opening.code);
        }
    }
    let list =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/gomocup-20.offset")).unwrap();
    let openings = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for line in openings {
        let position = kagetsu::game::notation::gomocup::parse_offsets(line, Size::S20).unwrap();
        assert!(book.probe(RuleKind::Freestyle, &position).is_some(), "{line}");
        count += 1;
    }
    assert_eq!(count, 18);
}
