//! What a record says about a game and its plies, for people.

use std::fmt::Write as _;

use contract::score::MATE_BOUND;
use records::game::{EndReason, Evaluation, Game, GameResult};
use shogi::Color;

/// Players, occasion and result, a line each, as far as they are known.
pub(crate) fn header(game: &Game) -> String {
    let mut text = String::new();
    let info = &game.info;
    for (color, label) in [(Color::Black, "black"), (Color::White, "white")] {
        let name = info.players[color.index()].as_deref();
        let rating = info.ratings[color.index()].map(|rating| format!("({rating})"));
        let words: Vec<&str> = name.into_iter().chain(rating.as_deref()).collect();
        line(&mut text, label, &words.join(" "));
    }
    for (label, value) in [("event", &info.event), ("begun", &info.started)] {
        line(&mut text, label, value.as_deref().unwrap_or_default());
    }
    line(&mut text, "length", &format!("{} moves", game.moves.len()));
    line(&mut text, "result", &result(game));
    text.push('\n');
    text
}

/// What the record notes about the position after `plies` moves, a line each.
pub(crate) fn notes(game: &Game, plies: usize) -> String {
    let mut text = String::new();
    let comments = match plies.checked_sub(1).and_then(|index| game.moves.get(index)) {
        None => &game.comments,
        Some(played) => {
            line(&mut text, "time", &played.time.map_or_else(String::new, |time| format!("{time:?}")));
            line(&mut text, "eval", &played.evaluation.map_or_else(String::new, evaluation));
            let pv: Vec<String> = played.pv.iter().map(ToString::to_string).collect();
            line(&mut text, "line", &pv.join(" "));
            line(&mut text, "nodes", &played.nodes.map_or_else(String::new, |nodes| nodes.to_string()));
            &played.comments
        }
    };
    for comment in comments {
        line(&mut text, "note", comment);
    }
    text
}

/// A labelled line; nothing to say, no line. Control characters of foreign files stay out of the terminal.
fn line(text: &mut String, label: &str, value: &str) {
    if !value.is_empty() {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(text, "{label:<6} {value}");
    }
}

fn evaluation(evaluation: Evaluation) -> String {
    match evaluation {
        // Records have no words for mates: engines write values near the largest instead.
        Evaluation::BlackCp(score) if score.abs() >= MATE_BOUND => {
            let winner = if score > 0 { Color::Black } else { Color::White };
            format!("{winner} mates (noted as {score:+})")
        }
        Evaluation::BlackCp(score) => format!("{score:+} for Black"),
        Evaluation::Mate { winner, plies: Some(plies) } => format!("{winner} mates in {plies} plies"),
        Evaluation::Mate { winner, plies: None } => format!("{winner} mates"),
    }
}

fn result(game: &Game) -> String {
    let Some(outcome) = &game.outcome else { return "unknown".to_owned() };
    let result = match outcome.result {
        Some(GameResult::Win(winner)) => format!("{winner} wins"),
        Some(GameResult::Draw) => "draw".to_owned(),
        None => "none".to_owned(),
    };
    format!("{result}: {}", reason(&outcome.reason))
}

fn reason(reason: &EndReason) -> String {
    let text = match reason {
        EndReason::Resignation => "resignation",
        EndReason::TimeUp => "time is up",
        EndReason::IllegalMove(Some(m)) => return format!("illegal move {m}"),
        EndReason::IllegalMove(None) => "illegal move",
        EndReason::Repetition => "repetition",
        EndReason::PerpetualCheck => "perpetual check",
        EndReason::Declaration => "declaration",
        EndReason::Impasse => "impasse",
        EndReason::Draw => "agreed",
        EndReason::MaxMoves => "limit of moves",
        EndReason::Mate => "mate",
        EndReason::NoMate => "no mate",
        EndReason::Interrupted => "interrupted",
        EndReason::TakenBack => "a move was taken back",
        EndReason::Forfeit => "forfeit",
        EndReason::Error => "a program failed",
        EndReason::Other(words) => return words.clone(),
    };
    text.to_owned()
}
