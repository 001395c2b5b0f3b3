//! The folder of runs: the only files of this machine that visitors see. Nothing outside of it is reachable, links included.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use runs::{MANIFEST, RunDir, STOP};
use serde_json::Value;

use crate::refusal::Refusal;

/// How deep runs may lie, and how many are shown.
const DEEPEST: usize = 3;
const MOST_RUNS: usize = 500;
/// The largest file that is handed out.
const LARGEST_FILE: u64 = 64 << 20;
/// What is handed out, with its type.
const KINDS: [(&str, &str); 9] = [
    ("html", "text/html; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("json", "application/json"),
    ("jsonl", "text/plain; charset=utf-8"),
    ("csv", "text/plain; charset=utf-8"),
    ("txt", "text/plain; charset=utf-8"),
    ("md", "text/plain; charset=utf-8"),
    ("csa", "text/plain; charset=utf-8"),
];

/// A folder with runs below it.
#[derive(Clone, Debug)]
pub(crate) struct RunsFolder(PathBuf);

/// A run by its name: where it lies below the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunPlace {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// A file of a run.
pub(crate) struct RunFile {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
}

impl RunsFolder {
    pub(crate) fn new(path: PathBuf) -> RunsFolder {
        RunsFolder(path)
    }

    /// Every run below the folder, in the order of their names.
    pub(crate) fn all(&self) -> Vec<RunPlace> {
        let mut found = Vec::new();
        gather(&self.0, "", 0, &mut found);
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }

    /// The run of a name; only names that are listed lead anywhere, here or on the page of the run that they are a part of.
    pub(crate) fn find(&self, name: &str) -> Result<RunPlace, Refusal> {
        let is_inside =
            |run: &RunPlace| name.strip_prefix(&run.name).is_some_and(|rest| rest.starts_with('/'));
        let all = self.all();
        let inside = all.iter().filter(|run| is_inside(run)).flat_map(RunPlace::parts).collect::<Vec<_>>();
        let mut known = all.into_iter().chain(inside);
        known.find(|run| run.name == name).ok_or_else(|| Refusal::missing("run"))
    }

    /// The studies that lie in the folder, by the names of their files.
    pub(crate) fn studies(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.0) else { return Vec::new() };
        let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let names = files.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml")).take(MOST_RUNS).collect();
        names.sort();
        names
    }

    /// The file of a study; only names that are listed lead anywhere.
    pub(crate) fn study(&self, name: &str) -> Result<PathBuf, Refusal> {
        let listed = self.studies().into_iter().find(|known| known == name);
        listed.map(|name| self.0.join(name)).ok_or_else(|| Refusal::missing("study"))
    }

    /// Where a run of this name would be, if the name is a plain word that is free.
    pub(crate) fn place_for(&self, name: &str) -> Result<PathBuf, Refusal> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 60 || !name.chars().all(is_plain) {
            return Err(Refusal::bad("name", "a run's name is made of letters, digits, - and _"));
        }
        let path = self.0.join(name);
        if path.exists() {
            return Err(Refusal::conflict("name", "there is a run of this name already"));
        }
        Ok(path)
    }
}

/// Looks for manifests, and not behind links.
fn gather(folder: &Path, name: &str, depth: usize, found: &mut Vec<RunPlace>) {
    if depth > 0 && folder.join(MANIFEST).is_file() {
        found.push(RunPlace { name: name.to_owned(), path: folder.to_owned() });
        return;
    }
    gather_below(folder, name, depth, found);
}

/// The runs inside a folder, whatever it is itself.
fn gather_below(folder: &Path, name: &str, depth: usize, found: &mut Vec<RunPlace>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let Ok(part) = entry.file_name().into_string() else { continue };
        if is_folder && depth < DEEPEST && found.len() < MOST_RUNS && !part.starts_with('.') {
            let below = if name.is_empty() { part } else { format!("{name}/{part}") };
            gather(&entry.path(), &below, depth + 1, found);
        }
    }
}

impl RunPlace {
    /// What kind of run it is, by its manifest.
    pub(crate) fn kind(&self) -> Option<String> {
        let manifest: Value = RunDir::existing(&self.path).ok()?.manifest().ok()?;
        manifest["kind"].as_str().map(str::to_owned)
    }

