//! `kagetsu solve`: forced wins, their proofs, and the moves that stop them.
//!
//! This file has the flags and turns them into a question; [`Watch`] shows that the work goes on, [`report`] prints the
//! answer.

mod report;
mod watch;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use self::report::{Answer, Defence, print_defences, print_win};
use self::watch::Watch;
use kagetsu::game::{Color, EndSet, Position, Reading, RuleKind};
use kagetsu::solve::Verdict;
use kagetsu_console::args::{QueryArgs, bytes, colors};
use kagetsu_console::batch::{self, Id, Query, parallel};
use kagetsu_console::{Status, input, interrupt};
use kagetsu_tools::study::wins::WinQuestion;
use kagetsu_tools::study::{Kind, Means, Used, defences, wins};
use kagetsu_tools::timing::span;

/// Find a forced win, or prove that there is none
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  kagetsu solve vcf puzzle.txt --shortest\n  \
    kagetsu solve vct 'h8h9i8i9j8' --side black --tree sgf\n  \
    kagetsu solve vcf --batch puzzles.jsonl --threads 8\n\n\
    vcf: every move of the attacker makes a four. 'no win' means that there is no such win.\n\
    vct: the attacker may also make threats. A threat is a move after which the attacker, if the\n\
    opponent passed, would win by at most three fours; it must lie in an open row of five with\n\
    another stone of the attacker, or block a four. Every reply is covered; 'no win' means that\n\
    there is no win by fours and such threats. With --shortest, a threat that leaves only two\n\
    moves for the win counts only if its fours fit into them.\n\n\
    Every win shown has been checked by an independent verifier. --time and --nodes limit the\n\
    search and the proof, --time the check too: a win not proven by then is 'unknown'. An\n\
    interrupt ends the search as a limit does, and the status is 1: the win that --shortest has\n\
    found, and the moves that --defend has tried, are shown. In a batch such a position is\n\
    answered by an error.\n\n\
    One win is searched for by one thread. With --batch, as many positions as there are threads\n\
    are searched side by side, and answers still come in order; with --defend the threads of a\n\
    position share the moves to try, and --nodes is divided among them. The same flags give the\n\
    same answers, unless --time ends a search.")]
pub struct Args {
    /// Kind of win
    #[arg(value_parser = kinds())]
    kind: Kind,
    #[command(flatten)]
    query: QueryArgs,
    /// Set the attacker, who moves first [default: the side to move; with --defend its opponent]
    #[arg(long, ignore_case = true, value_parser = colors())]
    side: Option<Color>,
    /// Look for the shortest win of the kind, and prove that none is shorter
    #[arg(long, conflicts_with = "defend")]
    shortest: bool,
    /// Show the whole proof; in JSON answers it is the key "tree"
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "sgf", conflicts_with = "defend")]
    tree: Option<TreeFormat>,
    /// List every move of the side to move that stops the opponent's win
    #[arg(long)]
    defend: bool,
    /// Limit the time for each position, e.g. 5s, 1m30s, 200ms [default: no limit; with --defend and without --nodes 30s]
    #[arg(long, value_parser = span)]
    time: Option<Duration>,
    /// Limit the nodes (stones put on the board) for each position [default: no limit]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Use T threads in all for --batch and --defend [default: 1; with --defend alone one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Search J positions of a batch side by side; they share threads and memory [default: one a thread]
    #[arg(long, value_name = "J", conflicts_with = "position", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Set the memory of all threads' tables together, e.g. 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    hash: u64,
}

