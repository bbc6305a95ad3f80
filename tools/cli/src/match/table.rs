//! The rating table of three engines or more and, where that has room beside it, the cross table.

use std::fmt::Write as _;

use kagetsu_tools::arena::plan::Plan;
use kagetsu_tools::arena::standings::Standings;
use kagetsu_tools::arena::stats::Rating;
use kagetsu_tools::words;

use super::summary::percent;

/// Room for the standings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Characters of a line.
    pub columns: usize,
    /// Lines.
    pub lines: usize,
}

impl Room {
    /// Room of a file or a pipe: lines of twice the width of the smallest terminals, as many as there are.
    pub const OF_A_FILE: Room = Room { columns: 160, lines: usize::MAX };
}

/// Fewest engines that a table shows, even where it has fewer lines.
const FEWEST: usize = 5;
/// Least width of a cell of the cross table, that of `1-0-1` and a blank.
const NARROWEST: usize = 6;

/// Returns the table for this room. A live table has no lines to spare: those of the last engines are left
/// out, and counted.
pub fn table(plan: &Plan, standings: &Standings, room: Room) -> String {
    let n = plan.contestants.len();
    let (ratings, totals) = (standings.ratings(n), standings.totals(n));
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let width = plan.contestants.iter().map(|c| c.name.chars().count()).max().unwrap_or(0).max(6);
    let head = format!("    {:width$} {:>7} {:>6} {:>6} {:>7}", "engine", "Elo", "±", "games", "score");
    let cross = cross(standings, &order, room.columns.saturating_sub(head.chars().count()));
    let has_room = cross.is_some();
    let mut cells = cross.unwrap_or_default().into_iter();
    let mut line = |start: String| start + &cells.next().unwrap_or_default() + "\n";
    let mut text = line(head);
    // Below the engines stand the line of those left out, and that of the cross table.
    let below = usize::from(!has_room);
    let shown = if n < room.lines.saturating_sub(below) {
        n
    } else {
        room.lines.saturating_sub(2 + below).max(FEWEST).min(n)
    };
    for (rank, &i) in (1..).zip(&order).take(shown) {
        let Rating { elo, error, reliable } = ratings[i];
        let error = if reliable { format!("{error:.1}") } else { "?".into() };
        text += &line(format!(
            "{rank:>3} {:width$} {elo:>7.1} {error:>6} {:>6} {:>6.1}%",
            plan.contestants[i].name,
            totals[i].games(),
            percent(totals[i])
        ));
    }
    // Writing to a string cannot fail.
    if shown < n {
        let _ = writeln!(text, "… and {} more", words::count(n - shown, "engine"));
    }
    if !has_room {
        text += "the cross table has no room here; the last event of --json has every encounter\n";
    }
    text
}

/// Returns the head and the rows of the cross table of engines in this order; `None` if they do not fit into
/// so many columns.
fn cross(standings: &Standings, order: &[usize], columns: usize) -> Option<Vec<String>> {
    if order.len() * NARROWEST > columns {
        return None;
    }
    let cell = |i: usize, j: usize| match standings.against(i, j) {
        _ if i == j => "-".to_owned(),
        counts => format!("{}-{}-{}", counts.wins, counts.draws, counts.losses),
    };
    let head: Vec<String> = (1..=order.len()).map(|rank| rank.to_string()).collect();
    let rows = order.iter().map(|&i| order.iter().map(|&j| cell(i, j)).collect());
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let width = rows.iter().flatten().map(String::len).max()?.max(NARROWEST - 1);
    let row =
        |cells: &Vec<String>| -> String { cells.iter().map(|cell| format!(" {cell:>width$}")).collect() };
    (order.len() * (width + 1) <= columns).then(|| rows.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{plan, record};
    use super::*;

    /// Returns the table of a tournament with a few drawn games. Names have six letters at most.
    fn table_of(engines: usize, room: Room) -> String {
        let plan = plan(engines, Some(2), 1);
        let mut standings = Standings::default();
        (1..=6).for_each(|game| standings.add(&plan, &record(&plan, game, None)));
        table(&plan, &standings, room)
    }

    /// A line has 40 characters, and a cell six more.
    #[test]
    fn a_cross_table_is_shown_where_it_has_room() {
        for (engines, columns, has_room) in [
            (3, 80, true),
            (6, 80, true),
            (7, 80, false),
            (10, 100, true),
            (10, 99, false),
            (20, 160, true),
            (40, 160, false),
            (300, 160, false),
        ] {
            let text = table_of(engines, Room { columns, ..Room::OF_A_FILE });
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.iter().all(|line| line.chars().count() <= columns), "{text}");
            assert_eq!(lines.len(), 1 + engines + usize::from(!has_room), "{text}");
            assert_eq!(lines.last().unwrap().starts_with("the cross table has no room"), !has_room, "{text}");
            assert_eq!(text.matches("0-2-0").count() > 0, has_room, "{text}");
            let last = lines[engines].split_whitespace();
            assert_eq!(last.clone().next(), Some(&*engines.to_string()), "{text}");
            assert_eq!(last.count(), 6 + if has_room { engines } else { 0 }, "{text}");
        }
    }

    #[test]
    fn cells_are_as_wide_as_their_results() {
        let plan = plan(3, Some(3000), 1);
        let mut standings = Standings::default();
        (1..=3000).for_each(|game| standings.add(&plan, &record(&plan, game, None)));
        // A cell of 0-3000-0 and a blank take nine characters.
        for (columns, has_room) in [(40 + 3 * 9, true), (40 + 3 * 9 - 1, false)] {
            let text = table(&plan, &standings, Room { columns, ..Room::OF_A_FILE });
            assert_eq!(text.contains(" 0-3000-0"), has_room, "{text}");
        }
    }

    #[test]
    fn a_live_table_keeps_to_its_lines() {
        for (engines, lines, shown) in [(300, 24, 21), (22, 24, 22), (23, 24, 21), (300, 3, 5), (4, 2, 4)] {
            let text = table_of(engines, Room { columns: 80, lines });
            let rows =
                text.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
            assert_eq!(rows.count(), shown, "{text}");
            let more = format!("\n… and {} more\n", words::count(engines - shown, "engine"));
            assert_eq!(text.contains(&more), shown < engines, "{text}");
            assert!(text.lines().count() <= lines.max(8), "{text}");
        }
    }
}
