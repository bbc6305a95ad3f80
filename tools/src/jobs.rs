//! Work side by side: the threads of a pool take items in order, and the caller takes the results as they come.
//!
//! The threads are rayon's. Use this for computations. The engines of a match, which are waited for, and the threads of
//! a search, which share a tree, do not use it.

use std::sync::mpsc::{Receiver, sync_channel};

use rayon::ThreadPoolBuildError;
use rayon::prelude::*;

/// Results for each thread that may wait to be taken. With more of them the threads wait: a reader that is slower than the work
/// must not fill the memory.
const WAITING: usize = 4;

/// Does `work` on each item with at most this number of threads, and no more threads than items if the
/// iterator knows their number. Each thread makes a worker of its own first. `take` gets the results on the
/// caller's thread, in the order in which they are ready. The work ends after the last item, after the first
/// result that is `None` (items in work are finished), or soon after `take` has returned.
///
/// ```
/// let squares = kagetsu_tools::jobs::side_by_side(2, 0..5u32, || (), |(), n| Some(n * n), |results| {
///     let mut squares: Vec<u32> = results.into_iter().collect();
///     squares.sort_unstable();
///     squares
/// });
/// assert_eq!(squares.unwrap(), [0, 1, 4, 9, 16]);
/// ```
///
/// # Errors
/// If the system refuses the threads.
pub fn side_by_side<T: Send, W, R: Send, X>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> W + Sync + Send,
    work: impl Fn(&mut W, T) -> Option<R> + Sync + Send,
    take: impl FnOnce(Receiver<R>) -> X,
) -> Result<X, ThreadPoolBuildError> {
    let threads = items.size_hint().1.map_or(threads, |most| threads.min(most)).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.in_place_scope(|scope| {
        let (sender, results) = sync_channel(WAITING * threads);
        scope.spawn(move |_| {
            let results = items.par_bridge().map_init(worker, work);
            // Ends early when a result is `None`, or when nobody takes the results any more.
            let _: Option<()> = results.try_for_each_with(sender, |sender, result| sender.send(result?).ok());
        });
        take(results)
    }))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_item_is_worked_on_once_by_few_workers() {
        let workers = AtomicUsize::new(0);
        let new = || workers.fetch_add(1, Ordering::Relaxed);
        let work = |worker: &mut usize, n: usize| Some((*worker, n));
        let results = side_by_side(3, 0..1000, new, work, |results| results.into_iter().collect::<Vec<_>>());
        let (by, mut items): (HashSet<usize>, Vec<usize>) = results.unwrap().into_iter().unzip();
        items.sort_unstable();
        assert_eq!(items, (0..1000).collect::<Vec<_>>());
        // The pool may ask for one worker more, which then finds nothing to do.
        assert!((1..=3).contains(&by.len()) && workers.load(Ordering::Relaxed) <= 4, "{by:?}");
    }

    #[test]
    fn there_are_no_more_threads_than_items() {
        let work = |(): &mut (), _: usize| Some(rayon::current_num_threads());
        for (items, expected) in [(0, None), (1, Some(1)), (3, Some(3)), (9, Some(4))] {
            let threads = side_by_side(4, 0..items, || (), work, |results| results.into_iter().max());
            assert_eq!(threads.unwrap(), expected, "{items}");
        }
    }

    #[test]
    fn work_ends_at_the_first_failure_and_when_nobody_listens() {
        let begun = AtomicUsize::new(0);
        let work = |(): &mut (), n: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            (n < 10).then_some(n)
        };
        let found = side_by_side(2, 0.., || (), work, |results| results.into_iter().count()).unwrap();
        assert!(found <= 10 && begun.load(Ordering::Relaxed) <= 12, "{found} {begun:?}");
        // The items have no end; the caller wants one.
        let first = side_by_side(2, 0.., || (), |(), n: u64| Some(n), |results| results.recv());
        assert!(first.unwrap().is_ok());
    }
}
