//! `kagetsu prove`: a proof above the solvers, and the check of one that was written.
//!
//! Here are the flags and the order of the work; [`order`] says where a proof begins, [`report`] what came out.

mod order;
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use self::order::Beginning;
use self::report::{Outcome, Verified, print, print_check};
use super::Status;
use super::args::{BoardArgs, FileArgs, bytes, colors};
use super::draft::replace;
use super::progress::Progress;
use super::{batch, input};
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Color, EndSet, Position, Reading, Rule, Size, notation};
use kagetsu::solve::Budget;
use kagetsu::solve::verify::{Broken, Flaw, verify};
use kagetsu::with_rule;
use kagetsu_tools::prove::library::{self, Claim, Entry};
use kagetsu_tools::prove::search::{End, Means, State, search};
use kagetsu_tools::prove::store::{Known, Store};
use kagetsu_tools::prove::survey::Survey;
use kagetsu_tools::prove::tree::Tree;
use kagetsu_tools::prove::{Question, assemble};
use kagetsu_tools::record::{Charset, Format, ReadOptions, renlib};

/// The flags of a search, which a check has no use for.
const SEARCHES: [&str; 10] =
    ["size", "game", "move", "attacker", "time", "nodes", "threads", "hash", "out", "state"];

/// Prove that one side wins from an opening, as far as it goes
#[derive(clap::Args)]
#[command(after_help = "\
Best-first search over positions; wins by threats are proven as in solve vct, and a win found against a
pass stands for every reply that does not disturb it. What is proven is checked by the verifier of solve.
What is not proven is open: nothing is said of it. The library has the moves with what is proven and open
in comments, and below every proven move the whole proof; --check reads it and verifies it anew, by the
library's own rule unless --rule says another.

All that is found is kept in OUT.state; the same command goes on after an interruption or a kill, and with
more --time. With one thread the same flags give the same proof, unless --time ends the search.

Examples:
  kagetsu prove D4 --time 20m --out d4.lib
  kagetsu prove --check d4.lib")]
pub struct Args {
    /// The position, or - to read it from stdin
    #[arg(value_name = "POS", required_unless_present = "check", conflicts_with = "check")]
    position: Option<String>,
    /// Verify the proofs in a library instead
    #[arg(long, value_name = "FILE", conflicts_with_all = SEARCHES)]
    check: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
    /// Who is to win
    #[arg(long, default_value = "black", ignore_case = true, value_parser = colors())]
    attacker: Color,
    /// Time for the search, as 20m or 1h30m; the check comes on top [default: no limit]
    #[arg(long, value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Stones put on the board, those of earlier runs included
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Positions to work at side by side
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Memory for the solvers' tables of all threads together, and as much for the tree
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    hash: u64,
    /// Write what is proven and what is open as a RenLib library
    #[arg(long, value_name = "FILE.lib")]
    out: Option<PathBuf>,
    /// Where to keep what is found [default: OUT.state; without --out nowhere]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.store(true, Ordering::Relaxed)).context("the interrupt handler")?;
    if let Some(path) = &args.check {
        return check(args, path, &stop, out).with_context(|| path.display().to_string());
    }
    let question = question(args)?;
    let outcome = with_rule!(question.rule, R => prove::<R>(args, &question, &stop))?;
    if let Some(path) = &args.out {
        outcome.save(&question, path).with_context(|| path.display().to_string())?;
    }
    if args.json {
        batch::write_line(out, &outcome.answer(&question))?;
    } else {
        print(out, &question, &outcome)?;
    }
    // A script must not take what was broken off for all that can be found.
    let goes_on = if args.out.is_some() || args.state.is_some() { "; the same command goes on" } else { "" };
    ensure!(!outcome.is_broken_off(), "interrupted{goes_on}");
    Ok(Status::Done)
}

/// The question that the flags put.
fn question(args: &Args) -> Result<Question> {
    let argument = args.position.as_deref().unwrap_or_default();
    let (position, rule) = input::position(argument, &args.board, &args.file, Reading::Literal)?;
    // Before the stones get an order: the last of that order need not have been the last move.
    input::refuse_finished(rule, &position, &EndSet::Plain.endings(rule))?;
    let moves = with_rule!(rule, R => order::as_moves::<R>(&position));
    Ok(Question { rule, position: moves.unwrap_or(position), attacker: args.attacker })
}

/// Where the proof will begin, once it is clear that it can, and that a library can hold it if one is wanted.
fn beginning<R: Rule>(args: &Args, question: &Question) -> Result<Beginning> {
    let beginning = Beginning::of::<R>(question)
        .context("no proof can begin: no stone of the attacker's can have been the last move")?;
    if args.out.is_some() {
        ensure!(question.position.size() == Size::S15, "a RenLib library has a board of 15x15");
        let moves = beginning.is_on_the_way(question);
        ensure!(moves, "a library needs a position that moves in turn lead to");
    }
    Ok(beginning)
}

