//! Writing JKF, normalised: every move with origin, colour, capture and what tells it from others.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use shogi::{Color, Handicap, Move, PieceKind, Position, START_SFEN, Square};

use super::super::annotation;
use super::super::csa::{notation, special};
use super::super::kif::{header, spoken};
use super::schema::{Cell, Clock, Data, Entry, Place, Played, Time};
use crate::game::{EndReason, Game, PlayedMove, Variation};

/// The whole file, indented.
pub(crate) fn write(game: &Game) -> String {
    let is_handicap = Handicap::of(&game.start).is_some_and(|handicap| handicap.sfen != START_SFEN);
    let header: BTreeMap<String, String> = header::pairs(&game.info, is_handicap).into_iter().collect();
    let file = json!({ "header": header, "initial": initial(&game.start), "moves": entries(game) });
    // Serialising a `Value` with text keys cannot fail.
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}

fn initial(start: &Position) -> Value {
    match Handicap::of(start) {
        Some(handicap) => json!({ "preset": handicap.name }),
        None => json!({ "preset": "OTHER", "data": data(start) }),
    }
}

fn data(start: &Position) -> Data {
    let cell = |square: Square| {
        let piece = start.piece(square);
        Cell {
            color: piece.map(|piece| number(piece.color())),
            kind: piece.map(|piece| notation::code(piece.kind()).to_owned()),
        }
    };
    let hand = |color: Color| {
        let count = |kind: PieceKind| (notation::code(kind).to_owned(), start.hand(color).count(kind));
        PieceKind::HAND.into_iter().map(count).collect()
    };
    Data {
        color: number(start.side()),
        board: (0..9).map(|file| (0..9).map(|rank| cell(Square::new(file, rank))).collect()).collect(),
        hands: Color::ALL.into_iter().map(hand).collect(),
    }
}

fn number(color: Color) -> u8 {
    color.index() as u8
}

fn entries(game: &Game) -> Vec<Entry> {
    let mut entries = vec![Entry { comments: comments(game.comments.clone()), ..Entry::default() }];
    let mut state = State { position: game.start.clone(), totals: [Duration::ZERO; 2] };
    entries.extend(line(0, &game.moves, &game.variations, &mut state));
    let Some(outcome) = &game.outcome else { return entries };
    // Variations beyond the last move stand beside whatever ended the game.
    let beyond = entries.pop_if(|last| last.played.is_none() && last.forks.is_some());
    let mut forks = beyond.and_then(|entry| entry.forks);
    let State { position, mut totals } = state;
    if let EndReason::IllegalMove(Some(m)) = outcome.reason {
        entries.push(Entry { played: Some(describe(m, &position)), forks: forks.take(), ..Entry::default() });
    }
    entries.push(Entry {
        special: Some(special::word(outcome, position.side())),
        time: time(outcome.time, &mut totals[position.side().index()]),
        forks,
        ..Entry::default()
    });
    entries
}

/// How far a line has been written.
#[derive(Clone)]
struct State {
    position: Position,
    /// Times used by each side.
    totals: [Duration; 2],
}

/// Moves, with the variations beside the moves that they replace.
fn line(before: usize, moves: &[PlayedMove], variations: &[Variation], state: &mut State) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (after, played) in (before..).zip(moves) {
        let forks = forks(variations, after, state);
        let total = &mut state.totals[state.position.side().index()];
        let time = time(played.time, total);
        let mut entry =
            Entry { played: Some(describe(played.m, &state.position)), time, forks, ..Entry::default() };
        state.position.play(played.m);
        let mut notes = annotation::japanese_lines(played, &state.position);
        notes.extend(played.comments.iter().cloned());
        entry.comments = comments(notes);
        entries.push(entry);
    }
    if let Some(beyond) = forks(variations, before + moves.len(), state) {
        entries.push(Entry { forks: Some(beyond), ..Entry::default() });
    }
    entries
}

fn forks(variations: &[Variation], after: usize, state: &State) -> Option<Vec<Vec<Entry>>> {
    let here = variations.iter().filter(|line| line.after == after);
    let forks: Vec<_> =
        here.map(|fork| line(after, &fork.moves, &fork.variations, &mut state.clone())).collect();
    (!forks.is_empty()).then_some(forks)
}

fn comments(comments: Vec<String>) -> Option<Vec<String>> {
    (!comments.is_empty()).then_some(comments)
}

/// Whole seconds: JKF has no smaller unit.
fn time(used: Option<Duration>, total: &mut Duration) -> Option<Time> {
    let used = used?;
    *total = total.saturating_add(used);
    let minutes = |time: Duration| u32::try_from(time.as_secs() / 60).unwrap_or(u32::MAX);
    let seconds = |time: Duration| (time.as_secs() % 60) as u32;
    Some(Time {
        now: Clock { h: None, m: minutes(used), s: seconds(used) },
        total: Some(Clock { h: Some(minutes(*total) / 60), m: minutes(*total) % 60, s: seconds(*total) }),
    })
}

fn describe(m: Move, position: &Position) -> Played {
    let place = |square: Square| Place { x: square.file() + 1, y: square.rank() + 1 };
    let side = position.side();
    let kind = notation::kind_before(m, position);
    let could_promote =
        kind.promoted().is_some() && m.from().is_some_and(|from| from.in_zone(side) || m.to().in_zone(side));
    let is_same = position.last_move().is_some_and(|last| last.to() == m.to());
    let captured = position.piece(m.to()).filter(|_| !m.is_drop());
    Played {
        color: Some(number(side)),
        from: m.from().map(place),
        to: Some(place(m.to())),
        piece: Some(notation::code(kind).to_owned()),
        same: is_same.then_some(true),
        promote: (could_promote || m.is_promotion()).then_some(m.is_promotion()),
        capture: captured.map(|piece| notation::code(piece.kind()).to_owned()),
        relative: relative(m, position),
    }
}

fn relative(m: Move, position: &Position) -> Option<String> {
    let letter = |word| match word {
        '左' => 'L',
        '直' => 'C',
        '右' => 'R',
        '上' => 'U',
        '寄' => 'M',
        '引' => 'D',
        _ => 'H',
    };
    let words = if position.is_legal(m) { spoken::distinguishing_words(m, position) } else { "" };
    (!words.is_empty()).then(|| words.chars().map(letter).collect())
}
