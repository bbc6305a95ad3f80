//! Games to samples, by games and positions made by hand.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::thread;

use kagetsu::eval::policy::relation;
use kagetsu::game::notation::{parse, parse_point};
use kagetsu::game::{Board, Color, Point, Position, Renju, Rule, RuleKind, Size, Standard};
use kagetsu_tools::selfplay::game::{Choice, Ending, Exploration, Game, Ply};
use kagetsu_tools::selfplay::store::{Explored, Head, Relabelled, Writer};

use super::expand::{expand, is_open};
use super::sets::is_held;
use super::*;

fn point(name: &str) -> Point {
    parse_point(name, Size::S15).unwrap()
}

fn ply(name: &str, choice: Choice, score: i16) -> Ply {
    Ply { point: point(name), score, choice, samples: Vec::new() }
}

fn game(winner: Option<Color>, plies: Vec<Ply>) -> Game {
    let ending = Ending::Adjudicated;
    Game { number: 1, rule: RuleKind::Standard, size: Size::S15, winner, ending, plies }
}

/// Two stones of the opening, then a best move of Black, a varied one of White, and a best one again.
fn short(winner: Option<Color>) -> Game {
    let plies = vec![
        ply("h8", Choice::Opening, 0),
        ply("i9", Choice::Opening, 0),
        ply("g9", Choice::Best, 30),
        ply("i7", Choice::Varied, -20),
        ply("j8", Choice::Best, 40),
    ];
    game(winner, plies)
}

/// Score, result, and whether there is a move to learn, of each sample.
fn targets(data: &Data) -> Vec<(f32, Option<f32>, bool)> {
    data.samples.iter().map(|s| (s.score, s.result, s.best.is_some())).collect()
}

/// Empty points of each sample.
fn empty(data: &Data) -> Vec<u32> {
    data.samples.iter().map(|s| data.cells(s).iter().map(|c| u32::from(c.count)).sum()).collect()
}

/// The cell of the move to learn.
fn best(data: &Data, sample: usize) -> Cell {
    let sample = &data.samples[sample];
    data.cells(sample)[usize::from(sample.best.unwrap())]
}

#[test]
fn every_searched_position_has_the_result_of_its_mover() {
    for (winner, results) in
        [(Some(Color::Black), [1.0, 0.0, 1.0]), (Some(Color::White), [0.0, 1.0, 0.0]), (None, [0.5; 3])]
    {
        let data = expand(&short(winner));
        let [first, second, third] = results.map(Some);
        // No opening stone is a sample, and no varied move is learned.
        assert_eq!(targets(&data), [(30.0, first, true), (-20.0, second, false), (40.0, third, true)]);
        assert_eq!(empty(&data), [223, 222, 221]);
    }
}

/// Places from the last moves are numbered by the larger and then the smaller difference: 0 0, 1 0, 1 1, 2 0, 2 1, ...
#[test]
fn the_move_to_learn_is_where_it_was_played() {
    let data = expand(&short(None));
    // g9 is two beside i9 and diagonally beside h8; j8 diagonally beside i7, and three and one from g9.
    for (sample, relations) in [(0, [3, 2]), (2, [2, 7])] {
        let cell = best(&data, sample);
        assert_eq!((cell.relations, cell.region), (relations, 4), "{cell:?}");
        assert!(cell.candidates > 0 && cell.candidates <= cell.count);
    }
    let nowhere = relation(point("h8"), None);
    assert!(data.cells(&data.samples[1]).iter().all(|c| c.relations == [nowhere; 2]));
}

#[test]
fn exploration_samples_have_a_score_and_a_move_but_no_result() {
    let without = expand(&short(Some(Color::Black)));
    let mut game = short(Some(Color::Black));
    let sample = |moves: &[&str], best: Option<&str>, score| {
        let moves = moves.iter().map(|m| point(m)).collect();
        Exploration { moves, best: best.map(point), score }
    };
    game.plies[2].samples = vec![sample(&["h10"], Some("h9"), -77), sample(&["j8", "j9", "j6"], None, 5)];
    game.plies[3].samples = vec![sample(&["f10", "h6"], None, 12)];
    let data = expand(&game);
    let expected = [
        (30.0, Some(1.0), true),
        (-77.0, None, true),
        (5.0, None, false),
        (-20.0, Some(0.0), false),
        (12.0, None, false),
        (40.0, Some(1.0), true),
    ];
    assert_eq!(targets(&data), expected);
    assert_eq!(empty(&data), [223, 222, 220, 222, 220, 221]);
    // h9 is one below h10 and one beside i9.
    assert_eq!(best(&data, 1).relations, [1, 1]);
    // The game itself goes on without the exploration samples.
    for (i, sample) in [0, 3, 5].into_iter().zip(&without.samples) {
        assert_eq!(data.cells(&data.samples[i]), without.cells(sample));
    }
}

