//! Files that are complete or not there.

use std::fs::{self, OpenOptions};
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
///
/// A link is followed: what it leads to is replaced, and the link stays. Devices, pipes and names of open files are
/// written to and never replaced; their bytes are gathered elsewhere until they are complete.
#[derive(Debug)]
pub struct WholeFile {
    sink: BufWriter<NamedTempFile>,
    place: Place,
}

/// Where a file is to stand, links followed.
#[derive(Debug)]
enum Place {
    /// A plain file, there or not.
    File(PathBuf),
    /// Something that can only be written to.
    Stream(PathBuf),
}

/// Longer chains of links are taken for circles, as systems do.
const MAX_LINKS: usize = 40;

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        let mut at = path.to_owned();
        for _ in 0..MAX_LINKS {
            if at.starts_with("/proc") || at.starts_with("/dev/fd") {
                return Ok(Place::Stream(at));
            }
            let kind = match fs::symlink_metadata(&at) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Place::File(at)),
                found => found?.file_type(),
            };
            if kind.is_symlink() {
                at = folder_of(&at).join(fs::read_link(&at)?);
            } else if kind.is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            } else if kind.is_file() {
                return Ok(Place::File(at));
            } else {
                return Ok(Place::Stream(at));
            }
        }
        Err(io::Error::other("its links lead in a circle"))
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a file is there that [`Existing::Keep`] would keep; devices and pipes are not in the way.
#[must_use]
pub fn is_occupied(path: &Path) -> bool {
    matches!(Place::of(path), Ok(Place::File(at)) if at.exists())
}

impl WholeFile {
    /// Begins a file that is to stand at `path`.
    pub fn begin(path: &Path) -> io::Result<WholeFile> {
        let place = Place::of(path)?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // As any new file: readable by all but for what the umask takes away.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.prefix(".yomi");
        let file = match &place {
            Place::File(path) => builder.tempfile_in(folder_of(path))?,
            Place::Stream(_) => builder.tempfile()?,
        };
        Ok(WholeFile { sink: BufWriter::with_capacity(1 << 18, file), place })
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
        self.put_in_place(existing)
    }

    /// As [`WholeFile::complete`], but the system may write the bytes later: for thousands of small files.
    pub fn complete_unsynced(self, existing: Existing) -> io::Result<()> {
        self.put_in_place(existing)
    }

    fn put_in_place(self, existing: Existing) -> io::Result<()> {
        let file = self.sink.into_inner().map_err(io::IntoInnerError::into_error)?;
        match (self.place, existing) {
            (Place::File(path), Existing::Keep) => drop(file.persist_noclobber(path)?),
            (Place::File(path), Existing::Replace) => {
                if let Ok(replaced) = fs::metadata(&path) {
                    file.as_file().set_permissions(replaced.permissions())?;
                }
                drop(file.persist(path)?);
            }
            // At the end of whatever has been written to an open file before.
            (Place::Stream(path), _) => {
                let mut stream = OpenOptions::new().append(true).open(path)?;
                io::copy(&mut file.reopen()?, &mut stream)?;
            }
        }
        Ok(())
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

    #[cfg(unix)]
    #[test]
    fn links_stay_and_what_they_lead_to_is_replaced_with_its_permissions() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link, dangling] = ["file", "link", "dangling"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("file", &link).unwrap();
        symlink("new", &dangling).unwrap();
        assert!(is_occupied(&link) && !is_occupied(&dangling));
        for (path, led_to) in [(&link, "file"), (&dangling, "new")] {
            let mut whole = WholeFile::begin(path).unwrap();
            whole.write_all(b"words").unwrap();
            whole.complete(Existing::Replace).unwrap();
            assert!(fs::symlink_metadata(path).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(folder.path().join(led_to)).unwrap(), "words");
        }
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(WholeFile::begin(&circle).unwrap_err().to_string().contains("circle"));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_stays_a_device() {
        use std::os::unix::fs::FileTypeExt as _;
        let device = Path::new("/dev/null");
        let mut whole = WholeFile::begin(device).unwrap();
        assert!(!whole.path_until_complete().starts_with("/dev"), "not replaced when the file is complete");
        whole.write_all(b"words").unwrap();
        whole.complete(Existing::Keep).unwrap();
        assert!(fs::metadata(device).unwrap().file_type().is_char_device());
        assert!(!is_occupied(device));
    }
}
