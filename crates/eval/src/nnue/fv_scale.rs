//! The divisor of a net's output: part of a net, but not of its file.

use std::io;
use std::path::Path;

use super::file::NetError;

/// The divisor of nets that say nothing.
pub const DEFAULT_FV_SCALE: u32 = 16;
const LARGEST: u32 = 128;
const KEY: &str = "FV_SCALE";
const FILE_NAME: &str = "eval_options.txt";

/// The default if nothing is given; refuses what is out of range.
pub(crate) fn checked(given: Option<u32>) -> Result<u32, NetError> {
    match given {
        None => Ok(DEFAULT_FV_SCALE),
        Some(scale @ 1..=LARGEST) => Ok(scale),
        Some(scale) => Err(NetError::FvScale { origin: "the caller".to_owned(), found: scale.to_string() }),
    }
}

/// What the `eval_options.txt` beside a net says, if there is one and it says something.
pub(crate) fn beside(net: &Path) -> Result<Option<u32>, NetError> {
    let path = net.with_file_name(FILE_NAME);
    let text = match std::fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(NetError::Io { path, source }),
    };
    let Some(found) = find(&text) else { return Ok(None) };
    match found.parse() {
        Ok(scale @ 1..=LARGEST) => Ok(Some(scale)),
        _ => Err(NetError::FvScale { origin: path.display().to_string(), found: found.to_owned() }),
    }
}

/// The word that gives the scale, in any of `option name FV_SCALE type spin default 24 …`, `FV_SCALE 24` and
/// `FV_SCALE=24`; the last such line counts.
fn find(text: &str) -> Option<&str> {
    text.lines().rev().find_map(|line| {
        let mut words = line.split(|c: char| c == '=' || c.is_whitespace()).filter(|word| !word.is_empty());
        match words.next()? {
            KEY => Some(words.next().unwrap_or("")),
            "option" if words.next() == Some("name") && words.next() == Some(KEY) => {
                words.find(|&word| word == "default")?;
                Some(words.next().unwrap_or(""))
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_ways_to_write_the_scale_are_understood() {
        for text in [
            "option name FV_SCALE type spin default 24 min 1 max 128",
            "FV_SCALE 24",
            "FV_SCALE=24\r\n",
            "# a comment\noption name EvalDir type string default eval\nFV_SCALE = 24\n",
        ] {
            assert_eq!(find(text), Some("24"), "{text}");
        }
        for text in ["", "FV_SCALES 24", "option name Threads type spin default 4", "scale 24"] {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn a_scale_that_is_no_number_or_out_of_range_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let net = folder.path().join("nn.bin");
        assert_eq!(beside(&net).unwrap(), None);
        for (text, good) in
            [("FV_SCALE 0", None), ("FV_SCALE x", None), ("FV_SCALE", None), ("FV_SCALE 1", Some(1))]
        {
            std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
            match good {
                Some(_) => assert_eq!(beside(&net).unwrap(), good),
                None => assert!(matches!(beside(&net), Err(NetError::FvScale { .. })), "{text}"),
            }
        }
        assert_eq!(checked(None).unwrap(), 16);
        assert!(checked(Some(0)).is_err() && checked(Some(129)).is_err());
    }
}
