//! Reads a library: a flat loop over the nodes, with a stack of the parents whose next child is still to come.

use super::{
    BOARD_TEXT, CENTER, COMMENT, EXTENDED, HEADER, LEAF, LINES, MAGIC, MARK, NO_MOVE, OLD_COMMENT, SIBLING,
    START, VERSION, point_of,
};
use crate::limits::Limits;
use crate::record::charset::Charset;
use crate::record::notes::Note;
use crate::record::tree::{NodeId, Tree};
use crate::record::{Game, ReadError};
use kagetsu::game::{Color, Error, Move, Point, PointSet, Size};

/// Reads a library.
///
/// # Errors
/// The byte, and what was expected there.
pub fn read(bytes: &[u8], charset: Charset) -> Result<Game, ReadError> {
    read_within(bytes, charset, Limits::default())
}

/// Reads a library within these limits of nodes and texts.
///
/// # Errors
/// The errors of [`read`], and an error if the library exceeds a limit.
pub fn read_within(bytes: &[u8], charset: Charset, limits: Limits) -> Result<Game, ReadError> {
    let start = header(bytes)?;
    let mut game = Game::new(Size::S15);
    game.tree = Tree::with_capacity(((bytes.len() - start) / 2 + 1).min(limits.nodes()));
    let mut reader = Reader {
        bytes,
        at: start,
        charset,
        line: Vec::new(),
        occupied: PointSet::EMPTY,
        labels: Vec::new(),
        limits,
    };
    reader.tree(&mut game.tree)?;
    if reader.at < bytes.len() {
        let extra = bytes.len() - reader.at;
        return Err(ReadError::byte(reader.at, format!("{extra} more bytes after the last node")));
    }
    if !reader.labels.is_empty() {
        let labels = reader.labels.iter().map(|(id, p, text)| (*id, Note::Label(*p, text)));
        game.tree.annotate_each(labels);
    }
    game.tree.shrink();
    Ok(game)
}

/// Checks the header and gives its length; the oldest files have none and begin with h8.
fn header(bytes: &[u8]) -> Result<usize, ReadError> {
    if !bytes.starts_with(&MAGIC) {
        let old = bytes.first() == Some(&CENTER);
        return if old { Ok(0) } else { Err(ReadError::byte(0, "the header of a RenLib file was expected")) };
    }
    if bytes.len() < HEADER {
        return Err(ReadError::byte(bytes.len(), "the file ends within the header of 20 bytes"));
    }
    let version = (bytes[8], bytes[9]);
    if version > VERSION {
        let problem =
            format!("version {}.{}: expected {}.{} or older", version.0, version.1, VERSION.0, VERSION.1);
        return Err(ReadError::byte(8, problem));
    }
    Ok(HEADER)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    charset: Charset,
    /// The nodes from the root to the one read last, each with the colour that moves after it.
    line: Vec<(NodeId, Color)>,
    /// The points of their stones.
    occupied: PointSet,
    /// Texts at other points than those of the nodes' stones, each with the node that it belongs to.
    labels: Vec<(NodeId, Point, String)>,
    limits: Limits,
}

/// Texts of a node.
struct Texts {
    comment: Option<String>,
    board: Option<String>,
}

impl<'a> Reader<'a> {
    fn tree(&mut self, tree: &mut Tree) -> Result<(), ReadError> {
        self.line.push((NodeId::ROOT, Color::Black));
        if self.bytes.get(self.at) == Some(&0) {
            let at = self.at;
            let flags = self.root(tree)?;
            if flags & SIBLING != 0 {
                return Err(ReadError::byte(at + 1, "the root cannot have a sibling"));
            }
            if flags & LEAF != 0 {
                return Ok(());
            }
        }
        // Lengths of the line at which a sibling is still to come.
        let mut open: Vec<u32> = Vec::new();
        // Number of siblings still to come that the moves before the file's first leaf announced; `None` before that leaf.
        let mut of_first_line: Option<usize> = None;
        loop {
            let depth = self.line.len();
            let flags = self.node(tree)?;
            let is_leaf = flags & LEAF != 0;
            if is_leaf && of_first_line.is_none() {
                of_first_line = Some(open.len());
            }
            if flags & SIBLING != 0 {
                open.push(depth as u32);
            }
            if !is_leaf {
                continue;
            }
            let Some(depth) = open.pop() else { return Ok(()) };
            if of_first_line.is_some_and(|announced| open.len() < announced) {
                if self.at == self.bytes.len() {
                    warn_of_branch();
                    return Ok(());
                }
                of_first_line = Some(open.len());
            }
            while self.line.len() > depth as usize {
                if let Some(p) = self.line.pop().and_then(|(id, _)| tree.point(id)) {
                    self.occupied.remove(p);
                }
            }
        }
    }

    /// Reads an empty root.
    fn root(&mut self, tree: &mut Tree) -> Result<u8, ReadError> {
        let [_, flags] = self.pair("a node")?;
        let texts = self.texts(flags)?;
        annotate(tree, NodeId::ROOT, flags, &texts, None);
        Ok(flags)
    }

