//! Where all that a session says leaves it: cut to a sensible length, and kept in the traffic log if there is one.

use std::borrow::Cow;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use protocol::usi::EngineMessage;

use super::Sink;

/// Longer info strings are cut: they quote what was said, which may be anything.
const LONGEST_REMARK: usize = 1500;

/// Both directions of a conversation, if a file for them was named. Shared by all who speak.
#[derive(Clone)]
pub(super) struct TrafficLog {
    file: Arc<Mutex<Option<File>>>,
    began: Instant,
}

/// Who said a line of the log.
#[derive(Clone, Copy)]
pub(super) enum Speaker {
    Board,
    Engine,
}

impl TrafficLog {
    pub(super) fn closed() -> TrafficLog {
        TrafficLog { file: Arc::default(), began: Instant::now() }
    }

    /// Goes on in another file, behind what it holds; an empty name ends the log.
    pub(super) fn continue_in(&self, name: &str) -> io::Result<()> {
        // The old file is let go in any case.
        *self.file() = None;
        if !name.is_empty() {
            *self.file() = Some(open(Path::new(name))?);
        }
        Ok(())
    }

    pub(super) fn note(&self, speaker: Speaker, line: &dyn fmt::Display) {
        if let Some(file) = self.file().as_mut() {
            let arrow = match speaker {
                Speaker::Board => '>',
                Speaker::Engine => '<',
            };
            let seconds = self.began.elapsed().as_secs_f64();
            // A full disk must not cost the game.
            let _ = file.write_all(format!("{seconds:.3} {arrow} {line}\n").as_bytes());
        }
    }

    fn file(&self) -> MutexGuard<'_, Option<File>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open(path: &Path) -> io::Result<File> {
    // To open a pipe that nobody reads would wait for ever.
    #[cfg(unix)]
    if std::fs::metadata(path).is_ok_and(|file| std::os::unix::fs::FileTypeExt::is_fifo(&file.file_type())) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe, not a file"));
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// The sink through which everything is said.
pub(super) fn logged(sink: Sink, log: TrafficLog) -> Sink {
    Arc::new(move |message| {
        let message = shortened(message);
        log.note(Speaker::Engine, &message);
        sink(message);
    })
}

fn shortened(mut message: EngineMessage) -> EngineMessage {
    if let EngineMessage::Info(info) = &mut message
        && let Some(text) = &mut info.string
        && let Cow::Owned(cut) = cut(text)
    {
        *text = cut;
    }
    message
}

fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_REMARK) {
        Some((at, _)) => format!("{} … ({} bytes)", &text[..at], text.len()).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_remarks_are_cut_and_say_how_long_they_were() {
        let said = shortened(EngineMessage::info_string("歩".repeat(100_000))).to_string();
        assert!(said.len() < 4 * LONGEST_REMARK && said.ends_with(" … (300000 bytes)"), "{}", said.len());
        assert_eq!(cut("short"), "short");
    }

    #[test]
    fn a_log_goes_on_behind_what_its_file_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("usi.log");
        for _ in 0..2 {
            let log = TrafficLog::closed();
            log.note(Speaker::Board, &"before the log");
            log.continue_in(path.to_str().unwrap()).unwrap();
            log.note(Speaker::Board, &"isready");
            log.note(Speaker::Engine, &"readyok");
            log.continue_in("").unwrap();
            log.note(Speaker::Board, &"after the log");
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
        assert_eq!(lines, ["> isready", "< readyok", "> isready", "< readyok"]);
        assert!(TrafficLog::closed().continue_in(folder.path().to_str().unwrap()).is_err());
    }
}
