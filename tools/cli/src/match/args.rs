//! The arguments of `kagetsu match`, and the plan they make.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::builder::PossibleValuesParser;

use kagetsu::game::Size;
use kagetsu::game::regulation::Regulation;
use kagetsu::random::{Random, SeedableRng, SliceRandom};
use kagetsu_console::args::{BoardArgs, engine_memory};
use kagetsu_console::ends::{EndArgs, SETS};
use kagetsu_tools::arena::command;
use kagetsu_tools::arena::contestant::{Contestant, distinguish};
use kagetsu_tools::arena::fallback::Fallback;
use kagetsu_tools::arena::game::{Adjudication, ScoreRule};
use kagetsu_tools::arena::openings::{self, Notation, Reader};
use kagetsu_tools::arena::plan::{Format, Plan};
use kagetsu_tools::arena::stats::Sprt;
use kagetsu_tools::arena::time::TimeControl;
use kagetsu_tools::limits;
use kagetsu_tools::timing::{Byoyomi, Control};

const HELP: &str = "\
An engine is a command with its arguments, quoted as for a shell. On Windows a backslash is
a part of a path, and single or double quotes keep blanks together:
--engine \"'C:\\Program Files\\pbrain-a.exe'\". Words KEY=VALUE before the command set
conditions for this engine alone: name, dir (working directory), time, game-time,
increment, control, byoyomi, nodes, depth, tolerance, memory, threads, and info.KEY for
any INFO key of the protocol.

An engine passes, where that is allowed, by the move -1,-1; the other is then sent the
whole board. The protocol has no offers of a draw, so that --ends rif adds none here:
--draw-score ends a game that both engines consider even.

Clocks: --game-time is for the whole game. --control 40/1h adds an hour after each 40
moves of a side, and without --game-time there is one at the start. With --byoyomi 3x30s a
side that has used up all other time has three periods of 30 s: a move within 30 s costs
nothing, each whole 30 s used costs a period, and with the last one the game is lost.
time_left tells engines the time before they lose a period or the game. In byo-yomi
timeout_turn is at most a period. time_increment is the increment plus a period.

Examples:
  kagetsu match --engine './pbrain-kagetsu' --engine 'name=old nodes=5000 ./old/pbrain-kagetsu' \\
      --rule freestyle --time 500ms --openings book/openings/freestyle-15.txt --games 20
  kagetsu match --engine ./new --engine ./old --nodes 5000 --rule freestyle \\
      --openings book/openings/freestyle-15.txt --transform --sprt elo0=0 elo1=10 --out sprt1
  kagetsu match --engine ./new --engine ./old --rule freestyle --opening-rule swap2 --games 20
  kagetsu match --resume sprt1";

/// The flags of a new tournament. A continued one takes all of them from its directory.
const OF_A_NEW_RUN: [&str; 37] = [
    "engines",
    "rule",
    "size",
    "games",
    "rounds",
    "gauntlet",
    "time",
    "game_time",
    "increment",
    "control",
    "byoyomi",
    "nodes",
    "depth",
    "tolerance",
    "patience",
    "startup",
    "memory",
    "check_memory",
    "threads",
    "file",
    "format",
    "regulation",
    "fallback",
    "plies",
    "seed",
    "transform",
    "ends",
    "passes",
    "stones",
    "draw_after",
    "resign",
    "draw_score",
    "sprt",
    "suspend",
    "send_board",
    "restart",
    "out",
];

/// Printed below the flags.
fn help() -> String {
    format!("{HELP}\n\n{SETS}")
}

