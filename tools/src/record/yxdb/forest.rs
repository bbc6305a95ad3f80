//! Joins the positions of a database into trees. The parent of a position is a position of the database from which one
//! move leads to it; the child is turned to the parent's orientation.
//!
//! The parent is found from the child, by taking back each stone that may have been the last and looking the rest up
//! under all symmetries. Zobrist keys make that a few operations a stone; a match is compared stone by stone.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::BufRead;

use super::entry::Record;
use super::read::{Entry, Reader};
use super::{RECORD, TEXT_ORDER};
use crate::limits::{LARGEST, Limits};
use crate::record::{Charset, Game, NodeId, Note, ReadError};
use kagetsu::game::symmetry::{Symmetry, image_keys, stabilizer};
use kagetsu::game::{Color, Move, Point, PointSet, RuleKind, Size};

/// No entry.
const NONE: u32 = u32::MAX;
/// The most entries: with their numbers as texts of up to 27 bytes, and all other texts, they fit into a game.
const MOST: usize = (u32::MAX as usize - LARGEST as usize) / 27;

/// Link from a position to its parent.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The move, in the later position's orientation.
    turn: Move,
    /// From the later position's orientation to the earlier one's.
    symmetry: Symmetry,
}

/// The trees of a rule and a size that begin on the empty board.
#[derive(Default, Debug)]
struct Start {
    /// The entry of the empty board.
    entry: Option<u32>,
    /// The positions after one move.
    children: Vec<(u32, Link)>,
}

/// The positions of a database, joined into trees.
#[derive(Default, Debug)]
pub struct Forest {
    entries: Vec<Entry>,
    /// Zobrist keys of the entries as they are.
    keys: Vec<u64>,
    /// The last entry of each smallest image key; the entries before it with the same key follow in `same`.
    found: HashMap<u64, u32>,
    same: Vec<u32>,
    starts: BTreeMap<(RuleKind, Size), Start>,
    /// Entries that no other leads to.
    orphans: Vec<u32>,
    /// Link of each entry to its parent.
    links: Vec<Option<Link>>,
    first_child: Vec<u32>,
    next_sibling: Vec<u32>,
}

impl Forest {
    /// Reads a database.
    ///
    /// # Errors
    /// The byte, and what was expected there.
    pub fn read(input: impl BufRead, charset: Charset) -> Result<Forest, ReadError> {
        Forest::read_within(input, charset, Limits::default())
    }

    /// Reads a database whose entries take no more bytes in memory than a game may have.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), or if the database is larger.
    pub fn read_within(input: impl BufRead, charset: Charset, limits: Limits) -> Result<Forest, ReadError> {
        let mut reader = Reader::new(input, charset)?;
        let mut forest = Forest::default();
        let mut left = limits.game();
        while let Some((at, entry)) = reader.next()? {
            left = left.checked_sub(entry.bytes()).ok_or_else(|| {
                ReadError::byte(at, limits.exceeded("records of too many bytes in memory", limits.game()))
            })?;
            let keys = image_keys(entry.stones(), entry.side, entry.size);
            if forest.find(&keys, entry.rule, entry.size, entry.stones()).is_some() {
                return Err(ReadError::byte(at, "the position of this record came before"));
            }
            forest.insert(entry, &keys).map_err(|problem| ReadError::byte(at, problem))?;
        }
        forest.join();
        Ok(forest)
    }

