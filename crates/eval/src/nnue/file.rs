//! Net files: which shape is it, and where do its parameters lie?
//!
//! Layout, little endian: version, hash, length of a text, the text; then the first layer and the other layers,
//! each behind a hash of its own. Some files lack these two section hashes. The text is known to be wrong in
//! published nets, so only the weight of the parameters decides about the shape.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::architecture::{Architecture, VERSION};

/// Version, hash and the length of the text.
const HEADER_BYTES: usize = 12;
/// The two hashes in front of the sections.
const SECTION_HASH_BYTES: usize = 8;

/// Why a net was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is no net that can be used.
    #[error("{facts}: {reason}")]
    Refused {
        /// What the file says of itself.
        facts: Box<FileFacts>,
        /// What is wrong with it.
        reason: Refusal,
    },
    /// The divisor of the output is no number from 1 to 128.
    #[error("FV_SCALE must be a number from 1 to 128, {origin} says '{found}'")]
    FvScale {
        /// Who gave it.
        origin: String,
        /// What was given.
        found: String,
    },
}

/// What a file says of itself; fields that it is too short for are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// Which file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: usize,
    /// Its first word.
    pub version: Option<u32>,
    /// Its second word.
    pub hash: Option<u32>,
    /// The text that describes the shape, often wrongly.
    pub description: Option<String>,
}

impl fmt::Display for FileFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} bytes", self.path.display(), self.size)?;
        if let Some(version) = self.version {
            write!(f, ", version {version:08X}")?;
        }
        if let Some(hash) = self.hash {
            write!(f, ", hash {hash:08X}")?;
        }
        if let Some(description) = &self.description {
            write!(f, ", architecture \"{}\"", description.escape_debug())?;
        }
        f.write_str(")")
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It ends before the parameters begin.
    #[error("too short for a net, the header alone takes {needed} bytes")]
    TooShort {
        /// How long the header is.
        needed: usize,
    },
    /// It is no net file of this family.
    #[error("not a net: the version should be {VERSION:08X}")]
    Version,
    /// Its parameters weigh what those of no known shape weigh.
    #[error("{payload} bytes of parameters fit no known net; with section hashes, {}", expected_sizes())]
    Size {
        /// Bytes behind the header.
        payload: usize,
    },
    /// The size fits a shape but a hash does not.
    #[error(
        "the size is that of {architecture}, but the {section} hash should be {expected:08X}, not {found:08X}"
    )]
    Hash {
        /// The shape that the size tells.
        architecture: Architecture,
        /// Which of the three hashes.
        section: Section,
        /// What that shape has there.
        expected: u32,
        /// What the file has.
        found: u32,
    },
}

fn expected_sizes() -> String {
    let sizes = Architecture::ALL.map(|a| format!("{a} has {}", a.payload_bytes() + SECTION_HASH_BYTES));
    sizes.join(", ")
}

/// A part of a file that has a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The header.
    File,
    /// The first layer.
    Transformer,
    /// The layers behind the accumulators.
    Network,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Section::File => "file",
            Section::Transformer => "first layer's",
            Section::Network => "later layers'",
        })
    }
}

/// The parameters of a recognised file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parameters<'a> {
    pub(crate) architecture: Architecture,
    /// Biases, then a row for each feature.
    pub(crate) transformer: &'a [u8],
    /// Biases, then weights of each of the three layers.
    pub(crate) network: &'a [u8],
}

fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn facts(path: &Path, bytes: &[u8]) -> FileFacts {
    let text = word(bytes, 8)
        .and_then(|len| bytes.get(HEADER_BYTES..HEADER_BYTES.checked_add(len as usize)?))
        .map(|text| String::from_utf8_lossy(&text[..text.len().min(1000)]).into_owned());
    FileFacts {
        path: path.to_owned(),
        size: bytes.len(),
        version: word(bytes, 0),
        hash: word(bytes, 4),
        description: text,
    }
}

/// Recognises a net by the weight of its parameters; `path` is for the error message.
pub(crate) fn recognise<'a>(path: &Path, bytes: &'a [u8]) -> Result<Parameters<'a>, NetError> {
    parameters(bytes).map_err(|reason| NetError::Refused { facts: Box::new(facts(path, bytes)), reason })
}

