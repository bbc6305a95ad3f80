//! The examples of game files and of a review run, and what they assert holds.

#[path = "../../examples/review.rs"]
mod review;
#[path = "../../examples/variations.rs"]
mod variations;

#[test]
fn the_example_of_a_review_runs() {
    review::main().unwrap();
}

#[test]
fn the_example_of_a_game_file_runs() {
    variations::main().unwrap();
}
