//! Converts between the messages' types and those of the engine and its tools.

use anyhow::{Context, Result, bail, ensure};

use crate::limits;
use crate::schema::ask::SolveKind;
use crate::schema::board::{self, Stone};
use crate::schema::{game, tell};
use kagetsu::game::notation::parse_point;
use kagetsu::game::{Color, EndSet, Endings, Move, Point, Position, RuleKind, Size};
use kagetsu_tools::limits::MOVES;
use kagetsu_tools::record::{Game, GameResult, Mark, NodeId, Note, Step};
use kagetsu_tools::study::{Kind, Study};
use kagetsu_tools::untrusted;

impl From<board::Color> for Color {
    fn from(color: board::Color) -> Color {
        match color {
            board::Color::Black => Color::Black,
            board::Color::White => Color::White,
        }
    }
}

impl From<Color> for board::Color {
    fn from(color: Color) -> board::Color {
        match color {
            Color::Black => board::Color::Black,
            Color::White => board::Color::White,
        }
    }
}

impl From<board::Rule> for RuleKind {
    fn from(rule: board::Rule) -> RuleKind {
        match rule {
            board::Rule::Freestyle => RuleKind::Freestyle,
            board::Rule::Standard => RuleKind::Standard,
            board::Rule::Renju => RuleKind::Renju,
            board::Rule::Caro => RuleKind::Caro,
            board::Rule::Caro6 => RuleKind::Caro6,
        }
    }
}

impl From<RuleKind> for board::Rule {
    fn from(rule: RuleKind) -> board::Rule {
        match rule {
            RuleKind::Freestyle => board::Rule::Freestyle,
            RuleKind::Standard => board::Rule::Standard,
            RuleKind::Renju => board::Rule::Renju,
            RuleKind::Caro => board::Rule::Caro,
            RuleKind::Caro6 => board::Rule::Caro6,
        }
    }
}

impl From<SolveKind> for Kind {
    fn from(kind: SolveKind) -> Kind {
        match kind {
            SolveKind::Vcf => Kind::Vcf,
            SolveKind::Vct => Kind::Vct,
        }
    }
}

/// The ends of games under a rule.
pub fn endings(ends: board::Ends, rule: board::Rule) -> Endings {
    let set = match ends {
        board::Ends::Plain => EndSet::Plain,
        board::Ends::Rif => EndSet::Rif,
        board::Ends::Gomocup => EndSet::Gomocup,
    };
    set.endings(rule.into())
}

/// The size of a board.
pub fn size(side: u8) -> Result<Size> {
    Ok(Size::new(side.into())?)
}

fn turn(name: &str, size: Size) -> Result<Move> {
    if name == "pass" { Ok(Move::Pass) } else { Ok(Move::Place(parse_point(name, size)?)) }
}

/// The name of a move.
pub fn turn_name(turn: Move) -> String {
    turn.point().map_or_else(|| "pass".into(), |p| p.to_string())
}

/// The names of points.
pub fn names<'a>(points: impl IntoIterator<Item = &'a Point>) -> Vec<String> {
    points.into_iter().map(Point::to_string).collect()
}

fn stones(list: &[Stone], size: Size) -> Result<Vec<(Point, Color)>> {
    list.iter().map(|stone| Ok((parse_point(&stone.point, size)?, stone.color.into()))).collect()
}

/// Returns the position of a message, and its rule.
///
/// # Errors
/// If the position is impossible.
pub fn position(given: &board::Position) -> Result<(Position, RuleKind)> {
    let size = size(given.size)?;
    ensure!(given.moves.len() <= MOVES, "{} moves, more than {MOVES}", given.moves.len());
    let mut position = Position::from_stones(size, stones(&given.setup, size)?, given.first.into())?;
    for (i, name) in given.moves.iter().enumerate() {
        let place = || format!("move {}", i + 1);
        position.push(turn(name, size).with_context(place)?).with_context(place)?;
    }
    Ok((position, given.rule.into()))
}

/// A position for a message.
pub fn of_position(position: &Position, rule: board::Rule) -> board::Position {
    board::Position {
        size: position.size().side() as u8,
        rule,
        setup: of_stones(position.setup()),
        first: position.first().into(),
        moves: position.moves().iter().map(|&turn| turn_name(turn)).collect(),
    }
}

fn of_stones(stones: &[(Point, Color)]) -> Vec<Stone> {
    stones.iter().map(|&(p, color)| Stone { point: p.to_string(), color: color.into() }).collect()
}

/// Returns the results of an analysis as a message.
pub fn study(rule: RuleKind, study: &Study) -> tell::Study {
    let line = |line: &kagetsu_tools::study::Line| tell::Line {
        score: line.score.0,
        win_rate: line.score.win_rate(rule),
        mate: line.score.mate(),
        moves: line.names(),
    };
    let threat = study.threat.as_ref().map(|threat| tell::Threat {
        length: threat.win.length as u32,
        line: threat.win.line.iter().map(|p| p.map_or("-".into(), |p| p.to_string())).collect(),
        stops: names(&threat.stops),
        complete: threat.complete,
    });
    tell::Study {
        lines: study.lines.iter().map(line).collect(),
        proven: study.proven.map(|by| by.name().into()),
        threat,
        depth: study.depth,
        seldepth: study.seldepth,
        nodes: study.nodes,
        nps: study.nps(),
        ms: study.elapsed.as_millis() as u64,
        at_work: None,
        is_static: study.is_static,
        hash_permille: study.hash_permille.map(|permille| permille as u32),
    }
}

