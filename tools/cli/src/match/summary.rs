//! The standings as text.

use std::fmt::Write as _;

use kagetsu_tools::arena::plan::Plan;
use kagetsu_tools::arena::standings::{OneColored, OpeningTally, Standings};
use kagetsu_tools::arena::stats::{Counts, Estimate, FEWEST, Rating, SprtResult};
use kagetsu_tools::words;

/// The standings, as lines: an encounter of two with its statistics, or a rating table and a cross table.
pub fn standings(plan: &Plan, standings: &Standings) -> String {
    let mut text = if plan.contestants.len() == 2 { duel(plan, standings) } else { table(plan, standings) };
    if standings.games() == 0 {
        return text;
    }
    let ends: Vec<String> = standings.ends().iter().map(|(end, n)| format!("{end} {n}")).collect();
    let black = standings.black();
    let openings = if plan.opening_rule.is_some() { choosers(standings) } else { one_colored(standings) };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Black scores {:.1} %; {openings}\nends: {}", percent(black), ends.join(", "));
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

fn table(plan: &Plan, standings: &Standings) -> String {
    let n = plan.contestants.len();
    let ratings = standings.ratings(n);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let width = plan.contestants.iter().map(|c| c.name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!("    {:width$} {:>7} {:>6} {:>6} {:>7}", "engine", "Elo", "±", "games", "score");
    (1..=n).for_each(|rank| {
        let _ = write!(text, " {rank:>11}");
    });
    text.push('\n');
    for (rank, &i) in order.iter().enumerate() {
        let mut total = Counts::default();
        (0..n).filter(|&j| j != i).for_each(|j| total += standings.against(i, j));
        let Rating { elo, error, reliable } = ratings[i];
        let error = if reliable { format!("{error:.1}") } else { "?".into() };
        let _ = write!(
            text,
            "{:>3} {:width$} {elo:>7.1} {error:>6} {:>6} {:>6.1}%",
            rank + 1,
            plan.contestants[i].name,
            total.games(),
            percent(total)
        );
        for &j in &order {
            let cell = standings.against(i, j);
            let shown =
                if i == j { "-".into() } else { format!("{}-{}-{}", cell.wins, cell.draws, cell.losses) };
            let _ = write!(text, " {shown:>11}");
        }
        text.push('\n');
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

fn percent(c: Counts) -> f64 {
    100.0 * c.points() / c.games().max(1) as f64
}

fn join(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}
