//! Programs that behave, stall, die and talk too much, played by shell scripts.
#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, Instant};

use protocol::child::{Child, Problem, Program};
use protocol::usi::{EngineMessage, GuiMessage};

const SOON: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(20);
/// What a busy machine may add to any wait.
const DELAY: Duration = Duration::from_secs(3);

/// A script that hears a line in `$line`.
fn program(script: &str) -> Program {
    Program { arguments: vec!["-c".into(), script.into()], ..Program::new(Path::new("/bin/sh")) }
}

fn start(script: &str) -> Child {
    program(script).start().unwrap()
}

const POLITE: &str = r#"while read line; do case "$line" in
    usi) echo "id name Mock"; echo "option name USI_Hash type spin default 16 min 1 max 64"; echo; echo usiok;;
    isready) echo; echo "info string loading"; echo readyok;;
    quit) exit 0;;
esac; done"#;

#[test]
fn the_handshake_passes_over_blank_lines_and_remarks() {
    let mut child = start(POLITE);
    let introduction = child.introduce(LONG).unwrap();
    assert_eq!(introduction.name, "Mock");
    assert_eq!(introduction.options.len(), 1);
    child.get_ready(LONG).unwrap();
    child.quit();
}

#[test]
fn a_silent_program_is_given_up_in_time() {
    let mut child = start("echo 'id name Slow'; while read line; do :; done");
    let started = Instant::now();
    let error = child.introduce(SOON).unwrap_err();
    assert!((SOON..SOON + DELAY).contains(&started.elapsed()), "{:?}", started.elapsed());
    assert!(matches!(error.problem, Problem::Silent { awaited: "usiok", .. }));
    assert!(error.to_string().contains("it said last:\n  id name Slow"), "{error}");
}

#[test]
fn a_program_that_dies_is_noticed_and_can_be_started_again() {
    let mut child = start("read line; echo 'last words'; exit 3");
    for _ in 0..2 {
        let error = child.introduce(LONG).unwrap_err();
        assert!(matches!(error.problem, Problem::Ended { awaited: "usiok" }));
        assert_eq!(error.last_lines, ["last words"]);
        child.restart().unwrap();
    }
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let error = Program::new(Path::new("/no/such/engine")).start().err().unwrap();
    assert!(error.to_string().starts_with("/no/such/engine: cannot be started: "), "{error}");
}

#[test]
fn a_talkative_program_fills_no_memory_and_still_ends() {
    let mut child = start("while :; do echo info string la la la; done");
    let heard = child.hear(Instant::now() + LONG, "anything").unwrap();
    assert_eq!(heard, Some(EngineMessage::info_string("la la la")));
    let started = Instant::now();
    let error = child.get_ready(SOON).unwrap_err();
    assert!((SOON..SOON + DELAY).contains(&started.elapsed()), "{:?}", started.elapsed());
    assert_eq!(error.last_lines.len(), 20);
    drop(child);
    assert!(started.elapsed() < SOON + 2 * DELAY);
}

#[test]
fn a_program_that_never_reads_blocks_nobody() {
    // A pipe takes 64 KB and then blocks its writer, here for as long as the program sleeps.
    let child = start("exec sleep 60");
    let started = Instant::now();
    for _ in 0..20_000 {
        child.say(&GuiMessage::IsReady);
    }
    drop(child);
    assert!(started.elapsed() < DELAY, "{:?}", started.elapsed());
}
