//! A run is a directory: what was asked for, what happened so far, and what came of it.
//!
//! | file | what it is |
//! |---|---|
//! | `manifest.json` | what the run is; written once, and never a run goes on under another |
//! | a log (`.jsonl`) | a line of JSON for every unit of work, appended whole |
//! | `stop` | made by anybody: the run ends after the units under way |
//! | `lock` | held by the process that works on the run; it may remain, and means nothing then |
//! | results | written when they are known, complete or not at all |

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use records::whole_file::{Existing, WholeFile};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::stop::is_interrupted;

/// The file of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// The file that stops a run.
pub const STOP: &str = "stop";
/// The file that keeps a second process out.
const LOCK: &str = "lock";

/// The directory of a run.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    /// Locked as long as this is kept; `None` for whoever only looks. The system unlocks it when a process dies.
    _lock: Option<File>,
    /// The stop files of the runs that this one is a part of.
    stops: Vec<PathBuf>,
    /// When it is to end.
    deadline: Option<Instant>,
}

/// What is wrong with a run's directory.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RunDirError {
    #[error("cannot use {}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{} holds files but no run; a run needs a folder of its own", path.display())]
    NotARun { path: PathBuf },
    #[error("there is no folder {}", path.display())]
    Missing { path: PathBuf },
    #[error("{} holds no run: it has no {MANIFEST}", path.display())]
    NoManifest { path: PathBuf },
    #[error("{} is no {MANIFEST} of a run: {error}", path.display())]
    Manifest { path: PathBuf, error: serde_json::Error },
    #[error("{} is no result of a run: {error}", path.display())]
    Result { path: PathBuf, error: serde_json::Error },
    #[error("{} is another run: {differences}; another --out would start a new one", path.display())]
    Differs { path: PathBuf, differences: String },
    #[error(
        "{} was begun by another build of the program, and only that one can go on with it; another --out would start a new run",
        path.display()
    )]
    OtherProgram { path: PathBuf },
    #[error("{} is in use: another process works on this run", path.display())]
    Busy { path: PathBuf },
    #[error("{} is a run of the kind '{found}', not '{wanted}'", path.display())]
    Kind { path: PathBuf, found: String, wanted: String },
    #[error("{}, line {line}: {error}", path.display())]
    Log { path: PathBuf, line: usize, error: serde_json::Error },
}

impl RunDir {
    /// The directory of this run: a new one, or the same run as before, which goes on. What stands in
    /// `manifest` must then be what stood there before; a stop file of last time is removed. Nobody else can open
    /// it meanwhile.
    pub fn open<M: Serialize>(path: &Path, manifest: &M) -> Result<RunDir, RunDirError> {
        RunDir::open_prolonged(path, manifest, None)
    }

