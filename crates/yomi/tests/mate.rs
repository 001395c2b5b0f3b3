//! `yomi mate` as people and scripts use it.

use std::process::{Command, Output};

fn yomi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomi")).arg("mate").args(arguments).output().expect("the binary runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

const PROBLEM: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

fn file(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("yomi-mate-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a temporary file");
    path
}

#[test]
fn one_problem_is_answered_with_its_line() {
    let text = stdout(&yomi(&[PROBLEM, "--hash", "1"]));
    assert!(text.starts_with("answer   mate in 1, the shortest\nline     G*5b\nnodes "), "{text}");
    let text = stdout(&yomi(&["startpos", "--hash", "1"]));
    assert!(text.starts_with("answer   no mate\nnodes "), "{text}");
    let text = stdout(&yomi(&[PROBLEM, "--hash", "1", "--nodes", "1"]));
    assert!(text.starts_with("answer   "), "{text}");
}

#[test]
fn a_file_is_counted_the_same_with_any_number_of_threads() {
    // Solved; solved, but known to be shorter than the solver can; no mate although a mate is "known": none.
    let problems =
        format!("{PROBLEM}\n{PROBLEM} moves G*5b\na\tours\t{PROBLEM}\nb\tours\t4k4/9/9/9/9/9/9/9/9 b G 1\n");
    let path = file("set", &problems);
    let path = path.to_str().expect("a plain name");
    for threads in ["1", "3"] {
        let output = yomi(&["--file", path, "--hash", "1", "--threads", threads, "--json"]);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for (field, count) in
            [("problems", 4), ("solved", 3), ("nomate", 1), ("unknown", 0), ("wrong", 0), ("longer", 0)]
        {
            assert_eq!(json[field], count, "{field} in {json}");
        }
        assert!(json["mean_ms"].is_number() && json["worst_ms"].is_number(), "{json}");
        assert_eq!(json["unsolved"][0]["name"], "b");
        let answers = json["answers"].as_array().expect("a list");
        assert_eq!(answers.len() as u64, json["problems"].as_u64().unwrap(), "{json}");
        for answer in answers {
            let has_line = !answer["line"].as_str().unwrap().is_empty();
            assert_eq!(has_line, answer["answer"] == "mate", "{answer}");
        }
        let text = stdout(&yomi(&["--file", path, "--hash", "1", "--threads", threads]));
        assert!(text.contains("ours\n") && text.ends_with("no mate: b\n"), "{text}");
        let first = text.lines().next().unwrap();
        assert!(first.starts_with("line 1  mate in 1, the shortest") && first.ends_with("G*5b"), "{text}");
        assert!(text.lines().any(|line| line.starts_with("b       no mate")), "{text}");
    }
    std::fs::remove_file(path).expect("it was there");
}

#[test]
fn a_bad_line_is_reported_and_the_others_are_answered() {
    let path = file("bad", &format!("{PROBLEM}\n9/9 b - 1\n{PROBLEM}\n"));
    let output = yomi(&["--file", path.to_str().expect("a plain name"), "--hash", "1", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2: not an SFEN"));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&json["solved"], json["refused"].as_array().unwrap().len()), (&2.into(), 1), "{json}");
    std::fs::remove_file(path).expect("it was there");
}

#[test]
fn threads_that_work_together_find_the_same_mate() {
    let text = stdout(&yomi(&[PROBLEM, "--hash", "1", "--together", "2"]));
    assert!(text.starts_with("answer   mate in 1, the shortest\nline     G*5b\n"), "{text}");
}

#[test]
fn wrong_arguments_are_told_what_would_be_right() {
    for (arguments, code, expected) in [
        (&[][..], 2, "SFEN"),
        (&["9/9 b - 1"][..], 2, "not an SFEN"),
        (&[PROBLEM, "--hash", "0"][..], 2, "from 1 to"),
        (&["--file", "no/such/file"][..], 1, "cannot read no/such/file"),
    ] {
        let output = yomi(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(expected), "{error}");
    }
}
