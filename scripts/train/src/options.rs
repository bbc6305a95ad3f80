//! Settings of a training.

use std::time::Duration;

use kagetsu::eval::Net;
use kagetsu::game::RuleKind;

use crate::data::Data;
use crate::model::Loss;
use crate::optimizer::Rates;

/// Order of a training: the data and the settings.
pub struct Options {
    pub rule: RuleKind,
    pub epochs: u64,
    pub batch: usize,
    pub rates: Rates,
    pub loss: Loss,
    pub seed: u64,
    /// Time between checkpoints; it has no part in the result.
    pub checkpoint_every: Duration,
    /// Begin anew whatever there is.
    pub force: bool,
    /// The net to begin with instead of small random weights.
    pub from: Option<Box<Net>>,
}

impl Options {
    /// Returns all settings that decide the result, as text. A checkpoint continues only a training with the same text.
    pub fn order(&self, training: &Data, validation: &Data) -> String {
        let Options { rule, epochs, batch, rates, loss, seed, from, .. } = self;
        let from = from.as_ref().map_or(String::new(), |net| format!(", from {}", net.name()));
        let size = |data: &Data| format!("{}/{}/{:08x}", data.games, data.samples.len(), data.checksum());
        format!(
            "{rule}, {epochs} epochs, batches of {batch}, {rates:?}, {loss:?}, seed {seed}{from}, games/positions/checksum {} and {}",
            size(training),
            size(validation)
        )
    }
}
