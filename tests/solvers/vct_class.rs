//! Wins by threats against a brute force that tries every move of the class and every reply, on small boards.

use crate::common::random::Random;
use crate::common::reference::Grid;
use crate::common::threats::Threats;
use kagetsu::game::{Board, Color, Freestyle, Point, Position, Renju, Rule, RuleKind, Size, notation};
use kagetsu::solve::defend::defences;
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vct, Verdict};
use kagetsu::with_rule;

/// Attacker's turns after which the brute force gives up.
const LIMIT: usize = 300;

/// Numbers of the answers compared.
#[derive(Default, Debug)]
struct Seen {
    wins: usize,
    none: usize,
    /// Positions whose defences were compared.
    defended: usize,
}

fn compare<R: Rule>(position: &Position, seen: &mut Seen) {
    let grid = Grid::from_position(position);
    if Color::BOTH.into_iter().any(|color| grid.has_won(color, R::KIND)) {
        return;
    }
    let attacker = position.side();
    let mut slow = Threats::new(grid, attacker, R::KIND, LIMIT);
    let expected = slow.solve();
    if slow.gave_up() {
        return;
    }
    let mut board = Board::<R>::from_position(position).unwrap();
    let at = format!("{} {}", R::KIND, notation::setup::print(position));
    let mut vct = Vct::<R>::new(1 << 16);
    let verdict = vct.solve(&board, attacker, &mut Budget::unlimited());
    let Some(length) = expected else {
        assert_eq!(verdict, Verdict::NoWin, "{at}");
        seen.none += 1;
        return;
    };
    assert_eq!(verdict, Verdict::Win, "{at}");
    seen.wins += 1;
    let proof = vct.proof(&mut Budget::unlimited()).unwrap();
    assert_eq!(verify(&mut board, attacker, &proof, &mut Budget::unlimited()), Ok(()), "{at}");
    let (proof, shortest) = vct.shorten(&board, attacker, proof, &mut Budget::unlimited());
    assert_eq!(verify(&mut board, attacker, &proof, &mut Budget::unlimited()), Ok(()), "{at}");
    assert!(shortest);
    assert_eq!(proof.length() as u32, length, "{at}");
    compare_defences(&board, slow, seen, &at);
}

/// Compares the defences of the other side, as if it were its turn, against the win of the side to move of
/// `board`.
fn compare_defences<R: Rule>(board: &Board<R>, mut slow: Threats, seen: &mut Seen, at: &str) {
    let (attacker, defender) = (board.side(), !board.side());
    let mut board = board.clone();
    board.set_side(defender);
    let legal: Vec<Point> = board.empty().iter().filter(|&p| board.is_legal(p)).collect();
    let mut expected = Vec::new();
    for p in legal {
        board.play(p);
        let stopped = board.winner().is_some() || slow.with(p, defender, Threats::solve).is_none();
        board.undo();
        if slow.gave_up() {
            return;
        }
        if stopped {
            expected.push(p);
        }
    }
    let mut solvers = [Vct::<R>::new(1 << 16)];
    let found = defences(&mut solvers, &board, &mut Budget::unlimited(), || ());
    assert_eq!(
        (found.threat, &found.stops, found.undecided.len()),
        (Verdict::Win, &expected, 0),
        "{attacker} {at}"
    );
    seen.defended += 1;
}

/// A position on a board that is a quarter to three quarters full, with any side to move.
fn crowded(random: &mut Random) -> Position {
    let size = Size::new(6 + random.below(3)).unwrap();
    let stones = size.area() / 4 + random.below(size.area() / 2);
    let moves = random.position(size, stones);
    Position::from_stones(size, moves.stones(), Color::BOTH[random.below(2)]).unwrap()
}

#[test]
fn agrees_with_the_class_by_brute_force() {
    for kind in RuleKind::ALL {
        let mut random = Random::new(kind as u64);
        let mut seen = Seen::default();
        for _ in 0..60 {
            let position = crowded(&mut random);
            with_rule!(kind, R => compare::<R>(&position, &mut seen));
        }
        assert!(seen.wins >= 10 && seen.none >= 10 && seen.defended >= 10, "{kind}: {seen:?}");
    }
}

/// Three points are empty. White's a4 threatens b4 and c4, where Black would make seven in a row.
const FOULS: &str = "xxxoooo/oxxoooo/oxxxxoo/3ooxx/oxxxxox/xxxooox/oxxoxoo";

/// Black passes, or the game is drawn.
#[test]
fn black_with_fouls_only_has_not_lost() {
    let solve = |stones: &str| {
        let position = notation::setup::parse(&format!("{stones} o")).unwrap();
        let board = Board::<Renju>::from_position(&position).unwrap();
        Vct::new(1 << 16).solve(&board, Color::White, &mut Budget::unlimited())
    };
    assert_eq!(solve(FOULS), Verdict::NoWin);
    // With another empty point Black can play there, and White's fours follow. Before White's a4 it is a defence, because
    // nothing is left for Black after a4.
    let more = FOULS.replace("/oxxoxoo", "/oxxoxo1");
    assert_eq!(solve(&more), Verdict::Win);
    let position = notation::setup::parse(&format!("{more} x")).unwrap();
    let board = Board::<Renju>::from_position(&position).unwrap();
    let mut solvers = [Vct::new(1 << 16)];
    let found = defences(&mut solvers, &board, &mut Budget::unlimited(), || ());
    let names: Vec<String> = found.stops.iter().map(ToString::to_string).collect();
    assert_eq!((found.threat, names), (Verdict::Win, vec!["g1".into(), "a4".into()]));
}

/// White wins in four moves: a quiet move, another one, a four and a five. The fours behind the first quiet move take four
/// moves themselves, one more than are left.
#[test]
fn a_short_win_may_begin_with_a_threat_of_longer_fours() {
    fn check<R: Rule>(stones: &str) {
        let position = notation::setup::parse(stones).unwrap();
        let mut board = Board::<R>::from_position(&position).unwrap();
        let (mut vct, attacker) = (Vct::new(1 << 20), position.side());
        let verdict = vct.within(&board, attacker, 4, &mut Budget::unlimited());
        assert_eq!(verdict, Verdict::Win, "{stones}");
        let proof = vct.proof(&mut Budget::unlimited()).unwrap();
        assert_eq!(proof.length(), 7, "{stones}");
        assert_eq!(verify(&mut board, attacker, &proof, &mut Budget::unlimited()), Ok(()), "{stones}");
    }
    check::<Freestyle>("8/3o4/2x5/6o1/1o1o4/6o1/o7/4x3 o");
    check::<Renju>("3o1x2/o5o1/6o1/3ox3/4o3/8/8/3x1o2 o");
}
