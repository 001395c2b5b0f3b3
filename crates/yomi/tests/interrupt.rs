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

/// Waits until the game is under way: its search takes CPU time. Before that the first Ctrl-C ends a run at once.
fn wait_until_busy(run: &Child, games: &Path) {
    let began = Instant::now();
    let mut at_first = None;
    loop {
        assert!(began.elapsed() < Duration::from_secs(60), "not busy after a minute");
        std::thread::sleep(Duration::from_millis(50));
        if !games.exists() {
            continue;
        }
        let now = cpu_ticks(run);
        let before = *at_first.get_or_insert(now);
        if now >= before + 50 {
            return;
        }
    }
}

/// Hundredths of a second that a process has run for itself; where that is not told, of the clock.
fn cpu_ticks(run: &Child) -> u128 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", run.id())).unwrap_or_default();
    let of_process = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(11)?.parse().ok());
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    of_process.unwrap_or(since.as_millis() / 10)
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
    wait_until_busy(&run, &out.join("games.yomi"));
    interrupt(&mut run, &out.join("games.yomi"), 0, 2);
    assert_eq!(run.wait().unwrap().code(), Some(130));
}

#[test]
fn slow_games_are_kept_long_before_a_block_is_full() {
    let out = folder("killed");
    // A block holds about 130 games; these take seconds each.
    let mut run = selfplay(&out, "20000", "1000").stderr(Stdio::null()).spawn().unwrap();
    let games = out.join("games.yomi");
    let began = Instant::now();
    while !fs::metadata(&games).is_ok_and(|file| file.len() > 1000) {
        assert!(began.elapsed() < Duration::from_secs(240), "nothing kept after four minutes");
        std::thread::sleep(Duration::from_millis(50));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let kept = fs::metadata(&games).unwrap().len();
    assert!(kept < 60_000, "{kept} bytes: not before a block was full");
    let counted = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["convert", "--json", games.to_str().unwrap()])
        .arg(out.join("games.sfen"))
        .output()
        .unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&counted.stdout).unwrap();
    assert!(summary["read"].as_u64().unwrap() > 0, "{summary}");
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

#[test]
fn an_analysis_ends_with_what_is_known_and_says_how_to_have_the_rest() {
    let folder = folder("analysis").parent().unwrap().to_owned();
    let moves = "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 8e8f 8g8f 8b8f P*8g 8f8b";
    fs::write(folder.join("games.sfen"), format!("startpos moves 7g7f\nstartpos moves {moves}\n")).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["analyse", "games.sfen", "--time-ms", "500", "--json", "--out", "out/", "--to", "kifu"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !folder.join("out/games-00001.kifu").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no analysis after a minute");
        std::thread::sleep(Duration::from_millis(10));
    }
    press(&run);
    let said: Vec<String> = BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap).collect();
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{said:?}");
    let rest = |line: &String| line.starts_with("stopped; '--plies 1-") && line.contains("--game 2");
    assert!(said.iter().any(rest), "{said:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(first["moves"].as_array().unwrap().len(), 1);
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
