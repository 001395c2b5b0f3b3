//! Another program that speaks USI, as a child process.
//!
//! A thread reads what it says, so that every wait here has a deadline. What it said last is kept, for
//! the error message when it dies or falls silent. Dropping a [`Child`] ends the process.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use crate::usi::{EngineMessage, GuiMessage, OptionDeclaration};

/// How many lines are kept for error messages.
const KEPT_LINES: usize = 20;
/// How many lines may wait to be heard; a program that talks on is made to wait.
const WAITING_LINES: usize = 10_000;
/// Longer lines are cut into several: no message is that long, and garbage must not fill the memory.
const LONGEST_LINE: u64 = 1 << 16;
/// How long a program may take to end after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The executable.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it runs; engines look for their files there.
    pub folder: Option<PathBuf>,
}

/// A running program.
pub struct Child {
    program: Program,
    process: std::process::Child,
    /// Lines to the thread that writes them: a program that does not listen blocks that thread only.
    input: mpsc::Sender<String>,
    output: Receiver<(Instant, String)>,
    last_lines: VecDeque<String>,
    heard_at: Instant,
}

/// How a program introduced itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// Its name.
    pub name: String,
    /// Who wrote it.
    pub author: String,
    /// What can be set.
    pub options: Vec<OptionDeclaration>,
}

/// What went wrong with a program.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}{}", path.display(), Heard(last_lines))]
pub struct ChildError {
    /// Which program.
    pub path: PathBuf,
    /// What it did.
    pub problem: Problem,
    /// What it said last.
    pub last_lines: Vec<String>,
}

/// What a program can do wrong.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Problem {
    #[error("cannot be started: {0}")]
    Start(io::Error),
    #[error("said no {awaited} within {} ms", patience.as_millis())]
    Silent { awaited: &'static str, patience: Duration },
    #[error("ended while {awaited} was awaited")]
    Ended { awaited: &'static str },
}

struct Heard<'a>(&'a [String]);

impl fmt::Display for Heard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("; it has said nothing");
        }
        f.write_str("; it said last:")?;
        self.0.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl Program {
    /// A program without arguments that runs where we do.
    #[must_use]
    pub fn new(path: &Path) -> Program {
        Program { path: path.to_owned(), arguments: Vec::new(), folder: None }
    }

    /// Starts it. Says nothing to it yet.
    pub fn start(&self) -> Result<Child, ChildError> {
        let error = |error| ChildError {
            path: self.path.clone(),
            problem: Problem::Start(error),
            last_lines: Vec::new(),
        };
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        // Ctrl-C is for us: a program that died of it would lose the game that it is to finish.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn().map_err(error)?;
        let (input, to_write) = mpsc::channel();
        let (heard, output) = mpsc::sync_channel(WAITING_LINES);
        if let (Some(stdin), Some(stdout)) = (process.stdin.take(), process.stdout.take()) {
            std::thread::spawn(move || write_lines(stdin, &to_write));
            std::thread::spawn(move || read_lines(BufReader::new(stdout), &heard));
        }
        let (last_lines, heard_at) = (VecDeque::new(), Instant::now());
        Ok(Child { program: self.clone(), process, input, output, last_lines, heard_at })
    }
}

/// Ends when either side is gone.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Ends when either side is gone. Text in another encoding is no reason to end. Each line carries the time of its
/// arrival, since it may wait before it is heard.
fn read_lines(mut stdout: impl io::BufRead, lines: &SyncSender<(Instant, String)>) {
    let mut line = Vec::new();
    while stdout.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if lines.send((Instant::now(), text)).is_err() {
            return;
        }
        line.clear();
    }
}

impl Child {
    /// Says something. Does not block; that nobody listens is noticed when an answer is awaited.
    pub fn say(&self, message: &GuiMessage) {
        // A writer that is gone means that the process is.
        let _ = self.input.send(message.to_string());
    }

    /// The next message before `deadline`, blank lines passed over; `None` if time is up.
    pub fn hear(
        &mut self,
        deadline: Instant,
        awaited: &'static str,
    ) -> Result<Option<EngineMessage>, ChildError> {
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok((at, line)) => {
                    self.heard_at = at;
                    let message = EngineMessage::parse(&line);
                    if self.last_lines.len() == KEPT_LINES {
                        self.last_lines.pop_front();
                    }
                    self.last_lines.push_back(line);
                    if message.is_some() {
                        return Ok(message);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(self.error(Problem::Ended { awaited })),
            }
        }
    }

    /// Passes every message to `take` until it returns something; an error if that takes longer than `patience`.
    pub fn await_answer<T>(
        &mut self,
        awaited: &'static str,
        patience: Duration,
        mut take: impl FnMut(EngineMessage) -> Option<T>,
    ) -> Result<T, ChildError> {
        let deadline = Instant::now() + patience;
        loop {
            let Some(message) = self.hear(deadline, awaited)? else {
                return Err(self.error(Problem::Silent { awaited, patience }));
            };
            if let Some(answer) = take(message) {
                return Ok(answer);
            }
            // One that never stops talking never lets a wait run out.
            if Instant::now() > deadline {
                return Err(self.error(Problem::Silent { awaited, patience }));
            }
        }
    }

    /// `usi` up to `usiok`.
    pub fn introduce(&mut self, patience: Duration) -> Result<Introduction, ChildError> {
        self.say(&GuiMessage::Usi);
        let mut introduction = Introduction::default();
        self.await_answer("usiok", patience, |message| {
            match message {
                EngineMessage::IdName(name) => introduction.name = name,
                EngineMessage::IdAuthor(author) => introduction.author = author,
                EngineMessage::Option(option) => introduction.options.push(option),
                EngineMessage::UsiOk => return Some(()),
                _ => {}
            }
            None
        })?;
        Ok(introduction)
    }

    /// `isready` up to `readyok`.
    pub fn get_ready(&mut self, patience: Duration) -> Result<(), ChildError> {
        self.say(&GuiMessage::IsReady);
        self.await_answer("readyok", patience, |message| (message == EngineMessage::ReadyOk).then_some(()))
    }

    /// Kills the process and starts another; it has to be introduced again.
    pub fn restart(&mut self) -> Result<(), ChildError> {
        *self = self.program.start()?;
        Ok(())
    }

    /// When the message that was heard last arrived.
    #[must_use]
    pub fn heard_at(&self) -> Instant {
        self.heard_at
    }

    /// What it said last, oldest first.
    pub fn last_lines(&self) -> impl Iterator<Item = &str> {
        self.last_lines.iter().map(String::as_str)
    }

    /// An error about this program, with what it said last.
    #[must_use]
    pub fn error(&self, problem: Problem) -> ChildError {
        ChildError {
            path: self.program.path.clone(),
            problem,
            last_lines: self.last_lines.iter().cloned().collect(),
        }
    }

    /// Says `quit` and gives it a moment to end by itself. Blocks for that long at most.
    pub fn quit(mut self) {
        self.say(&GuiMessage::Quit);
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline && !matches!(self.process.try_wait(), Ok(Some(_)) | Err(_)) {
            // Reading on, so that a talkative program can end.
            let _ = self.output.recv_timeout(Duration::from_millis(5));
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended already; either way it is waited for, so that nothing of it remains.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
