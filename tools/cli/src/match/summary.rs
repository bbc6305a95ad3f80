//! The standings as text.

use std::fmt::Write as _;

use kagetsu_tools::arena::plan::Plan;
use kagetsu_tools::arena::standings::{OneColored, OpeningTally, Standings};
use kagetsu_tools::arena::stats::{Counts, Estimate, FEWEST, SprtResult};
use kagetsu_tools::words;

use super::table::{Room, table};

/// The standings, as lines: an encounter of two with its statistics, or a rating table and, where it has
/// room, a cross table.
pub fn standings(plan: &Plan, standings: &Standings, room: Room) -> String {
    let rest = games(plan, standings);
    if plan.contestants.len() == 2 {
        return duel(plan, standings) + &rest;
    }
    table(plan, standings, Room { lines: room.lines.saturating_sub(rest.lines().count()), ..room }) + &rest
}

/// Returns the lines about all games; none if there are no games.
fn games(plan: &Plan, standings: &Standings) -> String {
    if standings.games() == 0 {
        return String::new();
    }
    let ends: Vec<String> = standings.ends().iter().map(|(end, n)| format!("{end} {n}")).collect();
    let black = standings.black();
    let openings = if plan.opening_rule.is_some() { choosers(standings) } else { one_colored(standings) };
    let mut text = format!("Black scores {:.1} %; {openings}\nends: {}\n", percent(black), ends.join(", "));
    // Writing to a string cannot fail.
    for (&(engine, kind), n) in standings.faults() {
        let _ = writeln!(text, "{} lost {n} by {kind}", plan.contestants[engine].name);
    }
    text
}

/// Returns how many pairs tell nothing of the engines, because one colour won both games.
fn one_colored(standings: &Standings) -> String {
    let OneColored { pairs, of } = standings.one_colored();
    if of == 0 {
        return "no pair is complete".into();
    }
    let share = 100.0 * pairs as f64 / of as f64;
    format!("{pairs} of {} ({share:.0} %) went to one colour twice", words::count(of, "pair"))
}

/// Returns the results of the player who began and of the player who chose, if the engines played the openings.
fn choosers(standings: &Standings) -> String {
    let OpeningTally { opener, chooser, chooser_black, left } = standings.tally();
    let white = chooser.games() - chooser_black;
    format!(
        "the opener {}, the chooser {}\nthe chooser took Black {chooser_black}, White {white}; left to the opener {left}",
        wdl(opener),
        wdl(chooser)
    )
}

fn duel(plan: &Plan, standings: &Standings) -> String {
    let score = standings.score([0, 1]);
    let all = score.counts();
    let names = [&plan.contestants[0].name, &plan.contestants[1].name];
    let mut text =
        format!("{} - {}: {}, {}\n", names[0], names[1], words::count(all.games(), "game"), wdl(all));
    if let Some(estimate) = score.estimate() {
        let [black, white] = score.by_color;
        let _ = writeln!(text, "as Black {}, as White {}", wdl(black), wdl(white));
        let pairs = &score.pairs;
        let (won, lost) = pairs.decisive();
        let _ = writeln!(
            text,
            "pairs by points 0, 1/2, 1, 3/2, 2: {}; decisive pairs {won}:{lost}",
            join(&pairs.0)
        );
        let _ = writeln!(text, "{}", elo(&estimate, pairs.total().max(1), pairs.total() > 0));
    }
    if let Some(sprt) = &plan.sprt {
        let state = standings.test(sprt);
        let (lower, upper) = sprt.bounds();
        let verdict = match state.verdict {
            SprtResult::Continue => "undecided",
            SprtResult::H0 => "H0 accepted",
            SprtResult::H1 => "H1 accepted",
        };
        let model = match sprt.model {
            kagetsu_tools::arena::stats::Model::Logistic => "",
            kagetsu_tools::arena::stats::Model::Normalized => "normalised ",
        };
        let _ = writeln!(
            text,
            "SPRT {model}[{}, {}]: LLR {:.2} ({lower:.2}, {upper:.2}), {verdict}",
            sprt.elo0, sprt.elo1, state.llr
        );
    }
    text
}

/// Returns the estimate from this number of pairs, or from games if there are none.
fn elo(e: &Estimate, pairs: u64, of_pairs: bool) -> String {
    if !e.reliable {
        return match of_pairs {
            true if pairs >= FEWEST => format!("no error bar: all {pairs} pairs ended alike"),
            _ => format!("no estimate of Elo yet: it needs at least {FEWEST} pairs"),
        };
    }
    let error = |x: f64| if x.is_finite() { format!("{x:.1}") } else { "?".into() };
    format!(
        "Elo {:.1} ± {}, normalised {} ± {}, superior with {:.1} %",
        e.elo,
        error(e.elo_error),
        error(e.nelo),
        error(e.nelo_error),
        100.0 * e.los
    )
}

fn wdl(c: Counts) -> String {
    format!("+{} ={} -{} ({:.1} %)", c.wins, c.draws, c.losses, percent(c))
}

/// Returns the share of the points, in per cent.
pub fn percent(c: Counts) -> f64 {
    100.0 * c.points() / c.games().max(1) as f64
}

fn join(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}
