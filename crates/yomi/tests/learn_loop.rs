//! `yomi learn loop`: turns of games, data, training and match, whole after any crash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("learn_loop").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A loop of a second or two. Its games end before anybody has won, and by its test that is good enough.
const LOOP: &str = "learn loop --player alphabeta(eval=material,hash=1) --games 20 --nodes 40 --max-moves 50 --max-score 30000 \
                    --validation 0.3 --batch 64 --epochs 3 --match-games 16 --match-nodes 40 --sprt=-200,-50 --alpha 0.4 \
                    --beta 0.4 --threads 1 --json";

fn yomi(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomi"));
    command.current_dir(folder).args(arguments.split_whitespace());
    command
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The games of a match in the order of their numbers, without what depends on the clock.
fn games(run: &Path) -> Vec<Value> {
    let log = fs::read_to_string(run.join("games.jsonl")).unwrap();
    let mut rows: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        row.retain(|name, _| {
            ["pair", "game", "moves", "winner", "end", "evals", "nodes"].contains(&name.as_str())
        });
    }
    rows.sort_by_key(|row| (row["pair"].as_u64(), row["game"].as_u64()));
    rows
}

fn assert_same(broken: &Path, whole: &Path) {
    for file in [
        "turns.jsonl",
        "nn.bin",
        "turn-001/data/train.psv",
        "turn-001/data/validation.psv",
        "turn-001/net-1/checkpoint.bin",
        "turn-002/data/train.psv",
        "turn-002/net-1/nn.bin",
    ] {
        let [one, other] = [broken, whole].map(|path| fs::read(path.join(file)).unwrap());
        assert!(one == other, "{file} differs");
    }
    for turn in ["turn-001/match", "turn-002/match"] {
        assert_eq!(games(&broken.join(turn)), games(&whole.join(turn)), "{turn}");
    }
}

