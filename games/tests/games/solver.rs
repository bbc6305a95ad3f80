//! Solved positions of Reversi with independently known results.

use kagetsu::random::{IndexedRandom, Random, SeedableRng};
use kagetsu_games::game::{Effort, Solved};
use kagetsu_games::{Game, Kind, Move, Options, notation};

fn options(size: usize, choices: &[(&str, &str)]) -> Options {
    let mut options = Options::new(Kind::Reversi);
    options.set_size(size).unwrap();
    choices.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    options
}

fn solve(game: &dyn Game, empties_to_winner: bool, threads: usize) -> Solved {
    let effort = Effort {
        hash: 64 << 20,
        threads,
        nodes: u64::MAX,
        most_empty: u32::MAX,
        empties_to_winner,
        stop: &|| false,
        on_bound: &|_, _, _| {},
    };
    game.solve(&effort).unwrap()
}

/// Plays the line of best play. It must be legal and end the game; if empty squares are not counted, the result must be
/// the value.
fn replay(game: &dyn Game, solved: &Solved) {
    let mut game = game.boxed();
    let side = game.side();
    for &m in &solved.line {
        assert_eq!(game.check(m), Ok(()));
        game.play(m);
    }
    let margin = game.outcome().unwrap().margin.unwrap();
    let sign = if side == kagetsu::game::Color::Black { 1 } else { -1 };
    assert_eq!(sign * margin, solved.value);
}

/// Othello and parallel start: White by 8 (3-11) and by 3. Fewer discs win: Black by 3, and a draw.
#[test]
fn boards_of_4x4() {
    for (start, anti, value) in
        [("othello", "no", -8), ("parallel", "no", -3), ("othello", "yes", 3), ("parallel", "yes", 0)]
    {
        let game = options(4, &[("start", start), ("anti", anti)]).begin();
        for threads in [1, 3] {
            let solved = solve(&*game, false, threads);
            assert_eq!(solved.value, value, "{start} {anti}");
            replay(&*game, &solved);
        }
    }
}

/// The exact result by plain minimax on the game's own rules.
fn minimax(game: &mut dyn Game) -> i32 {
    if let Some(outcome) = game.outcome() {
        let sign = if game.side() == kagetsu::game::Color::Black { 1 } else { -1 };
        return sign * outcome.margin.unwrap();
    }
    let mut best = i32::MIN;
    for m in game.legal() {
        game.play(m);
        best = best.max(-minimax(game));
        game.undo();
    }
    best
}

/// Random endings of many variants against plain minimax.
#[test]
fn endings_agree_with_minimax() {
    let mut random = Random::seed_from_u64(11);
    let mut solved = 0;
    for round in 0..60 {
        let size = [6, 8][round % 2];
        let mut choices = vec![("anti", if round % 3 == 0 { "yes" } else { "no" })];
        if round % 4 == 1 {
            choices.push(("hole", "b1"));
        }
        let mut game = options(size, &choices).begin();
        let empty = |game: &dyn Game| {
            (0..size * size)
                .filter(|i| {
                    let p = kagetsu::game::Point::new(i % size, i / size);
                    game.cell(p) == kagetsu_games::Cell::Empty
                })
                .count()
        };
        while game.outcome().is_none() && empty(&*game) > 7 {
            let moves = game.legal();
            game.play(*moves.choose(&mut random).unwrap());
        }
        if game.outcome().is_some() {
            continue;
        }
        let answer = solve(&*game, false, 1);
        assert_eq!(answer.value, minimax(game.as_mut()), "{}", notation::print_setup(&*game));
        replay(&*game, &answer);
        solved += 1;
    }
    assert!(solved > 50);
}

/// Positions of the FFO test set with the best moves and their score, empty squares counted for the winner.
/// CITE: problem/fforum-*.obf of github.com/abulmo/edax-reversi.
fn check(position: &str, best: &[&str], value: i32) {
    let game = notation::parse(position, &options(8, &[])).unwrap();
    let solved = solve(&*game, true, 2);
    let Some(Move::Place(p)) = solved.line.first() else { panic!("no move") };
    println!("{position}: {p} {:+}, {} nodes", solved.value, solved.nodes);
    assert_eq!(solved.value, value, "{position}");
    assert!(best.contains(&p.to_string().as_str()), "{position}: {p}");
}

/// Positions 1 to 19 with at most 16 empty squares, some of them.
#[test]
fn small_ffo_positions() {
    // 1: 14 empty squares.
    check("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", &["g8"], 18);
    // 2: 14 empty squares.
    check("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X", &["a4"], 10);
    // 3: 14 empty squares.
    check("----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X", &["d1"], 2);
    // 4: 14 empty squares.
    check("-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X", &["h8", "a5"], 0);
    // 5: 14 empty squares.
    check("-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X", &["g8"], 32);
    // 6: 14 empty squares.
    check("--OXXX--OOOXXX--OOOXOXO-OOXOOOX-OOXXXXXXXOOXXOX--OOOOX---XXXXXX- X", &["a1", "h3"], 14);
}

/// A solver that gives up tells how many positions it has visited: about as many as it was allowed.
#[test]
fn an_unsolved_position_has_its_nodes() {
    let text = "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X";
    let game = notation::parse(text, &options(8, &[])).unwrap();
    let effort = Effort {
        hash: 1 << 16,
        threads: 1,
        nodes: 1_000,
        most_empty: u32::MAX,
        empties_to_winner: false,
        stop: &|| false,
        on_bound: &|_, _, _| {},
    };
    let nodes = game.solve(&effort).unwrap_err().nodes;
    assert!((1_000..1_200).contains(&nodes), "{nodes}");
    let unsolved = game.solve(&Effort { most_empty: 13, ..effort }).unwrap_err();
    assert_eq!(unsolved.nodes, 0, "it was not tried with 14 empty squares");
}

/// Positions 40 to 44, of 20 to 23 empty squares.
#[test]
#[ignore = "minutes"]
fn ffo_40_to_44() {
    // 40: 20 empty squares.
    check("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", &["a2"], 38);
    // 41: 22 empty squares.
    check("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", &["h4"], 0);
    // 42: 22 empty squares.
    check("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", &["g2"], 6);
    // 43: 23 empty squares.
    check("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", &["g3", "c7"], -12);
    // 44: 23 empty squares.
    check("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", &["d2", "b8"], -14);
}

/// Othello start: White 20-16; parallel start: White 19-17. CITE: J. Feinstein 1993,
/// maths.nottingham.ac.uk/plp/pmzjff/Othello/6x6sol.html.
#[test]
#[ignore = "minutes"]
fn boards_of_6x6() {
    for (start, value) in [("othello", -4), ("parallel", -2)] {
        let game = options(6, &[("start", start)]).begin();
        let effort = Effort {
            hash: 2 << 30,
            threads: 2,
            nodes: u64::MAX,
            most_empty: u32::MAX,
            empties_to_winner: false,
            stop: &|| false,
            on_bound: &|lower, upper, nodes| println!("{lower}..{upper} after {nodes} nodes"),
        };
        let solved = game.solve(&effort).unwrap();
        println!("{start}: {}, {} nodes: {:?}", solved.value, solved.nodes, solved.line);
        assert_eq!(solved.value, value, "{start}");
        replay(&*game, &solved);
    }
}
