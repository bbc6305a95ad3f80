//! `kagetsu show`: a position drawn as text or as a picture, and named in every notation.

use kagetsu_tools::words;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};
use clap::{Arg, ArgGroup};

use super::analyze::text::{Subject, opening_name};
use kagetsu::engine::Engine;
use kagetsu::game::notation::{self, moves, setup};
use kagetsu::game::openings26::Opening;
use kagetsu::game::{Diagram, EndSet, Outcome, Point, Position, Reading, RuleKind, status};
use kagetsu_console::args::{BoardArgs, FileArgs, LimitArgs, warn_of_hash};
use kagetsu_console::output::{OutArgs, distinct};
use kagetsu_console::picture::{self, Frame};
use kagetsu_console::{Status, draw, input};
use kagetsu_tools::picture::BoardPicture;
use kagetsu_tools::study::{self, Question, Study};

/// Draw a position as text, SVG or PNG
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kagetsu show 'D4 g9'\n  kagetsu show game.sgf --move 20 --svg page12.svg\n  \
    kagetsu show 'h8h9i8' --png best.png --heat 12 --time 3s\n\n\
    In the text ! is a foul for Black, and 1, 2, ... are the best moves. The numbers on\n\
    stones count passes; between two moves of the same colour there is one.",
    group(ArgGroup::new("picture").args(["svg", "png"]).multiple(true)),
    group(ArgGroup::new("search").args(["candidates", "heat"])),
    mut_arg("time", of_a_search),
    mut_arg("nodes", of_a_search),
    mut_arg("depth", of_a_search),
    mut_arg("threads", of_a_search),
    mut_arg("hash", of_a_search),
    mut_arg("force", |flag| flag.requires("picture"))
)]
pub struct Args {
    /// Position, or - to read it from stdin
    #[arg(value_name = "POS")]
    position: String,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
    /// Write an SVG picture to FILE
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a PNG picture to FILE
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Set the pixels for each unit of a picture; a point of the board is 32 units wide
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = picture::scale, requires = "picture")]
    scale: f32,
    /// In a picture, draw stones without numbers; a dot marks the last move
    #[arg(long, requires = "picture")]
    no_numbers: bool,
    /// In a picture, draw no letters and numbers at the edges
    #[arg(long, requires = "picture")]
    no_coordinates: bool,
    /// Mark the points forbidden to Black, in pictures with their kinds
    #[arg(long)]
    fouls: bool,
    /// Write a text on an empty point, e.g. h8=A; may be repeated
    #[arg(long, value_name = "POINT=TEXT")]
    mark: Vec<Mark>,
    /// Search, and mark the K best moves
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=26))]
    candidates: Option<u16>,
    /// Search, and colour the K best moves by their win rates
    #[arg(long, value_name = "K", conflicts_with = "candidates", value_parser = clap::value_parser!(u16).range(1..=100))]
    heat: Option<u16>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutArgs,
}

impl Args {
    /// Returns whether the command searches.
    pub fn uses_net(&self) -> bool {
        self.candidates.is_some() || self.heat.is_some()
    }
}

/// Makes a flag one of a search: without a search it would do nothing.
fn of_a_search(flag: Arg) -> Arg {
    flag.requires("search")
}

/// A text on a point, which only the position can check.
#[derive(Clone)]
struct Mark {
    point: String,
    text: String,
}

impl FromStr for Mark {
    type Err = String;

