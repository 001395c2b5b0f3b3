//! A tree search of shogi as a [`Method`]: mates before the search, the tree from one position of a game to a later one.

use ::tree::{Policy, TreeSearch};
use eval::Evaluator;
use mate::{Answer, Effort, Length, Solver};
use shogi::{Move, Position};

use super::TreeView;
use super::settings::TreeSettings;
use super::shogi_game::ShogiGame;
use crate::{
    Choice, Control, Decision, LeafGradient, Limits, LogisticScale, Method, Report, Root, Rules, Score,
};

/// What a tree method may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Megabytes of tree.
    pub megabytes: usize,
    /// Threads.
    pub threads: usize,
    /// What values are worth in wins.
    pub scale: LogisticScale,
    /// Of whatever is left to chance.
    pub seed: u64,
}

/// A player that searches by a policy, with an evaluator for each thread.
pub fn method<E: Evaluator + Send + 'static, P: Policy + 'static>(
    evaluator: impl FnMut() -> E,
    resources: Resources,
    settings: TreeSettings,
    policy: P,
) -> Box<dyn Method> {
    Box::new(TreeMethod {
        evaluators: std::iter::repeat_with(evaluator).take(resources.threads.max(1)).collect(),
        search: TreeSearch::new(policy, resources.megabytes, resources.scale, resources.seed),
        settings,
        past: None,
        solver: None,
    })
}

/// A tree method with an evaluator for each thread.
struct TreeMethod<E, P> {
    evaluators: Vec<E>,
    search: TreeSearch<P>,
    settings: TreeSettings,
    /// The position and rules that the tree's root stands for.
    past: Option<(Position, Rules)>,
    solver: Option<Solver>,
}

/// Megabytes for mates at the root.
const SOLVER_MEGABYTES: usize = 16;

impl<E: Evaluator + Send, P: Policy> TreeMethod<E, P> {
    /// Keeps the part of the tree below the new root, if the game went on from the old one; else forgets all.
    fn carry_over(&mut self, root: &Root, limits: &Limits) {
        let kept = match self.past.take() {
            Some((old, rules)) if rules == root.rules && limits.search_moves.is_empty() => {
                moves_since(&old, &root.position)
                    .is_some_and(|moves| moves.iter().all(|m| self.search.advance::<ShogiGame<'_, E>>(*m)))
            }
            _ => false,
        };
        if !kept {
            self.search.clear();
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

impl<E: Evaluator + Send, P: Policy> Method for TreeMethod<E, P> {
    fn new_game(&mut self) {
        self.past = None;
        self.search.clear();
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
        let mut limits = limits.clone();
        limits.search_moves.retain(|m| legal.contains(m));
        let leaf = self.settings.leaf();
        let games = self.evaluators.iter_mut().map(|eval| ShogiGame::new(root, eval, leaf)).collect();
        let decision = self.search.search(games, &limits, control, report);
        decision.unwrap_or_else(|| any_move(&legal))
    }

    fn recall(&self, root: &Root) -> Option<Move> {
        let (old, _) = self.past.as_ref()?;
        let known = self.search.recall::<ShogiGame<'_, E>>(&moves_since(old, &root.position)?)?;
        root.position.is_legal(known).then_some(known)
    }

    fn leaf_gradients(&self, below: &[Move], least: f64) -> Option<Vec<LeafGradient>> {
        self.search.leaf_gradients::<ShogiGame<'_, E>>(below, least)
    }

    fn view(&self, budget: usize) -> Option<TreeView> {
        Some(self.search.view::<ShogiGame<'_, E>>(budget))
    }
}

/// Only where the tree came to nothing; a root that has been searched always has children.
fn any_move(legal: &[Move]) -> Decision {
    let choice = legal.first().map_or(Choice::Resign, |&m| Choice::Move(m));
    Decision { choice, ponder: None, score: Score::Centipawns(0), depth: 0, nodes: 0 }
}
