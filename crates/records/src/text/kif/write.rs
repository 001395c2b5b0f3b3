//! Writing KIF and KI2.

use std::fmt::Write;
use std::time::Duration;

use shogi::{Color, Handicap, Position, START_SFEN};

use super::super::annotation;
use super::super::one_line::{lines_of, one_line};
use super::super::variations::{latest_first, moves_before};
use super::{board, ending, header, spoken};
use crate::game::{EndReason, Game, PlayedMove};

/// How many columns a move takes in KIF; Japanese characters take two.
const MOVE_WIDTH: usize = 13;
/// How many moves KI2 puts on a line.
const MOVES_PER_LINE: usize = 6;

/// The whole KIF file. `encoding` is the name of the one it will be stored in.
pub(crate) fn write_kif(game: &Game, encoding: &str) -> String {
    let mut text = format!("#KIF version=2.0 encoding={encoding}\n");
    write_preamble(&mut text, game);
    text += "手数----指手---------消費時間--\n";
    write_comments(&mut text, &game.comments);
    let mut position = game.start.clone();
    let mut totals = [Duration::ZERO; 2];
    write_plies(&mut text, 0, &game.moves, &mut position, &mut totals);
    if let Some(outcome) = &game.outcome {
        let mut number = game.moves.len() + 1;
        if let EndReason::IllegalMove(Some(m)) = outcome.reason {
            let said = spoken::write_with_origin(m, &position);
            write_ply(&mut text, number, &said, None, &mut totals[position.side().index()]);
            number += 1;
        }
        let word = ending::word(outcome, position.side());
        write_ply(&mut text, number, word, outcome.time, &mut totals[position.side().index()]);
    }
    write_closing(&mut text, game, &position);
    latest_first(&game.variations, &mut |line, way| {
        let _ = write!(text, "\n変化：{}手\n", line.after + 1);
        let (mut position, mut totals) = (game.start.clone(), [Duration::ZERO; 2]);
        for played in moves_before(game, way, line.after) {
            let total = &mut totals[position.side().index()];
            *total = total.saturating_add(played.time.unwrap_or_default());
            position.play(played.m);
        }
        write_plies(&mut text, line.after, &line.moves, &mut position, &mut totals);
    });
    text
}

/// Moves with their numbers, times and notes; `position` and the times used go along.
fn write_plies(
    text: &mut String,
    before: usize,
    moves: &[PlayedMove],
    position: &mut Position,
    totals: &mut [Duration; 2],
) {
    for (number, played) in (before + 1..).zip(moves) {
        let said = spoken::write_with_origin(played.m, position);
        write_ply(text, number, &said, played.time, &mut totals[position.side().index()]);
        position.play(played.m);
        write_notes(text, played, position);
    }
}

/// The whole KI2 file, which has no times.
pub(crate) fn write_ki2(game: &Game, encoding: &str) -> String {
    let mut text = format!("#KI2 version=2.0 encoding={encoding}\n");
    write_preamble(&mut text, game);
    text.push('\n');
    write_comments(&mut text, &game.comments);
    let mut position = game.start.clone();
    write_spoken(&mut text, &game.moves, &mut position);
    if let Some(EndReason::IllegalMove(Some(m))) = game.outcome.as_ref().map(|outcome| &outcome.reason) {
        text += &spoken::write(*m, &position);
        text.push('\n');
    }
    write_closing(&mut text, game, &position);
    latest_first(&game.variations, &mut |line, way| {
        let _ = write!(text, "\n変化：{}手\n", line.after + 1);
        let mut position = game.start.clone();
        for played in moves_before(game, way, line.after) {
            position.play(played.m);
        }
        write_spoken(&mut text, &line.moves, &mut position);
    });
    text
}

/// Moves as people say them, some on a line, with their notes; `position` goes along.
fn write_spoken(text: &mut String, moves: &[PlayedMove], position: &mut Position) {
    let mut on_line = 0;
    for played in moves {
        *text += &spoken::write(played.m, position);
        position.play(played.m);
        on_line += 1;
        let before = text.len();
        text.push('\n');
        write_notes(text, played, position);
        let has_notes = text.len() > before + 1;
        if has_notes || on_line == MOVES_PER_LINE {
            on_line = 0;
        } else {
            text.truncate(before);
            *text += "    ";
        }
    }
    if on_line > 0 {
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
}

fn write_preamble(text: &mut String, game: &Game) {
    let handicap = Handicap::of(&game.start);
    for (key, value) in header::pairs(&game.info, is_handicap(&game.start)) {
        if can_be_key(&key) {
            let _ = writeln!(text, "{key}：{}", one_line(&value));
        }
    }
    match handicap {
        Some(handicap) => {
            let _ = writeln!(text, "手合割：{}", handicap.japanese);
        }
        None => {
            for line in board::lines(&game.start) {
                let _ = writeln!(text, "{line}");
            }
        }
    }
}

/// Whether a header may have this key without being taken for another kind of line.
fn can_be_key(key: &str) -> bool {
    let reserved =
        key == "手合割" || key.starts_with("変化") || key.starts_with("まで") || key.ends_with("持駒");
    let first = key.chars().next();
    !reserved
        && !key.contains(['：', ':'])
        && !key.chars().any(char::is_control)
        && first.is_some_and(|c| !c.is_whitespace() && !"*#&|+▲△☗☖▼▽".contains(c))
        && !key.starts_with(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c))
}

fn is_handicap(start: &Position) -> bool {
    Handicap::of(start).is_some_and(|handicap| handicap.sfen != START_SFEN)
}

/// `   1 ７六歩(77)   ( 0:16/00:00:16)`; the second time is the mover's total.
fn write_ply(text: &mut String, number: usize, said: &str, time: Option<Duration>, total: &mut Duration) {
    let _ = write!(text, "{number:>4} {said}");
    if let Some(time) = time {
        *total = total.saturating_add(time);
        let width: usize = said.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        let gap = " ".repeat(MOVE_WIDTH.saturating_sub(width).max(1));
        let (used, total) = (time.as_secs(), total.as_secs());
        let _ = write!(
            text,
            "{gap}({:>2}:{:02}/{:02}:{:02}:{:02})",
            used / 60,
            used % 60,
            total / 3600,
            total / 60 % 60,
            total % 60
        );
    }
    text.push('\n');
}

fn write_notes(text: &mut String, played: &PlayedMove, after: &Position) {
    write_comments(text, &annotation::japanese_lines(played, after));
    write_comments(text, &played.comments);
}

fn write_comments(text: &mut String, comments: &[String]) {
    for line in lines_of(comments) {
        let _ = writeln!(text, "*{line}");
    }
}

fn write_closing(text: &mut String, game: &Game, last: &Position) {
    let Some(outcome) = &game.outcome else { return };
    // An illegal move that is written out counts and passes the turn.
    let (count, side): (usize, Color) = match outcome.reason {
        EndReason::IllegalMove(Some(_)) => (game.moves.len() + 1, !last.side()),
        _ => (game.moves.len(), last.side()),
    };
    let _ = writeln!(text, "{}", ending::closing_line(outcome, count, side, is_handicap(&game.start)));
}
