//! The parts of JKF that are read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A file.
#[derive(Deserialize)]
pub(super) struct File {
    #[serde(default)]
    pub(super) header: BTreeMap<String, String>,
    pub(super) initial: Option<Initial>,
    pub(super) moves: Vec<Entry>,
}

/// The start.
#[derive(Deserialize)]
pub(super) struct Initial {
    pub(super) preset: String,
    pub(super) data: Option<Data>,
}

/// A start that is no usual one. `board[file][rank]`, both from 0.
#[derive(Serialize, Deserialize)]
pub(super) struct Data {
    #[serde(default)]
    pub(super) color: u8,
    pub(super) board: Vec<Vec<Cell>>,
    #[serde(default)]
    pub(super) hands: Vec<BTreeMap<String, u8>>,
}

/// A square: empty without a kind.
#[derive(Serialize, Deserialize)]
pub(super) struct Cell {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
}

/// A move or an end, with what is noted about it; the first entry has only comments on the start.
#[derive(Serialize, Deserialize, Default)]
pub(super) struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) comments: Option<Vec<String>>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) played: Option<Played>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) special: Option<String>,
    /// Variations, each beginning with another entry in place of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) forks: Option<Vec<Vec<Entry>>>,
}

/// A move. Without an origin it is a drop.
#[derive(Serialize, Deserialize)]
pub(super) struct Played {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<Place>,
    /// The kind before the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) piece: Option<String>,
    /// Whether it goes where the previous move went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) same: Option<bool>,
    /// Present where there was a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) promote: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) capture: Option<String>,
    /// `L C R`, `U M D` and `H` for 左直右, 上寄引 and 打.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relative: Option<String>,
}

/// A square, from 1.
#[derive(Serialize, Deserialize, Clone, Copy)]
pub(super) struct Place {
    pub(super) x: u8,
    pub(super) y: u8,
}

/// Time used for a move, and in all.
#[derive(Serialize, Deserialize)]
pub(super) struct Time {
    pub(super) now: Clock,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total: Option<Clock>,
}

/// Hours, minutes, seconds.
#[derive(Serialize, Deserialize)]
pub(super) struct Clock {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) h: Option<u32>,
    pub(super) m: u32,
    pub(super) s: u32,
}
