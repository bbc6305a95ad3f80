//! The beginning of a game with an engine: START, its OK, and the settings.

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
    /// Begins a game: START, its OK, and the settings. If the process of the last game has ended since, a new one
    /// replaces it with a warning: an end after a game is no fault.
    ///
    /// # Errors
    /// If the engine fails to say OK, or the game must stop.
    pub fn new_game(&mut self, size: Size, rule: RuleKind, halt: Halt<'_>) -> Result<(), Stop> {
        self.size = size;
        let kept = std::mem::replace(&mut self.kept, true);
        match self.begin(rule, halt) {
            Err(Stop::Fault(Fault { kind: FaultKind::Crash, detail })) if kept => {
                self.restart(&detail)?;
                self.begin(rule, halt)
            }
            begun => begun,
        }
    }

    /// Replaces the process, which is gone for the reason in `detail`.
    fn restart(&mut self, detail: &str) -> Result<(), Fault> {
        self.process = Process::spawn(self.contestant.command(), self.clock).map_err(|error| {
            Fault::new(FaultKind::Crash, format!("{detail}; it cannot be started again: {error}"))
        })?;
        self.ready_at = Duration::ZERO;
        self.warnings.add(format!("started again between two games: {detail}"));
        Ok(())
    }

    /// Begins a game with the process that is there.
    fn begin(&mut self, rule: RuleKind, halt: Halt<'_>) -> Result<(), Stop> {
        self.process.resume();
        self.wait_until_ready();
        // The last game is over. Lines that came after it count neither for that game nor for this one.
        while let Some(text) = self.unasked()? {
            self.warnings.add(format!("stray line '{}'", cut(&text)));
        }
        self.process.reset_flood();
        self.send(&format!("START {}\n", self.size.side()))?;
        let deadline = self.clock.now() + self.contestant.time.startup;
        let mut last = String::new();
        loop {
            let Some((_, text)) = self.receive(deadline, halt)? else {
                let kind = FaultKind::NoOk;
                return Err(Fault::new(kind, format!("START was not answered with OK{}", seen(&last))).into());
            };
            match Reply::parse(&text) {
                Reply::Ok => break,
                Reply::Note(_) => {}
                Reply::Error | Reply::Unknown => {
                    let detail = format!("START answered by '{}'", cut(&text));
                    return Err(Fault::new(FaultKind::StartRefused, detail).into());
                }
                _ => {
                    self.warnings.add(format!("unexpected answer to START: '{}'", cut(&text)));
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

fn seen(last: &str) -> String {
    if last.is_empty() { String::new() } else { format!(", but with '{}'", cut(last)) }
}
