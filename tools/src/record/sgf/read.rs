//! Reads a collection of games: tokens to nodes with properties, properties to moves and notes.

use std::io::{BufRead, Cursor, Read};

use super::declared::declared;
use super::lex::{Lexer, Token, compose, unescape};
use super::split::Split;
use super::{MARKS, TIME, result, rule};
use crate::limits::Limits;
use crate::record::charset::Charset;
use crate::record::decoding::decoded;
use crate::record::notes::Note;
use crate::record::tree::NodeId;
use crate::record::yxdb::{RECORD, TEXT_ORDER};
use crate::record::{Game, ReadError};
use crate::untrusted;
use kagetsu::game::notation::{self, gomocup};
use kagetsu::game::quote::quoted;
use kagetsu::game::{Color, Move, Point, RuleKind, Size};

/// Bytes in which the encoding is looked for.
const START: u64 = 1 << 16;

/// Reads every game of a file; see [`games`].
///
/// # Errors
/// The line of the first error, and what was expected there.
pub fn read(bytes: &[u8], charset: Charset) -> Result<Vec<Game>, ReadError> {
    games(bytes, charset)?.collect()
}

/// Reads games one after another. A file states its encoding in the first `CA` of a root, near its beginning;
/// `charset` is the encoding of a file without it.
///
/// # Errors
/// If the beginning cannot be read. For a game: the line, and the expected content; the games after it follow.
pub fn games<'a>(
    input: impl BufRead + 'a,
    charset: Charset,
) -> Result<impl Iterator<Item = Result<Game, ReadError>> + 'a, ReadError> {
    games_within(input, charset, false, Limits::default())
}

/// Reads games as [`games`] does, within these limits. With `marked`, the mark of UTF-8 stood before the input: `charset` is
/// then the encoding whatever a `CA` names.
///
/// # Errors
/// The errors of [`games`]. A game beyond a limit is an error.
pub fn games_within<'a>(
    mut input: impl BufRead + 'a,
    charset: Charset,
    marked: bool,
    limits: Limits,
) -> Result<impl Iterator<Item = Result<Game, ReadError>> + 'a, ReadError> {
    let mut start = Vec::new();
    let begun = input.by_ref().take(START).read_to_end(&mut start);
    begun.map_err(|error| ReadError::line(1, error).fatal())?;
    let declared = if marked { None } else { declared(&start, limits) };
    let charset = declared.unwrap_or(charset);
    // Bytes of East Asian encodings can look like brackets: the text is decoded before it is taken apart.
    let mut split = Split::new(decoded(Cursor::new(start).chain(input), charset), limits);
    // For a text of unknown encoding, each game shows whether it is UTF-8.
    let charset = if charset.decoder().is_some() { Charset::AUTO } else { charset };
    let mut across = FileState { room: POINT_LISTS, warned: false };
    let mut ended = false;
    Ok(std::iter::from_fn(move || {
        while !ended {
            let next = match split.next() {
                Ok(next) => next,
                Err(error) => {
                    ended = true;
                    return Some(Err(error));
                }
            };
            let (line, bytes) = next?;
            across.room += bytes.len() / 4;
            let text = charset.decode(&bytes);
            if let Some(game) = one(&text, line, &mut across, limits).transpose() {
                return Some(game);
            }
        }
        None
    }))
}

/// Reads a text with one game, or with nothing but text allowed between games.
fn one(text: &str, line: usize, across: &mut FileState, limits: Limits) -> Result<Option<Game>, ReadError> {
    let mut lexer = Lexer::new(text, line);
    loop {
        match lexer.next()? {
            None => return Ok(None),
            Some(Token::Open) => {
                let reader =
                    Reader { game: None, lines: Vec::new(), side_known: false, text: 0, across, limits };
                return reader.game(&mut lexer).map(Some);
            }
            Some(Token::Close) => return Err(ReadError::line(lexer.line(), "')' without its '('")),
            Some(Token::Key(_) | Token::Value(_) | Token::Node) => {}
        }
    }
}

/// One property of a node.
struct Property<'a> {
    line: usize,
    key: String,
    values: Vec<&'a str>,
}

/// State that goes from game to game of a file.
struct FileState {
    /// Number of points that rectangles may still stand for, in this game and all later ones.
    room: usize,
    /// Whether a warning has told of games that are not five in a row.
    warned: bool,
}

