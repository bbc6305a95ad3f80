//! A proof as a tree of moves with comments, which a RenLib library holds; and back.
//!
//! An attacker's move that wins has a comment with a line that begins with the word `proven`; below the move is the whole
//! proof. The writer puts that line first, and readers find it below others too: a proof on which somebody has written a
//! remark stays one that is checked. A pass of the defender stands for every reply without a variation of its own. The
//! line `five` marks a move that ends the game; without it, a move without replies is one that no reply stops. A turn
//! that several replies lead to is written out once, with the line `turn` and a number; elsewhere its move alone stands,
//! with the line `as` and that number. The comment of the whole begins with the name of the rule. Readers use nothing
//! else of comments. The claims that they return are unchecked: the verifier checks them.

use std::collections::HashMap;

use super::survey::Survey;
use super::{Question, survey};
use crate::limits::MOVES;
use crate::record::{Game, NodeId, Note, Step, Tree};
use crate::words;
use kagetsu::game::{Color, Move, Point, Position, RuleKind};
use kagetsu::solve::proof::{After, Proof, TurnId, Turns};

/// First word of a line in the comment of a winning move.
const PROVEN: &str = "proven";

/// A proven win, to be written.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The position, with the attacker to move.
    pub position: Position,
    /// The win.
    pub proof: Proof,
    /// The statement of the proof, in words.
    pub statement: String,
}

/// Returns the tree of proven and open positions. `statement` is the comment of the whole, and begins with the name of
/// the rule.
pub fn write(question: &Question, survey: &Survey, entries: &[Entry], statement: &str) -> Game {
    let mut game = Game::new(question.position.size());
    game.rule = Some(question.rule);
    let mut writer = Writer { tree: &mut game.tree, attacker: question.attacker, named: 0 };
    writer.node(&question.position);
    for defence in &survey.defences {
        let id = writer.node(&defence.position);
        writer.comment(id, &outline(defence));
    }
    for entry in entries {
        let parent = writer.node(&entry.position);
        let references = entry.proof.references();
        let names = vec![None; references.len()];
        let mut plan = Plan { proof: &entry.proof, references, names };
        let said = format!("{PROVEN}: {}", entry.statement);
        writer.turn(parent, &mut plan, entry.proof.root(), vec![said]);
    }
    game.tree.annotate(NodeId::ROOT, [Note::Comment(statement)]);
    game
}

/// Returns the text of an open defence.
fn outline(defence: &survey::Defence) -> String {
    let names = |points: &[Point]| points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ");
    let mut lines = vec!["open".to_owned()];
    if defence.covered > 0 {
        lines.push(format!("lost as after a pass: {}", words::count(defence.covered, "reply")));
    }
    for (what, points) in [("lose", &defence.proven), ("not proven", &defence.open)] {
        if !points.is_empty() {
            lines.push(format!("{what}: {}", names(points)));
        }
    }
    lines.join("\n")
}

/// A proof that is being written.
struct Plan<'a> {
    proof: &'a Proof,
    /// Number of references to each turn.
    references: Vec<u32>,
    /// Names of the turns written so far that have several references.
    names: Vec<Option<u32>>,
}

struct Writer<'a> {
    tree: &'a mut Tree,
    attacker: Color,
    named: u32,
}

