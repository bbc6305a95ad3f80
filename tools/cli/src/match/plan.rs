//! Makes the plan of a tournament from the flags of `kagetsu match`.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};

use kagetsu::game::Size;
use kagetsu::random::{Random, SeedableRng, SliceRandom};
use kagetsu_console::usage::WrongUsage;
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::arena::fallback::Fallback;
use kagetsu_tools::arena::forms::Forms;
use kagetsu_tools::arena::game::Adjudication;
use kagetsu_tools::arena::openings::{self, OpeningFile, Reader};
use kagetsu_tools::arena::plan::{Format, Plan};
use kagetsu_tools::arena::stats::Sprt;
use kagetsu_tools::arena::time::TimeControl;
use kagetsu_tools::limits;

use super::args::{Args, Limits, Openings};
use crate::engines::engines;

impl Args {
    /// The plan of a new tournament.
    pub fn plan(&self) -> Result<Plan> {
        let conditions = Contestant {
            time: self.limits.time_control(),
            memory: Some(self.limits.memory).filter(|&limit| limit > 0),
            check_memory: self.limits.check_memory,
            threads: self.limits.threads,
            ..Contestant::new(PathBuf::new(), Vec::new())
        };
        let contestants = engines(&self.engines, &conditions)?;
        let sprt = self.test(contestants.len())?;
        self.check_games()?;
        self.limits.check(&contestants)?;
        let notation = self.openings.format.parse()?;
        let file = self.openings.file.as_deref().map(OpeningFile::open).transpose()?;
        let (rule, size) = crate::openings::board(&self.board, file.as_ref(), notation)?;
        let reader = Reader { notation, plies: self.openings.plies, rule, size };
        let openings = self.read_openings(file.as_ref(), reader)?;
        let forms = Forms::of(&openings, size, self.openings.transform)?;
        let plan = Plan {
            contestants,
            format: if self.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
            rule: rule.to_string(),
            size: size.side(),
            games: self.games.or(if sprt.is_some() { None } else { Some(2) }),
            rounds: self.rounds,
            openings,
            opening_rule: self.openings.regulation.map(|regulation| regulation.to_string()),
            fallback: self.openings.fallback(size)?,
            transform: self.openings.transform,
            forms,
            endings: self.ends.endings(rule),
            adjudication: Adjudication { resign: self.resign, draw_score: self.draw_score },
            suspend: self.suspend,
            send_board: self.send_board,
            restart: self.restart,
            sprt,
            concurrency: self.concurrency.unwrap_or(1),
        };
        plan.regulation().map_err(|error| WrongUsage::new(format_args!("--opening-rule {error}")))?;
        Ok(plan)
    }

    /// Returns the test of strength, if there is one, and checks the number of engines.
    fn test(&self, engines: usize) -> Result<Option<Sprt>, WrongUsage> {
        if engines < 2 {
            return Err(WrongUsage::new(format_args!(
                "--engine: expected two engines or more, not {engines}"
            )));
        }
        if self.sprt.is_empty() {
            return Ok(None);
        }
        let sprt = self.sprt.join(" ").parse::<Sprt>();
        let sprt = sprt.map_err(|error| WrongUsage::new(format_args!("--sprt: {error}")))?;
        if engines != 2 {
            return Err(WrongUsage::new(format_args!("--sprt: expected exactly two engines, not {engines}")));
        }
        Ok(Some(sprt))
    }

    /// Checks that the number of games gives whole pairs, where --sprt or several rounds need them.
    fn check_games(&self) -> Result<()> {
        let (is_test, has_rounds) = (!self.sprt.is_empty(), self.rounds > 1);
        match self.games {
            None if is_test && has_rounds => {
                bail!(WrongUsage::new(
                    "--rounds: expected --games with it, for --sprt alone plays on until it has decided"
                ))
            }
            Some(games) if (is_test || has_rounds) && !games.is_multiple_of(2) => {
                bail!(WrongUsage::new(format_args!(
                    "--games {games}: must be even with --sprt or --rounds, for pairs with colours changed"
                )))
            }
            _ => Ok(()),
        }
    }

    fn read_openings(&self, file: Option<&OpeningFile>, reader: Reader) -> Result<Vec<String>> {
        let Some(file) = file else { return Ok(Vec::new()) };
        let mut list = reader.read_file(file)?;
        openings::check_for_engines(&list, reader.rule, reader.size)
            .with_context(|| file.name().to_owned())?;
        if let Some(seed) = self.openings.seed {
            list.shuffle(&mut Random::seed_from_u64(seed));
        }
        Ok(list)
    }
}

