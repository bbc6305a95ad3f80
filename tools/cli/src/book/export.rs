//! `kagetsu book export`: a section as a tree of moves, in a format of game files.

use kagetsu_tools::words;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::convert::{check_unpacked, tell_left_out};
use kagetsu_console::Status;
use kagetsu_console::args::{BookArgs, NewBoardArgs};
use kagetsu_console::output::OutArgs;
use kagetsu_console::usage::WrongUsage;
use kagetsu_tools::bookgen::tree;
use kagetsu_tools::record::{Charset, Feature, Format, Writer};

/// The arguments of `export`.
#[derive(clap::Args)]
#[command(after_help = "\
The extension of OUT selects the format: lib (RenLib), sgf, or db (Yixin's and Rapfi's database).

Example:
  kagetsu book export renju.lib --rule renju")]
pub struct Export {
    /// File to write
    #[arg(value_name = "OUT")]
    out: PathBuf,
    #[command(flatten)]
    board: NewBoardArgs,
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    output: OutArgs,
}

impl Export {
    /// Runs the subcommand.
    pub fn run(&self, out: &mut dyn Write) -> Result<Status> {
        let name = || self.out.display().to_string();
        let NewBoardArgs { rule, size } = self.board;
        // Other formats hold next to nothing of a book.
        let format = Format::of_path(&self.out)
            .filter(|format| matches!(format, Format::Lib | Format::Sgf | Format::Db))
            .ok_or_else(|| {
                WrongUsage::new(format_args!(
                    "{}: a book is written as a tree of moves: expected a name in .lib, .sgf or .db",
                    name()
                ))
            })?;
        check_unpacked(&self.out)?;
        let output = self.output.output(&self.out)?;
        let book = super::open(&self.book)?;
        let section = book.section(rule, size);
        let section = section.with_context(|| format!("the book has nothing for {rule} {size}"))?;
        let (game, left_out) = tree(rule, section, format.holds().contains(&Feature::Records));
        let nodes = game.tree.len() - 1;
        let mut writer = Writer::new(format, Charset::default(), true);
        let mut bytes = writer.add(game).with_context(name)?;
        bytes.extend(writer.finish().with_context(name)?);
        tell_left_out(&writer);
        output.write(&bytes)?;
        if left_out > 0 {
            let positions = words::count(left_out, "position");
            log::warn!("{positions} left out: no alternating moves make up their stones");
        }
        let written = section.entries.len() - left_out;
        writeln!(out, "{}, {}", words::count(written, "position"), words::count(nodes, "move"))?;
        Ok(Status::Done)
    }
}