impl Writer<'_> {
    /// The node after a position's moves.
    fn node(&mut self, position: &Position) -> NodeId {
        let mut node = NodeId::ROOT;
        let mut color = position.first();
        for &m in position.moves() {
            node = self.child(node, color, m);
            color = !color;
        }
        node
    }

    /// Returns the node of a move, which is created if there is none.
    fn child(&mut self, parent: NodeId, color: Color, m: Move) -> NodeId {
        let found = self.tree.children(parent).find(|&child| self.tree.turn(child) == Some((color, m)));
        found.unwrap_or_else(|| self.tree.add(parent, Some((color, m))))
    }

    fn comment(&mut self, id: NodeId, text: &str) {
        self.tree.annotate(id, [Note::Comment(text)]);
    }

    fn turn(&mut self, parent: NodeId, plan: &mut Plan<'_>, id: TurnId, mut lines: Vec<String>) {
        let turn = plan.proof.turns().get(id);
        let node = self.child(parent, self.attacker, Move::Place(turn.point));
        let name = plan.names[id.index()];
        match (&turn.after, name) {
            (After::Five, _) => lines.push("five".to_owned()),
            (_, Some(name)) => lines.push(format!("as {name}")),
            _ if plan.references[id.index()] > 1 => {
                self.named += 1;
                plan.names[id.index()] = Some(self.named);
                lines.push(format!("turn {}", self.named));
            }
            _ => {}
        }
        if !lines.is_empty() {
            self.comment(node, &lines.join("\n"));
        }
        if name.is_some() {
            return;
        }
        let After::Replies { listed, otherwise } = &turn.after else { return };
        let listed = listed.iter().map(|&(reply, answer)| (Move::Place(reply), answer));
        for (reply, answer) in listed.chain(otherwise.iter().map(|&answer| (Move::Pass, answer))) {
            let child = self.tree.add(node, Some((!self.attacker, reply)));
            self.turn(child, plan, answer, Vec::new());
        }
    }
}

/// Reason why a library does not hold a proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("after {path}: {problem}")]
pub struct ReadError {
    /// The moves to the place.
    pub path: String,
    /// The problem at that place.
    pub problem: String,
}

/// A win that a library says is proven.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The position, with the attacker to move.
    pub position: Position,
    /// The attacker.
    pub attacker: Color,
    /// The win.
    pub proof: Proof,
}

/// Returns the rule of a library's proofs: the one that the file states, or the one in the comment of the whole, since
/// RenLib's format states none.
pub fn rule(game: &Game) -> Option<RuleKind> {
    let said = || game.tree.comment(NodeId::ROOT)?.split(',').next()?.trim().parse::<RuleKind>().ok();
    game.rule.or_else(said)
}

/// Returns the wins that a library calls proven, in the order of its tree.
///
/// # Errors
/// The first place where a proof breaks off, or goes beyond a limit.
pub fn read(game: &Game) -> Result<Vec<Claim>, ReadError> {
    let tree = &game.tree;
    let mut names = HashMap::new();
    let mut roots = Vec::new();
    let mut left = REPEATS * tree.len();
    let most_played = SIBLINGS * tree.len();
    let mut played = most_played;
    // Each comment is read once: a comment of many lines may belong to many proofs.
    let mut ends = HashMap::new();
    for step in tree.walk() {
        let Step::Enter(id) = step else { continue };
        for line in lines(tree, id) {
            if let Some(name) = line.strip_prefix("turn ") {
                names.insert(name, id);
            } else if is_claim(line) && roots.last() != Some(&id) {
                roots.push(id);
            }
            if line == "five" {
                ends.insert(id, Ending::Five);
            } else if let Some(name) = line.strip_prefix("as ") {
                ends.entry(id).or_insert(Ending::As(name));
            }
        }
    }
    let claim = |&id: &NodeId| {
        let mut reader = Reader {
            tree,
            names: &names,
            ends: &ends,
            turns: Turns::default(),
            known: HashMap::new(),
            left: &mut left,
        };
        let depth = tree.path(id).len();
        if depth > MOVES {
            return Err(reader.error(id, TOO_DEEP));
        }
        played = played.checked_sub(depth).ok_or_else(|| {
            let problem = format!("too many deep positions: at most {most_played} moves lead to all of them");
            reader.error(id, &problem)
        })?;
        let root = reader.turn(id, 0)?;
        let parent = tree.parent(id).unwrap_or(NodeId::ROOT);
        let (attacker, _) = tree.turn(id).ok_or_else(|| reader.error(id, "there is no move"))?;
        let mut position = game.position(parent).map_err(|error| reader.error(id, &error.to_string()))?;
        position.set_side(attacker);
        Ok(Claim { position, attacker, proof: Proof::new(reader.turns, root) })
    };
    roots.iter().map(claim).collect()
}

