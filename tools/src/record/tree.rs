//! The tree of moves of a game or a library: variations, and notes at its nodes.
//!
//! Libraries have millions of nodes, so a node is 16 bytes in one array and its links are indices. Nothing here
//! recurses: a file may be one line of a million moves. Children form a ring that starts at the last one, which makes
//! appending and walking both constant per node.

use super::notes::{Note, Notes};
use kagetsu::game::{Color, Move, POINTS, Point};

/// A node of the [`Tree`] that made it. Another tree has another node of this number, or none: then its
/// methods panic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root of every tree. It has no move of its own.
    pub const ROOT: NodeId = NodeId(0);

    /// Position in arrays with one element a node, in the order in which the nodes were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// No node.
const NONE: u32 = u32::MAX;
/// A node without a move.
const NO_TURN: u16 = u16::MAX;
/// The stored turn's colour; below it a point, or [`POINTS`] for a pass.
const WHITE: u16 = 1 << 15;

#[derive(Clone, Copy, Debug)]
struct Node {
    turn: u16,
    parent: u32,
    /// The last child, or [`NONE`].
    last_child: u32,
    /// The next sibling; the last one's is the first one.
    next: u32,
}

/// A step of a walk through a tree, depth first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// To a node, after its parent and before its children.
    Enter(NodeId),
    /// Back from a node, after all its children.
    Leave(NodeId),
}

/// Moves with variations and notes.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    notes: Notes,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::with_capacity(1)
    }
}

impl Tree {
    /// A root alone, with room for `nodes` nodes.
    pub fn with_capacity(nodes: usize) -> Tree {
        let mut tree = Tree { nodes: Vec::with_capacity(nodes.max(1)), notes: Notes::default() };
        tree.nodes.push(Node { turn: NO_TURN, parent: NONE, last_child: NONE, next: 0 });
        tree
    }

    /// Number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is nothing but a root without notes.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1 && self.notes.is_empty()
    }

    /// Gives back memory that no node and no note uses.
    pub fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.notes.shrink();
    }

    /// Appends a child behind the children of `parent`: a turn, or none for a node of notes or setup stones.
    ///
    /// # Panics
    /// With 4 billion nodes, or if the parent is none of them.
    pub fn add(&mut self, parent: NodeId, turn: Option<(Color, Move)>) -> NodeId {
        let id = u32::try_from(self.nodes.len()).ok().filter(|&id| id != NONE).expect("room for a node");
        let last = self.nodes[parent.index()].last_child;
        let next = if last == NONE { id } else { std::mem::replace(&mut self.nodes[last as usize].next, id) };
        self.nodes[parent.index()].last_child = id;
        self.nodes.push(Node { turn: pack(turn), parent: parent.0, last_child: NONE, next });
        NodeId(id)
    }

    /// The move of a node, with its colour.
    pub fn turn(&self, id: NodeId) -> Option<(Color, Move)> {
        let turn = self.nodes[id.index()].turn;
        if turn == NO_TURN {
            return None;
        }
        let color = if turn & WHITE == 0 { Color::Black } else { Color::White };
        let index = usize::from(turn & !WHITE);
        Some((color, Point::from_index(index).map_or(Move::Pass, Move::Place)))
    }

    /// The point of a node's stone.
    pub fn point(&self, id: NodeId) -> Option<Point> {
        self.turn(id).and_then(|(_, m)| m.point())
    }

    /// The parent, of any node but the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        link(self.nodes[id.index()].parent)
    }

    /// The first child: the main line goes on there.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        let last = link(self.nodes[id.index()].last_child)?;
        Some(NodeId(self.nodes[last.index()].next))
    }

    /// The next child of the same parent.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.parent(id)?;
        let last = self.nodes[parent.index()].last_child == id.0;
        (!last).then(|| NodeId(self.nodes[id.index()].next))
    }

    /// The children in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |&child| self.next_sibling(child))
    }

    /// The root, its first child, that one's first child, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.first_child(id))
    }

    /// The nodes from the root to `id`, both included.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// Every node, depth first, children in order.
    pub fn walk(&self) -> impl Iterator<Item = Step> + '_ {
        std::iter::successors(Some(Step::Enter(NodeId::ROOT)), |&step| match step {
            Step::Enter(id) => Some(self.first_child(id).map_or(Step::Leave(id), Step::Enter)),
            Step::Leave(id) => match self.next_sibling(id) {
                Some(sibling) => Some(Step::Enter(sibling)),
                None => self.parent(id).map(Step::Leave),
            },
        })
    }

    /// Adds notes to a node. They are kept in one fixed order; equal ones in the order given.
    ///
    /// # Panics
    /// If the tree then has 4 GiB of text.
    pub fn annotate<'a>(&mut self, id: NodeId, notes: impl IntoIterator<Item = Note<'a>>) {
        let own = self.point(id);
        self.notes.add(id.0, notes.into_iter().map(|note| placed(note, own)));
    }

    /// Adds notes to nodes, in any order of the nodes. For many notes this is faster than [`annotate`](Self::annotate).
    ///
    /// # Panics
    /// If the tree then has 4 GiB of text.
    pub fn annotate_each<'a>(&mut self, notes: impl IntoIterator<Item = (NodeId, Note<'a>)>) {
        let notes = notes.into_iter().map(|(id, note)| (id.0, placed(note, self.point(id))));
        let notes: Vec<_> = notes.collect();
        self.notes.add_each(notes);
    }

    /// The notes of a node.
    pub fn notes(&self, id: NodeId) -> impl Iterator<Item = Note<'_>> {
        self.notes.of(id.0)
    }

    /// The comment of a node, the first one if there are several.
    pub fn comment(&self, id: NodeId) -> Option<&str> {
        self.comments(id).next()
    }

    /// The comments of a node.
    pub fn comments(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.notes(id).filter_map(|note| match note {
            Note::Comment(text) => Some(text),
            _ => None,
        })
    }
}

