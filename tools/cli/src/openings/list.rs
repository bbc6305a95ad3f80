//! `kagetsu openings`, with or without a name or position: the openings as text, as JSON and as pictures.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow, bail, ensure};
use serde::Serialize;

use super::Args;
use kagetsu::game::openings26::{Codes, OPENINGS, Opening};
use kagetsu::game::quote::quoted;
use kagetsu::game::{Reading, RuleKind};
use kagetsu_console::args::BoardArgs;
use kagetsu_console::batch::write_line;
use kagetsu_console::input;
use kagetsu_console::output::distinct;
use kagetsu_console::picture::Frame;
use kagetsu_console::usage::WrongUsage;
use kagetsu_tools::picture::sheet;

/// Draws and prints the requested opening, or all of them. The pictures come first: they are wanted even if nobody reads the
/// text.
pub fn print(args: &Args, out: &mut dyn Write) -> Result<()> {
    let rule = args.board.rule();
    ensure!(rule == RuleKind::Renju, "the 26 openings are those of Renju, not of {rule}");
    if args.position.is_none() {
        without_size(&args.board)?;
    }
    let one = args.position.as_deref().map(|text| find(text, args)).transpose()?;
    let openings = one.map_or(&OPENINGS[..], std::slice::from_ref);
    let (svg, png) = (args.svg.as_deref(), args.png.as_deref());
    distinct(&[("--svg", svg), ("--png", png)])?;
    let frames = Frame::all(svg, png, args.output)?;
    for frame in frames {
        let letters = frame.letters();
        let scene = one.map_or_else(|| sheet::all(letters), |opening| sheet::one(opening, letters));
        frame.write(&scene, args.scale)?;
    }
    for opening in openings {
        if args.json {
            write_line(out, &Answer::of(opening))?;
        } else {
            line(out, opening)?;
        }
    }
    Ok(())
}

/// Returns the opening of this code or name, or the one that this position began with.
fn find(text: &str, args: &Args) -> Result<&'static Opening> {
    let codes = if args.russian { Codes::Russian } else { Codes::Rif };
    if let Some(opening) = Opening::named(text, codes) {
        input::without_file(&args.file)?;
        without_size(&args.board)?;
        return Ok(opening);
    }
    let is_text = text != "-" && !Path::new(text).exists();
    let found = input::position(text, &args.board, &args.file, Reading::Literal);
    let (position, rule) = found.map_err(|error| {
        if is_text {
            anyhow!("{} is neither a code or name of an opening nor a position: {error:#}", quoted(text))
        } else {
            error
        }
    })?;
    ensure!(rule == RuleKind::Renju, "the 26 openings are those of Renju, not of {rule}");
    match Opening::of_game(&position, rule) {
        Some(opening) => Ok(opening),
        None => bail!("{text} begins with none of the 26 openings of Renju"),
    }
}

/// Refuses the size of a board where no position is read.
fn without_size(board: &BoardArgs) -> Result<()> {
    ensure!(board.size.is_none(), WrongUsage::new("--size: expected a position or --balanced with it"));
    Ok(())
}

fn line(out: &mut dyn Write, opening: &Opening) -> Result<()> {
    let Opening { code, romaji, kanji, english, worth, .. } = opening;
    let moves: String = opening.moves.iter().map(ToString::to_string).collect();
    writeln!(out, "{code:4} {moves:8} {romaji:10} {kanji}  {english}, {}", worth.rif)?;
    Ok(())
}

/// An opening for programs.
#[derive(Serialize)]
struct Answer {
    code: &'static str,
    russian_code: String,
    moves: [String; 3],
    romaji: &'static str,
    macron: &'static str,
    kanji: &'static str,
    traditional: &'static str,
    english: &'static str,
    czech: &'static str,
    assessment: Worth,
}

/// Assessments of an opening by published tables.
#[derive(Serialize)]
struct Worth {
    rif: &'static str,
    english: &'static str,
    chinese: &'static str,
}

impl Answer {
    fn of(opening: &Opening) -> Answer {
        let Opening { code, romaji, macron, kanji, traditional, english, czech, worth, .. } = *opening;
        let [rif, in_english, chinese] = [worth.rif, worth.english, worth.chinese].map(|worth| worth.name());
        Answer {
            code,
            russian_code: opening.russian_code(),
            moves: opening.moves.map(|p| p.to_string()),
            romaji,
            macron,
            kanji,
            traditional,
            english,
            czech,
            assessment: Worth { rif, english: in_english, chinese },
        }
    }
}