/// Returns whether a line of a comment says that the move wins.
fn is_claim(line: &str) -> bool {
    line.strip_prefix(PROVEN).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

fn lines(tree: &Tree, id: NodeId) -> impl Iterator<Item = &str> {
    tree.comment(id).unwrap_or_default().lines()
}

/// The end of a turn, as its comment states it.
#[derive(Clone, Copy)]
enum Ending<'a> {
    /// The turn makes five.
    Five,
    /// The turn goes on as the one of this name.
    As(&'a str),
}

struct Reader<'a> {
    tree: &'a Tree,
    names: &'a HashMap<&'a str, NodeId>,
    ends: &'a HashMap<NodeId, Ending<'a>>,
    turns: Turns,
    /// Turns read so far; none for those that are being read.
    known: HashMap<NodeId, Option<TurnId>>,
    /// Number of turns that may still be read, for this proof and all later ones.
    left: &'a mut usize,
}

/// The error of a line of more than [`MOVES`] moves.
const TOO_DEEP: &str = "too many moves";

/// The turns of all proofs together may be as many as the nodes of the library, times this. [`write`] makes proofs that have
/// no node in common. Where each move of a long line is called proven, each has the whole rest of the line as its proof.
const REPEATS: usize = 4;

/// The moves that lead to all proven positions together may be as many as the nodes of the library, times this. A position
/// keeps its moves, and a small file may call a thousand siblings at the end of a long line proven.
const SIBLINGS: usize = 64;

