//! Reversi: counts of games from other programs, a slow implementation, and cases from the text of the rules.

use kagetsu::random::{IndexedRandom, Random, SeedableRng};
use kagetsu_games::perft::perft;
use kagetsu_games::{Game, Illegal, Kind, Move, Options, Reason, notation};

fn options(size: usize, choices: &[(&str, &str)]) -> Options {
    let mut options = Options::new(Kind::Reversi);
    options.set_size(size).unwrap();
    choices.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    options
}

fn counts(size: usize, start: &str, expected: &[u64]) {
    let mut game = options(size, &[("start", start)]).begin();
    for (depth, &games) in (1..).zip(expected) {
        assert_eq!(perft(game.as_mut(), depth), games, "{size} {start} {depth}");
    }
}

/// CITE: aartbik.com/MISC/reversi.html for 8x8 from the Othello start.
const OTHELLO_8: [u64; 10] = [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284];

#[test]
fn perft_of_small_boards_and_starts() {
    counts(8, "othello", &OTHELLO_8[..8]);
    counts(8, "parallel", &[4, 14, 68, 292, 1690, 9696, 64794]);
    counts(6, "othello", &[4, 12, 56, 244, 1364, 7604, 47740, 308_716]);
    counts(6, "parallel", &[4, 14, 68, 292, 1634, 9020, 55610, 355_538]);
    counts(4, "othello", &[4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540, 50704, 57436]);
    counts(4, "parallel", &[4, 12, 50, 138, 480, 1310, 3972, 9192, 22102, 37580, 57072, 62840]);
}

#[test]
#[ignore = "half a minute"]
fn perft_to_depth_ten() {
    counts(8, "othello", &OTHELLO_8);
    counts(8, "parallel", &[4, 14, 68, 292, 1690, 9696, 64794, 450_012, 3_449_900]);
    counts(6, "othello", &[4, 12, 56, 244, 1364, 7604, 47740, 308_716, 2_114_912]);
    counts(6, "parallel", &[4, 14, 68, 292, 1634, 9020, 55610, 355_538, 2_393_900]);
}

/// Plays random games of many variants against the slow implementation.
fn compare(games: usize, positions: usize) -> usize {
    let mut seen = 0;
    for (seed, size) in [4, 6, 8, 10, 16].into_iter().enumerate() {
        for (parallel, anti, hole) in [
            (false, false, None),
            (true, true, None),
            (false, true, Some((1, 0))),
            (true, false, Some((0, 2))),
        ] {
            let begin = || -> (Box<dyn Game>, Box<dyn super::slow::Slow>) {
                let mut options = options(size, &[]);
                options.set("start", if parallel { "parallel" } else { "othello" }).unwrap();
                options.set("anti", if anti { "yes" } else { "no" }).unwrap();
                if let Some((x, y)) = hole {
                    options.set("hole", &kagetsu::game::Point::new(x, y).to_string()).unwrap();
                }
                (options.begin(), Box::new(super::slow::reversi::Board::new(size, parallel, anti, hole)))
            };
            seen += super::slow::compare(begin, games / 20, positions / 20, seed as u64);
        }
    }
    seen
}

#[test]
fn a_thousand_games_agree_with_the_slow_rules() {
    assert!(compare(1000, 0) > 50_000);
}

#[test]
#[ignore = "minutes"]
fn a_million_positions_agree_with_the_slow_rules() {
    assert!(compare(0, 1_000_000) >= 1_000_000);
}

/// One colour has no move and passes, and its record shows the pass. Then neither has a move, and the game is over
/// before the board is full.
#[test]
fn passes_and_the_end() {
    let game = |text: &str| notation::parse(text, &options(4, &[])).unwrap();
    // Black to move has nothing to turn, White has.
    let mut passing = game("xx2/x3/o3/4 o");
    assert_eq!(passing.legal(), [Move::Pass]);
    assert_eq!(passing.check(notation::parse_move("d4", 4).unwrap()), Err(Illegal::MustPass(passing.side())));
    passing.play(Move::Pass);
    assert_eq!(passing.legal(), [notation::parse_move("a4", 4).unwrap()]);
    assert_eq!(passing.check(Move::Pass), Err(Illegal::NoPass));
    passing.play(notation::parse_move("a4", 4).unwrap());
    let outcome = passing.outcome().unwrap();
    assert_eq!((outcome.reason, outcome.margin), (Reason::Discs([5, 0]), Some(5)), "White has no disc left");
    assert_eq!(outcome.to_string(), "black wins, 5 discs to 0");
    assert!(passing.legal().is_empty());
    assert!(matches!(passing.check(Move::Pass), Err(Illegal::Over(_))));
}

/// A pass that must be made may be left out of a move list.
#[test]
fn passes_may_be_left_out() {
    let mut game = notation::parse("xx2/x3/o3/4 o", &options(4, &[])).unwrap();
    notation::play_moves("a4", game.as_mut()).unwrap();
    assert_eq!(notation::moves(game.as_ref()), "--a4");
}

