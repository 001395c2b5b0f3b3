//! What a match is: all that its results depend on.

use engine::Defaults;
use runs::{Header, OpeningFacts, fingerprint};
use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::entrants::Entrant;
use super::schedule::Format;
use crate::seat::threads;
use crate::stats::Sprt;

/// A player with what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerFacts {
    /// What it is called.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// The spec with nothing left open; of another program the same as its spec.
    #[serde(default)]
    pub resolved: String,
    /// Its threads.
    pub threads: usize,
    /// The files that make it up, each with its SHA-256: program, net, book, model of the search, weights.
    pub files: Vec<(String, String)>,
}

/// All that the results of a match depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// The players.
    pub players: Vec<PlayerFacts>,
    /// Who meets whom.
    pub format: Format,
    /// Games for every two that meet.
    pub games: u64,
    /// The conditions.
    pub conditions: Conditions,
    /// The openings.
    pub openings: OpeningFacts,
    /// The seed of the openings' order.
    pub seed: u64,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
}

impl Manifest {
    /// The kind of a match's manifest.
    pub const KIND: &'static str = "match";

    /// The players' names.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }
}

impl PlayerFacts {
    /// The facts of a player, with what the job fills in.
    #[must_use]
    pub fn of(entrant: &Entrant, defaults: &Defaults) -> PlayerFacts {
        PlayerFacts {
            name: entrant.name.clone(),
            spec: entrant.spec.to_string(),
            resolved: entrant.spec.resolved_text(defaults),
            threads: threads(&entrant.spec),
            files: fingerprint::of_player(&entrant.spec),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn manifests_on_disk_keep_their_names() {
        let on_disk = json!({
            "kind": "match", "version": "0.1.0", "program": "ab12", "format": "round-robin", "games": 100, "seed": 1,
            "players": [{
                "name": "alphabeta", "spec": "alphabeta", "resolved": "alphabeta(hash=32)", "threads": 1,
                "files": [["nn.bin", "cd34"]]
            }],
            "conditions": {
                "time": {"nodes": 1000}, "odds": [1.0], "declaration": "CSARule27", "max_moves": 320, "margin_ms": 200,
                "patience_ms": 10_000, "adjudication": {"resign": null, "draw": null, "mate_nodes": null}
            },
            "openings": ["own", 200, "ef56"], "sprt": null
        });
        let manifest: Manifest = serde_json::from_value(on_disk.clone()).unwrap();
        assert_eq!((manifest.header.kind.as_str(), manifest.openings.count), ("match", 200));
        assert_eq!(serde_json::to_value::<Manifest>(manifest).unwrap(), on_disk);
        let mut earlier: Value = on_disk;
        earlier["players"][0].as_object_mut().unwrap().remove("resolved");
        assert!(
            serde_json::from_value::<Manifest>(earlier).is_ok(),
            "reports of earlier runs can still be made"
        );
    }
}
