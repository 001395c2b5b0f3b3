//! Conversations in USI with the real binary, as written in `transcripts/`.
//!
//! `> line` says a line (`\r` is a carriage return). `< pattern` waits for a line that fits, passing over others; `*` is
//! anything; `within N` at its end bounds the wait in milliseconds. `~ N pattern` waits N milliseconds, in which no
//! line may fit. `#` begins a comment. At the end every `go` must have had exactly one answer.

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
        if line.starts_with("bestmove ") || line.starts_with("checkmate ") {
            self.answered += 1;
        }
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
fn the_end_of_the_input_ends_a_search_promptly() {
    for last_words in
        ["go infinite", "go ponder btime 1000 wtime 1000", "go btime 600000 wtime 600000", "bench"]
    {
        let mut conversation = Conversation::start();
        for line in ["setoption name USI_Hash value 4", "position startpos", last_words] {
            conversation.say(line);
        }
        conversation.asked = usize::from(last_words.starts_with("go"));
        conversation.end(false).unwrap_or_else(|error| panic!("{last_words}: {error}"));
    }
}