    /// Reads a node as the next child of the last one on the line, and appends it to the line; or a text at a point, which
    /// belongs to the last one on the line.
    fn node(&mut self, tree: &mut Tree) -> Result<u8, ReadError> {
        let at = self.at;
        if tree.len() + self.labels.len() > self.limits.nodes() {
            let problem = self.limits.exceeded("a library of too many nodes", self.limits.nodes());
            return Err(ReadError::byte(at, problem));
        }
        let [byte, flags] = self.pair("a node")?;
        let is_move = flags & NO_MOVE == 0;
        let place = place_of(byte, at)?;
        if let Some(p) = place.filter(|_| is_move) {
            if self.occupied.contains(p) {
                return Err(ReadError::byte(at, Error::Occupied(p)));
            }
            self.occupied.insert(p);
        }
        let mut texts = self.texts(flags)?;
        let (parent, color) = self.line.last().copied().unwrap_or((NodeId::ROOT, Color::Black));
        let mut label = None;
        if let Some(p) = place.filter(|_| !is_move) {
            label = texts.board.take().map(|text| (p, text));
            // A leaf without a comment and marks is a text at a point. A deleted move may keep its comment, its marks and the
            // moves behind it: it stays a node.
            if flags & (LEAF | COMMENT | OLD_COMMENT | MARK | START) == LEAF {
                self.labels.extend(label.map(|(p, text)| (parent, p, text)));
                return Ok(flags);
            }
        }
        let turn = is_move.then(|| (color, place.map_or(Move::Pass, Move::Place)));
        let id = tree.add(parent, turn);
        self.line.push((id, if is_move { !color } else { color }));
        annotate(tree, id, flags, &texts, label.as_ref());
        Ok(flags)
    }

    /// Reads the texts that follow a node's two bytes.
    fn texts(&mut self, flags: u8) -> Result<Texts, ReadError> {
        let further = if flags & EXTENDED != 0 { self.pair("further flags")?[1] } else { 0 };
        let comment = if flags & OLD_COMMENT != 0 {
            Some(self.old_comment()?)
        } else if flags & COMMENT != 0 {
            Some(self.comment()?)
        } else {
            None
        };
        let board = if further & BOARD_TEXT != 0 { Some(self.text()?) } else { None };
        let board = board.map(|bytes| self.charset.decode(bytes).replace("\r\n", "\n"));
        Ok(Texts { comment, board })
    }

    /// Reads a comment: one line, and if there are more, a separator and those.
    fn comment(&mut self) -> Result<String, ReadError> {
        let bytes = self.text()?;
        let charset = self.charset;
        let mut parts = bytes.splitn(2, |&b| b == LINES).map(|part| charset.decode(part));
        let mut text = parts.next().unwrap_or_default().replace("\r\n", "\n");
        if let Some(more) = parts.next() {
            text.push('\n');
            text += &more.replace("\r\n", "\n");
        }
        Ok(text)
    }

    /// Reads a comment of early versions: pairs of bytes of 7 bits up to one whose eighth bit says that it is the last.
    fn old_comment(&mut self) -> Result<String, ReadError> {
        let mut text = String::new();
        let mut ended = false;
        while !ended {
            for byte in self.pair("an old comment's last byte, 0x80 or more")? {
                // The pair's second byte may lie behind the end.
                if !ended && byte & 0x7f != 0 {
                    text.push(old_letter(byte & 0x7f));
                }
                ended |= byte >= 0x80;
            }
        }
        Ok(text.replacen(char::from(LINES), "\n", 1).replace("\r\n", "\n"))
    }

    /// Reads pairs of bytes up to a pair with a zero, and returns the bytes before the zero.
    fn text(&mut self) -> Result<&'a [u8], ReadError> {
        let start = self.at;
        loop {
            match self.pair("the zero that ends a text")? {
                [0, _] => return Ok(&self.bytes[start..self.at - 2]),
                [_, 0] => return Ok(&self.bytes[start..self.at - 1]),
                _ => {}
            }
        }
    }

    fn pair(&mut self, expected: &str) -> Result<[u8; 2], ReadError> {
        let rest = &self.bytes[self.at..];
        let Some(&pair) = rest.first_chunk::<2>() else {
            return Err(ReadError::byte(
                self.bytes.len(),
                format!("the file ends where {expected} was expected"),
            ));
        };
        self.at += 2;
        Ok(pair)
    }
}

/// Warns of a file that ends where siblings of the moves before its first leaf should follow. RenLib writes a branch so: the
/// moves that lead to it keep their flags, but not their siblings.
fn warn_of_branch() {
    log::warn!(
        "the library ends where variations should follow: it is a branch of another one, or was cut off"
    );
}

/// The point of a node that begins at this byte of the file, if it has one.
fn place_of(byte: u8, at: usize) -> Result<Option<Point>, ReadError> {
    if byte == 0 {
        return Ok(None);
    }
    let problem = || format!("0x{byte:02x} is not a point: expected a column 1-15 and a row 0-14");
    point_of(byte).map(Some).ok_or_else(|| ReadError::byte(at, problem()))
}

/// Adds a node's texts and marks to the tree.
fn annotate(tree: &mut Tree, id: NodeId, flags: u8, texts: &Texts, label: Option<&(Point, String)>) {
    let notes = texts.comment.iter().map(|text| Note::Comment(text));
    let notes = notes.chain(texts.board.iter().map(|text| Note::BoardText(text)));
    let notes = notes.chain(label.map(|(p, text)| Note::Label(*p, text)));
    let notes = notes.chain((flags & MARK != 0).then_some(Note::Marked));
    let notes = notes.chain((flags & START != 0).then_some(Note::Start));
    tree.annotate(id, notes);
}

/// A character of an old comment. Six of them are letters of Swedish, as in its national variant of ASCII.
fn old_letter(byte: u8) -> char {
    match byte {
        b'[' => 'Ä',
        b'\\' => 'Ö',
        b']' => 'Å',
        b'{' => 'ä',
        b'|' => 'ö',
        b'}' => 'å',
        _ => char::from(byte),
    }
}
