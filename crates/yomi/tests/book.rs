//! `yomi book` from the outside: books that are made, killed, taken up again, shown, merged and played from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("lines.sfen"), "7g7f 3c3d 2g2f 8c8d\n2g2f 3c3d 7g7f\n2g2f 8c8d 2f2e 8d8e\n").unwrap();
    path
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomi"));
    command.args(line.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

fn yomi(folder: &Path, line: &str) -> Output {
    command(folder, line).output().unwrap()
}

fn printed(folder: &Path, line: &str) -> String {
    let output = yomi(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&printed(folder, line)).unwrap()
}

/// What a command that must fail says, with its exit code.
fn refusal(folder: &Path, line: &str) -> (Option<i32>, String) {
    let output = yomi(folder, line);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

const MAKE: &str = "book make lines.sfen --from openings --player alphabeta(hash=1)";

#[test]
fn a_book_is_made_shown_and_counted() {
    let folder = folder("made");
    let made = json(&folder, &format!("{MAKE} --nodes 400 --within 1000 --out a.db --json"));
    assert_eq!((made["positions"].as_u64(), made["transpositions"].as_u64()), (Some(10), Some(1)));
    let shown = json(&folder, "book show a.db startpos --json --player alphabeta(book_depth_limit=0)");
    let moves = shown["moves"].as_array().unwrap();
    assert_eq!(moves[0]["value"], made["start_value"], "{shown}");
    assert!(moves[0]["chance"].as_f64().unwrap() > 0.0 && moves.len() <= 4);
    assert!(printed(&folder, "book show a.db 5").contains("the position is not in the book"));
    let stats = json(&folder, "book stats a.db --json");
    assert_eq!((stats["positions"].as_u64(), stats["illegal"].as_u64()), (Some(10), Some(0)));

    let counted = json(&folder, "book count lines.sfen --from openings --out b.db --json");
    assert_eq!((counted["read"].as_u64(), counted["positions"].as_u64()), (Some(3), Some(8)));
    let shown = printed(&folder, "book show b.db");
    assert!(shown.lines().nth(2).unwrap().starts_with("2g2f     -"), "{shown}");
    let merged = json(&folder, "book merge a.db b.db --out both.db --json");
    assert_eq!((merged["read"].as_u64(), merged["positions"].as_u64()), (Some(18), Some(10)));
    let again = json(&folder, "book make both.db --from book --nodes 50 --least 3 --out c.db --json");
    assert!(again["positions"].as_u64().unwrap() >= 1);
}

#[test]
fn a_killed_run_goes_on_and_makes_the_same_book() {
    let folder = folder("killed");
    printed(&folder, &format!("{MAKE} --nodes 30000 --concurrency 2 --out whole.db"));
    let line = format!("{MAKE} --nodes 30000 --out broken.db");
    let log = folder.join("broken.db.run/positions.jsonl");
    let rows = || fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    let mut run = command(&folder, &line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while rows() < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "no positions after a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
    // SIGKILL: nothing is tidied up.
    run.kill().unwrap();
    run.wait().unwrap();
    let before = rows();
    assert!(
        before < 10 && !folder.join("broken.db").exists(),
        "{before} positions: it ended before it was killed"
    );
    printed(&folder, &line);
    assert_eq!(rows(), 10, "what was searched stays searched");
    let [whole, broken] =
        ["whole.db", "broken.db"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
    assert_eq!(whole, broken);
}

#[test]
#[cfg(unix)]
fn an_interrupt_keeps_what_was_searched_and_says_how_to_go_on() {
    let folder = folder("interrupted");
    let line = format!("{MAKE} --nodes 200000 --json --out a.db");
    let mut run = command(&folder, &line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let log = folder.join("a.db.run/positions.jsonl");
    let began = Instant::now();
    while !fs::metadata(&log).is_ok_and(|file| file.len() > 0) {
        assert!(began.elapsed() < Duration::from_secs(60), "no positions after a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(0));
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("stopped; the same command goes on with a.db.run"), "{said}");
    let stopped: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = fs::read_to_string(&log).unwrap().lines().count() as u64;
    assert_eq!((stopped["searched"].as_u64(), stopped["of"].as_u64()), (Some(rows), Some(10)));
    assert!(rows < 10 && !folder.join("a.db").exists(), "{stopped}");
}

#[test]
fn a_player_plays_from_the_book_that_was_made() {
    let folder = folder("played");
    printed(&folder, &format!("{MAKE} --nodes 200 --within 0 --out a.db"));
    let best = json(&folder, "book show a.db --json")["moves"][0]["move"].as_str().unwrap().to_owned();
    let session = "setoption name BookFile value a.db\nsetoption name BookDepthLimit value 0\n\
                   setoption name BookEvalBlackLimit value -99999\nisready\nposition startpos\ngo nodes 1\n";
    fs::write(folder.join("session"), session).unwrap();
    let input = fs::File::open(folder.join("session")).unwrap();
    let output = command(&folder, "usi").stdin(input).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(&format!("bestmove {best}")), "{best}: {said}");
    assert!(!said.contains(" nodes "), "nothing was searched: {said}");
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let folder = folder("refused");
    fs::write(folder.join("bad.sfen"), "7g7f 7g7f\n").unwrap();
    for (line, code, expected) in [
        ("book make bad.sfen --from openings --nodes 10 --out a.db", 1, "line 1: move 2, 7g7f, is not legal"),
        ("book make none/ --nodes 10 --out a.db", 1, "nothing could be read"),
        (
            "book make lines.sfen --from openings --least 9 --nodes 10 --out a.db",
            1,
            "was met 9 times or more",
        ),
        ("book make lines.sfen --from openings --nodes 10 --out -", 2, "say --run DIR"),
        ("book make lines.sfen --from book --nodes 10 --out a.db", 1, "instead of the header"),
        (
            "book make lines.sfen --from books --nodes 10 --out a.db",
            2,
            "possible values: records, openings, book",
        ),
        ("book make lines.sfen --nodes 10 --time-ms 10 --out a.db", 2, "cannot be used with"),
        ("book make lines.sfen --from openings --player usi:./x --out a.db", 2, "only players of our own"),
        ("book show lines.sfen", 1, "instead of the header"),
        ("book show none.db", 1, "cannot use the book none.db"),
        ("book merge none.db --out c.db", 1, "cannot use the book none.db"),
        ("book stats lines.sfen", 1, "cannot use the book lines.sfen"),
    ] {
        let (found, said) = refusal(&folder, line);
        assert!(found == Some(code) && said.contains(expected), "{line}: {found:?} {said}");
        assert!(!folder.join("a.db").exists() && !folder.join("a.db.run").exists(), "{line}");
    }
    printed(&folder, &format!("{MAKE} --nodes 10 --out a.db"));
    let (code, said) = refusal(&folder, &format!("{MAKE} --nodes 10 --out a.db"));
    assert!(code == Some(1) && said.contains("--force replaces it"), "{said}");
    let (code, said) = refusal(&folder, &format!("{MAKE} --nodes 11 --out a.db --force"));
    assert!(code == Some(1) && said.contains("effort.nodes was 10 and is now 11"), "{said}");
    printed(&folder, &format!("{MAKE} --nodes 10 --out a.db --force --within 5"));
}
