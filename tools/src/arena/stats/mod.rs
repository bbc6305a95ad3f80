//! Statistics of games: counts, Elo with error bars, the sequential test, ratings. Pure functions of counts.
//!
//! Games are played in pairs, the same opening with colours swapped. The two results of a pair are not independent (an
//! opening that favours Black gives one win each), so the sample is the pair, with five possible scores: the
//! pentanomial model. It gives smaller and truer error bars than counting games. Start with [`Counts`] and [`Pairs`].

mod counts;
mod elo;
mod rating;
mod sprt;

pub use counts::{Counts, FEWEST, Pairs, Sample};
pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use rating::{Encounter, Rating, ratings};
pub use sprt::{Model, Sprt, SprtResult};
