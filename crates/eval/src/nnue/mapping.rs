//! Files mapped into memory, and lines as what large tables may hold.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use super::lines::Line;

/// A whole file, mapped for reading; an empty file is an empty slice.
pub(crate) fn map_file(path: &Path) -> io::Result<Mmap> {
    // To open a pipe that nobody writes to would wait for ever, and a folder cannot be mapped.
    let kind = std::fs::metadata(path)?;
    if !kind.is_file() {
        let what = if kind.is_dir() { "a folder" } else { "no regular file" };
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}")));
    }
    let file = File::open(path)?;
    // SAFETY: the bytes are only read while a net is loaded. Somebody who cuts the file off in that moment
    // ends the process with a signal, as with every mapped file.
    #[allow(unsafe_code)]
    unsafe {
        Mmap::map(&file)
    }
}

// SAFETY: numbers.
#[allow(unsafe_code)]
unsafe impl memory::Zeroable for Line {}
