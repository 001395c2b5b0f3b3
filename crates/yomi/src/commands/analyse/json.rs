//! The analysis as one JSON object. Values are as Black sees them, losses are shares of 1.

use engine::analysis::{Analysis, Choice, Judgement, LossClass, Review, Summary};
use records::game::Evaluation;
use serde::Serialize;
use shogi::{Color, Move};

use super::Analyse;
use super::games::Found;
use crate::analysis_text::{self, side_letter};

#[derive(Serialize)]
pub(super) struct Report {
    record: String,
    game: u64,
    /// Black's name, White's name.
    players: [Option<String>; 2],
    player: String,
    limit: String,
    scale: f64,
    start: String,
    /// Of every position, that before the first judged move first.
    values: Vec<Value>,
    moves: Vec<MoveReport>,
    black: Side,
    white: Side,
}

/// Either centipawns or a mate.
#[derive(Serialize)]
struct Value {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Plies until mate; the winner is beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<char>,
    black_win_rate: f64,
}

#[derive(Serialize)]
struct MoveReport {
    ply: usize,
    side: char,
    #[serde(rename = "move")]
    played: String,
    is_best: bool,
    /// The value before the move: that of the best one.
    best_value: Value,
    /// The best line; empty if the best was to declare.
    best_line: Vec<String>,
    /// The best moves with their lines, as many as were asked for.
    candidates: Vec<CandidateReport>,
    declare: bool,
    value: Value,
    loss: f64,
    class: Option<&'static str>,
    depth: u32,
    nodes: u64,
}

#[derive(Serialize)]
struct CandidateReport {
    value: Value,
    line: Vec<String>,
}

#[derive(Serialize)]
struct Side {
    moves: usize,
    agreed: usize,
    agreement: f64,
    mean_loss: f64,
    inaccuracies: usize,
    dubious: usize,
    mistakes: usize,
    blunders: usize,
}

pub(super) fn of(asked: &Analyse, found: &Found, analysis: &Analysis) -> Report {
    let game = &found.game;
    let value = |evaluation| value(analysis, evaluation);
    let reviews = analysis.reviews.iter().zip(&analysis.judgements);
    let side = |color| side(&Summary::of(&analysis.reviews, color));
    Report {
        record: found.record.clone(),
        game: found.number,
        players: game.info.players.clone(),
        player: asked.player.to_string(),
        limit: analysis_text::effort(asked.effort()),
        scale: analysis.scale.centipawns(),
        start: game.start.to_string(),
        values: (0..analysis.judgements.len()).map(|moves| value(analysis.value_after(moves))).collect(),
        moves: (analysis.skipped + 1..)
            .zip(reviews)
            .map(|(ply, (review, before))| played(analysis, ply, review, before))
            .collect(),
        black: side(Color::Black),
        white: side(Color::White),
    }
}

fn value(analysis: &Analysis, evaluation: Evaluation) -> Value {
    let black_win_rate = engine::win_rate(analysis.scale, evaluation, Color::Black);
    match evaluation {
        Evaluation::BlackCp(cp) => Value { cp: Some(cp), mate: None, winner: None, black_win_rate },
        Evaluation::Mate { winner, plies } => {
            Value { cp: None, mate: plies, winner: Some(side_letter(winner)), black_win_rate }
        }
    }
}

fn played(analysis: &Analysis, ply: usize, review: &Review, before: &Judgement) -> MoveReport {
    MoveReport {
        ply,
        side: side_letter(review.side),
        played: review.played.to_string(),
        is_best: review.is_best,
        best_value: value(analysis, review.best),
        best_line: texts(before.line()),
        candidates: before
            .candidates
            .iter()
            .map(|known| CandidateReport {
                value: value(analysis, known.evaluation),
                line: texts(&known.line),
            })
            .collect(),
        declare: before.choice == Some(Choice::Declare),
        value: value(analysis, review.value),
        loss: review.loss,
        class: review.class().map(LossClass::name),
        depth: before.depth,
        nodes: before.nodes,
    }
}

fn texts(line: &[Move]) -> Vec<String> {
    line.iter().map(Move::to_string).collect()
}

fn side(summary: &Summary) -> Side {
    let [inaccuracies, dubious, mistakes, blunders] = summary.counts;
    Side {
        moves: summary.moves,
        agreed: summary.agreed,
        agreement: summary.agreement(),
        mean_loss: summary.mean_loss(),
        inaccuracies,
        dubious,
        mistakes,
        blunders,
    }
}
