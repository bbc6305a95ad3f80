//! The example of Reversi runs, and what it asserts holds.

#[path = "../../examples/reversi.rs"]
mod reversi;

#[test]
fn the_example_runs() {
    reversi::main().unwrap();
}
