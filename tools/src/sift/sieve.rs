//! The sieves that a candidate goes through, one after the other.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

use super::candidate::{Outcome, Sifted, Verdict, is_open};
use super::judge::{Judge, judge};
use super::settings::{Pair, Settings, Source};
use crate::arena::contestant::Contestant;
use crate::arena::forms::Forms;
use crate::arena::game::{Adjudication, ScoreRule};
use crate::arena::plan::{Format, Plan};
use crate::arena::record::{End, GameRecord};
use crate::arena::tournament::{self, Event, Wish};
use crate::selfplay::openings::{Generator, generator};
use kagetsu::clock::SystemClock;
use kagetsu::game::notation;
use kagetsu::game::{EndSet, Endings, Position};

/// Score that counts as decided: a side that reports its negative this many times in a row has lost. Only the winner's
/// colour matters, not the moves.
const RESIGN: ScoreRule = ScoreRule { score: 2000, moves: 3 };
/// Scores within which both sides call the game even, and the number of their moves until it is drawn.
const DRAW: ScoreRule = ScoreRule { score: 15, moves: 20 };
/// Stones on the board at which a game is a draw. Hardly any longer game is decisive (`docs/rapfi.md`),
/// and filling the board takes as long as several decisive games.
const LONGEST: usize = 120;

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
    pub fn sift(&mut self, number: u64) -> Result<Option<Sifted>> {
        let mut candidate =
            Sifted { number, opening: None, score: None, games: Vec::new(), verdict: Verdict::NoOpening };
        let verdict = self.verdict(&mut candidate)?;
        Ok(verdict.filter(|_| !self.is_stopped()).map(|verdict| Sifted { verdict, ..candidate }))
    }

    fn verdict(&mut self, candidate: &mut Sifted) -> Result<Option<Verdict>> {
        let Settings { nodes, even, bias, quick, long, .. } = *self.settings;
        let Some(position) = self.opening(candidate.number)? else { return Ok(Some(Verdict::NoOpening)) };
        let opening = notation::print(&position);
        candidate.opening = Some(opening.clone());
        candidate.score = self.judge.score(&position, nodes, self.stop);
        if candidate.score.is_none_or(|score| score.abs_diff(even) > bias.unsigned_abs()) {
            return Ok(Some(Verdict::Unbalanced));
        }
        let sieves = [
            (&self.settings.engines[..1], quick, Verdict::QuickOneSided),
            (&self.settings.engines, long, Verdict::OneSided),
        ];
        for (engines, nodes, rejected) in sieves {
            let games = self.contest(engines, nodes, candidate.number, &opening)?;
            let is_open = is_open(&games);
            candidate.games.extend(games);
            if self.is_stopped() {
                return Ok(None);
            }
            if !is_open {
                return Ok(Some(rejected));
            }
        }
        Ok(Some(Verdict::Kept))
    }

    /// Plays a pair of games of each engine against itself, until both colours have points: then no further game can change
    /// the verdict.
    fn contest(
        &self,
        engines: &[Contestant],
        nodes: Pair,
        number: u64,
        opening: &str,
    ) -> Result<Vec<Outcome>> {
        let mut games = Vec::new();
        for engine in engines {
            self.pair(engine, nodes, number, opening, &mut games)?;
            if is_open(&games) || self.is_stopped() {
                break;
            }
        }
        Ok(games)
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

    /// Plays a pair of games of an engine against itself from the opening of the candidate of this number, and adds them to
    /// `games`; without the second one if both colours have points after the first. New processes play, so that nothing
    /// depends on games before.
    fn pair(
        &self,
        engine: &Contestant,
        nodes: Pair,
        number: u64,
        opening: &str,
        games: &mut Vec<Outcome>,
    ) -> Result<()> {
        let plan = self.plan(engine, nodes, opening)?;
        tournament::run(&plan, &HashSet::new(), |event| {
            // A signal that stops the run may have ended the engine too: its fault does not count then.
            if let Event::Game(record, _) = event
                && !is_open(games)
                && !(self.is_stopped() && matches!(record.end, End::Fault(_)))
            {
                let outcome = outcome(engine, &plan, &record, opening);
                games.push(outcome.with_context(|| format!("candidate {number}"))?);
            }
            Ok(if is_open(games) || self.is_stopped() { Wish::Stop } else { Wish::Continue })
        })
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
            forms: Forms::default(),
            endings: Endings { moves: Some(LONGEST), ..EndSet::Plain.endings(self.settings.rule()?) },
            adjudication: Adjudication { resign: Some(RESIGN), draw_score: Some(DRAW) },
            suspend: false,
            send_board: false,
            restart: true,
            sprt: None,
            concurrency: 1,
        })
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Returns the outcome of a game.
///
/// # Errors
/// If an engine failed: such a game is no evidence about the opening.
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
