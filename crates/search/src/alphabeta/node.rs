//! The search of one node, step by step.

use std::cell::OnceCell;

use eval::Evaluator;
use shogi::{CheckInfo, Move};

use super::picker::is_noisy;
use super::searcher::Searcher;
use super::table::Entry;
use crate::Bound;
use crate::score::{self, MAX_PLY, Value};

/// What a node knows before it tries moves.
pub(crate) struct Node {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    pub(crate) cut_node: bool,
    pub(crate) hash: Option<Entry>,
    pub(crate) hash_move: Option<Move>,
    pub(crate) hash_noisy: bool,
    pub(crate) excluded: Option<Move>,
    pub(crate) in_check: bool,
    /// The position's check info, once somebody has asked for it.
    pub(crate) check_info: OnceCell<CheckInfo>,
    /// Whether the evaluation rose since our last move.
    pub(crate) improving: bool,
    /// Whether the opponent's last move made things worse for him.
    pub(crate) worsening: bool,
    pub(crate) was_pv: bool,
    /// By how many plies the move that led here was reduced.
    pub(crate) prior_reduction: i32,
    pub(crate) raw_eval: Value,
    /// What searches of such positions found besides; see [`super::history::Histories::correction`].
    pub(crate) correction: i32,
    pub(crate) eval: Value,
}

/// What trying the moves came to.
pub(crate) struct Outcome {
    pub(crate) best: Value,
    pub(crate) best_move: Option<Move>,
    pub(crate) moves: i32,
    pub(crate) alpha: Value,
    /// Left for the moves to come.
    pub(crate) depth: i32,
}

impl Outcome {
    pub(crate) fn new(node: &Node) -> Outcome {
        Outcome { best: -score::INFINITE, best_move: None, moves: 0, alpha: node.alpha, depth: node.depth }
    }

