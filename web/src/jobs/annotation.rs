//! Evaluates a whole game, position by position. Other jobs may run between two positions.

use std::time::Duration;

use anyhow::Result;

use crate::answer::judgements;
use crate::desk::{Job, Progress, Turn};
use crate::resources::Resources;
use crate::schema::{Tell, tell};
use kagetsu::engine::Options;
use kagetsu::game::Color;
use kagetsu::search::Limits;
use kagetsu_tools::record::NodeId;
use kagetsu_tools::review::judge::JudgedMove;
use kagetsu_tools::review::{Request, ReviewError, Reviewer};

/// Shortest and longest time for a position.
const TIMES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(60));

/// A game to judge.
pub struct AnnotationJob {
    request: Option<Request>,
    reviewer: Option<Reviewer>,
    /// The page's nodes, each by its place in the tree.
    nodes: Vec<NodeId>,
    time: Duration,
    /// Judgements that the page has been told.
    told: usize,
}

impl AnnotationJob {
    /// Creates the review of a game whose nodes the page knows in this order, with this time for each position. The
    /// request's limits and memory are set when the engine is available.
    pub fn new(request: Request, nodes: Vec<NodeId>, time: Duration) -> AnnotationJob {
        let time = time.clamp(TIMES.0, TIMES.1);
        AnnotationJob { request: Some(request), reviewer: None, nodes, time, told: 0 }
    }

    fn begin(&mut self, resources: &Resources) -> Result<()> {
        if let Some(request) = self.request.take() {
            let threads = resources.threads;
            let limits = Limits { turn: Some(self.time), analysis: true, threads, ..Limits::default() };
            self.reviewer = Some(Reviewer::new(Request { limits, hash: resources.hash, ..request })?);
        }
        Ok(())
    }
}

impl Job for AnnotationJob {
    fn is_long(&self) -> bool {
        true
    }

    fn run(&mut self, resources: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
        self.begin(resources)?;
        let Some(reviewer) = &mut self.reviewer else { return Ok(Progress::Ended) };
        while reviewer.next().is_some() {
            resources.prepare(Options { book: false, ..Options::default() });
            match reviewer.study(&mut resources.engine, turn.stop) {
                Ok(()) => {}
                Err(ReviewError::Stopped) => return Ok(Progress::More),
                Err(error) => return Err(error.into()),
            }
            let all = reviewer.positions() as u32;
            let left = reviewer.next().map_or(0, |i| i as u32 + 1);
            let progress = (all - left, all);
            if let Some((id, m)) = reviewer.judged().nth(self.told) {
                let node = self.nodes.iter().position(|&node| node == id).unwrap_or(0) as u32;
                turn.outlet.tell(Tell::Judged(judged(node, progress, m)));
                self.told += 1;
            } else {
                turn.outlet.report(Tell::Judged(unjudged(progress)));
            }
            turn.look_round();
            if turn.stop.load(std::sync::atomic::Ordering::Relaxed) && left > 0 {
                return Ok(Progress::More);
            }
        }
        turn.outlet.tell(Tell::Done);
        Ok(Progress::Ended)
    }
}

/// A judgement, which no later one changes.
fn judged(node: u32, progress: (u32, u32), m: &JudgedMove) -> tell::Judged {
    let sign = if m.side == Color::Black { 1 } else { -1 };
    tell::Judged {
        node,
        progress,
        verdict: m.quality.name().into(),
        black: m.black(),
        loss: m.loss(),
        mate: m.score.mate().map(|n| sign * n),
        best: m.best.names(),
        entry: Some(judgements::entry(m.entry())),
    }
}

/// A message that reports only the progress.
fn unjudged(progress: (u32, u32)) -> tell::Judged {
    tell::Judged {
        node: 0,
        progress,
        verdict: String::new(),
        black: 0.5,
        loss: 0.0,
        mate: None,
        best: Vec::new(),
        entry: None,
    }
}