#[test]
fn proofs_are_certain_and_a_lost_position_teaches_no_move() {
    let mut game = short(Some(Color::Black));
    game.plies[2].score = 28_999;
    game.plies[3] = ply("i7", Choice::Best, -(30_000 - 6));
    game.plies[4].score = 30_000 - 5;
    let samples = |score| vec![Exploration { moves: vec![point("h10")], best: Some(point("h9")), score }];
    game.plies[2].samples = samples(30_000 - 7);
    game.plies[4].samples = samples(-(30_000 - 8));
    let (win, loss) = (f32::INFINITY, f32::NEG_INFINITY);
    let expected = [
        (28_999.0, Some(1.0), true),
        (win, None, true),
        (loss, Some(0.0), false),
        (win, Some(1.0), true),
        (loss, None, false),
    ];
    assert_eq!(targets(&expand(&game)), expected);
}

fn seen<R: Rule>(position: &Position, target: Option<Point>) -> (Board<R>, Data) {
    let board = Board::<R>::from_position(position).unwrap();
    let data = sample_of(&board, target);
    (board, data)
}

/// A fight in a corner of the middle region, in which Black has more stones; or the same with the colours exchanged.
fn fight(exchanged: bool, side: Color) -> Position {
    let stones = [("h8", Color::Black), ("i9", Color::White), ("i8", Color::Black), ("c3", Color::White)];
    let stones = stones.map(|(name, color)| (point(name), if exchanged { !color } else { color }));
    Position::from_stones(Size::S15, stones, side).unwrap()
}

#[test]
fn with_the_same_rules_for_both_the_mover_comes_first() {
    let cells = |exchanged, side| {
        let data = seen::<Standard>(&fight(exchanged, side), None).1;
        assert_eq!(data.samples[0].head, 0);
        data.cells(&data.samples[0])
    };
    assert_eq!(cells(false, Color::Black), cells(true, Color::White));
    assert_ne!(cells(false, Color::Black), cells(false, Color::White));
    for side in Color::BOTH {
        let (board, data) = seen::<Standard>(&fight(false, side), Some(point("j8")));
        let code = |c| board.codes(point("j8")).of(c);
        assert_ne!(code(side), code(!side));
        assert_eq!(best(&data, 0).codes, [code(side), code(!side)]);
    }
}

#[test]
fn under_renju_black_comes_first_and_white_has_a_head() {
    let [black, white] = Color::BOTH.map(|side| seen::<Renju>(&fight(false, side), None).1);
    assert_eq!([black.samples[0].head, white.samples[0].head], [0, 1]);
    assert_eq!(black.cells(&black.samples[0]), white.cells(&white.samples[0]));
}

#[test]
fn only_positions_that_are_evaluated_are_learned() {
    let open = |text: &str| {
        let position = parse(text, None).unwrap();
        is_open(&Board::<Standard>::from_position(&position).unwrap())
    };
    assert!(open("h8h9"));
    // Black has three in a row, free on both sides, and White is to move; then Black is.
    assert!(open("f8a1g8c1h8"));
    assert!(!open("f8a1g8c1h8o15"));
    // Black has four in a row. White is to move, and then Black, after White has stopped one end.
    assert!(!open("f8a1g8c1h8o15i8"));
    assert!(!open("f8a1g8c1h8o15i8e8"));
    // The same far away: White is to move after h8, and Black after o15.
    let opening = ["f8", "a1", "g8", "c1"].map(|name| ply(name, Choice::Opening, 0));
    let mut game = game(None, [&opening[..], &[ply("k11", Choice::Best, 0)]].concat());
    for (moves, samples) in [(vec![point("h8")], 2), (vec![point("h8"), point("o15")], 1)] {
        game.plies[4].samples = vec![Exploration { moves, best: None, score: 0 }];
        assert_eq!(expand(&game).samples.len(), samples);
    }
}

