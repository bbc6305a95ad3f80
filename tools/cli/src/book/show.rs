//! `kagetsu book probe` and `kagetsu book stats`: the entry of a position, and counts.

use kagetsu_tools::words;
use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use kagetsu::book::Entry;
use kagetsu::game::Reading;
use kagetsu::search::Score;
use kagetsu_console::Status;
use kagetsu_console::args::{BoardArgs, BookArgs, FileArgs};
use kagetsu_console::batch::write_line;
use kagetsu_console::input;
use kagetsu_tools::bookgen::counts::Counts;
use kagetsu_tools::untrusted;

/// The arguments of `probe`.
#[derive(clap::Args)]
#[command(after_help = "\
Moves in brackets are answers that the build expects of an opponent; the engine does not play them.

Example:
  kagetsu book probe h8 --rule renju")]
pub struct Probe {
    /// Position, or - to read it from stdin
    #[arg(value_name = "POS")]
    position: String,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    book: BookArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    known: bool,
    score: Option<i16>,
    mate: Option<i32>,
    proven: bool,
    depth: Option<u8>,
    nodes: Option<u64>,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    r#move: String,
    score: i16,
    agreed: bool,
}

impl Answer {
    fn of(entry: Option<&Entry>) -> Answer {
        let answer = |c: &kagetsu::book::Candidate| MoveAnswer {
            r#move: c.point.to_string(),
            score: c.score,
            agreed: c.agreed,
        };
        Answer {
            known: entry.is_some(),
            score: entry.map(|e| e.score),
            mate: entry.and_then(|e| Score(e.score.into()).mate()),
            proven: entry.is_some_and(|e| e.proven),
            depth: entry.map(|e| e.depth),
            nodes: entry.map(|e| e.nodes),
            moves: entry.map_or_else(Vec::new, |e| e.moves().iter().map(answer).collect()),
        }
    }
}

impl Probe {
    /// Runs the subcommand.
    pub fn run(&self, out: &mut dyn Write) -> Result<Status> {
        let (position, rule) = input::position(&self.position, &self.board, &self.file, Reading::Literal)?;
        let entry = super::open(&self.book)?.probe(rule, &position);
        if self.json {
            write_line(out, &Answer::of(entry.as_ref()))?;
            return Ok(Status::Done);
        }
        let Some(entry) = entry else {
            writeln!(out, "not in the book")?;
            return Ok(Status::Done);
        };
        let Entry { score, depth, nodes, .. } = entry;
        let proven = if entry.proven { ", proven" } else { "" };
        let nodes = words::count(nodes, "node");
        writeln!(out, "score {}, depth {depth}, {nodes}{proven}", Score(score.into()))?;
        for c in entry.moves() {
            let score = Score(c.score.into()).to_string();
            let shown = if c.agreed { score } else { format!("({score})") };
            writeln!(out, "{:4}{shown:>7}", c.point.to_string())?;
        }
        Ok(Status::Done)
    }
}

/// The arguments of `stats`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  kagetsu book stats --book my.book")]
pub struct Stats {
    #[command(flatten)]
    book: BookArgs,
    /// Print one JSON object for each rule and size
    #[arg(long)]
    json: bool,
}

fn print(counts: &Counts, out: &mut dyn Write) -> Result<()> {
    let Counts { rule, size, evaluation, positions, answered, moves, proven, depth, .. } = counts;
    writeln!(
        out,
        "{rule} {size}x{size}, judged by {}, {} to {}",
        untrusted::line(evaluation),
        counts.nodes[0],
        words::count(counts.nodes[1], "node")
    )?;
    writeln!(out, "  positions  {positions}, {proven} proven, mean depth {depth:.1}")?;
    writeln!(out, "  moves      {moves} in {}", words::count(*answered, "position"))?;
    let stones = counts.stones.iter().enumerate().filter(|(_, n)| **n > 0);
    let stones: Vec<_> = stones.map(|(stones, n)| format!("{stones}: {n}")).collect();
    writeln!(out, "  stones     {}", stones.join(", "))?;
    Ok(())
}

impl Stats {
    /// Runs the subcommand.
    pub fn run(&self, out: &mut dyn Write) -> Result<Status> {
        let book = super::open(&self.book)?;
        for (rule, section) in book.sections() {
            let counts = Counts::of(rule, section);
            if self.json { write_line(out, &counts)? } else { print(&counts, out)? }
        }
        if !self.json {
            let (bytes, memory) = (book.to_bytes().len(), book.memory());
            writeln!(
                out,
                "{}, {bytes} bytes, about {memory} in memory",
                words::count(book.len(), "position")
            )?;
        }
        Ok(Status::Done)
    }
}
