//! Resumable runs with numbered results: threads work on the missing numbers until the run has kept enough.
//!
//! The things kept of the results are listed in the order of the numbers, each thing once. A number counts only when all
//! before it are done, so that the lists do not depend on threads or interruptions.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, anyhow};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::directory::Names;
use super::journal::{Entry, Journal};
use super::stamps::{List, is_beginning, write_list};
use crate::jobs;

/// A result with a number.
pub trait Numbered: Entry + Send {
    /// Returns the number, from 0.
    fn number(&self) -> u64;
}

/// The settings of a run, which say what is done for each number. All that a result depends on is among them.
pub trait Work: Serialize + DeserializeOwned + Sync {
    /// The result of a number.
    type Result: Numbered;
    /// A thing that goes to a list.
    type Kept;
    /// State of a thread, used again for each number.
    type Worker<'a>
    where
        Self: 'a;

    /// Names of the run's files.
    const NAMES: Names;

    /// Checks the settings, and that this program can continue a run with them.
    ///
    /// # Errors
    /// If it cannot.
    fn check_settings(&self) -> Result<()>;

    /// Returns the number of results that there can be.
    fn count(&self) -> u64;

    /// Makes a worker, which ends soon when `stop` is set.
    ///
    /// # Errors
    /// If the settings are impossible.
    fn worker<'a>(&'a self, stop: &'a AtomicBool) -> Result<Self::Worker<'a>>;

    /// Returns the result of a number; `None` if the worker was stopped.
    ///
    /// # Errors
    /// If the work fails.
    fn result(&self, worker: &mut Self::Worker<'_>, number: u64) -> Result<Option<Self::Result>>;

    /// Returns the things to keep of a result, each with a key. Things of one key are alike: only the first of them counts.
    ///
    /// # Errors
    /// If the result cannot be read.
    fn kept(&self, result: &Self::Result) -> Result<Vec<(u64, Self::Kept)>>;

    /// Fails if so little is kept of the first `done` results that there is no hope of more.
    ///
    /// # Errors
    /// Says what may help.
    fn check_hope(&self, _done: u64, _kept: usize) -> Result<()> {
        Ok(())
    }

    /// Returns the lists, for this number of things wanted, of which these are there. With more things they go on in the
    /// same way.
    fn lists(&self, wanted: usize, kept: &[Self::Kept]) -> Vec<List>;
}

/// The directory of a run.
pub struct Run<W: Work> {
    directory: PathBuf,
    settings: W,
    journal: Journal<W::Result>,
    results: BTreeMap<u64, W::Result>,
    beginning: Beginning<W::Kept>,
}

impl<W: Work> Run<W> {
    /// Creates the directory of a new run.
    ///
    /// # Errors
    /// If it holds a run or files of others, cannot be written, or the settings are impossible.
    pub fn create(directory: &Path, settings: W) -> Result<Run<W>> {
        settings.check_settings()?;
        let journal = W::NAMES.create(directory, &settings)?;
        Run::with(directory, settings, journal, Vec::new())
    }

    /// Opens an interrupted run.
    ///
    /// # Errors
    /// If the files cannot be read or do not belong together, another process writes them, or [`Work::check_settings`] fails.
    pub fn resume(directory: &Path) -> Result<Run<W>> {
        let settings: W = W::NAMES.settings(directory)?;
        settings.check_settings()?;
        let (journal, results) = W::NAMES.open(directory)?;
        Run::with(directory, settings, journal, results)
    }

    fn with(
        directory: &Path,
        settings: W,
        journal: Journal<W::Result>,
        results: Vec<W::Result>,
    ) -> Result<Run<W>> {
        let results = results.into_iter().map(|result| (result.number(), result)).collect();
        let mut beginning = Beginning { done: 0, seen: HashSet::new(), kept: Vec::new() };
        beginning.advance(&settings, &results)?;
        Ok(Run { directory: directory.to_owned(), settings, journal, results, beginning })
    }

    /// Returns the directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the settings.
    pub fn settings(&self) -> &W {
        &self.settings
    }

    /// Returns the results in the order of their numbers. Some numbers may be missing.
    pub fn results(&self) -> impl Iterator<Item = &W::Result> {
        self.results.values()
    }

    /// Returns the first `wanted` things kept.
    pub fn kept(&self, wanted: usize) -> &[W::Kept] {
        let kept = &self.beginning.kept;
        &kept[..wanted.min(kept.len())]
    }

