//! `kagetsu openings walk`: an opening by a regulation, action by action, from arguments or from stdin.
//!
//! Without arguments each line of input is an action. At a terminal a refusal is shown and the player tries again;
//! elsewhere a refusal ends the walk.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;

use super::decide::{ReasonJson, adviser};
use crate::regulation::{ACTIONS, REGULATIONS};
use kagetsu::decide::Decision;
use kagetsu::game::notation::moves;
use kagetsu::game::quote::quoted;
use kagetsu::game::regulation::{Action, Choice, Opening, Regulation};
use kagetsu::game::{Color, Diagram, Point, PointSet, RuleKind, Size};
use kagetsu_console::lines::{Lines, STDIN};
use kagetsu_console::usage::WrongUsage;
use kagetsu_console::{Status, args, draw};
use kagetsu_tools::table::{Adviser, wording};
use kagetsu_tools::untrusted;

const EXAMPLES: &str = "\
Examples:
  kagetsu openings walk swap2
  kagetsu openings walk swap2 --rule freestyle --decide --time 2s
  kagetsu openings walk rif D4 swap g9 'offer h10 i7'
  printf 'h8 h9 i9\\nkeep\\n' | kagetsu openings walk soosorv:8 --json";

/// Printed below the flags.
fn help() -> String {
    let actions = format!("Actions, one an argument or a line of stdin:{ACTIONS}");
    let decide = "  decide                 the engine decides, and says what it compared";
    format!("{REGULATIONS}\n\n{actions}\n{decide}\n\n{EXAMPLES}")
}

/// The word that has the engine decide.
const DECIDE: &str = "decide";

/// The answer to a word that is no action.
const UNKNOWN: &str = "expected keep, swap, offer, choose, declare, decide or stones, e.g. h8 h9 i9";

/// Actions after which `--decide` gives up: Super Sakata's choice may come again and again.
const MOST_STEPS: usize = 40;

/// Walk through an opening regulation: who may do what, step by step
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Args {
    /// Regulation, e.g. swap2 or soosorv:8
    #[arg(value_name = "REGULATION")]
    regulation: Regulation,
    /// Actions of the players, one an argument [default: read from stdin]
    #[arg(value_name = "ACTION")]
    actions: Vec<String>,
    /// Side length of the board, 5 to 22
    #[arg(long, value_name = "N", default_value = "15", value_parser = args::size)]
    size: Size,
    /// Let the engine decide what is left after the actions
    #[arg(long)]
    decide: bool,
    /// Set the rule under which the engine decides
    #[arg(long, ignore_case = true, value_parser = args::rules(), default_value = "renju")]
    rule: RuleKind,
    #[command(flatten)]
    limits: args::LimitArgs,
    /// Set the seed of the engine's random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object for the start and for each action
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let opening = args.regulation.start(args.size).map_err(WrongUsage::new)?;
    let adviser = adviser(args.rule, &args.limits, args.seed);
    let mut walk = Walk { opening, adviser, json: args.json, step: 0 };
    walk.show(None, None, out)?;
    if args.actions.is_empty() && !args.decide {
        let patient = io::stdin().is_terminal() && !args.json;
        walk.read(&mut io::stdin().lock(), patient, out)?;
    }
    for (i, text) in args.actions.iter().enumerate() {
        walk.act(text, out).with_context(|| format!("action {}, {}", i + 1, quoted(text)))?;
    }
    while args.decide && !walk.opening.is_over() && walk.step < MOST_STEPS {
        walk.act(DECIDE, out)?;
    }
    walk.finish(out)?;
    ensure!(!args.decide || walk.opening.is_over(), "the opening is not over after {MOST_STEPS} steps");
    Ok(Status::Done)
}

/// An opening, and how it is shown.
struct Walk {
    opening: Opening,
    adviser: Adviser,
    json: bool,
    /// Actions so far.
    step: usize,
}

impl Walk {
    /// Returns the engine's decision at this step.
    fn decision(&mut self) -> Result<Decision> {
        self.adviser.decide(&self.opening, &AtomicBool::new(false)).context("the opening is over")
    }

    /// Does the actions of the lines until the opening is over or the input ends; blank lines and comments are skipped.
    fn read(&mut self, input: &mut dyn BufRead, patient: bool, out: &mut dyn Write) -> Result<()> {
        let mut lines = Lines::new(STDIN, input);
        loop {
            if patient && !self.opening.is_over() {
                write!(out, "> ")?;
            }
            out.flush()?;
            if patient && self.opening.is_over() {
                break;
            }
            let Some((number, text)) = lines.next_line()? else { break };
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match self.act(text, out) {
                Err(error) if patient => writeln!(out, "{}", untrusted::lines(&format!("{error:#}")))?,
                result => result.with_context(|| format!("line {number}, {}", quoted(text)))?,
            }
        }
        Ok(())
    }

