//! Judges the moves of a game by the scores of its positions.

use super::Node;
use super::course::PlayedMove;
use crate::study::{By, Line};
use kagetsu::game::{Color, Draw, FoulKinds, Move, Outcome, Point, RuleKind};
use kagetsu::search::Score;

/// The end of a game in which both sides have passed.
pub const PASSED: Option<Outcome> = Some(Outcome::Draw(Draw::TwoPasses));

/// Points lost, in shares of a game, from which a move is called an inaccuracy, a mistake, a blunder.
const LOSSES: [f64; 3] = [0.07, 0.14, 0.28];

/// The judgement of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quality {
    /// It loses little or nothing.
    Good,
    /// A little was lost.
    Inaccuracy,
    /// Much was lost.
    Mistake,
    /// The move loses almost everything, or the opponent's win is now proven.
    Blunder,
    /// There was a proven win, and there is none any more.
    MissedWin,
    /// Black may not play there.
    Forbidden(FoulKinds),
}

impl Quality {
    /// Its name in JSON answers.
    pub const fn name(self) -> &'static str {
        match self {
            Quality::Good => "good",
            Quality::Inaccuracy => "inaccuracy",
            Quality::Mistake => "mistake",
            Quality::Blunder => "blunder",
            Quality::MissedWin => "missed_win",
            Quality::Forbidden(_) => "forbidden",
        }
    }

    /// Returns whether the move changed the game.
    pub const fn is_grave(self) -> bool {
        !matches!(self, Quality::Good | Quality::Inaccuracy)
    }
}

/// A move of the game with its judgement; scores are the mover's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedMove {
    /// The rule of the game.
    pub rule: RuleKind,
    /// The side that moved.
    pub side: Color,
    /// The point; `None` for a pass.
    pub point: Option<Point>,
    /// The best line before the move, with its score.
    pub best: Line,
    /// The method that proved the best line's score.
    pub by: Option<By>,
    /// The score after the move.
    pub score: Score,
    /// The judgement.
    pub quality: Quality,
}

impl JudgedMove {
    /// The part of the points that the move lost.
    pub fn loss(&self) -> f64 {
        (self.best_rate() - self.rate()).max(0.0)
    }

    /// The mover's share of the points with the best move.
    pub fn best_rate(&self) -> f64 {
        self.best.score.win_rate(self.rule)
    }

    /// The mover's share of the points after the move.
    pub fn rate(&self) -> f64 {
        self.score.win_rate(self.rule)
    }

    /// The name of the point.
    pub fn name(&self) -> String {
        self.point.map_or("pass".into(), |p| p.to_string())
    }

    /// Black's share of the points after the move.
    pub fn black(&self) -> f64 {
        let own = self.rate();
        if self.side == Color::Black { own } else { 1.0 - own }
    }
}

/// Makes the score of the position before a move agree with that of the next one: a side that could move into a proven win
/// had a win before.
pub fn agree(before: &mut Node, &PlayedMove { side, turn, .. }: &PlayedMove, next: &Node) {
    let Some(n) = next.score.mate().filter(|&n| n <= 0) else { return };
    let known = before.score.mate().is_some_and(|n| n > 0);
    if let (Move::Place(p), false, true) = (turn, known, before.side == side && next.side != side) {
        let score = Score(Score::MATE - 1 + n);
        before.score = score;
        before.by = next.by.or(Some(By::Search));
        before.line = Line { score, moves: [Some(p)].into_iter().chain(next.line.moves.clone()).collect() };
    }
}

/// Judges a move by the positions before and after it, and the kinds of foul that it was.
pub fn judge(
    rule: RuleKind,
    &PlayedMove { side, turn, .. }: &PlayedMove,
    before: &Node,
    after: &Node,
    foul: Option<FoulKinds>,
) -> JudgedMove {
    let own = |node: &Node| if node.side == side { node.score } else { Score(-node.score.0) };
    let best = Line { score: own(before), moves: before.line.moves.clone() };
    let mut judged = JudgedMove {
        rule,
        side,
        point: turn.point(),
        best,
        by: before.by,
        score: own(after),
        quality: Quality::Good,
    };
    judged.quality = foul.map_or_else(|| quality(&judged), Quality::Forbidden);
    judged
}

/// The judgement of one of the two passes that end a game: a pass that offers a draw, or takes it, loses nothing.
pub fn drawn(pass: JudgedMove) -> JudgedMove {
    JudgedMove { score: Score(0), quality: Quality::Good, ..pass }
}