    /// Works on the missing numbers in their order, on this number of threads, until `wanted` things are kept, there are no
    /// more numbers, or `stop` is set. Tells `on_result` of each result, and how many things are kept.
    ///
    /// # Errors
    /// If the work fails, the files cannot be written, or there is no hope that anything will be kept.
    pub fn fill(
        &mut self,
        wanted: usize,
        threads: usize,
        stop: &AtomicBool,
        on_result: &mut dyn FnMut(&W::Result, usize),
    ) -> Result<()> {
        let Run { settings, journal, results, beginning, .. } = self;
        if beginning.kept.len() >= wanted {
            return Ok(());
        }
        let settings: &W = settings;
        let known: HashSet<u64> = results.keys().copied().collect();
        let missing = (0..settings.count()).filter(|number| !known.contains(number));
        let enough = AtomicBool::new(false);
        let new = || settings.worker(stop);
        let work = |worker: &mut Result<W::Worker<'_>>, number| match worker {
            _ if enough.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) => None,
            Ok(worker) => settings.result(worker, number).transpose(),
            Err(error) => Some(Err(anyhow!("{error:#}"))),
        };
        jobs::side_by_side(threads, missing, new, work, |found| -> Result<()> {
            // Results that are in progress when enough is kept are finished and stored too, for longer lists.
            let mut outcome = Ok(());
            for result in found {
                let taken = result.and_then(|result| {
                    journal.append(&result)?;
                    let number = result.number();
                    results.insert(number, result);
                    beginning.advance(settings, results)?;
                    on_result(&results[&number], beginning.kept.len());
                    settings.check_hope(beginning.done, beginning.kept.len())
                });
                if taken.is_err() || beginning.kept.len() >= wanted {
                    enough.store(true, Ordering::Relaxed);
                }
                outcome = outcome.and(taken);
            }
            outcome
        })?
    }

    /// Writes the lists of the first `wanted` things, and returns their paths and how many entries each has.
    ///
    /// # Errors
    /// If they cannot be written, or somebody has edited them.
    pub fn write_lists(&self, wanted: usize) -> Result<Vec<(PathBuf, usize)>> {
        let lists = |wanted| self.settings.lists(wanted, self.kept(wanted));
        let write = |(list, longest): (List, List)| {
            let is_own = |text: &str| is_beginning(text, &longest.text());
            Ok((write_list(&self.directory, list.name, &list.text(), is_own)?, list.entries.len()))
        };
        lists(wanted).into_iter().zip(lists(usize::MAX)).map(write).collect()
    }
}

/// The first numbers, as far as all of them are done.
struct Beginning<K> {
    /// Number of them.
    done: u64,
    seen: HashSet<u64>,
    kept: Vec<K>,
}

