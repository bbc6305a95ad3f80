//! The examples of the rules run, and what they assert holds.

#[path = "../../examples/fouls.rs"]
mod fouls;
#[path = "../../examples/rules.rs"]
mod rules;

#[test]
fn the_examples_run() {
    rules::main().unwrap();
    fouls::main().unwrap();
}
