//! The search of a game that the crate knows nothing of, through its public face alone.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use contract::{Choice, Control, Limits, LogisticScale, Report, Score};
use tree::mcss::{self, Mcss};
use tree::softmax::{self, Softmax};
use tree::uct::{self, Uct};
use tree::{End, Game, Policy, TreeSearch};

/// Heaps of matches; a move takes as many as it likes from one of them, and whoever takes the last one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Take {
    heap: u8,
    count: u8,
}

#[derive(Clone)]
struct Heaps {
    heaps: [u8; 3],
    taken: Vec<Take>,
    nodes: u64,
}

fn heaps(heaps: [u8; 3]) -> Heaps {
    Heaps { heaps, taken: Vec::new(), nodes: 0 }
}

impl Game for Heaps {
    type Move = Take;

    fn pack(m: Take) -> u16 {
        u16::from(m.heap) << 8 | u16::from(m.count)
    }

    fn unpack(bits: u16) -> Take {
        Take { heap: (bits >> 8) as u8, count: bits as u8 }
    }

    fn moves(&mut self, list: &mut Vec<Take>) {
        list.clear();
        for (heap, &left) in (0..).zip(&self.heaps) {
            list.extend((1..=left).map(|count| Take { heap, count }));
        }
    }

    fn play(&mut self, m: Take) {
        self.heaps[m.heap as usize] -= m.count;
        self.taken.push(m);
        self.nodes += 1;
    }

    fn undo(&mut self) {
        let m = self.taken.pop().expect("a move to take back");
        self.heaps[m.heap as usize] += m.count;
    }

    fn end(&mut self, _ply: usize) -> Option<End> {
        None
    }

    fn no_moves(&self) -> End {
        End::Loss(0)
    }

    fn evaluate(&mut self, _beta: i32) -> i32 {
        0
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// The side to move loses if and only if the exclusive or of the heaps is 0.
fn is_lost(heaps: [u8; 3]) -> bool {
    heaps.iter().fold(0, |sum, heap| sum ^ heap) == 0
}

fn check<P: Policy>(policy: P, threads: usize) {
    let mut search = TreeSearch::new(policy, 4, LogisticScale::default(), 1);
    let start = heaps([3, 4, 2]);
    let mut reports: Vec<Report<Take>> = Vec::new();
    let limits = Limits { lines: 2, nodes: Some(500_000), ..Limits::default() };
    let games = vec![start.clone(); threads];
    let decision =
        search.search(games, &limits, &Control::new(), &mut |report| reports.push(report.clone())).unwrap();
    let Choice::Move(best) = decision.choice else { panic!("{decision:?}") };
    assert!(matches!(decision.score, Score::MateIn(_)), "{decision:?}");
    let mut next = start.clone();
    next.play(best);
    assert!(is_lost(next.heaps), "{best:?}");
    let last: Vec<_> = reports.iter().rev().take(2).map(|report| (report.rank, report.pv[0])).collect();
    assert_eq!((last[1], last[0].0), ((1, best), 2));
    let view = search.view::<Heaps>(10);
    assert!(view.nodes.len() == 10 && view.nodes[1].parent == Some(0));
    // The tree goes on from the move played, and from there it knows who loses.
    if search.advance::<Heaps>(best) {
        next.taken.clear();
        let decision = search.search(vec![next], &limits, &Control::new(), &mut |_| {}).unwrap();
        assert!(matches!(decision.score, Score::MatedIn(_)), "{decision:?}");
    }
    search.clear();
    assert_eq!(search.view::<Heaps>(10).nodes.len(), 1);
    let only = Take { heap: 1, count: 4 };
    let limits = Limits { search_moves: vec![only], ..limits };
    let decision = search.search(vec![start], &limits, &Control::new(), &mut |_| {}).unwrap();
    assert_eq!(decision.choice, Choice::Move(only));
}

#[test]
fn every_policy_solves_a_game_of_another_crate() {
    for threads in [1, 2] {
        check(Softmax::new(softmax::Params::default()), threads);
        check(Mcss::new(mcss::Params::default()), threads);
        check(Uct::new(uct::Params::default(), LogisticScale::default()), threads);
    }
}

#[test]
fn where_there_is_no_move_there_is_no_decision() {
    let mut search = TreeSearch::new(Mcss::new(mcss::Params::default()), 1, LogisticScale::default(), 1);
    let reported = AtomicBool::new(false);
    let decision = search.search(vec![heaps([0; 3])], &Limits::default(), &Control::new(), &mut |_| {
        reported.store(true, Relaxed);
    });
    assert!(decision.is_none() && !reported.load(Relaxed));
}