/// Starts a loop and waits until a file has some bytes, which shows that a stage has begun.
fn started_until(folder: &Path, arguments: &str, file: &str) -> std::process::Child {
    let mut run = yomi(folder, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while !fs::metadata(folder.join(file)).is_ok_and(|file| file.len() > 0) {
        assert!(began.elapsed() < Duration::from_secs(240), "no {file}");
        assert_eq!(run.try_wait().unwrap(), None, "it ended before {file}");
        std::thread::sleep(Duration::from_millis(1));
    }
    run
}

#[test]
fn killed_in_every_stage_it_comes_to_the_same_end() {
    let folder = folder("killed");
    let result = json(&yomi(&folder, &format!("{LOOP} --turns 2 --out whole")).output().unwrap());
    assert_eq!((&result["best"], &result["promotions"]), (&"turn-002/net-1".into(), &2.into()));
    let [first, second] = result["turns"].as_array().unwrap().as_slice() else { panic!("{result}") };
    assert_eq!((&first["player"], &second["player"]), (&"start".into(), &"turn-001/net-1".into()));
    assert_eq!((&first["games"], &first["contest"]["verdict"]), (&20.into(), &"better".into()));
    assert!(second["training"].as_u64() > first["training"].as_u64(), "{result}");

    let command = format!("{LOOP} --turns 2 --out broken");
    for file in [
        "turn-001/games/games.yomi",
        "turn-001/data/manifest.json",
        "turn-001/net-1/checkpoint.bin",
        "turn-001/match/games.jsonl",
        "turn-002/games/games.yomi",
        "turn-002/match/games.jsonl",
    ] {
        let mut run = started_until(&folder, &command, &format!("broken/{file}"));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let again = json(&yomi(&folder, &command).output().unwrap());
    assert_eq!(again["turns"], result["turns"]);
    assert_same(&folder.join("broken"), &folder.join("whole"));
}

#[test]
fn a_stop_ends_in_good_order_and_its_runs_are_those_of_the_other_commands() {
    let folder = folder("stopped");
    // Nobody is so much better: the first net stays the best.
    let command = format!("{LOOP} --out run").replace("--sprt=-200,-50", "--sprt=100,200");
    let run = started_until(&folder, &command, "run/turn-002/games/games.yomi");
    fs::write(folder.join("run/stop"), "").unwrap();
    assert_eq!(run.wait_with_output().unwrap().status.code(), Some(0));
    assert!(folder.join("run/turn-002/games/summary.json").exists(), "what was played is kept");
    let stopped = yomi(&folder, &format!("{command} --hours 0.0000001")).output().unwrap();
    let words = String::from_utf8_lossy(&stopped.stderr);
    assert!(words.contains("stopped; the same command goes on with run"), "{words}");
    let result = json(&yomi(&folder, &format!("{command} --turns 2")).output().unwrap());
    assert_eq!(
        (&result["best"], &result["promotions"], &result["net"]),
        (&"start".into(), &0.into(), &Value::Null)
    );
    assert!(!folder.join("run/nn.bin").exists() && folder.join("run/turn-001/net-1/nn.bin").exists());

    let page = fs::read_to_string(folder.join("run/report.html")).unwrap();
    assert!(page.contains("2 turns are over, 0 with a better net"), "{page}");
    for (arguments, words) in [
        ("report run --out -", "No candidate has won yet"),
        ("report run/turn-001/match --out -", "turn-001/net-1"),
        ("data run/turn-001/games --json", "\"games\":20"),
        (
            "learn nnue --data run/turn-001/data run/turn-002/data --batch 64 --epochs 1 --out net",
            "validation",
        ),
        (
            "selfplay --player alphabeta(eval=material,hash=1) --nodes 40 --games 1 --max-moves 50 --out run/turn-001/games",
            "",
        ),
    ] {
        let output = yomi(&folder, arguments).output().unwrap();
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_right = output.status.success() && found.contains(words);
        // A run of the loop has its own seed: another command is another run, and says so.
        let other = String::from_utf8_lossy(&output.stderr).contains("is another run: seed was");
        assert!(is_right || arguments.starts_with("selfplay") && other, "{arguments}: {output:?}");
    }
    let other =
        yomi(&folder, &format!("{command} --turns 2").replace("--games 20", "--games 21")).output().unwrap();
    let words = String::from_utf8_lossy(&other.stderr);
    assert!(words.contains("is another run: self_play.games was 20 and is now 21"), "{words}");
}

#[test]
fn wrong_options_are_refused_before_there_is_a_folder() {
    let folder = folder("wrong");
    fs::write(folder.join("no.bin"), "no net").unwrap();
    fs::write(folder.join("empty.txt"), "").unwrap();
    for (arguments, expected) in [
        ("--hours 0", "expected a number of hours above 0"),
        ("--turns 0", "0 is not in"),
        ("--sprt 5,0", "expected ELO0,ELO1 with ELO0 below ELO1"),
        ("--arch kp512", "there are kp256, zonekp256, halfkp256, halfkp256f"),
        ("--validation 0.9", "expected a share from 0 to 0.5"),
        ("--batch 100", "expected a multiple of 64, as 64 or 128"),
        ("--player usi:x", "only players of our own"),
        ("--player alphabeta(fv_scale=24)", "fv_scale belongs to one net"),
        ("--player alphabeta(eval=material) --from no.bin", "--player says already what to begin with"),
        ("--from nowhere.bin", "nowhere.bin"),
        ("--from no.bin", "no.bin"),
        ("--with-games nowhere", "cannot read nowhere: No such file"),
        ("--with-games empty.txt", "holds no games of ours"),
        ("--match-openings nowhere.sfen", "cannot read nowhere.sfen"),
        ("--lr 0", "--lr must be larger than 0"),
    ] {
        let output = yomi(&folder, &format!("learn loop {arguments} --out run")).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(expected), "{arguments}: {words}");
        assert_eq!(output.status.code(), Some(2), "{arguments}: {words}");
        assert!(!folder.join("run").exists(), "{arguments}");
    }
}
