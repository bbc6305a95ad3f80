//! Features of games that formats may lack.

use std::collections::BTreeSet;

use super::Game;
use super::notes::Note;
use super::renjunet;
use super::tree::{NodeId, Step};
use super::yxdb::{RECORD, TEXT_ORDER};
use kagetsu::game::{Color, Move, RuleKind, Size};

/// A part of a game's content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// More than one game.
    SeveralGames,
    /// Stones before the first move, or White moving first.
    Setup,
    /// Stones set or removed in mid-game.
    Edits,
    /// Passes.
    Passes,
    /// A colour that moves twice in a row.
    OutOfTurn,
    /// More than one line of moves.
    Variations,
    /// Comments.
    Comments,
    /// Texts on the board at the nodes' own stones.
    BoardTexts,
    /// Texts at other points.
    Labels,
    /// Signs on points.
    Marks,
    /// RenLib's marks of nodes.
    NodeMarks,
    /// Times of the moves.
    Times,
    /// Engines' scores of the moves: the property `V`.
    Scores,
    /// A database's knowledge of positions: the property [`RECORD`](super::yxdb::RECORD).
    Records,
    /// Other properties of positions.
    NodeProperties,
    /// The size of a board that is not 15x15, the size that readers assume.
    BoardSize,
    /// The rule.
    Rule,
    /// The result.
    Result,
    /// The players' names.
    Players,
    /// The event's name.
    Event,
    /// Details in tournament databases: date, round, number, opening and more.
    Details,
    /// Properties without a feature of their own, and second values of a property: most formats store one value for each
    /// name.
    Properties,
}

impl Feature {
    /// All of them.
    const ALL: [Feature; 22] = [
        Feature::SeveralGames,
        Feature::Setup,
        Feature::Edits,
        Feature::Passes,
        Feature::OutOfTurn,
        Feature::Variations,
        Feature::Comments,
        Feature::BoardTexts,
        Feature::Labels,
        Feature::Marks,
        Feature::NodeMarks,
        Feature::Times,
        Feature::Scores,
        Feature::Records,
        Feature::NodeProperties,
        Feature::BoardSize,
        Feature::Rule,
        Feature::Result,
        Feature::Players,
        Feature::Event,
        Feature::Details,
        Feature::Properties,
    ];

    /// All features but one.
    pub(super) const fn all_but(lacking: Feature) -> [Feature; Feature::ALL.len() - 1] {
        let mut others = [Feature::ALL[0]; Feature::ALL.len() - 1];
        let (mut from, mut to) = (0, 0);
        while from < Feature::ALL.len() {
            if Feature::ALL[from] as u8 != lacking as u8 {
                others[to] = Feature::ALL[from];
                to += 1;
            }
            from += 1;
        }
        others
    }

    /// Returns the feature's name in words.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::SeveralGames => "several games",
            Feature::Setup => "setup stones or White to move first",
            Feature::Edits => "stones set in mid-game",
            Feature::Passes => "passes",
            Feature::OutOfTurn => "moves out of turn",
            Feature::Variations => "variations",
            Feature::Comments => "comments",
            Feature::BoardTexts => "board texts",
            Feature::Labels => "labels",
            Feature::Marks => "marks on points",
            Feature::NodeMarks => "marks of nodes",
            Feature::Times => "times of moves",
            Feature::Scores => "scores of moves",
            Feature::Records => "labels and values of positions",
            Feature::NodeProperties => "properties of positions",
            Feature::BoardSize => "the board's size",
            Feature::Rule => "the rule",
            Feature::Result => "the result",
            Feature::Players => "players' names",
            Feature::Event => "the event",
            Feature::Details => "date, round and the like",
            Feature::Properties => "other facts about the game",
        }
    }

    /// Returns whether a game without it would have other moves.
    pub const fn is_essential(self) -> bool {
        use Feature::{Edits, OutOfTurn, Passes, Setup, SeveralGames};
        matches!(self, SeveralGames | Setup | Edits | Passes | OutOfTurn)
    }
}

/// Returns the features that a game uses.
pub fn features(game: &Game) -> BTreeSet<Feature> {
    found(game, true)
}

