use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::super::game::tests::sample;
use super::super::game::{Choice, Exploration, LONGEST_WALK, MOST_SAMPLES, Ply};
use super::*;

pub(super) fn head() -> Head {
    Head::new("caro", 15, 1000, 7, "hand")
}

/// Three blocks of ten games.
pub(super) fn file(dir: &Path) -> PathBuf {
    let path = dir.join("games");
    let (mut writer, found) = Writer::open(&path, &head()).unwrap();
    assert!(found.numbers.is_empty());
    for block in 0..3 {
        writer.append(&(10 * block..10 * block + 10).map(sample).collect::<Vec<_>>()).unwrap();
    }
    path
}

pub(super) fn numbers(path: &Path) -> Vec<u64> {
    Reader::open(path).unwrap().map(|g| g.unwrap().number).collect()
}

#[test]
fn games_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path());
    let games: Vec<Game> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(games, (0..30).map(sample).collect::<Vec<_>>());
}

#[test]
fn a_file_cut_anywhere_keeps_its_whole_blocks_and_goes_on() {
    let dir = crate::runs::memory::folder().unwrap();
    let path = file(dir.path());
    let bytes = std::fs::read(&path).unwrap();
    for len in 0..bytes.len() {
        std::fs::write(&path, &bytes[..len]).unwrap();
        let (mut writer, found) = Writer::open(&path, &head()).unwrap();
        assert_eq!(found.numbers.len() % 10, 0);
        writer.append(&[sample(99)]).unwrap();
        assert_eq!(numbers(&path), found.numbers.iter().copied().chain([99]).collect::<Vec<_>>());
    }
}

/// The command that made the file goes on from there. Others say so: those that only read, and those with other settings.
#[test]
fn a_file_that_ends_within_its_first_line_is_not_foreign() {
    let dir = crate::runs::memory::folder().unwrap();
    let path = dir.path().join("games");
    let (line, other) = (head().line().unwrap(), Head { seed: 8, ..head() });
    let alike = line.iter().zip(other.line().unwrap()).take_while(|(a, b)| **a == *b).count();
    // Without the line's end alone the recipe is whole.
    for len in 0..line.len() - 1 {
        std::fs::write(&path, &line[..len]).unwrap();
        let error = Reader::open(&path).err().unwrap().to_string();
        assert!(error.contains("games: unfinished: it ends within its first line"), "{len}: {error}");
        assert!(error.contains("'kagetsu selfplay make', 'explore' or 'relabel', continues it"), "{error}");
        if len > alike {
            let error = Writer::open(&path, &other).err().unwrap();
            assert!(matches!(error, Error::CutHead(_)), "{len}: {error}");
            assert_eq!(std::fs::read(&path).unwrap(), line[..len]);
        }
    }
}

/// A loss of power has left zeros in place of the first line or its end, and of the first block.
#[test]
fn a_file_of_zeros_is_begun_anew() {
    let dir = crate::runs::memory::folder().unwrap();
    let path = dir.path().join("games");
    let line = head().line().unwrap();
    for at in 0..line.len() {
        for zeros in [1, line.len() - at, 10_000] {
            std::fs::write(&path, [&line[..at], &vec![0; zeros]].concat()).unwrap();
            let (mut writer, found) = Writer::open(&path, &head()).unwrap();
            assert!(found.numbers.is_empty(), "{at} {zeros}");
            writer.append(&[sample(99)]).unwrap();
            assert_eq!(numbers(&path), [99], "{at} {zeros}");
        }
    }
}