fn quality(m: &JudgedMove) -> Quality {
    let wins = |score: Score| score.0 >= Score::MATE_BOUND;
    let loses = |score: Score| score.0 <= -Score::MATE_BOUND;
    if m.best.first().is_some() && m.best.first() == m.point {
        return Quality::Good;
    }
    if wins(m.best.score) && !wins(m.score) {
        return Quality::MissedWin;
    }
    if loses(m.score) && !loses(m.best.score) {
        return Quality::Blunder;
    }
    let loss = m.loss();
    match LOSSES.iter().filter(|&&least| loss >= least).count() {
        0 => Quality::Good,
        1 => Quality::Inaccuracy,
        2 => Quality::Mistake,
        _ => Quality::Blunder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::NodeId;

    fn node(side: Color, score: i32, best: usize) -> Node {
        let score = Score(score);
        let line = Line { score, moves: vec![Some(Point::new(best, 0))] };
        Node { id: NodeId::ROOT, side, score, by: None, line, end: None }
    }

    /// The one move of a game.
    fn play(x: usize, side: Color) -> PlayedMove {
        PlayedMove { id: NodeId::ROOT, side, turn: Move::Place(Point::new(x, 0)), before: 0, after: 1 }
    }

    use Color::{Black, White};

    fn judged([before, after]: &[Node; 2], step: PlayedMove) -> JudgedMove {
        super::judge(RuleKind::Renju, &step, before, after, None)
    }

    /// The judgement of a move of Black by the scores before and after it, each from the view of the side to
    /// move.
    fn judge(before: i32, after: i32) -> Quality {
        let nodes = [node(Black, before, 1), node(White, after, 2)];
        judged(&nodes, play(9, Black)).quality
    }

    #[test]
    fn a_move_is_judged_by_what_it_lost() {
        assert_eq!(judge(0, 0), Quality::Good);
        assert_eq!(judge(200, 100), Quality::Blunder);
        assert_eq!(judge(-29_990, 29_989), Quality::Good, "nothing to lose");
        assert_eq!(judge(0, 29_990), Quality::Blunder);
        assert_eq!(judge(29_993, 0), Quality::MissedWin);
        assert_eq!(judge(29_993, -29_900), Quality::Good, "a longer way to win is one");
        assert_eq!(judge(60, 0), Quality::Inaccuracy);
        assert_eq!(judge(60, 60), Quality::Mistake);
    }

    /// From an even position. The shares are those of the README.
    #[test]
    fn each_judgement_begins_at_its_share_of_the_points() {
        let rate = |score| Score(score).win_rate(RuleKind::Renju);
        for (share, below, from) in [
            (0.07, Quality::Good, Quality::Inaccuracy),
            (0.14, Quality::Inaccuracy, Quality::Mistake),
            (0.28, Quality::Mistake, Quality::Blunder),
        ] {
            let first = (1..1000).find(|&after| rate(0) - rate(-after) >= share).unwrap();
            assert_eq!((judge(0, first - 1), judge(0, first)), (below, from), "{first}");
        }
    }

    #[test]
    fn a_draw_by_passes_blames_nobody() {
        let pass = PlayedMove { turn: Move::Pass, ..play(0, Black) };
        let judged = judged(&[node(Black, 300, 1), node(White, 400, 2)], pass);
        assert_eq!(judged.quality, Quality::Blunder, "the game goes on");
        let drawn = drawn(judged);
        assert_eq!((drawn.quality, drawn.score), (Quality::Good, Score(0)));
    }

    #[test]
    fn the_best_move_is_never_blamed() {
        let nodes = [node(Black, 300, 1), node(White, 500, 2)];
        assert_eq!(judged(&nodes, play(1, Black)).quality, Quality::Good);
    }

    #[test]
    fn a_side_that_moves_into_a_win_had_one_before() {
        let agreed = |[mut before, after]: [Node; 2], step: &PlayedMove| {
            agree(&mut before, step, &after);
            [before, after]
        };
        let played = play(3, White);
        let [before, _] = agreed([node(White, 30, 5), node(Black, -29_993, 6)], &played);
        assert_eq!((before.score.mate(), before.by), (Some(8), Some(By::Search)));
        assert_eq!(before.line.first(), Some(Point::new(3, 0)));
        let ended = agreed([node(White, 30, 5), node(Black, -Score::MATE, 6)], &played);
        assert_eq!(ended[0].score.mate(), Some(1), "the move that ended the game");
        assert_eq!(judged(&ended, played).quality, Quality::Good);
        // A win that is known already stays as it is, a pass wins nothing, and the opponent's win is not one's own.
        let pass = PlayedMove { turn: Move::Pass, ..played };
        for (score, next, step) in [(29_997, -29_993, played), (30, -29_993, pass), (30, 29_994, played)] {
            let [before, _] = agreed([node(White, score, 5), node(Black, next, 6)], &step);
            assert_eq!((before.score, before.by), (Score(score), None), "{score} {next}");
        }
    }

    #[test]
    fn chances_are_told_for_black() {
        for (side, share) in [(Black, 0.5..1.0), (White, 0.0..0.5)] {
            let mut nodes = [node(side, 0, 1), node(!side, -200, 2)];
            let better = judged(&nodes, play(9, side));
            assert!(better.rate() > 0.5 && share.contains(&better.black()), "{side}: {}", better.black());
            nodes[1].score = Score(-Score::MATE + 4);
            let won = judged(&nodes, play(9, side));
            assert_eq!(won.black(), if side == Black { 1.0 } else { 0.0 });
        }
    }
}