impl Reader<'_> {
    /// An attacker's move and what follows.
    fn turn(&mut self, id: NodeId, depth: usize) -> Result<TurnId, ReadError> {
        match self.known.get(&id) {
            Some(Some(turn)) => return Ok(*turn),
            Some(None) => return Err(self.error(id, "a turn that comes after itself")),
            None if depth > MOVES => return Err(self.error(id, TOO_DEEP)),
            None => {}
        }
        *self.left = self.left.checked_sub(1).ok_or_else(|| {
            let most = REPEATS * self.tree.len();
            let problem = format!("too many proofs of the same moves: at most {most} turns are read in all");
            self.error(id, &problem)
        })?;
        let point = self.tree.point(id).ok_or_else(|| self.error(id, "a move was expected"))?;
        self.known.insert(id, None);
        let turn = match self.ends.get(&id) {
            Some(Ending::Five) => self.turns.push(point, After::Five),
            Some(Ending::As(name)) => {
                let home = self.names.get(name).copied();
                let home = home.filter(|&home| self.tree.point(home) == Some(point));
                self.turn(home.ok_or_else(|| self.error(id, "there is no such turn"))?, depth + 1)?
            }
            None => {
                let after = self.replies(id, depth)?;
                self.turns.push(point, after)
            }
        };
        self.known.insert(id, Some(turn));
        Ok(turn)
    }

    fn replies(&mut self, id: NodeId, depth: usize) -> Result<After, ReadError> {
        let (mut listed, mut otherwise) = (Vec::new(), None);
        for reply in self.tree.children(id) {
            let mut answers = self.tree.children(reply);
            let (Some(answer), None) = (answers.next(), answers.next()) else {
                return Err(self.error(reply, "one answer was expected"));
            };
            let answer = self.turn(answer, depth + 1)?;
            match self.tree.turn(reply) {
                Some((_, Move::Place(p))) => listed.push((p, answer)),
                Some((_, Move::Pass)) => otherwise = Some(answer),
                None => return Err(self.error(reply, "a reply was expected")),
            }
        }
        Ok(After::Replies { listed, otherwise })
    }

    fn error(&self, id: NodeId, problem: &str) -> ReadError {
        let moves = self.tree.path(id).into_iter().filter_map(|id| self.tree.turn(id));
        let names = moves.map(|(_, m)| m.point().map_or("--".to_owned(), |p| p.to_string()));
        ReadError { path: names.collect(), problem: problem.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::Size;

    /// A line of Black's moves, against any reply, each of which is called proven.
    fn all_proven(turns: usize) -> Game {
        let mut game = Game::new(Size::S15);
        let mut node = NodeId::ROOT;
        for (i, p) in Size::S15.points().take(turns).enumerate() {
            if i > 0 {
                node = game.tree.add(node, Some((Color::White, Move::Pass)));
            }
            node = game.tree.add(node, Some((Color::Black, Move::Place(p))));
            game.tree.annotate(node, [Note::Comment(PROVEN)]);
        }
        game
    }

    /// The proofs of a line of `n` moves, which has `2 n` nodes, have `n (n + 1) / 2` turns.
    #[test]
    fn proofs_within_proofs_are_bounded() {
        let claims = read(&all_proven(10)).unwrap();
        let sizes: Vec<usize> = claims.iter().map(|claim| claim.proof.size()).collect();
        assert_eq!(sizes, Vec::from_iter((1..=10).rev()));
        let problem = read(&all_proven(100)).unwrap_err().problem;
        assert_eq!(problem, "too many proofs of the same moves: at most 800 turns are read in all");
    }

    #[test]
    fn a_node_is_one_claim_however_often_it_says_so() {
        let mut game = Game::new(Size::S15);
        let center = Some((Color::Black, Move::Place(Size::S15.center())));
        let node = game.tree.add(NodeId::ROOT, center);
        game.tree.annotate(node, [Note::Comment("proven\nproven\nas another\nfive")]);
        let claims = read(&game).unwrap();
        assert_eq!(claims.iter().map(|claim| claim.proof.size()).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn a_claim_is_a_line_that_begins_with_its_word() {
        for (comment, claims) in [
            ("proven: a win in 1 ply\nfive", 1),
            ("The last mistake was White's.\nproven: a win in 1 ply\nfive", 1),
            ("five\nproven", 1),
            ("provenance unknown\nfive", 0),
            ("not proven\nfive", 0),
        ] {
            let mut game = Game::new(Size::S15);
            let center = Some((Color::Black, Move::Place(Size::S15.center())));
            let node = game.tree.add(NodeId::ROOT, center);
            game.tree.annotate(node, [Note::Comment(comment)]);
            assert_eq!(read(&game).unwrap().len(), claims, "{comment}");
        }
    }

    /// A claim keeps its position, with all moves that lead there.
    #[test]
    fn a_claim_is_no_deeper_than_a_game() {
        let mut game = Game::new(Size::S15);
        let mut node = NodeId::ROOT;
        for i in 0..MOVES {
            node = game.tree.add(node, Some((Color::BOTH[i % 2], Move::Pass)));
        }
        node = game.tree.add(node, Some((Color::Black, Move::Place(Size::S15.center()))));
        game.tree.annotate(node, [Note::Comment("proven\nfive")]);
        assert_eq!(read(&game).unwrap_err().problem, TOO_DEEP);
    }

    /// Siblings at the end of a long line, each called proven, would each keep the whole line.
    #[test]
    fn the_moves_of_all_claims_are_bounded() {
        let siblings = |depth: usize, count: usize| {
            let mut game = Game::new(Size::S15);
            let mut end = NodeId::ROOT;
            for i in 0..depth {
                end = game.tree.add(end, Some((Color::BOTH[i % 2], Move::Pass)));
            }
            for p in Size::S15.points().take(count) {
                let node = game.tree.add(end, Some((Color::Black, Move::Place(p))));
                game.tree.annotate(node, [Note::Comment("proven\nfive")]);
            }
            game
        };
        assert_eq!(read(&siblings(40, 100)).unwrap().len(), 100);
        let problem = read(&siblings(900, 200)).unwrap_err().problem;
        assert_eq!(problem, "too many deep positions: at most 70464 moves lead to all of them");
    }
}
