//! Trying the moves of a node: which to skip, how deep to search each, when to stop.

use eval::Evaluator;
use shogi::Move;

use super::deepening::RootFacts;
use super::node::{Node, Outcome};
use super::params::Params;
use super::picker::{Picker, Plan, QuietScorer, VALUES, is_noisy};
use super::prune;
use super::searcher::Searcher;
use super::update::Tried;
use crate::Bound;
use crate::score::{self, Value};

/// What is known about a move before it is played.
#[derive(Clone, Copy)]
struct Traits {
    /// Captures or promotes.
    noisy: bool,
    /// Gives check.
    checks: bool,
    /// How quiet moves like it fared; 0 for noisy ones.
    history: i32,
}

/// Whether so many moves were tried that quiet ones are left out.
fn is_late(node: &Node, outcome: &Outcome, p: &Params) -> bool {
    outcome.moves >= prune::late_move_count(node.depth, node.improving, p)
}

impl<E: Evaluator> Searcher<'_, E> {
    /// Searches the moves in order until one is too good. An error is a multi-cut: the value of a node where
    /// several moves are too good.
    pub(crate) fn try_moves<const PV: bool>(&mut self, node: &Node) -> Result<Outcome, Value> {
        let ply = node.ply;
        let context = self.context(node.hash_move, node.depth, ply);
        let mut picker = Picker::new(&self.position, Plan::All, 0, context);
        let info = self.position.check_info();
        let mut outcome = Outcome::new(node);
        let mut tried = Tried::default();
        while let Some(m) = picker.next(&self.position, &info, self.histories) {
            if Some(m) == node.excluded
                || (ply == 0 && !self.is_root_candidate(m))
                || !self.position.pseudo_is_legal(m, &info)
            {
                continue;
            }
            outcome.moves += 1;
            let noisy = is_noisy(&self.position, m);
            let history =
                if noisy { 0 } else { QuietScorer::new(&self.position, self.histories, &context).score(m) };
            let traits = Traits { noisy, checks: self.position.gives_check(m, &info), history };
            // Steps 12 and 13: pruning at shallow depth.
            if ply > 0 && !score::is_loss(outcome.best) && outcome.best > -score::INFINITE {
                if is_late(node, &outcome, self.params()) {
                    picker.skip_quiet();
                }
                if self.should_skip(node, &outcome, m, traits) {
                    continue;
                }
            }
            // Step 14: extensions.
            let extension = self.extension::<PV>(node, m, traits.checks)?;
            let nodes_before = self.nodes;
            self.play(m, ply);
            let value = self.search_move::<PV>(node, &outcome, m, extension, traits);
            self.undo();
            if self.stopped {
                return Ok(outcome);
            }
            if ply == 0 {
                let facts =
                    RootFacts { value, alpha: outcome.alpha, beta: node.beta, first: outcome.moves == 1 };
                self.note_root_move(m, facts, self.nodes - nodes_before);
            }
            if self.is_cut::<PV>(node, &mut outcome, m, value) {
                break;
            }
            tried.push(m, noisy);
        }
        match outcome.best_move {
            Some(best) if outcome.best >= node.beta => self.reward(best, &tried, node.depth, ply),
            Some(best) => self.reward(best, &tried, node.depth - 1, ply),
            None if outcome.moves > 0 => self.reward_last_move(node.depth, ply),
            None => {}
        }
        Ok(outcome)
    }

    /// Notes a move's value; whether it is too good for the opponent to come here.
    fn is_cut<const PV: bool>(&mut self, node: &Node, outcome: &mut Outcome, m: Move, value: Value) -> bool {
        if value <= outcome.best {
            return false;
        }
        outcome.best = value;
        if value <= outcome.alpha {
            return false;
        }
        outcome.best_move = Some(m);
        if PV && node.ply > 0 {
            self.extend_pv(m, node.ply);
        }
        if value >= node.beta {
            self.frame_mut(node.ply).cuts_below += 1;
            return true;
        }
        outcome.alpha = value;
        // Another move is found good already: the rest is searched less deep.
        if (3..14).contains(&outcome.depth) && !score::is_decisive(value) {
            outcome.depth = (outcome.depth - self.params().raise_reduction).max(1);
        }
        false
    }

    /// Late moves, futile moves, moves with a bad history, moves that lose an exchange.
    fn should_skip(&self, node: &Node, outcome: &Outcome, m: Move, traits: Traits) -> bool {
        let p = self.params();
        let Traits { noisy, checks, history } = traits;
        let reduction = self.think.shared.reductions.hundredths(node.depth, outcome.moves) / 100;
        let reduced = (node.depth - 1 - reduction).max(0);
        if !noisy && !checks {
            let futile = || prune::should_prune_futile(reduced, node.eval, outcome.alpha, history, p);
            if prune::should_prune_by_history(reduced, history, p)
                || (!node.in_check && (is_late(node, outcome, p) || futile()))
            {
                return true;
            }
        }
        let margin = prune::exchange_margin(node.depth, reduced, noisy || checks, p);
        node.depth < 12 && !self.position.exchange_gains(m, margin, &VALUES)
    }

    /// How many plies to search a move deeper (or less deep); an error is a multi-cut value.
    fn extension<const PV: bool>(&mut self, node: &Node, m: Move, checks: bool) -> Result<i32, Value> {
        let p = self.params();
        let &Node { beta, depth, ply, cut_node, .. } = node;
        let in_reach = ply > 0 && ply < 2 * self.root_depth as usize;
        if let Some(entry) = node.hash
            && in_reach
            && Some(m) == node.hash_move
            && node.excluded.is_none()
            && depth >= p.singular_depth
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && entry.depth >= depth - 3
            && entry.value != score::NONE
            && !score::is_decisive(entry.value)
        {
            let margin = p.singular_margin * depth / 100 * if node.was_pv && !PV { 2 } else { 1 };
            let singular_beta = entry.value - margin;
            self.frame_mut(ply).excluded = Some(m);
            let value = self.node::<false>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
            self.frame_mut(ply).excluded = None;
            if self.stopped {
                return Ok(0);
            }
            return if value < singular_beta {
                Ok(1 + i32::from(!PV && value < singular_beta - p.double_margin))
            } else if value >= beta && !score::is_decisive(value) {
                Err(value)
            } else if entry.value >= beta {
                Ok(-3)
            } else if cut_node {
                Ok(-2)
            } else {
                Ok(0)
            };
        }
        let extends =
            checks && in_reach && depth <= p.check_extension && self.position.exchange_gains(m, 0, &VALUES);
        Ok(i32::from(extends))
    }

    /// Reduced, then null-window, then full search of a move that has just been played.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        outcome: &Outcome,
        m: Move,
        extension: i32,
        traits: Traits,
    ) -> Value {
        let &Node { ply, cut_node, beta, .. } = node;
        let (alpha, depth) = (outcome.alpha, outcome.depth);
        let new_depth = depth - 1 + extension;
        let mut value = -score::INFINITE;
        let first = outcome.moves == 1;
        if depth >= 2 && outcome.moves > 1 + i32::from(ply == 0) {
            // Step 15: late move reduction.
            let reduction = self.reduction::<PV>(node, outcome, m, traits);
            let reduced = (new_depth - reduction).clamp(1, new_depth + i32::from(PV));
            self.frame_mut(ply).reduction = new_depth - reduced;
            value = -self.node::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.frame_mut(ply).reduction = 0;
            if value > alpha && reduced < new_depth {
                let deeper = value > outcome.best + 40 && reduced < new_depth - 1;
                let shallower = value < outcome.best + 8;
                let again = new_depth + i32::from(deeper) - i32::from(shallower);
                if again > reduced {
                    value = -self.node::<false>(-alpha - 1, -alpha, again, ply + 1, !cut_node);
                }
            }
        } else if !PV || !first {
            // Step 16: null window.
            value = -self.node::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
        }
        // Step 17: the full window.
        if PV && (first || value > alpha) {
            self.frame_mut(ply + 1).pv.clear();
            value = -self.node::<true>(-beta, -alpha, new_depth, ply + 1, false);
        }
        value
    }

    /// By how many plies a late move is searched less deep.
    fn reduction<const PV: bool>(&self, node: &Node, outcome: &Outcome, m: Move, traits: Traits) -> i32 {
        let p = self.params();
        let mut r = self.think.shared.reductions.hundredths(outcome.depth, outcome.moves);
        if node.was_pv {
            r -= p.lmr_pv;
        }
        if PV {
            r -= 50;
        }
        if node.cut_node {
            r += p.lmr_cut;
        }
        if !node.improving {
            r += p.lmr_improving;
        }
        if node.hash_noisy && !traits.noisy {
            r += p.lmr_noisy_hash;
        }
        if traits.checks {
            r -= p.lmr_check;
        }
        if self.frame(node.ply + 1).cuts_below > 3 {
            r += 80;
        }
        if Some(m) == node.hash_move {
            r -= 150;
        }
        r -= if traits.noisy { 60 } else { traits.history * 100 / p.lmr_history };
        r / 100
    }
}
