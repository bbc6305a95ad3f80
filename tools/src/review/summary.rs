//! Sums a review up in words, and as the course of a plot.

use super::judge::{JudgedMove, Quality};
use super::{Node, Review};
use crate::picture::plot::Stage;
use crate::untrusted;
use kagetsu::game::Color;

impl Quality {
    /// Its sign in annotated games, as `??` for a blunder.
    pub const fn symbol(self) -> &'static str {
        match self {
            Quality::Good => "",
            Quality::Inaccuracy => "?!",
            Quality::Mistake => "?",
            Quality::Blunder | Quality::MissedWin => "??",
            Quality::Forbidden(_) => "!",
        }
    }
}

impl JudgedMove {
    /// The judgement in a few words; empty for a good move.
    pub fn remark(&self) -> String {
        match self.quality {
            Quality::Good => String::new(),
            Quality::Inaccuracy => "inaccuracy".into(),
            Quality::Mistake => "mistake".into(),
            Quality::Blunder => match self.score.mate() {
                Some(n) => format!("blunder: {} wins in {}", !self.side, -n),
                None => "blunder".into(),
            },
            Quality::MissedWin => {
                let by = self.by.map_or("", |by| by.name());
                format!("missed win by {by} in {}", self.best.score.mate().unwrap_or_default())
            }
            Quality::Forbidden(kinds) => format!("forbidden ({kinds})"),
        }
    }
}

impl Review {
    /// Players, event, rule and size.
    pub fn title(&self) -> String {
        let Review { game, rule, .. } = self;
        let players = [game.property("PB"), game.property("PW")].map(|name| name.unwrap_or("?"));
        let mut parts = Vec::new();
        if players != ["?", "?"] {
            parts.push(players.join(" - "));
        }
        parts.extend(game.property("EV").map(str::to_owned));
        parts.push(format!("{rule}, {}", game.size));
        untrusted::line(&parts.join(", ")).into_owned()
    }

    /// Returns lines of text: the turning point, missed wins, fouls, the move that decided the game, and its end.
    pub fn summary(&self) -> Vec<String> {
        let named = |(i, m): (usize, &JudgedMove)| format!("{} {}", i + 1, m.name());
        let list = |wanted: &dyn Fn(&JudgedMove) -> bool| -> Vec<String> {
            self.moves.iter().enumerate().filter(|(_, m)| wanted(m)).map(named).collect()
        };
        let mut lines = Vec::new();
        let grave = self.moves.iter().enumerate().filter(|(_, m)| m.quality.is_grave());
        if let Some((i, m)) = grave.max_by(|a, b| a.1.loss().total_cmp(&b.1.loss()).then(b.0.cmp(&a.0))) {
            let (before, after) = (100.0 * m.best_rate(), 100.0 * m.rate());
            let who = m.side;
            lines.push(format!("turned by {}: {who} {before:.0} % -> {after:.0} %", named((i, m))));
        }
        let missed = list(&|m| m.quality == Quality::MissedWin);
        if !missed.is_empty() {
            lines.push(format!("missed wins: {}", missed.join(", ")));
        }
        let fouls = list(&|m| matches!(m.quality, Quality::Forbidden(_)));
        if !fouls.is_empty() {
            lines.push(format!("forbidden moves: {}", fouls.join(", ")));
        }
        lines.extend(self.decided());
        lines.extend(self.nodes.last().and_then(|node| node.end).map(|end| format!("end: {end}")));
        lines
    }

    /// Returns the move after which the same side had a proven win until the end.
    fn decided(&self) -> Option<String> {
        let winner = |node: &Node| node.score.mate().map(|n| if n > 0 { node.side } else { !node.side });
        let last = winner(self.nodes.last()?)?;
        let run = self.nodes.iter().rev().take_while(|node| winner(node) == Some(last)).count();
        let first = self.nodes.len() - run;
        (run > 1).then(|| match self.steps.iter().filter(|step| step.after <= first).count() {
            0 => format!("{last} had a proven win from the start"),
            moves => format!("{last} had a proven win from move {moves} on"),
        })
    }

    /// Black's chances before the first move and after each one, with the names of the moves that changed the game.
    pub fn stages(&self) -> Vec<Stage> {
        let start = self.nodes.first().map(|node| {
            let own = node.score.win_rate(self.rule);
            Stage { black: if node.side == Color::Black { own } else { 1.0 - own }, name: None }
        });
        let stage = |(i, m): (usize, &JudgedMove)| Stage {
            black: m.black(),
            name: m.quality.is_grave().then(|| format!("{} {}", i + 1, m.name())),
        };
        start.into_iter().chain(self.moves.iter().enumerate().map(stage)).collect()
    }
}
