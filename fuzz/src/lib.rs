//! Equations that every input must satisfy: what was read, written and read again is the same.

#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod expression;
pub mod linear;
pub mod mate;
pub mod mutation;
pub mod net;
pub mod session;
pub mod spec;

use records::game::Game;
use records::text::{Format, read_each, write_game};
use shogi::{Move, Position};

/// Reads games in one format. Each that is read can be written in that format and read again with the same
/// start and moves, and from then on nothing changes any more.
pub fn text_record(bytes: &[u8], read_as: Format, write_as: Format) {
    let Ok(games) = read_each(bytes, Some(read_as)) else { return };
    for game in games.take(8).flatten() {
        settles(&game, write_as);
    }
}

/// Writes and reads until nothing more can be lost, which must be after one round.
pub fn settles(game: &Game, format: Format) {
    let first = write_game(game, format);
    let again = only_game(&first, format);
    assert_eq!(line(game), line(&again), "{format:?}");
    let second = write_game(&again, format);
    let settled = write_game(&only_game(&second, format), format);
    assert!(
        second == settled,
        "{format:?}\n{}\n--- then ---\n{}",
        String::from_utf8_lossy(&second),
        String::from_utf8_lossy(&settled)
    );
}

fn only_game(bytes: &[u8], format: Format) -> Game {
    let mut games: Vec<Game> = match read_each(bytes, Some(format)) {
        Ok(games) => games.map(|game| game.unwrap_or_else(|error| refused(bytes, format, &error))).collect(),
        Err(error) => refused(bytes, format, &error),
    };
    assert_eq!(games.len(), 1, "{format:?}: one game was written");
    games.remove(0)
}

fn refused(bytes: &[u8], format: Format, error: &records::text::RecordError) -> ! {
    panic!("{format:?} refuses its own text: {error}\n{}", String::from_utf8_lossy(bytes))
}

/// The start without its ply number, which most formats do not keep, and the moves.
fn line(game: &Game) -> (String, Vec<Move>) {
    let sfen = game.start.to_string();
    let board = sfen.rsplit_once(' ').map_or("", |(board, _)| board).to_owned();
    (board, game.moves.iter().map(|played| played.m).collect())
}

/// What must hold in every position: the list has exactly the legal moves, and undoing leads back.
pub fn sound(position: &mut Position) {
    let moves = position.legal_moves();
    assert_eq!(moves.len() as u64, position.count_legal_moves());
    let before = position.to_string();
    let key = position.key();
    for m in moves {
        assert!(position.is_legal(m), "{m} in {before}");
        position.play(m);
        position.undo();
    }
    assert_eq!((position.to_string(), position.key()), (before, key));
}
