//! The places of the games in their files: twelve bytes a game, so that the games themselves need not be held.

use anyhow::Result;
use kagetsu_tools::selfplay::blocks::Blocks;
use kagetsu_tools::selfplay::store::BlockPlace;
use rayon::prelude::*;

use super::expand::expand;
use super::packed::Data;

/// The files and their blocks.
#[derive(Default)]
pub struct Index {
    files: Vec<Blocks>,
    /// The file of each block, and its place there.
    blocks: Vec<(u32, BlockPlace)>,
}

/// The place of a game, and the number of its positions.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub block: u32,
    /// Its offset among the block's games.
    pub at: u32,
    pub positions: u32,
}

impl Index {
    /// The number that the next block gets.
    pub fn next_block(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// Adds a file and its blocks.
    pub fn add(&mut self, file: Blocks, places: Vec<BlockPlace>) {
        let number = self.files.len() as u32;
        self.files.push(file);
        self.blocks.extend(places.into_iter().map(|place| (number, place)));
    }

    /// Expands games on all threads, each block read once. Returns what `f` makes of each, called with its number in
    /// `games`, in their order.
    pub fn expand<T: Send>(&self, games: &[Entry], f: impl Fn(usize, Data) -> T + Sync) -> Result<Vec<T>> {
        let mut numbers: Vec<usize> = (0..games.len()).collect();
        numbers.sort_unstable_by_key(|&i| (games[i].block, games[i].at));
        let blocks: Vec<&[usize]> = numbers.chunk_by(|&a, &b| games[a].block == games[b].block).collect();
        let expanded: Vec<Vec<(usize, T)>> =
            blocks.into_par_iter().map(|part| self.expand_block(games, part, &f)).collect::<Result<_>>()?;
        let mut found: Vec<(usize, T)> = expanded.into_iter().flatten().collect();
        found.sort_unstable_by_key(|&(i, _)| i);
        Ok(found.into_iter().map(|(_, made)| made).collect())
    }

    /// Expands those of `games` that have these numbers; they are in one block.
    fn expand_block<T>(
        &self,
        games: &[Entry],
        numbers: &[usize],
        f: impl Fn(usize, Data) -> T,
    ) -> Result<Vec<(usize, T)>> {
        let (file, place) = &self.blocks[games[numbers[0]].block as usize];
        let offsets: Vec<u32> = numbers.iter().map(|&i| games[i].at).collect();
        let file = &self.files[*file as usize];
        Ok(file.games(place, &offsets, |k, game| (numbers[k], f(numbers[k], expand(&game))))?)
    }
}