/// Reads a kind of win.
fn kinds() -> impl TypedValueParser<Value = Kind> {
    let value = |kind: Kind, help| PossibleValue::new(kind.name()).help(help);
    PossibleValuesParser::new([
        value(Kind::Vcf, "Victory by continuous fours"),
        value(Kind::Vct, "Victory by continuous threats: fours and threes"),
    ])
    .map(|name| if name == Kind::Vcf.name() { Kind::Vcf } else { Kind::Vct })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TreeFormat {
    Sgf,
    Json,
}

/// Time for a position with --defend if no limit is given.
const DEFEND_TIME: Duration = Duration::from_secs(30);

impl Args {
    /// Threads for everything together.
    fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => usize::from(threads),
            None if self.defend && self.query.batch.is_none() => {
                std::thread::available_parallelism().map_or(1, usize::from)
            }
            None => 1,
        }
    }

    /// Time for one position.
    fn time(&self) -> Option<Duration> {
        self.time.or_else(|| (self.defend && self.nodes.is_none()).then_some(DEFEND_TIME))
    }
}

/// One position's share of the machine.
#[derive(Clone, Copy)]
struct Share {
    threads: usize,
    /// Bytes for all tables.
    hash: usize,
}

impl Args {
    /// The means of one position.
    fn means<'a>(&self, share: Share, watch: &'a Watch<'a>) -> Means<'a> {
        Means {
            threads: share.threads,
            hash: share.hash,
            nodes: self.nodes,
            time: self.time(),
            stop: watch.stop(),
            watch: watch.events(),
        }
    }

    /// Returns whether more work would find no other answer than this one.
    fn is_answered(&self, found: &wins::Found) -> bool {
        let has_end = found.win.as_ref().is_some_and(|win| win.shortest || !self.shortest);
        has_end || found.verdict == Verdict::NoWin
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let (threads, hash) = (args.threads(), args.hash as usize);
    if let Some(name) = &args.query.batch {
        let jobs = args.jobs.map_or(threads, usize::from);
        let share = Share { threads: (threads / jobs).max(1), hash: hash / jobs };
        return parallel::answer(name, (&args.query, Reading::Literal), out, jobs, || {
            |query: Query, stop: &AtomicBool| answer(args, query, share, &Watch::silent(stop))
        });
    }
    if threads > 1 && !args.defend {
        log::warn!("one win is searched for by one thread; more serve --batch and --defend");
    }
    let query = batch::single(&args.query, Reading::Literal)?;
    // Signals are caught from here on: a command that waits for its input is ended by one.
    single(args, query, &*interrupt::flag()?, out)
}

/// Answers one question with a line of progress. `stop` ends the search early: the command then shows what was found, and
/// fails if more could have been.
fn single(args: &Args, query: Query, stop: &AtomicBool, out: &mut dyn Write) -> Result<Status> {
    let share = Share { threads: args.threads(), hash: args.hash as usize };
    let watch = match args.defend {
        true => Watch::of_defences(query.position.size().area() - query.position.stones().count(), stop),
        false => Watch::of_win(args.kind, stop),
    };
    let question = Question::new(args, query)?;
    let (is_whole, told) = if args.defend {
        let (found, used) = question.defences(args, share, &watch)?;
        drop(watch);
        let is_whole = knows_all(&found);
        let told = if args.query.json {
            batch::write_line(out, &Defence::new(args, question, &found, &used))
        } else {
            print_defences(out, args, &question, (&found, &used), stop.load(Ordering::Relaxed))
        };
        (is_whole, told)
    } else {
        let (found, used) = question.win(args, share, &watch)?;
        drop(watch);
        let is_whole = args.is_answered(&found);
        let told = if args.query.json {
            batch::write_line(out, &Answer::new(args, question.id, &found, &used))
        } else {
            print_win(out, args, &question.position, (&found, &used), stop.load(Ordering::Relaxed))
        };
        (is_whole, told)
    };
    // An interrupted search must not look like a finished one to a script, even if nobody reads the output any more.
    let is_cut_short = stop.load(Ordering::Relaxed) && !is_whole;
    ensure!(!is_cut_short, "interrupted: the answer is what was found until then");
    told?;
    Ok(Status::Done)
}

/// An answer in JSON, of either form.
#[derive(Serialize)]
#[serde(untagged)]
enum Either {
    Win(Answer),
    Defence(Defence),
}

/// Answers one question of a batch.
fn answer(args: &Args, query: Query, share: Share, watch: &Watch<'_>) -> Result<Either> {
    let question = Question::new(args, query)?;
    let is_stopped = || watch.stop().load(Ordering::Relaxed);
    if args.defend {
        let (found, used) = question.defences(args, share, watch)?;
        ensure!(knows_all(&found) || !is_stopped(), parallel::INTERRUPTED);
        Ok(Either::Defence(Defence::new(args, question, &found, &used)))
    } else {
        let (found, used) = question.win(args, share, watch)?;
        ensure!(args.is_answered(&found) || !is_stopped(), parallel::INTERRUPTED);
        Ok(Either::Win(Answer::new(args, question.id, &found, &used)))
    }
}

/// Returns whether all moves that stop the win are known, so that more work would find no other answer.
fn knows_all(found: &defences::Defences) -> bool {
    found.threat != Verdict::Unknown && found.undecided.is_empty()
}

/// A position with the side to move that the flags ask about, and the attacker.
struct Question {
    id: Id,
    rule: RuleKind,
    position: Position,
    attacker: Color,
}

impl Question {
    fn new(args: &Args, query: Query) -> Result<Question> {
        let Query { id, mut position, rule, side: named, .. } = query;
        let attacker = named.or(args.side).unwrap_or(match args.defend {
            true => !position.side(),
            false => position.side(),
        });
        let side = if args.defend { !attacker } else { attacker };
        input::give_move(rule, &mut position, side, &EndSet::Plain.endings(rule))?;
        Ok(Question { id, rule, position, attacker })
    }

