//! `yomi learn linear`, `eval=linear` and `yomi explain`: from games to weights that play and explain.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("linear").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomi"));
    command.current_dir(folder).args(arguments.split_whitespace());
    command
}

fn yomi(folder: &Path, arguments: &str) -> Output {
    command(folder, arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Games and a data set with all of their positions.
fn data(folder: &Path) {
    let player = "--player alphabeta(eval=material,hash=1)";
    json(&yomi(
        folder,
        &format!("selfplay {player} --nodes 40 --games 12 --max-moves 120 --out games --json"),
    ));
    let kept = "--keep-noisy --keep-checks --max-score 30000";
    json(&yomi(folder, &format!("data games {kept} --validation 0.3 --out data --json")));
}

#[test]
fn from_games_to_weights_that_play() {
    let folder = folder("whole");
    data(&folder);
    let values = "learn linear --data data --batch 64 --epochs 2 --least-seen 1 --out values --json";
    let learned = json(&yomi(&folder, values));
    assert_eq!(learned["is_complete"], true);
    let moves = "learn linear --data data --batch 128 --epochs 1 --method bonanza --updates 1 --from values/linear.weights --out moves --json";
    let learned = json(&yomi(&folder, moves));
    assert_eq!(learned["is_complete"], true);
    assert!(learned["leaves"].as_u64().unwrap() > 5 * learned["positions"].as_u64().unwrap());
    for run in ["values", "moves"] {
        for file in ["linear.weights", "loss.svg", "moves.svg", "result.json", "log.jsonl"] {
            assert!(folder.join(run).join(file).is_file(), "{run}/{file}");
        }
        let player = format!("alphabeta(hash=1,eval=linear,linear={run}/linear.weights)");
        let games = format!(
            "match --player {player} --player alphabeta(hash=1,eval=material) --nodes 40 --games 2 --max-moves 40 --json"
        );
        let result = json(&yomi(&folder, &games));
        assert_eq!((&result["games"], &result["crashes"]), (&2.into(), &0.into()));
    }
    let explained = json(&yomi(&folder, "explain startpos 7g7f --weights moves/linear.weights --json"));
    assert_eq!(explained["themes"].as_array().unwrap().len(), 12);
    assert_eq!(explained["move"], "7g7f");
}

#[test]
fn weights_that_are_none_are_refused_by_name() {
    let folder = folder("refused");
    fs::write(folder.join("broken.weights"), b"YOMILIN1 and then nothing of use").unwrap();
    for (file, words) in
        [("nowhere.weights", "cannot read nowhere.weights"), ("broken.weights", "it is damaged")]
    {
        for arguments in [
            format!("explain startpos --weights {file}"),
            format!(
                "match --player alphabeta(eval=linear,linear={file}) --player alphabeta --nodes 10 --games 2"
            ),
        ] {
            let output = yomi(&folder, &arguments);
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && error.contains(words), "{arguments}: {error}");
        }
    }
    let illegal = yomi(&folder, "explain startpos 2h2c");
    assert!(String::from_utf8_lossy(&illegal.stderr).contains("2h2c is not legal here"));
}

#[test]
fn a_killed_run_goes_on_to_the_same_weights() {
    let folder = folder("killed");
    data(&folder);
    let learn =
        |out: &str| format!("learn linear --data data --batch 16 --epochs 3 --threads 1 --out {out} --json");
    json(&yomi(&folder, &learn("whole")));
    let mut child = command(&folder, &learn("broken")).spawn().unwrap();
    let checkpoint = folder.join("broken/checkpoint.bin");
    let began = Instant::now();
    while !checkpoint.exists() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    json(&yomi(&folder, &learn("broken")));
    let weights = |run: &str| fs::read(folder.join(run).join("linear.weights")).unwrap();
    assert!(weights("whole") == weights("broken"), "the same weights");
}
