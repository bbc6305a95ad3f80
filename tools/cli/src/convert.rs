//! `kagetsu convert`: from one game format to another, game by game.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Seek, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::Stdout;
use kagetsu::game::{RuleKind, Size};
use kagetsu_console::Status;
use kagetsu_console::args::{GameLimits, rules, size};
use kagetsu_console::input::pick;
use kagetsu_console::output::OutArgs;
use kagetsu_console::progress::Progress;
use kagetsu_console::usage::WrongUsage;
use kagetsu_tools::record::{Charset, Format, Games, ReadOptions, WriteError, Writer};
use kagetsu_tools::untrusted;
use kagetsu_tools::words;

/// Convert between game formats
#[derive(clap::Args)]
#[command(after_help = "\
The extensions select the formats: psq (Piskvork), rec (Gomotur), sgf, lib
and pos (RenLib), sav (Yixin-Board), txt (a list of moves or setup strings),
offset (Gomocup's openings), pos-top (moves with row 1 at the top), bin and
binpack (c-gomoku-cli's training samples), db (Yixin's and Rapfi's database of
positions), xml or rif (RenjuNet's database of games).

Examples:
  kagetsu convert game.psq game.sgf
  kagetsu convert games.sgf library.lib --game 3 --lossy")]
pub struct Args {
    /// File to read, or - for stdin
    #[arg(value_name = "IN")]
    input: String,
    /// File to write, or - for stdout
    #[arg(value_name = "OUT")]
    output: String,
    /// Set the format of IN [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Set the format of OUT [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Convert only game number N, from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Drop what the target format cannot store, if the moves stay the same; of variations only the main line stays
    #[arg(long)]
    lossy: bool,
    /// Set the rule of the games, whatever the file says
    #[arg(long, ignore_case = true, value_parser = rules())]
    rule: Option<RuleKind>,
    /// Leave out wrong games, and report them
    #[arg(long)]
    skip_bad: bool,
    /// Set the encoding of texts where a file does not state it, e.g. gbk or shift_jis [default: utf-8, or
    /// windows-1252 for a text that is not UTF-8]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// Set the side length of the board for lists, which do not state it
    #[arg(long, value_name = "N", value_parser = size)]
    size: Option<Size>,
    #[command(flatten)]
    limits: GameLimits,
    #[command(flatten)]
    out: OutArgs,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let from = format(args.from, &args.input, "--from")?;
    let to = format(args.to, &args.output, "--to")?;
    check_unpacked(Path::new(&args.output))?;
    let output = if args.output == "-" { None } else { Some(args.out.output(Path::new(&args.output))?) };
    let charset = args.charset.unwrap_or_default();
    let options = ReadOptions { charset, size: args.size, limits: args.limits.limits() };
    let games = from.games(open(&args.input)?, &options);
    let games = games.with_context(|| args.input.clone())?;
    let mut writer = Writer::new(to, charset, args.lossy);
    match output {
        Some(output) => output.fill(|file| convert(games, args, &mut writer, file))?,
        None => {
            let mut spool = BufWriter::new(tempfile::tempfile().context("cannot make a temporary file")?);
            convert(games, args, &mut writer, &mut spool)?;
            let spool = spool.into_inner().map_err(io::IntoInnerError::into_error);
            let mut spool = spool.context("cannot write a temporary file")?;
            spool.rewind()?;
            // This does not use `out`, which removes all unprintable bytes if it is not a terminal.
            out.flush()?;
            print(BufReader::new(spool))?;
        }
    }
    tell_left_out(&writer);
    Ok(Status::Done)
}

/// Warns of the features that a writer has dropped because its format cannot hold them.
pub fn tell_left_out(writer: &Writer) {
    if !writer.left_out().is_empty() {
        let names: Vec<_> = writer.left_out().iter().map(|feature| feature.name()).collect();
        log::warn!("{} cannot hold {}: left out", writer.format(), names.join(", "));
    }
}

/// Writes a file to standard output: byte for byte, or as safe text if that is a terminal.
fn print(mut file: impl BufRead) -> Result<()> {
    let is_terminal = io::stdout().is_terminal();
    let mut stdout = Stdout(io::stdout().lock());
    if is_terminal {
        for line in file.split(b'\n') {
            let line = line?;
            let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line));
            writeln!(stdout, "{}", untrusted::line(&text))?;
        }
    } else {
        io::copy(&mut file, &mut stdout)?;
    }
    Ok(stdout.flush()?)
}

