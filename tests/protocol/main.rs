//! `pbrain-kagetsu` over pipes, as managers use it.

mod games;
mod manager;
mod positions;
mod robustness;
mod yixin;
