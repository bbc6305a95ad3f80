//! Files of a tournament: its plan, the journal of games, the dialogues of failed ones, exports.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::archive::Archive;
use super::failures::Failures;
use super::plan::Plan;
use super::record::GameRecord;
use crate::runs::directory::Names;
use crate::runs::journal::Journal;

const PLAN: &str = "plan.json";
const GAMES: &str = "games.jsonl";
const SGF: &str = "games.sgf";
const PSQ: &str = "psq";
const FAILED: &str = "failed";
const NAMES: Names = Names { settings: PLAN, journal: GAMES, lists: &[SGF, PSQ, FAILED], command: "match" };

/// The directory of a tournament. Without one, only the dialogues of failed games are kept, in a temporary place.
pub struct Store {
    directory: Option<PathBuf>,
    journal: Option<Journal<GameRecord>>,
    failures: Failures,
}

impl Store {
    /// Checks that a directory may become that of a new tournament. Writes nothing.
    ///
    /// # Errors
    /// If it is a file, or holds a tournament or files of others.
    pub fn check(directory: &Path) -> Result<()> {
        NAMES.check(directory)
    }

    /// Makes the directory of a new tournament.
    ///
    /// # Errors
    /// If [`Store::check`] fails or the directory cannot be written.
    pub fn create(directory: Option<&Path>, plan: &Plan) -> Result<Store> {
        let Some(directory) = directory else {
            return Ok(Store { directory: None, journal: None, failures: Failures::new(None) });
        };
        Ok(Store::at(directory, NAMES.create(directory, plan)?))
    }

    /// Returns a tournament that was stopped, with its games.
    ///
    /// # Errors
    /// If the files cannot be read, or a game is not of this tournament or has no result.
    pub fn resume(directory: &Path) -> Result<(Plan, Store, Vec<GameRecord>)> {
        let plan: Plan = NAMES.settings_by(directory, Plan::read)?;
        let (journal, games) = NAMES.open::<GameRecord>(directory)?;
        let name = directory.join(GAMES);
        if let Some(other) = games.iter().find(|game| plan.pairing_of(game).is_none()) {
            bail!("{}: game {} does not belong to this tournament", name.display(), other.game);
        }
        if let Some(GameRecord { game, result, .. }) = games.iter().find(|game| !game.has_result()) {
            let expected = "expected 1-0, 0-1 or 1/2-1/2";
            bail!("{}: game {game} has the result '{result}': {expected}", name.display());
        }
        Ok((plan, Store::at(directory, journal), games))
    }

    fn at(directory: &Path, journal: Journal<GameRecord>) -> Store {
        Store {
            directory: Some(directory.to_owned()),
            journal: Some(journal),
            failures: Failures::new(Some(directory.join(FAILED))),
        }
    }

