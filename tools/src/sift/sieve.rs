//! The sieves that a candidate goes through, one after the other.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

use super::candidate::{Candidate, Outcome, Verdict, is_one_sided};
use super::judge::{Judge, judge};
use super::settings::{Pair, Settings, Source};
use crate::arena::contestant::Contestant;
use crate::arena::game::{Adjudication, ScoreRule};
use crate::arena::plan::{Format, Plan};
use crate::arena::record::{End, GameRecord};
use crate::arena::tournament::{self, Event, Wish};
use crate::selfplay::openings::{Generator, generator};
use kagetsu::clock::SystemClock;
use kagetsu::game::notation;
use kagetsu::game::{EndSet, Endings, Position};

/// A side that reports minus this three times in a row has lost. Only the winner's colour matters, not the moves.
const RESIGN: ScoreRule = ScoreRule { score: 2000, moves: 3 };
/// Both sides call the game even for this long.
const DRAW: ScoreRule = ScoreRule { score: 15, moves: 20 };
/// Longer games are draws.
const LONGEST: usize = 200;

/// Judges candidates one after the other.
pub struct Sieve<'a> {
    settings: &'a Settings,
    generator: Option<Box<dyn Generator>>,
    judge: Box<dyn Judge>,
    stop: &'a AtomicBool,
}

impl<'a> Sieve<'a> {
    /// Creates a sieve that stops when `stop` is set.
    ///
    /// # Errors
    /// If rule or size are impossible.
    pub fn new(settings: &'a Settings, stop: &'a AtomicBool) -> Result<Sieve<'a>> {
        let generator = settings.recipe()?.map(|recipe| generator(recipe, Box::new(SystemClock::new())));
        Ok(Sieve { settings, generator, judge: judge(settings.rule()?), stop })
    }

    /// Judges the candidate of a number; `None` if the run was stopped.
    ///
    /// # Errors
    /// If an engine cannot be started, or fails.
    pub fn sift(&mut self, number: u64) -> Result<Option<Candidate>> {
        let mut candidate =
            Candidate { number, opening: None, score: None, games: Vec::new(), verdict: Verdict::NoOpening };
        let verdict = self.verdict(&mut candidate)?;
        Ok(verdict.filter(|_| !self.is_stopped()).map(|verdict| Candidate { verdict, ..candidate }))
    }

    fn verdict(&mut self, candidate: &mut Candidate) -> Result<Option<Verdict>> {
        let Settings { nodes, even, bias, quick, long, .. } = *self.settings;
        let Some(position) = self.opening(candidate.number)? else { return Ok(Some(Verdict::NoOpening)) };
        let opening = notation::print(&position);
        candidate.opening = Some(opening.clone());
        candidate.score = self.judge.score(&position, nodes, self.stop);
        if candidate.score.is_none_or(|score| score.abs_diff(even) > bias.unsigned_abs()) {
            return Ok(Some(Verdict::Unbalanced));
        }
        let Some(games) = self.pair(&self.settings.engines[0], quick, candidate.number, &opening)? else {
            return Ok(None);
        };
        let is_rejected = is_one_sided(&games);
        candidate.games.extend(games);
        if is_rejected {
            return Ok(Some(Verdict::QuickOneSided));
        }
        let first_long = candidate.games.len();
        for engine in &self.settings.engines {
            let Some(games) = self.pair(engine, long, candidate.number, &opening)? else { return Ok(None) };
            candidate.games.extend(games);
            // Once both colours have points, no other engine can change the verdict.
            if !is_one_sided(&candidate.games[first_long..]) {
                return Ok(Some(Verdict::Kept));
            }
        }
        Ok(Some(Verdict::OneSided))
    }

    /// Returns the opening of this number, if it gives one.
    fn opening(&mut self, number: u64) -> Result<Option<Position>> {
        match (&self.settings.source, &mut self.generator) {
            (Source::List(list), _) => {
                let Some(text) = list.get(number as usize) else { return Ok(None) };
                Ok(Some(notation::parse(text, Some(self.settings.size()?))?))
            }
            (Source::Random { .. }, Some(generator)) => {
                Ok(generator.attempt(number).map(|balanced| balanced.position))
            }
            (Source::Random { .. }, None) => Ok(None),
        }
    }

    /// Plays a pair of games of an engine against itself from the opening of the candidate of this number, in new processes
    /// so that nothing depends on games before; `None` if the run was stopped.
    fn pair(
        &self,
        engine: &Contestant,
        nodes: Pair,
        number: u64,
        opening: &str,
    ) -> Result<Option<Vec<Outcome>>> {
        let plan = self.plan(engine, nodes, opening)?;
        let mut records = Vec::new();
        tournament::run(&plan, &HashSet::new(), 1, |event| {
            if let Event::Game(record, _) = event {
                records.push(*record);
            }
            Ok(if self.is_stopped() { Wish::Stop } else { Wish::Continue })
        })?;
        if records.len() < 2 {
            return Ok(None);
        }
        let games =
            records.iter().map(|record| outcome(engine, &plan, record, opening)).collect::<Result<_>>();
        games.map(Some).with_context(|| format!("candidate {number}"))
    }

    fn plan(&self, engine: &Contestant, nodes: Pair, opening: &str) -> Result<Plan> {
        let side = |nodes: u64| {
            let mut side = engine.clone();
            side.name = format!("{} {nodes}", engine.name);
            side.time.nodes = Some(nodes);
            side
        };
        Ok(Plan {
            contestants: nodes.both().map(side).into(),
            format: Format::RoundRobin,
            rule: self.settings.rule.clone(),
            size: self.settings.size,
            games: Some(2),
            rounds: 1,
            openings: vec![opening.to_owned()],
            opening_rule: None,
            fallback: None,
            transform: false,
            endings: Endings { moves: Some(LONGEST), ..EndSet::Plain.endings(self.settings.rule()?) },
            adjudication: Adjudication { resign: Some(RESIGN), draw_score: Some(DRAW) },
            suspend: false,
            send_board: false,
            restart: true,
            sprt: None,
        })
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Returns what counts of a game.
///
/// # Errors
/// If an engine failed: then the game says nothing of the opening.
fn outcome(engine: &Contestant, plan: &Plan, record: &GameRecord, opening: &str) -> Result<Outcome> {
    if let End::Fault(kind) = record.end {
        bail!("{} failed in a game from {opening}: {}: {}", engine.name, kind.name(), record.detail);
    }
    let nodes = |name: &str| {
        let side = plan.contestants.iter().find(|side| side.name == name);
        side.and_then(|side| side.time.nodes).unwrap_or_default()
    };
    Ok(Outcome {
        engine: engine.name.clone(),
        black: nodes(&record.black),
        white: nodes(&record.white),
        result: record.result.clone(),
        moves: record.moves.len(),
    })
}