/// Let engines play against each other
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Args {
    /// Add an engine: a command; repeat for each
    #[arg(long = "engine", value_name = "COMMAND", required_unless_present = "resume")]
    engines: Vec<String>,
    #[command(flatten)]
    board: BoardArgs,
    /// Play N games of each encounter in a round, an even number with --sprt or several rounds [default: 2, or with --sprt until it has
    /// decided]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..1 << 32))]
    games: Option<u64>,
    /// Play N rounds, each with all encounters; with --sprt they need --games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..1 << 16))]
    rounds: u64,
    /// Play the first engine against all others, instead of all against all
    #[arg(long)]
    gauntlet: bool,
    /// Games side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    openings: Openings,
    #[command(flatten)]
    ends: EndArgs,
    /// Make an engine lose if it reports -SCORE or less for MOVES of its moves in a row
    #[arg(long, value_name = "SCORE:MOVES")]
    resign: Option<ScoreRule>,
    /// Draw the game when both report scores within SCORE of zero for MOVES moves each in a row
    #[arg(long, value_name = "SCORE:MOVES")]
    draw_score: Option<ScoreRule>,
    /// Test strength and stop when decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=5)]
    sprt: Vec<String>,
    /// Freeze the engine that is not to move, as the Gomocup judge does
    #[arg(long)]
    suspend: bool,
    /// Send the whole position for each move
    #[arg(long)]
    send_board: bool,
    /// Start a new process for each game
    #[arg(long)]
    restart: bool,
    /// Keep the games, and what is needed to continue, in this new directory
    #[arg(long, value_name = "DIR", group = "kept")]
    pub out: Option<PathBuf>,
    /// Continue the tournament of this directory; only --concurrency, --psq and --json may be given besides
    #[arg(long, value_name = "DIR", group = "kept", conflicts_with_all = OF_A_NEW_RUN)]
    pub resume: Option<PathBuf>,
    /// Write each game as a PSQ file too
    #[arg(long, requires = "kept")]
    pub psq: bool,
    /// Print one JSON object a line for each event
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
struct Limits {
    /// Limit the time for each move, e.g. 500ms [default: 1s without another limit]
    #[arg(long, value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Limit the time for all moves of a game, e.g. 3m
    #[arg(long, value_parser = humantime::parse_duration)]
    game_time: Option<Duration>,
    /// Time added to the game's after each move
    #[arg(long, value_parser = humantime::parse_duration)]
    increment: Option<Duration>,
    /// Control points: add TIME to a side's game time after each MOVES of its moves, e.g. 40/1h
    #[arg(long, value_name = "MOVES/TIME")]
    control: Option<Control>,
    /// Byo-yomi: set the time for each move once the game's time is used up, e.g. 30s or 3x30s
    #[arg(long, value_name = "[PERIODSx]TIME")]
    byoyomi: Option<Byoyomi>,
    /// Limit the nodes for each move (engines that know the key max_node)
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Limit the depth of each search (engines that know the key max_depth)
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Forgive moves that are late by at most this time
    #[arg(long, value_parser = humantime::parse_duration, default_value = "1s")]
    tolerance: Duration,
    /// Without a time limit, treat an engine as hung after this time of silence
    #[arg(long, value_parser = humantime::parse_duration, default_value = "2m")]
    patience: Duration,
    /// Fail an engine that does not answer START within this time
    #[arg(long, value_parser = humantime::parse_duration, default_value = "10s")]
    startup: Duration,
    /// Tell each engine this memory limit, e.g. 350M; 0 for no limit
    #[arg(long, value_name = "SIZE", default_value = "350M", value_parser = engine_memory)]
    memory: u64,
    /// Make an engine lose if it uses more memory, measured as by the Gomocup judge (Linux only)
    #[arg(long)]
    check_memory: bool,
    /// Set the threads of each engine (those that know the key thread_num)
    #[arg(long, value_name = "T")]
    threads: Option<u32>,
}

#[derive(clap::Args)]
struct Openings {
    /// Start from these positions: a list, one a line, or the main lines of the games of an SGF or PSQ file
    #[arg(long = "openings", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Set the notation of the openings; auto goes by extension and content, pos-top counts rows from the top
    #[arg(long = "openings-format", value_name = "FORMAT", default_value = "auto", requires = "file",
          ignore_case = true, value_parser = PossibleValuesParser::new(Notation::NAMES))]
    format: String,
    /// Let the engines play the opening by this regulation, e.g. swap2 or soosorv:8, asked by SWAP2BOARD and AlphaGomoku's
    /// commands
    #[arg(long = "opening-rule", value_name = "RULE", conflicts_with_all = ["file", "transform"])]
    regulation: Option<Regulation>,
    /// Choose who decides for engines that do not know such a command, and at steps without a command: 'runner' is this
    /// program's own engine; each line of FILE is an opening for a pair of games, e.g. 'D4; swap; g9; offer h10 i7; choose
    /// h10 a1' [default: nobody; such an engine loses the game]
    #[arg(long = "opening-fallback", value_name = "runner|FILE", requires = "regulation")]
    fallback: Option<PathBuf>,
    /// Take only the first N moves of each opening, as needed with finished games; setup stones stay
    #[arg(long = "opening-plies", value_name = "N", requires = "file")]
    plies: Option<usize>,
    /// Shuffle the openings by this seed [default: the order of the file]
    #[arg(long, value_name = "N", requires = "file")]
    seed: Option<u64>,
    /// Use the openings again, turned and mirrored, after all were used
    #[arg(long, requires = "file")]
    transform: bool,
}

