//! Text records: CSA, KIF, KI2, JKF, USI.
//!
//! Every reader ends in the same [`Game`], with each move checked for legality; the errors name the place. An
//! illegal move is an error, unless it is the record's last move and the record says that the game ended by
//! it: then it is part of the outcome. Variations never cost a game: one that has an illegal move ends before it, and the first
//! thousand are kept.
//!
//! What a format has no words for is lost on writing:
//!
//! | | times | evaluations | outcome | players and occasion | time control, limits | start | variations |
//! |---|---|---|---|---|---|---|---|
//! | CSA V3.0 | ms | yes (mates as ±32000) | yes | yes | yes | all but the ply number | no |
//! | CSA V2.2 | s | yes (mates as ±32000) | yes | yes | minutes and byoyomi | all but the ply number | no |
//! | KIF | s | yes | yes | yes | yes | all but the ply number | yes |
//! | KI2 | no | yes | yes | yes | yes | all but the ply number | yes |
//! | JKF | s | yes | as CSA | yes | yes | all but the ply number | yes |
//! | USI | no | no | no | no | no | all | no |
//!
//! CSA and JKF have no word for a forfeit, and say perpetual check as a foul.

mod annotation;
mod building;
mod chunk;
mod csa;
mod encoding;
mod error;
mod format;
mod jkf;
mod kif;
mod one_line;
mod seconds;
mod usi;
mod variations;
mod western;

pub use error::{Place, RecordError};
pub use format::Format;
pub use kif::japanese_move;
pub use western::western_move;

use crate::game::Game;
use chunk::Chunk;

/// Reads all games of a file; the first that is bad makes an error. Without a format, the text tells it.
/// Bytes that hold no game are an error: there is always at least one game, though it may have no moves.
///
/// ```
/// use records::text::read_games;
/// let games = read_games(b"V2.2\nN+alice\nN-bob\nPI\n+\n+7776FU\nT12\n%TORYO\n", None).unwrap();
/// assert_eq!(games[0].moves.len(), 1);
/// assert_eq!(games[0].winner(), Some(shogi::Color::Black));
/// assert!(read_games(b"hello", None).is_err());
/// ```
pub fn read_games(bytes: &[u8], format: Option<Format>) -> Result<Vec<Game>, RecordError> {
    read_each(bytes, format)?.collect()
}

/// Reads the games of a file one by one, so that a bad one does not cost the others. The error is for bytes
/// that hold no game at all.
pub fn read_each(
    bytes: &[u8],
    format: Option<Format>,
) -> Result<impl Iterator<Item = Result<Game, RecordError>> + use<>, RecordError> {
    let text = encoding::decode(bytes);
    let format = match format {
        Some(format) => format,
        None => Format::of_text(&text)?,
    };
    let chunks = match format {
        Format::Csa | Format::CsaV3 => chunk::separated_by_slashes(&text),
        Format::Usi => chunk::lines_with_games(&text),
        Format::Kif | Format::Kifu | Format::Ki2 | Format::Ki2u | Format::Jkf => vec![Chunk::whole(text)],
    };
    if chunks.is_empty() {
        let expected = "a line that begins with startpos or sfen";
        return Err(RecordError::NotARecord { expected, found: "nothing".to_owned() });
    }
    Ok(chunks.into_iter().map(move |chunk| read_chunk(&chunk, format)))
}

fn read_chunk(chunk: &Chunk, format: Format) -> Result<Game, RecordError> {
    match format {
        Format::Csa | Format::CsaV3 => csa::read(chunk),
        Format::Kif | Format::Kifu => kif::read_kif(chunk),
        Format::Ki2 | Format::Ki2u => kif::read_ki2(chunk),
        Format::Jkf => jkf::read(chunk),
        Format::Usi => usi::read(chunk),
    }
}

/// The bytes of a file with this game. Files of several games can be made by joining USI lines, or CSA games
/// with lines of a single `/` between them.
///
/// ```
/// use records::{game::Game, text::{Format, read_games, write_game}};
/// let mut game = Game::new(shogi::Position::start());
/// game.push("7g7f".parse().unwrap());
/// let bytes = write_game(&game, Format::Kif);
/// assert_eq!(read_games(&bytes, Some(Format::Kif)).unwrap(), [game]);
/// ```
#[must_use]
pub fn write_game(game: &Game, format: Format) -> Vec<u8> {
    match format {
        Format::Csa => encoding::to_shift_jis(&csa::write(game, csa::Version::V22)),
        Format::CsaV3 => encoding::to_utf8(&csa::write(game, csa::Version::V30)),
        Format::Kif => encoding::to_shift_jis(&kif::write_kif(game, "Shift_JIS")),
        Format::Kifu => encoding::to_utf8(&kif::write_kif(game, "UTF-8")),
        Format::Ki2 => encoding::to_shift_jis(&kif::write_ki2(game, "Shift_JIS")),
        Format::Ki2u => encoding::to_utf8(&kif::write_ki2(game, "UTF-8")),
        Format::Jkf => encoding::to_utf8(&jkf::write(game)),
        Format::Usi => encoding::to_utf8(&usi::write(game)),
    }
}
