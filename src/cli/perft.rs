//! `kagetsu perft`: counts the positions that moves lead to, a check and a measure of the rules.
