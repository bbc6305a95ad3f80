//! Shows a tournament while it is played: a live table if all output is on a terminal, plain lines or JSON events
//! otherwise.

use kagetsu_console::progress;
use kagetsu_console::terminal::understands_escapes;
use kagetsu_tools::words;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use anyhow::Result;
use console::Term;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::summary;
use super::table::Room;
use kagetsu::clock::{Clock, SystemClock};
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

/// Most engines whose standings are an event after each game. The standings of hundreds are longer than
/// thousands of games.
const FEW: usize = 10;
/// Lines of a live display besides the standings: the bar, and the one with the cursor.
const OTHER_LINES: usize = 2;
/// Times of the drawing of a live table until it is drawn again. The ratings of hundreds of engines take a
/// moment, in which they would take a processor from the engines.
const REST: u32 = 20;

/// Shows events of one tournament.
pub struct Display<'a> {
    plan: &'a Plan,
    mode: Mode,
    out: &'a mut dyn Write,
    clock: SystemClock,
    /// Number of games in the live table, and the room that it was made for.
    drawn: Option<(u64, Room)>,
    /// Time before which it is not drawn again.
    rests_until: Duration,
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
        Display { plan, mode, out, clock: SystemClock::new(), drawn: None, rests_until: Duration::ZERO }
    }

    /// Shows that the tournament begins, or goes on from these standings.
    pub fn begin(&mut self, standings: &Standings) -> Result<()> {
        let total = self.plan.total();
        match &self.mode {
            Mode::Live(bar) => {
                progress::go_on(bar, standings.games());
                bar.enable_steady_tick(Duration::from_millis(500));
            }
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
                if is_printed(standings.games()) {
                    let text = self.table(standings, room());
                    write!(self.out, "{text}")?;
                }
                self.out.flush()?;
            }
            Mode::Json => {
                let mut event = serde_json::to_value(record)?;
                event["event"] = "game".into();
                self.event(&event)?;
                if self.plan.contestants.len() <= FEW || is_printed(standings.games()) {
                    self.event(&self.standings_event("standings", standings)?)?;
                }
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

    /// Redraws the live table if there are more games, or if the terminal has got another size.
    pub fn refresh(&mut self, standings: &Standings) {
        let Mode::Live(bar) = &self.mode else { return };
        let start = self.clock.now();
        if start < self.rests_until {
            return;
        }
        let room = Term::stderr().size_checked().map_or(Room::OF_A_FILE, |(lines, columns)| Room {
            columns: columns.into(),
            lines: usize::from(lines).saturating_sub(OTHER_LINES),
        });
        let drawn = Some((standings.games(), room));
        if self.drawn == drawn {
            return;
        }
        bar.set_message(self.table(standings, room));
        let end = self.clock.now();
        self.drawn = drawn;
        self.rests_until = end + REST * end.saturating_sub(start);
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
                let text = self.table(standings, room());
                write!(self.out, "{text}")?;
            }
        }
        Ok(self.out.flush()?)
    }

    fn event(&mut self, event: &serde_json::Value) -> Result<()> {
        writeln!(self.out, "{}", untrusted::json(&event.to_string()))?;
        Ok(self.out.flush()?)
    }

    /// The standings, for a terminal.
    fn table(&self, standings: &Standings, room: Room) -> String {
        untrusted::lines(&summary::standings(self.plan, standings, room)).into_owned()
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

/// Returns whether the standings are printed after so many games: after each ten, from a hundred on after
/// each hundred, and so on.
fn is_printed(games: u64) -> bool {
    games.is_multiple_of(10_u64.pow(games.max(10).ilog10()))
}

/// Returns the room of the output: lines as long as those of its terminal, and any number of them.
fn room() -> Room {
    let columns = Term::stdout().size_checked().map(|(_, columns)| columns.into());
    Room { columns: columns.unwrap_or(Room::OF_A_FILE.columns), ..Room::OF_A_FILE }
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
    bar
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{plan, record};
    use super::*;

    /// Standings of many engines name every encounter: after each game they would outgrow the games.
    #[test]
    fn standings_of_many_engines_are_events_now_and_then() {
        for (engines, expected) in [(2, 25), (FEW, 25), (FEW + 1, 2)] {
            let plan = plan(engines, Some(30), 1);
            let (mut out, mut standings) = (Vec::new(), Standings::default());
            let mut display = Display::new(&plan, true, &mut out);
            for game in 1..=25 {
                let record = record(&plan, game, None);
                standings.add(&plan, &record);
                display.game(&record, &standings).unwrap();
            }
            display.end(&standings, true).unwrap();
            drop(display);
            let said = String::from_utf8(out).unwrap();
            let events: Vec<serde_json::Value> =
                said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let count = |name: &str| events.iter().filter(|event| event["event"] == name).count();
            assert_eq!(["game", "standings", "end"].map(count), [25, expected, 1], "{engines} engines");
            // The last event has them whatever their number.
            let encounters = events.last().unwrap()["encounters"].as_array().unwrap().len();
            assert_eq!(encounters, engines * (engines - 1) / 2);
        }
    }

    #[test]
    fn tables_are_printed_less_and_less_often() {
        let printed: Vec<u64> = (1..=320).filter(|&games| is_printed(games)).collect();
        assert_eq!(printed, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300]);
    }
}