    /// As [`RunDir::open`], but the number of this name in the manifest may have grown: then the run is prolonged.
    pub fn open_prolonged<M: Serialize>(
        path: &Path,
        manifest: &M,
        length: Option<&str>,
    ) -> Result<RunDir, RunDirError> {
        let mut run = RunDir::unlocked(path);
        fs::create_dir_all(path).map_err(|error| run.error(path, error))?;
        let wanted = serde_json::to_value(manifest)
            .map_err(|error| RunDirError::Manifest { path: path.to_owned(), error })?;
        let file = path.join(MANIFEST);
        if !file.exists() && run.holds_other_files()? {
            return Err(RunDirError::NotARun { path: path.to_owned() });
        }
        run._lock = Some(run.lock()?);
        if file.exists() {
            let mut found = run.manifest::<Value>()?;
            let is_prolonged = length.is_some_and(|name| found[name].as_u64() < wanted[name].as_u64());
            if let Some(name) = length.filter(|_| is_prolonged) {
                found[name] = wanted[name].clone();
            }
            if found["program"] != wanted["program"] {
                return Err(RunDirError::OtherProgram { path: path.to_owned() });
            }
            let differences = differences(&found, &wanted, "");
            if !differences.is_empty() {
                let differences = differences.join("; ");
                return Err(RunDirError::Differs { path: path.to_owned(), differences });
            }
            if is_prolonged {
                run.write_json(MANIFEST, &wanted)?;
            }
            match fs::remove_file(path.join(STOP)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(run.error(&path.join(STOP), error));
                }
                _ => {}
            }
        } else {
            run.write_json(MANIFEST, &wanted)?;
        }
        Ok(run)
    }

    fn holds_other_files(&self) -> Result<bool, RunDirError> {
        let entries = fs::read_dir(&self.path).map_err(|error| self.error(&self.path, error))?;
        Ok(entries.flatten().any(|entry| entry.file_name() != LOCK))
    }

    fn lock(&self) -> Result<File, RunDirError> {
        let path = self.path.join(LOCK);
        let file = File::create(&path).map_err(|error| self.error(&path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(RunDirError::Busy { path: self.path.clone() }),
            Err(TryLockError::Error(error)) => Err(self.error(&path, error)),
        }
    }

    /// Refuses a run of another kind.
    pub fn expect(&self, kind: &str) -> Result<(), RunDirError> {
        let found = self.manifest::<Value>()?["kind"].as_str().unwrap_or_default().to_owned();
        if found == kind {
            return Ok(());
        }
        Err(RunDirError::Kind { path: self.path.clone(), found, wanted: kind.to_owned() })
    }

    /// The directory of a run that is there already, to look at.
    pub fn existing(path: &Path) -> Result<RunDir, RunDirError> {
        if !path.is_dir() {
            return Err(RunDirError::Missing { path: path.to_owned() });
        }
        if !path.join(MANIFEST).is_file() {
            return Err(RunDirError::NoManifest { path: path.to_owned() });
        }
        Ok(RunDir::unlocked(path))
    }

    fn unlocked(path: &Path) -> RunDir {
        RunDir { path: path.to_owned(), _lock: None, stops: Vec::new(), deadline: None }
    }

    /// The same as a part of another run: whatever stops that one stops this one, too.
    #[must_use]
    pub fn part_of(mut self, whole: &RunDir) -> RunDir {
        self.stops.extend(whole.stops.iter().cloned().chain([whole.path.join(STOP)]));
        self.deadline = self.deadline.into_iter().chain(whole.deadline).min();
        self
    }

    /// The same, to be stopped at this time.
    #[must_use]
    pub fn until(self, time: Instant) -> RunDir {
        RunDir { deadline: Some(time), ..self }
    }

    /// Takes back a run that came to nothing, with these files of it, so that its folder is free for another. What cannot
    /// be removed stays.
    pub fn withdraw(self, files: &[&str]) {
        for name in files.iter().chain(&[MANIFEST, STOP, LOCK]) {
            let _ = fs::remove_file(self.path.join(name));
        }
        // Only if it is empty.
        let _ = fs::remove_dir(&self.path);
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run is.
    pub fn manifest<M: DeserializeOwned>(&self) -> Result<M, RunDirError> {
        let path = self.path.join(MANIFEST);
        let bytes = fs::read(&path).map_err(|error| self.error(&path, error))?;
        serde_json::from_slice(&bytes).map_err(|error| RunDirError::Manifest { path, error })
    }

    /// What a file of JSON says; `None` if it is not there.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, RunDirError> {
        let path = self.path.join(name);
        match fs::read(&path) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map(Some).map_err(|error| RunDirError::Result { path, error })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error(&path, error)),
        }
    }

    /// Whether somebody wants the run to end, by a stop file or by Ctrl-C, or its time is up.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        is_interrupted()
            || self.deadline.is_some_and(|time| Instant::now() >= time)
            || self.path.join(STOP).exists()
            || self.stops.iter().any(|stop| stop.exists())
    }

    /// Writes a file, complete or not at all.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunDirError> {
        let path = self.path.join(name);
        let written = || {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut file = WholeFile::begin(&path)?;
            file.write_all(bytes)?;
            file.complete_unsynced(Existing::Replace)
        };
        written().map_err(|error| self.error(&path, error))
    }

    /// Writes a value as JSON for people.
    pub fn write_json<T: Serialize>(&self, name: &str, value: &T) -> Result<(), RunDirError> {
        let mut bytes = serde_json::to_vec_pretty(value)
            .map_err(|error| RunDirError::Manifest { path: self.path.join(name), error })?;
        bytes.push(b'\n');
        self.write(name, &bytes)
    }

    /// The rows of a log. A last line that was torn by a crash is left out; other bad lines are errors.
    pub fn read_log<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, RunDirError> {
        let path = self.path.join(name);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.error(&path, error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        (1..)
            .zip(text[..whole].lines())
            .map(|(line, text)| {
                serde_json::from_str(text).map_err(|error| RunDirError::Log {
                    path: path.clone(),
                    line,
                    error,
                })
            })
            .collect()
    }

    /// Opens a log for further rows; what a crash left of the last one is cut off.
    pub fn append_to(&self, name: &str) -> Result<Log, RunDirError> {
        let path = self.path.join(name);
        let open = || {
            let mut file = OpenOptions::new().create(true).read(true).append(true).open(&path)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            if whole < bytes.len() {
                file.set_len(whole as u64)?;
                file.seek(SeekFrom::End(0))?;
            }
            Ok(file)
        };
        let file = open().map_err(|error| self.error(&path, error))?;
        Ok(Log { file, path })
    }

    fn error(&self, path: &Path, error: io::Error) -> RunDirError {
        RunDirError::File { path: path.to_owned(), error }
    }
}

