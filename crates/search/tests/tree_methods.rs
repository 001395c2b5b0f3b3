//! The tree methods as their users see them, with material as evaluator.

use std::sync::mpsc;
use std::time::Duration;

use eval::Material;
use search::mcss::Mcss;
use search::softmax::Softmax;
use search::tree::{Resources, TreeSettings};
use search::uct::Uct;
use search::{
    Choice, Control, Decision, Limits, LogisticScale, Method, Report, Root, Score, mcss, softmax, tree, uct,
};
use shogi::Move;

const METHODS: [&str; 3] = ["softmax", "mcss", "uct"];

fn resources() -> Resources {
    Resources { megabytes: 4, threads: 1, scale: LogisticScale::default(), seed: 1 }
}

fn method(name: &str, threads: usize) -> Box<dyn Method> {
    method_with(name, Resources { threads, ..resources() }, TreeSettings::default())
}

fn method_with(name: &str, resources: Resources, settings: TreeSettings) -> Box<dyn Method> {
    match name {
        "softmax" => {
            tree::method(Material::new, resources, settings, Softmax::new(softmax::Params::default()))
        }
        "mcss" => tree::method(Material::new, resources, settings, Mcss::new(mcss::Params::default())),
        _ => {
            let policy = Uct::new(uct::Params::default(), resources.scale);
            tree::method(Material::new, resources, settings, policy)
        }
    }
}

