//! The examples of game files, of a review and of a book run, and what they assert holds.

#[path = "../../examples/book.rs"]
mod book;
#[path = "../../examples/review.rs"]
mod review;
#[path = "../../examples/variations.rs"]
mod variations;

#[test]
fn the_example_of_a_book_runs() {
    book::main().unwrap();
}

#[test]
fn the_example_of_a_review_runs() {
    review::main().unwrap();
}

#[test]
fn the_example_of_a_game_file_runs() {
    variations::main().unwrap();
}
