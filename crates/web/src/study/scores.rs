//! Values and lines for a browser: as Black sees them, with win rates.

use contract::LogisticScale;
use engine::{evaluation_of, win_rate};
use records::game::Evaluation;
use search::{Bound, Report};
use serde::Serialize;
use shogi::{Color, Position};

use crate::position_view::{MoveName, side_name};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct ValueView {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Plies until mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<u32>,
    /// Who mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    /// How likely Black is to win, from 0 to 1.
    black: f64,
}

/// A line of a search.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LineView {
    rank: usize,
    depth: u32,
    selective: u32,
    value: ValueView,
    /// `lower` or `upper` if the value is a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    moves: Vec<MoveName>,
}

/// Lines are shown as far as anybody reads.
const LONGEST_LINE: usize = 24;

impl ValueView {
    pub(crate) fn of(evaluation: Evaluation, scale: LogisticScale) -> ValueView {
        let black = win_rate(scale, evaluation, Color::Black);
        match evaluation {
            Evaluation::BlackCp(cp) => ValueView { cp: Some(cp), mate: None, winner: None, black },
            Evaluation::Mate { winner, plies } => {
                ValueView { cp: None, mate: plies, winner: Some(side_name(winner)), black }
            }
        }
    }
}

impl LineView {
    pub(crate) fn of(report: &Report, position: &Position, scale: LogisticScale) -> LineView {
        let side = position.side();
        // A bound from below for White is one from above for Black.
        let bound = match (report.bound, side) {
            (Bound::Exact, _) => None,
            (Bound::Lower, Color::Black) | (Bound::Upper, Color::White) => Some("lower"),
            _ => Some("upper"),
        };
        let pv = &report.pv[..report.pv.len().min(LONGEST_LINE)];
        LineView {
            rank: report.rank,
            depth: report.depth,
            selective: report.selective_depth,
            value: ValueView::of(evaluation_of(report.score, side), scale),
            bound,
            moves: MoveName::line(pv, position),
        }
    }
}
