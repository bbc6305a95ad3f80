//! Survey of a search: the proven positions and the open ones.
//!
//! From the position of the question the survey follows all moves that were searched, until it comes to proven
//! positions. For each defence on the way it lists the replies that are covered, and those that are not.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::tree::{Edge, NodeId, Tree};
use super::{Question, cost};
use kagetsu::game::{Board, Point, Position, RuleKind};
use kagetsu::with_rule;

/// A defence that is not proven lost, with the attacker's move that led there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    /// The position, with the moves that lead to it.
    pub position: Position,
    /// Replies after which the attacker's win is proven, each by its own proof.
    pub proven: Vec<Point>,
    /// Replies after which it is not.
    pub open: Vec<Point>,
    /// Number of replies that do not disturb a win found after a pass.
    pub covered: usize,
}

/// A proven turn that a reply of the defender leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Won {
    /// The position, with the moves that lead to it; the attacker is to move.
    pub position: Position,
    /// Nodes that it took, including failures: see [`super::cost`].
    pub nodes: u64,
    /// Replies that are open in the defence before.
    pub left: usize,
}

/// Proven positions with the same number of stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Their number.
    pub positions: usize,
    /// Nodes that half of them took at most.
    pub median: u64,
    /// The most that one of them took.
    pub most: u64,
}

/// Proven and open positions of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// Whether the position of the question is proven.
    pub whole: bool,
    /// The open defences that lead to proven positions: those with the fewest stones first, among these the ones with the
    /// fewest open replies.
    pub defences: Vec<Defence>,
    /// The proven positions that they lead to: those with the fewest stones first, among these the ones where the fewest
    /// other replies are open, then the costliest.
    pub won: Vec<Won>,
    /// Growth of the cost: all proven positions by their number of stones.
    pub costs: BTreeMap<usize, Cost>,
}

impl Survey {
    /// Looks through a tree.
    pub fn of(tree: &Tree, question: &Question) -> Survey {
        let costs = cost::of_positions(tree);
        let mut surveyor = Surveyor {
            tree,
            costs: &costs,
            rule: question.rule,
            survey: Survey::default(),
            seen: HashSet::new(),
            leads: HashMap::new(),
        };
        let root = tree.root();
        surveyor.survey.whole = tree.node(root).is_proven();
        if !surveyor.survey.whole {
            match tree.is_turn(root) {
                true => surveyor.turn(root, &question.position),
                false => surveyor.defence(root, &question.position),
            };
        }
        let mut survey = surveyor.survey;
        let stones = |position: &Position| position.stones().count();
        survey.won.sort_by_key(|won| (stones(&won.position), won.left, std::cmp::Reverse(won.nodes)));
        survey.defences.sort_by_key(|defence| (stones(&defence.position), defence.open.len()));
        survey.costs = by_stones(tree, &costs);
        survey
    }
}

struct Surveyor<'a> {
    tree: &'a Tree,
    /// The nodes that each position took.
    costs: &'a [u64],
    rule: RuleKind,
    survey: Survey,
    /// Proven positions that were listed.
    seen: HashSet<NodeId>,
    /// Open positions visited so far, and whether a proven position lies behind them.
    leads: HashMap<NodeId, bool>,
}

impl Surveyor<'_> {
    /// Lists an open turn with every move that was tried. Returns whether a proven position lies behind one of them.
    fn turn(&mut self, id: NodeId, position: &Position) -> bool {
        if let Some(&leads) = self.leads.get(&id) {
            return leads;
        }
        let tree = self.tree;
        let tried = |edge: &&Edge| edge.node.is_some_and(|node| tree.node(node).is_visited());
        let mut leads = false;
        for edge in tree.node(id).edges.iter().filter(tried) {
            if let Some((after, Some(child))) = self.step(position, edge.point) {
                leads |= self.defence(child, &after);
            }
        }
        self.leads.insert(id, leads);
        leads
    }

    /// Lists an open defence with every reply. Returns whether a proven position lies behind one of them; if not, the
    /// defence is not listed.
    fn defence(&mut self, id: NodeId, position: &Position) -> bool {
        if let Some(&leads) = self.leads.get(&id) {
            return leads;
        }
        let node = self.tree.node(id);
        let covered = match node.win {
            Some(_) => legal_moves(position, self.rule).saturating_sub(node.edges.len()),
            None => 0,
        };
        let mut defence =
            Defence { position: position.clone(), proven: Vec::new(), open: Vec::new(), covered };
        let mut edges: Vec<&Edge> = node.edges.iter().collect();
        edges.sort_by_key(|edge| std::cmp::Reverse(self.tree.effort(edge)));
        let mut leads = false;
        let mut won = Vec::new();
        for edge in edges {
            let Some((after, child)) = self.step(position, edge.point) else { continue };
            let point = after.moves().last().and_then(|m| m.point()).unwrap_or(edge.point);
            match child {
                Some(child) if self.tree.node(child).is_proven() => {
                    defence.proven.push(point);
                    if self.seen.insert(child) {
                        won.push((after, self.costs[child.index()]));
                    }
                }
                child => {
                    defence.open.push(point);
                    leads |= child.is_some_and(|child| self.turn(child, &after));
                }
            }
        }
        leads |= !defence.proven.is_empty();
        let left = defence.open.len();
        self.survey.won.extend(won.into_iter().map(|(position, nodes)| Won { position, nodes, left }));
        if leads {
            self.survey.defences.push(defence);
        }
        self.leads.insert(id, leads);
        leads
    }

    /// The position after a move in the orientation of the key.
    fn step(&self, position: &Position, point: Point) -> Option<(Position, Option<NodeId>)> {
        let home = kagetsu::book::Key::of(position).1.inverse();
        self.tree.after(position, home.apply(point, self.tree.size()))
    }
}

/// Returns the number of moves of the side to move that are no fouls.
fn legal_moves(position: &Position, rule: RuleKind) -> usize {
    with_rule!(rule, R => {
        let board = Board::<R>::from_position(position);
        board.map_or(0, |board| board.empty().iter().filter(|&p| board.is_legal(p)).count())
    })
}

/// Returns what the proven positions of each number of stones took.
fn by_stones(tree: &Tree, costs: &[u64]) -> BTreeMap<usize, Cost> {
    let mut found: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for id in tree.ids().filter(|&id| tree.node(id).is_proven()) {
        found.entry(tree.node(id).key.stones()).or_default().push(costs[id.index()]);
    }
    let cost = |mut nodes: Vec<u64>| {
        nodes.sort_unstable();
        Cost { positions: nodes.len(), median: nodes[nodes.len() / 2], most: nodes[nodes.len() - 1] }
    };
    found.into_iter().map(|(stones, nodes)| (stones, cost(nodes))).collect()
}
