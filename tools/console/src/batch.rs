//! Many positions at once: one a line in, one JSON object a line out, in order and as soon as it is known.
//!
//! A line that starts with `{` is an object with `position`, or `black` and `white`; any other line is a position.
//! Blank lines and lines that start with `#` are skipped but counted. A bad line is answered with its error.

pub mod parallel;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Status;
use crate::args::QueryArgs;
use crate::input;
use crate::lines::{Lines, STDIN};
use kagetsu::game::quote::quoted;
use kagetsu::game::{Color, Position, Reading, RuleKind, Size, notation};
use kagetsu_tools::untrusted;

/// The id of a question. The answer has it unchanged, except for white space between its values.
#[derive(Clone, Serialize, Debug)]
#[serde(transparent)]
pub struct Id(Box<RawValue>);

impl Id {
    /// The id of a question without one: its line number.
    pub fn line(number: usize) -> Id {
        Id(serde_json::value::to_raw_value(&number).expect("a number is JSON"))
    }

    /// Returns the id that an object names.
    pub fn of_object(text: &str) -> Option<Id> {
        #[derive(Deserialize)]
        struct Named {
            #[serde(default, deserialize_with = "present")]
            id: Option<Box<RawValue>>,
        }
        serde_json::from_str::<Named>(text).ok()?.id.map(Id)
    }
}

/// One question.
pub struct Query {
    /// Its name.
    pub id: Id,
    /// The position, checked under the rule.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// The side asked about, if one was named.
    pub side: Option<Color>,
    /// The value of the key `point`.
    point: Option<Value>,
}

impl Query {
    /// Returns the point asked about, as it was written. Commands that ask about no point ignore the key, whatever it holds.
    ///
    /// # Errors
    /// If it is no string.
    pub fn point(&self) -> Result<Option<&str>> {
        text("point", &self.point)
    }
}

/// An object of a batch. Its values are checked here and not by the JSON parser, so that the id is known even if
/// another value has a wrong type.
#[derive(Deserialize, Default)]
struct Object {
    #[serde(default, deserialize_with = "present")]
    id: Option<Box<RawValue>>,
    position: Option<Value>,
    black: Option<Value>,
    white: Option<Value>,
    rule: Option<Value>,
    size: Option<Value>,
    side: Option<Value>,
    point: Option<Value>,
}

/// Keeps `null` as a value.
fn present<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Deserialize::deserialize(d).map(Some)
}

#[derive(Serialize)]
struct Failure {
    id: Id,
    error: String,
}

/// The question of the command line's own position.
pub fn single(args: &QueryArgs, reading: Reading) -> Result<Query> {
    let argument = args.position.as_deref().unwrap_or_default();
    let (position, rule) = input::position(argument, &args.board, &args.file, reading)?;
    Ok(Query { id: Id::line(1), position, rule, side: None, point: None })
}

/// Answers the questions of `args` in JSON: every line of its batch, or its one position.
pub fn answer<T: Serialize>(
    args: &QueryArgs,
    reading: Reading,
    out: &mut dyn Write,
    mut solve: impl FnMut(Query) -> Result<T>,
) -> Result<Status> {
    let Some(name) = &args.batch else {
        write_line(out, &solve(single(args, reading)?)?)?;
        return Ok(Status::Done);
    };
    let mut questions = Questions::open(name, args, reading)?;
    let mut status = Status::Done;
    while let Some((id, query)) = questions.next()? {
        status = status.and(reply(out, id, query.and_then(&mut solve))?);
    }
    Ok(status)
}

/// Writes an answer, or the error instead of it.
///
/// # Errors
/// If it cannot be written.
pub fn reply(out: &mut dyn Write, id: Id, answer: Result<impl Serialize>) -> Result<Status> {
    match answer {
        Ok(answer) => write_line(out, &answer).map(|()| Status::Done),
        Err(error) => {
            write_line(out, &Failure { id, error: format!("{error:#}") })?;
            Ok(Status::SomeFailed)
        }
    }
}

/// The lines of a batch.
pub type BatchLines<'a> = Lines<'a, Box<dyn BufRead + Send + 'a>>;

/// Opens the file of a batch; `-` is standard input.
///
/// # Errors
/// If it cannot be opened.
pub fn open(name: &str) -> Result<BatchLines<'_>> {
    let (name, source) = source(name)?;
    Ok(Lines::new(name, Box::new(BufReader::new(source))))
}

