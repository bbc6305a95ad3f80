//! Games to training samples, without holding them all.
//!
//! [`sets`] reads the files once: it checks every game and gathers the facts that the training needs first.
//! [`index`] has the place of each game, and [`expand`] makes samples of a game again whenever they are
//! needed; [`packed`] holds samples in memory. [`order`] is the seeded order of an epoch, and [`stream`]
//! prepares its windows while the training learns.

mod expand;
mod index;
mod order;
mod packed;
mod sets;
mod stream;

pub use expand::is_symmetric;
#[cfg(test)]
pub use expand::sample_of;
pub use order::Shuffle;
pub use packed::{Cell, Data, Sample};
pub use sets::{Set, Sets, Summary};
pub use stream::{Window, windows};

#[cfg(test)]
mod tests;
