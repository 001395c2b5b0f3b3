//! Moves in jobs and results: the text of USI, separated by blanks. For `#[serde(with = …)]`.

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serializer};
use shogi::Move;

/// Writes moves.
pub fn serialize<S: Serializer>(moves: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
    let words: Vec<String> = moves.iter().map(Move::to_string).collect();
    serializer.serialize_str(&words.join(" "))
}

/// Reads moves; whether they are legal is not looked at.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Move>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.split_whitespace().map(|word| word.parse().map_err(D::Error::custom)).collect()
}
