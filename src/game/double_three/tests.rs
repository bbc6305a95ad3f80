use super::super::point::Direction;
use super::super::rule_kind::Five;
use super::*;
use crate::game::notation;
use crate::random::{IndexedRandom, Random, RngExt, SeedableRng};

/// Black's pairs a knight's move apart on 12x12, without a five. Each extension of a three makes further threes, so that the
/// number of questions by the rule read word by word grows exponentially with the board.
const LATTICE: &str = "3xx3xx2/xx3xx3xx/2xx3xx3/x3xx3xx1/1xx3xx3x/3xx3xx2/xx3xx3xx/2xx3xx3/x3xx3xx1/1xx3xx3x/3xx3xx2/\
                       xx3xx3xx x";

/// The rule word by word, three after three and extension after extension; `None`, with stones left on
/// `lines`, after so many questions.
fn plain(board: &DoubleThrees, lines: &mut Lines, p: Point, color: Color, left: &mut u32) -> Option<bool> {
    let shapes = lines.shapes(p, board.table);
    if !is_suspect(shapes, color) {
        return Some(false);
    }
    *left = left.checked_sub(1)?;
    let mut real = 0;
    for d in Direction::ALL {
        if real == 2 || !shapes.get(color, d).is_three() {
            continue;
        }
        let extensions = lines.extensions(p, d, color, Five::AtLeast);
        lines.toggle(p, color);
        let mut is_real = false;
        for e in extensions.iter() {
            is_real = is_real
                || match makes_five(lines.shapes(e, board.table), color) {
                    true => board.reading == Reading::FiveExtends,
                    false => !plain(board, lines, e, color, left)?,
                };
        }
        lines.toggle(p, color);
        real += usize::from(is_real);
    }
    Some(real == 2)
}

/// Returns the largest number of stones looked at for one point, and of questions that the plain form asks
/// about one. Checks that both answer alike for both colours and put the stones back.
fn most_looked(board: &mut DoubleThrees) -> (u32, u32) {
    let (mut most, mut most_plain) = (0, 0);
    for reading in [Reading::Literal, Reading::FiveExtends] {
        board.set_reading(reading);
        for (p, color) in board.empty.iter().flat_map(|p| Color::BOTH.map(|color| (p, color))) {
            let mut lines = board.lines.clone();
            let shapes = lines.shapes(p, board.table);
            let mut left = u32::MAX;
            let expected = plain(board, &mut lines, p, color, &mut left);
            if is_suspect(shapes, color) {
                let mut proof = Proof::new(board, color, p, shapes);
                assert_eq!(proof.settle(&mut lines, u32::MAX), expected, "{p} {color} {reading:?}");
                most = most.max(proof.looked);
            }
            assert_eq!(Some(board.is_foul(p, color)), expected.map(|foul| foul && board.ban.binds(color)));
            assert!(lines == board.lines, "{p} {color}");
            most_plain = most_plain.max(u32::MAX - left);
        }
    }
    (most, most_plain)
}

fn lattice(ban: Forbid33) -> DoubleThrees {
    DoubleThrees::of_position(&notation::parse(LATTICE, None).unwrap(), ban)
}

/// The search asks about both colours at every node.
#[test]
fn a_lattice_needs_few_stones() {
    let (most, most_plain) = most_looked(&mut lattice(Forbid33::Black));
    // Check that the test position is still hard: the rule word by word needs more than 3000 questions.
    assert!(most_plain > 3000, "{most_plain}");
    assert!(most < 3000, "{most}");
}

/// Asked in a fixed order, the questions about all points took seconds on 17x17, and ten on 18x18.
#[test]
fn large_lattices_are_settled() {
    for side in [17, 22] {
        let size = Size::new(side).unwrap();
        let mut board = DoubleThrees::new(size, Forbid33::Black);
        let is_stone = |p: &Point| (p.x() as i32 - 3 - 2 * p.y() as i32).rem_euclid(5) < 2;
        size.points().filter(is_stone).for_each(|p| board.toggle(p, Color::Black));
        let mut is_hard = false;
        for p in board.empty.iter().step_by(7) {
            let mut lines = board.lines.clone();
            let verdict = board.verdict(&mut lines, p, Color::Black, DoubleThrees::MOST);
            assert!(verdict.is_some() && lines == board.lines, "{size} {p}");
            is_hard |= !is_hard && plain(&board, &mut lines, p, Color::Black, &mut 1_000_000).is_none();
        }
        assert!(is_hard, "{size}");
    }
}

/// The crossing of two threes is settled by their extension points.
#[test]
fn what_is_not_shown_is_allowed_and_doubtful() {
    let board =
        DoubleThrees::of_position(&notation::parse("f8a1g8a3h9a5h10a7", None).unwrap(), Forbid33::Black);
    let h8 = Point::new(7, 7);
    let verdict = |most| board.verdict(&mut board.lines.clone(), h8, Color::Black, most);
    assert_eq!((verdict(0), verdict(1)), (None, Some(true)));
    assert_eq!(board.doubtful(Color::Black, 0), PointSet::from_iter([h8]));
    assert!(board.doubtful(Color::White, 0).is_empty(), "white is not bound");
}

/// The lattice with a few stones changed: a three that is judged by shapes must be judged rightly.
#[test]
fn both_forms_agree_near_the_lattice() {
    let mut random = Random::seed_from_u64(11);
    let position = notation::parse(LATTICE, None).unwrap();
    let mut plain = Vec::new();
    for _ in 0..40 {
        let mut board = lattice(Forbid33::Both);
        let size = position.size();
        let mut colors: Vec<Option<Color>> = vec![None; size.area()];
        position.stones().for_each(|(p, color)| {
            colors[p.y() * size.side() + p.x()] = Some(color);
        });
        for _ in 0..random.random_range(1..=6) {
            let p = Point::new(random.random_range(0..size.side()), random.random_range(0..size.side()));
            let now = &mut colors[p.y() * size.side() + p.x()];
            let next = *[None, Some(Color::Black), Some(Color::White)].choose(&mut random).unwrap();
            for color in [*now, next].into_iter().flatten() {
                board.toggle(p, color);
            }
            *now = next;
        }
        plain.push(most_looked(&mut board).1);
    }
    assert!(plain.iter().any(|&calls| calls > 100), "{plain:?}");
}