/// One in `hold`, whatever the shard: the numbers of one are evenly apart.
#[test]
fn held_back_games_are_spread_evenly() {
    let held = |number, hold| is_held(number, NonZeroU64::new(hold).unwrap());
    assert!((0..1000).all(|n| held(n, 1)));
    for hold in [2, 20] {
        for shards in 1..=8 {
            for shard in 0..shards {
                let count = (0..2000).filter(|i| held(shards * i + shard, hold)).count() as u64;
                assert!(
                    count.abs_diff(2000 / hold) <= 20,
                    "{shard}/{shards}: {count} of 2000, one in {hold}"
                );
            }
        }
    }
    // Games held back of few are held back of more, too.
    assert!((0..2000).all(|n| held(n, 10) || !held(n, 20)));
}

/// A game whose number is its only score.
fn numbered(number: u64) -> Game {
    let plies = vec![ply("h8", Choice::Opening, 0), ply("i9", Choice::Best, number as i16)];
    Game { number, ..game(None, plies) }
}

/// A file with games of these numbers, in blocks of `block`.
fn file(path: &Path, head: &Head, numbers: impl IntoIterator<Item = u64>, block: usize) {
    let games: Vec<Game> = numbers.into_iter().map(numbered).collect();
    let mut writer = Writer::open(path, head).unwrap().0;
    games.chunks(block).for_each(|block| writer.append(block).unwrap());
}

fn head() -> Head {
    Head::new("standard", 15, 1, 1, "hand")
}

const HOLD: NonZeroU64 = NonZeroU64::new(20).unwrap();

/// The sets of a file of 200 games in the wrong order, in blocks of 7.
fn two_hundred(dir: &Path) -> (PathBuf, Sets) {
    let path = dir.join("games");
    file(&path, &head(), (0..200).rev(), 7);
    let mut sets = Sets::default();
    sets.read(&path, HOLD, &mut |_| {}).unwrap();
    (path, sets)
}

/// The scores of all positions of games, which are their numbers.
fn numbers<'a>(games: impl IntoIterator<Item = &'a Data>) -> Vec<u64> {
    games.into_iter().flat_map(|data| data.samples.iter().map(|s| s.score as u64)).collect()
}

#[test]
fn files_are_read_in_order_into_two_sets() {
    let dir = tempfile::tempdir().unwrap();
    let (path, sets) = two_hundred(dir.path());
    let (held, learned): (Vec<u64>, Vec<u64>) = (0..200).partition(|&n| is_held(n, HOLD));
    assert!(held.len() >= 5 && held.len() <= 20, "{held:?}");
    for (set, expected) in [(&sets.training, learned), (&sets.validation, held)] {
        let games = sets.index.expand(&set.games, |i, data| (i, data)).unwrap();
        assert!(games.iter().map(|game| game.0).eq(0..expected.len()));
        assert_eq!(numbers(games.iter().map(|game| &game.1)), expected);
        let count = expected.len() as u64;
        assert_eq!((set.summary.games, set.summary.positions), (count, count));
        let cells = games.iter().map(|game| game.1.count_cells()).sum::<u64>();
        assert_eq!(set.summary.cells, cells);
    }
    let mut bytes = 0;
    Sets::default().read(&path, HOLD, &mut |read| bytes += read).unwrap();
    let head = head().line().unwrap().len() as u64;
    assert_eq!(bytes, path.metadata().unwrap().len() - head);
}

