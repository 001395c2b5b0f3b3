//! The search itself: threads, limits, reports, and the tree from one move to the next.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use contract::{Control, Decision, Limits, LogisticScale, Report, RootState, StopRule, Value, WholeTime};

use super::game::Game;
use super::gradient::{LeafGradient, leaf_gradients};
use super::growth::Tree;
use super::node::{NodeId, Phase};
use super::policy::{Policy, Step};
use super::reporting::{Reporter, decide};
use super::view::TreeView;
use super::worker::{Descent, Growth, Worker};

/// A policy with its tree. The moves' type is that of the games it is given: they must all be of one game.
pub struct TreeSearch<P> {
    tree: Tree,
    policy: P,
    scale: LogisticScale,
    seed: u64,
}

impl<P: Policy> TreeSearch<P> {
    /// A search whose tree may grow to so many megabytes; `scale` turns values into win rates for reports.
    #[must_use]
    pub fn new(policy: P, megabytes: usize, scale: LogisticScale, seed: u64) -> TreeSearch<P> {
        TreeSearch { tree: Tree::new(megabytes), policy, scale, seed }
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.tree.clear();
    }

    /// Goes on from the position after a move at the root; `false` if nothing is known about it: then the tree must be
    /// cleared.
    pub fn advance<G: Game>(&mut self, m: G::Move) -> bool {
        self.tree.advance(G::pack(m))
    }

    /// Every leaf that has at least the share `least` in the value of the node after these moves from the root, and how that value
    /// hangs on it; none if the policy backs up no expectations or the node is not there.
    #[must_use]
    pub fn leaf_gradients<G: Game>(
        &self,
        below: &[G::Move],
        least: f64,
    ) -> Option<Vec<LeafGradient<G::Move>>> {
        let unpacked = |leaf: LeafGradient<u16>| LeafGradient {
            line: leaf.line.into_iter().map(G::unpack).collect(),
            gradient: leaf.gradient,
            value: leaf.value,
        };
        let node = self.node_after::<G>(below)?;
        let found = leaf_gradients(&self.tree, &self.policy, node, below.len(), least)?;
        Some(found.into_iter().map(unpacked).collect())
    }

    /// The node after these moves from the root.
    fn node_after<G: Game>(&self, moves: &[G::Move]) -> Option<NodeId> {
        moves.iter().try_fold(NodeId::ROOT, |id, &m| {
            let node = self.tree.node(id);
            let (first, _) = node.block()?;
            let packed = G::pack(m);
            let place = self.tree.children(node).iter().position(|child| child.packed_move() == packed)?;
            Some(first.offset(place))
        })
    }

    /// The best move after these moves from the root by what the tree knows, which stays as it is.
    #[must_use]
    pub fn recall<G: Game>(&self, moves: &[G::Move]) -> Option<G::Move> {
        let children = self.tree.children(self.tree.node(self.node_after::<G>(moves)?));
        Some(G::unpack(children.get(self.policy.pv_child(children)?)?.packed_move()))
    }

    /// Searches on a thread for each of the games, which all stand at the position of the tree's root; blocks until a
    /// limit or `control` ends it, or all is proven. `None` if there is no move at the root that may be searched.
    pub fn search<G: Game + Send>(
        &mut self,
        games: Vec<G>,
        limits: &Limits<G::Move>,
        control: &Control,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Option<Decision<G::Move>> {
        let root_moves: Vec<u16> = limits.search_moves.iter().map(|&m| G::pack(m)).collect();
        let state = SearchState::new(limits, control, games.len());
        let reporter = Reporter {
            tree: &self.tree,
            policy: &self.policy,
            scale: self.scale,
            lines: limits.lines,
            state: &state,
        };
        let mut timer = ReportTimer::new();
        search(&self.tree, &self.policy, &state, games, self.seed, &root_moves, || {
            if timer.is_due() {
                reporter.report::<G>(report);
            }
        });
        reporter.report::<G>(report);
        decide::<G, P>(&reporter, self.seed)
    }

    /// The most probable `budget` nodes of the tree.
    #[must_use]
    pub fn view<G: Game>(&self, budget: usize) -> TreeView<G::Move> {
        TreeView::of::<G, P>(&self.tree, &self.policy, self.scale, budget)
    }
}

/// The share of the soft time for the only legal move.
const ONLY_MOVE: f64 = 0.1;

/// What all threads of one search share.
pub(crate) struct SearchState<'a> {
    max_nodes: Option<u64>,
    max_depth: Option<u32>,
    pub(crate) control: &'a Control,
    /// Positions visited by each thread.
    pub(crate) nodes: Vec<AtomicU64>,
    /// The longest path of each thread.
    pub(crate) deepest: Vec<AtomicU64>,
    over: AtomicBool,
}

