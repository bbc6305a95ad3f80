//! Analysis: the best moves of a position, reported several times a second while the search goes deeper.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use crate::answer::convert;
use crate::desk::{Job, Progress, Turn};
use crate::resources::Resources;
use crate::schema::Tell;
use crate::schema::tell;
use kagetsu::clock::Clock;
use kagetsu::engine::Options;
use kagetsu::game::{Position, RuleKind};
use kagetsu::search::{Limits, Pulse};
use kagetsu_tools::study::{Question, Study, study};

/// Time between two reports: eight a second.
const TICK: Duration = Duration::from_millis(125);

/// An analysis.
pub struct Analysis {
    /// The position; the game must not be over.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// Lines wanted.
    pub lines: usize,
    /// Time after which it ends by itself.
    pub time: Option<Duration>,
    /// Results of earlier turns.
    pub past: Past,
}

/// Results and costs of earlier turns of an analysis.
#[derive(Default)]
pub struct Past {
    study: Option<Study>,
    time: Duration,
    nodes: u64,
}

impl Job for Analysis {
    fn is_long(&self) -> bool {
        true
    }

    fn run(&mut self, resources: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
        let began = resources.clock.now();
        let pulse = Arc::new(Pulse::default());
        let limits = Limits {
            turn: self.time.map(|time| time.saturating_sub(self.past.time)),
            analysis: true,
            multipv: self.lines,
            threads: resources.threads,
            pulse: Some(pulse.clone()),
            ..Limits::default()
        };
        let question =
            Question { position: self.position.clone(), rule: self.rule, limits, hash: resources.hash };
        resources.prepare(Options { rule: self.rule, book: false, ..Options::default() });
        let known = Mutex::new(Study::default());
        let found = {
            let clock = &resources.clock;
            let report = || {
                let now = clock.now().saturating_sub(began);
                let found = lock(&known).clone();
                turn.outlet.report(Tell::Study(self.past.report(self.rule, found, now, &pulse)));
            };
            let mut watch = |study: &Study| lock(&known).clone_from(study);
            let (over, wait) = mpsc::channel::<()>();
            thread::scope(|scope| {
                let tick = move || {
                    while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                        turn.look_round();
                        report();
                    }
                };
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, tick) {
                    log::warn!("no reports between two iterations: {error}");
                }
                let found = study(&mut resources.engine, &question, turn.stop, &mut watch);
                drop(over);
                found
            })?
        };
        let used = resources.clock.now().saturating_sub(began);
        let last = self.past.report(self.rule, found.clone(), used, &pulse);
        // The search ends by itself when the result is proven or its time is over.
        let ended = !found.interrupted || self.time.is_some_and(|time| self.past.time + used >= time);
        self.past.take_in(found, used);
        turn.outlet.tell(Tell::Study(last));
        if !ended {
            return Ok(Progress::More);
        }
        turn.outlet.tell(Tell::Done);
        Ok(Progress::Ended)
    }
}

impl Past {
    /// Returns the study to show: the present one, or that of an earlier turn as long as it is deeper.
    fn report(&self, rule: RuleKind, found: Study, time: Duration, pulse: &Pulse) -> tell::Study {
        let beat = pulse.read();
        let nodes = self.nodes + found.nodes.max(beat.nodes);
        let time = self.time + time;
        let is_new =
            |old: &Study| found.depth >= old.depth && !found.lines.is_empty() || found.proven.is_some();
        let shown = match &self.study {
            Some(old) if !is_new(old) => old,
            _ => &found,
        };
        let at_work = beat
            .root_move
            .filter(|_| beat.depth > shown.depth)
            .map(|(number, point)| tell::AtWork { depth: beat.depth, number, point: point.to_string() });
        let seconds = time.as_secs_f64().max(1e-6);
        tell::Study {
            nodes,
            nps: (nodes as f64 / seconds) as u64,
            ms: time.as_millis() as u64,
            at_work,
            ..convert::study(rule, shown)
        }
    }

    fn take_in(&mut self, found: Study, time: Duration) {
        self.time += time;
        self.nodes += found.nodes;
        let is_worse =
            self.study.as_ref().is_some_and(|old| found.depth < old.depth && found.proven.is_none());
        if !is_worse {
            self.study = Some(found);
        }
    }
}

fn lock(known: &Mutex<Study>) -> MutexGuard<'_, Study> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}