impl<K> Beginning<K> {
    fn advance<W: Work<Kept = K>>(&mut self, settings: &W, results: &BTreeMap<u64, W::Result>) -> Result<()> {
        while let Some(result) = results.get(&self.done) {
            for (key, thing) in settings.kept(result)? {
                if self.seen.insert(key) {
                    self.kept.push(thing);
                }
            }
            self.done += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use anyhow::bail;
    use serde::Deserialize;

    use super::*;

    /// The squares of the numbers below `count`, of which the odd ones are kept. Squares of one last digit are alike.
    #[derive(Debug, Serialize, Deserialize)]
    struct Squares {
        count: u64,
        /// The work on this number fails.
        fails: Option<u64>,
    }

    #[derive(Serialize, Deserialize)]
    struct Square {
        number: u64,
        square: u64,
    }

    impl Entry for Square {
        const NAME: &str = "square";
    }

    impl Numbered for Square {
        fn number(&self) -> u64 {
            self.number
        }
    }

    impl Work for Squares {
        type Result = Square;
        type Kept = u64;
        type Worker<'a> = ();

        const NAMES: Names =
            Names { settings: "run.json", journal: "squares.jsonl", lists: &["odd.txt"], command: "squares" };

        fn check_settings(&self) -> Result<()> {
            if self.count > 1000 { bail!("{} squares are too many", self.count) } else { Ok(()) }
        }

        fn count(&self) -> u64 {
            self.count
        }

        fn worker<'a>(&'a self, _: &'a AtomicBool) -> Result<()> {
            Ok(())
        }

        fn result(&self, (): &mut (), number: u64) -> Result<Option<Square>> {
            if self.fails == Some(number) {
                bail!("no square of {number}")
            }
            Ok(Some(Square { number, square: number * number }))
        }

        fn kept(&self, result: &Square) -> Result<Vec<(u64, u64)>> {
            let odd = Some(result.square).filter(|square| square % 2 == 1);
            Ok(odd.into_iter().map(|square| (square % 10, square)).collect())
        }

        fn check_hope(&self, done: u64, kept: usize) -> Result<()> {
            if done >= 100 && kept < 4 { bail!("there is no fourth one") } else { Ok(()) }
        }

        fn lists(&self, wanted: usize, kept: &[u64]) -> Vec<List> {
            let head = [format!("{wanted} odd squares"), "of different ends".into()];
            vec![List { name: "odd.txt", head, entries: kept.iter().map(u64::to_string).collect() }]
        }
    }

    fn fill(run: &mut Run<Squares>, wanted: usize, threads: usize) -> Result<()> {
        run.fill(wanted, threads, &AtomicBool::new(false), &mut |_, _| {})
    }

    fn create(directory: &Path, count: u64, fails: Option<u64>) -> Run<Squares> {
        Run::create(directory, Squares { count, fails }).unwrap()
    }

    fn numbers(run: &Run<Squares>) -> Vec<u64> {
        run.results().map(Numbered::number).collect()
    }

    #[test]
    fn the_first_of_the_things_that_are_alike_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = create(folder.path(), 20, None);
        fill(&mut run, 2, 1).unwrap();
        assert_eq!((run.kept(2), run.kept(1)), (&[1, 9][..], &[1][..]));
        // The worker may be ahead of what is stored.
        let done = numbers(&run);
        assert!(done.starts_with(&[0, 1, 2, 3]), "{done:?}");
        assert_eq!(run.write_lists(2).unwrap(), [(folder.path().join("odd.txt"), 2)]);
        drop(run);
        let mut run = Run::<Squares>::resume(folder.path()).unwrap();
        assert_eq!((run.kept(2), numbers(&run)), (&[1, 9][..], done));
        fill(&mut run, 4, 3).unwrap();
        assert_eq!((run.kept(9), numbers(&run)), (&[1, 9, 25][..], (0..20).collect()), "49 and 81 end alike");
        run.write_lists(4).unwrap();
        let list = std::fs::read_to_string(folder.path().join("odd.txt")).unwrap();
        assert_eq!(list, "# 4 odd squares\n# of different ends\n1\n9\n25\n");
    }

    /// The numbers after a gap are stored, and count when the gap is filled.
    #[test]
    fn a_number_counts_when_all_before_it_are_done() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = create(folder.path(), 6, None);
        for number in [5, 1, 3] {
            run.journal.append(&Square { number, square: number * number }).unwrap();
        }
        drop(run);
        run = Run::resume(folder.path()).unwrap();
        assert_eq!((run.kept(9), numbers(&run)), (&[][..], vec![1, 3, 5]));
        let mut told = Vec::new();
        run.fill(9, 1, &AtomicBool::new(false), &mut |result, kept| told.push((result.number, kept)))
            .unwrap();
        assert_eq!(told, [(0, 1), (2, 2), (4, 3)]);
        assert_eq!(run.kept(9), [1, 9, 25]);
    }

    #[test]
    fn a_run_ends_where_work_fails_where_there_is_no_hope_and_when_it_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = create(&folder.path().join("fails"), 20, Some(4));
        let error = fill(&mut run, 9, 1).unwrap_err();
        assert_eq!((error.to_string().as_str(), run.kept(9)), ("no square of 4", &[1, 9][..]));
        let mut run = create(&folder.path().join("hopeless"), 1000, None);
        assert_eq!(fill(&mut run, 4, 1).unwrap_err().to_string(), "there is no fourth one");
        let mut run = create(&folder.path().join("stopped"), 20, None);
        run.fill(9, 2, &AtomicBool::new(true), &mut |_, _| {}).unwrap();
        assert!(numbers(&run).is_empty());
    }

    #[test]
    fn settings_are_checked_before_a_run_begins_and_before_it_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |run: Result<Run<Squares>>| run.err().unwrap().to_string();
        let many = Squares { count: 2000, fails: None };
        assert_eq!(refused(Run::create(folder.path(), many)), "2000 squares are too many");
        assert!(!folder.path().join("run.json").exists());
        drop(create(folder.path(), 20, None));
        std::fs::write(folder.path().join("run.json"), r#"{"count":3000,"fails":null}"#).unwrap();
        assert_eq!(refused(Run::resume(folder.path())), "3000 squares are too many");
    }
}
