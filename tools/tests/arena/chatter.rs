//! Engines that write lines without a pause while they should move.

use super::*;

/// The engine may think for a minute, and writes a line every 20 ms meanwhile.
pub fn stopped() {
    let clock = SystemClock::new();
    let mut games = 0;
    tournament::run(&plan(&["chatters", "good"]), &HashSet::new(), |event| {
        games += usize::from(matches!(event, Event::Game(..)));
        Ok(if clock.now() > Duration::from_secs(2) { Wish::Stop } else { Wish::Continue })
    })
    .unwrap();
    let time = clock.now();
    assert!(games == 0 && time < Duration::from_secs(40), "{games} games, {time:?}");
}

/// The game is ended as by a stop. Nobody would hear of it any more.
pub fn panicked() {
    let clock = SystemClock::new();
    let run = || {
        // The message of the panic is dropped: it would look like a failure among the output of the tests.
        let panic = |_| std::panic::resume_unwind(Box::new("a listener"));
        tournament::run(&plan(&["chatters", "good"]), &HashSet::new(), panic)
    };
    assert!(std::panic::catch_unwind(run).is_err());
    let time = clock.now();
    assert!(time < Duration::from_secs(40), "{time:?}");
}

/// Only Linux tells how much memory an engine has.
pub fn memory() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let mut plan = Plan { games: Some(1), ..plan(&["good", "swells"]) };
    for contestant in &mut plan.contestants {
        (contestant.memory, contestant.check_memory) = (Some(96 << 20), true);
    }
    let clock = SystemClock::new();
    let played = play(&plan, 1);
    let time = clock.now();
    let record = &played.games[&1];
    assert_eq!(record.end, End::Fault(FaultKind::Memory), "{record:?}");
    let loser = if record.result == "1-0" { &record.white } else { &record.black };
    assert_eq!(loser, "swells", "{record:?}");
    assert!(time < Duration::from_secs(40), "the memory was checked only at the end of its time: {time:?}");
}
