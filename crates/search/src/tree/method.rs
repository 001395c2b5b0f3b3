//! A tree method as a [`Method`]: threads, limits, the tree from one move to the next.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use eval::Evaluator;
use mate::{Answer, Effort, Length, Solver};
use shogi::{Move, Position};

use super::game::Game;
use super::growth::Tree;
use super::node::{NodeId, Phase};
use super::policy::{Policy, Step};
use super::reporting::{Teller, decide};
use super::settings::TreeSettings;
use super::shogi_game::ShogiGame;
use super::view::TreeView;
use super::worker::{Descent, Growth, Worker};
use crate::{Choice, Control, Decision, Limits, LogisticScale, Method, Report, Root, Rules, Score};

/// What a tree method may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Megabytes of tree.
    pub megabytes: usize,
    /// Threads.
    pub threads: usize,
    /// What values are worth in wins.
    pub scale: LogisticScale,
}

/// A tree method with an evaluator for each thread.
pub(crate) struct TreeMethod<E, P> {
    evaluators: Vec<E>,
    policy: P,
    settings: TreeSettings,
    scale: LogisticScale,
    tree: Tree,
    /// The position and rules that the tree's root stands for.
    past: Option<(Position, Rules)>,
    solver: Option<Solver>,
}

/// The share of the usual time for the only legal move.
const SINGLE_REPLY: f64 = 0.1;
/// Megabytes for mates at the root.
const SOLVER_MEGABYTES: usize = 16;

impl<E: Evaluator + Send, P: Policy> TreeMethod<E, P> {
    pub(crate) fn new(
        evaluator: impl FnMut() -> E,
        resources: Resources,
        settings: TreeSettings,
        policy: P,
    ) -> TreeMethod<E, P> {
        TreeMethod {
            evaluators: std::iter::repeat_with(evaluator).take(resources.threads.max(1)).collect(),
            policy,
            settings,
            scale: resources.scale,
            tree: Tree::new(resources.megabytes),
            past: None,
            solver: None,
        }
    }

    /// Keeps the part of the tree below the new root, if the game went on from the old one; else forgets all.
    fn carry_over(&mut self, root: &Root, limits: &Limits) {
        let kept = match self.past.take() {
            Some((old, rules)) if rules == root.rules && limits.search_moves.is_empty() => {
                moves_since(&old, &root.position)
                    .is_some_and(|moves| moves.iter().all(|m| self.tree.advance(m.bits())))
            }
            _ => false,
        };
        if !kept {
            self.tree.clear();
        }
        // A tree of some moves only is of no use later.
        self.past = limits.search_moves.is_empty().then(|| (root.position.clone(), root.rules));
    }

    /// The first move of a mate that the solver proves within its share.
    fn mate_at_root(&mut self, root: &Root, control: &Control) -> Option<Decision> {
        let nodes = self.settings.root_mate as u64;
        if nodes == 0 {
            return None;
        }
        if self.solver.is_none() {
            self.solver = Solver::new(SOLVER_MEGABYTES);
        }
        let effort = Effort { nodes: Some(nodes), length: Length::Any };
        let solution = self.solver.as_mut()?.solve(&root.position, &effort, &mut |_| control.must_end());
        let Answer::Mate(mate) = solution.answer else { return None };
        Some(Decision {
            choice: Choice::Move(*mate.line.first()?),
            ponder: mate.line.get(1).copied(),
            score: Score::MateIn(mate.line.len() as u32),
            depth: mate.line.len() as u32,
            nodes: solution.nodes,
        })
    }
}

/// The moves that lead from one position of a game to a later one.
fn moves_since(old: &Position, new: &Position) -> Option<Vec<Move>> {
    let plies = new.plies_played().checked_sub(old.plies_played())?;
    let mut back = new.clone();
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        moves.push(back.last_move()?);
        back.undo();
    }
    moves.reverse();
    (back == *old).then_some(moves)
}

/// What all threads of one search share.
pub(crate) struct Think<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) control: &'a Control,
    /// Positions visited by each thread.
    pub(crate) nodes: Vec<AtomicU64>,
    /// The longest path of each thread.
    pub(crate) deepest: Vec<AtomicU64>,
    over: AtomicBool,
}

impl<'a> Think<'a> {
    pub(crate) fn new(limits: &'a Limits, control: &'a Control, threads: usize) -> Think<'a> {
        let counters = || (0..threads).map(|_| AtomicU64::new(0)).collect();
        Think { limits, control, nodes: counters(), deepest: counters(), over: AtomicBool::new(false) }
    }

    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    fn is_over(&self, tree: &Tree, single: bool) -> bool {
        let root = tree.root();
        root.phase() == Phase::Closed
            || self.limits.nodes.is_some_and(|limit| self.total_nodes() >= limit)
            || self.limits.depth.is_some_and(|depth| root.depth.get() >= depth as f32)
            || self.control.must_end()
            || self.control.is_enough(if single { SINGLE_REPLY } else { 1.0 })
    }
}

