//! Where commands write: one way for all of them.
#![cfg(unix)]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const GAME: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";

/// Every command that is told which file to write, but for the name of that file. They are run beside `game.csa` and
/// the run of a match, `run`.
const WRITERS: [&[&str]; 9] = [
    &["show", "startpos", "--svg"],
    &["analyse", "game.csa", "--depth", "1", "--svg"],
    &["analyse", "game.csa", "--depth", "1", "--to", "kifu", "--out"],
    &["tree", "--nodes", "50", "--svg"],
    &["tree", "--nodes", "50", "--json"],
    &[
        "openings",
        "--count",
        "1",
        "--plies",
        "2",
        "--nodes",
        "50",
        "--check-nodes",
        "50",
        "--within",
        "1000",
        "--out",
    ],
    &["report", "run", "--out"],
    // A format of one game in a file, and one of many.
    &["convert", "--to", "kifu", "game.csa"],
    &["convert", "--to", "usi", "game.csa"],
];

/// A folder of this test alone.
fn room(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("outputs").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("game.csa"), GAME).unwrap();
    let players = ["--player", "alphabeta(hash=1)", "--player", "alphabeta(hash=2)"];
    let games = ["--games", "2", "--nodes", "20", "--max-moves", "10", "--out", "run"];
    assert!(yomi(&path, &[&["match"], &players[..], &games].concat()).status.success());
    path
}

fn yomi(room: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomi")).args(arguments).current_dir(room).output().unwrap()
}

#[test]
fn a_pipe_is_written_to_and_stays_a_pipe() {
    let room = room("pipe");
    let pipe = room.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Opened to read and write, so that neither side waits for the other to come.
    let mut reader = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&taken);
    std::thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(count) = reader.read(&mut bytes) {
            counted.fetch_add(count, Ordering::Relaxed);
        }
    });
    for writer in WRITERS {
        let before = taken.load(Ordering::Relaxed);
        let output = yomi(&room, &[writer, &["pipe"]].concat());
        assert!(output.status.success(), "{writer:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{writer:?} replaced the pipe");
        let began = Instant::now();
        while taken.load(Ordering::Relaxed) == before {
            assert!(began.elapsed() < Duration::from_secs(60), "{writer:?} wrote nothing to the pipe");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn what_is_there_stays_without_force_and_links_stay_with_it() {
    let room = room("force");
    symlink("file", room.join("link")).unwrap();
    for writer in WRITERS {
        fs::write(room.join("file"), "precious").unwrap();
        for name in ["file", "link"] {
            let output = yomi(&room, &[writer, &[name]].concat());
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{writer:?}: {said}");
            assert!(said.contains("is already there; --force replaces it"), "{writer:?}: {said}");
        }
        assert_eq!(fs::read_to_string(room.join("file")).unwrap(), "precious");
        let output = yomi(&room, &[writer, &["link", "--force"]].concat());
        assert!(output.status.success(), "{writer:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(fs::symlink_metadata(room.join("link")).unwrap().is_symlink(), "{writer:?}");
        assert_ne!(fs::read_to_string(room.join("file")).unwrap(), "precious");
    }
}

#[test]
fn a_dash_is_standard_output_and_nothing_else_is_printed() {
    let room = room("dash");
    for writer in WRITERS {
        let output = yomi(&room, &[writer, &["-"]].concat());
        assert!(output.status.success(), "{writer:?}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let beginnings = ["<svg ", "#KIF", "{\"", "#", "<!DOCTYPE", "startpos "];
        assert!(beginnings.iter().any(|begin| text.starts_with(begin)), "{writer:?}: {text}");
        assert!(!room.join("-").exists());
    }
    let both = yomi(&room, &["tree", "--nodes", "50", "--svg", "-", "--json", "-"]);
    assert!(String::from_utf8_lossy(&both.stderr).contains("name the same file"));
}

#[test]
fn records_come_by_standard_input_and_go_to_standard_output() {
    let room = room("input");
    for arguments in
        [["show", "-"].as_slice(), &["analyse", "-", "--depth", "1"], &["convert", "-", "-", "--to", "kifu"]]
    {
        let run = Command::new(env!("CARGO_BIN_EXE_yomi"))
            .args(arguments)
            .stdin(fs::File::open(room.join("game.csa")).unwrap())
            .output()
            .unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(text.contains("3c3d") || text.contains("３四歩(33)"), "{arguments:?}: {text}");
    }
}
