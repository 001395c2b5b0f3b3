//! A game of the log as a record for other programs.

use std::str::FromStr;
use std::time::Duration;

use records::game::{Game, Outcome};
use records::text::{Format, write_game};
use shogi::{Move, Position};

use super::row::{GameRow, evaluation_of};

/// Which records to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RecordFormat {
    Csa,
    Kif,
    None,
}

/// A text that names no format of records.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected csa, kif or none, found '{0}'")]
pub struct RecordFormatError(String);

impl FromStr for RecordFormat {
    type Err = RecordFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "csa" => Ok(RecordFormat::Csa),
            "kif" => Ok(RecordFormat::Kif),
            "none" => Ok(RecordFormat::None),
            _ => Err(RecordFormatError(text.to_owned())),
        }
    }
}

impl RecordFormat {
    /// The name of a game's file and its bytes; `None` if no records are wanted.
    #[must_use]
    pub fn file(self, row: &GameRow, names: &[String]) -> Option<(String, Vec<u8>)> {
        let (format, extension) = match self {
            // Version 3, since it has milliseconds.
            RecordFormat::Csa => (Format::CsaV3, "csa"),
            RecordFormat::Kif => (Format::Kifu, "kifu"),
            RecordFormat::None => return None,
        };
        let name = format!("records/{:06}-{}.{extension}", row.pair + 1, row.game + 1);
        Some((name, write_game(&to_record(row, names)?, format)))
    }
}

/// The game of a row, with evaluations, times and its end; `None` if the row's moves are not legal.
#[must_use]
pub fn to_record(row: &GameRow, names: &[String]) -> Option<Game> {
    let start: Position = row.start.parse().ok()?;
    let mut game = Game::new(start.clone());
    let mut position = start;
    for (number, text) in row.moves.split_whitespace().enumerate() {
        let m: Move = text.parse().ok()?;
        if !position.is_legal(m) {
            return None;
        }
        position.play(m);
        game.push(m);
        if let (Some(own), Some(played)) = (number.checked_sub(row.opening_plies), game.moves.last_mut()) {
            played.time = row.times_us.get(own).map(|&us| Duration::from_micros(us));
            played.evaluation = row.evals.get(own).copied().flatten().map(evaluation_of);
            played.nodes = row.nodes.get(own).copied().flatten();
        }
    }
    game.info.players = [row.black, row.white].map(|player| names.get(player).cloned());
    game.info.event = Some(format!("yomi match, pair {}, game {}", row.pair + 1, row.game + 1));
    game.outcome = Some(Outcome { result: Some(row.winner), reason: row.end.reason(), time: None });
    Some(game)
}
