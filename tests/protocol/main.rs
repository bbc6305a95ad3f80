//! `pbrain-kagetsu` over pipes, as managers use it.

mod arguments;
#[path = "../common/files.rs"]
mod files;
mod games;
mod manager;
mod opening;
mod positions;
mod robustness;
mod yixin;
mod yixin_opening;