/// The blocks behind the zeros may be whole, but nothing says how their games were made.
#[test]
fn zeros_in_place_of_the_first_line_are_damage_and_nothing_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path());
    let whole = std::fs::read(&path).unwrap();
    let line = head().line().unwrap().len();
    let mut damaged: Vec<Vec<u8>> = [0..line, 0..20, 10..line, 60..line - 1, line - 1..line, 0..line + 40]
        .map(|zeros| {
            let mut bytes = whole.clone();
            bytes[zeros].fill(0);
            bytes
        })
        .into();
    // More zeros than an interruption leaves are not overwritten either.
    damaged.push(vec![0; 3 << 20]);
    for bytes in damaged {
        std::fs::write(&path, &bytes).unwrap();
        for error in [Writer::open(&path, &head()).err(), Reader::open(&path).err()] {
            let error = error.unwrap().to_string();
            assert!(error.contains("games: damaged: zeros in place of its first line"), "{error}");
            assert!(error.contains("expected a sound copy of it, or that it is moved away"), "{error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn damage_inside_is_an_error_and_nothing_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path());
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.iter().position(|&b| b == b'\n').unwrap() + 40;
    bytes[at] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(Writer::open(&path, &head()), Err(Error::Damaged(..))));
    assert!(Reader::open(&path).unwrap().any(|g| g.is_err()));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn large_blocks_are_divided() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games");
    let games: Vec<Game> = (0..30).map(sample).collect();
    let mut eight = Vec::new();
    write(&head(), &games[..8], &mut eight).unwrap();
    let largest = eight.len() - head().line().unwrap().len();
    let (mut writer, _) = Writer::open(&path, &head()).unwrap();
    writer.append_below(&games, largest).unwrap();
    writer.append_below(&games[..1], 1).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    let blocks: Vec<Block> = std::iter::from_fn(|| reader.next_block().unwrap()).collect();
    assert!(blocks.len() > 2 && blocks[..blocks.len() - 1].iter().all(|b| b.place.size() <= largest as u64));
    assert_eq!(numbers(&path), (0..30).chain([0]).collect::<Vec<_>>());
}

/// Five games with all samples that positions may have, which together have more bytes than a block may.
fn full_games() -> Vec<Game> {
    let mut full = sample(0);
    let longest = Exploration { moves: vec![full.plies[0].point; LONGEST_WALK], best: None, score: 0 };
    full.plies.truncate(1);
    full.plies =
        vec![
            Ply { samples: vec![longest; MOST_SAMPLES], choice: Choice::Best, ..full.plies[0].clone() };
            225
        ];
    (0..5).map(|number| Game { number, ..full.clone() }).collect()
}

/// Equal samples pack a thousand times, so the packed size alone does not tell what a reader must unpack.
#[test]
fn games_of_many_samples_are_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games");
    let games = full_games();
    let mut file = Vec::new();
    write(&head(), &games, &mut file).unwrap();
    std::fs::write(&path, file).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    let blocks = std::iter::from_fn(|| reader.next_block().unwrap());
    let counts: Vec<usize> = blocks.map(|block| block.starts().len()).collect();
    assert!(counts.len() > 1 && counts.iter().sum::<usize>() == 5, "{counts:?}");
    assert!(Reader::open(&path).unwrap().map(Result::unwrap).eq(games));
}

/// The same games as one block, which is small.
#[test]
fn a_block_that_unpacks_to_more_than_any_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games");
    let (games, mut bytes) = (full_games(), Vec::new());
    games.iter().for_each(|game| game.encode(&mut bytes));
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&bytes).unwrap();
    let packed = encoder.finish().unwrap();
    let mut file = head().line().unwrap();
    for word in [packed.len() as u32, games.len() as u32, crc32fast::hash(&packed)] {
        file.extend(word.to_le_bytes());
    }
    file.extend(&packed);
    std::fs::write(&path, &file).unwrap();
    let error = Reader::open(&path).unwrap().next().unwrap().unwrap_err().to_string();
    assert!(error.contains("have more than 33554432 bytes"), "{error}");
}

#[test]
fn other_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path());
    let other = Head { seed: 8, ..head() };
    assert!(matches!(Writer::open(&path, &other), Err(Error::Other(..))));
    let (cut, whole) = (&b"{\"format\":\"journal\",\"version\":1"[..], b"{\"format\":\"kagetsu self-play\"}");
    for text in [&b"a note"[..], &[b'x'; 500], b"a note\0\0\n", cut, whole] {
        std::fs::write(&path, text).unwrap();
        assert!(matches!(Writer::open(&path, &head()), Err(Error::Foreign(_))));
        assert!(matches!(Reader::open(&path), Err(Error::Foreign(_))));
        assert_eq!(std::fs::read(&path).unwrap(), text);
    }
}

#[test]
fn heads_of_many_recipes_are_read_or_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let explored = |seed| Explored { samples: 4, tree: None, nodes: 300, seed, evaluation: "hand".into() };
    let head_of = |recipes| (1..=recipes).map(explored).fold(head(), Head::with);
    let open =
        |recipes: u64| Writer::open(&dir.path().join(recipes.to_string()), &head_of(recipes)).map(drop);
    for recipes in [1, 60, 1000] {
        open(recipes).unwrap();
        let path = dir.path().join(recipes.to_string());
        assert_eq!(Reader::open(&path).unwrap().head(), &head_of(recipes));
    }
    let error = open(100_000).unwrap_err().to_string();
    assert!(error.contains("with 100000 recipes; expected at most 1048576"), "{error}");
    assert!(!dir.path().join("100000").exists());
}

#[test]
fn one_writer_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path());
    let (mut writer, _) = Writer::open(&path, &head()).unwrap();
    assert!(matches!(Writer::open(&path, &head()), Err(Error::Busy(_))));
    writer.append(&[sample(30)]).unwrap();
    drop(writer);
    assert_eq!(Writer::open(&path, &head()).unwrap().1.numbers.len(), 31);
}

#[test]
fn a_whole_last_block_that_is_wrong_is_not_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path());
    let mut bytes = std::fs::read(&path).unwrap();
    let junk = b"no games";
    for word in [junk.len() as u32, 1, crc32fast::hash(junk)] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(junk);
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(Writer::open(&path, &head()), Err(Error::Damaged(..))));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}
