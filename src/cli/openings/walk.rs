//! `kagetsu openings walk`: an opening by a regulation, action by action, from arguments or from stdin.
//!
//! Without arguments each line of input is an action. Whoever sits at a terminal is told of a refusal and tries again;
//! elsewhere a refusal ends the walk.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Context, Result};
use serde::Serialize;

use super::decide::{self, Adviser, ReasonJson};
use crate::cli::{Status, args, draw};
use crate::decide::Decision;
use crate::game::notation::moves;
use crate::game::regulation::{Action, Choice, Opening, Regulation};
use crate::game::{Color, Diagram, Point, PointSet, RuleKind, Size};

const HELP: &str = "\
Regulations:
  plain                  the first stone in the centre; plain:free: anywhere
  rif                    an opening, a swap, stone 4, two fifths (1996-2008)
  swap-renju             the same with the stones put in turn (1989-95);
                         swap-renju:D13,I13 does not allow these openings
  yamaguchi              the number of fifths is declared with the opening
  soosorv:8              up to 8 fifths, declared with stone 4; two swaps
  tarannikov             a swap after each of five stones
  taraguchi:10           the same, or 10 fifths instead of stone 5
  super-taraguchi:10     the same in wider squares
  sakata                 stone 5 in the central 7x7 (from one secondary source)
  super-sakata           two stones of the opponent, then a choice of colour
  swap, swap1, swap2     three stones, one stone, three or five stones anywhere
  swap5                  a swap after each of five stones anywhere
  pro, longpro           stone 3 outside the central 5x5, 7x7

Actions, one an argument or a line of stdin:
  h8 h9 i9               stones; D4 stands for an opening's three
  h8 h9 i9 declare 3     stones and a number of fifth moves
  keep, swap             colours
  offer g8 i7            points for the fifth stone, no two symmetric
  choose g8 i10          the fifth stone chosen, and the sixth
  decide                 the engine decides, and says what it compared

Examples:
  kagetsu openings walk swap2
  kagetsu openings walk swap2 --rule freestyle --decide --time 2s
  kagetsu openings walk rif D4 swap g9 'offer h10 i7'
  printf 'h8 h9 i9\\nkeep\\n' | kagetsu openings walk soosorv:8 --json";

/// The word that has the engine decide.
const DECIDE: &str = "decide";

/// Actions after which `--decide` gives up: Super Sakata's choice may come again and again.
const MOST_STEPS: usize = 40;

/// Walk through an opening regulation: who may do what, step by step
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The regulation, as swap2 or soosorv:8
    #[arg(value_name = "REGULATION")]
    regulation: Regulation,
    /// What the players do, one action an argument [default: read from stdin]
    #[arg(value_name = "ACTION")]
    actions: Vec<String>,
    /// Side length of the board, 5 to 22
    #[arg(long, value_name = "N", default_value = "15", value_parser = args::size)]
    size: Size,
    /// Let the engine decide what is left after the actions
    #[arg(long)]
    decide: bool,
    /// The rule that the engine decides under
    #[arg(long, value_parser = args::rules(), default_value = "renju")]
    rule: RuleKind,
    #[command(flatten)]
    limits: args::LimitArgs,
    /// One JSON object for the start and for each action
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let opening = args.regulation.start(args.size)?;
    let adviser = Adviser::new(args.rule, &args.limits);
    let mut walk = Walk { opening, adviser, json: args.json, step: 0 };
    walk.show(None, None, out)?;
    if args.actions.is_empty() && !args.decide {
        let patient = io::stdin().is_terminal() && !args.json;
        walk.read(&mut io::stdin().lock(), patient, out)?;
    }
    for (i, text) in args.actions.iter().enumerate() {
        walk.act(text, out).with_context(|| format!("action {}, '{text}'", i + 1))?;
    }
    while args.decide && !walk.opening.is_over() && walk.step < MOST_STEPS {
        walk.act(DECIDE, out)?;
    }
    walk.finish(out)?;
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
    /// Does what the lines say until the opening is over or the input ends; blank lines and comments say nothing.
    fn read(&mut self, input: &mut dyn BufRead, patient: bool, out: &mut dyn Write) -> Result<()> {
        let mut line = String::new();
        for number in 1.. {
            if patient && !self.opening.is_over() {
                write!(out, "> ")?;
            }
            out.flush()?;
            line.clear();
            if (patient && self.opening.is_over()) || input.read_line(&mut line)? == 0 {
                break;
            }
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match self.act(text, out) {
                Err(error) if patient => writeln!(out, "{error:#}")?,
                result => result.with_context(|| format!("line {number}, '{text}'"))?,
            }
        }
        Ok(())
    }

    /// Does one action and shows where it leads.
    fn act(&mut self, text: &str, out: &mut dyn Write) -> Result<()> {
        let decision = match text.trim().eq_ignore_ascii_case(DECIDE) {
            true => Some(self.adviser.decide(&self.opening)?),
            false => None,
        };
        let action = match &decision {
            Some(decision) => decision.action.clone(),
            None => Action::parse(text, self.opening.position().size())?,
        };
        self.opening.apply(&action)?;
        self.step += 1;
        self.show(Some(&action), decision.as_ref(), out)
    }

    /// Shows what was done and decided, who acts, and what may be done.
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
            decide::show(decision, out)?;
        }
        let seat = self.opening.seat();
        let color = self.opening.color_of(seat);
        for (i, choice) in self.opening.choices().iter().enumerate() {
            let who = if i == 0 { format!("{seat} ({color}) may") } else { "or".to_string() };
            writeln!(out, "{who:>14} {choice}")?;
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
