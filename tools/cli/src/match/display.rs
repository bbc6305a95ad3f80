//! Shows a tournament while it is played: a live table if all output is on a terminal, plain lines or JSON events
//! otherwise.

use kagetsu_console::terminal::understands_escapes;
use kagetsu_tools::words;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::summary;
use kagetsu_tools::arena::plan::Plan;
use kagetsu_tools::arena::record::GameRecord;
use kagetsu_tools::arena::standings::Standings;
use kagetsu_tools::untrusted;

/// Destination of events.
enum Mode {
    /// A bar and the standings on stderr, redrawn.
    Live(ProgressBar),
    /// A line for each game, and the standings now and then.
    Plain,
    /// One object a line.
    Json,
}

/// Shows events of one tournament.
pub struct Display<'a> {
    plan: &'a Plan,
    mode: Mode,
    out: &'a mut dyn Write,
}

impl<'a> Display<'a> {
    /// Creates the display of a tournament; `json` asks for events as objects.
    pub fn new(plan: &'a Plan, json: bool, out: &'a mut dyn Write) -> Display<'a> {
        // Games and notes stand above the table. A file or a pipe gets them as lines.
        let is_live = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        let mode = if json {
            Mode::Json
        } else if is_live && understands_escapes() {
            Mode::Live(bar(plan.total()))
        } else {
            Mode::Plain
        };
        Display { plan, mode, out }
    }

    /// Shows that the tournament begins, or goes on from these standings.
    pub fn begin(&mut self, standings: &Standings) -> Result<()> {
        let total = self.plan.total();
        match &self.mode {
            Mode::Live(bar) => bar.set_position(standings.games()),
            Mode::Plain if standings.games() > 0 => {
                writeln!(self.out, "going on after {}", words::count(standings.games(), "game"))?;
            }
            Mode::Plain => {}
            Mode::Json => {
                let names: Vec<&str> = self.plan.contestants.iter().map(|c| c.name.as_str()).collect();
                let played = standings.games();
                self.event(&json!({"event": "start", "engines": names, "games": total, "played": played}))?;
            }
        }
        Ok(self.out.flush()?)
    }

    /// Shows a finished game; the standings include it.
    pub fn game(&mut self, record: &GameRecord, standings: &Standings) -> Result<()> {
        let failed = matches!(record.end, kagetsu_tools::arena::record::End::Fault(_));
        match &self.mode {
            Mode::Live(bar) => {
                bar.set_position(standings.games());
                if failed {
                    bar.println(line(record));
                }
                self.refresh(standings);
            }
            Mode::Plain => {
                writeln!(self.out, "{}", line(record))?;
                if standings.games().is_multiple_of(period(standings.games())) {
                    write!(self.out, "{}", self.table(standings))?;
                }
                self.out.flush()?;
            }
            Mode::Json => {
                let mut event = serde_json::to_value(record)?;
                event["event"] = "game".into();
                self.event(&event)?;
                self.event(&self.standings_event("standings", standings)?)?;
            }
        }
        Ok(())
    }

    /// Shows a note.
    pub fn note(&mut self, text: &str) -> Result<()> {
        match &self.mode {
            Mode::Live(bar) => bar.println(untrusted::lines(text)),
            Mode::Plain => writeln!(self.out, "{}", untrusted::lines(text))?,
            Mode::Json => self.event(&json!({"event": "note", "text": text}))?,
        }
        Ok(())
    }

    /// Redraws the live table.
    pub fn refresh(&self, standings: &Standings) {
        if let Mode::Live(bar) = &self.mode {
            bar.set_message(self.table(standings));
        }
    }

    /// Shows the result of a tournament that is over or was stopped.
    pub fn end(&mut self, standings: &Standings, stopped: bool) -> Result<()> {
        match &self.mode {
            Mode::Json => {
                let mut event = self.standings_event("end", standings)?;
                event["stopped"] = stopped.into();
                self.event(&event)?;
            }
            mode => {
                if let Mode::Live(bar) = mode {
                    bar.finish_and_clear();
                }
                write!(self.out, "{}", self.table(standings))?;
            }
        }
        Ok(self.out.flush()?)
    }

    fn event(&mut self, event: &serde_json::Value) -> Result<()> {
        writeln!(self.out, "{}", untrusted::json(&event.to_string()))?;
        Ok(self.out.flush()?)
    }

    /// The standings, for a terminal.
    fn table(&self, standings: &Standings) -> String {
        untrusted::lines(&summary::standings(self.plan, standings)).into_owned()
    }

    fn standings_event(&self, name: &str, standings: &Standings) -> Result<serde_json::Value> {
        let n = self.plan.contestants.len();
        let ratings = standings.ratings(n);
        let name_of = |i: usize| self.plan.contestants[i].name.as_str();
        let encounters: Vec<_> = self
            .plan
            .encounters()
            .map(|[a, b]| {
                let score = standings.score([a, b]);
                json!({
                    "first": name_of(a), "second": name_of(b), "counts": score.counts(),
                    "as_black": score.by_color[0], "as_white": score.by_color[1],
                    "pairs": score.pairs, "estimate": score.estimate(),
                })
            })
            .collect();
        let ratings: Vec<_> = (0..n).map(|i| json!({"name": name_of(i), "rating": ratings[i]})).collect();
        let faults: Vec<_> = standings
            .faults()
            .iter()
            .map(|(&(i, kind), games)| json!({"name": name_of(i), "fault": kind, "games": games}))
            .collect();
        let sprt = self.plan.sprt.as_ref().map(|sprt| {
            let (state, (lower, upper)) = (standings.test(sprt), sprt.bounds());
            json!({"test": sprt, "llr": state.llr, "lower": lower, "upper": upper, "verdict": state.verdict})
        });
        // If the engines play the openings, the games of a pair differ from the first stone on.
        let is_regulated = self.plan.opening_rule.is_some();
        let one_colored = (!is_regulated).then(|| standings.one_colored());
        let tally = is_regulated.then(|| standings.tally());
        Ok(json!({
            "event": name, "games": standings.games(), "encounters": encounters, "ratings": ratings,
            "faults": faults, "sprt": sprt, "black": standings.black(), "one_coloured": one_colored,
            "regulation": tally,
        }))
    }
}

/// Returns the number of games between two prints of the standings: the largest power of ten up to `games`,
/// at least 10.
fn period(games: u64) -> u64 {
    10_u64.pow(games.max(10).ilog10())
}

fn line(record: &GameRecord) -> String {
    let detail = if record.detail.is_empty() { String::new() } else { format!(": {}", record.detail) };
    let warnings = match &record.warnings[..] {
        [] => String::new(),
        [only] => format!(" [warning: {only}]"),
        [first, ..] => format!(" [warnings: {first}; …]"),
    };
    let text = format!(
        "game {}: {} - {} {} ({}{detail}, {}, opening {}){warnings}",
        record.game,
        record.black,
        record.white,
        record.result,
        record.end,
        words::count(record.moves.len(), "move"),
        record.opening
    );
    untrusted::line(&text).into_owned()
}

fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{bar:40} {pos}/{len} games, {elapsed}, {eta} left\n{msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {pos} games, {elapsed}, {per_sec}\n{msg}"),
    };
    bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