/// Reads one game.
struct Reader<'a> {
    game: Option<Game>,
    /// The line of each node of the tree.
    lines: Vec<u32>,
    /// Whether the side to move first was said.
    side_known: bool,
    /// Bytes of the properties so far, each value with its key.
    text: usize,
    across: &'a mut FileState,
    limits: Limits,
}

/// Number of points that rectangles may stand for in any file. A few bytes that name a whole board, again and again,
/// must not fill the memory.
const POINT_LISTS: usize = 1 << 12;

/// A node may have at most the game's node limit divided by this number of values, because a value takes more memory than
/// a node while it is read.
const VALUE_COST: usize = 16;

/// Bytes that the properties of a game may have: the places of its texts are kept in 32 bits.
const TEXTS: usize = u32::MAX as usize;

impl Reader<'_> {
    /// Reads up to the `)` that closes the game, whose `(` was read.
    fn game(mut self, lexer: &mut Lexer<'_>) -> Result<Game, ReadError> {
        let mut node = NodeId::ROOT;
        let mut branches = Vec::new();
        let mut properties: Vec<Property<'_>> = Vec::new();
        let mut in_node = false;
        let mut values = 0;
        loop {
            let Some(token) = lexer.next()? else {
                return Err(ReadError::line(lexer.line(), "the file ends where ')' was expected"));
            };
            // A property without a value would be lost: a pass instead of a move, or nothing at all.
            if !matches!(token, Token::Value(_))
                && let Some(empty) = properties.last().filter(|property| property.values.is_empty())
            {
                let problem = format!("a value in '[ ]' was expected after {}", empty.key);
                return Err(ReadError::line(empty.line, problem));
            }
            match token {
                Token::Key(key) if in_node => {
                    properties.push(Property { line: lexer.line(), key, values: Vec::new() });
                }
                Token::Value(value) if !properties.is_empty() => {
                    properties.last_mut().expect("not empty").values.push(value);
                    values += 1;
                    let most = self.limits.nodes() / VALUE_COST;
                    if values > most {
                        let problem = self.limits.exceeded("a node of too many values", most);
                        return Err(ReadError::line(lexer.line(), problem));
                    }
                }
                Token::Key(_) | Token::Value(_) => {
                    return Err(ReadError::line(lexer.line(), "';' was expected before a property"));
                }
                Token::Open | Token::Close | Token::Node => {
                    if std::mem::take(&mut in_node) {
                        node = self.node(node, &properties, lexer.line())?;
                        properties.clear();
                        values = 0;
                    }
                    match token {
                        Token::Node => in_node = true,
                        Token::Open => branches.push(node),
                        _ => match branches.pop() {
                            Some(branch) => node = branch,
                            None => return self.finish(lexer.line()),
                        },
                    }
                }
            }
        }
    }

    /// Makes a node, or fills the root, and gives the node that the next one hangs on.
    fn node(
        &mut self,
        parent: NodeId,
        properties: &[Property<'_>],
        line: usize,
    ) -> Result<NodeId, ReadError> {
        let line = properties.first().map_or(line, |p| p.line) as u32;
        let is_root = self.game.is_none();
        if is_root {
            self.lines.push(line);
            let size = size(properties)?;
            self.warn_of_other_game(properties);
            self.game = Some(Game::new(size));
        }
        let game = self.game.as_mut().expect("made with the first node");
        let size = game.size;
        let mut turns = Vec::new();
        for property in properties.iter().filter(|p| p.key == "B" || p.key == "W") {
            let color = if property.key == "B" { Color::Black } else { Color::White };
            for value in &property.values {
                turns.push((
                    color,
                    turn(value, size).map_err(|problem| ReadError::line(property.line, problem))?,
                ));
            }
        }
        // In the tree, the root has no move, and any other node has one at most.
        let mut node = parent;
        if turns.is_empty() && !is_root {
            node = game.tree.add(node, None);
            self.lines.push(line);
        }
        for turn in turns {
            node = game.tree.add(node, Some(turn));
            self.lines.push(line);
        }
        if game.tree.len() > self.limits.nodes() {
            let problem = self.limits.exceeded("a game of too many nodes", self.limits.nodes());
            return Err(ReadError::line(line as usize, problem));
        }
        let at_stone = game.tree.point(node).is_some();
        let mut texts = Vec::new();
        for property in properties {
            self.text += property.values.iter().map(|value| property.key.len() + value.len()).sum::<usize>();
            if self.text > TEXTS {
                let problem = "games of more than 4 GiB of text are not supported";
                return Err(ReadError::line(property.line, problem));
            }
            if is_root && root_property(game, property) {
                continue;
            }
            let before = texts.len();
            notes(property, size, at_stone, &mut texts)?;
            let listed = (texts.len() - before).saturating_sub(property.values.len());
            self.across.room = self.across.room.checked_sub(listed).ok_or_else(|| {
                ReadError::line(property.line, "too many points in rectangles: expected at most 4096, and one more for 4 bytes of the file")
            })?;
        }
        if is_root {
            self.setup(&mut texts)?;
        }
        let game = self.game.as_mut().expect("made with the first node");
        game.tree.annotate(node, texts.iter().map(Owned::note));
        Ok(node)
    }

    /// Warns, once a file, that the `GM` of a game is not that of five in a row. It is no error: programs
    /// made for Go write such a `GM` for every game.
    fn warn_of_other_game(&mut self, properties: &[Property<'_>]) {
        let Some(game) = properties.iter().find(|p| p.key == "GM") else { return };
        let number = game.values.first().map_or("", |value| value.trim());
        if !["", "4"].contains(&number) && !std::mem::replace(&mut self.across.warned, true) {
            let name = if number == "1" { "Go" } else { "another game" };
            let said: String = number.chars().take(10).collect();
            let said = untrusted::line(&said);
            log::warn!("line {}: GM[{said}] is {name}; read as five in a row, which is GM[4]", game.line);
        }
    }

    /// Moves the root's setup stones from its notes to the game.
    fn setup(&mut self, notes: &mut Vec<Owned>) -> Result<(), ReadError> {
        let game = self.game.as_mut().expect("made with the first node");
        for note in std::mem::take(notes) {
            match note {
                Owned::Setup(p, Some(color)) => game.setup.push((p, color)),
                Owned::Setup(_, None) => {}
                Owned::Side(color) => {
                    game.first = color;
                    self.side_known = true;
                }
                note => notes.push(note),
            }
        }
        Ok(())
    }

    fn finish(self, line: usize) -> Result<Game, ReadError> {
        let mut game =
            self.game.ok_or_else(|| ReadError::line(line, "a game without a node: ';' was expected"))?;
        if !self.side_known {
            let moved = game.tree.main_line().find_map(|id| game.tree.turn(id)).map(|(color, _)| color);
            game.first = moved.unwrap_or_else(|| game.side_by_stones());
        }
        game.check().map_err(|(id, error)| ReadError::line(self.lines[id.index()] as usize, error))?;
        game.tree.shrink();
        Ok(game)
    }
}

/// Returns the board's size. Without one it is Go's for a game of Go, else Renju's.
fn size(properties: &[Property<'_>]) -> Result<Size, ReadError> {
    let value =
        |key| properties.iter().find(|p| p.key == key).and_then(|p| Some((p.line, p.values.first()?.trim())));
    let Some((line, text)) = value("SZ") else {
        let go = value("GM").is_some_and(|(_, game)| game == "1");
        return Ok(if go { Size::new(19).expect("a board size") } else { Size::S15 });
    };
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    if width != height {
        return Err(ReadError::line(line, format!("SZ[{text}]: only square boards are supported")));
    }
    let side =
        width.parse().map_err(|_| ReadError::line(line, format!("SZ[{text}]: a number was expected")))?;
    Size::new(side).map_err(|error| ReadError::line(line, format!("SZ[{text}]: {error}")))
}

/// Takes a property of the whole game; returns false for a property of the position.
fn root_property(game: &mut Game, property: &Property<'_>) -> bool {
    const POSITION: [&str; 13] =
        ["B", "W", "AB", "AW", "AE", "PL", "C", "N", "LB", "V", TIME, RECORD, TEXT_ORDER];
    let position = POSITION.contains(&property.key.as_str());
    if position || MARKS.iter().any(|(key, _)| *key == property.key) {
        return false;
    }
    for value in &property.values {
        let text = unescape(value);
        match property.key.as_str() {
            "FF" | "GM" | "SZ" | "CA" | "AP" => {}
            "RU" => {
                // The first value that names a rule counts. A number beside it is an ordinary name.
                let number = text.trim().parse().ok().and_then(RuleKind::from_gomocup);
                let number = number.filter(|_| game.rule.is_none());
                game.rule = game.rule.or(number).or_else(|| rule::by_name(&text));
                if number.is_none() {
                    game.add_property("RU", &text);
                }
            }
            "RE" => {
                // The first value that states a result counts, and its reason for the win is kept.
                let is_all = game.result.is_none() && result::is_plain(&text);
                game.result = game.result.or_else(|| result::parse(&text));
                if !is_all {
                    game.add_property("RE", &text);
                }
            }
            key => game.add_property(key, &text),
        }
    }
    true
}

/// A move: a point, or nothing or `tt` for a pass.
fn turn(value: &str, size: Size) -> Result<Move, String> {
    let value = value.trim();
    if value.is_empty() || value == "tt" && size.side() <= 19 {
        return Ok(Move::Pass);
    }
    point(value, size).map(Move::Place)
}

/// A point as two letters, or as `h8`.
fn point(value: &str, size: Size) -> Result<Point, String> {
    if value.bytes().any(|b| b.is_ascii_digit()) {
        return notation::parse_point(value, size).map_err(|error| error.to_string());
    }
    let (x, y) = match value.trim().as_bytes() {
        &[x @ b'a'..=b'z', y @ b'a'..=b'z'] => (x - b'a', y - b'a'),
        _ => return Err(format!("{} is not a point: two letters were expected", quoted(value))),
    };
    gomocup::point(usize::from(x), usize::from(y), size)
        .ok_or_else(|| format!("{} is off the {size} board", quoted(value)))
}

/// The points of one value of a list: one, or the corners of a rectangle.
fn points(value: &str, size: Size) -> Result<Vec<Point>, String> {
    let Some((a, b)) = compose(value) else { return Ok(vec![point(value, size)?]) };
    let (a, b) = (point(a, size)?, point(b, size)?);
    let rows = a.y().min(b.y())..=a.y().max(b.y());
    let columns = a.x().min(b.x())..=a.x().max(b.x());
    Ok(rows.flat_map(|y| columns.clone().map(move |x| Point::new(x, y))).collect())
}

/// A [`Note`] with texts of its own.
enum Owned {
    Setup(Point, Option<Color>),
    Side(Color),
    Comment(String),
    BoardText(String),
    Label(Point, String),
    Note(Note<'static>),
    Property(String, String),
}

impl Owned {
    fn note(&self) -> Note<'_> {
        match self {
            Owned::Setup(p, stone) => Note::Setup(*p, *stone),
            Owned::Side(color) => Note::Side(*color),
            Owned::Comment(text) => Note::Comment(text),
            Owned::BoardText(text) => Note::BoardText(text),
            Owned::Label(p, text) => Note::Label(*p, text),
            Owned::Note(note) => *note,
            Owned::Property(key, value) => Note::Property(key, value),
        }
    }
}

/// Reads a property of a node other than a move.
fn notes(
    property: &Property<'_>,
    size: Size,
    at_stone: bool,
    notes: &mut Vec<Owned>,
) -> Result<(), ReadError> {
    let wrong = |problem: String| ReadError::line(property.line, format!("{}: {problem}", property.key));
    let stone = match property.key.as_str() {
        "AB" => Some(Some(Color::Black)),
        "AW" => Some(Some(Color::White)),
        "AE" => Some(None),
        _ => None,
    };
    let mark = MARKS.iter().find(|(key, _)| *key == property.key).map(|(_, mark)| *mark);
    for value in &property.values {
        match property.key.as_str() {
            "B" | "W" => {}
            "AB" | "AW" | "AE" => {
                let points = points(value, size).map_err(wrong)?;
                notes.extend(points.into_iter().map(|p| Owned::Setup(p, stone.flatten())));
            }
            "PL" => {
                let side = value.trim().parse::<Color>().map_err(|error| wrong(error.to_string()))?;
                notes.push(Owned::Side(side));
            }
            "C" if value.is_empty() => {}
            "C" => notes.push(Owned::Comment(unescape(value))),
            // A text on the board at a stone is a label; the node's name is something else.
            "N" if !at_stone => notes.push(Owned::BoardText(unescape(value))),
            "LB" => {
                let (at, text) = compose(value).ok_or_else(|| wrong("point:text was expected".into()))?;
                notes.push(Owned::Label(point(at, size).map_err(wrong)?, unescape(text)));
            }
            TIME => match value.trim().parse() {
                Ok(ms) => notes.push(Owned::Note(Note::Time(ms))),
                Err(_) => notes.push(Owned::Property(TIME.into(), unescape(value))),
            },
            key => match mark {
                None => notes.push(Owned::Property(key.to_owned(), unescape(value))),
                Some(mark) => {
                    let points = points(value, size).map_err(wrong)?;
                    notes.extend(points.into_iter().map(|p| Owned::Note(Note::Mark(p, mark))));
                }
            },
        }
    }
    Ok(())
}
