//! Where a command writes what it was asked for: one way for all of them.
//!
//! A file is complete or not there, and one that is there stays without `--force`. Devices and pipes are written to; `-`
//! is standard output, which then gets nothing else.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use records::whole_file::{Existing, WholeFile, is_occupied};

use crate::output;

/// What an option like `--out` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// `-`
    StandardOutput,
    /// Anything else.
    File(PathBuf),
}

impl From<OsString> for Target {
    fn from(text: OsString) -> Target {
        match text.to_str() {
            Some("-" | "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => Target::StandardOutput,
            _ => Target::File(text.into()),
        }
    }
}

/// What becomes of files that are already there.
#[derive(Args, Clone, Copy)]
pub(crate) struct Force {
    /// Replace files that are already there
    #[arg(long)]
    force: bool,
}

impl Force {
    pub(crate) fn existing(self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Keep }
    }
}

impl Target {
    /// The file, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Target::StandardOutput => None,
            Target::File(path) => Some(path),
        }
    }

    /// Finds before long work what would go wrong after it.
    pub(crate) fn check(&self, existing: Existing) -> anyhow::Result<()> {
        let Some(path) = self.path() else { return Ok(()) };
        let name = path.display();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        ensure!(!path.is_dir(), "cannot write {name}: it is a folder");
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            anyhow::bail!("cannot write {name}: there is no folder {}", folder.display());
        }
        ensure!(
            existing == Existing::Replace || !is_occupied(path),
            "{name} is already there; --force replaces it"
        );
        Ok(())
    }

    /// Writes all of it.
    pub(crate) fn write(&self, bytes: &[u8], existing: Existing) -> anyhow::Result<()> {
        let Some(path) = self.path() else { return output::print_bytes(bytes) };
        let written = || {
            let mut file = WholeFile::begin(path)?;
            file.write_all(bytes)?;
            file.complete(existing)
        };
        written().with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Checks all targets of a command; two may not be the same. Says whether standard output is one of them, which then has
/// no room for text.
pub(crate) fn check_all(targets: &[&Option<Target>], existing: Existing) -> anyhow::Result<bool> {
    let named: Vec<&Target> = targets.iter().filter_map(|target| target.as_ref()).collect();
    for (index, target) in named.iter().enumerate() {
        ensure!(!named[..index].contains(target), "two options name the same file");
        target.check(existing)?;
    }
    Ok(named.contains(&&Target::StandardOutput))
}
