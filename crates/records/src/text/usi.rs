//! USI: `[position] startpos [moves …]`, `[position] sfen … [moves …]`, or a bare SFEN.

use shogi::{Move, START_SFEN, Setup};

use super::building::GameBuilder;
use super::chunk::Chunk;
use super::error::RecordError;
use crate::game::Game;

/// Reads one line.
pub(crate) fn read(chunk: &Chunk) -> Result<Game, RecordError> {
    let mut builder = GameBuilder::new(chunk.number);
    let line = chunk.first_line;
    let at = builder.at(line);
    let mut words: Vec<&str> = chunk.text.split_whitespace().collect();
    if words.first() == Some(&"position") {
        words.remove(0);
    }
    let start_end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(start_end);
    let sfen = match start {
        ["startpos"] => START_SFEN.to_owned(),
        ["sfen", sfen @ ..] => sfen.join(" "),
        [board, ..] if board.contains('/') => start.join(" "),
        _ => return Err(at.expected("startpos, sfen or an SFEN", chunk.text.trim())),
    };
    let setup: Setup = sfen.parse().map_err(|_| at.expected("an SFEN", &sfen))?;
    builder.start_from(&setup, line)?;
    for text in moves.iter().skip(1) {
        let m: Move = text.parse().map_err(|_| at.expected("a USI move", text))?;
        builder.play(Some(m), text, line)?;
    }
    builder.finish()
}

/// One line: the start and the moves, which is all that USI has words for.
pub(crate) fn write(game: &Game) -> String {
    let sfen = game.start.to_string();
    let mut text = if sfen == START_SFEN { "startpos".to_owned() } else { format!("sfen {sfen}") };
    for (index, played) in game.moves.iter().enumerate() {
        text += if index == 0 { " moves " } else { " " };
        text += &played.m.to_string();
    }
    text.push('\n');
    text
}
