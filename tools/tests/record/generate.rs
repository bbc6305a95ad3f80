//! Random games with all features that a format can hold.

use kagetsu::game::{Color, Move, Point, RuleKind, Size};
use kagetsu::random::{Random, RngExt, SeedableRng};
use kagetsu_tools::record::{Feature, Game, GameResult, Mark, NodeId, Note};

pub struct Generator<'a> {
    random: Random,
    holds: &'a [Feature],
    labels_on_stones: bool,
}

/// Texts with everything that could be mistaken for structure.
const TEXTS: [&str; 8] = [
    "x",
    "two words",
    "]",
    "\\",
    "a:b]c\\",
    "五子棋",
    "one line\nand\nmore",
    "\nstarts with an empty line (;B[hh])",
];

impl Generator<'_> {
    pub fn new(seed: u64, holds: &[Feature]) -> Generator<'_> {
        Generator { random: Random::seed_from_u64(seed), holds, labels_on_stones: true }
    }

    /// Labels are on free points only: a format without an order of moves cannot tell a label on an earlier stone from
    /// one on the last stone, which belongs to the move.
    pub fn with_labels_on_free_points(self) -> Self {
        Generator { labels_on_stones: false, ..self }
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.random_range(..n)
    }

    /// True once in `n` times if the format has the feature.
    fn chance(&mut self, feature: Feature, n: usize) -> bool {
        self.holds.contains(&feature) && self.below(n) == 0
    }

    fn text(&mut self) -> &'static str {
        TEXTS[self.below(TEXTS.len())]
    }

    fn point(&mut self, size: Size) -> Point {
        Point::new(self.below(size.side()), self.below(size.side()))
    }

    /// A game on a board of this size, of up to `nodes` nodes.
    pub fn game(&mut self, size: Size, nodes: usize) -> Game {
        let mut game = Game::new(size);
        self.facts(&mut game);
        let mut stack = vec![NodeId::ROOT];
        self.annotate(&mut game, NodeId::ROOT);
        for _ in 0..self.below(nodes) {
            let Some(&parent) = stack.last() else { break };
            let position = game.position(parent).expect("made legally");
            let side = if self.chance(Feature::OutOfTurn, 10) { !position.side() } else { position.side() };
            let turn = if self.chance(Feature::Passes, 10) {
                Some((side, Move::Pass))
            } else if self.chance(Feature::Edits, 10) {
                None
            } else {
                let p = self.point(size);
                position.is_free(p).then_some((side, Move::Place(p)))
            };
            if turn.is_none() && !self.holds.contains(&Feature::Edits) {
                continue;
            }
            let node = game.tree.add(parent, turn);
            self.annotate(&mut game, node);
            stack.push(node);
            if self.chance(Feature::Variations, 4) {
                stack.truncate(self.below(stack.len()) + 1);
            }
        }
        game
    }

    fn facts(&mut self, game: &mut Game) {
        if self.chance(Feature::Rule, 2) {
            game.rule = Some(RuleKind::ALL[self.below(5)]);
        }
        if self.chance(Feature::Result, 2) {
            let results = [GameResult::Draw, GameResult::Win(Color::Black), GameResult::Win(Color::White)];
            game.result = Some(results[self.below(3)]);
        }
        if self.chance(Feature::Players, 2) {
            game.add_property("PB", "Black's name");
            game.add_property("PW", "3rd, 4,5");
        }
        if self.chance(Feature::Event, 2) {
            game.add_property("EV", "cup");
        }
        if self.chance(Feature::Details, 2) {
            game.add_property("DT", "2024-02-29");
            game.add_property("GN", "7 <&\"'>");
            game.add_property("SWAP", "R--");
            if game.rule.is_some() {
                game.add_property("RU", "any & all");
            }
            game.add_property("ON", "I13");
            game.add_property("GC", "good ]]> <b>&amp;");
        }
        if self.chance(Feature::Properties, 2) {
            game.add_property("XX", self.text());
        }
        if self.chance(Feature::Setup, 3) {
            game.first = Color::BOTH[self.below(2)];
            for color in Color::BOTH {
                let p = self.point(game.size);
                if game.setup.iter().all(|s| s.0 != p) {
                    game.setup.push((p, color));
                }
            }
        }
    }

    fn annotate(&mut self, game: &mut Game, node: NodeId) {
        let mut notes = Vec::new();
        let is_root = node == NodeId::ROOT;
        if self.chance(Feature::Comments, 3) {
            notes.push(Note::Comment(self.text()));
        }
        if self.chance(Feature::BoardTexts, 3) {
            notes.push(Note::BoardText(self.text()));
        }
        if self.chance(Feature::NodeMarks, 4) {
            notes.push([Note::Marked, Note::Start][self.below(2)]);
        }
        if self.chance(Feature::Times, 3) && !is_root {
            notes.push(Note::Time(1 + self.below(1 << 20) as u32));
        }
        let p = self.point(game.size);
        let is_stone = || game.position(node).is_ok_and(|position| !position.is_free(p));
        if self.chance(Feature::Labels, 3)
            && Some(p) != game.tree.point(node)
            && (self.labels_on_stones || !is_stone())
        {
            notes.push(Note::Label(p, self.text()));
        }
        if self.chance(Feature::Marks, 3) {
            notes.push(Note::Mark(p, Mark::ALL[self.below(5)]));
            notes.push(Note::Mark(self.point(game.size), Mark::ALL[self.below(5)]));
        }
        if self.chance(Feature::NodeProperties, 3) && !is_root {
            notes.push(Note::Property("DM", "1"));
        }
        if self.chance(Feature::Records, 3) && !is_root {
            notes.push(Note::Property("DB", "w -29980 12 exact"));
        }
        if self.chance(Feature::Scores, 3) && !is_root {
            notes.push(Note::Property("V", "-35"));
        }
        if game.tree.turn(node).is_none() && !is_root {
            let stone = [None, Some(Color::Black), Some(Color::White)][self.below(3)];
            notes.push(Note::Setup(p, stone));
        }
        game.tree.annotate(node, notes);
    }
}

/// The game with its nodes in the order that the format keeps.
#[must_use]
pub fn sorted_by(game: &Game, key: impl Fn(Option<Point>) -> usize) -> Game {
    let mut sorted = Game { tree: Default::default(), ..game.clone() };
    let mut open = vec![(NodeId::ROOT, NodeId::ROOT)];
    let notes: Vec<_> = game.tree.notes(NodeId::ROOT).collect();
    sorted.tree.annotate(NodeId::ROOT, notes);
    while let Some((from, to)) = open.pop() {
        let mut children: Vec<_> = game.tree.children(from).collect();
        children.sort_by_key(|&id| key(game.tree.point(id)));
        for child in children {
            let made = sorted.tree.add(to, game.tree.turn(child));
            sorted.tree.annotate(made, game.tree.notes(child));
            open.push((child, made));
        }
    }
    sorted
}
