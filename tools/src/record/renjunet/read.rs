//! Reads a database as a stream of games.

use std::io::BufRead;
use std::mem;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader as Xml, escape};

use super::ration::Ration;
use super::tables::{Attributes, Tables};
use super::{ATTRIBUTES, DATE, INFO, OPENING, RULE};
use crate::limits::Limits;
use crate::record::{Game, GameResult, NodeId, ReadError};
use kagetsu::game::notation::parse_point;
use kagetsu::game::{Color, Error, Move, PointSet, RuleKind, Size};

/// Reads games. Each is Renju on 15x15.
///
/// # Errors
/// The byte, and what was expected there. After a game with a wrong move or a malformed attribute the next one follows; a
/// file that is not XML of this form ends.
pub fn read(input: impl BufRead) -> impl Iterator<Item = Result<Game, ReadError>> {
    read_within(input, Limits::default())
}

/// Reads games of at most this number of bytes each, and as much outside of games.
///
/// # Errors
/// As [`read`], or if a game, or what is around it, has more bytes.
pub fn read_within(input: impl BufRead, limits: Limits) -> impl Iterator<Item = Result<Game, ReadError>> {
    let mut reader = Some(Reader {
        limits,
        xml: Xml::from_reader(Ration::new(input, limits.game())),
        buffer: Vec::new(),
        tables: Tables::default(),
        depth: 0,
        begun: false,
        game: None,
        text: None,
    });
    std::iter::from_fn(move || {
        let game = reader.as_mut()?.next().map_err(ReadError::fatal).transpose();
        if !matches!(&game, Some(Ok(_))) {
            reader = None;
        }
        game.map(|game| game.flatten())
    })
}

/// Reads XML events.
struct Reader<R> {
    limits: Limits,
    xml: Xml<Ration<R>>,
    buffer: Vec<u8>,
    tables: Tables,
    /// Open elements.
    depth: usize,
    /// Whether an element has come.
    begun: bool,
    /// The game that is being read.
    game: Option<Element>,
    /// The text of the current game, and the open elements around its own.
    text: Option<(Text, usize)>,
}

/// A `game` and the texts in it.
struct Element {
    /// Its first byte.
    at: usize,
    attributes: Attributes,
    moves: String,
    info: String,
}

#[derive(Clone, Copy)]
enum Text {
    Moves,
    Info,
}

/// A game, or what is wrong with this one.
type Found = Result<Game, ReadError>;

impl<R: BufRead> Reader<R> {
    /// Returns the next game, or `None` at the end.
    ///
    /// # Errors
    /// If the rest of the file cannot be read.
    fn next(&mut self) -> Result<Option<Found>, ReadError> {
        let mut buffer = mem::take(&mut self.buffer);
        loop {
            buffer.clear();
            let at = self.xml.buffer_position() as usize;
            let event = self.xml.read_event_into(&mut buffer);
            let event = event.map_err(|error| self.wrong(at, error))?;
            let found = match event {
                Event::Start(element) => {
                    self.begin(&element, at)?;
                    self.depth += 1;
                    None
                }
                Event::Empty(element) => {
                    self.begin(&element, at)?;
                    self.end(element.name().as_ref())
                }
                Event::End(element) => {
                    self.depth -= 1;
                    self.end(element.name().as_ref())
                }
                Event::Text(text) => self.add(&text),
                Event::CData(text) => self.add(&text),
                Event::GeneralRef(reference) => {
                    let known = escape::unescape(&format!("&{};", &*reference)).map(|text| text.into_owned());
                    self.add(&known.unwrap_or_else(|_| format!("&{};", &*reference)))
                }
                Event::Eof if self.depth > 0 || !self.begun => {
                    let expected = if self.begun { "</database>" } else { "<database>" };
                    return Err(ReadError::byte(at, format!("the file ends where {expected} was expected")));
                }
                Event::Eof => return Ok(None),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => None,
            };
            if found.is_some() {
                self.buffer = buffer;
                return Ok(found);
            }
        }
    }

    /// The error of a part of the file that begins at this byte.
    fn wrong(&self, at: usize, error: quick_xml::Error) -> ReadError {
        if self.xml.get_ref().is_spent() {
            let what = "too many bytes of a game, or of all that is in no game";
            return ReadError::byte(at, self.limits.exceeded(what, self.limits.game()));
        }
        ReadError::byte(self.xml.error_position() as usize, error)
    }

