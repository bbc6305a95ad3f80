//! Plays a plan: several games side by side, each in a thread of its own that keeps its engines between games.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, Scope};
use std::time::Duration;

use anyhow::Context;

use super::contestant::Contestant;
use super::fallback::{Fallback, ListChooser};
use super::fault::FaultKind;
use super::game::{self, Finished, Terms};
use super::pause::{Halt, Pauses};
use super::plan::{Pairing, Plan};
use super::player::Player;
use super::process::Process;
use super::record::{End, GameRecord};
use crate::record::today;
use crate::untrusted;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::regulation::Chooser;
use kagetsu::game::{Color, Size, notation};

/// Event of a tournament.
#[derive(Debug)]
pub enum Event {
    /// A game is over. The text is both dialogues, if an engine failed.
    Game(Box<GameRecord>, Option<String>),
    /// A game was stopped and will be played again, for this program or the machine stood still so long.
    Paused(u64, Duration),
    /// An engine did not end after END.
    IgnoredEnd(usize),
    /// A moment has passed without news.
    Tick,
}

/// The caller's wish after an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Go on.
    Continue,
    /// Stop: running games are aborted without an event. Games that are already over are still reported. An error of
    /// the listener also stops the tournament.
    Stop,
}

/// Most attempts at a game that pauses interrupt. The last attempt ignores pauses.
const MOST_ATTEMPTS: usize = 3;

/// Interval of events while time passes.
const TICK: Duration = Duration::from_millis(200);
/// Interval at which a game with a crash looks whether the tournament is being stopped.
const LOOK: Duration = Duration::from_millis(10);

/// Creates, for the number of a pair of games, the chooser that decides their openings with the runner's own engine.
pub type Runner<'a> = dyn Fn(u64) -> Box<dyn Chooser> + Sync + 'a;

struct Shared<'a> {
    plan: &'a Plan,
    runner: Option<&'a Runner<'a>>,
    contestants: Vec<Arc<Contestant>>,
    terms: Terms,
    done: &'a HashSet<u64>,
    next: AtomicU64,
    abort: AtomicBool,
    pauses: Pauses,
    clock: SystemClock,
}

impl Shared<'_> {
    /// Returns the chooser for the openings of a pair of games, asked where an engine cannot decide.
    fn fallback(&self, pair: u64, size: Size) -> Option<Box<dyn Chooser>> {
        match self.plan.fallback.as_ref()? {
            Fallback::Runner => self.runner.map(|runner| runner(pair)),
            Fallback::List(list) => Some(Box::new(ListChooser::new(list, pair, size))),
        }
    }
}

enum News {
    Event(Event),
    Failed(anyhow::Error),
}

/// Starts each engine once and ends it again, so that one that cannot start is noticed before anything is written.
///
/// # Errors
/// If an engine cannot be started.
pub fn try_engines(contestants: &[Contestant]) -> anyhow::Result<()> {
    contestants.iter().try_for_each(|contestant| {
        Process::spawn(contestant.command(), SystemClock::new())
            .map(drop)
            .with_context(|| contestant.cannot_start())
    })
}

/// Plays the games of a plan that are not `done` (numbers from 1). `listen` hears every event, also after it wanted to stop,
/// until all engines have ended.
///
/// # Errors
/// If [`Plan::check`] refuses the plan, an engine or a thread cannot be started, or the listener's first
/// error. Failures of running engines are results, not errors.
///
/// # Panics
/// If the listener does, once the engines have ended.
pub fn run(
    plan: &Plan,
    done: &HashSet<u64>,
    listen: impl FnMut(Event) -> anyhow::Result<Wish>,
) -> anyhow::Result<()> {
    run_with(plan, done, None, listen)
}

