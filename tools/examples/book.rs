//! An opening book: a few positions judged, written as a book, asked, and given to an engine.
//!
//! Run with `cargo run --release -p kagetsu-tools --example book`.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kagetsu::book::{Book, Shelf};
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{Position, RuleKind, Size};
use kagetsu::search::{Context, Limits, Source};
use kagetsu_tools::bookgen::build::{BuildSettings, Extent, PartBuild};
use kagetsu_tools::bookgen::roots;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (rule, size) = (RuleKind::Freestyle, Size::S15);
    let directory = tempfile::tempdir()?;
    let (part, file) = (directory.path().join("first.part"), directory.path().join("own.book"));

    // A real book has thousands of positions, each judged by searches of 10,000 nodes and more.
    let settings = BuildSettings { rule, size, nodes: 200, threads: 2 };
    let extent = Extent { loss: i32::MAX, positions: 8, time: None };
    // Setting this from another thread ends the build. Another build with the same part goes on where it
    // ended.
    let stop = Arc::new(AtomicBool::new(false));
    let build = PartBuild::open(&part, &settings, &stop)?;
    let done = build.build(&roots::natural(size), &extent, &mut |event| println!("{event:?}"))?;

    // Parts of one rule, size and evaluation become one book by `Book::merge`.
    let (book, _) = Book::from_part(&fs::read(&part)?)?;
    assert_eq!((done.made, book.len()), (8, 8));
    fs::write(&file, book.to_bytes())?;

    let start = Position::new(size);
    let entry = book.probe(rule, &start).ok_or("the empty board is the first position")?;
    for candidate in entry.moves() {
        let played = if candidate.agreed { "" } else { ", not played" };
        println!("{}: score {}{played}", candidate.point, candidate.score);
    }

    // The engine has a book only if it is given one, and plays from it if its search would not be much longer
    // than the book's: a few milliseconds here. `Shelf::BuiltIn` is the book of the program.
    let mut engine = Engine::new();
    engine.set_options(Options { rule, ..Options::default() });
    engine.set_shelf(Shelf::File(file));
    engine.set_position(start);
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let limits = Limits { turn: Some(Duration::from_millis(4)), ..Limits::default() };
    let context = Context { clock: &clock, start: clock.now(), stop: &stop };
    let (best, report) = engine.go(&limits, &context, &mut |_| {}).ok_or("there is no empty point")?;
    println!("{best}: {:?}", report.source);
    assert!(report.source == Source::Book || entry.agreed().is_empty());
    Ok(())
}