    fn begin(&mut self, element: &BytesStart<'_>, at: usize) -> Result<(), ReadError> {
        let name = element.name();
        match (name.as_ref(), &self.game) {
            ("database", None) if !self.begun => self.begun = true,
            (name, _) if self.depth == 0 => {
                return Err(ReadError::byte(at, format!("<{name}> where <database> was expected")));
            }
            ("game", Some(_)) => return Err(ReadError::byte(at, "<game> where </game> was expected")),
            ("game", None) => {
                let attributes = Attributes::of(element);
                self.game = Some(Element { at, attributes, moves: String::new(), info: String::new() });
            }
            _ if self.text.is_some() => self.divide(),
            ("move", Some(_)) => self.text = Some((Text::Moves, self.depth)),
            ("info", Some(_)) => self.text = Some((Text::Info, self.depth)),
            // Rows of tables inside games are ignored: there may be any number of them, and they would fill
            // the memory.
            (_, Some(_)) => {}
            (_, None) => self.tables.add(element, at),
        }
        Ok(())
    }

    /// Ends the element of this name at the present depth of nesting.
    fn end(&mut self, name: &str) -> Option<Found> {
        match self.text {
            Some((_, depth)) if depth == self.depth => self.text = None,
            _ => self.divide(),
        }
        if name == "game" { self.finish() } else { None }
    }

    /// Handles the beginning or end of an element within a text. It separates moves; in other texts it is
    /// only formatting.
    fn divide(&mut self) {
        if let (Some(game), Some((Text::Moves, _))) = (&mut self.game, self.text) {
            game.moves.push(' ');
        }
    }

    fn add(&mut self, text: &str) -> Option<Found> {
        match (&mut self.game, self.text) {
            (Some(game), Some((Text::Moves, _))) => game.moves += text,
            (Some(game), Some((Text::Info, _))) => game.info += text,
            _ => {}
        }
        None
    }

    fn finish(&mut self) -> Option<Found> {
        let element = self.game.take()?;
        let end = self.xml.buffer_position() as usize;
        self.xml.get_mut().give_back(end - element.at);
        let mut game = Game::new(Size::S15);
        self.facts(&mut game, &element);
        let number = element.attributes.get("id").unwrap_or("without a number");
        let checked = element.attributes.check().and_then(|()| add_moves(&mut game, &element.moves));
        Some(match checked {
            Ok(()) => Ok(game),
            Err(problem) => Err(ReadError::byte(element.at, format!("game {number}: {problem}"))),
        })
    }

    fn facts(&self, game: &mut Game, element: &Element) {
        let attribute = |key| element.attributes.get(key).unwrap_or_default();
        game.rule = Some(RuleKind::Renju);
        game.result = match attribute("bresult").parse() {
            Ok(1.0) => Some(GameResult::Win(Color::Black)),
            Ok(0.5) => Some(GameResult::Draw),
            Ok(0.0) => Some(GameResult::Win(Color::White)),
            _ => None,
        };
        for (property, side) in [("PB", "black"), ("PW", "white")] {
            game.add_property(property, self.tables.players.get(attribute(side)).map_or("", |name| name));
        }
        if let Some(tournament) = self.tables.tournaments.get(attribute("tournament")) {
            game.add_property("EV", &tournament.name);
            game.add_property(DATE, &tournament.date);
        }
        for (key, property) in ATTRIBUTES {
            game.add_property(property, attribute(key));
        }
        game.add_property(RULE, self.tables.rules.get(attribute("rule")).map_or("", |name| name));
        game.add_property(OPENING, self.tables.openings.get(attribute("opening")).map_or("", |code| code));
        game.add_property(INFO, element.info.trim());
    }
}

