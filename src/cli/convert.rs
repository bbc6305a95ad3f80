//! `kagetsu convert`: from one game format to another.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::Status;
use super::args::size;
use crate::game::Size;
use crate::record::{Charset, Format, ReadOptions, WriteError};

/// Convert between game formats
#[derive(clap::Args)]
#[command(after_help = "\
The formats are told by the extensions: psq (Piskvork), sgf, lib (RenLib),
pos and sav (Yixin-Board), txt (a list of moves or setup strings), offset
(Gomocup's openings), pos-top (moves with row 1 at the top), bin and binpack
(c-gomoku-cli's training samples).

Examples:
  kagetsu convert game.psq game.sgf
  kagetsu convert games.sgf library.lib --game 3 --lossy")]
pub struct Args {
    /// The file to read, or - for stdin
    #[arg(value_name = "IN")]
    input: String,
    /// The file to write, or - for stdout
    #[arg(value_name = "OUT")]
    output: String,
    /// Format of IN [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of OUT [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Only the game of this number, from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Leave out what OUT cannot hold, if the moves are the same without it; of variations the main line stays
    #[arg(long)]
    lossy: bool,
    /// Encoding of texts where a file does not say it, as gbk or shift_jis [default: utf-8]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// Side length of the board, for lists that do not say it
    #[arg(long, value_name = "N", value_parser = size)]
    size: Option<Size>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let from = format(args.from, &args.input, "--from")?;
    let to = format(args.to, &args.output, "--to")?;
    let charset = args.charset.unwrap_or_default();
    let options = ReadOptions { charset, size: args.size };
    let bytes = read(&args.input)?;
    let mut games = from.read(&bytes, &options).with_context(|| args.input.clone())?;
    if let Some(number) = args.game {
        games = vec![pick(games, number).with_context(|| args.input.clone())?];
    }
    let written = to.write(&games, charset, args.lossy).map_err(|error| explain(error, to))?;
    if args.output == "-" {
        out.write_all(&written)?;
    } else {
        replace(Path::new(&args.output), &written)
            .with_context(|| format!("cannot write {}", args.output))?;
    }
    Ok(Status::Done)
}

fn format(asked: Option<Format>, name: &str, flag: &str) -> Result<Format> {
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).and_then(Format::from_extension);
    asked.or(extension).with_context(|| {
        format!("{name}: the format cannot be told from the name: say {flag} {}", Format::NAMES.join("|"))
    })
}

fn read(name: &str) -> Result<Vec<u8>> {
    if name != "-" {
        return fs::read(name).with_context(|| format!("cannot read {name}"));
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).context("cannot read stdin")?;
    Ok(bytes)
}

/// The game of a number, counted from 1.
pub fn pick<T>(games: Vec<T>, number: usize) -> Result<T> {
    let count = games.len();
    let game = number.checked_sub(1).and_then(|i| games.into_iter().nth(i));
    game.with_context(|| match count {
        0 => "there is no game".to_string(),
        1 => format!("there is no game {number}: there is one"),
        _ => format!("there is no game {number}: there are {count}"),
    })
}

/// The error with what can be done about it.
fn explain(error: WriteError, to: Format) -> anyhow::Error {
    let hint = match &error {
        WriteError::Optional(_) => " (--lossy leaves them out)",
        WriteError::Games(_) => " with --game",
        _ => "",
    };
    anyhow::anyhow!("{to}: {error}{hint}")
}

/// Puts a file in its place when it is complete, so that nobody ever sees a part of it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    if path.is_dir() {
        bail!("it is a directory");
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.prefix(".kagetsu-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}
