//! Pauses: notices when this program or the whole machine stood still, because of a signal (Ctrl-Z in a terminal), a
//! suspended laptop or a halted virtual machine. Clocks went on meanwhile, so a game of that time is no evidence about the
//! engines and is played again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::starvation::OwnWait;
use kagetsu::clock::{Clock, SystemClock};

/// Interval at which the watching thread wakes.
const BEAT: Duration = Duration::from_millis(100);
/// Shortest delay of a beat that is a pause. Time that the watching thread waited for a processor does not count.
const SHORTEST: Duration = Duration::from_secs(1);

/// Pauses of this program since the watch began.
pub struct Pauses {
    clock: SystemClock,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Time of the last beat.
    beat: Duration,
    total: Duration,
    ended: bool,
}

impl Pauses {
    /// Creates the record, without any pause yet. Another thread must run [`Self::watch`].
    pub fn new(clock: SystemClock) -> Pauses {
        let state = State { beat: clock.now(), total: Duration::ZERO, ended: false };
        Pauses { clock, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a value that ends the watch when it is dropped.
    pub fn until_dropped(&self) -> impl Drop {
        Watched(self)
    }

    /// Adds up pauses until the watch ends.
    pub fn watch(&self) {
        let own = OwnWait::of_this_thread();
        let mut asleep = asleep();
        let mut state = self.lock();
        while !state.ended {
            let waited = own.total();
            state = self.changed.wait_timeout(state, BEAT).unwrap_or_else(PoisonError::into_inner).0;
            let (now, asleep_now) = (self.clock.now(), self::asleep());
            let late =
                now.saturating_sub(state.beat + BEAT).saturating_sub(own.total().saturating_sub(waited));
            let pause = late + asleep_now.saturating_sub(asleep);
            if pause >= SHORTEST {
                state.total += pause;
            }
            (state.beat, asleep) = (now, asleep_now);
            self.changed.notify_all();
        }
    }

    /// Returns the total of all pauses that are known: one that has just ended may be missing.
    fn known(&self) -> Duration {
        self.lock().total
    }

    /// Returns the total of all pauses until now. After a pause it waits for the next beat, which measures that pause.
    pub fn total(&self) -> Duration {
        let now = self.clock.now();
        let mut state = self.lock();
        while !state.ended && now > state.beat + 2 * BEAT {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.total
    }
}

struct Watched<'a>(&'a Pauses);

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}

/// Time that the machine has been suspended since it was started, which the monotonic clock leaves out.
/// CITE: clock_gettime(2), `CLOCK_BOOTTIME`.
#[cfg(target_os = "linux")]
fn asleep() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let read = |id| Duration::try_from(clock_gettime(id)).unwrap_or_default();
    // In this order the difference never comes out too large.
    let boot = read(ClockId::Boottime);
    boot.saturating_sub(read(ClockId::Monotonic))
}

/// Returns zero: the time asleep is not known on this system. On Windows the monotonic clock includes it.
#[cfg(not(target_os = "linux"))]
fn asleep() -> Duration {
    Duration::ZERO
}

/// Tells a game to stop: because the tournament is being stopped, or because of a pause.
#[derive(Clone, Copy)]
pub struct Halt<'a> {
    stop: &'a AtomicBool,
    /// Pauses, and their total when the game began.
    pauses: Option<(&'a Pauses, Duration)>,
}

impl<'a> Halt<'a> {
    /// Creates a halt that stops a game only with the tournament.
    pub fn new(stop: &'a AtomicBool) -> Halt<'a> {
        Halt { stop, pauses: None }
    }

    /// Creates a halt that also stops a game once there are more pauses than `before`.
    pub fn with_pauses(stop: &'a AtomicBool, pauses: &'a Pauses, before: Duration) -> Halt<'a> {
        Halt { stop, pauses: Some((pauses, before)) }
    }

    /// Returns whether the game must stop.
    pub fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.pauses.is_some_and(|(pauses, before)| pauses.known() > before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A watch whose last beat lies a given time back, as after a pause.
    fn total_after(late: Duration) -> Duration {
        let clock = SystemClock::new();
        std::thread::sleep(late);
        let pauses = Pauses::new(clock);
        pauses.lock().beat = Duration::ZERO;
        std::thread::scope(|scope| {
            let _watched = pauses.until_dropped();
            scope.spawn(|| pauses.watch());
            pauses.total()
        })
    }

    #[test]
    fn a_late_beat_is_a_pause() {
        let total = total_after(SHORTEST + BEAT);
        assert!(total >= SHORTEST, "{total:?}");
    }

    #[test]
    fn only_a_pause_halts_a_game() {
        let stop = AtomicBool::new(false);
        let pauses = Pauses::new(SystemClock::new());
        let [plain, watching] = [Halt::new(&stop), Halt::with_pauses(&stop, &pauses, Duration::ZERO)];
        assert!(!plain.is_set() && !watching.is_set());
        pauses.lock().total = SHORTEST;
        assert!(!plain.is_set() && watching.is_set());
        assert!(!Halt::with_pauses(&stop, &pauses, SHORTEST).is_set(), "it was before the game");
        stop.store(true, Ordering::Relaxed);
        assert!(plain.is_set());
    }
}
