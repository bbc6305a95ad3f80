//! `kagetsu selfplay`: sets made in parts and joined, and their statistics.

use std::path::Path;

use kagetsu::game::{Color, Point, RuleKind, Size};
use kagetsu_tools::selfplay::game::{Choice, Ending, Exploration, Game, Ply};
use kagetsu_tools::selfplay::store::{Head, Reader, Writer};

use super::{failure, kagetsu};

fn make(path: &Path, more: &[&str]) -> String {
    let board = ["--rule", "caro", "--size", "9", "--nodes", "50", "--games", "6", "--threads", "1"];
    kagetsu(&[&["selfplay", "make", path.to_str().unwrap()], &board[..], more].concat())
}

fn games(path: &Path) -> Vec<Game> {
    Reader::open(path).unwrap().map(Result::unwrap).collect()
}

/// Returns games in the order of their numbers, each once, in whatever order they came.
#[test]
fn parts_are_joined_to_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let [whole, even, odd, joined, other] =
        ["whole", "even", "odd", "joined", "other"].map(|name| path(&format!("{name}.games")));
    assert_eq!(make(&whole, &[]), "0 games there before, 6 made\n");
    assert_eq!(make(&odd, &["--shard", "1/2"]), "0 games there before, 3 made\n");
    assert_eq!(make(&even, &["--shard", "0/2"]), "0 games there before, 3 made\n");
    let [whole_name, even_name, odd_name, joined_name, other_name] =
        [&whole, &even, &odd, &joined, &other].map(|path| path.to_str().unwrap());
    let merge = ["selfplay", "merge", joined_name, odd_name, even_name];
    assert_eq!(kagetsu(&[&merge[..], &[odd_name, whole_name]].concat()), "6 games\n");
    let mut expected = games(&whole);
    expected.sort_by_key(|game| game.number);
    assert_eq!(games(&joined), expected);
    assert_eq!(kagetsu(&["selfplay", "verify", joined_name]), format!("{joined_name}: 6 games, all right\n"));

    assert!(failure(&merge).contains("exists already"));
    make(&other, &["--seed", "2"]);
    let refused = path("refused.games");
    let said = failure(&["selfplay", "merge", refused.to_str().unwrap(), even_name, other_name]);
    assert!(said.contains("other.games: made with other settings than"), "{said}");
    assert!(!refused.exists());
}

/// A set that is not whole, and games of one number that differ, are refused; nothing is written.
#[test]
fn a_set_is_joined_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let [even, odd, foreign, joined] =
        ["even", "odd", "foreign", "joined"].map(|name| path(&format!("{name}.games")));
    make(&even, &["--shard", "0/2"]);
    make(&odd, &["--shard", "1/2"]);
    let mut other = games(&odd);
    other[0].plies.pop();
    let head = Reader::open(&odd).unwrap().head().clone();
    Writer::open(&foreign, &head).unwrap().0.append(&other).unwrap();
    let [even, odd, foreign, name] = [&even, &odd, &foreign, &joined].map(|path| path.to_str().unwrap());

    let said = failure(&["selfplay", "merge", name, "--games", "6", even]);
    assert!(said.contains("3 games missing, the first is game 1:"), "{said}");
    let said = failure(&["selfplay", "merge", name, "--games", "7", even, odd]);
    assert!(said.contains("1 game missing, the first is game 6:"), "{said}");
    let said = failure(&["selfplay", "merge", name, even, odd, foreign]);
    let number = other[0].number;
    assert!(said.contains(&format!("foreign.games: game {number} is another one")), "{said}");
    assert!(!joined.exists());
    assert_eq!(kagetsu(&["selfplay", "merge", name, "--games", "6", even, odd]), "6 games\n");
}