    fn win(&self, args: &Args, share: Share, watch: &Watch<'_>) -> Result<(wins::Found, Used)> {
        let question = WinQuestion {
            position: self.position.clone(),
            rule: self.rule,
            attacker: self.attacker,
            kind: args.kind,
            shortest: args.shortest,
        };
        Ok(wins::find(&question, &args.means(share, watch))?)
    }

    fn defences(&self, args: &Args, share: Share, watch: &Watch<'_>) -> Result<(defences::Defences, Used)> {
        Ok(defences::find(&self.position, self.rule, args.kind, &args.means(share, watch))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed;

    /// Black has a win by threats, and White has dozens of replies that need searches of their own. The flag is set before.
    #[test]
    fn an_interrupted_search_gives_its_answer_and_fails() {
        let question = ["vct", "h8h9i9i10j10k11g7f6g8", "--defend", "--threads", "1", "--hash", "4M"];
        for form in [&["--json"][..], &[]] {
            let args: Args = parsed(&[&question[..], form].concat()).unwrap();
            let query = batch::single(&args.query, Reading::Literal).unwrap();
            let mut out = Vec::new();
            let error = single(&args, query, &AtomicBool::new(true), &mut out).unwrap_err();
            assert_eq!(error.to_string(), "interrupted: the answer is what was found until then");
            let said = String::from_utf8(out).unwrap();
            if form.is_empty() {
                let undecided = said.lines().find_map(|line| line.strip_prefix("undecided: "));
                assert!(undecided.is_some_and(|moves| moves.len() > 2) && !said.contains("limit"), "{said}");
            } else {
                assert!(said.contains("\"undecided\":[\""), "{said}");
            }
        }
    }

    /// The flag is set before, as by an interrupt. What is known without a search is an answer all the same.
    #[test]
    fn questions_of_a_batch_are_answered_or_interrupted() {
        let win = ["vcf", "h8h9i8i9j8j9k8k9"];
        let threat = ["vct", "h8h9i9i10j10k11g7f6g8", "--defend"];
        for (question, expected) in [(&win[..], None), (&threat[..], Some("interrupted"))] {
            let args: Args = parsed(&[question, &["--threads", "1", "--hash", "4M"]].concat()).unwrap();
            let query = batch::single(&args.query, Reading::Literal).unwrap();
            let stop = AtomicBool::new(true);
            let share = Share { threads: 1, hash: args.hash as usize };
            let answer = answer(&args, query, share, &Watch::silent(&stop));
            assert_eq!(answer.err().map(|error| error.to_string()).as_deref(), expected, "{question:?}");
        }
    }
}