    /// A value above beta is the less to be believed the shallower it is.
    fn soften(&mut self, beta: Value) {
        if self.best >= beta && !score::is_decisive(self.best) && !score::is_decisive(beta) {
            self.best = (self.best * self.depth + beta) / (self.depth + 1);
        }
    }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// The value of the node within the window; blocks until known or stopped (then the value is void).
    pub(crate) fn node<const PV: bool>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta, 0, ply);
        }
        let depth = depth.min(MAX_PLY as i32 - 1);
        // Step 1: the end of the search, of the game, or of the path.
        if self.poll() {
            return 0;
        }
        if PV {
            self.selective_depth = self.selective_depth.max(ply + 1);
            self.frame_mut(ply).pv.clear();
        }
        if ply > 0 {
            if let Some(value) = self.rule_end(ply) {
                return value;
            }
            if ply >= MAX_PLY - 2 {
                return if self.position.in_check() { self.draw_value() } else { self.evaluate() };
            }
            // Step 2: mate distance. A shorter mate is known already.
            alpha = alpha.max(score::mated_in(ply));
            beta = beta.min(score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        // Step 3: the hash table.
        let excluded = self.frame(ply).excluded;
        let hash = self.table().probe(self.position.key(), ply);
        if !PV
            && excluded.is_none()
            && let Some(value) = self.hash_cut(hash.as_ref(), alpha, beta, depth, cut_node)
        {
            self.learn_from_hash(hash.as_ref(), value, beta, depth, ply);
            return value;
        }
        let mut node = self.look(alpha, beta, depth, ply, cut_node, hash, PV);
        let selective = self.params().plain == 0;
        if !node.in_check && selective {
            // Step 4: hindsight. What was reduced much and looks good, or little and looks quiet, is put right.
            node.depth += self.hindsight(&node);
            // Steps 5 and 6: cuts by the evaluation.
            if !PV && let Some(value) = self.cut_by_evaluation(&node) {
                return value;
            }
            // Step 7: mate in one, unless a search of this node has looked for it before.
            if ply > 0
                && hash.is_none_or(|entry| entry.depth <= 0)
                && excluded.is_none()
                && let Some(m) = {
                    let info = node.check_info.get_or_init(|| self.position.check_info());
                    self.mate_in_one(info)
                }
            {
                self.remember(&node, score::mate_in(ply + 1), Some(m), Bound::Exact, depth + 6);
                return score::mate_in(ply + 1);
            }
            // Step 8: null move.
            if !PV && let Some(value) = self.cut_by_passing(&node) {
                return value;
            }
            node.improving |= self.frame(ply).static_eval >= beta;
            // Step 9: internal iterative reduction. Without a hash move the ordering is a guess.
            if (PV || cut_node)
                && node.depth >= self.params().iir_depth
                && node.hash_move.is_none()
                && node.prior_reduction <= 3
            {
                node.depth -= 1;
            }
            // Step 10: ProbCut.
            if !PV && let Some(value) = self.probcut(&node) {
                return value;
            }
        }
        // Step 11: ProbCut from the hash table.
        if ply > 0
            && selective
            && let Some(value) = self.known_above(&node)
        {
            return value;
        }
        // Steps 12 to 17: the moves.
        let mut outcome = match self.try_moves::<PV>(&node) {
            Ok(outcome) => outcome,
            Err(value) => return value,
        };
        if self.stopped {
            return 0;
        }
        // Step 18: no move at all is mate.
        if outcome.moves == 0 {
            return if excluded.is_some() { alpha } else { score::mated_in(ply) };
        }
        outcome.soften(beta);
        // A refuted deviation from a principal variation belongs to it.
        if outcome.best <= node.alpha && ply > 0 {
            node.was_pv |= self.earlier(ply, 1).was_pv;
        }
        self.finish::<PV>(&node, &outcome);
        outcome.best
    }

    /// The hash table's value if it settles the node. A proven mate settles it at any depth: mated
    /// subtrees are not searched again.
    fn hash_cut(
        &self,
        hash: Option<&Entry>,
        alpha: Value,
        beta: Value,
        depth: i32,
        cut_node: bool,
    ) -> Option<Value> {
        let entry = hash?;
        let bound = entry.bound?;
        let proven = match bound {
            Bound::Lower => score::is_win(entry.value) && entry.value >= beta,
            Bound::Upper => score::is_loss(entry.value) && entry.value <= alpha,
            Bound::Exact => score::is_decisive(entry.value),
        };
        let deep = entry.depth > depth - i32::from(entry.value <= beta);
        let fits = match bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= beta,
            Bound::Upper => entry.value < beta,
        };
        let expected = cut_node == (entry.value >= beta) || depth > 5;
        (entry.value != score::NONE && (proven || (deep && fits && expected))).then_some(entry.value)
    }

    /// Gathers what the node knows: check, evaluation, trend.
    #[allow(clippy::too_many_arguments)]
    fn look(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
        hash: Option<Entry>,
        pv: bool,
    ) -> Node {
        let excluded = self.frame(ply).excluded;
        let in_check = self.position.in_check();
        let was_pv =
            pv || hash.is_some_and(|entry| entry.was_pv) || (excluded.is_some() && self.frame(ply).was_pv);
        let mut node = Node {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            hash,
            hash_move: if ply == 0 {
                self.root_moves.get(self.line).and_then(|m| m.pv.first().copied())
            } else {
                hash.and_then(|entry| entry.best)
            },
            hash_noisy: false,
            excluded,
            in_check,
            check_info: OnceCell::new(),
            improving: false,
            worsening: false,
            was_pv,
            prior_reduction: 0,
            raw_eval: score::NONE,
            correction: self.correction(ply),
            eval: score::NONE,
        };
        node.hash_noisy = node.hash_move.is_some_and(|m| is_noisy(&self.position, m));
        node.prior_reduction = std::mem::take(&mut self.earlier_mut(ply, 1).reduction);
        let below = self.frame_mut(ply + 2);
        below.killers = [None; 2];
        below.cuts_below = 0;
        let frame = self.frame_mut(ply);
        frame.was_pv = was_pv;
        frame.in_check = in_check;
        frame.known = hash.is_some();
        self.judge(&mut node);
        node
    }

    /// The evaluation of the node and where it is heading.
    fn judge(&mut self, node: &mut Node) {
        let ply = node.ply;
        let earlier = self.earlier(ply, 2).static_eval;
        let mut static_eval = earlier;
        if node.excluded.is_some() {
            static_eval = self.frame(ply).static_eval;
            node.eval = static_eval;
        } else if node.in_check {
            node.eval = static_eval;
        } else {
            let hash = node.hash.as_ref();
            (node.raw_eval, static_eval) = self.static_eval(hash, node.correction, ply, node.was_pv);
            node.eval = improved_by_hash(static_eval, hash);
            self.learn_from_trend(static_eval, hash.is_none(), ply);
        }
        self.frame_mut(ply).static_eval = static_eval;
        node.improving = !node.in_check && (earlier == score::NONE || static_eval > earlier);
        let theirs = self.earlier(ply, 1).static_eval;
        node.worsening = !node.in_check && theirs != score::NONE && static_eval > -theirs;
    }

    /// The evaluation before and after corrections; remembered when new.
    fn static_eval(
        &mut self,
        hash: Option<&Entry>,
        correction: i32,
        ply: usize,
        was_pv: bool,
    ) -> (Value, Value) {
        let raw = match hash {
            Some(entry) if entry.eval != score::NONE => entry.eval,
            _ => {
                let raw = self.evaluate();
                if hash.is_none() {
                    let entry =
                        Entry { best: None, value: score::NONE, eval: raw, depth: -7, bound: None, was_pv };
                    self.table().store(self.position.key(), ply, entry);
                }
                raw
            }
        };
        (raw, self.corrected(raw, correction))
    }

    /// Stores the result and learns how far off the evaluation was.
    fn finish<const PV: bool>(&mut self, node: &Node, outcome: &Outcome) {
        if node.excluded.is_some() {
            return;
        }
        let bound = if outcome.best >= node.beta {
            Bound::Lower
        } else if PV && outcome.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if !(node.ply == 0 && self.line > 0) {
            self.remember(node, outcome.best, outcome.best_move, bound, outcome.depth);
        }
        let static_eval = self.frame(node.ply).static_eval;
        let quiet_best = outcome.best_move.is_none_or(|m| !is_noisy(&self.position, m));
        let informative = match bound {
            Bound::Lower => outcome.best > static_eval,
            Bound::Upper => outcome.best < static_eval,
            Bound::Exact => true,
        };
        if !node.in_check && quiet_best && informative && !score::is_decisive(outcome.best) {
            let moves = self.correcting_moves(node.ply);
            let error = (outcome.best - static_eval).clamp(-600, 600);
            let rate = self.params().correction_rate;
            self.histories.learn_correction(&self.position, moves, error, outcome.depth, rate);
        }
    }

    pub(crate) fn remember(&self, node: &Node, value: Value, best: Option<Move>, bound: Bound, depth: i32) {
        let entry =
            Entry { best, value, eval: node.raw_eval, depth, bound: Some(bound), was_pv: node.was_pv };
        self.table().store(self.position.key(), node.ply, entry);
    }
}

/// The static evaluation, or the hash table's value where its bound says more.
fn improved_by_hash(static_eval: Value, hash: Option<&Entry>) -> Value {
    match hash {
        Some(&Entry { value, bound: Some(bound), .. })
            if value != score::NONE && !score::is_decisive(value) =>
        {
            let tells_more = match bound {
                Bound::Exact => true,
                Bound::Lower => value > static_eval,
                Bound::Upper => value < static_eval,
            };
            if tells_more { value } else { static_eval }
        }
        _ => static_eval,
    }
}

/// Used by the quiescence search too.
pub(crate) fn hash_bounds(hash: Option<&Entry>, beta: Value) -> Option<Value> {
    let entry = hash?;
    let settles = match entry.bound? {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value < beta,
    };
    (settles && entry.value != score::NONE).then_some(entry.value)
}
