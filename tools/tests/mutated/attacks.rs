//! Contract of every reader for any bytes: it answers without a panic, and the content read is the same after writing
//! and reading again. The fuzz targets of `fuzz/` call these too.

#[path = "../fixtures/memory.rs"]
pub mod memory;

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use kagetsu::book::{Book, Journal as BookJournal, Recipe as BookRecipe};
use kagetsu::eval::Net;
use kagetsu::game::{Board, Color, Freestyle, MAX_SIZE, Position, RuleKind, Size, notation};
use kagetsu::solve::Budget;
use kagetsu::solve::proof_io::{Flat, from_sgf, to_sgf};
use kagetsu::solve::verify::verify;
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::arena::plan::Plan;
use kagetsu_tools::arena::record;
use kagetsu_tools::prove::Question;
use kagetsu_tools::prove::store::Store;
use kagetsu_tools::record::{Charset, Format, Game, ReadOptions};
use kagetsu_tools::runs::journal::Journal;
use kagetsu_tools::selfplay::store::{Head, Reader, Writer};
use kagetsu_tools::sift::run::Sift;
use kagetsu_tools::sift::settings::{Pair, Settings, Source};
use kagetsu_tools::suite::find::run::Find;
use kagetsu_tools::suite::find::settings::{Effort, Settings as FindSettings};
use kagetsu_tools::suite::list;

/// Games of a file: each is written and read again in its own format and in SGF.
pub fn games(format: Format, data: &[u8]) {
    let options = ReadOptions::default();
    let games = format.games(data, &options).into_iter().flatten().flatten();
    for game in games.take(20) {
        let _ = game.main_position(None);
        same(Format::Sgf, &game);
        if format != Format::Sgf {
            same(format, &game);
        }
    }
}

