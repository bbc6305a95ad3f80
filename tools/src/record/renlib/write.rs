//! Writes a library, siblings in the order of their points as RenLib keeps them.

use super::{
    BOARD_TEXT, CENTER, COMMENT, EXTENDED, HEADER, LEAF, LINES, MAGIC, MARK, NO_MOVE, SIBLING, START,
    VERSION, byte_of,
};
use crate::record::charset::Charset;
use crate::record::notes::Note;
use crate::record::tree::{NodeId, Step, Tree};
use crate::record::{Game, WriteError};
use kagetsu::game::Move;

/// A node of the file.
#[derive(Clone, Copy)]
enum Entry<'a> {
    /// A node of the tree.
    Node(NodeId),
    /// A text at a point, which is given as the file has it.
    Label(u8, &'a str),
}

/// Writes a library. What [`HOLDS`](super::HOLDS) does not name is left out.
///
/// # Errors
/// If a text has characters that the encoding lacks.
pub fn write(game: &Game, charset: Charset) -> Result<Vec<u8>, WriteError> {
    let tree = &game.tree;
    let mut out = Vec::with_capacity(HEADER + 2 * tree.len());
    out.extend(MAGIC);
    out.extend([VERSION.0, VERSION.1]);
    out.resize(HEADER, 0xff);
    let mut open: Vec<(Entry<'_>, bool)> = vec![(Entry::Node(first_node(tree)), false)];
    let (mut nodes, mut children) = (Vec::new(), Vec::new());
    while let Some((entry, sibling)) = open.pop() {
        let links = if sibling { SIBLING } else { 0 };
        let id = match entry {
            Entry::Node(id) => id,
            Entry::Label(point, label) => {
                out.extend([point, links | LEAF | NO_MOVE | EXTENDED, 0, BOARD_TEXT]);
                text(&mut out, &encode(label, charset)?);
                continue;
            }
        };
        join(tree, id, &mut nodes);
        children.extend(moves_after(tree, &nodes).map(Entry::Node));
        children.extend(nodes.iter().flat_map(|&node| labels(tree, node)));
        children.sort_by_key(|child| match *child {
            Entry::Node(id) => point(tree, id),
            Entry::Label(point, _) => point,
        });
        let links = links | if children.is_empty() { LEAF } else { 0 };
        node(&mut out, tree, &nodes, links, charset)?;
        // The stack returns the first child first. All children but the last have a sibling after them.
        let last = children.len().wrapping_sub(1);
        open.extend(children.drain(..).enumerate().rev().map(|(i, child)| (child, i != last)));
    }
    Ok(out)
}

/// The node that a library begins with: standard libraries with the first stone on h8, others with an empty root. RenLib
/// takes the first node without a point for the root, so that a library with a pass needs one.
fn first_node(tree: &Tree) -> NodeId {
    let mut nodes = Vec::new();
    join(tree, NodeId::ROOT, &mut nodes);
    let mut moves = moves_after(tree, &nodes);
    let only = moves.next().filter(|_| moves.next().is_none());
    let is_pass =
        |step: Step| matches!(step, Step::Enter(id) if matches!(tree.turn(id), Some((_, Move::Pass))));
    let is_standard = only.is_some_and(|id| point(tree, id) == CENTER)
        && nodes.iter().all(|&node| tree.notes(node).next().is_none())
        && !tree.walk().any(is_pass);
    only.filter(|_| is_standard).unwrap_or(NodeId::ROOT)
}

/// Fills `nodes` with a node and the nodes without a move that follow it. RenLib takes every node for a turn,
/// so the notes of such nodes are joined to the node before them.
fn join(tree: &Tree, id: NodeId, nodes: &mut Vec<NodeId>) {
    nodes.clear();
    nodes.push(id);
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        nodes.extend(tree.children(node).filter(|&child| tree.turn(child).is_none()));
        next += 1;
    }
}

/// The nodes with a move that follow joined nodes.
fn moves_after<'a>(tree: &'a Tree, nodes: &'a [NodeId]) -> impl Iterator<Item = NodeId> + 'a {
    let children = nodes.iter().flat_map(move |&node| tree.children(node));
    children.filter(move |&child| tree.turn(child).is_some())
}

/// The texts at points of a node's position. RenLib has them at the nodes of the points, which are no moves.
fn labels(tree: &Tree, id: NodeId) -> impl Iterator<Item = Entry<'_>> {
    tree.notes(id).filter_map(|note| match note {
        Note::Label(p, text) => Some(Entry::Label(byte_of(p), text)),
        _ => None,
    })
}

fn point(tree: &Tree, id: NodeId) -> u8 {
    tree.point(id).map_or(0, byte_of)
}

/// Writes joined nodes as the first of them.
fn node(
    out: &mut Vec<u8>,
    tree: &Tree,
    nodes: &[NodeId],
    links: u8,
    charset: Charset,
) -> Result<(), WriteError> {
    let id = nodes[0];
    let mut flags = links;
    let mut comments = Vec::new();
    let mut board_texts = Vec::new();
    for (node, note) in nodes.iter().flat_map(|&node| tree.notes(node).map(move |note| (node, note))) {
        match note {
            Note::Comment(text) => comments.push(text),
            Note::BoardText(text) if node == id => board_texts.push(text),
            // A node without a stone has no point for the text.
            Note::BoardText(text) => comments.push(text),
            Note::Marked => flags |= MARK,
            Note::Start => flags |= START,
            _ => {}
        }
    }
    // A node has room for one of each.
    let comment = (!comments.is_empty()).then(|| comments.join("\n"));
    let board_text = (!board_texts.is_empty()).then(|| board_texts.join(" "));
    flags |= if comment.is_some() { COMMENT } else { 0 };
    flags |= if board_text.is_some() { EXTENDED } else { 0 };
    out.extend([point(tree, id), flags]);
    if board_text.is_some() {
        out.extend([0, BOARD_TEXT]);
    }
    if let Some(comment) = comment {
        let lines = comment.split_once('\n').map(|(one, more)| (encode(one, charset), encode(more, charset)));
        match lines {
            None => text(out, &encode(&comment, charset)?),
            Some((one, more)) => {
                let mut bytes = one?;
                bytes.push(LINES);
                bytes.extend(more?);
                text(out, &bytes);
            }
        }
    }
    if let Some(board_text) = board_text {
        text(out, &encode(&board_text, charset)?);
    }
    Ok(())
}

/// The bytes of a text, with line ends as RenLib has them. The characters that end or divide a text become blanks.
fn encode(text: &str, charset: Charset) -> Result<Vec<u8>, WriteError> {
    let text = text.replace(['\0', char::from(LINES)], " ").replace('\n', "\r\n");
    let bytes = charset.encode(&text).ok_or(WriteError::Charset(charset.name()))?;
    Ok(bytes.into_owned())
}

/// Appends a text with its zeros, in all an even number of bytes.
fn text(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(bytes);
    out.extend(if bytes.len().is_multiple_of(2) { &[0, 0][..] } else { &[0] });
}