impl Openings {
    /// Who decides about openings for engines that cannot.
    fn fallback(&self, size: Size) -> Result<Option<Fallback>> {
        let file = match &self.fallback {
            None => return Ok(None),
            Some(file) if file.as_os_str() == "runner" => return Ok(Some(Fallback::Runner)),
            Some(file) => file,
        };
        let name = file.display();
        let text = std::fs::File::open(file).and_then(|file| limits::read_text(file, limits::FILE));
        let text = text.with_context(|| format!("cannot read {name}"))?;
        Fallback::list(&text, size).map(Some).map_err(|error| anyhow!("{name}: {error}"))
    }
}

impl Limits {
    fn time_control(&self) -> TimeControl {
        TimeControl {
            turn: self.time,
            game: self.game_time,
            increment: self.increment.unwrap_or_default(),
            control: self.control,
            byoyomi: self.byoyomi,
            nodes: self.nodes,
            depth: self.depth,
            tolerance: self.tolerance,
            patience: self.patience,
            startup: self.startup,
        }
    }

    /// Refuses limits that limit nobody.
    fn check(&self, contestants: &[Contestant]) -> Result<()> {
        if self.increment.is_some() && contestants.iter().all(|c| c.time.timing().is_none()) {
            bail!(
                "--increment: expected --game-time, --control or --byoyomi with it, or game-time, control or byoyomi before an \
                 engine"
            );
        }
        if self.check_memory && contestants.iter().all(|c| c.memory.is_none()) {
            bail!("--check-memory: expected --memory above 0, or memory before an engine");
        }
        Ok(())
    }
}

impl Args {
    /// The plan of a new tournament.
    pub fn plan(&self) -> Result<Plan> {
        let size = self.board.size.unwrap_or(Size::S15);
        let conditions = Contestant {
            time: self.limits.time_control(),
            memory: Some(self.limits.memory).filter(|&limit| limit > 0),
            check_memory: self.limits.check_memory,
            threads: self.limits.threads,
            ..Contestant::new(PathBuf::new(), Vec::new())
        };
        let mut contestants = Vec::new();
        for text in &self.engines {
            contestants.push(command::read(text, &conditions).with_context(|| format!("--engine '{text}'"))?);
        }
        distinguish(&mut contestants);
        let sprt = match &self.sprt[..] {
            [] => None,
            words => Some(words.join(" ").parse::<Sprt>().map_err(|e| anyhow!("--sprt: {e}"))?),
        };
        if contestants.len() < 2 {
            bail!("--engine: expected two engines or more, not {}", contestants.len());
        }
        if sprt.is_some() && contestants.len() != 2 {
            bail!("--sprt: expected exactly two engines, not {}", contestants.len());
        }
        self.check_games()?;
        self.limits.check(&contestants)?;
        let plan = Plan {
            contestants,
            format: if self.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
            rule: self.board.rule().to_string(),
            size: size.side(),
            games: self.games.or(if sprt.is_some() { None } else { Some(2) }),
            rounds: self.rounds,
            openings: self.read_openings(size)?,
            opening_rule: self.openings.regulation.map(|regulation| regulation.to_string()),
            fallback: self.openings.fallback(size)?,
            transform: self.openings.transform,
            endings: self.ends.endings(self.board.rule()),
            adjudication: Adjudication { resign: self.resign, draw_score: self.draw_score },
            suspend: self.suspend,
            send_board: self.send_board,
            restart: self.restart,
            sprt,
        };
        plan.regulation().map_err(|error| anyhow!("--opening-rule {error}"))?;
        Ok(plan)
    }

    /// Checks that the number of games gives whole pairs, where --sprt or several rounds need them.
    fn check_games(&self) -> Result<()> {
        let (is_test, has_rounds) = (!self.sprt.is_empty(), self.rounds > 1);
        match self.games {
            None if is_test && has_rounds => {
                bail!("--rounds: expected --games with it, for --sprt alone plays on until it has decided")
            }
            Some(games) if (is_test || has_rounds) && !games.is_multiple_of(2) => {
                bail!("--games {games}: must be even with --sprt or --rounds, for pairs with colours changed")
            }
            _ => Ok(()),
        }
    }

