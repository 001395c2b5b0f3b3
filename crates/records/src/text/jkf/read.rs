//! Reading JKF.

use std::time::Duration;

use shogi::{Color, Handicap, Move, Piece, PieceKind, Setup, Square};

use super::super::building::GameBuilder;
use super::super::chunk::Chunk;
use super::super::csa::{notation, special};
use super::super::error::{Place as At, RecordError};
use super::super::kif::header;
use super::super::kif::spoken::{Meaning, Spoken};
use super::super::variations::Branches;
use super::schema::{Clock, Data, Entry, File, Initial, Place, Played};
use crate::game::Game;

/// Reads one game. Errors count the entries of `moves` instead of lines.
pub(crate) fn read(chunk: &Chunk) -> Result<Game, RecordError> {
    let file: File = serde_json::from_str(&chunk.text).map_err(|error| {
        let at = At { game: chunk.number, line: error.line() };
        at.expected("JSON Kifu Format", &error.to_string())
    })?;
    let mut builder = GameBuilder::new(chunk.number);
    for (key, value) in &file.header {
        if key != "手合割" {
            header::absorb(builder.info(), key, value);
        }
    }
    if let Some(initial) = &file.initial {
        builder.start_from(&start(initial, builder.at(1))?, 1)?;
    }
    for (index, entry) in file.moves.iter().enumerate() {
        read_entry(&mut builder, entry, index)?;
    }
    let mut branches = Branches::of(builder.finish()?);
    read_forks(&mut branches, &file.moves, 0, chunk.number);
    Ok(branches.finish())
}

/// Reads the variations of a line whose first entry has so many moves before it, the latest first. What cannot be read ends its variation.
fn read_forks(branches: &mut Branches, entries: &[Entry], before: usize, number: usize) {
    let mut places = Vec::new();
    let mut after = before;
    for entry in entries {
        places.extend(entry.forks.iter().flatten().map(|fork| (after, fork)));
        after += usize::from(entry.played.is_some());
    }
    // Those that leave at the same move stay in their order.
    places.sort_by_key(|(after, _)| std::cmp::Reverse(*after));
    for (after, fork) in places {
        let Some(position) = branches.go_back(after) else { continue };
        let mut builder = GameBuilder::variation(number, position, after);
        let is_read = |(index, entry)| read_entry(&mut builder, entry, index).is_ok();
        let _ = fork.iter().enumerate().all(is_read);
        let moves = builder.into_moves();
        if !moves.is_empty() {
            branches.grow(after, moves);
            read_forks(branches, fork, after, number);
        }
    }
}

fn start(initial: &Initial, at: At) -> Result<Setup, RecordError> {
    match (&initial.data, Handicap::named(&initial.preset)) {
        (Some(data), _) => setup(data).ok_or_else(|| at.expected("a 9 by 9 board and hands", "other data")),
        (None, Some(handicap)) => Ok(handicap.position().setup()),
        (None, None) => Err(at.expected("a preset, or OTHER with data", &initial.preset)),
    }
}

fn setup(data: &Data) -> Option<Setup> {
    let mut setup = Setup::empty();
    setup.side = color(data.color)?;
    if data.board.len() != 9 || data.hands.len() > 2 {
        return None;
    }
    for (file, ranks) in (0u8..).zip(&data.board) {
        if ranks.len() != 9 {
            return None;
        }
        for (rank, cell) in (0u8..).zip(ranks) {
            let Some(kind) = &cell.kind else { continue };
            let piece = Piece::new(color(cell.color?)?, notation::kind(kind)?);
            setup.put(Square::try_new(file, rank)?, Some(piece));
        }
    }
    for (hand, counts) in setup.hands.iter_mut().zip(&data.hands) {
        for (kind, &count) in counts {
            let kind = notation::kind(kind)?;
            hand[PieceKind::HAND.iter().position(|&k| k == kind)?] = count;
        }
    }
    Some(setup)
}

fn color(number: u8) -> Option<Color> {
    Color::ALL.get(usize::from(number)).copied()
}

fn read_entry(builder: &mut GameBuilder, entry: &Entry, index: usize) -> Result<(), RecordError> {
    if let Some(played) = &entry.played {
        play(builder, played, index)?;
    }
    if let Some(word) = &entry.special {
        let word = word.strip_prefix('%').unwrap_or(word);
        let (result, reason) = special::read(word, builder.side(), builder.position());
        builder.end(result, reason);
    }
    if let Some(time) = &entry.time {
        builder.time(duration(&time.now));
    }
    for comment in entry.comments.iter().flatten() {
        builder.comment(comment);
    }
    Ok(())
}

fn duration(clock: &Clock) -> Duration {
    let seconds = |n: u32, unit: u64| Duration::from_secs(u64::from(n) * unit);
    seconds(clock.h.unwrap_or(0), 3600) + seconds(clock.m, 60) + seconds(clock.s, 1)
}

fn play(builder: &mut GameBuilder, played: &Played, index: usize) -> Result<(), RecordError> {
    let text = describe(played);
    let bad = || builder.at(index).expected("a move with to and piece", &text);
    let place = |place: Place| notation::square(place.x, place.y);
    let position = builder.position();
    let to = match played.to {
        Some(to) => place(to),
        None if played.same == Some(true) => position.last_move().map(Move::to),
        None => None,
    };
    let to = to.ok_or_else(bad)?;
    let from = match played.from {
        Some(from) => Some(place(from).filter(|&from| from != to).ok_or_else(bad)?),
        None => None,
    };
    let kind = match (&played.piece, from) {
        (Some(code), _) => notation::kind(code).ok_or_else(bad)?,
        (None, Some(from)) => position.piece(from).map(Piece::kind).ok_or_else(bad)?,
        (None, None) => return Err(bad()),
    };
    if played.color.is_some_and(|c| color(c) != Some(builder.side())) {
        return builder.play(None, &text, index);
    }
    let promotes = played.promote == Some(true);
    let relative = played.relative.as_deref().unwrap_or("");
    let mut spoken = Spoken { to, kind, words: words(relative), promotes, drops: false, from };
    // No origin means a drop. Only records made from KI2 leave the origin out of other moves as well.
    let drop = (from.is_none() && PieceKind::HAND.contains(&kind)).then(|| Move::drop(kind, to));
    spoken.drops = relative.contains('H')
        || (spoken.words.is_empty() && !promotes && drop.is_some_and(|drop| position.is_legal(drop)));
    match spoken.meaning(position) {
        Meaning::Move(m) => builder.play(Some(m), &text, index),
        Meaning::Nothing => builder.play(drop, &text, index),
        Meaning::Several(moves) => Err(RecordError::AmbiguousMove {
            at: builder.at(index),
            ply: builder.move_count() + 1,
            found: text,
            fits: moves.iter().map(Move::to_string).collect(),
        }),
    }
}

fn words(relative: &str) -> String {
    let word = |letter| match letter {
        'L' => Some('左'),
        'C' => Some('直'),
        'R' => Some('右'),
        'U' => Some('上'),
        'M' => Some('寄'),
        'D' => Some('引'),
        _ => None,
    };
    relative.chars().filter_map(word).collect()
}

/// The move in a form like CSA's, for errors.
fn describe(played: &Played) -> String {
    let place = |place: Option<Place>| place.map_or("00".to_owned(), |p| format!("{}{}", p.x, p.y));
    let promotion = if played.promote == Some(true) { " promoting" } else { "" };
    let piece = played.piece.as_deref().unwrap_or("?");
    format!("{}{}{piece}{promotion}", place(played.from), place(played.to))
}
