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
        let named = |(i, m): (usize, &JudgedMove)| self.named(i, m);
        let list = |wanted: &dyn Fn(&JudgedMove) -> bool| -> Vec<String> {
            self.moves.iter().enumerate().filter(|(_, m)| wanted(m)).map(named).collect()
        };
        let mut lines = Vec::new();
        // A foul in a lost position is grave, but turns nothing.
        let grave = self.moves.iter().enumerate().filter(|(_, m)| m.quality.is_grave() && m.loss() > 0.0);
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
            0 if self.unjudged == 0 => format!("{last} had a proven win from the start"),
            0 => format!("{last} had a proven win from move {} on, or earlier", self.unjudged),
            moves => format!("{last} had a proven win from move {} on", self.unjudged + moves),
        })
    }

    /// The number in the game and the name of a judged move.
    fn named(&self, i: usize, m: &JudgedMove) -> String {
        format!("{} {}", self.unjudged + i + 1, m.name())
    }

    /// Black's chances before the first judged move and after each one, with the names of the moves that changed the game.
    pub fn stages(&self) -> Vec<Stage> {
        let start = self.nodes.first().map(|node| {
            let own = node.score.win_rate(self.rule);
            Stage { black: if node.side == Color::Black { own } else { 1.0 - own }, name: None }
        });
        let stage = |(i, m): (usize, &JudgedMove)| Stage {
            black: m.black(),
            name: m.quality.is_grave().then(|| self.named(i, m)),
        };
        start.into_iter().chain(self.moves.iter().enumerate().map(stage)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Game, NodeId};
    use crate::review::course::PlayedMove;
    use crate::study::Line;
    use kagetsu::game::{Draw, FoulKinds, Move, Outcome, Point, Position, RuleKind, Size};
    use kagetsu::search::Score;

    const RULE: RuleKind = RuleKind::Renju;

    /// A game with these scores of its positions, each that of the side to move, Black first; its moves are a1, b1 and so on.
    fn review(scores: &[i32], qualities: &[Quality]) -> Review {
        let side = |i: usize| Color::BOTH[i % 2];
        let point = |i: usize| Point::new(i, 0);
        let line = |i: usize| Line { score: Score(scores[i]), moves: vec![Some(Point::new(14, 14))] };
        let node = |i: usize| Node {
            id: NodeId::ROOT,
            side: side(i),
            score: Score(scores[i]),
            by: None,
            line: line(i),
            end: None,
        };
        let step = |i: usize| PlayedMove {
            id: NodeId::ROOT,
            side: side(i),
            turn: Move::Place(point(i)),
            before: i,
            after: i + 1,
        };
        let judged = |i: usize| JudgedMove {
            rule: RULE,
            side: side(i),
            point: Some(point(i)),
            best: line(i),
            by: None,
            score: Score(-scores[i + 1]),
            quality: qualities[i],
        };
        Review {
            game: Game::new(Size::S15),
            rule: RULE,
            nodes: (0..scores.len()).map(node).collect(),
            steps: (0..qualities.len()).map(step).collect(),
            moves: (0..qualities.len()).map(judged).collect(),
            unjudged: 0,
            left_out: 0,
            last: Position::new(Size::S15),
        }
    }

    /// The first ten moves of the game are not judged.
    #[test]
    fn moves_of_a_part_have_their_numbers_in_the_game() {
        let part =
            |scores: &[i32], qualities: &[Quality]| Review { unjudged: 10, ..review(scores, qualities) };
        let turned = part(&[0, 0, 29_995, -29_996], &[Quality::Good, Quality::Blunder, Quality::Good]);
        assert!(turned.summary()[0].starts_with("turned by 12 b1: white 50 %"), "{:?}", turned.summary());
        assert_eq!(turned.summary()[1], "black had a proven win from move 12 on");
        let names: Vec<_> = turned.stages().into_iter().map(|stage| stage.name).collect();
        assert_eq!(names, [None, None, Some("12 b1".to_owned()), None]);
        let won = part(&[29_993, -29_994], &[Quality::Good]);
        assert_eq!(won.summary(), ["black had a proven win from move 10 on, or earlier"]);
    }

    #[test]
    fn a_game_is_decided_by_the_win_that_lasts() {
        let decided = |scores: &[i32]| review(scores, &vec![Quality::Good; scores.len() - 1]).decided();
        let said = |text: &str| Some(text.to_owned());
        assert_eq!(decided(&[0, 0, 29_995, -29_996, 29_997]), said("black had a proven win from move 2 on"));
        assert_eq!(decided(&[0, 29_993, -29_994]), said("white had a proven win from move 1 on"));
        assert_eq!(decided(&[29_993, -29_994, 29_995]), said("black had a proven win from the start"));
        assert_eq!(decided(&[29_993, 0, 29_995, -29_996]), said("black had a proven win from move 2 on"));
        assert_eq!(decided(&[29_993, -29_994, 0]), None, "the win was lost");
        assert_eq!(decided(&[0, 0, 29_995]), None, "nobody has played on");
    }

    /// Both moves lose half of the points: the first one turned the game.
    #[test]
    fn the_summary_names_moves_by_number_and_point() {
        let mut game = review(&[0, 29_993, 0], &[Quality::Blunder, Quality::MissedWin]);
        let expected = ["turned by 1 a1: black 50 % -> 0 %", "missed wins: 2 b1"];
        assert_eq!(game.summary(), expected);
        game.nodes[2].end = Some(Outcome::Draw(Draw::FullBoard));
        assert_eq!(game.summary()[2..], ["end: draw: the board is full"]);
        assert!(review(&[0, 0], &[Quality::Inaccuracy]).summary().is_empty());
    }

    #[test]
    fn a_foul_turns_no_lost_game() {
        let foul = Quality::Forbidden(FoulKinds { double_three: true, ..FoulKinds::NONE });
        let [even, lost] = [0, -29_996].map(|score| review(&[score, 29_999], &[foul]).summary());
        assert_eq!(even, ["turned by 1 a1: black 50 % -> 0 %", "forbidden moves: 1 a1"]);
        assert_eq!(lost, ["forbidden moves: 1 a1", "white had a proven win from the start"]);
    }

    #[test]
    fn the_course_is_that_of_black() {
        let mut game = review(&[200, -100, 300], &[Quality::Good, Quality::Blunder]);
        let rate = |score: i32| Score(score).win_rate(RULE);
        let check = |game: &Review, expected: [f64; 3]| {
            let stages = game.stages();
            let shares: Vec<f64> = stages.iter().map(|stage| stage.black).collect();
            assert!(shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{shares:?}");
            let names: Vec<Option<&str>> = stages.iter().map(|stage| stage.name.as_deref()).collect();
            assert_eq!(names, [None, None, Some("2 b1")]);
        };
        check(&game, [rate(200), rate(100), rate(300)]);
        game.nodes[0].side = Color::White;
        check(&game, [rate(-200), rate(100), rate(300)]);
    }
}
