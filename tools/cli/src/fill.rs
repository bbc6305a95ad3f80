//! Runs that go on until a number of things is found: openings chosen by games, hard positions.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Result, bail};

use kagetsu_console::progress::Progress;
use kagetsu_console::{Status, interrupt};
use kagetsu_tools::runs::numbered::{Run, Work};

/// The things that a run is to find.
pub struct Wanted<'a> {
    /// Number of these things.
    pub number: usize,
    /// Says how many there are, such as `3 of 40 openings kept`.
    pub tally: &'a dyn Fn(usize) -> String,
    /// Their source, in the plural: `the candidates`.
    pub source: &'a str,
}

/// A written list: its path, and its number of entries.
pub type Written = (PathBuf, usize);

/// Fills a run on some threads until it has what is wanted, and writes its lists. `tell` hears of each result. `report` prints
/// what the lists have, even if the run was interrupted.
pub fn fill<W: Work>(
    run: &mut Run<W>,
    wanted: &Wanted<'_>,
    threads: usize,
    tell: &dyn Fn(&W::Result),
    report: impl FnOnce(&Run<W>, &[Written]) -> Result<()>,
) -> Result<Status> {
    let stop = interrupt::flag()?;
    let mut progress = Progress::of(wanted.number as u64);
    let mut shown = run.kept(wanted.number).len();
    progress.go_on(shown as u64);
    let filled = run.fill(wanted.number, threads, &stop, &mut |result, kept| {
        tell(result);
        (shown..kept.min(wanted.number)).for_each(|_| progress.step());
        shown = shown.max(kept);
    });
    drop(progress);
    let lists = run.write_lists(wanted.number);
    let told = lists.as_ref().map_or(Ok(()), |lists| report(run, lists));
    // The first error counts. Lists that are too short count as failed, even if nobody reads the output any more.
    filled?;
    lists?;
    let kept = run.kept(wanted.number).len();
    if kept < wanted.number {
        let tally = (wanted.tally)(kept);
        if stop.load(Ordering::Relaxed) {
            bail!("interrupted: {tally}; --resume {} continues", run.directory().display());
        }
        bail!("{} are used up: {tally}", wanted.source);
    }
    told?;
    Ok(Status::Done)
}