/// Searches, then has what was found verified.
fn prove<R: Rule>(args: &Args, question: &Question, stop: &Arc<AtomicBool>) -> Result<Outcome> {
    let beginning = beginning::<R>(args, question)?;
    let clock = SystemClock::new();
    let (mut store, known) = open(args, question)?;
    let mut tree = Tree::new(question);
    let over = Arc::new(AtomicBool::new(false));
    let means = Means {
        threads: args.threads.into(),
        tables: args.hash as usize,
        memory: args.hash as usize,
        nodes: args.nodes.unwrap_or(u64::MAX),
        deadline: args.time,
        clock: &clock,
        stop: Arc::clone(&over),
    };
    let mut progress = Progress::open_ended();
    let mut watch = |state: State| {
        if stop.load(Ordering::Relaxed) {
            over.store(true, Ordering::Relaxed);
        }
        progress.say(|| {
            let State { asked, recalled, nodes, effort } = state;
            format!("{} answers, {nodes} nodes, effort {effort}", asked + recalled)
        });
    };
    let (end, state) = search::<R>(question, &mut tree, (&mut store, known), &means, &mut watch)?;
    let time = clock.now();
    // Another interrupt breaks off the check.
    let interrupted = stop.swap(false, Ordering::Relaxed) && end == End::Stopped;
    let survey = Survey::of(&tree, question);
    let mut verified = Vec::new();
    for entry in entries(&beginning, &survey, &tree, &mut store)? {
        progress.say(|| format!("verifying proof {}", verified.len() + 1));
        let moves = notation::print(&entry.position);
        let confirmed = confirm::<R>(question.attacker, entry, stop);
        verified.push(confirmed.with_context(|| {
            format!("the win found after {moves} does not pass the verifier; please report this")
        })?);
    }
    Ok(Outcome { end, interrupted, state, survey, verified, time, check: clock.now() - time })
}

/// The file of the proof in work.
fn open(args: &Args, question: &Question) -> Result<(Store, Known)> {
    let beside = |out: &PathBuf| {
        let mut name = out.clone().into_os_string();
        name.push(".state");
        PathBuf::from(name)
    };
    match args.state.clone().or_else(|| args.out.as_ref().map(beside)) {
        Some(path) => Store::open(&path, question).with_context(|| path.display().to_string()),
        None => Ok((Store::nameless(question)?, Known::new())),
    }
}

/// The proofs of what the survey says is proven.
fn entries(beginning: &Beginning, survey: &Survey, tree: &Tree, store: &mut Store) -> Result<Vec<Entry>> {
    let entry = |position: Position, proof| Entry { position, proof, statement: String::new() };
    if survey.whole {
        let Beginning { position, played } = beginning;
        let proof = match *played {
            None => assemble::of_turn(tree, store, position)?,
            Some(p) => assemble::of_move(tree, store, position, p)?,
        };
        return Ok(proof.map(|proof| entry(position.clone(), proof)).into_iter().collect());
    }
    let mut found = Vec::new();
    for won in &survey.won {
        let proof = assemble::of_turn(tree, store, &won.position)?;
        found.extend(proof.map(|proof| entry(won.position.clone(), proof)));
    }
    Ok(found)
}

/// Has a proof verified; one whose check was interrupted is not valid.
///
/// # Errors
/// The first flaw.
fn confirm<R: Rule>(attacker: Color, mut entry: Entry, stop: &AtomicBool) -> Result<Verified> {
    let mut board = Board::<R>::from_position(&entry.position)?;
    let mut budget = Budget::unlimited().stopped_by(stop);
    let valid = match verify(&mut board, attacker, &entry.proof, &mut budget) {
        Ok(()) => true,
        Err(Broken { flaw: Flaw::Unfinished, .. }) => false,
        Err(broken) => return Err(broken.into()),
    };
    let turns = entry.proof.size();
    entry.statement = report::statement(attacker, &entry.proof, turns, valid);
    Ok(Verified { entry, turns, valid })
}

impl Outcome {
    /// Writes the library.
    fn save(&self, question: &Question, path: &Path) -> Result<()> {
        let entries: Vec<Entry> = self.verified.iter().map(|v| v.entry.clone()).collect();
        let game = library::write(question, &self.survey, &entries, &self.summary(question));
        replace(path, &renlib::write(&game, Charset::default())?)
    }
}

/// Verifies the proofs in a library, by the rule that was asked for, or else by its own.
fn check(args: &Args, path: &Path, stop: &AtomicBool, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    let file = std::io::BufReader::new(std::fs::File::open(path)?);
    let format = Format::of_path(path).context("of no known format")?;
    let mut game = format.games(file, &ReadOptions::default())?.next().context("it has no game")??;
    game.rule = library::rule(&game);
    let rule = input::rule(&path.display().to_string(), &args.board, &game);
    let claims = library::read(&game)?;
    ensure!(!claims.is_empty(), "it has no proof");
    let mut progress = Progress::of(claims.len() as u64);
    let mut verified = Vec::new();
    for Claim { position, attacker, proof } in claims {
        let moves = notation::print(&position);
        let entry = Entry { position, proof, statement: String::new() };
        let checked = with_rule!(rule, R => confirm::<R>(attacker, entry, stop))
            .with_context(|| format!("the proof after {moves} does not hold under {rule}"))?;
        ensure!(checked.valid, "interrupted");
        verified.push(checked);
        progress.step();
    }
    drop(progress);
    print_check(out, args.json, rule, &verified, clock.now())?;
    Ok(Status::Done)
}