    /// Its plain files that may be handed out.
    pub(crate) fn files(&self) -> Vec<RunFile> {
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let mut files: Vec<RunFile> = entries
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter_map(|name| kind_of(&name).map(|kind| RunFile { name, kind }))
            .collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files
    }

    /// The bytes of one of them.
    pub(crate) fn read(&self, name: &str) -> Result<(Vec<u8>, &'static str), Refusal> {
        let file = self.files().into_iter().find(|file| file.name == name);
        let file = file.ok_or_else(|| Refusal::missing("file"))?;
        let path = self.path.join(&file.name);
        let length = fs::metadata(&path).map_err(|_| Refusal::missing("file"))?.len();
        if length > LARGEST_FILE {
            return Err(Refusal::bad("too-large", "the file is too large to be shown"));
        }
        let bytes = fs::read(path).map_err(|_| Refusal::missing("file"))?;
        Ok((bytes, file.kind))
    }

    /// The runs that it is made of: the stages of a loop, the steps of a study.
    pub(crate) fn parts(&self) -> Vec<RunPlace> {
        let mut found = Vec::new();
        gather_below(&self.path, &self.name, 1, &mut found);
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }

    /// How long ago something was written; `None` if that is not known.
    pub(crate) fn silence(&self) -> Option<Duration> {
        let entries = fs::read_dir(&self.path).ok()?;
        let times = entries.flatten().filter_map(|entry| entry.metadata().ok()?.modified().ok());
        times.max().map(|latest| SystemTime::now().duration_since(latest).unwrap_or_default())
    }

    /// Whether somebody asked it to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.path.join(STOP).exists()
    }

    /// Asks it to stop after the work under way; its parts, too, which are runs of their own.
    pub(crate) fn stop(&self) -> Result<(), Refusal> {
        let written = |folder: &Path| fs::write(folder.join(STOP), "");
        written(&self.path).map_err(|_| Refusal::fault("the stop file could not be written"))?;
        // A part that is over never looks at the file again.
        self.parts()
            .iter()
            .try_for_each(|part| written(&part.path))
            .map_err(|_| Refusal::fault("a part of the run could not be stopped"))
    }
}

fn kind_of(name: &str) -> Option<&'static str> {
    let extension = name.rsplit_once('.')?.1;
    KINDS.iter().find(|(known, _)| *known == extension).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_runs_below_the_folder_are_found_and_only_their_plain_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("runs"), folder.path().join("secret"));
        for path in [inside.join("a/b"), inside.join("c"), outside.clone()] {
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join(MANIFEST), "{}").unwrap();
        }
        fs::write(inside.join("c/report.html"), "page").unwrap();
        fs::write(inside.join("c/games.bin"), "x").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
            std::os::unix::fs::symlink(outside.join(MANIFEST), inside.join("c/stolen.json")).unwrap();
        }
        let runs = RunsFolder::new(inside);
        let names: Vec<String> = runs.all().into_iter().map(|run| run.name).collect();
        assert_eq!(names, ["a/b", "c"]);
        for name in ["link", "../secret", "", ".", "c/", "/c", "a"] {
            assert!(runs.find(name).is_err(), "{name}");
        }
        let run = runs.find("c").unwrap();
        assert_eq!(run.read("report.html").unwrap().0, b"page");
        for name in ["games.bin", "stolen.json", "../a/b/manifest.json", "", "manifest.json/"] {
            assert!(run.read(name).is_err(), "{name}");
        }
        let step = run.path.join("step");
        fs::create_dir_all(&step).unwrap();
        fs::write(step.join(MANIFEST), "{}").unwrap();
        assert!(!run.is_stopped());
        run.stop().unwrap();
        assert!(run.is_stopped() && step.join(STOP).exists());
        // Parts are not in the list of runs, but can be looked at.
        assert_eq!(run.parts().iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["c/step"]);
        assert_eq!(runs.find("c/step").unwrap().path, step);
        assert!(runs.find("c/step/..").is_err() && runs.find("c/other").is_err());
        assert!(runs.all().iter().all(|run| run.name != "c/step"));
        for name in ["", "..", "a/b", "x y", "c"] {
            assert!(runs.place_for(name).is_err(), "{name}");
        }
        assert!(runs.place_for("new-run_1").is_ok());
    }
}
