//! Work that can be started from the page: commands of this very program, whose every word is checked. Visitors name runs and
//! studies that are listed, and players that need no file; never a path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::RunsFolder;
use crate::players::Players;
use crate::refusal::Refusal;

/// What is to be done, as the page says it and as it is kept beside the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Work {
    /// Games between two players.
    Match { players: [String; 2], nodes: u64, games: u32 },
    /// Games of a player against itself.
    Selfplay { player: String, nodes: u64, games: u32 },
    /// How often the values of a player came true in the games of a run; without nodes its static ones.
    Curve { run: String, player: String, nodes: u64 },
    /// A data set made of the games of a run; the share of them that is kept to judge by.
    Data { run: String, validation: f64 },
    /// A net that learns from a data set.
    Learn { run: String, arch: String, epochs: u32 },
    /// Nets turn by turn: games of the best one, data, a candidate, a match, up to a last turn.
    Loop { arch: String, nodes: u64, games: u32, turns: u32 },
    /// The experiments of a file that lies in the folder of runs; the share of them that is played.
    Study { file: String, scale: f64 },
}

/// Bounds that keep a typing error from a month of work.
const MOST_NODES: u64 = 10_000_000;
const MOST_GAMES: u32 = 100_000;
const MOST_EPOCHS: u32 = 1000;
const MOST_TURNS: u32 = 1000;

/// The nets that can be trained.
pub(crate) const NETS: [&str; 4] = ["kp256", "zonekp256", "halfkp256", "halfkp256f"];

impl Work {
    /// The words after the program's name, but for where the run is kept.
    pub(super) fn arguments(&self, runs: &RunsFolder, players: &Players) -> Result<Vec<OsString>, Refusal> {
        match self {
            Work::Match { players: [first, second], nodes, games } => {
                players.own_description(first)?;
                players.own_description(second)?;
                bounded("nodes", *nodes, MOST_NODES)?;
                bounded("games", u64::from(*games), MOST_GAMES.into())?;
                let mut words = said(&["match", "--player", first, "--player", second]);
                words.extend(numbers(&[("--nodes", *nodes), ("--games", (*games).into())]));
                words.extend(said(&["--concurrency", "1"]));
                Ok(words)
            }
            Work::Selfplay { player, nodes, games } => {
                players.own_description(player)?;
                bounded("nodes", *nodes, MOST_NODES)?;
                bounded("games", u64::from(*games), MOST_GAMES.into())?;
                let mut words = said(&["selfplay", "--player", player]);
                words.extend(numbers(&[("--nodes", *nodes), ("--games", (*games).into()), ("--threads", 1)]));
                Ok(words)
            }
            Work::Curve { run, player, nodes } => {
                players.own_description(player)?;
                curve(&run_of_kind(runs, run, "selfplay")?, player, *nodes)
            }
            Work::Data { run, validation } => {
                if !(*validation >= 0.01 && *validation <= 0.5) {
                    return Err(Refusal::bad("validation", "expected a share from 0.01 to 0.5"));
                }
                let share = validation.to_string();
                let games = run_of_kind(runs, run, "selfplay")?;
                Ok(vec!["data".into(), games.into(), "--validation".into(), share.into()])
            }
            Work::Learn { run, arch, epochs } => {
                known_net(arch)?;
                bounded("epochs", u64::from(*epochs), MOST_EPOCHS.into())?;
                let mut words = said(&["learn", "nnue", "--data"]);
                words.push(run_of_kind(runs, run, "data")?.into());
                words.extend(said(&["--arch", arch]));
                words.extend(numbers(&[("--epochs", (*epochs).into()), ("--threads", 1)]));
                Ok(words)
            }
            Work::Loop { arch, nodes, games, turns } => {
                known_net(arch)?;
                bounded("nodes", *nodes, MOST_NODES)?;
                bounded("games", u64::from(*games), MOST_GAMES.into())?;
                bounded("turns", u64::from(*turns), MOST_TURNS.into())?;
                let mut words = said(&["learn", "loop", "--arch", arch]);
                words.extend(numbers(&[("--nodes", *nodes), ("--games", (*games).into())]));
                words.extend(numbers(&[("--turns", (*turns).into()), ("--threads", 1)]));
                Ok(words)
            }
            Work::Study { file, scale } => {
                if !(*scale > 0.0 && *scale <= 1.0) {
                    return Err(Refusal::bad("scale", "expected a share above 0, up to 1"));
                }
                let scale = scale.to_string();
                Ok(vec!["study".into(), runs.study(file)?.into(), "--scale".into(), scale.into()])
            }
        }
    }
}

/// The words of a curve over the games of a run; static values for no nodes.
fn curve(run: &Path, player: &str, nodes: u64) -> Result<Vec<OsString>, Refusal> {
    let mut words = said(&["curve", "--records"]);
    words.push(run.join("games.yomi").into());
    words.extend(said(&["--player", player, "--concurrency", "1"]));
    if nodes == 0 {
        words.push("--static".into());
    } else {
        bounded("nodes", nodes, MOST_NODES)?;
        words.extend(numbers(&[("--nodes", nodes)]));
    }
    Ok(words)
}

