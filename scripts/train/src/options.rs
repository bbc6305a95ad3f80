//! Settings of a training.

use std::time::Duration;

use kagetsu::eval::Net;
use kagetsu::game::RuleKind;

use crate::data::{Shuffle, Summary};
use crate::model::Loss;
use crate::optimizer::Rates;

/// The data and the settings of a training.
pub struct Options {
    pub rule: RuleKind,
    pub epochs: u64,
    /// The order of positions; its seed is that of the first weights, too.
    pub shuffle: Shuffle,
    pub rates: Rates,
    pub loss: Loss,
    /// Time between checkpoints; it has no part in the result.
    pub checkpoint_every: Duration,
    /// Begin anew, whatever files exist.
    pub force: bool,
    /// The net to begin with instead of small random weights.
    pub from: Option<Box<Net>>,
}

impl Options {
    /// Returns all settings that decide the result, as text. A checkpoint continues only a training with the same text.
    pub fn order(&self, training: &Summary, validation: &Summary) -> String {
        let Options { rule, epochs, shuffle: Shuffle { buffer, batch, seed }, rates, loss, from, .. } = self;
        let from = from.as_ref().map_or(String::new(), |net| format!(", from {}", net.name()));
        let size = |s: &Summary| format!("{}/{}/{:08x}", s.games, s.positions, s.checksum);
        format!(
            "{rule}, {epochs} epochs, batches of {batch}, a buffer of {buffer}, {rates:?}, {loss:?}, seed {seed}{from}, \
             games/positions/checksum {} and {}",
            size(training),
            size(validation)
        )
    }
}
