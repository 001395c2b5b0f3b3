//! Values on disk, per player and position: whatever was computed once is not computed again.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// A file of values by position key, which only grows. A line torn by a crash is cut off.
#[derive(Debug)]
pub(super) struct ValueCache {
    known: HashMap<u64, Option<f32>>,
    file: File,
    waiting: String,
}

/// So many values are written together.
const TOGETHER: usize = 64 * 24;

impl ValueCache {
    pub(super) fn open(path: &Path) -> io::Result<ValueCache> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let known = text.lines().filter_map(read_line).collect();
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(whole as u64)?;
        Ok(ValueCache { known, file, waiting: String::new() })
    }

    /// The value of a position, if it is known; there may be none.
    pub(super) fn get(&self, key: u64) -> Option<Option<f32>> {
        self.known.get(&key).copied()
    }

    pub(super) fn put(&mut self, key: u64, value: Option<f32>) -> io::Result<()> {
        self.known.insert(key, value);
        match value {
            Some(value) => self.waiting.push_str(&format!("{key:016x} {value}\n")),
            None => self.waiting.push_str(&format!("{key:016x} -\n")),
        }
        if self.waiting.len() >= TOGETHER { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(self.waiting.as_bytes())?;
        self.waiting.clear();
        Ok(())
    }
}

fn read_line(line: &str) -> Option<(u64, Option<f32>)> {
    let (key, value) = line.split_once(' ')?;
    let key = u64::from_str_radix(key, 16).ok()?;
    if value == "-" { Some((key, None)) } else { Some((key, Some(value.parse().ok()?))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_and_torn_lines_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/values");
        let mut cache = ValueCache::open(&path).unwrap();
        cache.put(7, Some(-12.5)).unwrap();
        cache.put(u64::MAX, None).unwrap();
        cache.flush().unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"0000000000000009 1").unwrap();
        let mut cache = ValueCache::open(&path).unwrap();
        assert_eq!((cache.get(7), cache.get(u64::MAX), cache.get(9)), (Some(Some(-12.5)), Some(None), None));
        cache.put(9, Some(3.0)).unwrap();
        cache.flush().unwrap();
        assert_eq!(ValueCache::open(&path).unwrap().get(9), Some(Some(3.0)));
    }
}
