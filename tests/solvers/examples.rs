//! The example of a proof runs, and what it asserts holds.

#[path = "../../examples/proof.rs"]
mod proof;

#[test]
fn the_example_runs() {
    proof::main().unwrap();
}
