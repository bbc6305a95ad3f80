//! Stops of tournaments and of engines: stops that a later call continues, suspended engines, processes left behind.

use super::*;

pub fn resume() {
    let plan = Plan { games: Some(10), concurrency: 2, ..plan(&["good", "crlf"]) };
    let mut done = HashSet::new();
    let mut sittings = 0;
    while (done.len() as u64) < plan.total().unwrap() {
        let mut here = 0;
        let known = done.clone();
        tournament::run(&plan, &known, |event| {
            if let Event::Game(record, _) = event {
                assert!(done.insert(record.game), "game {} was played twice", record.game);
                here += 1;
            }
            Ok(if here >= 3 { Wish::Stop } else { Wish::Continue })
        })
        .unwrap();
        assert!(here >= 3 || done.len() == 10, "stopped after {here}");
        sittings += 1;
    }
    assert!(sittings <= 4, "{sittings}");
    assert_eq!(done, (1..=10).collect());
}

/// The second game, of three moves each, is over long before the listener refuses more games, or fails.
pub fn stop() {
    let stops = [false, true].map(|fails| std::thread::spawn(move || stop_while_waiting(fails)));
    stops.into_iter().for_each(|stop| stop.join().unwrap());
}

fn stop_while_waiting(fails: bool) {
    let mut heard = BTreeSet::new();
    let mut plan = plan(&["good", "crlf"]);
    plan.endings.moves = Some(7);
    plan.concurrency = 2;
    let result = tournament::run(&plan, &HashSet::new(), |event| {
        if let Event::Game(record, _) = event {
            if heard.is_empty() {
                std::thread::sleep(Duration::from_secs(10));
            }
            heard.insert(record.game);
            anyhow::ensure!(!fails, "{} heard", heard.len());
        }
        Ok(if heard.is_empty() { Wish::Continue } else { Wish::Stop })
    });
    assert_eq!(result.err().map(|e| e.to_string()), fails.then(|| "1 heard".to_owned()));
    assert_eq!(heard, BTreeSet::from([1, 2]));
}

/// A signal to all processes ends the engines a moment before the runner hears of it.
pub fn ended_with_the_runner() {
    let dir = tempfile::tempdir().unwrap();
    let end = dir.path().join("end");
    let engines = ["hangs", "good"].map(|kind| format!("{kind}:{}", end.display()));
    let plan = Plan { concurrency: 2, ..plan(&engines.each_ref().map(String::as_str)) };
    let (mut games, mut ticks) = (0, 0);
    tournament::run(&plan, &HashSet::new(), |event| {
        games += usize::from(matches!(event, Event::Game(..)));
        ticks += usize::from(matches!(event, Event::Tick));
        if ticks == 5 {
            std::fs::write(&end, "").unwrap();
        }
        Ok(if ticks > 5 { Wish::Stop } else { Wish::Continue })
    })
    .unwrap();
    assert_eq!(games, 0);
}

pub fn suspension() {
    if !cfg!(unix) {
        return;
    }
    let clock = SystemClock::new();
    let mut process = Process::spawn(contestant("beats").command(), clock).unwrap();
    let hear = |process: &Process, ms| process.next(clock.now() + Duration::from_millis(ms));
    assert!(matches!(hear(&process, 60_000), Output::Line(_)));
    process.suspend();
    // Lines on their way arrive, then no more.
    while hear(&process, 1500) != Output::Timeout {}
    assert_eq!(hear(&process, 500), Output::Timeout);
    process.resume();
    assert!(matches!(hear(&process, 60_000), Output::Line(_)));
    // This engine does not know END either: dropping it must still end it.
    process.suspend();
    assert!(!process.quit());
}

/// Returns whether a process runs; one that nobody has reaped yet does not. Its command line would not tell: it is
/// empty for a moment at the start of a program too.
fn runs(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name, which may hold anything, is in parentheses; the state comes after it.
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

/// The number of the helper that a process has left behind.
fn helper_of(process: &mut Process, clock: SystemClock) -> u32 {
    process.send("START 15\nBEGIN\nTURN 9,9\nTURN 9,8\n").unwrap();
    loop {
        match process.next(clock.now() + Duration::from_secs(30)) {
            Output::Line(line) => {
                if let Some(pid) = line.text.strip_prefix("MESSAGE helper ") {
                    return pid.parse().unwrap();
                }
            }
            event => panic!("no helper, but {event:?}"),
        }
    }
}

/// The helpers end when the engine's end is noticed or, at the latest, when the engine is dropped.
pub fn helpers() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for noticed in [true, false] {
        let clock = SystemClock::new();
        let mut process = Process::spawn(contestant("orphans").command(), clock).unwrap();
        let helper = helper_of(&mut process, clock);
        wait_until(|| !runs(process.id()));
        assert!(runs(helper));
        if noticed {
            assert!(process.exit_status(Duration::from_secs(30)).is_some());
            assert_eq!(process.next(clock.now() + Duration::from_secs(30)), Output::Closed);
        } else {
            drop(process);
        }
        wait_until(|| !runs(helper));
    }
}

pub fn gone() {
    let clock = SystemClock::new();
    let mut process = Process::spawn(contestant("good").command(), clock).unwrap();
    process.send("END\n").unwrap();
    assert_eq!(process.next(clock.now() + Duration::from_secs(30)), Output::Closed);
    assert!(process.quit());
}
