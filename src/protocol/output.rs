//! Replies as text.

use std::fmt::Write;

use super::square::Square;
use crate::decide::Balanced;
use crate::engine;
use crate::game::{Point, Size};
use crate::search::{Line, Report, Source};

/// Most sets of balancing stones reported.
const BALANCED: usize = 3;

/// Introduction for a person who starts the engine by hand.
pub const INTRODUCTION: &str = concat!(
    "kagetsu ",
    env!("CARGO_PKG_VERSION"),
    ", a gomoku and Renju engine for managers of the Gomocup protocol such as Piskvork; by hand: START 15, BEGIN, END"
);

/// Returns the answer to `ABOUT`, from the manifest: its authors, with an e-mail address between <> if there is one,
/// its country, and its homepage if it has one.
pub fn about() -> String {
    about_of(env!("CARGO_PKG_AUTHORS"), env!("KAGETSU_COUNTRY"), env!("CARGO_PKG_HOMEPAGE"))
}

fn about_of(authors: &str, country: &str, homepage: &str) -> String {
    let (author, email) = authors.split_once('<').unwrap_or((authors, ""));
    let email = email.split_once('>').map_or("", |(address, _)| address);
    let pairs = [
        ("name", "kagetsu"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("author", author.trim()),
        ("country", country),
        ("www", homepage),
        ("email", email),
    ];
    let told = pairs.iter().filter(|(_, value)| !value.is_empty());
    told.map(|(key, value)| format!("{key}=\"{value}\"")).collect::<Vec<_>>().join(", ")
}

/// The answer to `YXSHOWINFO`: the largest `thread_num`, and the binary logarithm of the largest `hash_size` in KiB.
pub fn abilities() -> String {
    let (threads, hash) = (engine::max_threads(), (engine::max_hash() / 1024).ilog2());
    format!("MESSAGE INFO MAX_THREAD_NUM {threads}\nMESSAGE INFO MAX_HASH_SIZE {hash}")
}

/// The answer to `YXSHOWFORBID`: two digits for each number, and a dot at the end.
pub fn fouls(points: impl IntoIterator<Item = Point>, size: Size) -> String {
    let mut text = "FORBID ".to_owned();
    for p in points {
        let Square { x, y } = Square::of(p, size);
        // Writing to a string cannot fail.
        let _ = write!(text, "{x:02}{y:02}");
    }
    text + "."
}

/// Returns a message to the user, in one line.
pub fn message(text: &str) -> String {
    format!("MESSAGE {}", one_line(text))
}

/// Returns a text with its control characters escaped, such as a line break in the name of a file: a manager would take the
/// rest of the text for a reply.
pub fn one_line(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// Returns the answer to `YXDRAW`. The dialect defines none; Yixin-Board shows messages to its user.
pub fn draw(accepted: bool) -> &'static str {
    if accepted { "MESSAGE the draw is accepted" } else { "MESSAGE the draw is refused" }
}

/// Returns squares separated by blanks.
pub fn squares(points: &[Point], size: Size) -> String {
    points.iter().map(|&p| Square::of(p, size).to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns the names of squares, as in a `pv`, separated by blanks.
pub fn names(points: &[Point], size: Size) -> String {
    points.iter().map(|&p| Square::of(p, size).name()).collect::<Vec<_>>().join(" ")
}

/// Returns the results of a balanced search: a line for each of the first sets of stones.
pub fn balanced(found: &[Balanced], size: Size) -> String {
    let mut text = String::new();
    for Balanced { stones, score } in found.iter().take(BALANCED) {
        if let Some(score) = score {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "MESSAGE balance ev {score} pv {}", names(stones, size));
        }
    }
    text
}

/// Returns a report in the form that clients read: one line for each line of play; with `detail` also the best move by
/// itself, for a board that shows it.
pub fn report(report: &Report, size: Size, detail: bool) -> String {
    let mut lines = Vec::new();
    match (report.source, report.lines.first().and_then(|line| line.moves.first())) {
        (Source::Book, Some(&p)) => {
            lines.push(format!("MESSAGE book move {}", Square::of(p, size).name()));
        }
        (Source::Evaluation, Some(_)) => lines.push("MESSAGE nothing searched, static evaluation".into()),
        _ => {}
    }
    lines.extend((1..).zip(&report.lines).map(|(k, line)| line_of_play(report, k, line, size)));
    if let Some(best) = report.lines.first().and_then(|line| line.moves.first()).filter(|_| detail) {
        lines.push(format!("MESSAGE REALTIME BEST {}", Square::of(*best, size)));
    }
    lines.join("\n")
}

fn line_of_play(report: &Report, number: usize, line: &Line, size: Size) -> String {
    let multipv = if report.lines.len() > 1 { format!(" multipv {number}") } else { String::new() };
    format!(
        "MESSAGE depth {}-{}{multipv} ev {} n {} n/ms {} tm {} pv {}",
        report.depth,
        report.seldepth.max(report.depth),
        line.score,
        report.nodes,
        report.nps() / 1000,
        report.elapsed.as_millis(),
        names(&line.moves, size),
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::Score;

    #[test]
    fn reports_in_the_form_that_clients_parse() {
        let line = |score, moves: &[(usize, usize)]| Line {
            score: Score(score),
            moves: moves.iter().map(|&(x, y)| Point::new(x, y)).collect(),
        };
        let mut full = Report {
            source: Source::Search,
            depth: 5,
            seldepth: 9,
            nodes: 1_234_000,
            elapsed: Duration::from_millis(500),
            hash_permille: 0,
            lines: vec![line(-37, &[(7, 7), (0, 14)])],
        };
        let expected = "MESSAGE depth 5-9 ev -37 n 1234000 n/ms 2468 tm 500 pv h8 a1";
        assert_eq!(report(&full, Size::S15, false), expected);
        full.lines.push(line(Score::MATE - 7, &[(1, 14)]));
        let expected = "MESSAGE depth 5-9 multipv 1 ev -37 n 1234000 n/ms 2468 tm 500 pv h8 a1\n\
                        MESSAGE depth 5-9 multipv 2 ev +M7 n 1234000 n/ms 2468 tm 500 pv b1\n\
                        MESSAGE REALTIME BEST 7,7";
        assert_eq!(report(&full, Size::S15, true), expected);
        full.lines.truncate(1);
        for (source, first) in [
            (Source::Book, "MESSAGE book move h8\n"),
            (Source::Evaluation, "MESSAGE nothing searched, static evaluation\n"),
        ] {
            full.source = source;
            let text = report(&full, Size::S15, false);
            assert_eq!(
                text.strip_prefix(first).map(|rest| rest.starts_with("MESSAGE depth 5-9 ")),
                Some(true)
            );
        }
    }

    #[test]
    fn about_leaves_out_an_address_that_is_not_set() {
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            about_of("A. B.", "C", ""),
            format!("name=\"kagetsu\", version=\"{version}\", author=\"A. B.\", country=\"C\"")
        );
        assert!(
            about_of("A. B. <a@b.example>:D", "C", "https://b.example").ends_with(
                "author=\"A. B.\", country=\"C\", www=\"https://b.example\", email=\"a@b.example\""
            )
        );
        assert!(about().contains("author=\"") && !about().contains("=\"\""));
    }

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(message("no\n1,1\\ Č"), "MESSAGE no\\n1,1\\ Č");
    }

    #[test]
    fn fouls_are_pairs_of_two_digits() {
        assert_eq!(fouls([], Size::S15), "FORBID .");
        assert_eq!(fouls([Point::new(3, 14), Point::new(12, 4)], Size::S15), "FORBID 03001210.");
    }
}
