//! The laboratory: matches with a verdict, evaluation curves from game records, and the runs that make them.
//!
//! Every long job is a directory: a manifest, an append-only log, results as plain files. Nothing here trains, and
//! nothing here prints.

#![forbid(unsafe_code)]

pub mod cores;
pub mod curve;
pub mod fingerprint;
pub mod matches;
pub mod mate_proof;
pub mod openings;
pub mod report;
pub mod run_dir;
pub mod seat;
pub mod stats;
pub mod tune;
