//! What a file was, in one word.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// The SHA-256 of a file, in hexadecimal.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hexadecimal(&hasher.finalize()))
}

/// The SHA-256 of bytes, in hexadecimal.
///
/// ```
/// assert!(lab::fingerprint::of_bytes(b"abc").starts_with("ba7816bf8f01cfea"));
/// ```
#[must_use]
pub fn of_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
