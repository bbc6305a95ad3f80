//! The positions looked at so far, and which question comes next.
//!
//! Each position is kept once, whatever moves and symmetries lead to it. Its effort estimates the work left
//! ([`super::effort`]): for a turn that of the easiest move, for a defence the sum over the replies. A descent from the root
//! follows the easiest move and the hardest reply, so that a move that fails, fails early; every second descent follows the
//! easiest reply.

use std::collections::{BTreeSet, HashMap};

use super::Question;
use super::effort::{self, Effort, FIRST_THREAT, HOPELESS, NODES};
use super::fact::{Answer, Ask, Fact};
use super::store::RecordOffset;
use kagetsu::book::Key;
use kagetsu::game::{Color, Move, Point, Position, Size};

/// Number of replies that are tried without a search for the best.
const FEW: usize = 2;

/// A position of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// Its place among [`Tree::ids`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move from a position, in the orientation of its key.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The move.
    pub point: Point,
    /// The position after it, once it has been looked at.
    pub node: Option<NodeId>,
    guess: Effort,
}

/// State of a position.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position.
    pub key: Key,
    /// Estimated effort left; 0 if the attacker's win is proven.
    pub effort: Effort,
    /// Place of the proof of a win by threats; at a defence, of one after a pass.
    pub win: Option<RecordOffset>,
    /// Moves that need a search: for the defender, those that disturb the win found after a pass.
    pub edges: Vec<Edge>,
    /// Nodes of the solvers for this position itself.
    pub nodes: u64,
    /// Whether the moves have been compared by a search.
    pub ranked: bool,
    guess: Effort,
    parents: Vec<NodeId>,
    tried: usize,
    exhausted: bool,
    refuted: bool,
    busy: bool,
}

impl Node {
    fn new(key: Key, guess: Effort) -> Node {
        Node {
            key,
            effort: guess,
            win: None,
            edges: Vec::new(),
            nodes: 0,
            ranked: false,
            guess,
            parents: Vec::new(),
            tried: 0,
            exhausted: false,
            refuted: false,
            busy: false,
        }
    }

    /// Returns whether the attacker's win is proven.
    pub fn is_proven(&self) -> bool {
        self.effort == 0
    }

    /// The positions from which the search came to this one, each once for every move that leads here. Replies that a
    /// win found later covers are among these moves, though no longer among the edges.
    pub fn parents(&self) -> &[NodeId] {
        &self.parents
    }

    /// Returns whether anything has been asked about the position.
    pub fn is_visited(&self) -> bool {
        self.tried > 0
    }

    /// The next search for a win by threats, and its effort.
    fn search(&self) -> Option<(Effort, Ask)> {
        let next = self.tried;
        let open = !self.exhausted && self.win.is_none() && next < NODES.len();
        open.then(|| (effort::of_search(next), Ask::Win(next)))
    }
}

/// The next task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The position.
    pub node: NodeId,
    /// The question.
    pub ask: Ask,
}

/// Result of descending from a position to a task.
enum Descent {
    Found(Task),
    /// All that could be done here is being done.
    Busy,
    /// A position turned out to be known already, so efforts have changed.
    Changed,
}

/// The positions.
pub struct Tree {
    size: Size,
    attacker: Color,
    nodes: Vec<Node>,
    index: HashMap<Key, NodeId>,
    edges: usize,
    /// Tasks given out so far.
    given: u64,
}

impl Tree {
    /// Creates a tree that has only the position of the question.
    pub fn new(question: &Question) -> Tree {
        let mut tree = Tree {
            size: question.position.size(),
            attacker: question.attacker,
            nodes: Vec::new(),
            index: HashMap::new(),
            edges: 0,
            given: 0,
        };
        let key = Key::of(&question.position).0;
        tree.nodes.push(Node::new(key.clone(), effort::of_score(0)));
        tree.index.insert(key, tree.root());
        tree
    }

    /// The position of the question.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// A position.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// All positions, in the order in which they were met.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The node of a position that was looked at.
    pub fn find(&self, key: &Key) -> Option<NodeId> {
        self.index.get(key).copied()
    }

