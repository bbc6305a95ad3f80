//! Games of the engine against itself: [`openings`] makes random positions that neither side wins too easily, [`play`]
//! plays a game, [`explore`] adds positions off its line, [`relabel`] searches some positions again and deeper,
//! `searcher` makes all their searches, [`game`] is a game as data, [`store`] a file of many,
//! [`blocks`] reads single games of one, [`finished`] reads and checks all, [`stats`] counts what they consist of, [`join`]
//! joins files, [`task`] says which games are to be made, and [`run`] fills a file with the games of some `numbers` on all
//! cores.

pub mod blocks;
pub mod explore;
pub mod finished;
pub mod game;
pub mod join;
mod numbers;
pub mod openings;
pub mod play;
pub mod relabel;
pub mod run;
mod scatter;
mod searcher;
pub mod stats;
pub mod store;
pub mod task;

/// The head of a file of games made by this recipe with the nets in use.
pub fn head(recipe: &play::Recipe) -> store::Head {
    store::Head::new(
        recipe.rule.name(),
        recipe.size.side(),
        recipe.nodes,
        recipe.seed,
        &kagetsu::eval::nets::net(recipe.rule).name(),
    )
}
