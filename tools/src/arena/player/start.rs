//! The beginning of a game with an engine: START or RESTART, its OK, and the settings.
//!
//! A process that has played a game is told RESTART, as Piskvork does it. Engines made from Piskvork's example clear their board
//! at RESTART alone, because no manager of theirs ever sends a second START.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Player, cut};
use crate::arena::contestant::Contestant;
use crate::arena::fault::{Fault, FaultKind, Stop};
use crate::arena::pause::Halt;
use crate::arena::process::Process;
use crate::arena::reply::Reply;
use crate::arena::time::GameClock;
use kagetsu::clock::Clock;
use kagetsu::game::{RuleKind, Size};

impl Player {
    /// Begins a game: START or RESTART, its OK, and the settings. A new process takes the place of one that has ended since the
    /// last game or says no OK to RESTART, with a warning: neither is a fault.
    ///
    /// # Errors
    /// If the engine fails to say OK, the system cannot start a new process, or the game must stop.
    pub fn new_game(&mut self, size: Size, rule: RuleKind, halt: Halt<'_>) -> Result<(), Stop> {
        let kept = std::mem::replace(&mut self.kept, true);
        let again = kept && self.knows_restart && self.size == size;
        self.size = size;
        if again {
            match self.begin("RESTART", rule, halt) {
                Err(Stop::Fault(fault)) if is_of_the_process(fault.kind) => {
                    self.knows_restart = fault.kind == FaultKind::Crash;
                    self.warnings.add(format!("started again between two games: {}", fault.detail));
                    self.replace()?;
                }
                begun => return begun,
            }
        } else if kept {
            self.replace()?;
        }
        self.begin(&format!("START {}", size.side()), rule, halt)
    }

    /// Ends the process, and only then starts another: some engines hold a file that no other process may use.
    fn replace(&mut self) -> Result<(), Stop> {
        self.process.quit();
        self.process = Process::spawn(self.contestant.command(), self.clock)
            .map_err(|error| Stop::NotStarted(format!("{}: {error}", self.contestant.cannot_start())))?;
        self.ready_at = Duration::ZERO;
        Ok(())
    }

    /// Begins a game with the process that is there, by this command.
    fn begin(&mut self, command: &str, rule: RuleKind, halt: Halt<'_>) -> Result<(), Stop> {
        self.process.resume();
        self.wait_until_ready();
        // The last game is over. Lines that came after it count neither for that game nor for this one.
        while let Some(text) = self.unasked()? {
            self.warnings.add(format!("stray line '{}'", cut(&text)));
        }
        self.process.reset_flood();
        self.send(&format!("{command}\n"))?;
        let word = command.split(' ').next().unwrap_or_default();
        let deadline = self.clock.now() + self.contestant.time.startup;
        let mut last = String::new();
        loop {
            let Some((_, text)) = self.receive(deadline, halt)? else {
                let detail = format!("{word} was not answered with OK{}", seen(&last));
                return Err(Fault::new(FaultKind::NoOk, detail).into());
            };
            match Reply::parse(&text) {
                Reply::Ok => break,
                Reply::Note(_) => {}
                Reply::Error | Reply::Unknown => {
                    let detail = format!("{word} answered by '{}'", cut(&text));
                    return Err(Fault::new(FaultKind::StartRefused, detail).into());
                }
                _ => {
                    self.warnings.add(format!("unexpected answer to {word}: '{}'", cut(&text)));
                    last = text;
                }
            }
        }
        self.told_turn = GameClock::new(self.contestant.time).turn_ms();
        let settings = self.settings(rule);
        Ok(self.send(&settings)?)
    }

    /// The INFO lines of a game's start.
    fn settings(&self, rule: RuleKind) -> String {
        let Contestant { time, memory, threads, info, .. } = &*self.contestant;
        let mut text = String::new();
        let mut put = |key: &str, value: &dyn std::fmt::Display| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "INFO {key} {value}");
        };
        put("rule", &rule.gomocup());
        // A tournament: other games may run beside this one.
        put("game_type", &2);
        if let Some(turn) = self.told_turn {
            put("timeout_turn", &turn);
        }
        put("timeout_match", &time.game_ms());
        if time.increment_ms() > 0 {
            put("time_increment", &time.increment_ms());
        }
        put("max_memory", &memory.unwrap_or(0));
        if let Some(nodes) = time.nodes {
            put("max_node", &nodes);
        }
        if let Some(depth) = time.depth {
            put("max_depth", &depth);
        }
        if let Some(threads) = threads {
            put("thread_num", threads);
        }
        for (key, value) in info {
            put(key, value);
        }
        text
    }
}

/// Returns whether a failure at the start of a game may be due to the state of the process, so that a new
/// process gets a try.
fn is_of_the_process(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Crash | FaultKind::StartRefused | FaultKind::NoOk)
}

fn seen(last: &str) -> String {
    if last.is_empty() { String::new() } else { format!(", but with '{}'", cut(last)) }
}
