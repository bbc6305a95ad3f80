//! The examples of a search and of an analysis run, and what they assert holds.

#[path = "../../examples/analysis.rs"]
mod analysis;
#[path = "../../examples/search.rs"]
mod search;

#[test]
fn the_example_of_a_search_runs() {
    search::main().unwrap();
}

#[test]
fn the_example_of_an_analysis_runs() {
    analysis::main().unwrap();
}
