//! Files and large tables mapped into memory.

use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;

use memmap2::{Mmap, MmapMut};

use super::lines::Line;

/// A whole file, mapped for reading; an empty file is an empty slice.
pub(crate) fn map_file(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the bytes are only read while a net is loaded. Somebody who cuts the file off in that moment
    // ends the process with a signal, as with every mapped file.
    #[allow(unsafe_code)]
    unsafe {
        Mmap::map(&file)
    }
}

/// Many aligned lines in memory of its own, on huge pages where the system grants them: rows are read all
/// over the table, and small pages would miss the address cache at nearly every row.
pub(crate) struct LineTable {
    memory: MmapMut,
    len: usize,
}

impl LineTable {
    /// `len` lines of zeros.
    pub(crate) fn new(len: usize) -> io::Result<LineTable> {
        let memory = MmapMut::map_anon(len * size_of::<Line>())?;
        #[cfg(target_os = "linux")]
        // Without huge pages everything works as well, only slower.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(LineTable { memory, len })
    }
}

impl Deref for LineTable {
    type Target = [Line];

    #[inline(always)]
    fn deref(&self) -> &[Line] {
        // SAFETY: the memory is page aligned, holds `len` lines, and every bit pattern is a line.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.memory.as_ptr().cast::<Line>(), self.len)
        }
    }
}

impl DerefMut for LineTable {
    fn deref_mut(&mut self) -> &mut [Line] {
        // SAFETY: as in `deref`; the borrow is exclusive.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast::<Line>(), self.len)
        }
    }
}
