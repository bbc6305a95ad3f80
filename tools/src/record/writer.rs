//! Writing games one after another in any format.

use std::collections::BTreeSet;

use super::feature::{Feature, features, main_line_features};
use super::list::Notation;
use super::{Charset, Format, Game, WriteError, list, psq, rec, renjunet, renlib, samples, sgf, yixin, yxdb};
use kagetsu::game::Size;

/// Writes games, and collects the features that were left out.
#[derive(Debug)]
pub struct Writer {
    format: Format,
    charset: Charset,
    lossy: bool,
    count: usize,
    left_out: BTreeSet<Feature>,
    /// Board size of the games whose size the format does not store; `None` before the first of them. All must have the same
    /// size.
    unsaid: Option<Size>,
    kept: Kept,
}

/// Data that can be written only once all games are known.
#[derive(Debug)]
enum Kept {
    Nothing,
    /// The one game of a format that holds no more.
    One(Option<Box<Game>>),
    Positions(yxdb::Writer),
    Database(Box<renjunet::Writer>),
}

impl Writer {
    /// Writes games in a format. With `lossy` it drops everything that the format cannot hold and that does not change the
    /// moves. Of variations it keeps the main line.
    pub fn new(format: Format, charset: Charset, lossy: bool) -> Writer {
        let kept = match format {
            Format::Db => Kept::Positions(yxdb::Writer::default()),
            Format::Xml => Kept::Database(Box::default()),
            _ if format.holds().contains(&Feature::SeveralGames) => Kept::Nothing,
            _ => Kept::One(None),
        };
        Writer { format, charset, lossy, count: 0, left_out: BTreeSet::new(), unsaid: None, kept }
    }

    /// Adds a game, and returns the next piece of the file.
    ///
    /// # Errors
    /// Features that the format cannot hold; a stone, mark or label of the game that is off the board, or a
    /// stone on another.
    pub fn add(&mut self, game: Game) -> Result<Vec<u8>, WriteError> {
        self.count += 1;
        match &mut self.kept {
            // The number of games is known at the end.
            Kept::One(Some(_)) => return Ok(Vec::new()),
            Kept::One(first @ None) => {
                *first = Some(Box::new(game));
                return Ok(Vec::new());
            }
            _ => self.check(&game)?,
        }
        let list = |notation| list::write(std::slice::from_ref(&game), notation).map(String::into_bytes);
        match (self.format, &mut self.kept) {
            (Format::Txt, _) => list(Notation::Moves),
            (Format::Offset, _) => list(Notation::Offsets),
            (Format::PosTop, _) => list(Notation::MovesFromTop),
            (Format::Bin, _) => samples::write_bin(std::slice::from_ref(&game)),
            (Format::Binpack, _) => samples::write_binpack(std::slice::from_ref(&game)),
            (_, Kept::Positions(positions)) => positions.add(&game).map(|()| Vec::new()),
            (_, Kept::Database(database)) => database.add(&game).map(|()| Vec::new()),
            _ => Ok(sgf::write(std::slice::from_ref(&game)).into_bytes()),
        }
    }

