//! A study in words: the board with the best moves, proven results, threats, and the lines.

use std::io::Write;

use anyhow::Result;

use kagetsu::game::openings26::Opening;
use kagetsu::game::{Color, Diagram, FoulKinds, Point, Position, RuleKind, status};
use kagetsu::search::Score;
use kagetsu_console::draw;
use kagetsu_tools::study::{By, Line, Study, Threat};
use kagetsu_tools::words;

/// Facts of a position that every study of it shares.
pub struct Subject {
    /// The position.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// Points forbidden to Black.
    pub fouls: Vec<(Point, FoulKinds)>,
}

impl Subject {
    /// The subject of a study of this position.
    pub fn new(position: Position, rule: RuleKind) -> Result<Subject> {
        let fouls = status::foul_kinds(&position, rule)?;
        Ok(Subject { position, rule, fouls })
    }

    /// The board, with fouls and the first moves of the best lines.
    pub fn diagram(&self, study: &Study) -> Diagram {
        let mut diagram = Diagram::of(&self.position);
        self.fouls.iter().for_each(|&(p, _)| diagram.mark(p, draw::FOUL));
        for (line, sign) in study.lines.iter().zip('1'..='9') {
            if let Some(p) = line.first() {
                diagram.mark(p, sign);
            }
        }
        diagram
    }

    /// Rule, size, whose turn, and the opening's name.
    pub fn title(&self) -> Vec<String> {
        let Subject { position, rule, .. } = self;
        let mut lines = vec![format!("{rule}, {}, {} to move", position.size(), position.side())];
        lines.extend(Opening::of_game(position, *rule).map(opening_name));
        lines
    }

    /// Returns the certain facts: a proven result, a threat, fouls.
    pub fn facts(&self, study: &Study) -> Vec<String> {
        let side = self.position.side();
        let mut lines = Vec::new();
        if study.is_static {
            lines.push("nothing was searched within the limit: the score is the static evaluation".into());
        }
        if let (Some(by), Some(score)) = (study.proven, study.score()) {
            lines.extend(proof(score, by, side));
        }
        if let Some(threat) = &study.threat {
            lines.push(self.threat(threat));
        }
        if !self.fouls.is_empty() {
            let fouls: Vec<String> = self.fouls.iter().map(|(p, kinds)| format!("{p} ({kinds})")).collect();
            lines.push(format!("fouls for black: {}", fouls.join(", ")));
        }
        let only_fouls = study.best().is_some_and(|p| self.fouls.iter().any(|f| f.0 == p));
        if only_fouls && side == Color::Black {
            lines.push("every point left is a foul".into());
        }
        lines
    }

    fn threat(&self, threat: &Threat) -> String {
        let Threat { win, stops, complete } = threat;
        let opponent = !self.position.side();
        let points: Vec<String> = stops.iter().map(Point::to_string).collect();
        let stops = match (points.is_empty(), complete) {
            (true, true) => "nothing stops it".to_string(),
            (true, false) => "no defence found yet".to_string(),
            (false, true) => format!("only {} stop it", points.join(" ")),
            (false, false) => format!("{} stop it", points.join(" ")),
        };
        let stops = if points.len() == 1 { stops.replace(" stop it", " stops it") } else { stops };
        format!("{opponent} threatens to win by {} in {}; {stops}", win.by.name(), plies(win.length))
    }
}

/// An opening as text, in English, romaji and kanji.
pub fn opening_name(opening: &Opening) -> String {
    format!("opening: {} {} {} ({})", opening.code, opening.romaji, opening.kanji, opening.meaning())
}

fn plies(n: usize) -> String {
    words::count(n, "ply")
}

fn proof(score: Score, by: By, side: Color) -> Option<String> {
    let n = score.mate()?;
    let winner = if n > 0 { side } else { !side };
    Some(format!("proven by {}: {winner} wins in {}", by.name(), plies(n.unsigned_abs() as usize)))
}

/// The work that was done.
pub fn effort(study: &Study) -> String {
    let Study { depth, seldepth, nodes, elapsed, .. } = study;
    let depth = if *depth > 0 { format!("depth {depth}/{seldepth}, ") } else { String::new() };
    let hash = study.hash_permille.map(|n| format!(", hash {:.1} %", n as f64 / 10.0)).unwrap_or_default();
    format!(
        "{depth}{} {}, {} nodes/s, {:.2} s{hash}",
        count(*nodes),
        if *nodes == 1 { "node" } else { "nodes" },
        count(study.nps()),
        elapsed.as_secs_f64()
    )
}

/// A count that is read at a glance: `12.3 M`.
fn count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..10_000_000 => format!("{:.1} k", n as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} M", n as f64 / 1e6),
        _ => format!("{:.1} G", n as f64 / 1e9),
    }
}

/// A line with its number, score and chance.
pub fn line(number: usize, rule: RuleKind, line: &Line) -> String {
    let chance = match line.score.mate() {
        Some(n) if n > 0 => "wins".to_string(),
        Some(_) => "loses".to_string(),
        None => format!("{:.1} %", 100.0 * line.score.win_rate(rule)),
    };
    format!("{number}. {:>6}  {chance:>6}  {}", line.score.to_string(), line.names().join(" "))
}

/// The whole answer.
pub fn print(out: &mut dyn Write, subject: &Subject, study: &Study) -> Result<()> {
    draw::board(out, &subject.diagram(study))?;
    writeln!(out)?;
    for text in subject.title().iter().chain(&subject.facts(study)) {
        writeln!(out, "{text}")?;
    }
    writeln!(out, "{}", effort(study))?;
    for (i, found) in study.lines.iter().enumerate() {
        writeln!(out, "{}", line(i + 1, subject.rule, found))?;
    }
    Ok(())
}