    /// Returns the directory of the games.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &GameRecord) -> Result<()> {
        self.journal.as_mut().map_or(Ok(()), |journal| journal.append(game))
    }

    /// Keeps the dialogue of a game that failed, as [`Failures::keep`] does.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_dialogue(&mut self, game: u64, text: &str) -> Result<Option<PathBuf>> {
        self.failures.keep(game, text)
    }

    /// Writes all games as SGF, and as PSQ if wanted, in the order of their numbers.
    ///
    /// # Errors
    /// If the files cannot be written or somebody has edited them, or PSQ could not hold some game.
    pub fn export(&mut self, plan: &Plan, psq: bool) -> Result<()> {
        let (Some(directory), Some(journal)) = (&self.directory, &mut self.journal) else { return Ok(()) };
        // Exports are on the device when they are written. Games that a loss of power then took from the
        // journal would be played again, and their files, of other games, refused as changed.
        journal.sync()?;
        let games = Archive::of(journal, &plan.contestants)?;
        games.write_sgf(directory, SGF)?;
        if psq { games.write_psq(&directory.join(PSQ)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::export;
    use super::super::fixture::{plan, record};
    use super::*;

    #[test]
    fn foreign_games_are_neither_taken_nor_touched() {
        let directory = tempfile::tempdir().unwrap();
        let (directory, games) = (directory.path(), directory.path().join(GAMES));
        // A text that is not a line of the journal, and has no line end.
        fs::write(&games, "something else").unwrap();
        let plan = plan(2, Some(4), 1);
        for _ in 0..2 {
            let error = Store::create(Some(directory), &plan).err().unwrap().to_string();
            assert!(error.ends_with("holds games already"), "{error}");
        }
        assert!(!directory.join(PLAN).exists());
        assert_eq!(fs::read_to_string(&games).unwrap(), "something else");
        fs::remove_file(&games).unwrap();
        drop(Store::create(Some(directory), &plan).unwrap());
        let own = record(&plan, 3, Some(0));
        for (game, known) in [
            (own.clone(), true),
            (GameRecord { black: own.white.clone(), white: own.black.clone(), ..own.clone() }, true),
            (GameRecord { white: own.black.clone(), ..own.clone() }, false),
            (GameRecord { black: "stranger".into(), ..own.clone() }, false),
            (GameRecord { rule: "renju".into(), ..own.clone() }, false),
            (GameRecord { size: 20, ..own.clone() }, false),
            (GameRecord { result: "1/2-1/2".into(), ..own.clone() }, true),
            (GameRecord { result: "*".into(), ..own.clone() }, false),
            (GameRecord { game: 0, ..own.clone() }, false),
            (GameRecord { game: 5, ..own }, false),
        ] {
            fs::write(&games, format!("{}\n", serde_json::to_string(&game).unwrap())).unwrap();
            assert_eq!(Store::resume(directory).is_ok(), known, "{game:?}");
        }
    }

    #[test]
    fn files_of_others_are_not_replaced() {
        let plan = plan(2, Some(4), 1);
        for name in [SGF, PSQ, FAILED] {
            let directory = tempfile::tempdir().unwrap();
            fs::write(directory.path().join(name), "something else").unwrap();
            let error = Store::create(Some(directory.path()), &plan).err().unwrap().to_string();
            assert!(error.ends_with(&format!("has a {name} already: expected a new directory")), "{error}");
            assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing was made beside {name}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Store::create(Some(file.path()), &plan).err().unwrap().to_string();
        assert!(error.ends_with("is a file: expected a new directory"), "{error}");
    }

    #[test]
    fn a_game_that_was_kept_twice_is_exported_once() {
        let (plan, folder) = (plan(2, Some(4), 1), tempfile::tempdir().unwrap());
        let mut store = Store::create(Some(folder.path()), &plan).unwrap();
        for (game, winner) in [(2, Some(0)), (1, None), (2, Some(1))] {
            store.append(&record(&plan, game, winner)).unwrap();
        }
        store.export(&plan, false).unwrap();
        let expected: Vec<String> = [record(&plan, 1, None), record(&plan, 2, Some(0))]
            .iter()
            .map(|game| export::sgf(game, &plan.contestants).unwrap())
            .collect();
        assert_eq!(fs::read_to_string(folder.path().join(SGF)).unwrap(), expected.concat());
    }

    /// Piskvork's format has no passes: the other games are written. A file that somebody has edited stays.
    #[test]
    fn games_that_psq_cannot_hold_are_told_of_and_edited_ones_stay() {
        let (plan, folder) = (plan(2, Some(4), 1), tempfile::tempdir().unwrap());
        let mut store = Store::create(Some(folder.path()), &plan).unwrap();
        let passed = GameRecord { start: "h8--h9".into(), ..record(&plan, 1, None) };
        for game in [passed, record(&plan, 2, Some(0)), record(&plan, 3, None)] {
            store.append(&game).unwrap();
        }
        let said = store.export(&plan, true).unwrap_err().to_string();
        assert!(said.starts_with("1 game left out of the PSQ files"), "{said}");
        let written = [1, 2, 3].map(|game| folder.path().join(PSQ).join(format!("{game:05}.psq")));
        assert_eq!(written.each_ref().map(|path| path.exists()), [false, true, true]);
        fs::write(&written[2], "mine").unwrap();
        let said = format!("{:#}", store.export(&plan, true).unwrap_err());
        assert!(said.contains("00003.psq") && said.contains("changed"), "{said}");
        assert_eq!(fs::read_to_string(&written[2]).unwrap(), "mine");
    }

    #[test]
    fn games_are_on_the_device_before_their_exports() {
        use kagetsu::disk::faults::{self, Fault};

        let (plan, folder) = (plan(2, Some(4), 1), tempfile::tempdir().unwrap());
        let mut store = Store::create(Some(folder.path()), &plan).unwrap();
        store.append(&record(&plan, 1, None)).unwrap();
        faults::arm(1, Fault::Once);
        let error = store.export(&plan, true).unwrap_err().to_string();
        faults::disarm();
        assert!(error.starts_with("cannot write ") && error.ends_with(GAMES), "{error}");
        assert!(!folder.path().join(SGF).exists() && !folder.path().join(PSQ).exists());
        store.export(&plan, true).unwrap();
        assert!(folder.path().join(SGF).exists() && folder.path().join(PSQ).join("00001.psq").exists());
    }

    /// A file that is written anew takes the place of the old one, and is another one to the system.
    #[cfg(unix)]
    #[test]
    fn psq_files_that_are_there_are_not_written_again() {
        use std::os::unix::fs::MetadataExt;

        let (plan, folder) = (plan(2, Some(4), 1), tempfile::tempdir().unwrap());
        let mut store = Store::create(Some(folder.path()), &plan).unwrap();
        let path = |game| folder.path().join(PSQ).join(format!("{game:05}.psq"));
        let file = |game| fs::metadata(path(game)).unwrap().ino();
        for game in [1, 2] {
            store.append(&record(&plan, game, None)).unwrap();
        }
        store.export(&plan, true).unwrap();
        let first = file(1);
        fs::remove_file(path(2)).unwrap();
        store.append(&record(&plan, 3, None)).unwrap();
        store.export(&plan, true).unwrap();
        assert_eq!(file(1), first);
        assert!(path(2).exists() && path(3).exists());
    }

    /// A directory of a version without stamps: the games of an interrupted run, exported, and then edited.
    #[test]
    fn edited_games_are_not_replaced() {
        let (plan, folder) = (plan(2, Some(4), 1), tempfile::tempdir().unwrap());
        let mut store = Store::create(Some(folder.path()), &plan).unwrap();
        let sgf = folder.path().join(SGF);
        let mut play = |game| {
            store.append(&record(&plan, game, Some(0))).unwrap();
            store.export(&plan, false)
        };
        play(2).unwrap();
        fs::remove_file(folder.path().join("stamps.json")).unwrap();
        play(1).unwrap();
        let both = fs::read_to_string(&sgf).unwrap();
        assert_eq!(both.matches("GN[").count(), 2);
        for remove in [false, true] {
            fs::write(&sgf, both.replacen("GN[", "C[mine]GN[", 1)).unwrap();
            if remove {
                fs::remove_file(folder.path().join("stamps.json")).unwrap();
            }
            let error = play(3).unwrap_err().to_string();
            assert!(error.contains("games.sgf: it was edited since the run wrote it"), "{error}");
            assert!(fs::read_to_string(&sgf).unwrap().contains("C[mine]"));
        }
    }

    #[test]
    fn a_torn_line_is_forgotten_and_games_come_back() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(GAMES);
        let line = r#"{"game":3,"black":"a","white":"b","rule":"renju","size":15,"opening":1,"regulation":null,"start":"h8","moves":[{"move":"h9","ms":1,"score":null,"depth":null}],"result":"1-0","end":{"fault":"crash"},"detail":"","warnings":[]}"#;
        fs::write(&path, format!("{line}\n{}", &line[..40])).unwrap();
        let (mut journal, games) = Journal::<GameRecord>::open(&path).unwrap();
        assert_eq!((games.len(), games[0].game), (1, 3));
        journal.append(&games[0]).unwrap();
        let places = journal.places(|game| game.game).unwrap();
        assert_eq!(places.iter().map(|&(game, _)| game).collect::<Vec<_>>(), [3, 3]);
        assert!(places.iter().all(|&(_, place)| journal.entry(place).unwrap() == games[0]));
        journal.append(&games[0]).unwrap();
        assert!(Journal::<GameRecord>::open(&path).is_err(), "another writes it");
        drop(journal);
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{line}\n{line}\n{line}\n"));
        let old = line.replace(r#""regulation":null,"#, "");
        fs::write(&path, format!("{old}\n")).unwrap();
        assert_eq!(
            Journal::<GameRecord>::open(&path).unwrap().1,
            games,
            "journals from before there were regulations"
        );
        fs::write(&path, "nonsense\n").unwrap();
        assert!(Journal::<GameRecord>::open(&path).is_err());
    }
}
