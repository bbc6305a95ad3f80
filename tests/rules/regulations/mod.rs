//! Opening regulations: a complete exploration of each state machine agrees with a table of legal actions that was
//! written by hand from the rules' texts; random openings keep what all regulations have in common.

mod explore;
mod properties;
mod table;
