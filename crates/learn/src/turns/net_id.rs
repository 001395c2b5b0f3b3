//! What nets of a loop are called.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::nnue::NET;

/// A net of a loop: the one it began with, or a candidate.
///
/// ```
/// # use learn::turns::NetId;
/// let net = NetId::Candidate { turn: 12, number: 1 };
/// assert_eq!(net.to_string(), "turn-012/net-1");
/// assert_eq!("turn-012/net-1".parse(), Ok(net));
/// assert_eq!("start".parse(), Ok(NetId::Start));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum NetId {
    /// Whatever the loop's player evaluated by at first.
    Start,
    /// A net that a turn learned.
    Candidate {
        /// The turn.
        turn: u64,
        /// Its number in the turn, from 1.
        number: u32,
    },
}

/// A text that is no net of a loop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 'start' or a net as 'turn-001/net-1', found '{0}'")]
pub struct NoNetId(String);

impl NetId {
    /// The folder of its training, inside the loop's; `None` for the first net.
    #[must_use]
    pub fn folder(self, dir: &Path) -> Option<PathBuf> {
        (self != NetId::Start).then(|| dir.join(self.to_string()))
    }

    /// Its file.
    #[must_use]
    pub fn file(self, dir: &Path) -> Option<PathBuf> {
        self.folder(dir).map(|folder| folder.join(NET))
    }
}

/// The name of a turn's folder.
pub(super) fn turn_name(turn: u64) -> String {
    format!("turn-{turn:03}")
}

impl fmt::Display for NetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetId::Start => f.write_str("start"),
            NetId::Candidate { turn, number } => write!(f, "{}/net-{number}", turn_name(*turn)),
        }
    }
}

impl FromStr for NetId {
    type Err = NoNetId;

    fn from_str(text: &str) -> Result<NetId, NoNetId> {
        if text == "start" {
            return Ok(NetId::Start);
        }
        let numbers = || {
            let (turn, number) = text.strip_prefix("turn-")?.split_once("/net-")?;
            Some(NetId::Candidate { turn: turn.parse().ok()?, number: number.parse().ok()? })
        };
        // One net has one name.
        numbers().filter(|net| net.to_string() == text).ok_or_else(|| NoNetId(text.to_owned()))
    }
}

impl From<NetId> for String {
    fn from(net: NetId) -> String {
        net.to_string()
    }
}

impl TryFrom<String> for NetId {
    type Error = NoNetId;

    fn try_from(text: String) -> Result<NetId, NoNetId> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_has_one_name_and_other_texts_are_none() {
        for net in [
            NetId::Start,
            NetId::Candidate { turn: 0, number: 1 },
            NetId::Candidate { turn: 1234, number: 12 },
        ] {
            assert_eq!(net.to_string().parse(), Ok(net));
        }
        for text in
            ["", "turn-1/net-1", "turn-001", "turn-001/net-+1", "turn-001/net-1/nn.bin", "../turn-001/net-1"]
        {
            assert_eq!(text.parse::<NetId>(), Err(NoNetId(text.to_owned())));
        }
    }
}