    /// Returns whether the attacker is to move.
    pub fn is_turn(&self, id: NodeId) -> bool {
        self.node(id).key.side() == self.attacker
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the estimated effort of a move: that of its position if the tree has it, else the guess.
    pub fn effort(&self, edge: &Edge) -> Effort {
        edge.node.map_or(edge.guess, |id| self.node(id).effort)
    }

    /// Memory that the tree takes, about.
    pub fn memory(&self) -> usize {
        // Each key is stored twice, with its points on the heap; edges come from vectors of the right size.
        let node = size_of::<Node>() + 2 * (size_of::<Key>() + 2 * size_of::<usize>()) + 128;
        self.nodes.len() * node + self.edges * size_of::<Edge>()
    }

    /// Returns the next question, whose position stays taken until the answer comes. Returns `None` if there
    /// is no question, or if other workers have taken all that come first.
    pub fn select(&mut self) -> Option<Task> {
        loop {
            if matches!(self.node(self.root()).effort, 0 | HOPELESS) {
                return None;
            }
            match self.descend(self.root()) {
                Descent::Found(task) => {
                    self.given += 1;
                    self.node_mut(task.node).busy = true;
                    return Some(task);
                }
                Descent::Busy => return None,
                Descent::Changed => {}
            }
        }
    }

    fn descend(&mut self, id: NodeId) -> Descent {
        let turn = self.is_turn(id);
        let node = self.node(id);
        if node.busy {
            return Descent::Busy;
        }
        let first = if turn { 0 } else { FIRST_THREAT };
        let search = node.search();
        let ask = match search {
            _ if node.tried == 0 => Some(Ask::Win(first)),
            Some((effort, ask)) if effort < self.rest(id) => Some(ask),
            _ if !node.ranked && (turn || node.edges.len() > FEW) => Some(Ask::Moves),
            _ => None,
        };
        if let Some(ask) = ask {
            return Descent::Found(Task { node: id, ask });
        }
        for i in self.order(id) {
            let child = match self.node(id).edges[i].node {
                Some(child) => child,
                None => match self.link(id, i) {
                    Some(child) => child,
                    None => return Descent::Changed,
                },
            };
            match self.descend(child) {
                Descent::Busy => {}
                step => return step,
            }
        }
        Descent::Busy
    }

    /// Returns the moves to follow, as places in the list of edges: the easiest choice or the hardest reply first.
    /// Every second task follows the easiest replies to threats. Otherwise one deep variation would hold up all others,
    /// and hardly any position with few stones would be proven.
    fn order(&self, id: NodeId) -> Vec<usize> {
        let node = self.node(id);
        let sweep = !self.given.is_multiple_of(2) && node.win.is_some();
        let easy = self.is_turn(id) || sweep;
        let edges = node.edges.iter().enumerate().map(|(i, edge)| (self.effort(edge), i));
        let mut order: Vec<_> = edges.filter(|&(effort, _)| !matches!(effort, 0 | HOPELESS)).collect();
        // Ties go to the first.
        order.sort_unstable_by_key(|&(effort, i)| (if easy { effort } else { HOPELESS - effort }, i));
        order.into_iter().map(|(_, i)| i).collect()
    }

    /// Finds or creates the position after a move. Returns `None` if the position was there already with
    /// another effort.
    fn link(&mut self, id: NodeId, edge: usize) -> Option<NodeId> {
        let Edge { point, guess, .. } = self.node(id).edges[edge];
        let mut position = self.node(id).key.position(self.size);
        position.push(Move::Place(point)).expect("an edge's point is free");
        let key = Key::of(&position).0;
        let next = NodeId(self.nodes.len() as u32);
        let child = *self.index.entry(key.clone()).or_insert(next);
        if child == next {
            self.nodes.push(Node::new(key, guess));
        }
        self.node_mut(child).parents.push(id);
        self.node_mut(id).edges[edge].node = Some(child);
        if self.node(child).effort == guess {
            return Some(child);
        }
        self.update(id);
        None
    }

    /// Puts an answer to a task into the tree; `place` is where its proof is kept.
    pub fn learn(&mut self, task: &Task, fact: &Fact, place: RecordOffset) {
        let turn = self.is_turn(task.node);
        let edges = self.node(task.node).edges.len();
        let node = self.node_mut(task.node);
        node.busy = false;
        node.nodes += fact.nodes;
        if let Ask::Win(step) = task.ask {
            node.tried = step + 1;
        }
        match &fact.answer {
            Answer::Won { replies } => {
                node.win = Some(place);
                if !turn {
                    node.keep(replies, effort::of_reply(true));
                }
            }
            Answer::Open { exhausted, replies } => {
                node.exhausted = *exhausted;
                // The moves of a turn come from a search; that there is no win by threats does not contradict them.
                if !turn {
                    node.keep(replies, effort::of_reply(false));
                }
            }
            Answer::Refuted => node.refuted = true,
            Answer::Moves { named, others } => node.rank(turn, named, others),
        }
        self.edges += self.node(task.node).edges.len();
        self.edges -= edges;
        self.update(task.node);
    }

    /// Gives a task back without an answer, as if it had not been selected.
    pub fn abandon(&mut self, task: &Task) {
        self.node_mut(task.node).busy = false;
        self.given -= 1;
    }

    /// Effort left, without the searches for a win by threats.
    fn rest(&self, id: NodeId) -> Effort {
        let node = self.node(id);
        let efforts = node.edges.iter().map(|edge| self.effort(edge));
        match self.is_turn(id) {
            true if node.ranked => efforts.min().unwrap_or(HOPELESS),
            true => node.guess.max(effort::EXPANSION),
            // Without a legal reply and without a threat of a five the board is full, or Black has fouls only: no loss.
            false if node.edges.is_empty() && node.win.is_none() => HOPELESS,
            false => effort::sum(efforts),
        }
    }

    fn evaluate(&self, id: NodeId) -> Effort {
        let node = self.node(id);
        let turn = self.is_turn(id);
        if node.refuted {
            return HOPELESS;
        }
        if turn && node.win.is_some() {
            return 0;
        }
        if node.tried == 0 {
            return node.guess;
        }
        let rest = self.rest(id);
        // One reply after which the attacker does not win settles a defence: no win after a pass can cover it.
        if !turn && rest == HOPELESS {
            return HOPELESS;
        }
        node.search().map_or(rest, |(effort, _)| rest.min(effort))
    }

    /// Computes the effort of a position again, and then the efforts of the positions that lead to it, as long as they
    /// change. Returns the number of positions that were evaluated.
    ///
    /// A move adds a stone. Positions with more stones come first, so that each of them is evaluated once:
    /// after all that it leads to, however many orders of moves lead from one to the other.
    fn update(&mut self, id: NodeId) -> usize {
        let mut todo = BTreeSet::from([(self.node(id).key.stones(), id)]);
        let mut evaluated = 0;
        while let Some((_, id)) = todo.pop_last() {
            evaluated += 1;
            let effort = self.evaluate(id);
            if self.node(id).effort != effort {
                self.node_mut(id).effort = effort;
                let parents = self.node(id).parents.iter();
                todo.extend(parents.map(|&parent| (self.node(parent).key.stones(), parent)));
            }
        }
        evaluated
    }

    /// The position after a move, with its node if it has one.
    pub fn after(&self, position: &Position, p: Point) -> Option<(Position, Option<NodeId>)> {
        let mut next = position.clone();
        next.push(Move::Place(p)).ok()?;
        let id = self.find(&Key::of(&next).0);
        Some((next, id))
    }
}

impl Node {
    /// Keeps these moves and no others.
    fn keep(&mut self, points: &[Point], guess: Effort) {
        let old = std::mem::take(&mut self.edges);
        let edge = |&point: &Point| {
            let known = old.iter().find(|edge| edge.point == point).cloned();
            known.unwrap_or(Edge { point, node: None, guess })
        };
        self.edges = points.iter().map(edge).collect();
    }