/// Adds moves as `h8 h9 i8`, rows from the bottom.
fn add_moves(game: &mut Game, moves: &str) -> Result<(), String> {
    let mut occupied = PointSet::EMPTY;
    let mut node = NodeId::ROOT;
    let mut color = Color::Black;
    for (i, name) in moves.split_whitespace().enumerate() {
        let p = parse_point(name, game.size).map_err(|error| format!("move {}: {error}", i + 1))?;
        if occupied.contains(p) {
            return Err(format!("move {}: {}", i + 1, Error::Occupied(p)));
        }
        occupied.insert(p);
        node = game.tree.add(node, Some((color, Move::Place(p))));
        color = !color;
    }
    game.tree.shrink();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::notation::moves;

    const DATABASE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- made up -->
<database version="1.0" date="2024-01-01">
<countries><country id="1" name="Japan" abbr="JPN"/></countries>
<rules><rule id="1" name="RIF" category="1">text &amp; text</rule></rules>
<openings><opening id="5" abbr="D4" name="Kagetsu"/></openings>
<players><player id="7" name="A &amp; B" surname="C&#233;"/><player id="8" name="D" surname=""/></players>
<tournaments><tournament id="3" name="Cup" year="1999" start=""/></tournaments>
<games>
<game id="11" publisher="1" tournament="3" round="2" rule="1" black="7" white="8" bresult="0.5" btime="30" opening="5" alt="i8" swap="R-"><move>h8 h9
i9 <![CDATA[g7]]></move><info>good &lt;game&gt;</info></game>
<game id="12" bresult="1"><move>h8 h8</move></game>
<game id="13" bresult="0"/>
</games>
</database>"#;

    fn read_all(text: &str) -> Vec<Found> {
        read(text.as_bytes()).collect()
    }

    #[test]
    fn games_with_their_facts() {
        let games = read_all(DATABASE);
        assert_eq!(games.len(), 3);
        let game = games[0].as_ref().unwrap();
        assert_eq!(moves::print(game.main_position(None).unwrap().moves()), "h8h9i9g7");
        assert_eq!((game.rule, game.result), (Some(RuleKind::Renju), Some(GameResult::Draw)));
        let facts = game.properties.iter().map(|(key, value)| format!("{key}[{value}]"));
        assert_eq!(
            facts.collect::<String>(),
            "PB[A & B Cé]PW[D]EV[Cup]DT[1999]GN[11]RO[2]BTIME[30]ALT[i8]SWAP[R-]PUBLISHER[1]RU[RIF]ON[D4]GC[good <game>]"
        );
        assert_eq!(
            games[1].as_ref().unwrap_err().to_string(),
            format!("byte {}: game 12: move 2: h8 is occupied", DATABASE.find(r#"<game id="12""#).unwrap())
        );
        let empty = games[2].as_ref().unwrap();
        assert_eq!((empty.tree.len(), empty.result), (1, Some(GameResult::Win(Color::White))));
    }

    #[test]
    fn errors_say_the_byte_and_end_the_file() {
        let error = |text: &str| {
            let last = read_all(text).pop().unwrap();
            last.unwrap_err().to_string()
        };
        assert_eq!(error("<html></html>"), "byte 0: <html> where <database> was expected");
        assert_eq!(error("<database><games>"), "byte 17: the file ends where </database> was expected");
        assert_eq!(error("<database><game><game/>"), "byte 16: <game> where </game> was expected");
        assert!(error("<database></games>").starts_with("byte 10: "), "{}", error("<database></games>"));
        assert!(
            error("<database><game id='1'><move>p1</move></game></database>").contains("game 1: move 1: ")
        );
        assert_eq!(error(""), "byte 0: the file ends where <database> was expected");
        assert!(error("<database/><database/>").contains("<database> where <database>"));
    }

    /// Without its attributes a game would lose its players and its result. A row of a table keeps those before the malformed
    /// one.
    #[test]
    fn a_malformed_attribute_is_an_error_of_its_game() {
        let rows = "<player id='1' name='A' surname=B/><player id='2' name='C'/>";
        let wrong = "<game id='11' black='1' white=2 bresult='1'><move>h8</move></game><game id='12' black/>";
        let right = "<game id='13' black='1' white='2'><move>h8</move></game>";
        let file = format!("<database>{rows}{wrong}{right}</database>");
        let games = read_all(&file);
        assert_eq!(games.len(), 3);
        for (game, number, attribute) in [(&games[0], 11, 3), (&games[1], 12, 2)] {
            let at = file.find(&format!("<game id='{number}'")).unwrap();
            let error = game.as_ref().unwrap_err();
            let begin = format!("byte {at}: game {number}: attribute {attribute}: ");
            assert!(error.to_string().starts_with(&begin) && !error.fatal, "{error}");
        }
        let game = games[2].as_ref().unwrap();
        assert_eq!((game.property("PB"), game.property("PW")), (Some("A"), Some("C")));
    }

    #[test]
    fn elements_within_texts() {
        let texts = "<move>h8 h9<br/>i9<b>g7</b>a1</move><info>good <move>move</move> <b/>here</info>";
        let games = read_all(&format!("<database><game id='1'>{texts}</game></database>"));
        let game = games[0].as_ref().unwrap();
        assert_eq!(moves::print(game.main_position(None).unwrap().moves()), "h8h9i9g7a1");
        assert_eq!(game.property(INFO), Some("good move here"));
    }

    /// The length of each game is bounded, however many there are, and so is everything around them.
    #[test]
    fn the_bytes_of_games_and_tables_are_bounded() {
        let few = Limits { game: 100, ..Limits::default() };
        let count =
            |file: &str| read_within(file.as_bytes(), few).collect::<Result<Vec<_>, _>>().map(|g| g.len());
        let game = "<game><move>h8</move></game>";
        assert_eq!(count(&format!("<database>{}</database>", game.repeat(1000))), Ok(1000));
        let error = |file: &str| count(file).unwrap_err().to_string();
        let long = format!("<database>{game}<game><info>{}</info></game></database>", " ".repeat(1000));
        assert!(error(&long).contains("too many bytes of a game"), "{}", error(&long));
        let tables = format!("<database>{}{game}</database>", "<player id='1'/>".repeat(10));
        assert!(error(&tables).contains("too many bytes of a game"), "{}", error(&tables));
        // The bytes of a game are allowed again after it, so no row inside a game may be kept.
        let row = "<game><player id='1' name='A'/></game>";
        let games = read_all(&format!("<database>{row}<game black='1'/></database>"));
        assert_eq!(games[1].as_ref().unwrap().property("PB"), None);
    }
}
