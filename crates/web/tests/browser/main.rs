//! The page in a real browser: what visitors do, and what they see.

mod analysis;
mod driver;
mod gallery;
mod laboratory;
mod play;
#[path = "../server/mod.rs"]
mod server;