impl Openings {
    /// Returns the source of decisions about openings for engines that cannot be asked.
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
            bail!(WrongUsage::new(
                "--increment: expected --game-time, --control or --byoyomi with it, or game-time, control or byoyomi before an \
                 engine"
            ));
        }
        if self.check_memory && contestants.iter().all(|c| c.memory.is_none()) {
            bail!(WrongUsage::new("--check-memory: expected --memory above 0, or memory before an engine"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kagetsu_tools::timing::Timing;

    use super::*;

    fn plan(args: &[&str]) -> Result<Plan> {
        crate::parsed::<Args>(args)?.plan()
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
        assert_eq!((plan.games, plan.size, plan.concurrency), (Some(2), 15, 1));
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
        let plan = plan(&[
            "--engine",
            "a",
            "--engine",
            "b",
            "--sprt",
            "elo0=0",
            "elo1=5",
            "--rule",
            "caro",
            "--concurrency",
            "3",
        ])
        .unwrap();
        assert_eq!((plan.games, plan.rule.as_str(), plan.concurrency), (None, "caro", 3));
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
        assert_eq!((&a.program, &a.directory), (&here.join("x/a"), &Some(here.clone())));
        assert_eq!(b.program, PathBuf::from("b"), "it is on the search path");
        assert_eq!(b.directory, Some(here.join("games")));
    }

    #[test]
    fn flags_without_effect_are_refused() {
        let with = |more: &[&str]| plan(&[&["--engine", "a", "--engine", "b"], more].concat());
        for (bad, expected) in [
            (&["--rounds", "2", "--sprt", "elo1=5"][..], "expected --games"),
            (&["--rounds", "0"], "0 is not in 1.."),
            (&["--nodes", "0"], "0 is not in 1.."),
            (&["--depth", "0"], "0 is not in 1.."),
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
    fn games_to_start_from_say_rule_and_board() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sgf");
        let file = path.to_str().unwrap();
        let with = |more: &[&str]| {
            plan(&[&["--engine", "a", "--engine", "b", "--openings", file], more].concat())
                .map(|plan| (plan.rule, plan.size))
                .map_err(|error| format!("{error:#}"))
        };
        let game = |rule: &str, size| format!("(;GM[4]SZ[{size}]RU[{rule}];B[hh])");
        std::fs::write(&path, game("freestyle", 20)).unwrap();
        assert_eq!(with(&[]), Ok(("freestyle".into(), 20)));
        assert_eq!(with(&["--rule", "standard"]), Ok(("standard".into(), 20)));
        assert!(with(&["--size", "15"]).unwrap_err().contains("the board is 20x20, expected 15x15"));
        std::fs::write(&path, game("freestyle", 15) + &game("renju", 15)).unwrap();
        assert!(with(&[]).unwrap_err().contains("games of freestyle and of renju: expected --rule"));
        assert_eq!(with(&["--rule", "renju"]), Ok(("renju".into(), 15)));
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
        for of_a_list in [
            &["--openings", "list.txt"][..],
            &["--openings-format", "pos"],
            &["--opening-plies", "3"],
            &["--seed", "1"],
        ] {
            for regulated in [&["--opening-rule", "swap2"][..], &["--opening-fallback", "runner"]] {
                let error = with(&[regulated, of_a_list].concat()).unwrap_err().to_string();
                assert!(error.contains("cannot be used with"), "{regulated:?} {of_a_list:?}: {error}");
            }
        }
    }

    #[test]
    fn bad_arguments_are_told() {
        let third = ["--engine", "a", "--engine", "b", "--engine", "c", "--sprt", "elo1=5"];
        for (bad, said) in [
            (&["--engine", "a"][..], "--engine: expected two engines or more, not 1"),
            (
                &["--engine", "a", "--engine", "name=b"],
                "--engine 'name=b': expected a command after the settings",
            ),
            (&["--engine", "a", "--engine", "speed=1 b"], "--engine 'speed=1 b': speed=1: unknown key: "),
            (
                &["--engine", "a", "--engine", "nodes=0 b"],
                "--engine 'nodes=0 b': nodes=0: expected a whole number above 0",
            ),
            (&["--engine", "depth=x a"], "--engine 'depth=x a': depth=x: expected a whole number above 0"),
            (&third, "--sprt: expected exactly two engines, not 3"),
            (&["--engine", "a", "--engine", "b", "--openings", "/nonexistent"], "cannot read /nonexistent: "),
        ] {
            let error = format!("{:#}", plan(bad).err().unwrap());
            assert!(error.starts_with(said), "{bad:?}: {error}");
        }
    }
}