fn think(method: &mut dyn Method, root: &Root, limits: &Limits) -> (Decision, Vec<Report>) {
    let mut reports = Vec::new();
    let decision = method.think(root, limits, &Control::new(), &mut |report| reports.push(report.clone()));
    (decision, reports)
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn root(sfen: &str) -> Root {
    Root::new(sfen.parse().unwrap())
}

fn best(decision: &Decision) -> Move {
    match decision.choice {
        Choice::Move(m) => m,
        other => panic!("no move but {other:?}"),
    }
}

const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

const QUIET: &str = "ln1gk2nl/1r1sg2s1/pp1p1p1pb/2p1p1p1p/5P3/2P3PP1/PP1PP1N1P/1B1SGR3/LN1GK1S1L w - 18";

#[test]
fn short_mates_are_proven_and_counted_in_plies() {
    for (sfen, plies) in [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1),
        ("ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42", 3),
    ] {
        for name in METHODS {
            let (decision, reports) = think(&mut *method(name, 1), &root(sfen), &nodes(300_000));
            assert_eq!(decision.score, Score::MateIn(plies), "{name} {sfen}");
            // The last move of a mate that was seen at a leaf has no node of its own.
            let line = reports.last().unwrap().pv.len() as u32;
            assert!((plies - 1).max(1) <= line && line <= plies, "{name} {sfen}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_search_and_another_one_need_not() {
    for name in METHODS {
        let of = |seed: u64| {
            let mut method = method_with(name, Resources { seed, ..resources() }, TreeSettings::default());
            let (decision, reports) = think(&mut *method, &root(MIDDLE), &nodes(20_000));
            (best(&decision), decision.nodes, reports.last().unwrap().tree)
        };
        assert_eq!(of(1), of(1), "{name}");
        if name == "mcss" {
            assert_ne!(of(1), of(2));
        }
    }
}

#[test]
fn a_search_that_is_cut_back_often_still_plays() {
    for name in METHODS {
        let mut method =
            method_with(name, Resources { megabytes: 1, ..resources() }, TreeSettings::default());
        // A full megabyte are 32,768 nodes; several times that are created.
        let (decision, reports) = think(&mut *method, &root(MIDDLE), &nodes(400_000));
        assert!(root(MIDDLE).position.is_legal(best(&decision)), "{name}");
        assert!(reports.iter().all(|report| report.hash_permille <= 1000));
        let view = method.view(20).unwrap();
        assert!(view.size <= 32_768 && view.expansions * 60 > 40_000, "{name}: {view:?}");
    }
}

#[test]
fn the_tree_is_kept_when_the_game_goes_on() {
    for name in METHODS {
        let mut method = method(name, 1);
        let start = root(QUIET);
        let (decision, reports) = think(&mut *method, &start, &nodes(60_000));
        let line = &reports.last().unwrap().pv;
        assert_eq!(best(&decision), line[0], "{name}");
        let mut position = start.position.clone();
        position.play(line[0]);
        position.play(line[1]);
        let next = Root { position, ..start.clone() };
        // One node is no search at all: whatever is reported was known before.
        let (_, reports) = think(&mut *method, &next, &nodes(1));
        let kept = reports.last().unwrap();
        assert!(kept.pv.len() > 1, "{name}: {:?}", kept.pv);
        // Another game begins.
        let (_, reports) = think(&mut *method, &root(shogi::START_SFEN), &nodes(1));
        assert_eq!(reports.last().unwrap().pv.len(), 1, "{name}");
    }
}

#[test]
fn what_was_found_at_the_opponents_position_is_kept_whatever_he_plays() {
    for name in METHODS {
        let opponent = root(MIDDLE);
        for place in [0, 1] {
            let mut method = method(name, 1);
            let control = Control::new();
            control.start_clock(Duration::from_millis(400), Duration::from_millis(400));
            method.ponder(&opponent, &control);
            let tree = method.view(100_000).unwrap();
            let mut replies: Vec<_> =
                tree.nodes.iter().filter(|node| node.parent == Some(0) && node.children > 0).collect();
            replies.sort_by_key(|node| std::cmp::Reverse(node.visits));
            let reply = replies.get(place).unwrap_or_else(|| panic!("{name}: two replies were looked at"));
            let mut after = root(MIDDLE);
            after.position.play(reply.played.unwrap());
            let known = method.recall(&after).unwrap();
            assert!(after.position.is_legal(known), "{name}: {known}");
            think(method.as_mut(), &after, &nodes(1));
            let kept = method.view(1).unwrap().nodes[0].visits;
            assert!(kept >= reply.visits, "{name}, reply {place}: {kept} of {} visits", reply.visits);
        }
    }
}

#[test]
fn only_the_chosen_moves_are_searched_and_several_lines_are_reported() {
    for name in METHODS {
        let chosen: Vec<Move> = ["9g9f", "1g1f", "5i6h"].iter().map(|m| m.parse().unwrap()).collect();
        let limits = Limits { search_moves: chosen.clone(), lines: 2, ..nodes(5_000) };
        let (decision, reports) = think(&mut *method(name, 1), &root(shogi::START_SFEN), &limits);
        assert!(chosen.contains(&best(&decision)), "{name}");
        let last: Vec<&Report> = reports.iter().rev().take(2).collect();
        assert_eq!((last[1].rank, last[0].rank), (1, 2), "{name}");
        assert_ne!(last[0].pv[0], last[1].pv[0], "{name}");
        let facts = last[1].tree.unwrap();
        assert!(
            facts.visits > 0 && facts.depth > 0.0 && (0.2..0.8).contains(&facts.win_rate),
            "{name}: {facts:?}"
        );
    }
}

#[test]
fn two_threads_play_legally_and_stop_at_once() {
    for name in METHODS {
        let (decided, decision) = mpsc::channel();
        // Not waited for, since a search that does not look at the clock ends too late.
        std::thread::spawn(move || {
            let mut method = method(name, 2);
            let control = Control::new();
            control.start_clock(Duration::from_secs(100), Duration::from_millis(200));
            let _ = decided.send(method.think(&root(MIDDLE), &Limits::default(), &control, &mut |_| {}));
        });
        let decision = decision.recv_timeout(Duration::from_secs(3)).expect(name);
        assert!(root(MIDDLE).position.is_legal(best(&decision)), "{name}");
    }
}

#[test]
fn the_solver_slice_mates_before_the_search() {
    let settings = TreeSettings { root_mate: 100_000, leaf_mate: 0, ..TreeSettings::default() };
    let sfen = "l2gkg2l/2s3s2/p1nppp1pp/2p3p2/P4P1P1/4n3P/1PPPG1N2/1BKS2+s2/LN3+r3 w RBgl3p 72";
    let (decision, reports) =
        think(&mut *method_with("softmax", resources(), settings), &root(sfen), &nodes(1));
    assert!(matches!(decision.score, Score::MateIn(plies) if plies >= 5));
    assert!(reports.is_empty());
}
