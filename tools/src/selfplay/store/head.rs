//! The first line of a file of self-play games: how they were made.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Error;

/// Recipe of the games of a file: its first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// Always [`FORMAT`].
    pub format: String,
    /// Version of the layout: 1, or 2 if exploration samples were added or positions relabelled.
    pub version: u32,
    /// Name of the rule.
    pub rule: String,
    /// Side of the board.
    pub size: usize,
    /// Soft node budget of a move.
    pub nodes: u64,
    /// Seed of the set.
    pub seed: u64,
    /// Name of the evaluation.
    pub evaluation: String,
    /// Recipes of the exploration samples that were added to finished games, in the order in which they were added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explored: Vec<Explored>,
    /// Recipes by which positions were relabelled, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relabelled: Vec<Relabelled>,
}

/// Recipe of exploration samples that are added to finished games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Explored {
    /// Samples of a position.
    pub samples: u8,
    /// Soft node budget of the searches whose evaluated positions are the samples; none for samples after random moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<u64>,
    /// Soft node budget of a sample's search.
    pub nodes: u64,
    /// Seed of the random moves.
    pub seed: u64,
    /// Name of the evaluation of these searches.
    pub evaluation: String,
}

/// Recipe of deeper searches of some positions of finished games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Relabelled {
    /// Positions relabelled in a hundred, at most.
    pub share: u8,
    /// Soft node budget of a search.
    pub nodes: u64,
    /// Name of the evaluation that chose the positions and searched them.
    pub evaluation: String,
}

/// The name of the format.
pub const FORMAT: &str = "kagetsu self-play";
/// Largest first line. An exploration or a relabelling adds about a hundred bytes to it.
pub(super) const LARGEST_HEAD: usize = 1 << 20;

/// Returns the error of a first line that is none of this format, from the error of its reader. A kill leaves the beginning of
/// a line, or an empty file. A loss of power leaves zeros in place of bytes that were never written, and JSON has no zero
/// bytes.
pub(super) fn no_head(line: &[u8], error: &serde_json::Error, path: &Path) -> Error {
    let own = format!("{{\"format\":\"{FORMAT}\"");
    let is_own = |start: &[u8]| start.starts_with(own.as_bytes()) || own.as_bytes().starts_with(start);
    let is_cut = error.is_eof() && !line.ends_with(b"\n") && line.len() < LARGEST_HEAD;
    match line.iter().position(|&byte| byte == 0) {
        Some(at) if is_own(&line[..at]) => Error::Zeros(path.into()),
        None if is_cut && is_own(line) => Error::CutHead(path.into()),
        _ => Error::Foreign(path.into()),
    }
}

impl Head {
    /// Creates the head of a file of games of this rule and size.
    pub fn new(rule: &str, size: usize, nodes: u64, seed: u64, evaluation: &str) -> Head {
        let (rule, evaluation) = (rule.to_string(), evaluation.to_string());
        Head {
            format: FORMAT.to_string(),
            version: 1,
            rule,
            size,
            nodes,
            seed,
            evaluation,
            explored: Vec::new(),
            relabelled: Vec::new(),
        }
    }

    /// Returns the head of a file of the same games with more exploration samples.
    pub fn with(mut self, explored: Explored) -> Head {
        self.explored.push(explored);
        Head { version: 2, ..self }
    }

    /// Returns the head of a file of the same games with other labels.
    pub fn relabelled(mut self, recipe: Relabelled) -> Head {
        self.relabelled.push(recipe);
        Head { version: 2, ..self }
    }

    /// The first line of a file.
    ///
    /// # Errors
    /// If it would be too large to be read.
    pub fn line(&self) -> std::io::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        if line.len() > LARGEST_HEAD {
            let (len, recipes) = (line.len(), self.explored.len() + self.relabelled.len());
            let said = format!(
                "the first line has {len} bytes with {recipes} recipes; expected at most {LARGEST_HEAD}"
            );
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, said));
        }
        Ok(line)
    }

    /// Returns the recipe if it is one of this version; otherwise the file is foreign.
    pub(super) fn check(self, path: &Path) -> Result<Head, Error> {
        let plain = self.explored.is_empty() && self.relabelled.is_empty();
        let version = if plain { 1 } else { 2 };
        if self.format != FORMAT || self.version != version {
            return Err(Error::Foreign(path.into()));
        }
        Ok(self)
    }
}
