//! Runs: long work that is a directory, may be broken off at any time, and goes on where it was.
//!
//! What a run is stands in its manifest, what it did in a log that only grows. Nothing here plays, learns or prints.

#![forbid(unsafe_code)]

pub mod cores;
pub mod fingerprint;
mod header;
mod opening;
mod run_dir;

pub use header::Header;
pub use opening::{Opening, OpeningError, OpeningFacts, OpeningSet};
pub use run_dir::{Log, MANIFEST, RunDir, RunDirError, STOP};
