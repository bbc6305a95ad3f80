//! `kagetsu solve`: forced wins, their proofs, and the moves that stop them.

mod report;

use std::io::Write;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::Serialize;

use self::report::{Answer, Defence, print_defences, print_win};
use super::Status;
use super::args::{QueryArgs, bytes, colors};
use super::batch::{self, Query};
use super::progress::Progress;
use crate::clock::{Clock, SystemClock};
use crate::game::{
    Board, Color, Endings, FoulKinds, Point, Position, Reading, Rule, RuleKind, Shape, Threat,
};
use crate::solve::defend::{Defences, defences};
use crate::solve::proof::{After, Turn};
use crate::solve::verify::verify;
use crate::solve::{Budget, Vcf, Vct, Verdict};
use crate::with_rule;

/// Find a forced win, or prove that there is none
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  kagetsu solve vcf puzzle.txt --shortest\n  \
    kagetsu solve vct 'h8h9i8i9j8' --side black --tree sgf\n  kagetsu solve vcf --batch puzzles.jsonl\n\n\
    vcf: every move of the attacker makes a four. Complete: 'no win' means that there is none.\n\
    vct: he may also make threats: moves near a stone of his own (in a common open row of five)\n\
    behind which a VCF of at most three fours stands, and blocks of the opponent's fours. Every\n\
    reply is covered; 'no win' means that there is none with such moves.\n\
    Every win shown has been checked by an independent verifier.")]
pub struct Args {
    /// What kind of win
    kind: Kind,
    #[command(flatten)]
    query: QueryArgs,
    /// The attacker, who moves first [default: the side to move; with --defend its opponent]
    #[arg(long, value_parser = colors())]
    side: Option<Color>,
    /// Prove the length of the shortest win (vcf only)
    #[arg(long, conflicts_with = "defend")]
    shortest: bool,
    /// Show the whole proof; in JSON answers it is the key "tree"
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "sgf", conflicts_with = "defend")]
    tree: Option<TreeFormat>,
    /// List every move of the side to move that stops the opponent's win
    #[arg(long)]
    defend: bool,
    /// Time for each position, as 5s or 1m30s or 200ms [default: no limit]
    #[arg(long, value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Stones put on the board, for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Threads to search with; this version uses one
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    threads: u32,
    /// Memory for the tables, as 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    hash: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    /// Victory by continuous fours
    Vcf,
    /// Victory by continuous threats: fours and threes
    Vct,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Vcf => "vcf",
            Kind::Vct => "vct",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TreeFormat {
    Sgf,
    Json,
}

/// What was found, before it is shown.
struct Found {
    attacker: Color,
    verdict: Verdict,
    by: Kind,
    /// The win's proof, and whether its length is proven to be the shortest.
    proof: Option<(Turn, bool)>,
    end: Option<&'static str>,
    /// Where the win ends by a foul: the point, and what is wrong with it.
    foul: Option<(Point, FoulKinds)>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    if args.threads > 1 {
        log::warn!("solving with one thread instead of {}", args.threads);
    }
    if args.query.json || args.query.batch.is_some() {
        return batch::answer(&args.query, Reading::Literal, out, |query| answer(args, query));
    }
    let query = batch::single(&args.query, Reading::Literal)?;
    let (rule, id) = (query.rule, query.id.clone());
    let (position, attacker) = question(args, query)?;
    with_rule!(rule, R => if args.defend {
        let (found, budget) = defend::<R>(args, &position)?;
        print_defences(out, args, &position, Defence::new(id, args, attacker, &found, &budget))
    } else {
        let (found, budget) = solve::<R>(args, &position, attacker)?;
        print_win(out, args, &position, &found, &budget)
    })?;
    Ok(Status::Done)
}

/// An answer in JSON, of either form.
#[derive(Serialize)]
#[serde(untagged)]
enum Either {
    Win(Answer),
    Defence(Defence),
}

fn answer(args: &Args, query: Query) -> Result<Either> {
    let (rule, id) = (query.rule, query.id.clone());
    let (position, attacker) = question(args, query)?;
    with_rule!(rule, R => if args.defend {
        let (found, used) = defend::<R>(args, &position)?;
        Ok(Either::Defence(Defence::new(id, args, attacker, &found, &used)))
    } else {
        let (found, used) = solve::<R>(args, &position, attacker)?;
        Ok(Either::Win(Answer::new(id, args, &found, &used)))
    })
}

/// The position with the side to move that the question is about, and the attacker.
fn question(args: &Args, query: Query) -> Result<(Position, Color)> {
    let Query { mut position, rule, side: named, .. } = query;
    let attacker = named.or(args.side).unwrap_or(match args.defend {
        true => !position.side(),
        false => position.side(),
    });
    let mover = if args.defend { !attacker } else { attacker };
    position.set_side(mover);
    refuse_finished(rule, &position)?;
    Ok((position, attacker))
}