/// The first moves of the games differ by a reflection, which leaves h8 in its place. The third ones do not.
#[test]
fn positions_to_learn_from_are_not_held_back() {
    let dir = tempfile::tempdir().unwrap();
    let line = |number, moves: [&str; 3]| {
        let mut plies = vec![ply("h8", Choice::Opening, 0)];
        plies.extend((1..).zip(moves).map(|(score, name)| ply(name, Choice::Best, score)));
        Game { number, ..game(None, plies) }
    };
    assert!(is_held(0, HOLD) && !is_held(1, HOLD));
    let path = dir.path().join("games");
    let games = [line(0, ["i9", "j10", "c3"]), line(1, ["g9", "g10", "d4"])];
    Writer::open(&path, &head()).unwrap().0.append(&games).unwrap();
    let mut sets = Sets::default();
    sets.read(&path, HOLD, &mut |_| {}).unwrap();
    assert_eq!((sets.training.summary.positions, sets.validation.summary.positions), (3, 3));
    sets.separate();
    assert_eq!((sets.training.summary.positions, sets.validation.summary.positions), (3, 1));
    assert_eq!(sets.repeated, 2);
    let expanded = |set: &Set| set.expand(&sets.index, 0..1, |data| data).unwrap();
    let held = expanded(&sets.validation);
    assert_eq!(numbers(&held), [3]);
    assert_eq!(held[0].count_cells(), sets.validation.summary.cells);
    assert_eq!(numbers(&expanded(&sets.training)), [1, 2, 3]);
}

/// The checksum is that of the games in the order of their numbers, and depends on each of them.
#[test]
fn the_summary_is_of_the_games_not_of_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let plain = two_hundred(dir.path()).1.training.summary;
    let summary = |name: &str, numbers: &mut dyn Iterator<Item = u64>, block| {
        let path = dir.path().join(name);
        file(&path, &head(), numbers, block);
        let mut sets = Sets::default();
        sets.read(&path, HOLD, &mut |_| {}).unwrap();
        sets.training.summary
    };
    assert_eq!(summary("sorted", &mut (0..200), 64), plain);
    assert_ne!(summary("other", &mut (1..201), 64).checksum, plain.checksum);
}

#[test]
fn even_distances() {
    let dir = tempfile::tempdir().unwrap();
    let sets = two_hundred(dir.path()).1;
    let learned: Vec<u64> = (0..200).filter(|&n| !is_held(n, HOLD)).collect();
    for (most, every) in [(1000, 1), (learned.len() as u64, 1), (100, 2), (50, 4), (1, learned.len())] {
        let expected: Vec<u64> = learned.iter().copied().step_by(every).collect();
        assert_eq!(numbers(&sets.evenly(most).unwrap()), expected, "{most}");
    }
}

/// Scores of each batch, epoch by epoch, from the windows of some epochs.
fn streamed(sets: &Sets, shuffle: Shuffle, from: (u64, usize), epochs: u64) -> Vec<Vec<Vec<u64>>> {
    thread::scope(|scope| {
        let (mut all, mut epoch) = (Vec::new(), Vec::new());
        let mut done = from.1;
        for window in windows(scope, sets, shuffle, from, epochs).unwrap() {
            let window = window.unwrap();
            for number in window.batches(done) {
                let batch = window.batch(number);
                epoch.push(batch.iter().map(|(_, sample)| sample.score as u64).collect());
            }
            if window.is_last {
                all.push(std::mem::take(&mut epoch));
                done = 0;
            }
        }
        all
    })
}

#[test]
fn an_epoch_has_every_position_once_in_an_order_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let sets = two_hundred(dir.path()).1;
    let learned: Vec<u64> = (0..200).filter(|&n| !is_held(n, HOLD)).collect();
    let shuffle = Shuffle { buffer: 80, batch: 8, seed: 3 };
    let epochs = streamed(&sets, shuffle, (0, 0), 3);
    assert_eq!(epochs.len(), 3);
    for (i, epoch) in epochs.iter().enumerate() {
        let mut flat = epoch.concat();
        assert!(epoch.iter().all(|batch| (4..=8).contains(&batch.len())), "{epoch:?}");
        assert!(epochs[..i].iter().all(|other| other.concat() != flat) && flat != learned);
        // No window is a piece of the file.
        assert!(flat[..40].iter().min() < Some(&30) && flat[..40].iter().max() > Some(&170));
        flat.sort_unstable();
        assert_eq!(flat, learned);
    }
    // From the middle of an epoch the rest is the same, also from between two windows and from the end.
    for batch in 0..=epochs[1].len() {
        let rest = streamed(&sets, shuffle, (1, batch), 3);
        assert_eq!(rest, [epochs[1][batch..].to_vec(), epochs[2].clone()], "{batch}");
    }
    // The order of the games in their file does not matter.
    let path = dir.path().join("sorted");
    file(&path, &head(), 0..200, 64);
    let mut sorted = Sets::default();
    sorted.read(&path, HOLD, &mut |_| {}).unwrap();
    assert_eq!(streamed(&sorted, shuffle, (0, 0), 3), epochs);
}

