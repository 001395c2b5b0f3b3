//! The `yomi` binary as a person meets it: what it prints, where, and with which exit code.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn yomi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

/// What a successful call prints.
fn printed(arguments: &[&str]) -> String {
    let output = yomi(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("JSON")
}

/// A failing call: its exit code and what it says on standard error. Nothing is printed.
fn refused(arguments: &[&str]) -> (i32, String) {
    let output = yomi(arguments);
    assert!(output.stdout.is_empty(), "{arguments:?} prints to standard output");
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code().expect("an exit code"), message)
}

/// A file of this test run that nobody else uses, not there yet.
fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn without_a_command_it_plays_by_usi() {
    // No input: a conversation that is over at once.
    assert_eq!(printed(&[]), "");
}

#[test]
fn the_help_names_every_command_and_gives_examples() {
    let help = printed(&["--help"]);
    for word in ["analyse", "perft", "show", "Examples:"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn perft_counts_the_known_leaves_of_the_start() {
    let outcome = json(&["perft", "--depth", "4", "--json"]);
    assert_eq!(outcome["nodes"], 719_731);
    assert_eq!(outcome["depth"], 4);
    assert_eq!(outcome["threads"], 1);
    assert_eq!(outcome["sfen"], "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(outcome["seconds"].as_f64().unwrap() > 0.0 && outcome["nps"].as_u64().unwrap() > 0);
    assert!(printed(&["perft", "--depth", "4"]).contains("\nnodes    719731\n"));
}

#[test]
fn threads_and_bulk_counting_change_no_result() {
    let alone = json(&["perft", "--depth", "4", "--divide", "--json"]);
    let moves = alone["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 30);
    assert_eq!(moves.iter().map(|entry| entry["nodes"].as_u64().unwrap()).sum::<u64>(), 719_731);
    for extra in [["--threads", "2"].as_slice(), &["--threads", "5", "--no-bulk"]] {
        let other = json(&[["perft", "--depth", "4", "--divide", "--json"].as_slice(), extra].concat());
        assert_eq!(other["nodes"], alone["nodes"]);
        assert_eq!(other["moves"], alone["moves"]);
    }
}

#[test]
fn perft_takes_positions_with_moves_and_depth_zero() {
    let at = "position startpos moves 7g7f";
    assert_eq!(json(&["perft", "--sfen", at, "--depth", "1", "--json"])["nodes"], 30);
    assert_eq!(json(&["perft", "--depth", "0", "--json"])["nodes"], 1);
    let full_hands = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    assert_eq!(json(&["perft", "--sfen", full_hands, "--depth", "1", "--json"])["nodes"], 593);
}

#[test]
fn wrong_arguments_end_with_code_2_and_say_what_would_be_right() {
    for (arguments, expected) in [
        (["perff"].as_slice(), "'perft'"),
        (&["frobnicate"], "the commands are usi, analyse, bench, book, convert, "),
        (&["learn", "kpp"], "the commands are nnue, linear, loop, mate, search, softmax, time\n"),
        (&["learn", "nnue", "--zzz"], "the options here are --data, --validation, --arch"),
        (&["perft", "--dpth", "3"], "'--depth'"),
        (&["perft", "--zzz"], "the options here are --sfen, --depth"),
        (&["perft", "--depth", "x"], "expected a whole number from 0 to 100"),
        (&["perft", "--depth", "-1"], "--depth"),
        (&["perft", "--threads", "0"], "expected a whole number from 1 to 1024"),
        (&["perft", "--sfen", "rubbish"], "expected startpos, an SFEN or a handicap"),
        (&["perft", "--sfen", "9/9 b - 1"], "the board has 2 ranks instead of 9"),
        (&["perft", "--sfen", "startpos moves 7g7e"], "move 1: 7g7e is not legal here"),
        (&["show"], "<FILE|SFEN>"),
        (&["show", "rubbish"], "expected startpos, an SFEN or a handicap"),
        (&["show", "4k4/9/9/9/9/9/9/9/4K4", "b", "-", "1"], "in quotes"),
        (&["show", "startpos", "--ply", "1"], "there are 0 moves, so 0 to 0 can be shown"),
        (&["show", "startpos", "--pieces", "runes"], "kanji, letters"),
    ] {
        let (code, message) = refused(arguments);
        assert_eq!(code, 2, "{arguments:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn show_prints_board_turn_check_moves_and_sfen() {
    let text = printed(&["show", "startpos moves 7g7f 3c3d 8h3c+"]);
    assert!(text.contains("|v歩v歩v歩v歩v歩v歩 馬v歩v歩|三"), "{text}");
    assert!(text.contains("先手の持駒：なし\n後手番\n"), "{text}");
    assert!(text.contains("turn   White, ply 4\nlast   8h3c+\ncheck  from 3c\nmoves  "), "{text}");
    assert!(text.ends_with("w - 4\n"), "{text}");
    let letters = printed(&["show", "HIRATE", "--pieces", "letters"]);
    assert!(letters.is_ascii() && letters.contains("| l  n  s  g  k  g  s  n  l | a"), "{letters}");
}

#[test]
fn show_goes_back_to_a_ply_and_recognises_mate() {
    let line = "startpos moves 7g7f 3c3d";
    assert!(printed(&["show", line, "--ply", "1"]).contains("last   7g7f\n"));
    assert!(printed(&["show", line, "--ply", "0"]).contains("turn   Black, ply 1\nlast   none\n"));
    let mated = printed(&["show", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"]);
    assert!(mated.contains("check  from 5b, mate: White has lost\nmoves  0 legal\n"), "{mated}");
}

#[test]
fn show_writes_the_picture_and_leaves_nothing_else_behind() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("picture");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("board.svg");
    for line in ["startpos", "startpos moves 7g7f"] {
        printed(&["show", line, "--force", "--svg", path.to_str().unwrap()]);
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.contains("class=\"mark\""), line.contains("7g7f"));
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_failure_while_running_ends_with_code_1_and_its_cause() {
    let nowhere = scratch("no-such-folder").join("board.svg");
    let (code, message) = refused(&["show", "startpos", "--svg", nowhere.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(message.starts_with("error: cannot write "), "{message}");
    assert!(message.contains("board.svg: "), "{message}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for arguments in [["perft", "--divide", "--depth", "3"].as_slice(), &["show", "startpos"], &["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yomi"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let status = child.wait().unwrap();
        assert!(status.success() && errors.is_empty(), "{arguments:?}: {status} {errors}");
    }
}

#[test]
fn shells_complete_and_manual_pages_exist_for_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        for word in ["analyse", "selfplay", "--candidates", "--concurrency"] {
            assert!(script.contains(word.trim_start_matches('-')), "{shell}: {word}");
        }
    }
    assert!(printed(&["man"]).contains(".TH yomi 1"));
    assert!(printed(&["man", "match"]).contains("\\-\\-sprt"));
    let folder = scratch("man1");
    let _ = std::fs::remove_dir_all(&folder);
    printed(&["man", "--out", folder.to_str().unwrap()]);
    for page in ["yomi.1", "yomi-analyse.1", "yomi-learn-nnue.1"] {
        assert!(folder.join(page).is_file(), "{page}");
    }
    let (code, message) = refused(&["man", "castle"]);
    assert!(code == 2 && message.contains("there is no command 'castle'"), "{message}");
}
