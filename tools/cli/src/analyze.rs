//! `kagetsu analyze`: studies a position, or annotates a game.

mod answer;
mod game;
mod live;
pub mod text;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use self::answer::Answer;
use self::live::Live;
use self::text::Subject;
use crate::convert::tell_left_out;
use kagetsu::engine::Engine;
use kagetsu::game::{Color, Reading};
use kagetsu::search::Limits;
use kagetsu_console::Status;
use kagetsu_console::args::{LimitArgs, QueryArgs, colors, warn_of_hash};
use kagetsu_console::batch::{self, Query, parallel, write_line};
use kagetsu_console::ends::{EndArgs, SETS};
use kagetsu_console::input;
use kagetsu_console::interrupt;
use kagetsu_console::output::{OutArgs, Output, distinct};
use kagetsu_console::picture::Frame;
use kagetsu_console::progress::Progress;
use kagetsu_console::usage::WrongUsage;
use kagetsu_tools::picture::plot;
use kagetsu_tools::record::{Charset, Format, Game, Writer};
use kagetsu_tools::review::{self, Event, Request, Review};
use kagetsu_tools::study::{self, Question};
use kagetsu_tools::words;

const HELP: &str = "Examples:\n  kagetsu analyze 'D4 g9' --time 2s --multipv 3\n  \
    kagetsu analyze game.sgf --move 20\n  kagetsu analyze game.sgf --sgf annotated.sgf --svg course.svg\n\n\
    A game file without --move is annotated as a whole: a score for each move, the turning\n\
    point, missed wins, fouls. --time then limits each position [default: 1s]. Scores in the\n\
    table are from the view of the player who moved, percentages are Black's expected score.\n\
    The last moves are judged first: after an interrupt their part of the game is shown and\n\
    written all the same, and the status is 1.\n\n\
    For a position, scores and win rates are from the view of the side to move. +M7 is a proven\n\
    win in 7 plies, -M6 a proven loss in 6. A proven result was found by the search, or by the\n\
    solver of wins by fours (vcf) or by threats (vct) and confirmed by a verifier. An interrupt\n\
    ends the search early: the lines found by then are the answer, and the status is 1. In a\n\
    batch such a position is answered by an error.\n\
    In the drawing 1, 2, ... are the best moves and ! is a foul for Black.";

/// Printed below the flags.
fn help() -> String {
    format!("{HELP}\n\n{SETS}")
}

/// Search a position and show the best lines, or annotate a whole game
#[derive(clap::Args)]
#[command(after_help = help())]
#[command(group(clap::ArgGroup::new("written").args(["sgf", "svg", "png"]).multiple(true)))]
#[command(mut_arg("force", |flag| flag.requires("written")))]
pub struct Args {
    #[command(flatten)]
    query: QueryArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// Show the K best lines
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    /// Search on after a proven win until one in at most N plies is found [default: stop at any win]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,
    /// Search J positions of a batch side by side; they share threads and memory
    #[arg(long, value_name = "J", default_value_t = 1, conflicts_with = "position", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Let this side move first, after a pass if it is not its turn [default: the side to move]
    #[arg(long, ignore_case = true, value_parser = colors())]
    side: Option<Color>,
    /// Write an annotated game with comments and better lines to FILE
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Draw the course of an annotated game as SVG to FILE
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw the course of an annotated game as PNG to FILE
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    #[command(flatten)]
    output: OutArgs,
}

/// Time for each position of a game, if no limit is given.
const GAME_TIME: Duration = Duration::from_secs(1);
/// Pixels a unit of a picture in PNG files.
const SCALE: f32 = 2.0;

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    warn_of_hash(study::engine_hash(args.limits.hash / u64::from(args.jobs)));
    if let Some(game) = whole_game(args)? {
        return annotate(args, game, out);
    }
    if args.sgf.is_some() || args.svg.is_some() || args.png.is_some() {
        bail!(WrongUsage::new(
            "--sgf, --svg and --png are for whole games: expected a game file other than a list of positions, without \
             --move, --side and --batch"
        ));
    }
    if let Some(name) = &args.query.batch {
        let (jobs, query) = (usize::from(args.jobs), (&args.query, Reading::Literal));
        return parallel::answer(name, query, out, jobs, || solver(args, jobs));
    }
    let query = batch::single(&args.query, Reading::Literal)?;
    // Signals are caught from here on: a command that waits for its input is ended by one.
    single(args, query, &*interrupt::flag()?, out)
}

/// Answers one question. `stop` ends the search early: what was found by then is the answer, and the command fails.
fn single(args: &Args, query: Query, stop: &AtomicBool, out: &mut dyn Write) -> Result<Status> {
    let id = query.id.clone();
    let mut question = question(args, 1, query)?;
    let (study, told) = if args.query.json {
        let study = study::study(&mut Engine::new(), &question, stop, &mut |_| {})?;
        let answer = Answer::new(id, question.rule, &study)?;
        (study, write_line(out, &answer))
    } else {
        let subject = Subject::new(question.position.clone(), question.rule)?;
        let live = Live::new(&subject);
        let study = live.during(|pulse, watch| {
            question.limits.pulse = Some(pulse);
            study::study(&mut Engine::new(), &question, stop, watch)
        })?;
        drop(live);
        let told = text::print(out, &subject, &study);
        (study, told)
    };
    // An interrupted search must not look like a finished one to a script, even if nobody reads the output any more.
    ensure!(!study.interrupted, "interrupted: the answer is what was found until then");
    told?;
    Ok(Status::Done)
}

