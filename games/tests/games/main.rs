//! The games: rules against slow rules, the search, the solver, the protocols. One crate, so that they are linked once.

mod captures;
mod examples;
mod nboard;
mod pace;
mod positions;
mod protocols;
mod relatives;
mod reversi;
mod rules;
mod search;
mod slow;
mod solver;
