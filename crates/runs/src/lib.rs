//! Runs: long work that is a directory, may be broken off at any time, and goes on where it was.
//!
//! What a run is stands in its manifest, what it did in a log that only grows. Its work is cut into [`Job`]s, which the
//! workers of a [`Pool`] do. Nothing here plays, learns or prints.

#![forbid(unsafe_code)]

pub mod cores;
pub mod fingerprint;
mod header;
mod in_order;
mod job;
mod opening;
mod pool;
mod run_dir;
mod seeds;
mod stop;

pub use header::Header;
pub use in_order::InOrder;
pub use job::{Coordinator, Job, Worker};
pub use opening::{Opening, OpeningError, OpeningFacts, OpeningSet};
pub use pool::{Pool, PoolError};
pub use run_dir::{Log, MANIFEST, RunDir, RunDirError, STOP};
pub use seeds::Seeds;
pub use stop::{INTERRUPTED_CODE, InterruptError, is_interrupted, on_interrupt};