/// Copies the selected games. If there are none, that is an error, because an empty file is of no use.
fn convert(games: Games<'_>, args: &Args, writer: &mut Writer, out: &mut dyn Write) -> Result<()> {
    let games: Games<'_> = match args.game {
        Some(number) => {
            Box::new(std::iter::once(Ok(pick(games, number).with_context(|| args.input.clone())?)))
        }
        None => games,
    };
    let failed = || format!("cannot write {}", args.output);
    let mut progress = Progress::open_ended();
    let (mut clashes, mut written) = (0, 0_u64);
    // A game that was picked keeps its number.
    let first = args.game.map_or(1, |number| number as u64);
    for (game, number) in games.zip(first..) {
        progress.say(|| words::count(number, "game"));
        let mut game = match game {
            Err(error) if args.skip_bad && !error.fatal => {
                log::warn!("{}: {error}: left out", args.input);
                continue;
            }
            game => game.with_context(|| args.input.clone())?,
        };
        if let Some(size) = args.size.filter(|&size| size != game.size) {
            bail!(
                "{}: game {number}: the board is {}, but size {} was asked for",
                args.input,
                game.size,
                size.side()
            );
        }
        if let Some(rule) = args.rule {
            clashes += usize::from(game.rule.replace(rule).is_some_and(|said| said != rule));
        }
        let has_rule = game.rule.is_some();
        let piece = writer.add(game);
        let piece = piece.map_err(|error| explain(&error, writer.format(), Some(number), has_rule))?;
        out.write_all(&piece).with_context(failed)?;
        written += 1;
    }
    if written == 0 {
        bail!("{}: there is no game to write", args.input);
    }
    let rest = writer.finish().map_err(|error| explain(&error, writer.format(), None, true))?;
    out.write_all(&rest).with_context(failed)?;
    if let Some(rule) = args.rule.filter(|_| clashes > 0) {
        log::warn!("{}: games that say another rule than {rule}: {clashes}", args.input);
    }
    Ok(())
}

fn format(asked: Option<Format>, name: &str, flag: &str) -> Result<Format> {
    let format = asked.or_else(|| Format::of_path(Path::new(name)));
    let unknown = || {
        let names = Format::NAMES.join("|");
        WrongUsage::new(if name == "-" {
            format!("- has no extension that names a format: expected {flag} {names}")
        } else {
            format!("{name}: unknown extension: expected a known one, or {flag} {names}")
        })
    };
    Ok(format.ok_or_else(unknown)?)
}

/// Rejects an output name with the extension of a compressed file, since only uncompressed files are written.
pub fn check_unpacked(path: &Path) -> Result<()> {
    match Format::packing(path) {
        None => Ok(()),
        Some(extension) => {
            bail!(WrongUsage::new(format_args!(
                "{}: files are written unpacked: expected a name without .{extension}",
                path.display()
            )));
        }
    }
}

fn open(name: &str) -> Result<Box<dyn BufRead>> {
    if name == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    if Path::new(name).is_dir() {
        bail!("{name}: it is a directory: expected a game file");
    }
    let file = File::open(name).with_context(|| format!("cannot read {name}"))?;
    Ok(Box::new(BufReader::new(file)))
}

/// Returns the error with the number of the game and a hint. `--rule` is no hint for a game that has a rule:
/// it would become another game.
fn explain(error: &WriteError, to: Format, number: Option<u64>, has_rule: bool) -> anyhow::Error {
    let hint = match &error {
        WriteError::Optional(_) => " (--lossy leaves that out)",
        WriteError::Games(2..) => " with --game",
        WriteError::Rule(_) if !has_rule => " (--rule says which)",
        _ => "",
    };
    let game = number.map(|number| format!("game {number}: ")).unwrap_or_default();
    anyhow::anyhow!("{to}: {game}{error}{hint}")
}
