//! What a match is: all that its results depend on.

use std::path::Path;

use engine::PlayerSpec;
use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::schedule::Format;
use crate::fingerprint;
use crate::seat::threads;
use crate::stats::Sprt;

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// What it is called in tables and records.
    pub name: String,
    /// What sits at the board.
    pub spec: PlayerSpec,
}

/// A player with what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerFacts {
    /// What it is called.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// Its threads.
    pub threads: usize,
    /// The files that make it up, each with its SHA-256: program, net, book.
    pub files: Vec<(String, String)>,
}

/// All that the results of a match depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Which kind of run this is.
    pub kind: String,
    /// Our version.
    pub version: String,
    /// The SHA-256 of our program.
    pub program: String,
    /// The players.
    pub players: Vec<PlayerFacts>,
    /// Who meets whom.
    pub format: Format,
    /// Games for every two that meet.
    pub games: u64,
    /// The conditions.
    pub conditions: Conditions,
    /// Where the openings come from, how many there are, and their SHA-256.
    pub openings: (String, usize, String),
    /// The seed of the openings' order.
    pub seed: u64,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
}

impl Manifest {
    /// The kind of a match's manifest.
    pub const KIND: &'static str = "match";

    /// The SHA-256 of the running program; empty if it cannot be read.
    #[must_use]
    pub fn own_program() -> String {
        std::env::current_exe().ok().and_then(|path| fingerprint::of_file(&path).ok()).unwrap_or_default()
    }

    /// The players' names.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }
}

impl PlayerFacts {
    /// The facts of a player. Files that are not there have no fingerprint.
    #[must_use]
    pub fn of(entrant: &Entrant) -> PlayerFacts {
        let mut paths: Vec<&Path> = Vec::new();
        match &entrant.spec {
            PlayerSpec::Own(spec) => paths.extend(spec.net.as_deref()),
            PlayerSpec::External(spec) => {
                paths.push(&spec.path);
                paths.extend(spec.options.iter().map(|(_, value)| Path::new(value)));
            }
        }
        let files = paths
            .into_iter()
            .filter(|path| path.is_file())
            .filter_map(|path| Some((path.display().to_string(), fingerprint::of_file(path).ok()?)))
            .collect();
        PlayerFacts {
            name: entrant.name.clone(),
            spec: entrant.spec.to_string(),
            threads: threads(&entrant.spec),
            files,
        }
    }
}
