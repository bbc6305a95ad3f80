//! `pbrain-kagetsu` over pipes, as managers use it.

mod arguments;
mod conversation;
#[path = "../common/files.rs"]
mod files;
mod games;
mod manager;
mod opening;
#[cfg(unix)]
mod parent;
mod positions;
mod robustness;
mod yixin;
mod yixin_opening;
