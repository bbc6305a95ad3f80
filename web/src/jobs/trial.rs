//! Tries a move in a puzzle: whether the win is still there, and the defender's reply.

use std::time::Duration;

use anyhow::Result;

use crate::desk::{Job, Progress, Turn};
use crate::resources::Resources;
use crate::schema::{Tell, library};
use kagetsu::engine::Options;
use kagetsu::game::{Point, Position, RuleKind};
use kagetsu::search::{Limits, Score};
use kagetsu::solve::Verdict;
use kagetsu_tools::study::defences::{Defences, find};
use kagetsu_tools::study::{Kind, Means, Question, study};

/// Time to judge a move.
const TIME: Duration = Duration::from_secs(10);
/// Time to find the defence that holds out longest.
const REPLY_TIME: Duration = Duration::from_millis(1500);
/// Largest number of refutations that are listed.
const REFUTATIONS: usize = 12;

/// A move that was tried: the position is after it, the defender is to move, and the game is not over.
pub struct TrialJob {
    /// The position.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// Kind of the puzzle's win: VCF or VCT.
    pub kind: Kind,
}

impl Job for TrialJob {
    fn run(&mut self, resources: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
        let means = Means { time: Some(TIME), ..resources.means(turn.stop) };
        let (found, _) = find(&self.position, self.rule, self.kind, &means)?;
        let trial = self.trial(&found, resources, turn)?;
        turn.outlet.tell(Tell::Trial(trial));
        Ok(Progress::Ended)
    }
}

impl TrialJob {
    fn trial(&self, found: &Defences, resources: &mut Resources, turn: &Turn<'_>) -> Result<library::Trial> {
        let names =
            |points: &[Point]| points.iter().take(REFUTATIONS).map(Point::to_string).collect::<Vec<_>>();
        let trial = |verdict: &str| library::Trial {
            verdict: verdict.into(),
            reply: None,
            refutations: Vec::new(),
            left: None,
        };
        if found.threat == Verdict::NoWin || !found.stops.is_empty() {
            // Returns the best refutation found by a short search.
            let best = self.reply(resources, turn)?;
            let stops = |p: &Point| found.threat == Verdict::NoWin || found.stops.contains(p);
            let reply = best.map(|(p, _)| p).filter(stops).or(found.stops.first().copied());
            let refutations = names(&found.stops);
            return Ok(library::Trial { reply: reply.map(|p| p.to_string()), refutations, ..trial("wrong") });
        }
        let reply = self.reply(resources, turn)?;
        let left = reply.and_then(|(_, score)| score.mate()).filter(|&n| n < 0).map(i32::unsigned_abs);
        let is_right = found.threat == Verdict::Win && found.undecided.is_empty() || left.is_some();
        let verdict = if is_right { "right" } else { "unknown" };
        Ok(library::Trial { reply: reply.map(|(p, _)| p.to_string()), left, ..trial(verdict) })
    }

    /// Move of the defender, and its score.
    fn reply(&self, resources: &mut Resources, turn: &Turn<'_>) -> Result<Option<(Point, Score)>> {
        let limits = Limits { turn: Some(REPLY_TIME), threads: resources.threads, ..Limits::default() };
        let question =
            Question { position: self.position.clone(), rule: self.rule, limits, hash: resources.hash };
        resources.prepare(Options { rule: self.rule, book: false, ..Options::default() });
        let found = study(&mut resources.engine, &question, turn.stop, &mut |_| {})?;
        Ok(found.best().zip(found.score()))
    }
}
