//! What a session takes of the machine, and what it refuses to take.
#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

/// The engine after these lines and an `isready` that it answered, its input still open; and what it said.
fn ready_after(lines: &[&str]) -> (Child, Vec<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let input = child.stdin.as_mut().expect("piped");
    writeln!(input, "{}\nisready", lines.join("\n")).and_then(|()| input.flush()).expect("it listens");
    let mut output = BufReader::new(child.stdout.as_mut().expect("piped"));
    let mut said = Vec::new();
    while said.last().is_none_or(|line| line != "readyok") {
        let mut line = String::new();
        assert!(output.read_line(&mut line).expect("text") > 0, "it ended after {said:?}");
        said.push(line.trim_end().to_owned());
    }
    (child, said)
}

/// Lets it end, which must go well.
fn end(mut child: Child) {
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
}

fn resident_megabytes(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).expect("kilobytes") / 1024
}

#[test]
fn a_further_thread_takes_few_megabytes() {
    let resident = |threads: u32| {
        let threads = format!("setoption name Threads value {threads}");
        let (child, _) = ready_after(&["setoption name USI_Hash value 4", &threads]);
        let megabytes = resident_megabytes(&child);
        end(child);
        megabytes
    };
    let (one, many) = (resident(1), resident(13));
    assert!(many < one + 12 * 20, "{one} MB with one thread, {many} MB with thirteen");
}

#[test]
fn a_hash_table_that_has_no_room_is_refused_and_the_engine_lives_on() {
    let free = std::fs::read_to_string("/proc/meminfo").expect("Linux tells");
    assert!(free.contains("MemAvailable:"));
    let refused = ["setoption name USI_Hash value 1048576", "isready", "go depth 1"];
    let (child, said) = ready_after(&[refused.as_slice(), &["setoption name USI_Hash value 4"]].concat());
    assert_eq!(said.len(), 4, "{said:?}");
    for (line, start) in said.iter().zip(["not ready: ", "go refused, nothing is searched: "]) {
        let text = format!("info string error: {start}there is no memory for a hash table of 1048576 MB");
        assert!(line.starts_with(&text), "{line}");
    }
    end(child);
}

#[test]
fn threads_beyond_reason_are_refused() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores > 16 {
        return;
    }
    let many = ["setoption name USI_Hash value 4", "setoption name Threads value 1024", "isready"];
    let (child, said) = ready_after(&[many.as_slice(), &["setoption name Threads value 2"]].concat());
    assert!(said[0].starts_with("info string error: not ready: 1024 threads are too many for "), "{said:?}");
    end(child);
}

#[test]
fn a_pipe_as_a_net_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("nn.bin");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let net = format!("setoption name EvalFile value {}", pipe.display());
    let (child, said) = ready_after(&[&net, "isready", "setoption name EvalFile value"]);
    assert!(
        said[0].contains("not ready: cannot read") && said[0].contains("it is no regular file"),
        "{said:?}"
    );
    end(child);
}

#[test]
fn options_are_read_from_a_file_in_the_current_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("engine_options.txt"), "USI_Hash 8\nThread 2\n").expect("written");
    let child = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["usi", "--option", "MultiPV=2", "--log", "usi.log"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("the binary runs");
    child.stdin.take().expect("piped").write_all(b"usi\nisready\ngetoption USI_Hash\n").expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    for line in [
        "option name USI_Hash type spin default 8 min 1 max 1048576",
        "option name MultiPV type spin default 2 min 1 max 600",
        "info string error: engine_options.txt, line 2: there is no option 'Thread'; did you mean Threads?",
        "info string engine_options.txt: USI_Hash = 8",
        "info string USI_Hash = 8",
        "readyok",
    ] {
        assert!(said.lines().any(|known| known == line), "{line}: {said}");
    }
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2: there is no option 'Thread'"));
    let log = std::fs::read_to_string(folder.path().join("usi.log")).expect("a log");
    assert!(log.contains(" > isready") && log.contains(" < readyok"), "{log}");
}
