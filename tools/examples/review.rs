//! A game reviewed: every move judged, with the win that was missed, and the annotated game as SGF.
//!
//! Run with `cargo run --release -p kagetsu-tools --example review`.

use std::sync::atomic::AtomicBool;

use kagetsu::engine::Engine;
use kagetsu::game::{EndSet, RuleKind};
use kagetsu::search::Limits;
use kagetsu_tools::record::{Charset, Format, ReadOptions};
use kagetsu_tools::review::judge::Quality;
use kagetsu_tools::review::{Event, Request, review};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Black has three in a row, and looks elsewhere with the seventh move.
    let game = Format::Txt.read(b"h8 b2 i8 d13 j8 m4 c7 n12", &ReadOptions::default())?.remove(0);
    let request = Request {
        game,
        rule: RuleKind::Standard,
        endings: EndSet::Plain.endings(RuleKind::Standard),
        limits: Limits { nodes: Some(5_000), ..Limits::default() },
        hash: 16 << 20,
    };
    // Setting this from another thread ends the review.
    let stop = AtomicBool::new(false);
    let mut studied = 0;
    let mut watch = |event| studied += usize::from(event == Event::Studied);
    let review = review(&mut Engine::new(), request, &stop, &mut watch)?;

    for (number, m) in (1..).zip(&review.moves) {
        println!("{number:2} {:5} {:4} {:>6}  {}", m.side.to_string(), m.name(), m.score, m.remark());
    }
    println!("{}", review.summary().join("\n"));
    assert_eq!((studied, review.moves[6].quality), (9, Quality::MissedWin));
    let annotated = Format::Sgf.write(&[review.record()], Charset::default(), false)?;
    println!("{}", String::from_utf8(annotated)?);
    Ok(())
}
