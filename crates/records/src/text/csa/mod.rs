//! CSA files, V1 to V3.0, and the dialect of floodgate.

pub(crate) mod board;
mod floodgate;
pub(crate) mod notation;
mod read;
pub(crate) mod special;
mod write;

pub(crate) use read::{read, time_limit};
pub(crate) use write::{Version, write};