/// Checks that a game has few enough nodes for a page.
pub fn fits(nodes: usize) -> Result<()> {
    ensure!(
        nodes <= limits::NODES,
        "the game has {nodes} moves, more than the {} that a page can show",
        limits::NODES
    );
    Ok(())
}

/// A game for a message: nodes in the order of a walk, so that parents come before their children.
pub fn game(game: &Game) -> game::Game {
    let tree = &game.tree;
    let mut places = vec![u32::MAX; tree.len()];
    let mut nodes = Vec::with_capacity(tree.len());
    for step in tree.walk() {
        let Step::Enter(id) = step else { continue };
        places[id.index()] = nodes.len() as u32;
        let (color, turn) = match tree.turn(id) {
            Some((color, turn)) => (Some(color.into()), Some(turn_name(turn))),
            None => (None, None),
        };
        let parent = tree.parent(id).map(|parent| places[parent.index()]);
        nodes.push(game::Node { parent, color, turn, notes: tree.notes(id).map(note).collect() });
    }
    game::Game {
        size: game.size.side() as u8,
        rule: game.rule.map(Into::into),
        result: game.result.map(|result| match result {
            GameResult::Draw => "draw".into(),
            GameResult::Win(color) => color.to_string(),
        }),
        setup: of_stones(&game.setup),
        first: game.first.into(),
        properties: game.properties.clone(),
        nodes,
    }
}

fn note(note: Note<'_>) -> game::Note {
    match note {
        Note::Setup(p, color) => game::Note::Setup { point: p.to_string(), color: color.map(Into::into) },
        Note::Side(color) => game::Note::Side { color: color.into() },
        Note::Comment(text) => game::Note::Comment { text: text.into() },
        Note::BoardText(text) => game::Note::BoardText { text: text.into() },
        Note::Label(p, text) => game::Note::Label { point: p.to_string(), text: text.into() },
        Note::Mark(p, mark) => game::Note::Mark { point: p.to_string(), mark: of_mark(mark) },
        Note::Marked => game::Note::Marked,
        Note::Start => game::Note::Start,
        Note::Time(ms) => game::Note::Time { ms },
        Note::Property(key, value) => game::Note::Property { key: key.into(), value: value.into() },
    }
}

fn of_mark(mark: Mark) -> game::Mark {
    match mark {
        Mark::Triangle => game::Mark::Triangle,
        Mark::Square => game::Mark::Square,
        Mark::Circle => game::Mark::Circle,
        Mark::Cross => game::Mark::Cross,
        Mark::Selected => game::Mark::Selected,
    }
}

fn mark(mark: game::Mark) -> Mark {
    match mark {
        game::Mark::Triangle => Mark::Triangle,
        game::Mark::Square => Mark::Square,
        game::Mark::Circle => Mark::Circle,
        game::Mark::Cross => Mark::Cross,
        game::Mark::Selected => Mark::Selected,
    }
}

/// Returns the game of a message, and the place in the tree of each of its nodes.
///
/// # Errors
/// If the message is wrong: a parent after its child, a point off the board, or a stone on another.
pub fn of_game(given: &game::Game) -> Result<(Game, Vec<NodeId>)> {
    fits(given.nodes.len())?;
    let size = size(given.size)?;
    let mut game = Game::new(size);
    game.rule = given.rule.map(Into::into);
    game.result = match given.result.as_deref() {
        None => None,
        Some("draw") => Some(GameResult::Draw),
        Some("black") => Some(GameResult::Win(Color::Black)),
        Some("white") => Some(GameResult::Win(Color::White)),
        Some(other) => bail!("the result is '{}': expected black, white or draw", untrusted::line(other)),
    };
    game.setup = stones(&given.setup, size)?;
    game.first = given.first.into();
    for (key, value) in &given.properties {
        let is_name = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        ensure!(
            is_name,
            "'{}' is not the name of a property: expected letters and digits",
            untrusted::line(key)
        );
        game.add_property(key, value);
    }
    let mut ids = Vec::with_capacity(given.nodes.len());
    for (i, node) in given.nodes.iter().enumerate() {
        let id = match (i, node.parent) {
            (0, None) => NodeId::ROOT,
            (0, Some(_)) => bail!("the first node has a parent: expected the root"),
            (_, None) => bail!("node {i} has no parent"),
            (_, Some(parent)) => {
                let parent = ids.get(parent as usize).copied();
                let parent = parent.with_context(|| format!("node {i} comes before its parent"))?;
                game.tree.add(parent, turn_of(node, size).with_context(|| format!("node {i}"))?)
            }
        };
        ids.push(id);
        for note in &node.notes {
            annotate(&mut game, id, note, size)?;
        }
    }
    game.check().map_err(|(_, error)| error)?;
    Ok((game, ids))
}

