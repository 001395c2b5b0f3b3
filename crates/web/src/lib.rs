//! The page: play, analyse, look at trees and runs in a browser.
//!
//! [`serve`] runs a server until it is told to stop. Everything that it sends is in the program. Pages are made here by
//! templates, and small modules in the browser keep them alive by events; the rules of the game, notation and thinking
//! stay on this side. Whatever comes from outside is checked where it comes in: `gate` asks who it is and whence, `body` how
//! much it may be.

#![forbid(unsafe_code)]

mod app;
mod assets;
mod body;
mod connections;
mod events;
mod gate;
mod laboratory;
mod layout;
mod play;
mod players;
mod position_view;
mod random;
mod refusal;
mod refusal_words;
mod server;
mod study;
mod thinkers;
mod visitor;
mod word_table;
mod words;

pub use players::{NamedPlayer, NamedPlayerError};
pub use server::{PATIENCE, ServeError, Settings, serve};
pub use study::report_page;
