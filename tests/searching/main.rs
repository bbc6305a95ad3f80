//! The search as a whole, and the decisions in the choice of an opening that stand on it.

#[path = "../common/mod.rs"]
mod common;
mod decide;
mod examples;
mod search;