fn turn_of(node: &game::Node, size: Size) -> Result<Option<(Color, Move)>> {
    match (node.color, &node.turn) {
        (Some(color), Some(name)) => Ok(Some((color.into(), turn(name, size)?))),
        (None, None) => Ok(None),
        _ => bail!("a node has only one of move and colour: expected both or neither"),
    }
}

fn annotate(game: &mut Game, id: NodeId, note: &game::Note, size: Size) -> Result<()> {
    let point = |name: &str| parse_point(name, size);
    let note = match note {
        game::Note::Setup { point: p, color } => Note::Setup(point(p)?, color.map(Into::into)),
        game::Note::Side { color } => Note::Side((*color).into()),
        game::Note::Comment { text } => Note::Comment(text),
        game::Note::BoardText { text } => Note::BoardText(text),
        game::Note::Label { point: p, text } => Note::Label(point(p)?, text),
        game::Note::Mark { point: p, mark: sign } => Note::Mark(point(p)?, mark(*sign)),
        game::Note::Marked => Note::Marked,
        game::Note::Start => Note::Start,
        game::Note::Time { ms } => Note::Time(*ms),
        game::Note::Property { key, value } => Note::Property(key, value),
    };
    game.tree.annotate(id, [note]);
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use kagetsu_tools::record::{Format, ReadOptions};

    const RICH: &str = "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[A]PW[<b>B</b>]RU[renju]AB[aa]PL[W]\
        ;W[hh]C[<script>alert(1)</script>\nline]TR[ab]SQ[ac]CR[ad]MA[ae]SL[af]LB[ba:x]\
        (;B[hg];W[]V[12])(;B[ig]N[node]AB[oo]AE[aa]PL[W];W[ij]BL[10]))";

    #[test]
    fn a_game_comes_back_as_it_went() {
        let games = Format::Sgf.read(RICH.as_bytes(), &ReadOptions::default()).unwrap();
        let sent = game(&games[0]);
        let text = serde_json::to_string(&sent).unwrap();
        assert!(text.contains("<script>"), "texts are data, escaped by who shows them");
        let (back, ids) = of_game(&serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(back, games[0]);
        assert_eq!(ids.len(), sent.nodes.len());
    }

    /// Files of old programs have words as names, up to 64 letters.
    #[test]
    fn a_long_name_of_a_property_comes_back() {
        let name = "EXTRAORDINARY".repeat(4);
        let text = format!("(;SZ[15]{name}[x];B[hh])");
        let games = Format::Sgf.read(text.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(games[0].property(&name), Some("x"));
        assert_eq!(of_game(&game(&games[0])).unwrap().0, games[0]);
    }

    #[test]
    fn disorder_is_refused() {
        let games = Format::Sgf.read(RICH.as_bytes(), &ReadOptions::default()).unwrap();
        let refused = |change: &dyn Fn(&mut game::Game), why: &str| {
            let mut sent = game(&games[0]);
            change(&mut sent);
            let error = format!("{:#}", of_game(&sent).err().unwrap());
            assert!(error.contains(why), "{error}");
        };
        refused(&|g| g.nodes[1].parent = Some(2), "comes before its parent");
        refused(&|g| g.nodes[1].parent = None, "no parent");
        refused(&|g| g.nodes[0].parent = Some(0), "expected the root");
        refused(&|g| g.nodes[1].color = None, "both or neither");
        refused(&|g| g.nodes[1].turn = Some("z9".into()), "z9");
        refused(&|g| g.nodes[2].turn = g.nodes[1].turn.clone(), "occupied");
        refused(&|g| g.size = 23, "23");
        refused(&|g| g.result = Some("both".into()), "expected black, white or draw");
        refused(&|g| g.properties.push(("](;".into(), String::new())), "not the name of a property");
        let node = |parent| game::Node { parent, color: None, turn: None, notes: Vec::new() };
        refused(&|g| g.nodes = (0..=crate::limits::NODES).map(|_| node(None)).collect(), "more than");
    }

    #[test]
    fn positions_come_back() {
        let given = board::Position {
            size: 19,
            rule: board::Rule::Caro,
            setup: vec![Stone { point: "s19".into(), color: board::Color::White }],
            first: board::Color::White,
            moves: vec!["a1".into(), "pass".into(), "b2".into()],
        };
        let (read, rule) = position(&given).unwrap();
        assert_eq!((of_position(&read, given.rule), rule), (given.clone(), RuleKind::Caro));
        let bad = board::Position { moves: vec!["a1".into(), "a1".into()], ..given.clone() };
        assert_eq!(format!("{:#}", position(&bad).err().unwrap()), "move 2: a1 is occupied");
        let long = board::Position { moves: vec!["pass".into(); MOVES + 1], ..given };
        assert!(position(&long).is_err());
    }
}