/// Equal moves, variations and notes, in whatever order the nodes were made.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let same = |a: NodeId, b: NodeId| self.turn(a) == other.turn(b) && self.notes(a).eq(other.notes(b));
        self.len() == other.len()
            && self.walk().zip(other.walk()).all(|steps| match steps {
                (Step::Enter(a), Step::Enter(b)) => same(a, b),
                (Step::Leave(_), Step::Leave(_)) => true,
                _ => false,
            })
    }
}

impl Eq for Tree {}

/// A note of a node with a stone on this point: a label there is the node's board text.
fn placed(note: Note<'_>, own: Option<Point>) -> Note<'_> {
    match note {
        Note::Label(p, text) if Some(p) == own => Note::BoardText(text),
        note => note,
    }
}

fn link(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

fn pack(turn: Option<(Color, Move)>) -> u16 {
    let Some((color, m)) = turn else { return NO_TURN };
    let index = m.point().map_or(POINTS, Point::index) as u16;
    if color == Color::White { index | WHITE } else { index }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn black(x: usize) -> Option<(Color, Move)> {
        Some((Color::Black, Move::Place(Point::new(x, 0))))
    }

    #[test]
    fn a_node_is_small() {
        assert!(size_of::<Node>() <= 16);
    }

    #[test]
    fn walks_children_in_order() {
        let mut tree = Tree::default();
        let a = tree.add(NodeId::ROOT, black(1));
        let b = tree.add(NodeId::ROOT, Some((Color::White, Move::Pass)));
        let c = tree.add(a, black(2));
        let d = tree.add(NodeId::ROOT, None);
        assert_eq!(tree.children(NodeId::ROOT).collect::<Vec<_>>(), [a, b, d]);
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [NodeId::ROOT, a, c]);
        let entered: Vec<_> =
            tree.walk().filter_map(|s| if let Step::Enter(n) = s { Some(n) } else { None }).collect();
        assert_eq!(entered, [NodeId::ROOT, a, c, b, d]);
        assert_eq!(tree.walk().filter(|s| matches!(s, Step::Leave(_))).count(), 5);
        assert_eq!(tree.turn(b), Some((Color::White, Move::Pass)));
        assert_eq!(tree.turn(d), None);
        assert_eq!(tree.path(c), [NodeId::ROOT, a, c]);
    }

    #[test]
    fn equality_is_that_of_the_content() {
        let mut one = Tree::default();
        let a = one.add(NodeId::ROOT, black(1));
        one.add(NodeId::ROOT, black(2));
        one.add(a, black(3));
        let mut two = Tree::default();
        let a = two.add(NodeId::ROOT, black(1));
        let deep = two.add(a, black(3));
        two.add(NodeId::ROOT, black(2));
        assert_eq!(one, two);
        two.annotate(deep, [Note::Comment("x")]);
        assert_ne!(one, two);
    }
}