/// As [`run`], with the runner's own engine for plans that ask for it.
///
/// # Errors
/// The errors of [`run`]; and if the plan asks for the runner's engine and there is none.
pub fn run_with(
    plan: &Plan,
    done: &HashSet<u64>,
    runner: Option<&Runner<'_>>,
    mut listen: impl FnMut(Event) -> anyhow::Result<Wish>,
) -> anyhow::Result<()> {
    plan.check().map_err(anyhow::Error::msg)?;
    if plan.fallback == Some(Fallback::Runner) && runner.is_none() {
        anyhow::bail!("the plan lets this program's own engine decide openings, but the caller gave none");
    }
    let clock = SystemClock::new();
    let shared = Shared {
        plan,
        runner,
        contestants: plan.contestants.iter().cloned().map(Arc::new).collect(),
        terms: plan.terms()?,
        done,
        next: AtomicU64::new(0),
        abort: AtomicBool::new(false),
        pauses: Pauses::new(clock),
        clock,
    };
    std::thread::scope(|scope| {
        let _watched = shared.pauses.until_dropped();
        let _closed = Closed(&shared.abort);
        start(scope, || shared.pauses.watch())?;
        let (sender, receiver) = channel();
        for _ in 0..plan.concurrency {
            let sender = sender.clone();
            start(scope, || GameThread { shared: &shared, seats: [None, None], sender }.play())?;
        }
        drop(sender);
        attend(&receiver, &shared.abort, &mut listen)
    })
}

/// Starts a thread of a tournament.
fn start<'s>(scope: &'s Scope<'s, '_>, work: impl FnOnce() + Send + 's) -> anyhow::Result<()> {
    let thread = Builder::new().spawn_scoped(scope, work);
    thread.map(drop).context("the system refuses a thread; expected fewer games side by side")
}

/// Ends all games when it is dropped. Without it an error or a panic would wait for the last game of the tournament.
struct Closed<'a>(&'a AtomicBool);

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Passes events to the listener until the threads of all games have ended. If the listener wants to stop, or
/// has failed, the threads are told to end.
fn attend(
    receiver: &Receiver<News>,
    abort: &AtomicBool,
    listen: &mut impl FnMut(Event) -> anyhow::Result<Wish>,
) -> anyhow::Result<()> {
    let mut result = Ok(());
    loop {
        let event = match receiver.recv_timeout(TICK) {
            Ok(News::Event(event)) => event,
            Ok(News::Failed(error)) => {
                // Once the threads are told to end, a failure of one changes nothing.
                if !abort.swap(true, Ordering::Relaxed) {
                    result = Err(error);
                }
                continue;
            }
            Err(RecvTimeoutError::Timeout) => Event::Tick,
            Err(RecvTimeoutError::Disconnected) => return result,
        };
        match listen(event) {
            Ok(Wish::Continue) => continue,
            Ok(Wish::Stop) => {}
            // The listener still gets games that are over: games that it cannot show any more can still be stored.
            Err(error) => result = result.and(Err(error)),
        }
        abort.store(true, Ordering::Relaxed);
    }
}

/// One thread that plays games one after another.
struct GameThread<'a> {
    shared: &'a Shared<'a>,
    /// The engines of the last game, in no order.
    seats: [Option<(usize, Player)>; 2],
    sender: Sender<News>,
}

