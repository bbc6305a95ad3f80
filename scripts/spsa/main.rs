//! Tunes search parameters by games: SPSA on the project's arena.
//!
//! ```sh
//! cargo build --release --features tune -p kagetsu --bin pbrain-kagetsu
//! cp target/release/pbrain-kagetsu target/pbrain-tune
//! cargo run --release -p kagetsu-tools --example spsa -- --state target/spsa.json --engine target/pbrain-tune \
//!     --param late_base --param futility_slope=45 --concurrency 2 \
//!     --openings freestyle-20=book/openings/by-outcome/freestyle-20-tuning.txt \
//!     --openings standard-15=book/openings/by-outcome/standard-15-tuning.txt
//! ```
//!
//! Each iteration plays two sets of values against each other, found by moving every parameter at once one way or the
//! other, and moves the values towards the winner. Several rules and board sizes take turns. `src/search/params.rs` gives
//! names, ranges and steps. The state file holds the whole run: the same command, or `--state` alone, continues it. Beside
//! it STATE.lock lets one process run it at a time. [`schedule`] is the arithmetic, [`state`] the file.
//!
//! Renju has numbers of its own, such as `renju_late_base`, which have an effect under no other rule, as `late_base` has
//! none under Renju. Play rules under which all numbers of a run have an effect: other games measure nothing.
//!
//! At the end, the run prints for each parameter the Elo of its higher value over its lower one, from all games. The two
//! values are two steps apart at the end of the schedule, farther at first, and nearer at a bound of the range. With
//! `--rate 0` the values stay as they are, and a run of 500 pairs measures a dozen parameters at once, each to about ± 20 Elo.

mod schedule;
mod state;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use kagetsu::game::{Color, EndSet, RuleKind, Size};
use kagetsu::random::{Random, SeedableRng, SliceRandom};
use kagetsu::search::params::{ALL, Param};
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::arena::fault::FaultKind;
use kagetsu_tools::arena::forms::Forms;
use kagetsu_tools::arena::game::Adjudication;
use kagetsu_tools::arena::openings::{self, Notation, OpeningFile, Reader};
use kagetsu_tools::arena::plan::{Format, Plan};
use kagetsu_tools::arena::record::End;
use kagetsu_tools::arena::tournament::{self, Event, Wish};
use kagetsu_tools::output::unless_unread;
use kagetsu_tools::{untrusted, words};

use schedule::{Parameter, Probe, Schedule};
use state::{Field, State};

/// Tune search parameters by games
#[derive(Parser)]
#[command(name = "spsa")]
struct Args {
    /// Keep the run in FILE; if it exists, continue it and take every other setting but --concurrency and
    /// --changed-engine from it
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Play with this engine, built with the feature tune
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// Tune this parameter of src/search/params.rs, from START [default: all that have an effect under the rules played,
    /// from their values in the source; without --time, not those of time management]
    #[arg(long = "param", value_name = "NAME[=START]")]
    params: Vec<String>,
    /// Play N pairs of games in all
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Play N pairs of games with the same values
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
    /// Set the size of the updates at the end; 0 leaves the values as they are and only measures them
    #[arg(long, default_value_t = 0.002, value_parser = rate)]
    rate: f64,
    /// Play under this rule on this size of board, from the starting positions of the file, one a line; repeat for
    /// several, which take turns
    #[arg(long, value_name = "RULE-SIZE=FILE")]
    openings: Vec<String>,
    /// Search N nodes for each move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Set the time for each move instead of nodes, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    time: Option<u64>,
    /// Set the seed of all choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play N games side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Go on although the engine's program has changed since the run began
    #[arg(long)]
    changed_engine: bool,
}

/// Reads the size of the updates. With 1, a result of one game moves every value by a whole step at the end.
fn rate(text: &str) -> Result<f64, String> {
    let read = text.parse::<f64>().ok().filter(|rate| (0.0..=1.0).contains(rate));
    read.ok_or_else(|| "expected a number from 0 to 1, e.g. 0.002".to_owned())
}

