//! The example of a search runs, and what it asserts holds.

#[path = "../../examples/search.rs"]
mod search;

#[test]
fn the_example_runs() {
    search::main().unwrap();
}
