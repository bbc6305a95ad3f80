//! The search as a whole, and the decisions in openings that use it.

mod claims;
#[path = "../common/mod.rs"]
mod common;
mod decide;
mod examples;
mod races;
mod search;