fn refuse_finished(rule: RuleKind, position: &Position) -> Result<()> {
    let outcome = with_rule!(rule, R => Board::<R>::from_position(position)?.outcome(&Endings::default()));
    match outcome {
        Some(outcome) => bail!("the game is over: {outcome}"),
        None => Ok(()),
    }
}

/// The time, and a sign of life whenever the solver asks for it.
struct Watch {
    clock: SystemClock,
    progress: Mutex<Progress>,
    kind: Kind,
}

impl Watch {
    fn new(kind: Kind) -> Watch {
        Watch { clock: SystemClock::new(), progress: Mutex::new(Progress::open_ended()), kind }
    }

    fn budget(&self, args: &Args) -> Budget<'_> {
        let deadline = args.time.unwrap_or(Duration::MAX);
        args.nodes.map_or(Budget::unlimited(), Budget::nodes).until(self, deadline)
    }
}

impl Clock for Watch {
    fn now(&self) -> Duration {
        if let Ok(mut progress) = self.progress.lock() {
            progress.say(|| format!("searching for a {}", self.kind.name()));
        }
        self.clock.now()
    }
}

/// Nodes and time used.
struct Used {
    nodes: u64,
    time: Duration,
}

/// Memory for a first win by fours; proving more takes all there is.
const SMALL_TABLE: usize = 1 << 22;

fn solve<R: Rule>(args: &Args, position: &Position, attacker: Color) -> Result<(Found, Used)> {
    let mut board = Board::<R>::from_position(position)?;
    let watch = Watch::new(args.kind);
    let mut budget = watch.budget(args);
    let hash = args.hash as usize;
    let mut vcf = Vcf::<R>::new(if args.shortest { hash } else { hash.min(SMALL_TABLE) });
    let (mut verdict, proven) = if args.shortest {
        vcf.shortest(&board, attacker, &mut budget)
    } else {
        (vcf.solve(&board, attacker, &mut budget), false)
    };
    let mut by = Kind::Vcf;
    let mut proof = None;
    if verdict == Verdict::Win {
        proof = vcf.proof(&board, attacker, &mut Budget::unlimited());
    } else if args.kind == Kind::Vct && !budget.is_exhausted() {
        by = Kind::Vct;
        drop(vcf);
        let mut vct = Vct::<R>::new(hash);
        verdict = vct.solve(&board, attacker, &mut budget);
        if verdict == Verdict::Win {
            proof = vct.proof(&mut Budget::unlimited());
        }
    }
    let used = Used { nodes: budget.used(), time: watch.clock.now() };
    if let Some(proof) = &proof
        && let Err(broken) = verify(&mut board, attacker, proof)
    {
        bail!("the win found does not pass the verifier ({broken}); please report this position");
    }
    let (end, foul) = proof.as_ref().map(|turn| end_of(board, attacker, turn)).unzip();
    // Without a five at once no win is shorter than three plies.
    let proof = proof.map(|turn| {
        let shortest = proven || turn.length() <= 3;
        (turn, shortest)
    });
    Ok((Found { attacker, verdict, by, proof, end, foul: foul.flatten() }, used))
}

fn defend<R: Rule>(args: &Args, position: &Position) -> Result<(Defences, Used)> {
    let mut board = Board::<R>::from_position(position)?;
    let watch = Watch::new(args.kind);
    let mut budget = watch.budget(args);
    let mut progress = Progress::of(board.empty().len() as u64);
    let tried = || progress.step();
    let found = match args.kind {
        Kind::Vcf => defences(&mut Vcf::<R>::new(SMALL_TABLE), &mut board, &mut budget, tried),
        Kind::Vct => defences(&mut Vct::<R>::new(args.hash as usize), &mut board, &mut budget, tried),
    };
    Ok((found, Used { nodes: budget.used(), time: watch.clock.now() }))
}

/// How the main line ends: what makes its last move decisive, and the foul if it is one.
fn end_of<R: Rule>(
    mut board: Board<R>,
    attacker: Color,
    proof: &Turn,
) -> (&'static str, Option<(Point, FoulKinds)>) {
    board.set_side(attacker);
    let line = proof.line();
    let Some((Some(last), before)) = line.split_last() else { return ("five", None) };
    if proof.after == After::Five {
        return ("five", None);
    }
    for p in before {
        match p {
            Some(p) => board.play(*p),
            None => board.pass(),
        }
    }
    let straight = board.shapes(*last).directions(attacker).any(|(_, s)| s == Shape::StraightFour);
    board.play(*last);
    let fives = board.threats(attacker, Threat::Five);
    match fives.first() {
        Some(block) if fives.len() == 1 && board.is_foul(block, !attacker) => {
            ("foul", Some((block, board.foul_kinds(block))))
        }
        _ if straight => ("straight_four", None),
        _ => ("double_four", None),
    }
}
