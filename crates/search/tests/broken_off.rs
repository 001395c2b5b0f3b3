//! Alpha-beta searches that end in the middle of an iteration: by nodes, by a stop, by the clock.

use std::time::Duration;

use eval::Material;
use search::alphabeta::{AlphaBeta, Model, Params};
use search::{Bound, Choice, Control, Decision, Limits, Method, Report, Root};
use shogi::Position;

const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

fn think(threads: usize, limits: &Limits, control: &Control) -> (Decision, Vec<Report>) {
    let player = AlphaBeta::new(Material::new, 16, threads, Params::default(), Model::embedded());
    let root = Root::new(MIDDLE.parse().unwrap());
    let mut reports = Vec::new();
    let mut listen = |report: &Report| reports.push(report.clone());
    let decision = player.unwrap().think(&root, limits, control, &mut listen);
    (decision, reports)
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Limits that end searches anywhere in an iteration.
fn anywhere() -> impl Iterator<Item = u64> {
    (0..40).map(|i| 500 + 397 * i)
}

#[test]
fn the_last_report_is_the_decision_and_hardly_ever_a_bound() {
    for (threads, lines) in [(1, 1), (2, 1), (1, 3)] {
        let mut bounds = 0;
        for limit in anywhere() {
            let (decision, reports) = think(threads, &Limits { lines, ..nodes(limit) }, &Control::new());
            let last = reports.iter().rfind(|report| report.rank == 1).expect("a report");
            assert_eq!(decision.score, last.score, "{limit} nodes");
            assert_eq!(decision.choice, Choice::Move(last.pv[0]), "{limit} nodes");
            bounds += usize::from(last.bound != Bound::Exact);
        }
        // A move may be the best for the first time, and its value not yet known.
        assert!(bounds < 4, "{bounds}");
    }
}

#[test]
fn the_expected_reply_is_legal() {
    let mut expected = 0;
    for limit in anywhere() {
        let decision = think(1, &nodes(limit), &Control::new()).0;
        let (Choice::Move(m), Some(reply)) = (decision.choice, decision.ponder) else { continue };
        let mut position: Position = MIDDLE.parse().unwrap();
        position.play(m);
        assert!(position.is_legal(reply), "{limit} nodes: {m} {reply}");
        expected += 1;
    }
    assert!(expected > 30, "{expected}");
}

#[test]
fn node_limits_are_exact_for_one_thread_and_bind_all_together() {
    let first_iteration = think(1, &nodes(0), &Control::new()).0.nodes;
    for limit in [900, 4_321, 10_000] {
        assert_eq!(think(1, &nodes(limit), &Control::new()).0.nodes, limit);
        // Helpers may be quick enough to leave nothing for the first iteration, which is finished nevertheless; what they
        // left in the table changes its size a little.
        let together = think(3, &nodes(limit), &Control::new()).0.nodes;
        assert!(together <= limit + 3 * first_iteration, "{together} of {limit}");
    }
}

#[test]
fn the_first_iteration_is_finished_under_any_node_limit() {
    for limit in [0, 1, 50] {
        let (decision, reports) = think(1, &nodes(limit), &Control::new());
        assert!(decision.depth == 1 && !reports.is_empty(), "{limit} nodes: {decision:?}");
    }
}

#[test]
fn a_search_that_is_stopped_before_it_begins_has_an_answer_with_a_value() {
    for clock in [false, true] {
        let control = Control::new();
        if clock {
            control.start_clock(Duration::ZERO, Duration::ZERO);
        } else {
            control.stop();
        }
        let (decision, reports) = think(2, &Limits::default(), &control);
        let position: Position = MIDDLE.parse().unwrap();
        assert!(matches!(decision.choice, Choice::Move(m) if position.is_legal(m)));
        assert_eq!(reports.last().map(|report| report.score), Some(decision.score));
    }
}
