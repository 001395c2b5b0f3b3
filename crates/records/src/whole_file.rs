//! Files that are complete or not there.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// What becomes of a file that is already there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// It stays, and putting the new one there is an error.
    Keep,
    /// The new one takes its place.
    Replace,
}

/// A file written beside its place, which it takes when it is complete. Dropped before that, it leaves nothing.
#[derive(Debug)]
pub struct WholeFile {
    sink: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl WholeFile {
    /// Begins a file that is to stand at `path`.
    pub fn begin(path: &Path) -> io::Result<WholeFile> {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // As any new file: readable by all but for what the umask takes away.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.prefix(".yomi").tempfile_in(folder)?;
        Ok(WholeFile { sink: BufWriter::with_capacity(1 << 18, file), path: path.to_owned() })
    }

    /// Where the bytes are until the file is complete, for writers that open files by themselves.
    #[must_use]
    pub fn path_until_complete(&self) -> &Path {
        self.sink.get_ref().path()
    }

    /// Puts the file in its place, after its bytes have reached the disk.
    pub fn complete(mut self, existing: Existing) -> io::Result<()> {
        self.sink.flush()?;
        self.sink.get_ref().as_file().sync_all()?;
        self.put_in_place(existing).map(drop)
    }

    /// As [`WholeFile::complete`], but the system may write the bytes later: for thousands of small files.
    pub fn complete_unsynced(self, existing: Existing) -> io::Result<()> {
        self.put_in_place(existing).map(drop)
    }

    fn put_in_place(self, existing: Existing) -> io::Result<File> {
        let file = self.sink.into_inner().map_err(io::IntoInnerError::into_error)?;
        match existing {
            Existing::Keep => Ok(file.persist_noclobber(self.path)?),
            Existing::Replace => Ok(file.persist(self.path)?),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sink.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_file_leaves_nothing_and_a_finished_one_respects_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let begin = |text: &str| {
            let mut file = WholeFile::begin(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file
        };
        drop(begin("lost"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        begin("first").complete(Existing::Keep).unwrap();
        let error = begin("second").complete_unsynced(Existing::Keep).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first");
        begin("third").complete(Existing::Replace).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "third");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