/// Opens the file of a batch. Returns its name in errors, and its bytes.
fn source(name: &str) -> Result<(&str, Box<dyn Read + Send>)> {
    if name == "-" {
        return Ok((STDIN, Box::new(io::stdin())));
    }
    let file = File::open(name).with_context(|| format!("cannot open {name}"))?;
    Ok((name, Box::new(file)))
}

/// The questions of a batch, read one by one.
struct Questions<'a> {
    lines: BatchLines<'a>,
    args: &'a QueryArgs,
    reading: Reading,
}

impl<'a> Questions<'a> {
    fn open(name: &'a str, args: &'a QueryArgs, reading: Reading) -> Result<Questions<'a>> {
        Ok(Questions { lines: open(name)?, args, reading })
    }

    /// The next question, or what is wrong with it; `None` at the end.
    fn next(&mut self) -> Result<Option<(Id, Result<Query>)>> {
        loop {
            let Some((number, text)) = self.lines.next_line()? else { return Ok(None) };
            if let Some(line) = question(&text) {
                return Ok(Some(parse_line(line, number, self.args, self.reading)));
            }
        }
    }
}

/// The question of a line, unless it is blank or a comment.
fn question(line: &str) -> Option<&str> {
    let line = line.trim();
    (!line.is_empty() && !line.starts_with('#')).then_some(line)
}

/// Writes one object and lets the reader have it.
pub fn write_line(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string(value)?;
    writeln!(out, "{}", untrusted::json(&text))?;
    Ok(out.flush()?)
}

fn parse_line(line: &str, number: usize, args: &QueryArgs, reading: Reading) -> (Id, Result<Query>) {
    let id = Id::line(number);
    if !line.starts_with('{') {
        let position = input::checked(line, args.board.rule(), args.board.size, reading);
        let rule = args.board.rule();
        let query =
            position.map(|position| Query { id: id.clone(), position, rule, side: None, point: None });
        return (id, query);
    }
    match serde_json::from_str::<Object>(line) {
        Ok(mut object) => {
            let id = object.id.take().map_or(id, Id);
            (id.clone(), object.query(id, args, reading))
        }
        Err(error) => (id, Err(anyhow!("bad JSON: {error}"))),
    }
}

impl Object {
    fn query(self, id: Id, args: &QueryArgs, reading: Reading) -> Result<Query> {
        let rule = match text("rule", &self.rule)? {
            Some(name) => name.parse()?,
            None => args.board.rule(),
        };
        let size = match &self.size {
            None => args.board.size,
            Some(value) => {
                let side = value.as_u64().context("size must be a whole number")?;
                Some(Size::new(usize::try_from(side).unwrap_or(usize::MAX))?)
            }
        };
        let side = match text("side", &self.side)? {
            Some(name) => Some(name.parse::<Color>()?),
            None => None,
        };
        let position = match (text("position", &self.position)?, &self.black, &self.white) {
            (Some(position), None, None) => input::checked(position, rule, size, reading)?,
            (Some(_), ..) => bail!("expected the key position, or black and white, not both"),
            (None, None, None) => bail!("expected the key position, or black and white"),
            (None, black, white) => of_stones(black, white, size.unwrap_or(Size::S15), side)?,
        };
        Ok(Query { id, position, rule, side, point: self.point })
    }
}

fn text<'a>(key: &str, value: &'a Option<Value>) -> Result<Option<&'a str>> {
    match value {
        None => Ok(None),
        Some(value) => Ok(Some(value.as_str().with_context(|| format!("{key} must be a string"))?)),
    }
}

/// Returns the position of two arrays of points. Without a side, Black is to move if the counts are equal, else White.
fn of_stones(
    black: &Option<Value>,
    white: &Option<Value>,
    size: Size,
    side: Option<Color>,
) -> Result<Position> {
    let black = points("black", black, size)?;
    let white = points("white", white, size)?;
    let counted = if black.len() <= white.len() { Color::Black } else { Color::White };
    let stones = black.iter().map(|&p| (p, Color::Black)).chain(white.iter().map(|&p| (p, Color::White)));
    Ok(Position::from_stones(size, stones, side.unwrap_or(counted))?)
}

fn points(key: &str, value: &Option<Value>, size: Size) -> Result<Vec<kagetsu::game::Point>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let names = value.as_array().with_context(|| format!("{key} must be an array of points"))?;
    let point = |name: &Value| {
        let name = name.as_str().with_context(|| format!("{key} must be an array of points"))?;
        notation::parse_point(name, size).with_context(|| format!("{key}: {} is not a point", quoted(name)))
    };
    names.iter().map(point).collect()
}
