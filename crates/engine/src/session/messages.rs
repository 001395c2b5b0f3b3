//! What a player says, as messages of the protocol. The one place where its events become text.

use std::time::Duration;

use protocol::usi::{BestMove, EngineMessage, Info};
use search::{Choice, Decision, Report, Score, TreeFacts};
use shogi::Move;

use crate::agent::{Answer, BookChoice, Event};

/// An event as messages. Reports are for [`super::reports`], which holds some of them back.
pub(super) fn of_event(event: &Event<'_>) -> Vec<EngineMessage> {
    match event {
        Event::Report(report) => of_report(report),
        Event::BookMove(choice) => of_book_move(choice),
        Event::IllegalBookMoves(moves) => {
            let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
            vec![EngineMessage::info_string(format!("the book has illegal moves here: {}", moves.join(" ")))]
        }
        Event::ProvenMate { line, nodes, elapsed } => {
            vec![mate(line, *nodes, *elapsed), EngineMessage::info_string("win rate 100.0 %, a proven mate")]
        }
        Event::Unreported(decision) => vec![EngineMessage::Info(Box::new(unreported(decision)))],
        Event::WinRate { win_rate, scale } => {
            let percent = win_rate * 100.0;
            let scale = scale.centipawns();
            vec![EngineMessage::info_string(format!("win rate {percent:.1} %, at a scale of {scale}"))]
        }
    }
}

/// A report, and what a tree has to say besides.
pub(super) fn of_report(report: &Report) -> Vec<EngineMessage> {
    let mut messages = vec![EngineMessage::Info(Box::new(info(report)))];
    messages.extend(report.tree.map(|facts| EngineMessage::info_string(tree_facts(report.rank, &facts))));
    messages
}

fn of_book_move(choice: &BookChoice) -> Vec<EngineMessage> {
    let info = Info {
        depth: choice.depth,
        score: choice.value.map(Score::Centipawns),
        pv: [Some(choice.m), choice.ponder].into_iter().flatten().collect(),
        ..Info::default()
    };
    vec![
        EngineMessage::Info(Box::new(info)),
        EngineMessage::info_string(format!("book move, one of {}", choice.of)),
    ]
}

/// The answer to `go`.
pub(super) fn of_answer(answer: &Answer) -> BestMove {
    match answer.choice {
        Choice::Resign => BestMove::Resign,
        Choice::Declare => BestMove::Win,
        Choice::Move(best) => BestMove::Move { best, ponder: answer.ponder },
    }
}

/// How far the solver of `go mate` is.
pub(super) fn solver_progress(nodes: u64, elapsed: Duration) -> EngineMessage {
    let nps = (nodes as f64 / elapsed.as_secs_f64().max(1e-3)) as u64;
    EngineMessage::Info(Box::new(Info {
        time: Some(elapsed),
        nodes: Some(nodes),
        nps: Some(nps),
        ..Info::default()
    }))
}

/// A mate with its line, and what it took the solver.
pub(super) fn mate(line: &[Move], nodes: u64, time: Duration) -> EngineMessage {
    EngineMessage::Info(Box::new(Info {
        depth: Some(line.len() as u32),
        time: Some(time),
        nodes: Some(nodes),
        score: Some(Score::MateIn(line.len() as u32)),
        pv: line.to_vec(),
        ..Info::default()
    }))
}

fn unreported(decision: &Decision) -> Info {
    let best = match decision.choice {
        Choice::Move(best) => Some(best),
        Choice::Declare | Choice::Resign => None,
    };
    Info {
        depth: Some(decision.depth),
        nodes: Some(decision.nodes),
        score: Some(decision.score),
        pv: best.into_iter().chain(decision.ponder).collect(),
        ..Info::default()
    }
}

fn info(report: &Report) -> Info {
    let seconds = report.elapsed.as_secs_f64().max(1e-3);
    Info {
        depth: Some(report.depth),
        seldepth: Some(report.selective_depth),
        time: Some(report.elapsed),
        nodes: Some(report.nodes),
        nps: Some((report.nodes as f64 / seconds) as u64),
        hashfull: Some(report.hash_permille),
        multipv: Some(report.rank as u32),
        score: Some(report.score),
        bound: report.bound,
        pv: report.pv.clone(),
        ..Info::default()
    }
}

/// What the protocol has no words for.
fn tree_facts(rank: usize, facts: &TreeFacts) -> String {
    let TreeFacts { visits, win_rate, depth, probability, threshold, capped } = facts;
    let threshold = threshold.map_or(String::new(), |bits| format!(" theta {bits:.1}"));
    let capped = capped.map_or(String::new(), |share| format!(" capped {:.1} %", share * 100.0));
    format!(
        "line {rank}: winrate {win_rate:.3} visits {visits} D {depth:.2} probability {probability:.3}{threshold}{capped}"
    )
}