/// Discs on different sides of the hole do not capture across it.
#[test]
fn a_hole_is_an_edge() {
    let with = |hole: &[(&str, &str)]| notation::parse("xo1o2/6/2xo2/2ox2/6/6 x", &options(6, hole)).unwrap();
    let c1 = notation::parse_move("c1", 6).unwrap();
    assert_eq!(with(&[]).check(c1), Ok(()));
    assert!(matches!(with(&[("hole", "c1")]).check(c1), Err(Illegal::Hole(_))));
    let across = notation::parse("xo#o2/6/2xo2/2ox2/6/6 x", &options(6, &[])).unwrap();
    let e1 = notation::parse_move("e1", 6).unwrap();
    assert!(matches!(across.check(e1), Err(Illegal::TurnsNothing(_))), "a hole is not an own disc");
    let joined = notation::parse("xooo2/6/2xo2/2ox2/6/6 x", &options(6, &[])).unwrap();
    assert_eq!(joined.check(e1), Ok(()));
}

#[test]
fn options_are_checked() {
    let mut options = Options::new(Kind::Reversi);
    for size in [2, 3, 7, 18] {
        let error = options.set_size(size).unwrap_err().to_string();
        assert_eq!(error, format!("reversi: a board of size {size}: expected even, 4 to 16"));
    }
    for (name, value, expected) in [
        (
            "hole",
            "d4",
            "the hole cannot be on d4: expected a square of the board other than the four in the middle",
        ),
        ("hole", "i9", "option hole: expected a point of the board"),
        ("start", "random", "option start: expected othello or parallel"),
        ("komi", "1", "reversi has no option 'komi'; `kagetsu games rules reversi` lists its options"),
    ] {
        assert_eq!(options.set(name, value).unwrap_err().to_string(), expected);
    }
}

/// The setup string of any position gives it back.
#[test]
fn setups_round_trip() {
    for (size, choices) in [(8, vec![]), (6, vec![("hole", "a2"), ("start", "parallel")]), (16, vec![])] {
        let options = options(size, &choices);
        let mut game = options.begin();
        let mut random = Random::seed_from_u64(size as u64);
        while game.outcome().is_none() {
            let moves = game.legal();
            game.play(*moves.choose(&mut random).unwrap());
            let text = notation::print_setup(game.as_ref());
            let read = notation::parse(&text, &options).unwrap();
            assert_eq!(notation::print_setup(read.as_ref()), text);
            assert_eq!(read.hash(), game.hash(), "{text}");
            assert_eq!(read.legal(), game.legal());
        }
    }
}

/// The first line of a public test file for Othello programs.
#[test]
fn squares_are_read() {
    let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;";
    let game = notation::parse(text, &options(8, &[])).unwrap();
    assert_eq!(
        notation::print_setup(game.as_ref()),
        "o2oooox/1oooooox/ooxxooox/ooxoooxx/ooooooxx/3oooox/4o2x/8 x"
    );
    assert_eq!(game.notes(), ["discs: black 12, white 32"]);
    let commented = notation::parse(&format!("{text} % 1/2 of the set"), &options(8, &[])).unwrap();
    assert_eq!(commented.hash(), game.hash());
    let with_tab = notation::parse(&text.replace(" X;", "\tX;"), &options(8, &[])).unwrap();
    assert_eq!(with_tab.hash(), game.hash());
}

#[test]
fn bad_positions_are_explained() {
    for (text, expected) in [
        ("d3d3", "move 2 (d3): d3 is occupied"),
        ("a1", "move 1 (a1): a1 turns no disc"),
        ("d3--", "move 2 (--): no pass is allowed here"),
        ("d3x", "character 3: expected a column of the board"),
        ("d9", "character 2: expected a row of the board"),
        ("d3 c", "character 5: expected a row of the board"),
        ("d3?", "character 3: expected a move, as h8"),
        ("8/8/8 x", "row 1 has 8 points, expected 3"),
        ("8/8/8/8/8/8/8/8", "expected the side to move, x or o, after the rows"),
        ("8/8/8/8/8/8/8/7z x", "character 16: expected x, o, # or a number of empty points"),
        ("5/5/5/5/5 x", "reversi: a board of size 5: expected even, 4 to 16"),
        ("4/4/4/4 x captured=1", "a position of reversi has no field 'captured'"),
        ("@d3", "move 1 (@d3): this game has no bombs"),
        ("--------------------------- x", "27 squares do not form a square board"),
        (
            "---------------------------O*------*O--------------------------- * f5",
            "character 68: expected the end, or ; before a comment",
        ),
        ("#7/8/8/3ox3/3xo3/8/8/7# x", "a second hole on h8: expected one at most"),
        ("#----OX--XO----# x", "a second hole on d4: expected one at most"),
    ] {
        let error = notation::parse(text, &options(8, &[])).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(expected), "{text}");
    }
    let mut fixed = options(8, &[]);
    fixed.fix_size(8).unwrap();
    let error = notation::parse("4/1xo1/1ox1/4 x", &fixed).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("the position's size is 4, but size 8 was asked for"));
}
