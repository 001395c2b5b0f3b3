//! Writing CSA.

use std::fmt::Write;

use shogi::{Color, DeclarationRule, Position};

use super::super::annotation;
use super::super::one_line::{lines_of, one_line};
use super::super::seconds::write_seconds;
use super::{board, notation, special};
use crate::game::{EndReason, Game, GameInfo, PlayedMove, TimeControl};

/// Which CSA to write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// V2.2: whole seconds, no increment, no rules.
    V22,
    /// V3.0.
    V30,
}

/// The whole file.
pub(crate) fn write(game: &Game, version: Version) -> String {
    let mut text = match version {
        Version::V22 => "V2.2\n".to_owned(),
        Version::V30 => "'CSA encoding=UTF-8\nV3.0\n".to_owned(),
    };
    write_info(&mut text, &game.info, version);
    for line in board::lines(&game.start) {
        text += &line;
        text.push('\n');
    }
    write_comments(&mut text, &game.comments);
    let mut position = game.start.clone();
    for played in &game.moves {
        let _ = writeln!(text, "{}", notation::write_move(played.m, &position));
        position.play(played.m);
        write_notes(&mut text, played, &position, version);
    }
    write_outcome(&mut text, game, &position, version);
    text
}

fn write_info(text: &mut String, info: &GameInfo, version: Version) {
    for color in Color::ALL {
        if let Some(name) = &info.players[color.index()] {
            let _ = writeln!(text, "N{}{}", notation::sign(color), one_line(name));
        }
    }
    let fields = [
        ("EVENT", &info.event),
        ("SITE", &info.site),
        ("START_TIME", &info.started),
        ("END_TIME", &info.ended),
        ("OPENING", &info.opening),
    ];
    for (key, value) in fields {
        if let Some(value) = value {
            let _ = writeln!(text, "${key}:{}", one_line(value));
        }
    }
    for (key, value) in &info.other {
        let is_key = key.bytes().all(|b| b.is_ascii_uppercase() || matches!(b, b'_' | b'+' | b'-'));
        if is_key && !key.is_empty() {
            let _ = writeln!(text, "${key}:{}", one_line(value));
        }
    }
    write_conditions(text, info, version);
    // Neither version has a word for ratings; this is how servers note them.
    for (key, rating) in ["black_rate", "white_rate"].iter().zip(info.ratings) {
        if let Some(rating) = rating.filter(|rating| rating.is_finite()) {
            let _ = writeln!(text, "'{key}:{rating:?}");
        }
    }
}

fn write_conditions(text: &mut String, info: &GameInfo, version: Version) {
    match (version, info.time) {
        (Version::V22, [Some(black), Some(white)]) if black == white => write_time_limit(text, black),
        (Version::V22, _) => {}
        (Version::V30, [Some(black), Some(white)]) if black == white => write_time(text, "TIME", black),
        (Version::V30, times) => {
            for (key, time) in ["TIME+", "TIME-"].iter().zip(times) {
                if let Some(time) = time {
                    write_time(text, key, time);
                }
            }
        }
    }
    if let Some(max_moves) = info.max_moves {
        let _ = match version {
            Version::V22 => writeln!(text, "'Max_Moves:{max_moves}"),
            Version::V30 => writeln!(text, "$MAX_MOVES:{max_moves}"),
        };
    }
    let points = match info.declaration_rule {
        Some(DeclarationRule::Points24) => "24",
        Some(DeclarationRule::Points27) => "27",
        _ => return,
    };
    if version == Version::V30 {
        let _ = writeln!(text, "$JISHOGI:{points}");
    }
}

/// V2.2 knows minutes and byoyomi only; other times are left out rather than rounded.
fn write_time_limit(text: &mut String, time: TimeControl) {
    let (minutes, byoyomi) = (time.initial.as_secs() / 60, time.byoyomi.as_secs());
    let exact = time.initial.as_millis() == u128::from(minutes) * 60_000
        && time.byoyomi.as_millis() == u128::from(byoyomi) * 1000
        && time.increment.is_zero();
    if exact {
        let _ = writeln!(text, "$TIME_LIMIT:{:02}:{:02}+{byoyomi:02}", minutes / 60, minutes % 60);
    }
}

fn write_time(text: &mut String, key: &str, time: TimeControl) {
    let [initial, byoyomi, increment] = [time.initial, time.byoyomi, time.increment].map(write_seconds);
    let _ = writeln!(text, "${key}:{initial}+{byoyomi}+{increment}");
}

fn write_used(text: &mut String, time: Option<std::time::Duration>, version: Version) {
    if let Some(time) = time {
        let _ = match version {
            Version::V22 => writeln!(text, "T{}", time.as_secs()),
            Version::V30 => writeln!(text, "T{}", write_seconds(time)),
        };
    }
}

fn write_notes(text: &mut String, played: &PlayedMove, after: &Position, version: Version) {
    write_used(text, played.time, version);
    match annotation::csa_line(played, after) {
        Some(line) => {
            let _ = writeln!(text, "'**{line}");
        }
        None => write_comments(text, &annotation::japanese_lines(played, after)),
    }
    write_comments(text, &played.comments);
}

/// A space keeps a comment that begins with `*` from looking like an evaluation.
fn write_comments(text: &mut String, comments: &[String]) {
    for line in lines_of(comments) {
        let space = if line.starts_with(['*', ' ']) { " " } else { "" };
        let _ = writeln!(text, "'*{space}{line}");
    }
}

fn write_outcome(text: &mut String, game: &Game, last: &Position, version: Version) {
    let Some(outcome) = &game.outcome else { return };
    if let EndReason::IllegalMove(Some(m)) = outcome.reason {
        let _ = writeln!(text, "{}", notation::write_move(m, last));
    }
    let _ = writeln!(text, "%{}", special::word(outcome, last.side()));
    write_used(text, outcome.time, version);
}