/// A log that only grows.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Appends a row in one piece, so that a killed process leaves whole rows and at most one torn one.
    pub fn append<T: Serialize>(&mut self, row: &T) -> Result<(), RunDirError> {
        let written = serde_json::to_vec(row).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.file.write_all(&line)
        });
        written.map_err(|error| RunDirError::File { path: self.path.clone(), error })
    }
}

/// Where two values differ, each with its path of names.
fn differences(found: &Value, wanted: &Value, path: &str) -> Vec<String> {
    match (found, wanted) {
        (Value::Object(a), Value::Object(b)) => {
            let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
            names.sort();
            names.dedup();
            let null = Value::Null;
            names
                .into_iter()
                .flat_map(|name| {
                    let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    differences(a.get(name).unwrap_or(&null), b.get(name).unwrap_or(&null), &below)
                })
                .collect()
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .flat_map(|(i, (a, b))| differences(a, b, &format!("{path}[{i}]")))
            .collect(),
        _ if found == wanted => Vec::new(),
        (Value::String(a), Value::String(b)) if a.len().max(b.len()) > LONG_TEXT => {
            let (a, b) = different_parts(a, b);
            vec![format!("{path} had '{a}' where it now has '{b}'")]
        }
        _ => vec![format!("{path} was {found} and is now {wanted}")],
    }
}

/// Of texts beyond so many bytes only what differs is shown.
const LONG_TEXT: usize = 100;

/// What lies between the commas that two lists have in common at both ends.
fn different_parts<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    let common = a.split_inclusive(", ").zip(b.split_inclusive(", ")).take_while(|(a, b)| a == b);
    let start: usize = common.map(|(part, _)| part.len()).sum();
    let (a, b) = (&a[start..], &b[start..]);
    let common = a.rsplit(", ").zip(b.rsplit(", ")).take_while(|(a, b)| a == b);
    let end: usize = common.map(|(part, _)| part.len() + 2).sum();
    let cut = |text: &'a str| &text[..text.len().saturating_sub(end)];
    (cut(a), cut(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_run_goes_on_only_under_its_own_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        RunDir::open(&path, &json!({"seed": 1, "players": ["a", "b"]})).unwrap();
        fs::write(path.join(STOP), "").unwrap();
        let run = RunDir::open(&path, &json!({"seed": 1, "players": ["a", "b"]})).unwrap();
        assert!(!run.is_stopped(), "the stop of last time is over");
        let busy = RunDir::open(&path, &json!({"seed": 1, "players": ["a", "b"]}));
        assert!(matches!(busy, Err(RunDirError::Busy { .. })), "one process at a time");
        drop(run);
        let error = RunDir::open(&path, &json!({"seed": 2, "players": ["a", "c"]})).unwrap_err().to_string();
        assert!(error.contains("seed was 1 and is now 2"), "{error}");
        assert!(error.contains(r#"players[1] was "b" and is now "c""#), "{error}");
    }

    #[test]
    fn what_stops_a_run_stops_its_parts_and_not_the_other_way_round() {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str| RunDir::open(&folder.path().join(name), &json!({})).unwrap();
        let whole = open("whole");
        let part = open("whole/turn/part").part_of(&whole);
        let deeper = open("whole/turn/part/deeper").part_of(&part);
        fs::write(part.path().join(STOP), "").unwrap();
        assert_eq!([&whole, &part, &deeper].map(RunDir::is_stopped), [false, true, true]);
        fs::remove_file(part.path().join(STOP)).unwrap();
        fs::write(whole.path().join(STOP), "").unwrap();
        assert_eq!([&whole, &part, &deeper].map(RunDir::is_stopped), [true; 3]);
        fs::remove_file(whole.path().join(STOP)).unwrap();
        let later = Instant::now() + std::time::Duration::from_secs(3600);
        let over = open("over").until(Instant::now());
        assert!(over.is_stopped() && !open("later").until(later).is_stopped());
        assert!(open("over/part").until(later).part_of(&over).is_stopped(), "the earlier time counts");
    }

    #[test]
    fn a_result_that_is_not_there_is_none_and_one_that_is_no_json_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::open(&folder.path().join("run"), &json!({})).unwrap();
        assert_eq!(run.read_json::<Value>("result.json").unwrap(), None);
        run.write_json("result.json", &json!([1])).unwrap();
        assert_eq!(run.read_json::<Vec<u8>>("result.json").unwrap(), Some(vec![1]));
        run.write("result.json", b"{").unwrap();
        assert!(matches!(run.read_json::<Value>("result.json"), Err(RunDirError::Result { .. })));
    }

    #[test]
    fn a_run_can_be_prolonged_and_is_otherwise_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let open = |games: u64, seed: u64| {
            RunDir::open_prolonged(&path, &json!({"games": games, "seed": seed}), Some("games"))
        };
        drop(open(40, 1).unwrap());
        assert_eq!(open(44, 1).unwrap().manifest::<Value>().unwrap()["games"], 44);
        let shorter = open(40, 1).unwrap_err().to_string();
        assert!(shorter.contains("games was 44 and is now 40"), "{shorter}");
        let other = open(50, 2).unwrap_err().to_string();
        assert!(other.contains("seed was 1 and is now 2") && !other.contains("games"), "{other}");
    }

    #[test]
    fn a_run_of_another_build_is_refused_in_plain_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        drop(RunDir::open(&path, &json!({"program": "ab12", "seed": 1})).unwrap());
        let error = RunDir::open(&path, &json!({"program": "cd34", "seed": 1})).unwrap_err().to_string();
        assert!(error.contains("was begun by another build of the program"), "{error}");
    }

    #[test]
    fn of_long_texts_only_what_differs_is_shown() {
        let text =
            |middle: &str| format!("alphabeta({}, {middle}, {})", "a=1, ".repeat(20), "b=2, ".repeat(20));
        let of = |a: &str, b: &str| differences(&json!({"player": a}), &json!({"player": b}), "");
        assert_eq!(of(&text("hash=8"), &text("hash=16")), ["player had 'hash=8' where it now has 'hash=16'"]);
        assert_eq!(of(&text("x=1, y=2"), &text("y=2")), ["player had 'x=1' where it now has ''"]);
        assert_eq!(of(&text("x=1"), &text("x=1")), [""; 0]);
        assert_eq!(different_parts("a, b", "a"), ("a, b", "a"));
        assert_eq!(different_parts("a, b, a", "a, b, c, b, a"), ("", "c, b"));
    }

    #[test]
    fn a_run_that_came_to_nothing_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let run = RunDir::open(&path, &json!({"seed": 1})).unwrap();
        run.write("half", b"").unwrap();
        run.withdraw(&["half"]);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_with_other_files_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        assert!(matches!(RunDir::open(folder.path(), &json!({})), Err(RunDirError::NotARun { .. })));
        assert!(matches!(RunDir::existing(folder.path()), Err(RunDirError::NoManifest { .. })));
        let nowhere = RunDir::existing(&folder.path().join("none"));
        assert!(matches!(nowhere, Err(RunDirError::Missing { .. })));
    }

    #[test]
    fn a_run_of_another_kind_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::open(&folder.path().join("run"), &json!({"kind": "curve"})).unwrap();
        assert!(run.expect("curve").is_ok());
        let error = run.expect("match").unwrap_err().to_string();
        assert!(error.contains("is a run of the kind 'curve', not 'match'"), "{error}");
    }

    #[test]
    fn a_torn_line_is_cut_off_and_a_bad_one_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::open(&folder.path().join("run"), &json!({})).unwrap();
        run.append_to("log.jsonl").unwrap().append(&1).unwrap();
        let file = run.path().join("log.jsonl");
        OpenOptions::new().append(true).open(&file).unwrap().write_all(b"[1, 2").unwrap();
        assert_eq!(run.read_log::<u32>("log.jsonl").unwrap(), [1]);
        run.append_to("log.jsonl").unwrap().append(&2).unwrap();
        assert_eq!(run.read_log::<u32>("log.jsonl").unwrap(), [1, 2]);
        fs::write(&file, "1\nx\n2\n").unwrap();
        let error = run.read_log::<u32>("log.jsonl").unwrap_err().to_string();
        assert!(error.contains("log.jsonl, line 2: "), "{error}");
    }
}