/// Returns the features of a game's main line, for a format that holds no other line. Features used only by other lines
/// are left out with them.
pub fn main_line_features(game: &Game) -> BTreeSet<Feature> {
    found(game, false)
}

fn found(game: &Game, with_variations: bool) -> BTreeSet<Feature> {
    let mut found = BTreeSet::new();
    let mut add = |has: bool, feature| {
        if has {
            found.insert(feature);
        }
    };
    add(!game.setup.is_empty() || game.first == Color::White, Feature::Setup);
    add(game.size != Size::S15, Feature::BoardSize);
    add(game.rule.is_some(), Feature::Rule);
    add(game.result.is_some(), Feature::Result);
    let mut names = BTreeSet::new();
    for (key, value) in &game.properties {
        let is_first = names.insert(key.as_str());
        let feature = match key.as_str() {
            _ if !is_first => Feature::Properties,
            "RU" if is_name_of(game.rule, value) => Feature::Rule,
            "PB" | "PW" => Feature::Players,
            "EV" => Feature::Event,
            key if renjunet::holds(key) => Feature::Details,
            _ => Feature::Properties,
        };
        add(true, feature);
    }
    add_nodes(game, with_variations, &mut found);
    found
}

/// Returns whether a text is the name of this rule, and says no more.
fn is_name_of(rule: Option<RuleKind>, text: &str) -> bool {
    text.trim().parse::<RuleKind>().is_ok_and(|named| Some(named) == rule)
}

fn add_nodes(game: &Game, with_variations: bool, found: &mut BTreeSet<Feature>) {
    let tree = &game.tree;
    // For each node of the current line: the colour to move after it, and whether the main line has it.
    let mut line = vec![(game.first, true)];
    for step in tree.walk() {
        let id = match step {
            Step::Enter(id) => id,
            Step::Leave(_) => {
                line.pop();
                continue;
            }
        };
        let (mut side, main) = line.last().copied().unwrap_or((game.first, true));
        let main = main && tree.parent(id).is_none_or(|parent| tree.first_child(parent) == Some(id));
        let mut add = |has: bool, feature: Feature| {
            if has && (main || with_variations || !feature.is_essential()) {
                found.insert(feature);
            }
        };
        for note in tree.notes(id) {
            if let Note::Side(color) = note {
                side = color;
            }
            add(true, feature_of(&note));
        }
        if let Some((color, m)) = tree.turn(id) {
            add(color != side, Feature::OutOfTurn);
            add(m == Move::Pass, Feature::Passes);
            side = !color;
        }
        add(tree.next_sibling(id).is_some(), Feature::Variations);
        line.push((side, main));
    }
    debug_assert_eq!(tree.turn(NodeId::ROOT), None);
}

fn feature_of(note: &Note<'_>) -> Feature {
    match note {
        Note::Setup(..) | Note::Side(_) => Feature::Edits,
        Note::Comment(_) => Feature::Comments,
        Note::BoardText(_) => Feature::BoardTexts,
        Note::Label(..) => Feature::Labels,
        Note::Mark(..) => Feature::Marks,
        Note::Marked | Note::Start => Feature::NodeMarks,
        Note::Time(_) => Feature::Times,
        Note::Property("V", _) => Feature::Scores,
        Note::Property(RECORD | TEXT_ORDER, _) => Feature::Records,
        Note::Property(..) => Feature::NodeProperties,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sgf;

    /// Formats that hold the rule need not hold a text that only names it.
    #[test]
    fn the_name_of_the_rule_is_no_detail() {
        for (text, rule, details) in [
            ("4", true, false),
            ("Renju", true, false),
            (" freestyle ", true, false),
            ("RIF", true, true),
            ("Swap2", false, true),
        ] {
            let game = format!("(;SZ[15]RU[{text}];B[hh])");
            let game = sgf::read(game.as_bytes(), Default::default()).unwrap().remove(0);
            let found = features(&game);
            let has = |feature| found.contains(&feature);
            assert_eq!((has(Feature::Rule), has(Feature::Details)), (rule, details), "{text}");
        }
    }
}
