//! What games are made from: [`openings`] are random positions that neither side wins too easily.

pub mod openings;