impl GameThread<'_> {
    fn play(mut self) {
        while let Some((number, pairing)) = self.next_game() {
            match self.play_game(number, &pairing) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    // Nobody listens any more if this fails.
                    let _ = self.sender.send(News::Failed(error));
                    break;
                }
            }
        }
        for seat in 0..2 {
            self.dismiss(seat);
        }
    }

    fn next_game(&self) -> Option<(u64, Pairing)> {
        loop {
            if self.shared.abort.load(Ordering::Relaxed) {
                return None;
            }
            let number = self.shared.next.fetch_add(1, Ordering::Relaxed);
            let pairing = self.shared.plan.pairing(number)?;
            if !self.shared.done.contains(&(number + 1)) {
                return Some((number + 1, pairing));
            }
        }
    }

    /// Plays a game, again if a pause interrupts it, and reports it. `false` if the tournament is being stopped.
    fn play_game(&mut self, number: u64, pairing: &Pairing) -> anyhow::Result<bool> {
        let Shared { abort, pauses, .. } = self.shared;
        for attempt in 1..=MOST_ATTEMPTS {
            let before = pauses.total();
            let is_last = attempt == MOST_ATTEMPTS;
            let halt = if is_last { Halt::new(abort) } else { Halt::with_pauses(abort, pauses, before) };
            let finished = self.attempt(pairing, halt)?.filter(|finished| !self.ended_with_all(finished.end));
            let paused = pauses.total().saturating_sub(before);
            if abort.load(Ordering::Relaxed) && finished.is_none() {
                break;
            }
            if !paused.is_zero() && !is_last {
                // An engine may still be thinking, or have been stopped in the middle of a line.
                self.seats = [None, None];
                self.tell(Event::Paused(number, paused));
            } else if let Some(finished) = finished {
                self.report(number, pairing, finished);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether an engine ended because the tournament is being stopped: a signal to all processes of
    /// a service or a session reaches the engines too. They end at once, and the listener hears of the signal
    /// only at its next event.
    fn ended_with_all(&self, end: End) -> bool {
        let Shared { abort, clock, .. } = self.shared;
        let until = clock.now() + 2 * TICK;
        let is_crash = end == End::Fault(FaultKind::Crash);
        while is_crash && clock.now() < until && !abort.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        is_crash && abort.load(Ordering::Relaxed)
    }

    /// Plays a game once. `None` if it had to stop before its end.
    fn attempt(&mut self, pairing: &Pairing, halt: Halt<'_>) -> anyhow::Result<Option<Finished>> {
        let opening = self.shared.plan.opening(pairing)?;
        self.seat(pairing.players(&opening))?;
        let [Some((_, first)), Some((_, second))] = &mut self.seats else { return Ok(None) };
        let mut fallback = self.shared.fallback(pairing.pair, opening.size());
        let fallback = fallback.as_mut().map(|chooser| &mut **chooser as &mut dyn Chooser);
        game::play([first, second], &opening, &self.shared.terms, fallback, halt)
    }

    /// Reports a finished game and drops the processes that cannot play another.
    fn report(&mut self, number: u64, pairing: &Pairing, finished: Finished) {
        let plan = self.shared.plan;
        if finished.black == 1 {
            self.seats.swap(0, 1);
        }
        let [Some((black_engine, black)), Some((white_engine, white))] = &mut self.seats else { return };
        let failed = matches!(finished.end, End::Fault(_));
        let dialogue = failed.then(|| format!("BLACK\n{}\nWHITE\n{}", black.dialogue(), white.dialogue()));
        let mut warnings = Vec::new();
        for player in [black, white] {
            let name = player.contestant().name.clone();
            let shown = |text: String| untrusted::line(&format!("{name}: {text}")).into_owned();
            warnings.extend(player.take_warnings().into_iter().map(shown));
        }
        let record = GameRecord {
            game: number,
            date: Some(today()),
            black: plan.contestants[*black_engine].name.clone(),
            white: plan.contestants[*white_engine].name.clone(),
            rule: plan.rule.clone(),
            size: plan.size,
            opening: pairing.opening + 1,
            regulation: finished.regulation,
            start: notation::print(&finished.start),
            moves: finished.moves,
            result: GameRecord::result_text(finished.winner).into(),
            end: finished.end,
            detail: untrusted::line(&finished.detail).into_owned(),
            warnings,
        };
        self.dismiss_loser(finished.end, finished.winner);
        self.tell(Event::Game(Box::new(record), dialogue));
    }

    /// Drops the process of an engine that lost by a fault. With `--restart` it drops both processes.
    fn dismiss_loser(&mut self, end: End, winner: Option<Color>) {
        if let (End::Fault(kind), Some(winner)) = (end, winner)
            && !kind.spares_process()
        {
            // The process is killed at once: asked to end, it would not listen.
            self.seats[(!winner).index()] = None;
        }
        if self.shared.plan.restart {
            for seat in 0..2 {
                self.dismiss(seat);
            }
        }
    }

    /// Seats Black and White, keeping processes that are there.
    fn seat(&mut self, players: [usize; 2]) -> anyhow::Result<()> {
        let sits = |seat: &Option<(usize, Player)>, engine| seat.as_ref().is_some_and(|s| s.0 == engine);
        if sits(&self.seats[1], players[0]) || sits(&self.seats[0], players[1]) {
            self.seats.swap(0, 1);
        }
        for (seat, &engine) in players.iter().enumerate() {
            if !sits(&self.seats[seat], engine) {
                self.dismiss(seat);
                let contestant = Arc::clone(&self.shared.contestants[engine]);
                let player = Player::start(Arc::clone(&contestant), self.shared.clock)
                    .with_context(|| contestant.cannot_start())?;
                self.seats[seat] = Some((engine, player));
            }
        }
        Ok(())
    }

    fn dismiss(&mut self, seat: usize) {
        if let Some((engine, player)) = self.seats[seat].take()
            && !player.quit()
        {
            self.tell(Event::IgnoredEnd(engine));
        }
    }

    fn tell(&self, event: Event) {
        // This fails only if nobody listens any more, because the tournament is over.
        let _ = self.sender.send(News::Event(event));
    }
}
