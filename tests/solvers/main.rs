//! Forced wins: the claims of the solvers and the search are verified, and compared with exhaustive searches.

mod announced;
#[path = "../common/mod.rs"]
mod common;
mod examples;
mod own_games;
mod proofs;
mod puzzles;
mod vcf;
mod vct;
mod vct_class;
