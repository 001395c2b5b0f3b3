//! How every manifest begins.

use serde::{Deserialize, Serialize};

use crate::fingerprint;

/// What every manifest says about its run; a manifest flattens it into its own fields.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Manifest {
///     #[serde(flatten)]
///     header: runs::Header,
///     seed: u64,
/// }
/// let manifest = Manifest { header: runs::Header::new("toy"), seed: 1 };
/// let json = serde_json::to_value(&manifest).unwrap();
/// assert_eq!((json["kind"].as_str(), json["seed"].as_u64()), (Some("toy"), Some(1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Which kind of run this is.
    pub kind: String,
    /// The version that began it.
    pub version: String,
    /// The SHA-256 of the program, where results hang on it: another one does not go on with the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

impl Header {
    /// The header of a run that any program of this version may go on with.
    #[must_use]
    pub fn new(kind: &str) -> Header {
        Header { kind: kind.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), program: None }
    }

    /// The header of a run that only this very program may go on with.
    #[must_use]
    pub fn of_this_program(kind: &str) -> Header {
        Header { program: Some(fingerprint::of_this_program()), ..Header::new(kind) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_without_a_program_leaves_the_name_out_and_reads_both() {
        let plain = serde_json::to_string(&Header::new("data")).unwrap();
        assert!(!plain.contains("program"), "{plain}");
        assert_eq!(serde_json::from_str::<Header>(&plain).unwrap(), Header::new("data"));
        let bound = Header::of_this_program("match");
        assert_eq!(bound.program.as_deref().map(str::len), Some(64));
        let text = serde_json::to_string(&bound).unwrap();
        assert_eq!(serde_json::from_str::<Header>(&text).unwrap(), bound);
    }
}