    fn insert(&mut self, entry: Entry, keys: &[u64; 8]) -> Result<(), &'static str> {
        let id = self.entries.len();
        let id = u32::try_from(id).ok().filter(|_| id < MOST).ok_or("too many records")?;
        let same = self.found.insert(smallest(keys), id).unwrap_or(NONE);
        self.keys.push(keys[0]);
        self.same.push(same);
        self.entries.push(entry);
        Ok(())
    }

    /// Returns the entry that one of the images of these stones has, and the symmetry that leads to it.
    fn find(
        &self,
        keys: &[u64; 8],
        rule: RuleKind,
        size: Size,
        stones: impl Iterator<Item = (Point, Color)> + Clone,
    ) -> Option<(u32, Symmetry)> {
        let mut id = self.found.get(&smallest(keys)).copied().unwrap_or(NONE);
        while id != NONE {
            let entry = &self.entries[id as usize];
            if (entry.rule, entry.size) == (rule, size) {
                let symmetry = Symmetry::ALL.into_iter().zip(keys).find(|&(symmetry, &key)| {
                    let image = stones.clone().map(|(p, color)| (symmetry.apply(p, size), color));
                    key == self.keys[id as usize] && sets(image) == sets(entry.stones())
                });
                if let Some((symmetry, _)) = symmetry {
                    return Some((id, symmetry));
                }
            }
            id = self.same[id as usize];
        }
        None
    }

    /// Finds the parents.
    fn join(&mut self) {
        self.links = vec![None; self.entries.len()];
        self.first_child = vec![NONE; self.entries.len()];
        self.next_sibling = vec![NONE; self.entries.len()];
        for (i, id) in (0..self.entries.len()).zip(0u32..) {
            let entry = &self.entries[i];
            let group = (entry.rule, entry.size);
            match (entry.stones().count(), entry.side) {
                (0, Color::Black) => self.starts.entry(group).or_default().entry = Some(id),
                (0, Color::White) => self.start_with(id, Move::Pass),
                (1, Color::White) => {
                    let stone = entry.stones().next();
                    self.start_with(id, stone.map_or(Move::Pass, |(p, _)| Move::Place(p)));
                }
                _ => match self.parent(entry) {
                    None => self.orphans.push(id),
                    Some((parent, link)) => {
                        self.links[i] = Some(link);
                        self.next_sibling[i] = std::mem::replace(&mut self.first_child[parent as usize], id);
                    }
                },
            }
        }
    }

    fn start_with(&mut self, id: u32, turn: Move) {
        let entry = &self.entries[id as usize];
        let start = self.starts.entry((entry.rule, entry.size)).or_default();
        start.children.push((id, Link { turn, symmetry: Symmetry::IDENTITY }));
    }

    /// The position before the last move, if the database has one.
    fn parent(&self, entry: &Entry) -> Option<(u32, Link)> {
        let (mover, size) = (!entry.side, entry.size);
        let keys = image_keys(entry.stones(), mover, size);
        let stone_taken_back = entry.stones().filter(|&(_, color)| color == mover).find_map(|(p, _)| {
            let stone = image_keys([(p, mover)], Color::Black, size);
            let before = std::array::from_fn(|i| keys[i] ^ stone[i]);
            let rest = entry.stones().filter(move |&(q, _)| q != p);
            let (parent, symmetry) = self.find(&before, entry.rule, size, rest)?;
            Some((parent, Link { turn: Move::Place(p), symmetry }))
        });
        // In alternate play the first colour has as many stones as the other or one more. Only otherwise may there be a
        // pass.
        let stones = entry.stones().count();
        let in_turn = stones.is_multiple_of(2) == (entry.side == Color::Black);
        stone_taken_back.or_else(|| {
            let (parent, symmetry) =
                (!in_turn).then(|| self.find(&keys, entry.rule, size, entry.stones())).flatten()?;
            Some((parent, Link { turn: Move::Pass, symmetry }))
        })
    }

    /// The trees: for each rule and size the one from the empty board, then those of positions without a parent.
    pub fn into_games(mut self) -> impl Iterator<Item = Game> {
        let starts = std::mem::take(&mut self.starts);
        let orphans = std::mem::take(&mut self.orphans);
        let forest = std::rc::Rc::new(self);
        let others = forest.clone();
        let starts =
            starts.into_iter().map(move |((rule, size), start)| forest.start_game(rule, size, &start));
        starts.chain(orphans.into_iter().map(move |id| others.orphan_game(id)))
    }

    fn start_game(&self, rule: RuleKind, size: Size, start: &Start) -> Game {
        let mut game = Game { rule: Some(rule), ..Game::new(size) };
        if let Some(id) = start.entry {
            // Without this, a root without an entry would look like one that is not in the database.
            let record = self.entries[id as usize].record.print();
            game.tree.annotate(NodeId::ROOT, [Note::Property(RECORD, &record)]);
        }
        self.grow(&mut game, start.entry, start.children.clone());
        game
    }

    fn orphan_game(&self, id: u32) -> Game {
        let entry = &self.entries[id as usize];
        let mut game = Game { rule: Some(entry.rule), first: entry.side, ..Game::new(entry.size) };
        game.setup = entry.stones().collect();
        if entry.record != Record::PLAIN {
            game.tree.annotate(NodeId::ROOT, [Note::Property(RECORD, &entry.record.print())]);
        }
        let children = self.children(id).map(|(id, link)| (id, labelled(entry, link))).collect();
        self.grow(&mut game, Some(id), children);
        game
    }

    fn children(&self, id: u32) -> impl Iterator<Item = (u32, Link)> + '_ {
        let child = |id: u32| (id != NONE).then_some(id);
        let ids = std::iter::successors(child(self.first_child[id as usize]), move |&id| {
            child(self.next_sibling[id as usize])
        });
        ids.filter_map(|id| Some((id, self.links[id as usize]?)))
    }

    /// Adds everything that follows from the root, level by level: notes are cheapest in the order of their nodes.
    fn grow(&self, game: &mut Game, root: Option<u32>, children: Vec<(u32, Link)>) {
        let mut open = VecDeque::new();
        let identity = Symmetry::IDENTITY;
        self.node(
            game,
            NodeId::ROOT,
            (root.map(|id| &self.entries[id as usize]), identity),
            children,
            &mut open,
        );
        while let Some(Open { id, node, to_board, texts }) = open.pop_front() {
            let entry = &self.entries[id as usize];
            let record = (entry.record != Record::PLAIN).then(|| entry.record.print());
            let texts = texts.into_iter().map(Note::BoardText);
            game.tree.annotate(node, texts.chain(record.iter().map(|r| Note::Property(RECORD, r))));
            let children = self.children(id).map(|(id, link)| (id, labelled(entry, link))).collect();
            self.node(game, node, (Some(entry), to_board), children, &mut open);
        }
        game.tree.shrink();
    }

    /// Adds the children of a node and its texts: those at a child's stone are the child's, the others labels. The entry
    /// comes with the symmetry from its orientation to that of the board.
    fn node<'a>(
        &'a self,
        game: &mut Game,
        node: NodeId,
        (entry, to_board): (Option<&'a Entry>, Symmetry),
        mut children: Vec<(u32, Link)>,
        open: &mut VecDeque<Open<'a>>,
    ) {
        let size = game.size;
        let color = game.tree.turn(node).map_or(game.first, |(color, _)| !color);
        let texts = entry.map(|entry| &entry.texts);
        let board = texts.map_or(&[][..], |texts| &texts.board).iter();
        let mut board: Vec<_> = board.map(|(p, text)| (to_board.apply(*p, size), text.as_str())).collect();
        let order: Vec<Point> = board.iter().map(|(p, _)| *p).collect();
        let mut told = Vec::new();
        let point = |link: Link| link.turn.point().map(|p| link.symmetry.then(to_board).apply(p, size));
        // In the order of libraries, from the top.
        children.sort_by_key(|&(_, link)| point(link).map(|p| (size.side() - p.y(), p.x())));
        for (id, link) in children {
            let p = point(link);
            let child = game.tree.add(node, Some((color, p.map_or(Move::Pass, Move::Place))));
            let texts: Vec<&str> =
                board.extract_if(.., |(q, _)| Some(*q) == p).map(|(_, text)| text).collect();
            told.extend(p.into_iter().flat_map(|p| std::iter::repeat_n(p, texts.len())));
            open.push_back(Open { id, node: child, to_board: link.symmetry.then(to_board), texts });
        }
        let labels = board.iter().map(|&(p, text)| Note::Label(p, text));
        let comment = texts.map(|texts| texts.comment.as_str()).filter(|comment| !comment.is_empty());
        let as_told = board.iter().map(|&(p, _)| p).chain(told);
        let names = || order.iter().map(Point::to_string).collect::<Vec<_>>().join(" ");
        let order = (!as_told.eq(order.iter().copied())).then(names);
        let order = order.iter().map(|names| Note::Property(TEXT_ORDER, names));
        game.tree.annotate(node, labels.chain(comment.map(Note::Comment)).chain(order));
    }
}

