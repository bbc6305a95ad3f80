//! Commands by which managers let engines choose an opening: `SWAP2BOARD` of the Gomocup protocol, the steps of
//! AlphaGomoku's extension of it, and those of the Yixin-Board dialect.
//!
//! All have the same form: a word that names a regulation and a step of it, the stones so far, and sometimes a number
//! of fifths or the fifths themselves. [`step`] lists the words and turns their data into an opening in progress;
//! [`answer`] has the engine decide and writes the decision.

pub mod answer;
pub mod step;
