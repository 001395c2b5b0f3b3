//! JSON Kifu Format.

mod read;
mod schema;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
