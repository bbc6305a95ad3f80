//! The example of a review runs, and what it asserts holds.

#[path = "../../examples/review.rs"]
mod review;

#[test]
fn the_example_runs() {
    review::main().unwrap();
}
