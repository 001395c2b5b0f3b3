//! Parameters by games, as a user has them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn screen(out: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["tune", "screen", "--nodes", "60", "--resign", "300,1", "--out"])
        .arg(out)
        .args(arguments)
        .output()
        .expect("the binary runs")
}

const FACTORS: [&str; 4] = ["--factor", "null_z=0..60", "--factor", "plain=1"];

fn prolonged(out: &Path, pairs: &str) -> String {
    let arguments = [&FACTORS[..], &["--pairs", pairs]].concat();
    let output = screen(out, &arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_screening_that_is_prolonged_tells_what_a_whole_one_tells() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let told = prolonged(&whole, "4");
    assert!(told.contains("pairs    4 of 4") && told.contains("null_z                 0 to 60"), "{told}");
    prolonged(&parts, "1");
    // What was torn by a crash is played again.
    let log = parts.join("steps.jsonl");
    let mut bytes = fs::read(&log).unwrap();
    bytes.extend(b"{\"step\":1,\"half");
    fs::write(&log, bytes).unwrap();
    assert_eq!(prolonged(&parts, "4"), told);
    let read = |out: &Path| fs::read_to_string(out.join("result.json")).unwrap();
    assert_eq!(read(&whole), read(&parts));
}

#[test]
fn a_screening_refuses_what_is_no_factor() {
    let folder = tempfile::tempdir().unwrap();
    for (factor, expected) in [
        ("nothing=1..2", "alphabeta has no parameter 'nothing'"),
        ("null_z=5..5", "null_z: expected a range within -200..300, found '5..5'"),
    ] {
        let output = screen(&folder.path().join("run"), &["--factor", factor]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{said}");
    }
}
