//! Files that are either complete or not there.

use std::io::{self, Write as _};
use std::path::Path;

use records::whole_file::{Existing, WholeFile};

/// Writes a file by way of a neighbour that takes its place when it is complete and on the disk.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::begin(path)?;
    file.write_all(bytes)?;
    file.complete(Existing::Replace)
}
