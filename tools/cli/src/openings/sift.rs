//! `kagetsu openings sift`: openings chosen by the outcome of games.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::balanced::stones;
use crate::engines::{check_programs, engines};
use crate::fill::{Wanted, Written, fill};
use kagetsu::eval::nets;
use kagetsu_console::Status;
use kagetsu_console::args::{BoardArgs, engine_memory};
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::arena::openings::{self, Notation, OpeningFile, Reader};
use kagetsu_tools::arena::time::TimeControl;
use kagetsu_tools::sift::candidate::{Sifted, Verdict};
use kagetsu_tools::sift::run::Sift;
use kagetsu_tools::sift::settings::{Pair, Settings, Source};
use kagetsu_tools::{untrusted, words};

const HELP: &str = "\
A score near even does not mean that both colours can win. A candidate is judged by a long
search, then played by the engines against themselves: a quick pair of games by the first
engine, then a long pair by each. It is rejected if one colour wins the quick pair, or all
long games. The openings that are kept go in turn to tuning.txt and testing.txt in the
directory, which also has all candidates with their games. An engine is a command as for
'kagetsu match'.

--resume refuses to go on if the file of an engine's program has changed since the start,
as after a new build, unless the lists are long enough already. 'kagetsu match --help' says
which changes it does not see.

Examples:
  kagetsu openings sift 600 --rule renju --engine ./pbrain-kagetsu --out renju-15
  kagetsu openings sift 40 --rule freestyle --size 20 --engine ./pbrain-kagetsu \\
      --engine ./pbrain-rapfi --nodes 500000 --out freestyle-20
  kagetsu openings sift 600 --resume renju-15";

/// The flags of a new run. A continued one takes all of them from its directory.
const OF_A_NEW_RUN: [&str; 14] = [
    "engines",
    "rule",
    "size",
    "candidates",
    "seed",
    "candidate_nodes",
    "stones",
    "nodes",
    "bias",
    "even",
    "quick",
    "long",
    "memory",
    "out",
];

/// Choose openings by the outcome of games
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Openings wanted, in both lists together
    #[arg(value_name = "N")]
    wanted: usize,
    /// Add an engine by its command, which plays against itself; repeat for each engine
    #[arg(long = "engine", value_name = "COMMAND", required_unless_present = "resume")]
    engines: Vec<String>,
    #[command(flatten)]
    board: BoardArgs,
    /// Take the candidates from a list or game file [default: random ones, as of --balanced]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "candidate_nodes", "stones"])]
    candidates: Option<PathBuf>,
    /// Set the seed of random candidates
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    seed: u64,
    /// Balance random candidates by searches of N nodes
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    candidate_nodes: u64,
    /// Make candidates of MIN to MAX stones [default: 3 to 9; under Renju on 15x15 4 to 9]
    #[arg(long, value_names = ["MIN", "MAX"], num_args = 2)]
    stones: Vec<usize>,
    /// Judge each candidate by a search of N nodes
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Accept an advantage of at most SCORE for either side
    #[arg(long, value_name = "SCORE", default_value_t = 40, value_parser = clap::value_parser!(i32).range(0..1 << 20))]
    bias: i32,
    /// Count this score, from Black's view, as even
    #[arg(long, value_name = "SCORE", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(-(1 << 20)..1 << 20))]
    even: i32,
    /// Set the nodes for each move of the two sides in the quick games
    #[arg(long, value_name = "A:B", default_value = "40000:50000")]
    quick: Pair,
    /// Set the nodes for each move of the two sides in the long games
    #[arg(long, value_name = "A:B", default_value = "200000:250000")]
    long: Pair,
    /// Tell each engine this memory limit, e.g. 350M; 0 for no limit
    #[arg(long, value_name = "SIZE", default_value = "100M", value_parser = engine_memory)]
    memory: u64,
    /// Judge T candidates side by side; the lists do not depend on it
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Keep candidates and lists in this new directory
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Continue the run of this directory; all else but N, --threads and --changed-engines is taken from
    /// there
    #[arg(long, value_name = "DIR", conflicts_with_all = OF_A_NEW_RUN)]
    resume: Option<PathBuf>,
    /// Go on although the program of an engine has changed since the run began
    // Without the conflict clap would drop the requirement: `--engine` conflicts with `--resume`.
    #[arg(long, requires = "resume", conflicts_with = "engines")]
    changed_engines: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let mut sift = match (&args.resume, &args.out) {
        (Some(directory), _) => {
            let sift = Sift::resume(directory)?;
            if sift.kept(args.wanted).len() < args.wanted {
                args.check_programs(&sift)?;
                sift.try_engines()?;
            }
            sift
        }
        (None, Some(directory)) => {
            let mut settings = args.settings()?;
            Sift::check(directory, &settings)?;
            settings.engines.iter_mut().for_each(Contestant::identify);
            Sift::create(directory, settings)?
        }
        (None, None) => bail!("expected --out or --resume"),
    };
    let tally = |kept: usize| format!("{kept} of {} kept", words::count(args.wanted, "opening"));
    let wanted = Wanted { number: args.wanted, tally: &tally, source: "the candidates" };
    let tell = |candidate: &Sifted| {
        log::debug!("candidate {}: {}", candidate.number, candidate.verdict.words());
    };
    fill(&mut sift, &wanted, args.threads.into(), &tell, |sift, lists| report(sift, lists, out))
}