fn main() -> ExitCode {
    match run(&Args::parse(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Names and contents of files are text from outside. If stderr is closed, the error cannot be
            // reported.
            let _ = writeln!(io::stderr(), "spsa: {}", untrusted::lines(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    if !args.state.exists() {
        // A new run that is refused leaves no files behind.
        args.begin()?;
    }
    let _lock = state::hold(&args.state)?;
    // Another process may have saved the state in the meantime.
    let mut state = match State::load(&args.state)? {
        Some(state) => state,
        None => args.begin()?,
    };
    state.check_engine(args.changed_engine)?;
    tune(&mut state, &args.state, out, |state, probe| play(state, probe, args.concurrency))?;
    unless_unread(print_effects(&state, out))
}

/// Does the iterations that are left. `play` returns the result of one.
fn tune(
    state: &mut State,
    path: &Path,
    out: &mut dyn Write,
    mut play: impl FnMut(&State, &Probe) -> Result<i64>,
) -> Result<()> {
    while state.next_batch() > 0 {
        let probe = state.schedule.probe(&state.parameters, state.done, state.seed);
        let result = play(state, &probe)?;
        state.learn(&probe, result);
        state.save(path)?;
        let values = state.parameters.iter().map(|p| format!("{}={:.2}", p.name, p.value));
        let values = values.collect::<Vec<_>>().join(" ");
        let (done, pairs) = (state.done, state.schedule.pairs);
        // The run goes on if nobody reads its progress.
        let _ = writeln!(out, "{done}/{pairs} {result:+} {}", untrusted::line(&values));
    }
    Ok(())
}

/// Prints the values of a run and what they gained.
fn print_effects(state: &State, out: &mut dyn Write) -> io::Result<()> {
    let (name, start, end) = ("parameter", "start", "end");
    writeln!(out, "{name:28} {start:>6} -> {end:>6}   Elo of the higher value over the lower")?;
    for p in &state.parameters {
        let (elo, margin) = p.effect(state.squares, 2 * state.measured);
        let (name, end) = (untrusted::line(&p.name), p.rounded());
        writeln!(out, "{name:28} {:>6} -> {end:>6}   {elo:+.0} ± {margin:.0}", p.start)?;
    }
    out.flush()
}

impl Args {
    /// A new run.
    fn begin(&self) -> Result<State> {
        let program = self.engine.clone().context("a new run needs --engine")?;
        if self.openings.is_empty() {
            bail!("a new run needs --openings");
        }
        let mut engine = Contestant::new(std::path::absolute(program)?, Vec::new());
        engine.threads = Some(1);
        engine.time.nodes = Some(self.nodes).filter(|_| self.time.is_none());
        engine.time.turn = self.time.map(Duration::from_millis);
        engine.time.check()?;
        engine.identify();
        let fields = self.openings.iter().map(|words| self.field(words)).collect::<Result<Vec<_>>>()?;
        let rules =
            fields.iter().map(|field| field.rule.parse::<RuleKind>()).collect::<Result<Vec<_>, _>>()?;
        Ok(State {
            schedule: Schedule { pairs: self.pairs, rate: self.rate },
            batch: self.batch,
            seed: self.seed,
            engine,
            fields,
            parameters: parameters(&self.params, self.time.is_some(), &rules)?,
            done: 0,
            measured: 0,
            squares: 0.0,
        })
    }

    /// Reads a field from an argument of `--openings`.
    fn field(&self, words: &str) -> Result<Field> {
        let expected = "expected RULE-SIZE=FILE, such as renju-15=book/openings/renju-15.txt";
        let (name, file) = words.split_once('=').with_context(|| format!("'{words}': {expected}"))?;
        let (rule, size) = name.split_once('-').with_context(|| format!("'{name}': {expected}"))?;
        let rule: RuleKind = rule.parse().with_context(|| format!("'{name}': {expected}"))?;
        let size = size.parse().with_context(|| format!("'{name}': {expected}"))?;
        let reader = Reader { notation: Notation::Auto, plies: None, rule, size: Size::new(size)? };
        let file = OpeningFile::open(Path::new(file))?;
        let mut openings = reader.read_file(&file)?;
        openings::check_for_engines(&openings, rule, reader.size).with_context(|| file.name().to_owned())?;
        openings.shuffle(&mut Random::seed_from_u64(self.seed));
        Ok(Field { rule: rule.to_string(), size, openings })
    }
}

/// Returns whether a parameter has an effect under a rule. Those whose names begin with a rule belong to that rule alone,
/// and take the place of the others there.
fn acts_under(name: &str, rule: RuleKind) -> bool {
    let is_known = |name: &str| ALL.iter().any(|p| p.name == name);
    let is_own = |of: RuleKind| {
        let number = name.strip_prefix(of.name()).and_then(|rest| rest.strip_prefix('_'));
        number.is_some_and(is_known)
    };
    match RuleKind::ALL.into_iter().find(|&of| is_own(of)) {
        Some(of) => of == rule,
        None => !is_known(&format!("{rule}_{name}")),
    }
}

/// Returns the parameters named by `words`. Without any word: all that have an effect under these rules, those of time
/// management only if the games are `timed`.
fn parameters(words: &[String], timed: bool, rules: &[RuleKind]) -> Result<Vec<Parameter>> {
    let acts = |param: &Param| rules.iter().any(|&rule| acts_under(param.name, rule));
    let mut named = Vec::new();
    for word in words {
        let (name, start) = word.split_once('=').map_or((&word[..], None), |(n, v)| (n, Some(v)));
        let param = ALL
            .iter()
            .find(|p| p.name == name)
            .with_context(|| format!("unknown search parameter '{name}'; src/search/params.rs lists them"))?;
        let start = start.map_or(Ok(param.value), str::parse)?;
        if !(param.low..=param.high).contains(&start) {
            bail!("{name} = {start}: out of range, expected {} to {}", param.low, param.high);
        }
        if !acts(param) {
            let rules = rules.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", ");
            bail!(
                "--param {name} has no effect under {rules}: expected --openings of another rule, or another parameter (a \
                 rule's own numbers, such as renju_late_base, take the place of the others under that rule)"
            );
        }
        named.push((param, start));
    }
    if let Some(name) = words::repeated(named.iter().map(|(param, _)| param.name)) {
        bail!("--param {name} was given twice");
    }
    if words.is_empty() {
        let wanted = ALL.iter().filter(|&param| acts(param) && (timed || !param.is_time()));
        named.extend(wanted.map(|param| (param, param.value)));
    }
    let parameter = |(p, start): (&Param, i32)| Parameter {
        name: p.name.into(),
        low: p.low,
        high: p.high,
        step: f64::from(p.step),
        start,
        value: f64::from(start),
        lead: 0.0,
    };
    Ok(named.into_iter().map(parameter).collect())
}

/// Plays the two sets of values against each other: the first one's wins less its losses.
fn play(state: &State, probe: &Probe, concurrency: u16) -> Result<i64> {
    let contestant = |name: &str, values: &[i32]| {
        let settings = state.parameters.iter().zip(values).map(|(p, v)| format!("{}={v}", p.name));
        Contestant { name: name.into(), args: settings.collect(), ..state.engine.clone() }
    };
    let field = state.next_field();
    let openings = state.next_openings();
    let plan = Plan {
        contestants: vec![contestant("plus", &probe.plus), contestant("minus", &probe.minus)],
        format: Format::RoundRobin,
        rule: field.rule.clone(),
        size: field.size,
        games: Some(2 * openings.len() as u64),
        rounds: 1,
        openings,
        opening_rule: None,
        fallback: None,
        transform: false,
        forms: Forms::default(),
        endings: EndSet::Plain.endings(field.rule.parse()?),
        adjudication: Adjudication::default(),
        suspend: false,
        send_board: false,
        restart: false,
        sprt: None,
        concurrency,
    };
    let mut result = 0;
    tournament::run(&plan, &HashSet::new(), |event| {
        if let Event::Game(game, _) = event {
            if let End::Fault(kind) = game.end {
                // An engine that does not know its arguments ends at once.
                let is_unfit = kind == FaultKind::Crash && state.done == 0;
                let expected = if is_unfit { "; expected an engine built with the feature tune" } else { "" };
                bail!("{}, game {}: {}: {}{expected}", field.rule, game.game, kind.name(), game.detail);
            }
            let plus = if game.black == "plus" { 1 } else { -1 };
            result += plus * (i64::from(game.half_points(Color::Black)) - 1);
        }
        Ok(Wish::Continue)
    })?;
    Ok(result)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn args(words: &[&str]) -> Result<Args, clap::Error> {
        Args::try_parse_from([&["spsa"], words].concat())
    }

    /// JSON has neither NaN nor infinity: a state with such a value could not be loaded again.
    #[test]
    fn numbers_that_cannot_be_used_are_refused() {
        for word in [
            "--rate=nan",
            "--rate=inf",
            "--rate=-inf",
            "--rate=1e308",
            "--rate=-0.1",
            "--rate=x",
            "--pairs=0",
            "--batch=0",
            "--nodes=0",
            "--time=0",
            "--concurrency=0",
            "--concurrency=1025",
        ] {
            assert!(args(&["--state", "state.json", word]).is_err(), "{word}");
        }
        for word in ["--rate=0", "--rate=1", "--pairs=1", "--nodes=1", "--concurrency=1024"] {
            assert!(args(&["--state", "state.json", word]).is_ok(), "{word}");
        }
    }

    /// Two processes would write over each other's progress.
    #[test]
    fn a_run_of_another_process_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        let arguments = args(&["--state", path.to_str().unwrap()]).unwrap();
        let run = || run(&arguments, &mut Vec::new());
        assert!(run().unwrap_err().to_string().contains("a new run needs --engine"));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "a refused run leaves no files");
        let mut finished = state::tests::state();
        finished.done = finished.schedule.pairs;
        finished.save(&path).unwrap();
        let other = state::hold(&path).unwrap();
        let said = run().unwrap_err().to_string();
        assert!(said.contains("another process is tuning with this state"), "{said}");
        drop(other);
        run().unwrap();
    }

    /// A run of days must not end because the reader of its progress is gone.
    #[test]
    fn a_run_that_nobody_reads_goes_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        let (reader, mut unread) = io::pipe().unwrap();
        drop(reader);
        let mut state = state::tests::state();
        tune(&mut state, &path, &mut unread, |_, _| Ok(1)).unwrap();
        assert_eq!(State::load(&path).unwrap().unwrap().done, state.schedule.pairs);
        let arguments = args(&["--state", path.to_str().unwrap()]).unwrap();
        run(&arguments, &mut unread).unwrap();
        let mut read = Vec::new();
        run(&arguments, &mut read).unwrap();
        let read = String::from_utf8(read).unwrap();
        // A header, and a line for the one parameter.
        assert!(read.lines().count() == 2 && read.lines().last().unwrap().starts_with("x "), "{read}");
        // A result that cannot be written for another reason is an error.
        let said = run(&arguments, &mut &mut [0u8; 10][..]).unwrap_err().to_string();
        assert!(said.contains("cannot write to standard output"), "{said}");
    }

    #[test]
    fn openings_are_read_and_checked_as_those_of_a_match() {
        let directory = tempfile::tempdir().unwrap();
        let read = |name: &str, bytes: &[u8]| {
            let path = directory.path().join(name);
            fs::write(&path, bytes).unwrap();
            let arguments = args(&["--state", "state.json"]).unwrap();
            let field = arguments.field(&format!("renju-15={}", path.display()));
            field.map(|field| field.openings).map_err(|error| format!("{error:#}"))
        };
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(b"h8i10\n").unwrap();
        assert_eq!(read("list.txt.gz", &packed.finish().unwrap()), Ok(vec!["h8i10".to_owned()]));
        // White is to move with as many stones as Black.
        let white = format!("{}6xo7{} o", "15/".repeat(7), "/15".repeat(7));
        let said = read("list.txt", white.as_bytes()).unwrap_err();
        assert!(said.contains("engines cannot be sent such a position"), "{said}");
    }

    #[test]
    fn parameters_are_those_of_the_search() {
        let parameters = |words: &[String], timed| parameters(words, timed, &RuleKind::ALL);
        assert_eq!(parameters(&[], true).unwrap().len(), ALL.len());
        let untimed = parameters(&[], false).unwrap();
        assert!(untimed.len() < ALL.len() && untimed.iter().all(|p| !p.name.starts_with("time_")));
        let words = [ALL[0].name.to_string(), format!("{}={}", ALL[1].name, ALL[1].high)];
        let found = parameters(&words, false).unwrap();
        assert_eq!((found[0].start, found[1].start), (ALL[0].value, ALL[1].high));
        for bad in [
            "nothing".to_string(),
            format!("{}={}", ALL[0].name, ALL[0].high + 1),
            format!("{}=x", ALL[0].name),
        ] {
            assert!(parameters(&[bad], false).is_err());
        }
        let twice = [ALL[0].name.to_string(), format!("{}={}", ALL[0].name, ALL[0].low)];
        let said = parameters(&twice, false).unwrap_err().to_string();
        assert!(said.contains("given twice"), "{said}");
    }

    /// A parameter without an effect under any rule played would make both engines of a game play alike.
    #[test]
    fn parameters_without_effect_are_refused() {
        let own = ALL.iter().map(|p| p.name).find(|name| name.starts_with("renju_")).unwrap();
        let of_others = own.strip_prefix("renju_").unwrap();
        let is_of_all = |name: &str| RuleKind::ALL.into_iter().all(|rule| acts_under(name, rule));
        let of_all = ALL.iter().map(|p| p.name).find(|&name| is_of_all(name)).unwrap();
        for (name, rules, acts) in [
            (own, &[RuleKind::Renju][..], true),
            (own, &[RuleKind::Freestyle, RuleKind::Renju], true),
            (own, &[RuleKind::Freestyle, RuleKind::Caro], false),
            (of_others, &[RuleKind::Freestyle], true),
            (of_others, &[RuleKind::Renju], false),
            (of_all, &[RuleKind::Renju], true),
        ] {
            let named = parameters(&[name.to_owned()], false, rules);
            let all = parameters(&[], false, rules).unwrap();
            assert_eq!(all.iter().any(|p| p.name == name), acts, "{name} {rules:?}");
            match named {
                Ok(named) => assert!(acts && named.len() == 1, "{name} {rules:?}"),
                Err(error) => {
                    let (said, expected) =
                        (error.to_string(), format!("--param {name} has no effect under "));
                    assert!(!acts && said.starts_with(&expected), "{said}");
                }
            }
        }
    }

    /// A program without the feature `tune` ends at once, with the error of its arguments on a stream that nobody reads.
    #[cfg(unix)]
    #[test]
    fn an_engine_that_ends_at_once_is_told_with_what_is_expected() {
        let mut state = state::tests::state();
        state.engine = Contestant::new("false".into(), Vec::new());
        state.fields[0].openings = vec!["h8".to_owned()];
        let probe = state.schedule.probe(&state.parameters, 0, 1);
        let said = play(&state, &probe, 1).unwrap_err().to_string();
        assert!(said.starts_with("renju, game 1: crash: the process "), "{said}");
        assert!(said.ends_with("; expected an engine built with the feature tune"), "{said}");
    }
}