fn known_net(arch: &str) -> Result<(), Refusal> {
    if NETS.contains(&arch) {
        return Ok(());
    }
    Err(Refusal::bad("arch", &format!("expected one of {}", NETS.join(", "))))
}

fn said(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn numbers(pairs: &[(&str, u64)]) -> Vec<OsString> {
    pairs.iter().flat_map(|(name, number)| [OsString::from(name), number.to_string().into()]).collect()
}

fn bounded(code: &'static str, number: u64, most: u64) -> Result<(), Refusal> {
    if (1..=most).contains(&number) {
        return Ok(());
    }
    Err(Refusal::bad(code, &format!("expected 1 to {most} {code}")))
}

/// The folder of a run of a kind.
fn run_of_kind(runs: &RunsFolder, name: &str, kind: &str) -> Result<PathBuf, Refusal> {
    let run = runs.find(name)?;
    if run.kind().as_deref() == Some(kind) {
        return Ok(run.path);
    }
    Err(Refusal::bad("run", &format!("{name} is no run of the kind {kind}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A folder with runs, a study in it and another one beside it.
    fn some_runs() -> (tempfile::TempDir, RunsFolder) {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("runs");
        for (name, kind) in [("games", "selfplay"), ("set", "data")] {
            std::fs::create_dir_all(inside.join(name)).unwrap();
            std::fs::write(inside.join(name).join("manifest.json"), json!({ "kind": kind }).to_string())
                .unwrap();
        }
        std::fs::write(inside.join("small.toml"), "").unwrap();
        std::fs::write(folder.path().join("secret.toml"), "").unwrap();
        (folder, RunsFolder::new(inside))
    }

    #[test]
    fn only_listed_runs_and_studies_and_players_without_files_become_commands() {
        let ((_folder, runs), players) = (some_runs(), Players::new(Vec::new()));
        let arguments = |work: Value| -> Result<String, &'static str> {
            let work: Work = serde_json::from_value(work).map_err(|_| "json")?;
            let words = work.arguments(&runs, &players).map_err(|refusal| refusal.code)?;
            Ok(words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
        };
        let match_of = |player: &str, games: u32| json!({ "kind": "match", "players": ["alphabeta", player], "nodes": 10, "games": games });
        let curve = |run: &str| json!({ "kind": "curve", "run": run, "player": "alphabeta", "nodes": 0 });
        let learn = |run: &str, arch: &str| json!({ "kind": "learn", "run": run, "arch": arch, "epochs": 2 });
        let study = |file: &str, scale: f64| json!({ "kind": "study", "file": file, "scale": scale });
        assert_eq!(
            arguments(match_of("uct", 20)).unwrap(),
            "match --player alphabeta --player uct --nodes 10 --games 20 --concurrency 1"
        );
        assert!(
            arguments(curve("games"))
                .unwrap()
                .ends_with("games/games.yomi --player alphabeta --concurrency 1 --static")
        );
        assert!(
            arguments(json!({ "kind": "data", "run": "games", "validation": 0.1 }))
                .unwrap()
                .ends_with("runs/games --validation 0.1")
        );
        assert!(arguments(learn("set", "kp256")).unwrap().contains("runs/set --arch kp256 --epochs 2"));
        let turns = |arch: &str, turns: u32| json!({ "kind": "loop", "arch": arch, "nodes": 50, "games": 20, "turns": turns });
        assert_eq!(
            arguments(turns("kp256", 3)).unwrap(),
            "learn loop --arch kp256 --nodes 50 --games 20 --turns 3 --threads 1"
        );
        assert!(arguments(study("small.toml", 0.5)).unwrap().ends_with("small.toml --scale 0.5"));
        for (work, code) in [
            (match_of("usi:/bin/sh", 2), "player"),
            (match_of("alphabeta(net=/etc/passwd)", 2), "player"),
            (match_of("--help", 2), "player"),
            (match_of("uct", 0), "games"),
            (match_of("uct", 100_001), "games"),
            (json!({ "kind": "selfplay", "player": "alphabeta", "nodes": 0, "games": 2 }), "nodes"),
            (curve("set"), "run"),
            (curve("../secret"), "not-found"),
            (learn("games", "kp256"), "run"),
            (learn("set", "../x"), "arch"),
            (turns("../x", 3), "arch"),
            (turns("kp256", 0), "turns"),
            (study("../secret.toml", 1.0), "not-found"),
            (study("games", 1.0), "not-found"),
            (study("small.toml", 0.0), "scale"),
            (json!({ "kind": "web" }), "json"),
            (json!({ "kind": "data", "run": "games", "validation": 0.1, "out": "/tmp" }), "json"),
            (json!({ "kind": "data", "run": "games", "validation": 0.9 }), "validation"),
        ] {
            assert_eq!(arguments(work.clone()), Err(code), "{work}");
        }
    }
}
