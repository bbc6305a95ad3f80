//! Puts the answers found together into one proof, which the verifier of the solvers checks with the rules alone.
//!
//! The answers lie in the file in the orientation of their keys; here they are turned back. A position that several
//! orders of moves lead to, in the same orientation, becomes one turn.

use std::collections::HashMap;

use super::store::{Error, RecordOffset, Store};
use super::tree::{NodeId, Tree};
use kagetsu::book::Key;
use kagetsu::game::symmetry::{Symmetry, image_keys};
use kagetsu::game::{Move, Point, Position};
use kagetsu::solve::proof::{After, Proof, TurnId, Turns};

/// Returns the proof of the attacker's win in a position with the attacker to move; `None` if the tree has none.
///
/// # Errors
/// If the file cannot be read.
pub fn of_turn(tree: &Tree, store: &mut Store, position: &Position) -> Result<Option<Proof>, Error> {
    let mut draft = Draft::new(tree, store);
    let Some(id) = tree.find(&Key::of(position).0).filter(|&id| tree.node(id).is_proven()) else {
        return Ok(None);
    };
    let root = draft.turn(id, position)?;
    Ok(Some(Proof::new(draft.turns, root)))
}

/// Returns the proof that the attacker wins by playing `p` in a position; `None` if the tree has none.
///
/// # Errors
/// If the file cannot be read.
pub fn of_move(
    tree: &Tree,
    store: &mut Store,
    position: &Position,
    p: Point,
) -> Result<Option<Proof>, Error> {
    let mut draft = Draft::new(tree, store);
    let Some((after, Some(id))) = tree.after(position, p) else { return Ok(None) };
    if !tree.node(id).is_proven() {
        return Ok(None);
    }
    let replies = draft.defence(id, &after)?;
    let root = draft.turns.push(p, replies);
    Ok(Some(Proof::new(draft.turns, root)))
}

/// A proof while it is put together.
struct Draft<'a> {
    tree: &'a Tree,
    store: &'a mut Store,
    turns: Turns,
    /// Turns by the keys of their positions, in the orientation of the proof.
    known: HashMap<u64, TurnId>,
}

impl<'a> Draft<'a> {
    fn new(tree: &'a Tree, store: &'a mut Store) -> Draft<'a> {
        Draft { tree, store, turns: Turns::default(), known: HashMap::new() }
    }

    /// The attacker to move.
    fn turn(&mut self, id: NodeId, position: &Position) -> Result<TurnId, Error> {
        let size = self.tree.size();
        let own = image_keys(position.stones(), position.side(), size)[0];
        if let Some(&known) = self.known.get(&own) {
            return Ok(known);
        }
        let home = Key::of(position).1.inverse();
        let node = self.tree.node(id);
        let turn = if let Some(place) = node.win {
            self.import(place, home)?
        } else {
            let won = node.edges.iter().filter_map(|edge| Some((edge.point, edge.node?)));
            let mut won = won.filter(|&(_, child)| self.tree.node(child).is_proven());
            let (p, child) = won.next().expect("a proven turn has a winning move");
            let p = home.apply(p, size);
            let after = self.defence(child, &pushed(position, p))?;
            self.turns.push(p, after)
        };
        self.known.insert(own, turn);
        Ok(turn)
    }

    /// The defender to move.
    fn defence(&mut self, id: NodeId, position: &Position) -> Result<After, Error> {
        let home = Key::of(position).1.inverse();
        let node = self.tree.node(id);
        let mut listed = Vec::with_capacity(node.edges.len());
        for edge in &node.edges {
            let reply = home.apply(edge.point, self.tree.size());
            let child = edge.node.expect("every reply of a proven defence has been looked at");
            listed.push((reply, self.turn(child, &pushed(position, reply))?));
        }
        let otherwise = node.win.map(|place| self.import(place, home)).transpose()?;
        Ok(After::Replies { listed, otherwise })
    }

    /// Takes over a proof from the file.
    fn import(&mut self, place: RecordOffset, home: Symmetry) -> Result<TurnId, Error> {
        let proof = self.store.proof(place)?;
        let size = self.tree.size();
        let mut places: HashMap<TurnId, TurnId> = HashMap::new();
        for id in proof.order().into_iter().rev() {
            let turn = proof.turns().get(id);
            let after = match &turn.after {
                After::Five => After::Five,
                After::Replies { listed, otherwise } => After::Replies {
                    listed: listed.iter().map(|(p, turn)| (home.apply(*p, size), places[turn])).collect(),
                    otherwise: otherwise.as_ref().map(|turn| places[turn]),
                },
            };
            places.insert(id, self.turns.push(home.apply(turn.point, size), after));
        }
        Ok(places[&proof.root()])
    }
}

fn pushed(position: &Position, p: Point) -> Position {
    let mut next = position.clone();
    next.push(Move::Place(p)).expect("a move of the tree is free");
    next
}
