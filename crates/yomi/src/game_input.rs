//! What `match` and `tune` have in common: where games begin, and how many are played at a time.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use lab::fingerprint;
use lab::matches::{Opening, own_openings, read_openings};

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

/// Openings, and what a manifest says about them.
pub(crate) struct Openings {
    pub(crate) all: Vec<Opening>,
    /// Where they come from, how many there are, and their SHA-256.
    pub(crate) facts: (String, usize, String),
}

impl GameInput {
    /// The openings of the file, or our own.
    pub(crate) fn openings(&self, command: &str) -> anyhow::Result<Openings> {
        let (all, source, text) = match &self.openings {
            Some(path) => {
                let (openings, text) = read_openings(path).map_err(|error| bad_value(command, error))?;
                (openings, path.display().to_string(), text)
            }
            None => {
                let text = own_openings();
                (Opening::read_all(text, "our own openings")?, "own".to_owned(), text.to_owned())
            }
        };
        let facts = (source, all.len(), fingerprint::of_bytes(text.as_bytes()));
        Ok(Openings { all, facts })
    }
}
