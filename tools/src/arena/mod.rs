//! Matches between engines that run as child processes and speak the Gomocup protocol. Engines are black
//! boxes here.
//!
//! From the bottom up: [`process`] runs a child, [`player`] speaks the manager's side of the protocol with it,
//! [`negotiation`] lets two of them choose an opening where a regulation asks for it ([`asking`] says by which commands,
//! [`fallback`] who decides for engines that do not know them), [`game`] plays one game under a
//! [`referee`], [`plan`] says which games there are, [`tournament`] plays them, [`record`] and [`store`]
//! keep them ([`failures`] the dialogues of those in which an engine failed), [`standings`] and [`stats`]
//! evaluate them. [`starvation`] and [`pause`] tell engines that are slow from a machine that is overloaded
//! or stood still.

mod archive;
pub mod asking;
pub mod command;
pub mod contestant;
pub mod dialogue;
pub mod export;
pub mod failures;
pub mod fallback;
pub mod fault;
#[cfg(test)]
#[path = "../../tests/fixtures/plan.rs"]
mod fixture;
pub mod forms;
pub mod game;
pub mod memory;
pub mod negotiation;
pub mod openings;
pub mod pause;
pub mod plan;
pub mod player;
pub mod process;
mod program;
mod quoting;
pub mod record;
pub mod referee;
pub mod reply;
pub mod request;
pub mod standings;
pub mod starvation;
pub mod stats;
pub mod store;
pub mod time;
pub mod tournament;
pub mod warnings;