/// Four games that Black won, three that White won, and three draws of two kinds, each with six stones: two of the
/// opening, one varied, three best ones.
#[test]
fn a_set_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("made.games");
    let results = [
        (Some(Color::Black), Ending::Proven, 4),
        (Some(Color::White), Ending::Five, 3),
        (None, Ending::Full, 2),
        (None, Ending::Adjudicated, 1),
    ];
    let choices =
        [Choice::Opening, Choice::Opening, Choice::Best, Choice::Varied, Choice::Best, Choice::Best];
    let ply = |(x, &choice)| Ply { point: Point::new(x, 0), score: 0, choice, samples: Vec::new() };
    let plies: Vec<Ply> = choices.iter().enumerate().map(ply).collect();
    let results = results.iter().flat_map(|&(winner, ending, count)| vec![(winner, ending); count]);
    let game = |(number, (winner, ending))| {
        let (rule, size) = (RuleKind::Caro, Size::S15);
        let mut plies = plies.clone();
        let sample = |points: &[Point]| Exploration { moves: points.to_vec(), best: None, score: 0 };
        // The first game has three samples, the second seven, the others none.
        plies[2].samples =
            vec![sample(&[Point::new(9, 9)]); [3, 7].get(number as usize).copied().unwrap_or(0)];
        Game { number, rule, size, winner, ending, plies }
    };
    let games: Vec<Game> = (0..).zip(results).map(game).collect();
    Writer::open(&path, &Head::new("caro", 15, 50, 1, "hand")).unwrap().0.append(&games).unwrap();
    let text = kagetsu(&["selfplay", "stats", path.to_str().unwrap()]);
    let (head, counts) = text.split_once('\n').unwrap();
    assert!(head.starts_with(path.to_str().unwrap()) && head.contains("\"nodes\":50"), "{head}");
    let bytes = path.metadata().unwrap().len() as f64 / 40.0;
    let expected = format!(
        "10 games: Black won 4, White 3, drawn 3 (30.0 %)\n\
         ends: proven 40.0 %, five 30.0 %, full board 20.0 %, adjudicated 10.0 %\n\
         40 positions searched (4.0 a game) after 2.0 opening stones, 25.0 % of moves varied; \
         10 exploration samples; {bytes:.2} bytes a position\n"
    );
    assert_eq!(counts, expected);
}

/// The games stay as they were, with more samples; an interrupted file is completed with the same samples.
#[test]
fn samples_are_added_to_finished_games() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let [made, whole, cut] = ["made", "whole", "cut"].map(|name| path(&format!("{name}.games")));
    make(&made, &[]);
    let explore = |out: &Path| {
        let files = ["selfplay", "explore", made.to_str().unwrap(), out.to_str().unwrap()];
        kagetsu(&[&files[..], &["--samples", "2", "--nodes", "50", "--save-every", "0s"]].concat())
    };
    assert_eq!(explore(&whole), "0 games there before, 6 made\n");
    let sorted = |path: &Path| {
        let mut games = games(path);
        games.sort_by_key(|game| game.number);
        games
    };
    let (old, new) = (sorted(&made), sorted(&whole));
    assert_eq!(old.len(), new.len());
    let mut added = 0;
    for (old, new) in old.iter().zip(&new) {
        let mut without = new.clone();
        for (ply, before) in without.plies.iter_mut().zip(&old.plies) {
            added += ply.samples.len() - before.samples.len();
            ply.samples.truncate(before.samples.len());
        }
        assert_eq!(&without, old);
    }
    assert!(added > 0);
    assert!(kagetsu(&["selfplay", "verify", whole.to_str().unwrap()]).ends_with("6 games, all right\n"));

    // The last byte of the last block is missing.
    let bytes = std::fs::read(&whole).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 1]).unwrap();
    assert!(explore(&cut).ends_with("there before, 1 made\n"));
    assert_eq!(sorted(&cut), new);

    // The same walks again are refused, others are added.
    let again = ["selfplay", "explore", whole.to_str().unwrap(), path("again.games").to_str().unwrap()]
        .map(String::from);
    let again = again.each_ref().map(String::as_str);
    let said = failure(&again);
    assert!(said.contains("has the samples of seed 1 already; expected another --seed"), "{said}");
    assert!(!path("again.games").exists());
    kagetsu(&[&again[..], &["--samples", "3", "--nodes", "50", "--seed", "2"]].concat());
    let mut added = 0;
    for (old, new) in new.iter().zip(&sorted(&path("again.games"))) {
        for (before, after) in old.plies.iter().zip(&new.plies) {
            assert!(after.samples.starts_with(&before.samples));
            added += after.samples.len() - before.samples.len();
        }
    }
    assert!(added > 0);
}

