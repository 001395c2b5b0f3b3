//! The laboratory: matches with a verdict, evaluation curves from game records, and the runs that make them.
//!
//! Every long job is a run as in [`runs`]. Nothing here trains, and
//! nothing here prints.

#![forbid(unsafe_code)]

pub mod book;
pub mod curve;
pub mod matches;
pub mod mate_proof;
pub mod openings;
pub mod parallel_perft;
pub mod problem_set;
pub mod report;
pub mod seat;
pub mod stats;
pub mod study;
pub mod tune;
