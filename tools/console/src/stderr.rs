//! Standard error: the log, wrong usage and the last error. All of it is escaped as text from outside.

use std::error::Error;
use std::io::{self, Write};
use std::num::{IntErrorKind, ParseIntError};
use std::process::ExitCode;

use anstream::adapter::strip_str;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::usage::WrongUsage;
use kagetsu::game::{MAX_SIZE, Size, notation};
use kagetsu_tools::untrusted;

/// Exit status after wrong usage.
const USAGE: u8 = 2;

/// Logs warnings, in the form of the last error; or what `RUST_LOG` asks for, with time and module.
pub fn init_log() {
    let is_asked_for = std::env::var_os(env_logger::DEFAULT_FILTER_ENV).is_some();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format(move |out, record| {
            let (level, style) = (record.level(), out.default_level_style(record.level()));
            let text = record.args().to_string();
            let text = untrusted::lines(&text);
            if is_asked_for {
                let (time, target) = (out.timestamp_seconds(), record.target());
                return writeln!(out, "[{time} {style}{level:<5}{style:#} {target}] {text}");
            }
            let name = if level == log::Level::Warn { "warning" } else { "error" };
            writeln!(out, "kagetsu: {style}{name}{style:#}: {text}")
        })
        .init();
}

/// Reports wrong arguments, and what is expected. The text is coloured, unless the arguments hold control
/// sequences: in coloured text these could not be told from the parser's own.
pub fn usage(mut error: clap::Error) -> ExitCode {
    let is_safe = std::env::args_os().all(|argument| untrusted::is_safe(&argument.to_string_lossy()));
    if !is_safe {
        escape(&mut error);
    }
    let mut text = explained(&error, error.render().ansi().to_string());
    if is_rest_of_position(&error) {
        text.push_str("\nA position with blanks is one argument: put it in quotes, e.g. \"h8 h9 i8\"\n");
    }
    // If stderr is closed too, the error cannot be reported.
    let _ = if is_safe {
        write!(anstream::stderr(), "{text}")
    } else {
        write!(io::stderr(), "{}", untrusted::lines(&strip_str(&text).to_string()))
    };
    ExitCode::from(USAGE)
}

/// Returns whether the argument that was not expected is a point: the rest of a position that was not put in quotes.
fn is_rest_of_position(error: &clap::Error) -> bool {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return false };
    let is_point = |size| notation::parse_point(argument, size).is_ok();
    error.kind() == ErrorKind::UnknownArgument && Size::new(MAX_SIZE).is_ok_and(is_point)
}

/// Escapes the arguments that an error repeats.
fn escape(error: &mut clap::Error) {
    let repeated = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(untrusted::line(text).into()))),
        _ => None,
    });
    for (kind, value) in repeated.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
}

/// Replaces the parser's reason for a wrong value, such as "invalid digit found in string", by what is expected, and
/// escapes other reasons.
fn explained(error: &clap::Error, text: String) -> String {
    let Some((reason, expected)) = error.source().map(|source| {
        let reason = source.to_string();
        let expected = expected(source, &reason).unwrap_or_else(|| untrusted::lines(&reason).into_owned());
        (reason, expected)
    }) else {
        return text;
    };
    // The reason is the last occurrence: the value before it may have the same text.
    match text.rfind(&reason) {
        Some(at) => format!("{}{expected}{}", &text[..at], &text[at + reason.len()..]),
        None => text,
    }
}

/// Returns what a parser expects, by the type of its error. clap's error for a range has no type, only a text.
fn expected(source: &(dyn Error + 'static), reason: &str) -> Option<String> {
    if source.downcast_ref().is_some_and(|error: &ParseIntError| *error.kind() == IntErrorKind::PosOverflow) {
        return Some("expected a smaller number".into());
    }
    if source.is::<ParseIntError>() {
        return Some("expected a whole number".into());
    }
    if source.is::<std::net::AddrParseError>() {
        return Some("expected an IP address, e.g. 127.0.0.1".into());
    }
    let (_, range) = reason.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    let least: i128 = least.parse().ok()?;
    let most = match most.strip_prefix('=') {
        Some(most) => most.parse::<i128>().ok()?,
        None => most.parse::<i128>().ok()? - 1,
    };
    Some(format!("expected {least} to {most}"))
}

/// Says why a command failed, and returns the exit status: that of wrong usage for [`WrongUsage`].
pub fn failure(error: &anyhow::Error) -> ExitCode {
    let _ = writeln!(io::stderr(), "kagetsu: {}", untrusted::lines(&format!("{error:#}")));
    if error.is::<WrongUsage>() { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
}