/// Returns the game to annotate, if the argument is a game.
fn whole_game(args: &Args) -> Result<Option<Game>> {
    match &args.query.position {
        Some(name) if args.query.file.r#move.is_none() && args.side.is_none() => {
            input::record(name, &args.query.board, &args.query.file)
        }
        _ => Ok(None),
    }
}

fn annotate(args: &Args, game: Game, out: &mut dyn Write) -> Result<Status> {
    ensure!(args.multipv == 1, WrongUsage::new("--multipv is for single positions, and not for whole games"));
    let files = Files::of(args)?;
    let board = &args.query.board;
    let rule = input::rule(args.query.position.as_deref().unwrap_or_default(), board, &game);
    let mut limits = limits(args, 1);
    if args.limits.effort.is_unlimited() {
        limits.turn = Some(GAME_TIME);
    }
    let request = Request { game, rule, endings: args.ends.endings(rule), limits, hash: args.limits.hash };
    let review = reviewed(request).with_context(|| args.query.position.clone().unwrap_or_default())?;
    // The files are written even if nobody reads the printed text.
    let written = files.write(&review);
    let shown = if args.query.json { game::json(out, &review) } else { game::print(out, &review) };
    written.and(shown)?;
    // A part of an annotation must not look like the whole to a script.
    ensure!(review.unjudged == 0, "interrupted: {} not judged", words::count(review.unjudged, "move"));
    Ok(Status::Done)
}

/// Reviews a game with a line of progress, as far as it comes before an interrupt.
fn reviewed(request: Request) -> Result<Review> {
    let mut progress = None;
    let mut watch = |event| match event {
        Event::Positions(number) => progress = Some(Progress::of(number as u64)),
        Event::Studying(i) => progress.iter_mut().for_each(|bar| bar.say(|| format!("position {i}"))),
        Event::Studied => progress.iter_mut().for_each(Progress::step),
    };
    let stop = interrupt::flag()?;
    Ok(review::review(&mut Engine::new(), request, &stop, &mut watch)?)
}

/// The files that were asked for.
struct Files {
    sgf: Option<Output>,
    pictures: Vec<Frame>,
}

impl Files {
    /// Decides about all of them, before the work.
    fn of(args: &Args) -> Result<Files> {
        let (sgf, svg, png) = (args.sgf.as_deref(), args.svg.as_deref(), args.png.as_deref());
        distinct(&[("--sgf", sgf), ("--svg", svg), ("--png", png)])?;
        let pictures = Frame::all(svg, png, args.output)?;
        Ok(Files { sgf: sgf.map(|path| args.output.output(path)).transpose()?, pictures })
    }

    /// Writes all files. If one fails, the others are still written.
    fn write(&self, review: &Review) -> Result<()> {
        let sgf = self.sgf.iter().map(|output| write_sgf(review, output));
        let picture = |frame: &Frame| {
            frame.write(&plot::scene(&review.title(), review.unjudged, &review.stages()), SCALE)
        };
        let pictures = self.pictures.iter().map(picture);
        sgf.chain(pictures).fold(Ok(()), Result::and)
    }
}

/// Writes an annotated game. Features that SGF cannot hold are left out with a warning, so that the work is
/// not lost.
fn write_sgf(review: &Review, output: &Output) -> Result<()> {
    let mut writer = Writer::new(Format::Sgf, Charset::default(), true);
    let mut bytes = writer.add(review.record())?;
    bytes.extend(writer.finish()?);
    tell_left_out(&writer);
    output.write(&bytes)
}

/// Answers one question after another in JSON, as one of `jobs` that share the machine; the flag ends a study.
fn solver(args: &Args, jobs: usize) -> impl FnMut(Query, &AtomicBool) -> Result<Answer> + '_ {
    let mut engine = Engine::new();
    move |query: Query, stop: &AtomicBool| {
        let id = query.id.clone();
        let question = question(args, jobs, query)?;
        // An answer depends on its question alone, not on those before it.
        engine.clear();
        let study = study::study(&mut engine, &question, stop, &mut |_| {})?;
        ensure!(!study.interrupted, parallel::INTERRUPTED);
        Answer::new(id, question.rule, &study)
    }
}

/// Returns the limits of a search of `multipv` lines.
fn limits(args: &Args, multipv: u16) -> Limits {
    Limits { mate: args.mate, ..args.limits.limits(usize::from(multipv)) }
}

/// Returns the question, with the wanted side to move, for one of `jobs` that share threads and memory.
fn question(args: &Args, jobs: usize, query: Query) -> Result<Question> {
    let Query { mut position, rule, side: named, .. } = query;
    let side = named.or(args.side).unwrap_or(position.side());
    input::give_move(rule, &mut position, side, &args.ends.endings(rule))?;
    let mut limits = limits(args, args.multipv);
    limits.threads = (limits.threads / jobs).max(1);
    Ok(Question { position, rule, limits, hash: args.limits.hash / jobs as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed;

    /// The flag is set before the search, which has hours.
    #[test]
    fn an_interrupted_search_gives_its_answer_and_fails() {
        let position = ["h8h9", "--rule", "freestyle", "--time", "10h", "--threads", "1", "--hash", "4M"];
        for (form, answer) in [(&["--json"][..], "{\"id\":1,\"best\":\""), (&[], "\n1. ")] {
            let args: Args = parsed(&[&position[..], form].concat()).unwrap();
            let query = batch::single(&args.query, Reading::Literal).unwrap();
            let mut out = Vec::new();
            let error = single(&args, query, &AtomicBool::new(true), &mut out).unwrap_err();
            assert_eq!(error.to_string(), "interrupted: the answer is what was found until then");
            let said = String::from_utf8(out).unwrap();
            assert!(said.contains(answer), "{said}");
        }
    }
}