    fn from_str(mark: &str) -> Result<Mark, String> {
        let (point, text) = mark.split_once('=').ok_or("expected POINT=TEXT, as h8=A")?;
        if !(1..=3).contains(&text.chars().count()) {
            return Err("expected a text of one to three characters".into());
        }
        Ok(Mark { point: point.to_owned(), text: text.to_owned() })
    }
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let (svg, png) = (args.svg.as_deref(), args.png.as_deref());
    distinct(&[("--svg", svg), ("--png", png)])?;
    let frames = Frame::all(svg, png, args.output)?;
    let (position, rule) = input::position(&args.position, &args.board, &args.file, Reading::Literal)?;
    let outcome = status::outcome(&position, rule, &EndSet::Plain.endings(rule))?;
    let labels = labels(&args.mark, &position)?;
    let study = match args.candidates.or(args.heat).filter(|_| outcome.is_none()) {
        Some(wanted) => search(args, &position, rule, usize::from(wanted))?,
        None => Study::default(),
    };
    let subject = Subject::new(position, rule)?;
    pictures(args, &frames, &subject, &study, labels.clone())?;
    let mut diagram = Diagram::of(&subject.position);
    if args.fouls {
        subject.fouls.iter().for_each(|&(p, _)| diagram.mark(p, draw::FOUL));
    }
    for (line, sign) in study.lines.iter().zip('1'..='9') {
        line.first().into_iter().for_each(|p| diagram.mark(p, sign));
    }
    for (p, text) in &labels {
        let sign = text.chars().next().filter(|&c| Diagram::is_mark(c));
        sign.into_iter().for_each(|sign| diagram.mark(*p, sign));
    }
    draw::board(out, &diagram)?;
    writeln!(out)?;
    describe(out, &subject.position, rule, outcome)?;
    Ok(Status::Done)
}

fn describe(
    out: &mut dyn Write,
    position: &Position,
    rule: RuleKind,
    outcome: Option<Outcome>,
) -> Result<()> {
    let turn = match outcome {
        Some(outcome) => format!("game over: {outcome}"),
        None => format!("{} to move", position.side()),
    };
    writeln!(
        out,
        "{rule}, {}, {}, {turn}",
        position.size(),
        words::count(position.stones().count(), "stone")
    )?;
    if let Some(opening) = Opening::of_game(position, rule) {
        writeln!(out, "{}", opening_name(opening))?;
    }
    if position.is_of_moves() {
        writeln!(out, "moves: {}", moves::print(position.moves()))?;
    }
    writeln!(out, "setup: {}", setup::print(position))?;
    Ok(())
}

fn pictures(
    args: &Args,
    frames: &[Frame],
    subject: &Subject,
    study: &Study,
    mut labels: Vec<(Point, String)>,
) -> Result<()> {
    let best = || study.lines.iter().filter_map(|line| Some((line.first()?, line.score)));
    if args.candidates.is_some() {
        labels.extend(best().zip('A'..='Z').map(|((p, _), letter)| (p, letter.to_string())));
    }
    let heat: Vec<_> = best().map(|(p, score)| (p, score.win_rate(subject.rule))).collect();
    let scene = BoardPicture {
        position: &subject.position,
        numbers: !args.no_numbers,
        coordinates: !args.no_coordinates,
        fouls: if args.fouls { &subject.fouls } else { &[] },
        labels: &labels,
        heat: if args.heat.is_some() { &heat } else { &[] },
    }
    .scene();
    frames.iter().try_for_each(|frame| frame.write(&scene, args.scale))
}

fn search(args: &Args, position: &Position, rule: RuleKind, wanted: usize) -> Result<Study> {
    warn_of_hash(study::engine_hash(args.limits.hash));
    let question = Question {
        position: position.clone(),
        rule,
        limits: args.limits.limits(wanted),
        hash: args.limits.hash,
    };
    Ok(study::study(&mut Engine::new(), &question, &AtomicBool::new(false), &mut |_| {})?)
}

fn labels(marks: &[Mark], position: &Position) -> Result<Vec<(Point, String)>> {
    let label = |Mark { point, text }: &Mark| {
        let p = notation::parse_point(point, position.size())?;
        ensure!(position.is_free(p), "{p} is occupied");
        Ok((p, text.clone()))
    };
    let named = |mark: &Mark| label(mark).with_context(|| format!("--mark {}={}", mark.point, mark.text));
    marks.iter().map(named).collect()
}
