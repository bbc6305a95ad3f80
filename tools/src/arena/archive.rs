//! The games of a tournament as files for other programs, in the order of their numbers.
//!
//! Each game is read from the journal when it is written: hundreds of thousands of them need not fit into
//! memory.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::contestant::Contestant;
use super::export;
use super::record::GameRecord;
use crate::output::{Permit, Stamp, write};
use crate::runs::journal::{Journal, Place};
use crate::runs::stamps::write_list_by;
use crate::words;

/// The games of a journal.
pub struct Archive<'a> {
    journal: &'a Journal<GameRecord>,
    /// Places of the games by their numbers.
    places: Vec<(u64, Place)>,
    contestants: &'a [Contestant],
}

impl<'a> Archive<'a> {
    /// Finds the games of a journal. Of several games of one number the first counts, as in the standings.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn of(journal: &'a mut Journal<GameRecord>, contestants: &'a [Contestant]) -> Result<Archive<'a>> {
        let mut places = journal.places(|game| game.game)?;
        places.sort_by_key(|&(game, _)| game);
        places.dedup_by_key(|entry| entry.0);
        Ok(Archive { journal, places, contestants })
    }

    fn games(&self) -> impl Iterator<Item = Result<GameRecord>> {
        self.places.iter().map(move |&(_, place)| self.journal.entry(place))
    }

    /// The games as SGF.
    fn trees(&self) -> impl Iterator<Item = Result<String>> {
        self.games().map(move |game| export::sgf(&game?, self.contestants))
    }

    /// Writes all games as SGF to the file of this name.
    ///
    /// # Errors
    /// If it cannot be written or somebody has edited it.
    pub fn write_sgf(&self, directory: &Path, name: &str) -> Result<()> {
        let is_own = |text: &str| self.has_all_of(text).unwrap_or(false);
        write_list_by(
            directory,
            name,
            &|out| self.trees().try_for_each(|tree| -> Result<()> { Ok(out.write_all(tree?.as_bytes())?) }),
            is_own,
        )?;
        Ok(())
    }

    /// Returns whether an SGF text is made of some of these games, in their order.
    fn has_all_of(&self, text: &str) -> Result<bool> {
        let rest = self.trees().try_fold(text, |rest, tree| -> Result<&str> {
            Ok(rest.strip_prefix(tree?.as_str()).unwrap_or(rest))
        });
        Ok(rest?.is_empty())
    }

    /// Writes a PSQ file for each game into a folder; at the end it fails if the format could not hold some.
    ///
    /// # Errors
    /// If they cannot be written, somebody has edited one, or the format cannot hold some game.
    pub fn write_psq(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let mut left_out = 0;
        for game in self.games() {
            let game = game?;
            match export::psq(&game)? {
                Some(text) => {
                    let path = folder.join(format!("{:05}.psq", game.game));
                    let stamp = Stamp::of(text.as_bytes());
                    // Each file that is written is waited for: of thousands of games that takes minutes.
                    if stamp.is_of(&path).is_ok_and(|is_there| is_there) {
                        continue;
                    }
                    // A finished game never changes, so a different file under its name belongs to somebody
                    // else.
                    write(&path, text.as_bytes(), Permit::Unchanged(stamp))
                        .with_context(|| format!("cannot write {}", path.display()))?;
                }
                None => left_out += 1,
            }
        }
        if left_out > 0 {
            bail!(
                "{} left out of the PSQ files, which hold neither passes nor setup stones that alternating moves cannot \
                 place",
                words::count(left_out, "game")
            );
        }
        Ok(())
    }
}