#[test]
fn a_file_that_changes_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let (path, sets) = two_hundred(dir.path());
    let bytes = std::fs::read(&path).unwrap();
    let shuffle = Shuffle { buffer: 80, batch: 8, seed: 3 };
    let error = || {
        thread::scope(|scope| {
            let mut windows = windows(scope, &sets, shuffle, (0, 0), 1).unwrap().into_iter();
            windows.find_map(Result::err).map(|error| error.to_string())
        })
    };
    assert_eq!(error(), None);
    let mut damaged = bytes.clone();
    damaged[bytes.len() - 10] ^= 4;
    for changed in [&bytes[..bytes.len() - 1], &damaged, b""] {
        std::fs::write(&path, changed).unwrap();
        let error = error().unwrap();
        let place = error.strip_prefix(&format!("{}: changed at byte ", path.display()));
        assert!(place.is_some_and(|rest| rest.contains(" while it was in use; expected")), "{error}");
        assert!(sets.evenly(1000).is_err());
    }
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(error(), None);
}

#[test]
fn games_are_taken_once_and_of_one_kind() {
    let dir = tempfile::tempdir().unwrap();
    let head = head();
    let make = |name: &str, head: &Head, numbers: std::ops::Range<u64>| {
        let path = dir.path().join(name);
        file(&path, head, numbers.rev(), 64);
        path
    };
    let first = make("first", &head, 0..10);
    let next = make("next", &head, 10..12);
    let overlapping = make("overlapping", &head, 11..13);
    // Other games with the same numbers: by another seed, by another net.
    let others = [Head { seed: 2, ..head.clone() }, Head { evaluation: "standard-1".into(), ..head.clone() }];
    let wrong = make("wrong", &Head { rule: "renju".into(), ..head.clone() }, 20..21);
    let mut sets = Sets::default();
    let mut read = |path: &Path| sets.read(path, HOLD, &mut |_| {});
    read(&first).unwrap();
    read(&next).unwrap();
    for (i, other) in others.iter().enumerate() {
        read(&make(&format!("other{i}"), other, 0..10)).unwrap();
    }
    for (path, game) in [(&first, 0), (&overlapping, 11)] {
        let error = read(path).unwrap_err().to_string();
        let expected = format!("{}: game {game} was read before", path.display());
        assert!(error.starts_with(&expected), "{error}");
    }
    let error = read(&wrong).unwrap_err().to_string();
    assert!(error.contains("game 20: standard on 15x15; expected renju on 15"), "{error}");
}

/// A game stays the same when relabelling changes its scores and choices, and when exploring adds samples. Another move
/// makes another game.
#[test]
fn a_game_is_known_with_other_labels_and_samples() {
    let dir = tempfile::tempdir().unwrap();
    let mut sets = Sets::default();
    let mut read = |name: &str, head: &Head, game: Game| {
        let path = dir.path().join(name);
        Writer::open(&path, head).unwrap().0.append(&[game]).unwrap();
        sets.read(&path, HOLD, &mut |_| {})
    };
    read("original", &head(), numbered(3)).unwrap();

    let (mut relabelled, mut explored, mut other) = (numbered(3), numbered(3), numbered(3));
    relabelled.plies[1] = ply("i9", Choice::Varied, -500);
    explored.plies[1].samples = vec![Exploration { moves: vec![point("h10")], best: None, score: 7 }];
    other.plies[1] = ply("i8", Choice::Best, 3);
    let labels = Relabelled { share: 15, nodes: 20_000, evaluation: "standard-1".into() };
    let walks = Explored { samples: 1, tree: None, nodes: 300, seed: 1, evaluation: "standard-1".into() };
    let same =
        [("relabelled", head().relabelled(labels), relabelled), ("explored", head().with(walks), explored)];
    for (name, head, game) in same {
        let error = read(name, &head, game).unwrap_err().to_string();
        assert!(error.contains(&format!("{name}: game 3 was read before")), "{error}");
    }
    read("other", &head(), other).unwrap();
}