/// Steps until the search is over. Only the first thread looks at the limits; `tell` hears of every step it makes.
fn work<G: Game, P: Policy>(
    tree: &Tree,
    policy: &P,
    think: &Think<'_>,
    worker: &mut Worker<G>,
    mut tell: impl FnMut(),
) {
    let index = worker.index;
    let single = tree.children(tree.root()).len() == 1;
    loop {
        if think.over.load(Relaxed) || (index == 0 && think.is_over(tree, single)) {
            break;
        }
        let step = {
            let _inside = tree.enter();
            policy.step(tree, worker)
        };
        think.nodes[index].store(worker.game.nodes(), Relaxed);
        think.deepest[index].store(worker.deepest as u64, Relaxed);
        match step {
            Step::Grown => tell(),
            Step::Busy => std::thread::yield_now(),
            Step::Full => {
                if !tree.make_room(|children, depth, shares| policy.shares(children, depth, shares)) {
                    break;
                }
            }
        }
    }
    if index == 0 {
        think.over.store(true, Relaxed);
    }
}

/// Gives the root its children, if it has none.
fn expand_root<G: Game, P: Policy>(tree: &Tree, policy: &P, worker: &mut Worker<G>) {
    if worker.descend(tree, |_| None) == Descent::Leaf {
        let growth = worker.expand(tree, policy, f32::INFINITY);
        debug_assert_ne!(growth, Growth::Full, "an empty tree has room for the root's children");
    }
    if tree.root().block().is_some() {
        policy.refresh(tree, NodeId::ROOT, 0);
    }
}

/// Searches with a game for each thread; the tree holds the result. `tell` is called in the first thread, now and then.
pub(crate) fn search<G: Game + Send, P: Policy>(
    tree: &Tree,
    policy: &P,
    think: &Think<'_>,
    games: Vec<G>,
    seed: u64,
    root_moves: &[u16],
    tell: impl FnMut(),
) {
    let threads = games.len();
    let workers = games.into_iter().enumerate();
    let mut workers: Vec<Worker<G>> =
        workers.map(|(index, game)| Worker::new(game, index, threads, seed, root_moves.to_vec())).collect();
    policy.begin();
    let Some((first, others)) = workers.split_first_mut() else { return };
    expand_root(tree, policy, first);
    think.nodes[0].store(first.game.nodes(), Relaxed);
    std::thread::scope(|scope| {
        // What the last move left behind is cleared away beside the search.
        scope.spawn(|| tree.collect(|| think.over.load(Relaxed)));
        for worker in others {
            scope.spawn(move || work(tree, policy, think, worker, || {}));
        }
        work(tree, policy, think, first, tell);
    });
}

/// When to report: at each growth of the tree by half, and every second.
struct Rhythm {
    steps: u64,
    next: u64,
    last: Instant,
}

impl Rhythm {
    fn new() -> Rhythm {
        Rhythm { steps: 0, next: 16, last: Instant::now() }
    }

    fn is_due(&mut self) -> bool {
        self.steps += 1;
        let grown = self.steps >= self.next;
        let late = self.steps.is_multiple_of(64) && self.last.elapsed() >= Duration::from_secs(1);
        if grown || late {
            self.next = self.steps + self.steps / 2;
            self.last = Instant::now();
        }
        grown || late
    }
}

impl<E: Evaluator + Send, P: Policy> Method for TreeMethod<E, P> {
    fn new_game(&mut self) {
        self.past = None;
        self.tree.clear();
    }

    fn think(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Decision {
        let legal: Vec<Move> = root.position.legal_moves().into_iter().collect();
        if let Some(decision) = root.decided(&legal) {
            return decision;
        }
        if let Some(decision) = self.mate_at_root(root, control) {
            return decision;
        }
        self.carry_over(root, limits);
        let chosen = limits.search_moves.iter().filter(|m| legal.contains(m));
        let root_moves: Vec<u16> = chosen.map(|m| m.bits()).collect();
        let leaf = self.settings.leaf();
        let think = Think::new(limits, control, self.evaluators.len());
        let games = self.evaluators.iter_mut().map(|eval| ShogiGame::new(root, eval, leaf)).collect();
        let seed = self.settings.seed as u64;
        let teller = Teller { tree: &self.tree, policy: &self.policy, scale: self.scale, think: &think };
        let mut rhythm = Rhythm::new();
        search(&self.tree, &self.policy, &think, games, seed, &root_moves, || {
            if rhythm.is_due() {
                teller.tell(report);
            }
        });
        teller.tell(report);
        decide(&teller, seed).unwrap_or_else(|| any_move(&legal))
    }

    fn view(&self, budget: usize) -> Option<TreeView> {
        Some(TreeView::of(&self.tree, &self.policy, self.scale, budget))
    }
}

/// Only where the tree came to nothing; a root that has been searched always has children.
fn any_move(legal: &[Move]) -> Decision {
    let choice = legal.first().map_or(Choice::Resign, |&m| Choice::Move(m));
    Decision { choice, ponder: None, score: Score::Centipawns(0), depth: 0, nodes: 0 }
}