fn parameters(bytes: &[u8]) -> Result<Parameters<'_>, Refusal> {
    match word(bytes, 0) {
        Some(VERSION) => {}
        Some(_) => return Err(Refusal::Version),
        None => return Err(Refusal::TooShort { needed: HEADER_BYTES }),
    }
    let (Some(hash), Some(text)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(Refusal::TooShort { needed: HEADER_BYTES });
    };
    let needed = HEADER_BYTES.saturating_add(text as usize);
    let body = bytes.get(needed..).ok_or(Refusal::TooShort { needed })?;
    let size = Refusal::Size { payload: body.len() };
    let architecture = |extra: usize| {
        Architecture::ALL.into_iter().find(|a| a.payload_bytes().checked_add(extra) == Some(body.len()))
    };
    let (architecture, with_hashes) = match (architecture(SECTION_HASH_BYTES), architecture(0)) {
        (Some(architecture), _) => (architecture, true),
        (None, Some(architecture)) => (architecture, false),
        (None, None) => return Err(size),
    };
    let check = |section, expected, found| {
        if found == expected { Ok(()) } else { Err(Refusal::Hash { architecture, section, expected, found }) }
    };
    check(Section::File, architecture.file_hash(), hash)?;
    let split = 2 * architecture.accumulator * (1 + architecture.features.rows());
    if !with_hashes {
        let (transformer, network) = body.split_at(split);
        return Ok(Parameters { architecture, transformer, network });
    }
    let (Some(first), Some(second)) = (word(body, 0), word(body, 4 + split)) else { return Err(size) };
    check(Section::Transformer, architecture.transformer_hash(), first)?;
    check(Section::Network, architecture.network_hash(), second)?;
    Ok(Parameters { architecture, transformer: &body[4..4 + split], network: &body[8 + split..] })
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};

    use super::*;
    use crate::nnue::architecture::LayerShape;
    use crate::nnue::mapping;

    /// A file with the facts of `architecture` and nothing but zeros for parameters; takes no room on disk.
    fn hollow(architecture: Architecture, section_hashes: bool, text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let split = 2 * architecture.accumulator * (1 + architecture.features.rows());
        let extra = if section_hashes { SECTION_HASH_BYTES } else { 0 };
        let size = HEADER_BYTES + text.len() + architecture.payload_bytes() + extra;
        file.as_file().set_len(size as u64).unwrap();
        for word in [VERSION, architecture.file_hash(), text.len() as u32] {
            file.write_all(&word.to_le_bytes()).unwrap();
        }
        file.write_all(text.as_bytes()).unwrap();
        if section_hashes {
            file.write_all(&architecture.transformer_hash().to_le_bytes()).unwrap();
            file.seek(SeekFrom::Current(split as i64)).unwrap();
            file.write_all(&architecture.network_hash().to_le_bytes()).unwrap();
        }
        file
    }

    fn refusal(bytes: &[u8]) -> (String, Refusal) {
        let error = recognise(Path::new("some/nn.bin"), bytes).unwrap_err();
        let text = error.to_string();
        let NetError::Refused { reason, .. } = error else { panic!("{error}") };
        (text, reason)
    }

    #[test]
    fn every_shape_is_recognised_by_its_size_whatever_the_text_says() {
        for architecture in Architecture::ALL {
            for section_hashes in [true, false] {
                for text in ["", "Features=HalfKP(Friend)[125388->256x2]", "nonsense"] {
                    let file = hollow(architecture, section_hashes, text);
                    let bytes = mapping::map_file(file.path()).unwrap();
                    let parameters = recognise(file.path(), &bytes).unwrap();
                    assert_eq!(parameters.architecture, architecture);
                    let weight = parameters.transformer.len() + parameters.network.len();
                    assert_eq!(weight, architecture.payload_bytes());
                }
            }
        }
    }

    #[test]
    fn a_file_of_wrong_size_is_refused_with_all_sizes_that_would_do() {
        let file = hollow(Architecture::KP_256, true, "K-P");
        let bytes = mapping::map_file(file.path()).unwrap();
        for wrong in [&bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat()] {
            let (text, reason) = refusal(wrong);
            assert!(matches!(reason, Refusal::Size { .. }), "{text}");
            for fact in ["some/nn.bin", "7AF32F16", "5C6464A9", "\"K-P\"", "HalfKP 1024x2-8-64 has 256815468"]
            {
                assert!(text.contains(fact), "{fact} is not in: {text}");
            }
            assert!(text.contains(&wrong.len().to_string()), "{text}");
        }
    }

    #[test]
    fn wrong_hashes_are_refused_by_name() {
        let file = hollow(Architecture::KP_256, true, "K-P");
        let bytes = mapping::map_file(file.path()).unwrap();
        let network =
            bytes.len() - Architecture::KP_256.layers().map(LayerShape::bytes).iter().sum::<usize>() - 4;
        for (offset, expected) in
            [(4, Section::File), (15, Section::Transformer), (network, Section::Network)]
        {
            let mut wrong = bytes.to_vec();
            wrong[offset] ^= 1;
            let (text, reason) = refusal(&wrong);
            assert!(matches!(reason, Refusal::Hash { section, .. } if section == expected), "{text}");
        }
    }

    #[test]
    fn garbage_and_truncated_headers_are_refused() {
        let file = hollow(Architecture::KP_256, true, "K-P");
        let bytes = mapping::map_file(file.path()).unwrap();
        for len in 0..12 {
            assert_eq!(refusal(&bytes[..len]).1, Refusal::TooShort { needed: 12 });
        }
        assert_eq!(refusal(b"this is no net at all").1, Refusal::Version);
        let mut endless = bytes[..100].to_vec();
        endless[8..12].fill(0xFF);
        assert!(matches!(refusal(&endless).1, Refusal::TooShort { needed } if needed > 1 << 31));
    }
}
