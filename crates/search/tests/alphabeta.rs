//! The alpha-beta player as its users see it, with a plain material count as evaluator.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use eval::Evaluator;
use search::alphabeta::{AlphaBeta, Model, Params};
use search::{Choice, Control, Decision, Limits, Method, Report, Root, Rules, Score};
use shogi::{Color, Delta, Move, PieceKind, Position};

/// Counts pieces, nothing else.
struct Count;

impl Evaluator for Count {
    fn reset(&mut self, _: &Position) {}
    fn push(&mut self, _: &Delta) {}
    fn pop(&mut self) {}
    fn evaluate(&mut self, position: &Position) -> i32 {
        const WORTH: [i32; 14] = [90, 300, 400, 500, 850, 1000, 550, 0, 540, 540, 540, 540, 950, 1400];
        let of = |color: Color| -> i32 {
            let board = PieceKind::ALL
                .iter()
                .map(|&kind| position.pieces_of(color, kind).count() as i32 * WORTH[kind.index()]);
            let hand = position.hand(color).iter().map(|(kind, n)| i32::from(n) * WORTH[kind.index()]);
            board.chain(hand).sum()
        };
        of(position.side()) - of(!position.side())
    }
}

fn player(threads: usize) -> AlphaBeta<Count> {
    AlphaBeta::new(|| Count, 16, threads, Params::default(), Model::embedded()).unwrap()
}

fn think(player: &mut AlphaBeta<Count>, sfen: &str, limits: &Limits) -> (Decision, Vec<Report>) {
    let root = Root::new(sfen.parse().unwrap());
    let mut reports = Vec::new();
    let decision = player.think(&root, limits, &Control::new(), &mut |report| reports.push(report.clone()));
    (decision, reports)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

#[test]
fn short_mates_are_found_and_counted_in_plies() {
    for (sfen, plies) in [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1),
        ("ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42", 3),
        ("l3kgsnl/9/p1pS+Bp3/7pp/6PP1/9/PPPPPPn1P/1B1GG2+r1/LNS1K3L w RG3Psnp 54", 3),
        ("l2gkg2l/2s3s2/p1nppp1pp/2p3p2/P4P1P1/4n3P/1PPPG1N2/1BKS2+s2/LN3+r3 w RBgl3p 72", 5),
    ] {
        let (decision, _) = think(&mut player(1), sfen, &depth(8));
        assert_eq!(decision.score, Score::MateIn(plies), "{sfen}");
    }
}

#[test]
fn every_reported_line_is_legal() {
    for threads in [1, 2] {
        let limits = Limits { depth: Some(8), lines: 3, ..Limits::default() };
        let (_, reports) = think(&mut player(threads), MIDDLE, &limits);
        assert!(reports.iter().any(|report| report.rank == 3));
        for report in reports {
            let mut position: Position = MIDDLE.parse().unwrap();
            for m in report.pv {
                assert!(position.is_legal(m), "{m} in {position}");
                position.play(m);
            }
        }
    }
}

#[test]
fn one_thread_searches_the_same_tree_every_time() {
    let nodes: Vec<u64> = (0..2).map(|_| think(&mut player(1), MIDDLE, &depth(9)).0.nodes).collect();
    assert_eq!(nodes[0], nodes[1]);
    let mut again = player(1);
    think(&mut again, shogi::START_SFEN, &depth(6));
    again.new_game();
    assert_eq!(think(&mut again, MIDDLE, &depth(9)).0.nodes, nodes[0], "a new game forgets the last one");
}

#[test]
fn lines_are_ranked_by_score_and_differ_in_their_first_move() {
    let limits = Limits { depth: Some(7), lines: 4, ..Limits::default() };
    let (decision, reports) = think(&mut player(1), MIDDLE, &limits);
    let last: Vec<&Report> = reports.iter().rev().take(4).rev().collect();
    let first_moves: std::collections::BTreeSet<Move> = last.iter().map(|report| report.pv[0]).collect();
    assert_eq!(first_moves.len(), 4);
    assert_eq!(decision.choice, Choice::Move(last[0].pv[0]));
    let value = |report: &Report| report.score.value();
    assert!(last.windows(2).all(|pair| value(pair[0]) >= value(pair[1])), "{last:?}");
}

#[test]
fn only_the_given_moves_are_searched() {
    let only: Move = "9g9f".parse().unwrap();
    let limits = Limits { depth: Some(5), search_moves: vec![only], ..Limits::default() };
    assert_eq!(think(&mut player(1), shogi::START_SFEN, &limits).0.choice, Choice::Move(only));
}

#[test]
fn the_node_limit_is_kept() {
    for nodes in [1_000, 20_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (decision, _) = think(&mut player(1), MIDDLE, &limits);
        assert!(decision.nodes <= nodes + 200, "{} of {nodes}", decision.nodes);
        assert!(decision.nodes >= nodes, "{} of {nodes}", decision.nodes);
    }
}

#[test]
fn stop_ends_a_search_without_limits() {
    let control = Arc::new(Control::new());
    let (decided, decision) = mpsc::channel();
    // Not waited for, since a search that is not stopped never ends.
    let thinking = Arc::clone(&control);
    std::thread::spawn(move || {
        let root = Root::new(MIDDLE.parse().unwrap());
        let _ = decided.send(player(2).think(&root, &Limits::default(), &thinking, &mut |_| {}));
    });
    std::thread::sleep(Duration::from_millis(60));
    control.stop();
    let decision = decision.recv_timeout(Duration::from_secs(2)).expect("a stop within two seconds");
    let position: Position = MIDDLE.parse().unwrap();
    assert!(matches!(decision.choice, Choice::Move(m) if position.is_legal(m)));
}

#[test]
fn the_mated_resign_and_the_entered_declare() {
    let (decision, _) = think(&mut player(1), "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", &depth(3));
    assert_eq!((decision.choice, decision.score), (Choice::Resign, Score::MatedIn(0)));
    let entered = "+R+BGK5/+P+P+P+P+P+P3/P8/9/9/9/9/9/4k4 b B5P 1";
    assert_eq!(think(&mut player(1), entered, &depth(3)).0.choice, Choice::Declare);
}

#[test]
fn too_many_moves_are_a_draw() {
    let mut root = Root::new("4k4/9/9/9/9/9/9/9/R3K4 b R 255".parse().unwrap());
    root.rules = Rules { max_moves: 256, draw_value: [-2, -2], ..Rules::default() };
    let decision = player(1).think(&root, &depth(6), &Control::new(), &mut |_| {});
    assert_eq!(decision.score, Score::Centipawns(-2));
}

/// Says anything about anything.
struct Noise;

impl Evaluator for Noise {
    fn reset(&mut self, _: &Position) {}
    fn push(&mut self, _: &Delta) {}
    fn pop(&mut self) {}
    fn evaluate(&mut self, position: &Position) -> i32 {
        (position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 51) as i32 - (1 << 12)
    }
}

#[test]
fn a_nonsense_evaluation_ends_too() {
    let mut player = AlphaBeta::new(|| Noise, 16, 1, Params::default(), Model::embedded()).unwrap();
    for sfen in [MIDDLE, "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"] {
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let decision = player.think(&Root::new(sfen.parse().unwrap()), &limits, &Control::new(), &mut |_| {});
        assert!(matches!(decision.choice, Choice::Move(_)));
        assert!(decision.nodes < 1 << 17, "{} nodes", decision.nodes);
    }
}