    fn read_openings(&self, size: Size) -> Result<Vec<String>> {
        let Some(file) = &self.openings.file else { return Ok(Vec::new()) };
        let reader = Reader {
            notation: self.openings.format.parse().map_err(anyhow::Error::msg)?,
            plies: self.openings.plies,
            rule: self.board.rule(),
            size,
        };
        let mut list = reader.read_file(file)?;
        openings::check_for_engines(&list, reader.rule, size).with_context(|| file.display().to_string())?;
        if let Some(seed) = self.openings.seed {
            list.shuffle(&mut Random::seed_from_u64(seed));
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Command, FromArgMatches};
    use kagetsu_tools::timing::Timing;

    use super::*;

    fn plan(args: &[&str]) -> Result<Plan> {
        let command = <Args as clap::Args>::augment_args(Command::new("match").no_binary_name(true));
        Args::from_arg_matches(&command.try_get_matches_from(args)?)?.plan()
    }

    #[test]
    fn engines_have_conditions_of_their_own() {
        let plan = plan(&[
            "--engine",
            "name=A nodes=7 info.foo='b c' ./x/pbrain-a --opt=1 'two words'",
            "--engine",
            "pbrain-b.exe",
            "--memory",
            "0",
        ])
        .unwrap();
        let [a, b] = &plan.contestants[..] else { panic!("{plan:?}") };
        assert_eq!((a.name.as_str(), a.time.nodes), ("A", Some(7)));
        assert_eq!(a.args, ["--opt=1", "two words"]);
        assert_eq!(a.info, [("foo".to_string(), "b c".to_string())]);
        assert_eq!(
            (b.name.as_str(), b.time.nodes, b.time.turn, b.memory),
            ("b", None, Some(Duration::from_secs(1)), None)
        );
        assert_eq!((a.time.turn, a.memory), (None, None));
        assert_eq!((plan.games, plan.size), (Some(2), 15));
    }

    #[test]
    fn backslashes_stand_in_single_quotes() {
        let plan = plan(&["--engine", r"'.\new\pbrain-a.exe' --opt", "--engine", "./b"]).unwrap();
        let program = plan.contestants[0].program.to_str().unwrap();
        assert!(program.ends_with(r"\new\pbrain-a.exe"), "{program}");
        assert_eq!(plan.contestants[0].args, ["--opt"]);
    }

    #[test]
    fn a_test_plays_until_it_has_decided() {
        let plan = plan(&["--engine", "a", "--engine", "b", "--sprt", "elo0=0", "elo1=5", "--rule", "caro"])
            .unwrap();
        assert_eq!((plan.games, plan.rule.as_str()), (None, "caro"));
        assert_eq!(plan.sprt.unwrap().elo1, 5.0);
        assert_eq!(plan.contestants[0].time.turn, Some(Duration::from_secs(1)));
    }

    #[test]
    fn tests_and_rounds_have_whole_pairs() {
        let engines = ["--engine", "a", "--engine", "b"];
        let with = |more: &[&str]| plan(&[&engines[..], more].concat());
        for (games, even) in [("1", false), ("2", true), ("3", false), ("4", true)] {
            assert!(with(&["--games", games]).is_ok(), "{games}");
            assert!(with(&["--games", games, "--rounds", "1"]).is_ok(), "{games}");
            for [option, value] in [["--rounds", "2"], ["--sprt", "elo1=5"]] {
                let made = with(&["--games", games, option, value]);
                assert_eq!(made.is_ok(), even, "{games} {option}");
                if let Err(error) = made {
                    assert!(error.to_string().contains("must be even"), "{error}");
                }
            }
        }
    }

    #[test]
    fn a_tournament_goes_on_from_anywhere() {
        let plan = plan(&["--engine", "./x/a --opt", "--engine", "dir=games b"]).unwrap();
        let [a, b] = &plan.contestants[..] else { panic!("{plan:?}") };
        let here = std::env::current_dir().unwrap();
        assert_eq!((&a.program, &a.directory), (&here.join("x/a"), &None));
        assert_eq!(b.program, PathBuf::from("b"), "it is on the search path");
        assert_eq!(b.directory, Some(here.join("games")));
    }

    #[test]
    fn flags_without_effect_are_refused() {
        let with = |more: &[&str]| plan(&[&["--engine", "a", "--engine", "b"], more].concat());
        for (bad, expected) in [
            (&["--rounds", "2", "--sprt", "elo1=5"][..], "expected --games"),
            (&["--rounds", "0"], "0 is not in 1.."),
            (&["--rounds", "65536"], "is not in 1.."),
            (&["--games", "4294967296"], "is not in 1.."),
            (&["--concurrency", "0"], "0 is not in 1..=1024"),
            (&["--concurrency", "1025"], "1025 is not in 1..=1024"),
            (&["--psq"], "--out <DIR>"),
            (&["--seed", "1"], "--openings <FILE>"),
            (&["--transform"], "--openings <FILE>"),
            (&["--openings-format", "pos"], "--openings <FILE>"),
            (&["--increment", "1s"], "expected --game-time"),
            (&["--check-memory", "--memory", "0"], "expected --memory above 0"),
        ] {
            let said = format!("{:#}", with(bad).unwrap_err());
            assert!(said.contains(expected), "{bad:?}: {said}");
        }
        let own = plan(&["--engine", "increment=1s a", "--engine", "b"]).unwrap_err();
        assert!(format!("{own:#}").ends_with("expected game-time, control or byoyomi with it"), "{own:#}");
        for good in [
            &["--rounds", "1", "--sprt", "elo1=5"][..],
            &["--rounds", "2", "--sprt", "elo1=5", "--games", "2"],
            &["--psq", "--out", "d"],
            &["--increment", "1s", "--game-time", "1m"],
            &["--increment", "1s", "--control", "40/1m"],
            &["--increment", "1s", "--byoyomi", "30s"],
            &["--check-memory"],
        ] {
            assert!(with(good).is_ok(), "{good:?}");
        }
        let one = ["--engine", "game-time=1m memory=1G a", "--engine", "b"];
        assert!(
            plan(&[&one[..], &["--increment", "1s", "--check-memory", "--memory", "0"]].concat()).is_ok()
        );
    }

    #[test]
    fn clocks_have_controls_and_byoyomi() {
        let plan = plan(&[
            "--engine",
            "control=20/5m increment=1s a",
            "--engine",
            "b",
            "--game-time",
            "10m",
            "--byoyomi",
            "3x30s",
        ])
        .unwrap();
        let [a, b] = [0, 1].map(|i: usize| plan.contestants[i].time.timing().unwrap());
        let seconds = Duration::from_secs;
        let expected = Timing { main: seconds(600), byoyomi: "3x30s".parse().ok(), ..Timing::default() };
        assert_eq!(b, expected);
        assert_eq!(a, Timing { increment: seconds(1), control: "20/5m".parse().ok(), ..expected });
        assert_eq!((plan.contestants[0].time.turn, plan.contestants[1].time.turn), (None, None));
        for wrong in ["--control=40", "--control=0/1h", "--byoyomi=0x30s", "--byoyomi=fast"] {
            assert!(super::tests::plan(&["--engine", "a", "--engine", "b", wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn engines_may_play_the_openings() {
        let engines = ["--engine", "a", "--engine", "b"];
        let with = |more: &[&str]| plan(&[&engines[..], more].concat());
        assert_eq!(with(&["--opening-rule", "swap2"]).unwrap().opening_rule.as_deref(), Some("swap2"));
        assert_eq!(with(&[]).unwrap().regulation(), Ok(None));
        assert!(with(&["--opening-rule", "rif"]).is_ok());
        assert!(with(&["--opening-rule", "sakata"]).is_err(), "engines cannot be asked");
        let rif = with(&["--opening-rule", "soosyrv", "--opening-fallback", "runner"]).unwrap();
        assert_eq!((rif.opening_rule.as_deref(), rif.fallback), (Some("soosorv:8"), Some(Fallback::Runner)));
        assert!(with(&["--opening-fallback", "runner"]).is_err());
        assert!(with(&["--opening-rule", "rif", "--opening-fallback", "/no/such/list"]).is_err());
        assert!(with(&["--opening-rule", "swap3"]).is_err());
        assert!(with(&["--opening-rule", "swap2", "--transform"]).is_err());
        assert!(with(&["--opening-rule", "swap2", "--openings", "list.txt"]).is_err());
    }

    #[test]
    fn a_continued_tournament_refuses_all_flags_of_a_new_one() {
        let command = <Args as clap::Args>::augment_args(clap::Command::new("match"));
        let of_any = ["resume", "concurrency", "psq", "json"];
        let flags = command.get_arguments().map(|flag| flag.get_id().as_str());
        let flags: BTreeSet<&str> = flags.filter(|flag| !of_any.contains(flag)).collect();
        assert_eq!(flags, BTreeSet::from(OF_A_NEW_RUN));
    }

    #[test]
    fn bad_arguments_are_told() {
        for bad in [
            &["--engine", "a"][..],
            &["--engine", "a", "--engine", "name=b"],
            &["--engine", "a", "--engine", "speed=1 b"],
            &["--engine", "a", "--engine", "b", "--engine", "c", "--sprt", "elo1=5"],
            &["--engine", "a", "--engine", "b", "--openings", "/nonexistent"],
        ] {
            assert!(plan(bad).is_err(), "{bad:?}");
        }
    }
}
