//! What `match` and `tune` have in common: where games begin, and how many are played at a time.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use runs::OpeningSet;

use crate::command_line::{bad_value, whole_number};

/// Openings and workers.
#[derive(Args)]
pub(crate) struct GameInput {
    /// Openings, a line each: a SFEN, or moves as '7g7f 3c3d', or both as USI writes them; our own balanced ones if
    /// none are given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    openings: Option<PathBuf>,

    /// Pairs of games at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=1024))]
    pub(crate) concurrency: u32,

    /// The seed of all that is left to chance
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
}

impl GameInput {
    /// The openings of the file, or our own.
    pub(crate) fn openings(&self, command: &str) -> anyhow::Result<OpeningSet> {
        match &self.openings {
            Some(path) => OpeningSet::read(path).map_err(|error| bad_value(command, error).into()),
            None => Ok(OpeningSet::own()?),
        }
    }
}
