//! `-` where a command reads a file: standard input.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tempfile::TempDir;

/// A file to read: the one that was named, or what came by standard input, kept as long as this value.
pub(crate) struct InputFile {
    path: PathBuf,
    spool: Option<TempDir>,
}

impl InputFile {
    /// Takes the path, or reads standard input to its end for `-`. Formats are then told by `--from` or by the bytes.
    pub(crate) fn take(path: &Path) -> anyhow::Result<InputFile> {
        if path.as_os_str() != "-" {
            return Ok(InputFile { path: path.to_owned(), spool: None });
        }
        let spooled = || {
            let folder = tempfile::tempdir()?;
            let path = folder.path().join("stdin");
            io::copy(&mut io::stdin().lock(), &mut std::fs::File::create(&path)?)?;
            Ok::<_, io::Error>(InputFile { path, spool: Some(folder) })
        };
        spooled().context("cannot read standard input")
    }

    /// Where the bytes are.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What people call it.
    pub(crate) fn name(&self) -> String {
        match self.spool {
            Some(_) => "standard input".to_owned(),
            None => self.path.display().to_string(),
        }
    }
}
