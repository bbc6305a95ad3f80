//! Helpers shared by the suites. Each suite compiles its own copy and uses only a part of it.
#![allow(dead_code)]

pub mod data;
pub mod exhaustive;
pub mod puzzle;
pub mod random;
pub mod reference;
pub mod strip;
pub mod threats;
