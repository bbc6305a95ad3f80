//! Notes at the nodes of a tree: comments, marks, setup stones, properties.
//!
//! Few nodes have notes, so they are kept apart from the nodes: 16 bytes each, sorted by node, with their texts in one
//! string.

use kagetsu::game::{Color, POINTS, Point};

/// A sign on a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Mark {
    /// SGF `TR`.
    Triangle,
    /// SGF `SQ`.
    Square,
    /// SGF `CR`.
    Circle,
    /// SGF `MA`.
    Cross,
    /// SGF `SL`.
    Selected,
}

impl Mark {
    /// All marks.
    pub const ALL: [Mark; 5] = [Mark::Triangle, Mark::Square, Mark::Circle, Mark::Cross, Mark::Selected];
}

/// One thing written at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note<'a> {
    /// A point given a stone, or made empty, without a move.
    Setup(Point, Option<Color>),
    /// The side to move.
    Side(Color),
    /// Text about the position; lines end with `\n`.
    Comment(&'a str),
    /// A short text on the board, at the node's own stone.
    BoardText(&'a str),
    /// A short text at another point.
    Label(Point, &'a str),
    /// A sign on a point.
    Mark(Point, Mark),
    /// RenLib's mark of a node.
    Marked,
    /// RenLib's mark of the node that the library opens at.
    Start,
    /// Time used for the move, in milliseconds.
    Time(u32),
    /// Anything else, by its SGF identifier.
    Property(&'a str, &'a str),
}

/// Kinds of notes, in the order in which the notes of a node are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    AddBlack,
    AddWhite,
    Remove,
    Side,
    Comment,
    BoardText,
    Label,
    Mark,
    Marked,
    Start,
    Time,
    Property,
}

/// A note; the meaning of its numbers depends on the kind.
#[derive(Clone, Copy, Debug)]
struct Packed {
    node: u32,
    kind: Kind,
    /// A [`Mark`] or a colour.
    detail: u8,
    /// A point, or the length of a property's identifier.
    point: u16,
    /// Offset of the text, or a time.
    start: u32,
    /// Length of the text.
    len: u32,
}

/// The notes of a tree.
#[derive(Clone, Default, Debug)]
pub(super) struct Notes {
    packed: Vec<Packed>,
    texts: String,
}

impl Notes {
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    pub fn shrink(&mut self) {
        self.packed.shrink_to_fit();
        self.texts.shrink_to_fit();
    }

    /// Adds notes to a node; cheap if no later node has any.
    pub fn add<'a>(&mut self, node: u32, notes: impl Iterator<Item = Note<'a>>) {
        let end = self.packed.partition_point(|p| p.node <= node);
        let later = self.packed.split_off(end);
        for note in notes {
            let packed = self.pack(node, note);
            self.packed.push(packed);
        }
        let first = self.packed.partition_point(|p| p.node < node);
        self.packed[first..].sort_by_key(|p| (p.kind, p.detail, p.point));
        self.packed.extend(later);
    }

    /// Adds notes to any nodes.
    pub fn add_each<'a>(&mut self, notes: impl IntoIterator<Item = (u32, Note<'a>)>) {
        for (node, note) in notes {
            let packed = self.pack(node, note);
            self.packed.push(packed);
        }
        self.packed.sort_by_key(|p| (p.node, p.kind, p.detail, p.point));
    }

    pub fn of(&self, node: u32) -> impl Iterator<Item = Note<'_>> {
        let first = self.packed.partition_point(|p| p.node < node);
        self.packed[first..].iter().take_while(move |p| p.node == node).map(|p| self.unpack(p))
    }

    fn pack(&mut self, node: u32, note: Note<'_>) -> Packed {
        let point = |p: Point| p.index() as u16;
        let (kind, detail, point, text) = match note {
            Note::Setup(p, Some(Color::Black)) => (Kind::AddBlack, 0, point(p), ""),
            Note::Setup(p, Some(Color::White)) => (Kind::AddWhite, 0, point(p), ""),
            Note::Setup(p, None) => (Kind::Remove, 0, point(p), ""),
            Note::Side(color) => (Kind::Side, color as u8, 0, ""),
            Note::Comment(text) => (Kind::Comment, 0, 0, text),
            Note::BoardText(text) => (Kind::BoardText, 0, 0, text),
            Note::Label(p, text) => (Kind::Label, 0, point(p), text),
            Note::Mark(p, mark) => (Kind::Mark, mark as u8, point(p), ""),
            Note::Marked => (Kind::Marked, 0, 0, ""),
            Note::Start => (Kind::Start, 0, 0, ""),
            Note::Time(ms) => {
                return Packed { node, kind: Kind::Time, detail: 0, point: 0, start: ms, len: 0 };
            }
            Note::Property(key, value) => {
                let key = &key[..key.floor_char_boundary(usize::from(u16::MAX))];
                let start = self.store(key);
                self.store(value);
                let len = key.len() + value.len();
                return Packed {
                    node,
                    kind: Kind::Property,
                    detail: 0,
                    point: key.len() as u16,
                    start,
                    len: len as u32,
                };
            }
        };
        let start = if text.is_empty() { 0 } else { self.store(text) };
        Packed { node, kind, detail, point, start, len: text.len() as u32 }
    }

    /// Stores a text and returns its offset.
    fn store(&mut self, text: &str) -> u32 {
        let start = self.texts.len();
        self.texts.push_str(text);
        assert!(u32::try_from(self.texts.len()).is_ok(), "less than 4 GiB of text");
        start as u32
    }

    fn unpack(&self, p: &Packed) -> Note<'_> {
        let text = || &self.texts[p.start as usize..][..p.len as usize];
        let point = Point::from_index(usize::from(p.point)).unwrap_or(Point::new(0, 0));
        debug_assert!(usize::from(p.point) < POINTS || p.kind == Kind::Property);
        match p.kind {
            Kind::AddBlack => Note::Setup(point, Some(Color::Black)),
            Kind::AddWhite => Note::Setup(point, Some(Color::White)),
            Kind::Remove => Note::Setup(point, None),
            Kind::Side => Note::Side(Color::BOTH[usize::from(p.detail)]),
            Kind::Comment => Note::Comment(text()),
            Kind::BoardText => Note::BoardText(text()),
            Kind::Label => Note::Label(point, text()),
            Kind::Mark => Note::Mark(point, Mark::ALL[usize::from(p.detail)]),
            Kind::Marked => Note::Marked,
            Kind::Start => Note::Start,
            Kind::Time => Note::Time(p.start),
            Kind::Property => {
                let (key, value) = text().split_at(usize::from(p.point));
                Note::Property(key, value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_come_back_in_the_fixed_order() {
        assert!(size_of::<Packed>() <= 20);
        let p = Point::new(21, 21);
        let given = [
            Note::Property("V", "3"),
            Note::Time(7),
            Note::Start,
            Note::Marked,
            Note::Mark(p, Mark::Cross),
            Note::Label(p, "é"),
            Note::BoardText("b"),
            Note::Comment("c"),
            Note::Side(Color::White),
            Note::Setup(p, None),
            Note::Setup(p, Some(Color::White)),
        ];
        let mut notes = Notes::default();
        notes.add(5, given.iter().copied());
        notes.add(2, [Note::Comment("early")].into_iter());
        notes.add(5, [Note::Setup(p, Some(Color::Black))].into_iter());
        let mut expected = given.to_vec();
        expected.push(Note::Setup(p, Some(Color::Black)));
        expected.reverse();
        assert_eq!(notes.of(5).collect::<Vec<_>>(), expected);
        assert_eq!(notes.of(2).collect::<Vec<_>>(), [Note::Comment("early")]);
        assert_eq!(notes.of(3).count(), 0);
    }
}
