//! Conversations in USI with the real binary, as written in `transcripts/`.
//!
//! `> line` says a line (`\r` is a carriage return). `< pattern` waits for a line that fits, passing over others; `*` is
//! anything; `within N` at its end bounds the wait in milliseconds. `~ N pattern` waits N milliseconds, in which no
//! line may fit. `#` begins a comment. At the end every `go` must have had exactly one answer, or one
//! refusal.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Longer than any answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    asked: usize,
    answered: usize,
}

impl Conversation {
    fn start() -> Conversation {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yomi"))
            .arg("usi")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Conversation { child, input, lines, asked: 0, answered: 0 }
    }

    fn say(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        if words.next() == Some("go") && words.next() != Some("perft") {
            self.asked += 1;
        }
        let input = self.input.as_mut().expect("still open");
        writeln!(input, "{}", text.replace("\\r", "\r")).and_then(|()| input.flush()).expect("it listens");
    }

    /// The next line before `end`.
    fn hear(&mut self, end: Instant) -> Option<String> {
        let line = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())).ok()?;
        let answers = ["bestmove ", "checkmate ", "info string error: go refused"];
        self.answered += usize::from(answers.iter().any(|answer| line.starts_with(answer)));
        Some(line)
    }

    fn expect(&mut self, pattern: &str) -> Result<(), String> {
        let (pattern, patience) = match pattern.rsplit_once(" within ") {
            Some((pattern, ms)) => (pattern, Duration::from_millis(ms.parse().expect("milliseconds"))),
            None => (pattern, PATIENCE),
        };
        let end = Instant::now() + patience;
        let mut heard = Vec::new();
        while let Some(line) = self.hear(end) {
            if fits(&line, pattern) {
                return Ok(());
            }
            heard.push(line);
        }
        Err(format!("no '{pattern}' in\n{}", heard.join("\n")))
    }

    fn expect_none(&mut self, rest: &str) -> Result<(), String> {
        let (ms, pattern) = rest.split_once(' ').expect("~ MILLISECONDS PATTERN");
        let end = Instant::now() + Duration::from_millis(ms.parse().expect("milliseconds"));
        while let Some(line) = self.hear(end) {
            if fits(&line, pattern) {
                return Err(format!("too early: {line}"));
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &str) -> Result<(), String> {
        match step.split_at_checked(1) {
            Some((">", rest)) => {
                self.say(rest.strip_prefix(' ').unwrap_or(rest));
                Ok(())
            }
            Some(("<", rest)) => self.expect(rest.trim()),
            Some(("~", rest)) => self.expect_none(rest.trim()),
            Some(("#", _)) | None => Ok(()),
            _ => panic!("not a step: {step}"),
        }
    }

    /// Ends by a `quit` or by the end of the input; either must be prompt.
    fn end(mut self, quit: bool) -> Result<(), String> {
        if quit {
            self.say("quit");
        }
        self.input = None;
        let end = Instant::now() + Duration::from_secs(5);
        while self.hear(end).is_some() {}
        if self.asked != self.answered {
            return Err(format!("{} answers to {} questions", self.answered, self.asked));
        }
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(status.to_string()),
                _ if Instant::now() > end => return Err("it does not end".to_owned()),
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line fits a pattern in which `*` followed by a space or the end is anything. (`G*5b` is a move.)
fn fits(line: &str, pattern: &str) -> bool {
    let is_wild = |at: usize| !pattern[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let Some((at, _)) = pattern.match_indices('*').find(|&(at, _)| is_wild(at)) else {
        return line == pattern;
    };
    let (head, tail) = (&pattern[..at], &pattern[at + 1..]);
    let Some(rest) = line.strip_prefix(head) else { return false };
    (0..=rest.len()).filter(|&i| rest.is_char_boundary(i)).any(|i| fits(&rest[i..], tail))
}

fn play(path: &Path, quit: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).expect("readable");
    let mut conversation = Conversation::start();
    for (number, step) in (1..).zip(text.lines()) {
        conversation.step(step).map_err(|error| format!("{}:{number}: {error}", path.display()))?;
    }
    conversation.end(quit).map_err(|error| format!("{}: {error}", path.display()))
}

#[test]
fn every_transcript_is_followed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("transcripts")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert!(paths.len() > 10);
    let results: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let halves = paths.chunks(paths.len().div_ceil(2));
        let run = |paths: &[PathBuf]| -> Vec<_> {
            paths.iter().enumerate().map(|(i, path)| play(path, i % 2 == 0)).collect()
        };
        let threads: Vec<_> = halves.map(|half| scope.spawn(move || run(half))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn the_end_of_the_input_ends_promptly_what_would_not_end_by_itself() {
    for last_words in ["go infinite", "go ponder btime 1000 wtime 1000", "go", "go mate infinite"] {
        let mut conversation = Conversation::start();
        // A mate problem of 1,525 plies.
        let position = "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
        let position = if last_words.starts_with("go mate") { position } else { "position startpos" };
        for line in ["setoption name USI_Hash value 4", position, last_words] {
            conversation.say(line);
        }
        conversation.end(false).unwrap_or_else(|error| panic!("{last_words}: {error}"));
    }
}

/// All that is said to lines whose end follows at once.
fn said_to(input: &str) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn what_ends_by_itself_is_finished_at_the_end_of_the_input() {
    for (asked, answer) in [
        ("go perft 4", "nodes 719731 in *"),
        ("bench 2", "nodes * seconds * nps *"),
        ("go depth 6", "bestmove *"),
        ("go movetime 300", "bestmove *"),
        ("go btime 0 wtime 0 byoyomi 300", "bestmove *"),
        ("go mate 300", "checkmate nomate"),
        ("isready", "readyok"),
        ("go depth 2\nd", "checkers *"),
    ] {
        let said = said_to(&format!("setoption name USI_Hash value 4\n{asked}\n"));
        let last = said.last().map_or("", String::as_str);
        assert!(fits(last, answer) && last != "nodes 0", "{asked}: {}", said.join("\n"));
    }
    let depths = said_to("setoption name USI_Hash value 4\ngo depth 6\n");
    assert!(depths.iter().any(|line| line.starts_with("info depth 6 ")), "{depths:?}");
}

#[test]
fn what_was_broken_off_has_no_count() {
    for asked in ["go perft 8", "bench 60"] {
        let said = said_to(&format!("setoption name USI_Hash value 4\n{asked}\nquit\n"));
        assert!(!said.iter().any(|line| line.starts_with("nodes ")), "{asked}: {said:?}");
    }
    let said = said_to("go perft 8\nquit\n");
    assert!(said.iter().any(|line| fits(line, "info string perft 8 was stopped after * moves")), "{said:?}");
}

#[test]
fn both_directions_go_into_a_log_that_is_asked_for() {
    let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("traffic.log");
    let _ = fs::remove_file(&log);
    let mut child = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["usi", "--log", log.to_str().expect("UTF-8")])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("piped").write_all(b"usi\nquit\n").expect("it listens");
    assert!(child.wait().expect("it ends").success());
    let traffic = fs::read_to_string(&log).expect("a log");
    for line in ["* > usi", "* < usiok", "* > quit"] {
        assert!(traffic.lines().any(|said| fits(said, line)), "{line}: {traffic}");
    }
}

#[test]
fn a_line_without_end_is_not_echoed() {
    for length in [1 << 19, 5 << 20] {
        let said = said_to(&format!("{}\nisready\n", "x".repeat(length)));
        assert!(said.iter().map(String::len).sum::<usize>() < 5000, "{length}");
        assert_eq!(said.last().map(String::as_str), Some("readyok"));
    }
}