/// All that a format can hold comes back.
fn same(format: Format, game: &Game) {
    let write = |game| format.write(std::slice::from_ref(game), Charset::AUTO, true);
    let Ok(bytes) = write(game) else { return };
    let options = ReadOptions { size: Some(game.size), ..ReadOptions::default() };
    let games = format.read(&bytes, &options).unwrap_or_else(|error| {
        panic!("{format}: {error} in what it wrote: {}", String::from_utf8_lossy(&bytes));
    });
    let again = format.write(&games, Charset::AUTO, true);
    let same = match &again {
        // Equal points of a symmetric position may change places.
        Ok(again) if format == Format::Db => again.len() == bytes.len(),
        again => again.as_ref() == Ok(&bytes),
    };
    assert!(same, "{format}: {again:?} is not {bytes:?}");
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn word(number: usize) -> [u8; 4] {
    (number as u32).to_le_bytes()
}

/// A net: the first line is unchanged, and the weights get a matching checksum.
pub fn net(data: &[u8]) {
    let end = data.iter().position(|&b| b == b'\n').map_or(data.len(), |end| end + 1);
    let weights = packed(&data[end..]);
    let sum = crc32fast::hash(&weights).to_le_bytes();
    for bytes in [data.to_vec(), [b"kagetsu net\n", &data[..end], &sum[..], &weights].concat()] {
        if let Ok(net) = Net::from_bytes(&bytes) {
            assert!(Net::from_bytes(&net.to_bytes()).is_ok());
        }
    }
}

/// A block of a book with its checksum.
fn book_block(count: usize, content: &[u8]) -> Vec<u8> {
    let packed = packed(content);
    let start = [word(packed.len()), word(count)].concat();
    let sum = crc32fast::hash(&[&start[..], &packed].concat());
    [&start[..], &sum.to_le_bytes(), &packed].concat()
}

/// A book, a part, and the file of a build: unchanged, and as the entries of a valid block.
pub fn book(data: &[u8]) {
    let recipe = BookRecipe::new(RuleKind::Caro, Size::new(9).unwrap(), "x");
    let count = data.first().map_or(0, |&count| usize::from(count % 8));
    let content = data.get(1..).unwrap_or_default();
    let dir = memory::folder().unwrap();
    let path = dir.path().join("part");
    drop(BookJournal::open(&path, &recipe));
    let head = fs::read(&path).unwrap();
    for bytes in [data.to_vec(), [&head[..], &book_block(count, content)].concat()] {
        let _ = Book::from_bytes(&bytes);
        if let Ok((book, _)) = Book::from_part(&bytes) {
            assert_eq!(Book::from_bytes(&book.to_bytes()).map(|again| again.len()).ok(), Some(book.len()));
        }
        fs::write(&path, &bytes).unwrap();
        if let Ok((journal, section)) = BookJournal::open(&path, &recipe) {
            drop(journal);
            // Recovered positions stay so.
            let again = BookJournal::open(&path, &recipe).unwrap().1;
            assert_eq!(again.entries.len(), section.entries.len());
        }
    }
}

/// Self-play games: unchanged, and as the games of a valid block.
pub fn selfplay(data: &[u8]) {
    let head = Head::new("caro", 9, 100, 1, "hand");
    let count = data.first().map_or(0, |&count| usize::from(count % 8));
    let block = packed(data.get(1..).unwrap_or_default());
    let sum = word(crc32fast::hash(&block) as usize);
    let whole = [&head.line().unwrap()[..], &word(block.len()), &word(count), &sum, &block].concat();
    let dir = memory::folder().unwrap();
    let path = dir.path().join("games");
    for bytes in [data.to_vec(), whole] {
        fs::write(&path, &bytes).unwrap();
        if let Ok(reader) = Reader::open(&path) {
            for game in reader.map_while(Result::ok) {
                let _ = game.check();
            }
        }
        if let Ok((writer, found)) = Writer::open(&path, &head) {
            drop(writer);
            assert_eq!(Writer::open(&path, &head).unwrap().1.numbers, found.numbers);
        }
    }
}

/// The state of a proof: unchanged, and as a valid record. Returns the number of answers found in it.
pub fn state(data: &[u8]) -> usize {
    let position = notation::parse("h8a1h9a2", None).unwrap();
    let question = Question { rule: RuleKind::Renju, position, attacker: Color::Black };
    let dir = memory::folder().unwrap();
    let path = dir.path().join("state");
    drop(Store::open(&path, &question));
    let head = fs::read(&path).unwrap();
    let block = packed(data);
    let start = [word(block.len()), word(crc32fast::hash(&block) as usize)].concat();
    let sum = word(crc32fast::hash(&start) as usize);
    let mut answers = 0;
    for bytes in [data.to_vec(), [&head[..], &start, &sum, &block].concat()] {
        fs::write(&path, &bytes).unwrap();
        if let Ok((store, known)) = Store::open(&path, &question) {
            drop(store);
            assert_eq!(Store::open(&path, &question).unwrap().1.len(), known.len());
            answers += known.len();
        }
    }
    answers
}

/// The proof of a win, as JSON and as SGF: what is read may be verified, and is as long after writing and
/// reading again.
pub fn proof(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (size, attacker) = (Size::new(MAX_SIZE).unwrap(), Color::Black);
    let flat = serde_json::from_str::<Flat>(text).ok().and_then(|flat| flat.proof().ok());
    let tree = from_sgf(text, size, attacker).ok();
    for proof in flat.into_iter().chain(tree) {
        let _ = verify(&mut Board::<Freestyle>::new(size), attacker, &proof, &mut Budget::nodes(200));
        let again = Flat::of(&proof).proof();
        assert_eq!(again.map(|again| again.length()), Ok(proof.length()));
        let sgf = to_sgf(&proof, &Position::new(size), attacker);
        let again = from_sgf(&sgf, size, attacker);
        assert_eq!(again.map(|again| again.length()), Ok(proof.length()), "{sgf}");
    }
}

/// A tournament: its plan and its journal. Returns whether the plan can be played, and the number of games in the journal.
pub fn tournament(data: &[u8]) -> (bool, usize) {
    let plan = std::str::from_utf8(data).ok().and_then(|text| Plan::read(text).ok());
    let is_playable = plan.is_some_and(|plan| {
        let begins = plan.pairing(0).is_some_and(|pairing| plan.opening(&pairing).is_ok());
        begins && plan.terms().is_ok() && plan.contestants.len() > 1
    });
    let mut found = 0;
    let dir = memory::folder().unwrap();
    let path = dir.path().join("games.jsonl");
    fs::write(&path, data).unwrap();
    if let Ok((journal, games)) = Journal::<record::GameRecord>::open(&path) {
        drop(journal);
        found = games.len();
        for game in &games {
            let _ = kagetsu_tools::arena::export::sgf(game, &[]);
            let _ = kagetsu_tools::arena::export::psq(game);
        }
        assert_eq!(Journal::<record::GameRecord>::open(&path).unwrap().1, games);
    }
    (is_playable, found)
}

/// Openings chosen by outcome: the settings and the candidates of a directory.
pub fn sift(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(settings) = serde_json::from_str::<Settings>(text)
    {
        let _ = settings.check();
        let _ = settings.recipe();
    }
    let settings = Settings {
        rule: "renju".into(),
        size: 15,
        source: Source::List(Vec::new()),
        nodes: 1,
        even: 0,
        bias: 40,
        quick: Pair { first: 1, second: 2 },
        long: Pair { first: 1, second: 2 },
        engines: vec![Contestant::new("engine".into(), Vec::new())],
        net: kagetsu::eval::nets::net(RuleKind::Renju).name(),
    };
    let dir = memory::folder().unwrap();
    drop(Sift::create(dir.path(), settings).unwrap());
    fs::write(dir.path().join("candidates.jsonl"), data).unwrap();
    if let Ok(sift) = Sift::resume(dir.path()) {
        let _ = sift.chances();
        let lists = sift.write_lists(5).unwrap();
        assert_eq!(lists.iter().map(|(_, count)| count).sum::<usize>(), sift.kept(5).len());
    }
}

/// Hard positions: a list, and the settings and the games of a directory.
pub fn suite(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        for entry in list::read(text, "list").unwrap_or_default() {
            let again = list::read(&entry.to_string(), "list").unwrap();
            assert_eq!(again, [entry]);
        }
        if let Ok(settings) = serde_json::from_str::<FindSettings>(text) {
            let _ = settings.check();
            let _ = settings.game(settings.game_count());
        }
    }
    let settings = FindSettings {
        rule: "renju".into(),
        size: 15,
        openings: Vec::new(),
        games: Pair { first: 1, second: 2 },
        effort: Effort { short: 1, long: 2, promise: 0, compare: 0, hash: 1 },
        net: kagetsu::eval::nets::net(RuleKind::Renju).name(),
    };
    let dir = memory::folder().unwrap();
    drop(Find::create(dir.path(), settings).unwrap());
    fs::write(dir.path().join("games.jsonl"), data).unwrap();
    if let Ok(find) = Find::resume(dir.path()) {
        assert_eq!(find.write_lists(5).unwrap()[0].1, find.kept(5).len());
    }
}
