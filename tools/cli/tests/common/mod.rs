//! Helpers shared by the suites. Each suite compiles its own copy and uses only a part of it.
#![allow(dead_code)]

pub mod cli;
#[path = "../../../../tests/common/data.rs"]
pub mod data;
#[path = "../../../../tests/common/puzzle.rs"]
pub mod puzzle;