    /// The rest of the file.
    ///
    /// # Errors
    /// The errors of [`add`](Self::add), for a format that holds one game; and if it was given none, or
    /// several.
    pub fn finish(&mut self) -> Result<Vec<u8>, WriteError> {
        match std::mem::replace(&mut self.kept, Kept::Nothing) {
            Kept::Nothing => Ok(Vec::new()),
            Kept::Positions(positions) => positions.finish(),
            Kept::Database(database) => Ok(database.finish()),
            Kept::One(game) => match game {
                Some(game) if self.count == 1 => {
                    self.check(&game)?;
                    self.one(&game)
                }
                _ => Err(WriteError::Games(self.count)),
            },
        }
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the features left out so far.
    pub fn left_out(&self) -> &BTreeSet<Feature> {
        &self.left_out
    }

    /// A file of one game.
    fn one(&self, game: &Game) -> Result<Vec<u8>, WriteError> {
        match self.format {
            Format::Lib => renlib::write(game, self.charset),
            Format::Pos => yixin::write_pos(game),
            Format::Sav => Ok(yixin::write_sav(game).into_bytes()),
            Format::Rec => self.encoded(&rec::write(game)),
            _ => self.encoded(&psq::write(game)),
        }
    }

    /// Encodes a text for a format that does not state its encoding.
    fn encoded(&self, text: &str) -> Result<Vec<u8>, WriteError> {
        let bytes = self.charset.encode(text).ok_or(WriteError::Charset(self.charset.name()))?;
        Ok(bytes.into_owned())
    }

    /// Checks that the format can hold the game.
    fn check(&mut self, game: &Game) -> Result<(), WriteError> {
        if let Some(expected) = self.format.sizes().filter(|&size| size != game.size) {
            return Err(WriteError::Size { size: game.size, expected });
        }
        game.check().map_err(|(_, error)| WriteError::Position(error))?;
        let says_size = self.says_size(game);
        let holds = |feature: &Feature| match feature {
            Feature::BoardSize => says_size,
            feature => self.format.holds().contains(feature),
        };
        let found = if holds(&Feature::Variations) { features(game) } else { main_line_features(game) };
        let missing = found.into_iter().filter(|feature| !holds(feature));
        let (essential, optional): (Vec<_>, Vec<_>) = missing.partition(|f| f.is_essential());
        if !essential.is_empty() {
            return Err(WriteError::Essential(essential));
        }
        if !optional.is_empty() && !self.lossy {
            return Err(WriteError::Optional(optional));
        }
        if !says_size {
            self.check_size(game.size)?;
        }
        self.left_out.extend(optional);
        Ok(())
    }

    /// Checks that all boards whose size the file does not state have the same size, since a reader can give only one.
    fn check_size(&mut self, size: Size) -> Result<(), WriteError> {
        let first = *self.unsaid.get_or_insert(size);
        if first != size {
            let problem = format!("games on {first} and on {size} in one file that does not say their sizes");
            return Err(WriteError::Other(problem));
        }
        Ok(())
    }

    /// Returns whether the file says the size of the game's board.
    fn says_size(&self, game: &Game) -> bool {
        let is_setup = self.format == Format::Txt && list::is_setup(game);
        is_setup || self.format.holds().contains(&Feature::BoardSize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Mark, NodeId, Note};
    use kagetsu::game::{Color, Error, Move, Point};

    /// Each writer would go wrong in its own way: by a file that no reader takes, or by a row below zero.
    #[test]
    fn impossible_games_are_not_written() {
        let (h8, p16) = (Point::new(7, 7), Point::new(15, 15));
        let add = |game: &mut Game, parent, color, p| game.tree.add(parent, Some((color, Move::Place(p))));
        let mut twice = Game::new(Size::S15);
        let first = add(&mut twice, NodeId::ROOT, Color::Black, h8);
        let (mut off, mut marked) = (twice.clone(), twice.clone());
        add(&mut twice, first, Color::White, h8);
        add(&mut off, first, Color::White, p16);
        marked.tree.annotate(first, [Note::Mark(p16, Mark::Cross)]);
        let formats = Format::ALL.into_iter().filter(|format| format.sizes() != Some(Size::S20));
        for format in formats {
            let write = |game: &Game| format.write(std::slice::from_ref(game), Charset::AUTO, true);
            let refusal = |error| -> Result<Vec<u8>, WriteError> { Err(WriteError::Position(error)) };
            assert_eq!(write(&twice), refusal(Error::Occupied(h8)), "{format}");
            assert_eq!(write(&off), refusal(Error::OffBoard(p16, Size::S15)), "{format}");
            assert_eq!(write(&marked), refusal(Error::OffBoard(p16, Size::S15)), "{format}");
        }
    }
}
