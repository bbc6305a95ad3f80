//! Moves from the opening book: when the engine looks into it, and which of its moves it plays.
//!
//! The book is used in timed games with not much more time for a move than the book's own searches had; a longer search
//! judges better. A search bounded by nodes or depth, one for several lines, one without any limit and one below full
//! strength must do what they promise, and do not use the book.

use super::Options;
use super::keeper::Keeper;
use super::skill::FULL;
use crate::game::symmetry::Canonical;
use crate::game::{Color, Point, PointSet, Position, Reading, status};
use crate::search::{Context, Limits, Line, Report, Score, Source};

/// Largest difference from the book's best move at which a move may be chosen: large enough to vary the
/// games, and too small for a search to tell the moves apart.
const MARGIN: i32 = 3;
/// Approximate nodes of a thread in a millisecond.
const SPEED: u128 = 1000;
/// Ratio of a search's nodes to those of the entry's first search above which the book is skipped. The longest search behind an
/// agreed move, its review, has 20 times the nodes of the first (`bookgen::judge`); a longer search is trusted more than the
/// entry.
const WORTH: u128 = 20;

/// Returns whether the book may replace a search with these limits.
fn applies(options: &Options, limits: &Limits) -> bool {
    let timed = limits.turn.is_some() || limits.left.is_some();
    let bounded = limits.nodes.is_some() || limits.soft_nodes.is_some() || limits.depth.is_some();
    let plain = options.level >= FULL && options.reading == Reading::Literal && limits.multipv <= 1;
    options.book && timed && !bounded && plain
}

/// Returns whether a search with these limits would have enough nodes to judge better than an entry made with `nodes`.
fn outsearches(limits: &Limits, nodes: u64) -> bool {
    // A move gets about a twentieth of the game's remaining time (`time_horizon`).
    let time = limits.turn.into_iter().chain(limits.left.map(|left| left / 20)).min();
    let searched = time.map_or(0, |time| time.as_millis()) * SPEED * limits.threads.max(1) as u128;
    searched > WORTH * u128::from(nodes)
}

/// Opens the book if searches with these limits look into it.
pub fn prepare(keeper: &mut Keeper, options: &Options, limits: &Limits) {
    if applies(options, limits) {
        keeper.open(options);
    }
}

