//! A node of the tree: principal variation search (Marsland and Campbell 1982) in depths of fractions of a ply.

use eval::Evaluator;
use shogi::{CheckInfo, Move};

use super::bets::{Chance, Playing, Shortcut};
use super::order::Gap;
use super::picker::Picker;
use super::searcher::Searcher;
use super::table::{Entry, from_kept};
use crate::Depth;
use crate::score::{self, MAX_PLY, Value};

/// What is expected of a node (Knuth and Moore 1975).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// On the principal variation: the window is open.
    Pv,
    /// Some move should reach beta.
    Cut,
    /// No move should raise alpha.
    All,
}

impl Role {
    /// The role of the children of a node that is not on the principal variation.
    pub(crate) fn child(self) -> Role {
        if self == Role::Cut { Role::All } else { Role::Cut }
    }
}

/// What is known about a node before its moves are tried.
pub(crate) struct Node {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) depth: Depth,
    pub(crate) ply: usize,
    pub(crate) role: Role,
    pub(crate) in_check: bool,
    pub(crate) info: CheckInfo,
    pub(crate) entry: Option<Entry>,
    pub(crate) hash_move: Option<Move>,
    pub(crate) excluded: Option<Move>,
    /// The evaluation before corrections.
    pub(crate) raw_eval: Value,
    pub(crate) static_eval: Value,
    pub(crate) stage: usize,
    pub(crate) gap: Gap,
    pub(crate) playing: Playing,
    /// The shortcut that is being played out, and how many nodes there were before.
    pub(crate) doubted: Option<(Chance, u64)>,
}

impl Node {
    pub(crate) fn is_pv(&self) -> bool {
        self.role == Role::Pv
    }

    /// A move was found that is worth more: the others have more to make up for.
    pub(crate) fn raise_alpha(&mut self, value: Value) {
        self.alpha = value;
        if !self.gap.in_check {
            self.gap.below_alpha = value - self.static_eval;
        }
    }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// The value of the position, exact within the window and a bound outside of it.
    pub(crate) fn node(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: Depth,
        ply: usize,
        role: Role,
    ) -> Value {
        if depth < Depth::units(self.params().leaf_depth) {
            return self.quiescence(alpha, beta, 0, ply);
        }
        let is_root = ply == 0;
        if role == Role::Pv {
            self.frame_mut(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.poll() {
            return 0;
        }
        if !is_root {
            if let Some(value) = self.rule_end(ply) {
                return value;
            }
            if ply >= MAX_PLY - 1 {
                return if self.position.in_check() { self.draw_value() } else { self.evaluate() };
            }
            // A mate that is already found cannot be improved beyond its distance.
            alpha = alpha.max(score::mated_in(ply));
            beta = beta.min(score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let mut node = match self.enter(alpha, beta, depth, ply, role) {
            Ok(node) => node,
            Err(value) => return value,
        };
        if let Some(value) = self.sample(&mut node) {
            return value;
        }
        let value = match self.cut_early(&mut node) {
            Some(value) => value,
            None => {
                let mut picker =
                    if is_root { Picker::of_root(self) } else { Picker::new(self, node.hash_move, ply) };
                picker.is_shuffled = node.playing == Playing::Shuffled;
                let start = picker.start();
                let value = self.try_moves(&mut node, picker);
                self.moves.truncate(start);
                value
            }
        };
        if let Some((chance, nodes)) = node.doubted {
            let is_wrong = if chance.shortcut == Shortcut::Razor { value > alpha } else { value < beta };
            self.log_shortcut(&node, chance, is_wrong, self.nodes - nodes);
        }
        value
    }

    /// Looks a node up and evaluates it; `Err` if that is all there is to do.
    fn enter(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: Depth,
        ply: usize,
        role: Role,
    ) -> Result<Node, Value> {
        let excluded = self.frame(ply).excluded;
        let plain = self.params().plain == 1;
        let entry = self.look_up(ply);
        let is_free = role != Role::Pv && excluded.is_none();
        let deep_enough = |entry: &Entry| !plain || entry.depth == depth;
        // Depths of one iteration differ by fractions of a ply, which is no reason to search a position again.
        let asked = depth - Depth::units(self.params().hash_slack);
        if let Some(known) =
            entry.filter(|entry| is_free && deep_enough(entry) && entry.answers(asked, alpha, beta))
        {
            return Err(known.value);
        }
        let in_check = self.position.in_check();
        let info = self.position.check_info();
        if !in_check && !plain && ply > 0 && entry.is_none() && self.mates_in_one(&info) {
            return Err(score::mate_in(ply + 1));
        }
        let hash_move = entry.and_then(|entry| entry.best).filter(|&m| self.position.is_pseudo_legal(m));
        let stage = super::model::stage(&self.position);
        let (raw_eval, static_eval) = if in_check {
            (score::NONE, score::NONE)
        } else {
            let known = entry.map(|entry| entry.static_eval).filter(|&eval| eval != score::NONE);
            let raw = known.unwrap_or_else(|| self.evaluate());
            (raw, self.corrected(raw, ply))
        };
        self.frame_mut(ply).static_eval = static_eval;
        self.frame_mut(ply + 1).killers = [None; 2];
        self.frame_mut(ply + 1).excluded = None;
        let scale = 2 * self.model().fall(depth, stage);
        let gap = self.gap(static_eval, alpha, scale, ply);
        let playing = Playing::Normal;
        Ok(Node {
            alpha,
            beta,
            depth,
            ply,
            role,
            in_check,
            info,
            entry,
            hash_move,
            excluded,
            raw_eval,
            static_eval,
            stage,
            gap,
            playing,
            doubted: None,
        })
    }

    /// What the hash table knows about the position, with mates counted from the root.
    #[inline(always)]
    pub(crate) fn look_up(&self, ply: usize) -> Option<Entry> {
        let entry = self.table().probe(self.position.key());
        entry.map(|entry| Entry { value: from_kept(entry.value, ply), ..entry })
    }

    /// How the evaluation lies against alpha and against that of two plies ago.
    fn gap(&self, static_eval: Value, alpha: Value, scale: Value, ply: usize) -> Gap {
        if static_eval == score::NONE {
            return Gap { below_alpha: 0, scale, rising: false, in_check: true };
        }
        let before = self.earlier(ply, 2).static_eval;
        let rising = before == score::NONE || static_eval > before;
        Gap { below_alpha: alpha - static_eval, scale, rising, in_check: false }
    }

    /// Whether a move mates at once; the side to move is not in check.
    fn mates_in_one(&mut self, info: &CheckInfo) -> bool {
        mate::mate_in_one_with(&mut self.position, info).is_some()
    }
}
