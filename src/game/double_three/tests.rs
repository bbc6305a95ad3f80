use super::*;
use crate::game::notation;
use crate::random::{IndexedRandom, Random, RngExt, SeedableRng};

/// Black's pairs a knight's move apart on 12x12, without a five. Each extension of a three makes further
/// threes, so that the number of recursive calls grows exponentially with the board.
const LATTICE: &str = "3xx3xx2/xx3xx3xx/2xx3xx3/x3xx3xx1/1xx3xx3x/3xx3xx2/xx3xx3xx/2xx3xx3/x3xx3xx1/1xx3xx3x/3xx3xx2/\
                       xx3xx3xx x";

/// The rule word by word, three after three and extension after extension. Counts its recursive calls.
fn plain(board: &DoubleThrees, lines: &mut Lines, p: Point, color: Color, calls: &mut u32) -> bool {
    let shapes = lines.shapes(p, board.table);
    if !is_suspect(shapes, color) {
        return false;
    }
    *calls += 1;
    let mut real = 0;
    for d in Direction::ALL {
        if real == 2 || !shapes.get(color, d).is_three() {
            continue;
        }
        let extensions = lines.extensions(p, d, color, Five::AtLeast);
        lines.toggle(p, color);
        let is_real = extensions.iter().any(|e| match makes_five(lines.shapes(e, board.table), color) {
            true => board.reading == Reading::FiveExtends,
            false => !plain(board, lines, e, color, calls),
        });
        lines.toggle(p, color);
        real += usize::from(is_real);
    }
    real == 2
}

/// Returns the largest number of recursive calls for one point, by the fast form and by the plain one. Checks
/// that both answer alike for both colours and put the stones back.
fn most_calls(board: &mut DoubleThrees) -> (u32, u32) {
    let (mut most, mut most_plain) = (0, 0);
    for reading in [Reading::Literal, Reading::FiveExtends] {
        board.set_reading(reading);
        for (p, color) in board.empty.iter().flat_map(|p| Color::BOTH.map(|color| (p, color))) {
            let mut lines = board.lines.clone();
            let shapes = lines.shapes(p, board.table);
            let (mut calls, mut calls_plain) = (0, 0);
            let answer =
                is_suspect(shapes, color) && board.has_real_threes(&mut lines, p, shapes, color, &mut calls);
            assert_eq!(
                answer,
                plain(board, &mut lines, p, color, &mut calls_plain),
                "{p} {color} {reading:?}"
            );
            assert_eq!(board.is_foul(p, color), answer && board.ban.binds(color));
            assert!(lines == board.lines && calls <= calls_plain, "{p} {color}");
            (most, most_plain) = (most.max(calls), most_plain.max(calls_plain));
        }
    }
    (most, most_plain)
}

fn lattice(ban: Forbid33) -> DoubleThrees {
    DoubleThrees::of_position(&notation::parse(LATTICE, None).unwrap(), ban)
}

/// The search asks about both colours at every node.
#[test]
fn a_lattice_needs_a_bounded_number_of_calls() {
    let (most, most_plain) = most_calls(&mut lattice(Forbid33::Black));
    // Check that the test position is still hard: without the shortcuts it needs more than 3000 calls.
    assert!(most_plain > 3000, "{most_plain}");
    assert!(most < 500, "{most}");
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
        plain.push(most_calls(&mut board).1);
    }
    assert!(plain.iter().any(|&calls| calls > 100), "{plain:?}");
}