/// Returns the book's move for a position, with its entry.
pub fn choose(
    keeper: &mut Keeper,
    position: &Position,
    options: &Options,
    limits: &Limits,
    context: &Context<'_>,
) -> Option<(Point, Report)> {
    if !applies(options, limits) {
        return None;
    }
    let book = keeper.open(options)?;
    if outsearches(limits, book.nodes(options.rule, position)?) {
        return None;
    }
    let entry = book.probe(options.rule, position)?;
    let fouls = match position.side() {
        Color::Black => status::fouls(position, options.rule),
        Color::White => PointSet::EMPTY,
    };
    let admits = |p: Point| position.is_free(p) && !limits.excluded.contains(p) && !fouls.contains(p);
    let seed = options.seed ^ Canonical::of_position(position).key;
    let chosen = entry.choose(MARGIN, seed, admits)?;
    let line = Line { score: Score(chosen.score.into()), moves: vec![chosen.point] };
    let depth = u32::from(entry.depth);
    let elapsed = context.clock.now().saturating_sub(context.start);
    let report = Report::without_search(Source::Book, vec![line]);
    Some((chosen.point, Report { depth, seldepth: depth, elapsed, ..report }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::book::{Book, Candidate, Entry, Key, Recipe, Shelf};
    use crate::clock::SystemClock;
    use crate::engine::Engine;
    use crate::game::notation::parse;
    use crate::game::symmetry::Symmetry;
    use crate::game::{PointSet, RuleKind};

    /// Nodes of a search longer than any here.
    const NODES: u64 = 1 << 30;

    /// Builds a book that answers one position, in any orientation, by absurd moves that no search would find.
    fn shelf(text: &str, rule: RuleKind, moves: &[(&str, i16)]) -> Shelf {
        let position = parse(text, None).unwrap();
        let size = position.size();
        let (key, symmetry) = Key::of(&position);
        let candidate = |&(name, score): &(&str, i16)| Candidate {
            point: symmetry.apply(crate::game::notation::parse_point(name, size).unwrap(), size),
            score,
            agreed: true,
        };
        let moves: Vec<_> = moves.iter().map(candidate).collect();
        let score = moves.iter().map(|c| c.score).max().unwrap();
        let entry = Entry::new(score, 9, false, NODES, moves);
        let mut book = Book::default();
        book.section_mut(&Recipe::new(rule, size, "test")).unwrap().add(key, entry);
        Shelf::of(book)
    }

    fn timed() -> Limits {
        Limits { turn: Some(Duration::from_secs(60)), threads: 1, ..Limits::default() }
    }

    /// Returns the move of an engine with this book, and whether it searched for it.
    fn play(shelf: &Shelf, position: &Position, options: Options, limits: &Limits) -> (Point, bool) {
        let mut engine = Engine::new();
        engine.set_shelf(shelf.clone());
        engine.set_options(Options { hash: Some(2 << 20), ..options });
        engine.set_position(position.clone());
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let context = Context { clock: &clock, start: Duration::ZERO, stop: &stop };
        let mut seen = 0;
        let mut watch = |_: &Report| {
            seen += 1;
            stop.store(true, Ordering::Relaxed);
        };
        let (p, report) = engine.go(limits, &context, &mut watch).unwrap();
        assert!(seen > 0, "whoever watches sees something");
        (p, report.nodes > 0)
    }

    fn options(rule: RuleKind) -> Options {
        Options { rule, ..Options::default() }
    }

    #[test]
    fn plays_the_books_move_in_every_orientation() {
        let shelf = shelf("h8h9i10", RuleKind::Standard, &[("b3", 7)]);
        let position = parse("h8h9i10", None).unwrap();
        for symmetry in Symmetry::ALL {
            let image = symmetry.apply_position(&position);
            let wanted = symmetry.apply(Point::new(1, 2), position.size());
            assert_eq!(play(&shelf, &image, options(RuleKind::Standard), &timed()), (wanted, false));
        }
    }

    #[test]
    fn only_games_on_time_at_full_strength_use_it() {
        let shelf = shelf("h8h9i10", RuleKind::Standard, &[("b3", 7)]);
        let position = parse("h8h9i10", None).unwrap();
        let standard = options(RuleKind::Standard);
        let searched = |options: Options, limits: &Limits| {
            let (p, searched) = play(&shelf, &position, options, limits);
            assert_eq!(searched, p != Point::new(1, 2));
            searched
        };
        assert!(!searched(standard, &timed()));
        assert!(!searched(standard, &Limits { turn: None, left: Some(Duration::from_secs(1)), ..timed() }));
        assert!(searched(Options { book: false, ..standard }, &timed()));
        assert!(searched(Options { level: 20, ..standard }, &timed()));
        assert!(searched(Options { reading: Reading::FiveExtends, ..standard }, &timed()));
        assert!(searched(options(RuleKind::Freestyle), &timed()), "of another rule");
        for bounded in [
            Limits { nodes: Some(500), ..timed() },
            Limits { soft_nodes: Some(500), ..timed() },
            Limits { depth: Some(2), ..timed() },
            Limits { multipv: 2, ..timed() },
            Limits { excluded: PointSet::from_iter([Point::new(1, 2)]), ..timed() },
            Limits { turn: None, depth: Some(2), ..timed() },
        ] {
            assert!(searched(standard, &bounded), "{bounded:?}");
        }
    }

    #[test]
    fn a_long_search_replaces_the_book() {
        let with = |turn: u64, left: Option<u64>, threads| {
            let ms = Duration::from_millis;
            let limits = Limits { turn: Some(ms(turn)), left: left.map(ms), threads, ..Limits::default() };
            outsearches(&limits, 10_000)
        };
        // An entry made with 10,000 nodes replaces a search of 200,000: a fifth of a second of one thread.
        assert!(!with(200, None, 1) && with(201, None, 1));
        assert!(!with(100, None, 2) && with(101, None, 2));
        assert!(!with(60_000, Some(4_000), 1) && with(60_000, Some(8_000), 1));
    }

    #[test]
    fn seeds_vary_the_move_within_the_margin() {
        let worst = 50 - MARGIN as i16;
        let shelf =
            shelf("h8h9i10", RuleKind::Renju, &[("b3", 50), ("c3", 50), ("d3", worst), ("e3", worst - 1)]);
        let position = parse("h8h9i10", None).unwrap();
        let chosen = |seed| play(&shelf, &position, Options { seed, ..options(RuleKind::Renju) }, &timed()).0;
        let mut seen: Vec<usize> = (0..100).map(|seed| chosen(seed).x()).collect();
        assert_eq!(seen, (0..100).map(|seed| chosen(seed).x()).collect::<Vec<_>>(), "a seed is a choice");
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [1, 2, 3]);
    }

    /// `h8` is a double three.
    #[test]
    fn a_book_cannot_make_it_play_a_foul_or_on_a_stone() {
        let text = "f8a1g8a3h9a5h10a7";
        let shelf = shelf(text, RuleKind::Renju, &[("h8", 90), ("h9", 80)]);
        let (p, searched) = play(&shelf, &parse(text, None).unwrap(), options(RuleKind::Renju), &timed());
        assert!(searched && ![Point::new(7, 7), Point::new(7, 8)].contains(&p), "{p}");
    }

    #[test]
    fn plays_on_without_a_book_that_is_damaged_or_too_large() {
        let position = parse("h8h9i10", None).unwrap();
        let missing = Shelf::File("no such file".into());
        assert!(play(&missing, &position, options(RuleKind::Standard), &timed()).1);
        let good = shelf("h8h9i10", RuleKind::Standard, &[("b3", 7)]);
        let small = Options { max_memory: Some(1 << 20), ..options(RuleKind::Standard) };
        assert!(play(&good, &position, small, &timed()).1);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("damaged.book");
        let Shelf::Open { book, .. } = &good else { unreachable!() };
        let mut bytes = book.to_bytes();
        std::fs::write(&path, &bytes).unwrap();
        assert!(!play(&Shelf::File(path.clone()), &position, options(RuleKind::Standard), &timed()).1);
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(play(&Shelf::File(path), &position, options(RuleKind::Standard), &timed()).1);
    }
}