    /// Orders moves by what a search says of them.
    fn rank(&mut self, turn: bool, named: &[(Point, i32)], others: &[Point]) {
        self.ranked = true;
        if turn {
            let named = (0..).zip(named).map(|(i, &(point, score))| Edge {
                point,
                node: None,
                guess: effort::of_score(score).saturating_add(effort::RANK * i),
            });
            let others = others.iter().map(|&point| Edge { point, node: None, guess: effort::UNNAMED });
            self.edges = named.chain(others).collect();
            return;
        }
        for edge in self.edges.iter_mut().filter(|edge| edge.node.is_none()) {
            if let Some(&(_, score)) = named.iter().find(|(p, _)| *p == edge.point) {
                edge.guess = edge.guess.max(effort::of_score(score));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::Store;
    use super::*;
    use kagetsu::game::RuleKind;
    use kagetsu::game::notation;

    /// The moves of a turn stay if further searches for threats find nothing.
    #[test]
    fn a_turn_keeps_its_moves() {
        let position = notation::parse("h8h9i9i10", None).unwrap();
        let question = Question { rule: RuleKind::Renju, position, attacker: Color::Black };
        let mut tree = Tree::new(&question);
        let (root, mut store) = (tree.root(), Store::nameless(&question).unwrap());
        assert!(tree.is_turn(root));
        let mut learn = |tree: &mut Tree, ask, answer| {
            let fact = Fact { answer, proof: None, nodes: 1 };
            let place = store.append(&tree.node(root).key.clone(), ask, &fact).unwrap();
            tree.learn(&Task { node: root, ask }, &fact, place);
        };
        let open = |exhausted| Answer::Open { exhausted, replies: Vec::new() };
        let free = tree.node(root).key.position(tree.size());
        let points: Vec<Point> = tree.size().points().filter(|&p| free.is_free(p)).take(3).collect();
        learn(&mut tree, Ask::Win(0), open(false));
        learn(
            &mut tree,
            Ask::Moves,
            Answer::Moves { named: vec![(points[0], 100)], others: points[1..].to_vec() },
        );
        for (step, exhausted) in [(1, false), (2, true)] {
            learn(&mut tree, Ask::Win(step), open(exhausted));
            assert_eq!(tree.node(root).edges.iter().map(|edge| edge.point).collect::<Vec<_>>(), points);
            assert_ne!(tree.node(root).effort, HOPELESS);
        }
    }

    /// Positions one below the other, to each of which two orders of the defender's replies lead from the one
    /// above: a million ways lead from the last to the first.
    #[test]
    fn a_change_reaches_each_position_once() {
        const TIMES: u32 = 20;
        let position = Position::new(Size::S15);
        let question = Question { rule: RuleKind::Renju, position, attacker: Color::Black };
        let mut tree = Tree::new(&question);
        let known = |key, effort| Node { tried: NODES.len(), ranked: true, ..Node::new(key, effort) };
        tree.nodes[0] = known(Key::of(&question.position).0, 1);
        let add = |tree: &mut Tree, above: &[NodeId], position: &Position| {
            let id = NodeId(tree.nodes.len() as u32);
            tree.nodes.push(known(Key::of(position).0, 1));
            for &above in above {
                tree.node_mut(above).edges.push(Edge { point: Point::new(0, 0), node: Some(id), guess: 1 });
                tree.node_mut(id).parents.push(above);
            }
            id
        };
        let after = |position: &Position, points: &[Point]| {
            let mut next = position.clone();
            points.iter().for_each(|&p| next.push(Move::Place(p)).unwrap());
            next
        };
        let (mut last, mut position, mut points) = (tree.root(), question.position, Size::S15.points());
        for _ in 0..TIMES {
            let [first, reply, second, other] = [(); 4].map(|()| points.next().unwrap());
            let defence = add(&mut tree, &[last], &after(&position, &[first]));
            let ends = [reply, other].map(|reply| {
                let turn = add(&mut tree, &[defence], &after(&position, &[first, reply]));
                add(&mut tree, &[turn], &after(&position, &[first, reply, second]))
            });
            position = after(&position, &[first, reply, second, other]);
            last = add(&mut tree, &ends, &position);
        }
        let leaf = tree.node_mut(last);
        (leaf.tried, leaf.guess) = (0, 3);
        assert_eq!(tree.update(last), tree.nodes.len());
        assert_eq!(tree.node(tree.root()).effort, 3 << TIMES);
        assert_eq!(tree.update(last), 1, "nothing has changed");
    }

    /// After the only reply the attacker has no move, so that the defence holds: nothing more is asked about it.
    #[test]
    fn one_reply_that_holds_settles_a_defence() {
        let position = notation::parse("h8h9i9", None).unwrap();
        let question = Question { rule: RuleKind::Renju, position, attacker: Color::Black };
        let (mut tree, mut store) = (Tree::new(&question), Store::nameless(&question).unwrap());
        let free = tree.node(tree.root()).key.position(tree.size());
        let reply = tree.size().points().find(|&p| free.is_free(p)).unwrap();
        for (ask, answer) in [
            (Ask::Win(FIRST_THREAT), Answer::Open { exhausted: false, replies: vec![reply] }),
            (Ask::Win(0), Answer::Open { exhausted: true, replies: Vec::new() }),
            (Ask::Moves, Answer::Moves { named: Vec::new(), others: Vec::new() }),
        ] {
            let task = tree.select().unwrap();
            assert_eq!(task.ask, ask);
            let fact = Fact { answer, proof: None, nodes: 1 };
            let place = store.append(&tree.node(task.node).key.clone(), ask, &fact).unwrap();
            tree.learn(&task, &fact, place);
        }
        assert_eq!((tree.node(tree.root()).effort, tree.select()), (HOPELESS, None));
    }
}
