//! Evaluates a whole game, position by position. Other jobs may run between two positions.

use std::time::Duration;

use anyhow::Result;

use crate::desk::{Job, Progress, Turn};
use crate::resources::Resources;
use crate::schema::{Tell, tell};
use kagetsu::engine::Options;
use kagetsu::game::Color;
use kagetsu::search::Limits;
use kagetsu_tools::record::NodeId;
use kagetsu_tools::review::judge::JudgedMove;
use kagetsu_tools::review::{Request, Review, ReviewError, Reviewer};

/// Shortest and longest time for a position.
const TIMES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(60));

/// A game to judge.
pub struct AnnotationJob {
    request: Option<Request>,
    reviewer: Option<Reviewer>,
    /// The page's nodes, each by its place in the tree.
    nodes: Vec<NodeId>,
    time: Duration,
}

impl AnnotationJob {
    /// Creates the review of a game whose nodes the page knows in this order, with this time for each position. The
    /// request's limits and memory are set when the engine is available.
    pub fn new(request: Request, nodes: Vec<NodeId>, time: Duration) -> AnnotationJob {
        AnnotationJob { request: Some(request), reviewer: None, nodes, time: time.clamp(TIMES.0, TIMES.1) }
    }

    fn begin(&mut self, resources: &Resources) -> Result<()> {
        if let Some(request) = self.request.take() {
            let threads = resources.threads;
            let limits = Limits { turn: Some(self.time), analysis: true, threads, ..Limits::default() };
            self.reviewer = Some(Reviewer::new(Request { limits, hash: resources.hash, ..request })?);
        }
        Ok(())
    }

    fn judged(&self, review: &Review) -> Vec<tell::Judged> {
        let all = review.nodes.len() as u32;
        let place = |id: NodeId| self.nodes.iter().position(|&node| node == id).unwrap_or(0) as u32;
        let judged = |(step, m): (&kagetsu_tools::review::course::PlayedMove, &JudgedMove)| {
            let sign = if m.side == Color::Black { 1 } else { -1 };
            tell::Judged {
                node: place(step.id),
                progress: (all, all),
                verdict: m.quality.name().into(),
                black: m.black(),
                loss: m.loss(),
                mate: m.score.mate().map(|n| sign * n),
                best: m.best.names(),
            }
        };
        review.steps.iter().zip(&review.moves).map(judged).collect()
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
            let left = reviewer.next().map_or(0, |i| i + 1);
            let all = reviewer.positions();
            turn.outlet.report(Tell::Judged(progress((all - left) as u32, all as u32)));
            turn.look_round();
            if turn.stop.load(std::sync::atomic::Ordering::Relaxed) && left > 0 {
                return Ok(Progress::More);
            }
        }
        if let Some(reviewer) = self.reviewer.take() {
            for judged in self.judged(&reviewer.finish()?) {
                turn.outlet.tell(Tell::Judged(judged));
            }
        }
        turn.outlet.tell(Tell::Done);
        Ok(Progress::Ended)
    }
}

/// A message that reports only the progress.
fn progress(done: u32, all: u32) -> tell::Judged {
    tell::Judged {
        node: 0,
        progress: (done, all),
        verdict: String::new(),
        black: 0.5,
        loss: 0.0,
        mate: None,
        best: Vec::new(),
    }
}