/// Returns the link. If symmetries of the parent make several points equal, it has the point that carries a text in the
/// parent.
fn labelled(earlier: &Entry, link: Link) -> Link {
    let Some(p) = link.turn.point().filter(|_| !earlier.texts.board.is_empty()) else { return link };
    let [black, white] = sets(earlier.stones());
    let equal = stabilizer([&black, &white], earlier.size).map(|own| link.symmetry.then(own));
    let mut equal = equal.map(|symmetry| Link { symmetry, ..link });
    let text_at = |q: Point| earlier.texts.board.iter().any(|(at, _)| *at == q);
    equal.find(|link| text_at(link.symmetry.apply(p, earlier.size))).unwrap_or(link)
}

/// A node whose children are still to come.
struct Open<'a> {
    id: u32,
    node: NodeId,
    /// From the entry's orientation to that of the board.
    to_board: Symmetry,
    /// Texts at its stone.
    texts: Vec<&'a str>,
}

fn smallest(keys: &[u64; 8]) -> u64 {
    keys.iter().copied().fold(u64::MAX, u64::min)
}

/// The stones of both colours.
fn sets(stones: impl Iterator<Item = (Point, Color)>) -> [PointSet; 2] {
    let mut sets = [PointSet::EMPTY; 2];
    stones.for_each(|(p, color)| sets[color.index()].insert(p));
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bytes of a database of Renju on 15x15 with these records: stones of the key, and a text.
    fn database(records: &[(&[u8], &[u8])]) -> Vec<u8> {
        let mut file = (records.len() as u32).to_le_bytes().to_vec();
        for (stones, text) in records {
            file.extend((3 + stones.len() as u16).to_le_bytes());
            file.extend([2, 15, 15].iter().chain(*stones));
            file.extend((5 + text.len() as u16).to_le_bytes());
            file.extend([0xff, 0, 0, 0, 0].iter().chain(*text));
        }
        file
    }

    /// Stones and texts count, and so does every record.
    #[test]
    fn the_memory_of_records_is_bounded() {
        let entry = size_of::<Entry>();
        let stones: Vec<u8> = (0..100u8).flat_map(|i| [i % 15, i / 15]).collect();
        for (file, bytes, at) in [
            (database(&[(&[7, 7], b"abc"), (&[], b"de")]), 2 * entry + size_of::<Point>() + 5, 21),
            (database(&[(&stones, b"")]), entry + 100 * size_of::<Point>(), 4),
            (database(&[(&[], b"@BTXT@77x")]), entry + size_of::<(Point, String)>() + 1, 4),
        ] {
            let read = |game| {
                Forest::read_within(&file[..], Charset::AUTO, Limits { game, ..Limits::default() })
                    .map(|_| ())
                    .map_err(|error| error.to_string())
            };
            assert_eq!(read(bytes), Ok(()));
            let most = bytes - 1;
            let problem =
                format!("byte {at}: records of too many bytes in memory: at most {most} are read; ");
            let said = read(most).unwrap_err();
            assert!(said.starts_with(&problem), "{said}");
        }
    }
}