/// Says what became of the candidates, and where the lists are.
fn report(sift: &Sift, lists: &[Written], out: &mut dyn Write) -> Result<()> {
    let tally = sift.tally();
    writeln!(out, "{}", words::count(tally.values().sum::<usize>(), "candidate"))?;
    for verdict in Verdict::ALL {
        writeln!(out, "{:>6} {}", tally.get(&verdict).unwrap_or(&0), verdict.words())?;
    }
    if let Some(chances) = sift.chances()? {
        let (games, black) = (words::count(chances.games, "game"), 100.0 * chances.black);
        let even = match chances.even {
            Some(even) => format!("the chances are equal at a score of {even}"),
            None => "no score explains this result".to_owned(),
        };
        writeln!(out, "Black scores {black:.1} % in {games}; {even}")?;
    }
    for (path, count) in lists {
        let line = format!("{}: {}", path.display(), words::count(*count, "opening"));
        writeln!(out, "{}", untrusted::line(&line))?;
    }
    Ok(())
}

impl Args {
    /// Refuses engines whose programs are not those with which the run began, unless they are asked for. It does so
    /// without a candidate too: a later call would take those of the new program for those of the old one.
    fn check_programs(&self, sift: &Sift) -> Result<()> {
        let harm = "all candidates of a run count as judged by one program";
        if let Some(note) = check_programs(&sift.settings().engines, "run", harm, self.changed_engines)? {
            log::warn!("{note}");
        }
        Ok(())
    }

    /// Returns the settings of a new run.
    fn settings(&self) -> Result<Settings> {
        let candidates = self.candidates.as_deref().map(OpeningFile::open).transpose()?;
        let (rule, size) = super::board(&self.board, candidates.as_ref(), Notation::Auto)?;
        let conditions = Contestant {
            // A loaded machine must not make an engine fail: the nodes limit the moves.
            time: TimeControl {
                nodes: Some(self.quick.first),
                patience: Duration::from_secs(3600),
                startup: Duration::from_secs(120),
                ..TimeControl::default()
            },
            memory: Some(self.memory).filter(|&limit| limit > 0),
            threads: Some(1),
            ..Contestant::new(PathBuf::new(), Vec::new())
        };
        let engines = engines(&self.engines, &conditions)?;
        let reader = Reader { notation: Notation::Auto, plies: None, rule, size };
        let source = match &candidates {
            Some(file) => {
                let list = reader.read_file(file)?;
                openings::check_for_engines(&list, rule, size).with_context(|| file.name().to_owned())?;
                Source::List(list)
            }
            None => Source::Random {
                seed: self.seed,
                nodes: self.candidate_nodes,
                stones: stones(rule, size, &self.stones)?,
            },
        };
        Ok(Settings {
            rule: rule.to_string(),
            size: size.side(),
            source,
            nodes: self.nodes,
            even: self.even,
            bias: self.bias,
            quick: self.quick,
            long: self.long,
            engines,
            net: nets::net(rule).name(),
        })
    }
}
