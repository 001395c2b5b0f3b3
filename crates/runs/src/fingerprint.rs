//! What a file was, in one word.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::Path;

use engine::PlayerSpec;
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
/// assert!(runs::fingerprint::of_bytes(b"abc").starts_with("ba7816bf8f01cfea"));
/// ```
#[must_use]
pub fn of_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The SHA-256 of the running program; empty if it cannot be read.
#[must_use]
pub fn of_this_program() -> String {
    std::env::current_exe().ok().and_then(|path| of_file(&path).ok()).unwrap_or_default()
}

/// The files that make a player up (program, net, book, model of the search, weights, kinds of move), each with its SHA-256. What is not there has none.
#[must_use]
pub fn of_player(spec: &PlayerSpec) -> Vec<(String, String)> {
    let mut paths: Vec<&Path> = Vec::new();
    match spec {
        PlayerSpec::Own(spec) => {
            paths.extend(spec.net.as_deref());
            paths.extend(
                ["book", "search", "weights", "linear", "kinds"]
                    .into_iter()
                    .filter_map(|key| spec.said(key))
                    .map(Path::new),
            );
        }
        PlayerSpec::External(spec) => {
            paths.push(&spec.path);
            paths.extend(spec.options.iter().map(|(_, value)| Path::new(value)));
        }
    }
    let print = |path: &Path| Some((path.display().to_string(), of_file(path).ok()?));
    paths.into_iter().filter(|path| path.is_file()).filter_map(print).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
