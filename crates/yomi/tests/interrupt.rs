//! Ctrl-C: the first one ends a run in good order, the second one at once.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("interrupt").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path.join("run")
}

fn selfplay(out: &Path, nodes: &str, games: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomi"));
    command.args(["selfplay", "--nodes", nodes, "--games", games, "--max-moves", "80", "--out"]).arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Presses Ctrl-C so many times as soon as the file of games is so long, and returns what is said after the first.
fn interrupt(run: &mut Child, games: &Path, length: u64, times: usize) -> Vec<String> {
    let began = Instant::now();
    while !fs::metadata(games).is_ok_and(|file| file.len() >= length) {
        assert!(began.elapsed() < Duration::from_secs(60), "no games after a minute");
        std::thread::sleep(Duration::from_millis(10));
    }
    press(run);
    let mut said = BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap);
    let first = said.next().unwrap();
    assert!(first.starts_with("stopping after the work under way"), "{first}");
    (1..times).for_each(|_| press(run));
    said.collect()
}

fn press(run: &Child) {
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
}

#[test]
fn the_first_keeps_what_was_played_and_says_how_to_go_on() {
    let out = folder("once");
    let mut run = selfplay(&out, "60", "100000").spawn().unwrap();
    let said = interrupt(&mut run, &out.join("games.yomi"), 0, 1);
    assert_eq!(run.wait().unwrap().code(), Some(0));
    assert!(said.last().unwrap().starts_with("stopped; the same command goes on with "), "{said:?}");
    assert!(out.join("summary.json").exists());
    assert!(selfplay(&out, "60", "1").output().unwrap().status.success(), "it goes on");
}

#[test]
fn the_second_ends_at_once() {
    let out = folder("twice");
    // A game of this many nodes takes hours.
    let mut run = selfplay(&out, "1000000000", "1").spawn().unwrap();
    interrupt(&mut run, &out.join("games.yomi"), 0, 2);
    assert_eq!(run.wait().unwrap().code(), Some(130));
}

fn match_games(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomi"));
    let players = [
        "--player",
        "alphabeta(hash=1)",
        "--player",
        "mcss(hash=8)",
        "--player",
        "alphabeta(hash=2, skill=9)",
    ];
    command
        .arg("match")
        .args(players)
        .args(["--games", "6", "--nodes", "300", "--max-moves", "60", "--out"])
        .arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The games of a match in the order of their numbers, without what depends on the clock.
fn games(out: &Path) -> Vec<serde_json::Value> {
    let log = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let mut rows: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    rows.sort_by_key(|row| (row["pair"].as_u64(), row["game"].as_u64()));
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        row.retain(|name, _| !name.ends_with("_us") && name != "seconds");
    }
    rows
}

#[test]
fn a_match_that_was_interrupted_goes_on_to_the_same_games() {
    let (whole, broken) = (folder("whole_match"), folder("broken_match"));
    assert!(match_games(&whole).output().unwrap().status.success());
    let mut run = match_games(&broken).spawn().unwrap();
    interrupt(&mut run, &broken.join("games.jsonl"), 1, 1);
    assert_eq!(run.wait().unwrap().code(), Some(0));
    let before = games(&broken).len();
    assert!((1..18).contains(&before), "{before} games before the interruption");
    assert!(match_games(&broken).output().unwrap().status.success());
    assert_eq!(games(&whole).len(), 18);
    assert_eq!(games(&broken), games(&whole));
}
