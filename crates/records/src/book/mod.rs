//! Opening books.
//!
//! [`Book`] is what a player looks moves up in. It is read from and written to the text that most programs
//! exchange ([`db2016`]). Apery's books ([`apery`]) know their positions by hash only, so they are looked up
//! as they are.

pub mod apery;
pub mod db2016;
mod memory;
mod twister;

pub use apery::AperyBook;
pub use memory::{Book, BookMove, Entry, Found, PlyMatch, Rotation};