/// Scores and the choice of moves change, nothing else; a file that is something else stays as it is.
#[test]
fn finished_games_are_relabelled() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let (made, out, letter) = (path("made.games"), path("relabelled.games"), path("letter.txt"));
    let found = path("found.games");
    make(Path::new(&found), &[]);
    // Scores so high that the net disagrees with all of them.
    let mut wrong = games(Path::new(&found));
    let plies = wrong.iter_mut().flat_map(|game| &mut game.plies);
    plies
        .filter(|ply| ply.choice != Choice::Opening && ply.score.abs() < 1000)
        .for_each(|ply| ply.score = 2000);
    let head = Reader::open(Path::new(&found)).unwrap().head().clone();
    Writer::open(Path::new(&made), &head).unwrap().0.append(&wrong).unwrap();
    let relabel =
        |out| ["selfplay", "relabel", &made, out, "--nodes", "2000", "--share", "30"].map(String::from);
    let arguments = relabel(&out);
    assert_eq!(kagetsu(&arguments.each_ref().map(String::as_str)), "0 games there before, 6 made\n");
    assert!(kagetsu(&["selfplay", "verify", &out]).ends_with("6 games, all right\n"));
    let stats = kagetsu(&["selfplay", "stats", &out]);
    assert!(stats.contains(r#""relabelled":[{"share":30,"nodes":2000,"evaluation":"#), "{stats}");

    let plain = |path: &str, labels: bool| {
        let mut games = games(Path::new(path));
        games.sort_by_key(|game| game.number);
        for ply in games.iter_mut().flat_map(|game| &mut game.plies).filter(|_| !labels) {
            (ply.score, ply.choice) = (0, Choice::Best);
            ply.samples.iter_mut().for_each(|sample| (sample.score, sample.best) = (0, None));
        }
        games
    };
    assert_eq!(plain(&out, false), plain(&made, false));
    assert_ne!(plain(&out, true), plain(&made, true));

    std::fs::write(&letter, "Dear Rapfi,\n").unwrap();
    let said = failure(&relabel(&letter).each_ref().map(String::as_str));
    assert!(said.contains("not a file of self-play games"), "{said}");
    assert_eq!(std::fs::read_to_string(&letter).unwrap(), "Dear Rapfi,\n");
    let said = failure(&relabel(&made).each_ref().map(String::as_str));
    assert!(said.contains("holds games made with other settings"), "{said}");
}

#[test]
fn a_game_is_in_a_file_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("twice.games");
    make(&path, &[]);
    let game = games(&path).swap_remove(0);
    let number = game.number;
    let head = Reader::open(&path).unwrap().head().clone();
    Writer::open(&path, &head).unwrap().0.append(&[game]).unwrap();
    let path = path.to_str().unwrap();
    let said = failure(&["selfplay", "verify", path]);
    assert!(said.contains(&format!("{path}: game {number} is there twice")), "{said}");
}

/// Samples of two explorations come together, of a file that is given twice twice; files that do not fit are refused.
#[test]
fn explorations_of_the_same_games_are_combined() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let [made, walks, tree, all, refused] =
        ["made", "walks", "tree", "all", "refused"].map(|name| path(&format!("{name}.games")));
    make(Path::new(&made), &[]);
    let explore = |out: &str, more: &[&str]| {
        kagetsu(&[&["selfplay", "explore", &made, out, "--samples", "2", "--nodes", "50"], more].concat())
    };
    explore(&walks, &[]);
    explore(&tree, &["--tree", "200", "--seed", "2"]);
    let said = kagetsu(&["selfplay", "combine", &all, &made, &walks, &tree, &tree]);

    let sorted = |path: &str| {
        let mut games = games(Path::new(path));
        games.sort_by_key(|game| game.number);
        games
    };
    let mut expected = sorted(&made);
    let mut count = 0;
    for ((game, walks), tree) in expected.iter_mut().zip(sorted(&walks)).zip(sorted(&tree)) {
        for ((ply, walks), tree) in game.plies.iter_mut().zip(walks.plies).zip(tree.plies) {
            let own = ply.samples.len();
            let (walks, tree) = (&walks.samples[own..], &tree.samples[own..]);
            ply.samples = [&ply.samples[..], walks, tree, tree].concat();
            count += ply.samples.len();
        }
    }
    assert_eq!(sorted(&all), expected);
    assert_eq!(said, format!("6 games, {count} exploration samples\n"));
    assert!(kagetsu(&["selfplay", "verify", &all]).ends_with("6 games, all right\n"));
    let stats = kagetsu(&["selfplay", "stats", &all]);
    assert_eq!(stats.matches(r#""tree":200"#).count(), 2, "{stats}");

    let [part, other, changed, relabelled] =
        ["part", "other", "changed", "relabelled"].map(|name| path(&format!("{name}.games")));
    make(Path::new(&other), &["--seed", "2"]);
    kagetsu(&["selfplay", "relabel", &walks, &relabelled, "--nodes", "100"]);
    let head = Reader::open(Path::new(&walks)).unwrap().head().clone();
    let write = |path: &str, games: &[Game]| {
        Writer::open(Path::new(path), &head).unwrap().0.append(games).unwrap();
    };
    let mut games = sorted(&walks);
    write(&part, &games[..5]);
    games[3].plies.last_mut().unwrap().score ^= 1;
    write(&changed, &games);
    for (file, why) in [
        (&made, "made.games: expected the games of"),
        (&other, "other.games: expected the games of"),
        (&relabelled, "relabelled.games: expected the games of"),
        (&part, "part.games: 1 game of"),
        (&changed, "changed.games: game 3 is another one"),
    ] {
        let said = failure(&["selfplay", "combine", &refused, &made, &walks, file]);
        assert!(said.contains(why), "{said}");
        assert!(!Path::new(&refused).exists());
    }
    let said = failure(&["selfplay", "combine", &walks, &made, &tree]);
    assert!(said.contains("exists already"), "{said}");
}