impl<'a> SearchState<'a> {
    pub(crate) fn new<M>(limits: &Limits<M>, control: &'a Control, threads: usize) -> SearchState<'a> {
        let counters = || (0..threads).map(|_| AtomicU64::new(0)).collect();
        SearchState {
            max_nodes: limits.nodes,
            max_depth: limits.depth,
            control,
            nodes: counters(),
            deepest: counters(),
            over: AtomicBool::new(false),
        }
    }

    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    fn is_over(&self, tree: &Tree, soft_share: f64) -> bool {
        let root = tree.root();
        root.phase() == Phase::Closed
            || self.max_nodes.is_some_and(|limit| self.total_nodes() >= limit)
            || self.max_depth.is_some_and(|depth| root.depth.get() >= depth as f32)
            || self.control.must_end()
            || self.control.is_enough(soft_share)
    }
}

/// Ends all threads of a search when the first one is done, or when any of them panics: the others would wait for ever for what it
/// had claimed.
struct EndsAll<'a> {
    over: &'a AtomicBool,
    is_first: bool,
}

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        if self.is_first || std::thread::panicking() {
            self.over.store(true, Relaxed);
        }
    }
}

/// Steps until the search is over. Only the first thread looks at the limits; `grown` is called after every step it makes.
fn work<G: Game, P: Policy>(
    tree: &Tree,
    policy: &P,
    state: &SearchState<'_>,
    worker: &mut Worker<G>,
    mut grown: impl FnMut(),
) {
    let index = worker.index;
    let _ends_all = EndsAll { over: &state.over, is_first: index == 0 };
    let mut rule = WholeTime { only_move: ONLY_MOVE };
    let (mut steps, mut soft_share) = (0u64, 1.0);
    loop {
        // Asked at every doubling of the steps, since the answer costs a look at the root's children.
        steps += 1;
        if index == 0 && steps.is_power_of_two() {
            soft_share = root_state(tree, policy).map_or(1.0, |root| rule.soft_share(&root));
        }
        if state.over.load(Relaxed) || (index == 0 && state.is_over(tree, soft_share)) {
            break;
        }
        let step = {
            let _inside = tree.enter();
            policy.step(tree, worker)
        };
        state.nodes[index].store(worker.game.nodes(), Relaxed);
        state.deepest[index].store(worker.deepest as u64, Relaxed);
        match step {
            Step::Grown => grown(),
            Step::Busy => std::thread::yield_now(),
            Step::Full => {
                if !tree.make_room(|children, depth, list| policy.child_policy(children, depth, list)) {
                    break;
                }
            }
        }
    }
}

/// Where the search stands; `None` if the root has no children.
fn root_state<P: Policy>(tree: &Tree, policy: &P) -> Option<RootState<u16>> {
    let children = tree.children(tree.root());
    let best = children.get(policy.pv_child(children)?)?;
    Some(RootState {
        best: best.packed_move(),
        value: policy.centipawns(best) as Value,
        effort: f64::from(best.visits()) / f64::from(tree.root().visits().max(1)),
        is_only: children.len() == 1,
    })
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

/// Searches with a game for each thread; the tree holds the result. `grown` is called in the first thread, now and then.
pub(crate) fn search<G: Game + Send, P: Policy>(
    tree: &Tree,
    policy: &P,
    state: &SearchState<'_>,
    games: Vec<G>,
    seed: u64,
    root_moves: &[u16],
    grown: impl FnMut(),
) {
    let threads = games.len();
    let workers = games.into_iter().enumerate();
    let mut workers: Vec<Worker<G>> =
        workers.map(|(index, game)| Worker::new(game, index, threads, seed, root_moves.to_vec())).collect();
    policy.begin();
    let Some((first, others)) = workers.split_first_mut() else { return };
    expand_root(tree, policy, first);
    state.nodes[0].store(first.game.nodes(), Relaxed);
    std::thread::scope(|scope| {
        // What the last move left behind is cleared away beside the search.
        scope.spawn(|| tree.collect(|| state.over.load(Relaxed)));
        for worker in others {
            scope.spawn(move || work(tree, policy, state, worker, || {}));
        }
        work(tree, policy, state, first, grown);
    });
}

/// When to report: at each growth of the tree by half, and every second.
struct ReportTimer {
    steps: u64,
    next: u64,
    last: Instant,
}

impl ReportTimer {
    fn new() -> ReportTimer {
        ReportTimer { steps: 0, next: 16, last: Instant::now() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::softmax::{Params, Softmax};
    use crate::toys::Fragile;

    #[test]
    fn a_thread_that_panics_ends_the_search_instead_of_leaving_the_others_waiting() {
        for broken in [0, 1] {
            let games = (0..2).map(|index| Fragile::new(index == broken)).collect();
            let mut search = TreeSearch::new(Softmax::new(Params::default()), 1, LogisticScale::default(), 1);
            let control = Control::new();
            let long = Duration::from_secs(20);
            control.start_clock(long, long);
            let work = || search.search(games, &Limits::default(), &control, &mut |_| {});
            let began = Instant::now();
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
            assert!(began.elapsed() < long / 2, "the thread {broken} of two");
        }
    }
}
