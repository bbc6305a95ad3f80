//! The commands by which managers let engines choose an opening: `SWAP2BOARD` of the Gomocup protocol, the steps of
//! AlphaGomoku's extension of it, and those of the Yixin-Board dialect.
//!
//! All are alike: a word that names a regulation and a step of it, the stones so far, and sometimes a number of fifths or
//! the fifths themselves. [`step`] lists the words and turns what follows them into an opening in progress; [`answer`]
//! has the engine decide and writes what it decided.

pub mod answer;
pub mod step;
