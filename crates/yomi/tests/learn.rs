//! `yomi selfplay`, `data` and `learn`: from nothing to a net that plays.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("learn").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn yomi(folder: &PathBuf, arguments: &str) -> Output {
    let arguments = arguments.split_whitespace();
    Command::new(env!("CARGO_BIN_EXE_yomi")).current_dir(folder).args(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn from_nothing_to_a_net_that_plays() {
    let folder = folder("whole");
    let player = "--player alphabeta(eval=material,hash=1)";
    let games = json(&yomi(
        &folder,
        &format!("selfplay {player} --nodes 40 --games 16 --max-moves 120 --out games --json"),
    ));
    assert_eq!(games["games"], 16);
    assert!(games["speed"]["positions_per_second"].as_f64().unwrap() > 0.0);
    let again =
        yomi(&folder, &format!("selfplay {player} --nodes 41 --games 16 --max-moves 120 --out games"));
    assert!(
        String::from_utf8_lossy(&again.stderr).contains("is another run: effort.nodes was 40 and is now 41")
    );
    let data = json(&yomi(
        &folder,
        "data games --calibrate 600 --outlook 8 --max-score 30000 --validation 0.4 --seed 2 --out data --json",
    ));
    let (training, validation) = (data["training"].as_u64().unwrap(), data["validation"].as_u64().unwrap());
    assert!(training >= 64 && validation > 0, "{data}");
    let scale = &data["readings"][0][1]["scale"];
    assert!(scale.as_f64().unwrap() > 1.0, "{data}");
    let look = json(&yomi(&folder, "data games --json"));
    assert_eq!(look["positions"], data["stats"]["positions"]);
    let net = json(&yomi(&folder, "learn nnue --data data --batch 64 --epochs 1 --out net --json"));
    assert_eq!(net["is_complete"], true);
    let result = json(&yomi(
        &folder,
        &format!(
            "match --player alphabeta(hash=1,net=net/nn.bin) {player} --nodes 40 --games 2 --max-moves 40 --json"
        ),
    ));
    assert_eq!((&result["games"], &result["crashes"]), (&2.into(), &0.into()));
}

#[test]
fn errors_say_which_arguments_would_be_right() {
    let folder = folder("wrong");
    fs::write(folder.join("empty.psv"), "").unwrap();
    for (arguments, code, expected) in [
        ("learn nnue --data x --arch kp512 --out y", 2, "there are kp256, zonekp256, halfkp256, halfkp256f"),
        ("learn nnue --data x --lambda 2 --out y", 2, "expected a number from 0 to 1"),
        ("learn nnue --data nowhere.psv --out y", 1, "cannot read nowhere.psv"),
        ("learn nnue --data empty.psv --validation empty.psv --out z", 1, "fewer than a batch of 4096"),
        ("data nowhere", 2, "nowhere holds no games of ours"),
        ("data empty.psv --validation 0.9", 2, "expected a share from 0 to 0.5"),
        ("selfplay --player usi:x --games 1 --out s", 1, "only players of our own"),
    ] {
        let output = yomi(&folder, arguments);
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(expected), "{arguments}: {words}");
        assert_eq!(output.status.code(), Some(code), "{arguments}");
    }
}
