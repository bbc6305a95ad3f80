//! The rules: shapes, fouls, notations, perft and opening regulations, against references that share no code with them.

#[path = "../common/mod.rs"]
mod common;
mod double_three;
mod examples;
mod explain;
mod fouls;
mod incremental;
mod notation;
mod perft;
mod regulations;
mod shapes;