    /// Does one action and shows where it leads.
    fn act(&mut self, text: &str, out: &mut dyn Write) -> Result<()> {
        let decision = match text.trim().eq_ignore_ascii_case(DECIDE) {
            true => Some(self.decision()?),
            false => None,
        };
        let action = match &decision {
            Some(decision) => decision.action.clone(),
            None => {
                let written = Action::parse(text, self.opening.position().size()).map_err(|error| {
                    // Points have numbers: a text without any is a mistyped word.
                    if text.contains(|c: char| c.is_ascii_digit()) {
                        error.into()
                    } else {
                        anyhow!("{UNKNOWN}")
                    }
                })?;
                wording::meant(written, &self.opening)
            }
        };
        self.opening.apply(&action)?;
        self.step += 1;
        self.show(Some(&action), decision.as_ref(), out)
    }

    /// Shows the last action and decision, who acts, and the choices.
    fn show(&self, action: Option<&Action>, decision: Option<&Decision>, out: &mut dyn Write) -> Result<()> {
        if self.json {
            serde_json::to_writer(&mut *out, &self.state(action, decision))?;
            return Ok(writeln!(out)?);
        }
        if self.step == 0 {
            writeln!(out, "{} on {}", self.opening.regulation(), self.opening.position().size())?;
        }
        if let (Some(action), Some(decision)) = (action, decision) {
            writeln!(out, "the engine decides: {action}")?;
            wording::reasons(decision).try_for_each(|reason| writeln!(out, "{reason}"))?;
        }
        let seat = self.opening.seat();
        let who = format!("{seat} ({}) may", self.opening.color_of(seat));
        for line in wording::question(&who, &self.opening.choices()) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// Shows the position when the walk ends.
    fn finish(&self, out: &mut dyn Write) -> Result<()> {
        if self.json {
            return Ok(());
        }
        let position = self.opening.position();
        writeln!(out)?;
        draw::board(out, &Diagram::of(position))?;
        writeln!(out, "\nmoves: {}", moves::print(position.moves()))?;
        let [black, white] = Color::BOTH.map(|color| self.opening.holder(color));
        writeln!(out, "black: {black}, white: {white}")?;
        if self.opening.is_over() {
            writeln!(out, "the opening is over: {} ({}) moves", self.opening.seat(), position.side())?;
        }
        Ok(())
    }

    fn state(&self, action: Option<&Action>, decision: Option<&Decision>) -> State {
        let opening = &self.opening;
        State {
            regulation: opening.regulation().to_string(),
            size: opening.position().size().side(),
            step: self.step,
            action: action.map(ToString::to_string),
            moves: moves::print(opening.position().moves()),
            black: opening.holder(Color::Black).to_string(),
            white: opening.holder(Color::White).to_string(),
            over: opening.is_over(),
            acts: opening.seat().to_string(),
            declared: opening.declared(),
            offered: names(opening.offered().iter().copied()),
            choices: opening.choices().iter().map(ChoiceJson::of).collect(),
            reasons: decision.map(ReasonJson::of).unwrap_or_default(),
        }
    }
}

/// A line of `--json`.
#[derive(Serialize)]
struct State {
    regulation: String,
    size: usize,
    step: usize,
    action: Option<String>,
    moves: String,
    black: String,
    white: String,
    over: bool,
    acts: String,
    declared: Option<usize>,
    offered: Vec<String>,
    choices: Vec<ChoiceJson>,
    reasons: Vec<ReasonJson>,
}

/// One of the things that may be done.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ChoiceJson {
    Place { first: usize, zones: Vec<Vec<String>>, declare: Option<usize> },
    Keep,
    Swap,
    Offer { count: usize, points: Vec<String> },
    Choose { fifths: Vec<String>, sixths: Vec<String> },
}

impl ChoiceJson {
    fn of(choice: &Choice) -> ChoiceJson {
        match choice {
            Choice::Place { first, zones, declare } => ChoiceJson::Place {
                first: *first,
                zones: zones.iter().map(|zone| set(&zone.points)).collect(),
                declare: *declare,
            },
            Choice::Keep => ChoiceJson::Keep,
            Choice::Swap => ChoiceJson::Swap,
            Choice::Offer { count, points, .. } => ChoiceJson::Offer { count: *count, points: set(points) },
            Choice::Choose { fifths, sixths } => {
                ChoiceJson::Choose { fifths: names(fifths.iter().copied()), sixths: set(sixths) }
            }
        }
    }
}

fn set(points: &PointSet) -> Vec<String> {
    names(points.iter())
}

fn names(points: impl Iterator<Item = Point>) -> Vec<String> {
    points.map(|p| p.to_string()).collect()
}
