//! Trying the moves of a node: which to skip, how deep to search each, when to stop.

use eval::Evaluator;
use shogi::{CheckInfo, Move};

use super::deepening::RootFacts;
use super::history::{Histories, PieceTo, moved_piece, piece_to};
use super::node::{Node, Outcome};
use super::picker::{Context, Picker, Plan, VALUES, gain, is_noisy};
use super::prune;
use super::searcher::Searcher;
use super::update::Tried;
use crate::Bound;
use crate::score::{self, Value};

/// What is known about a move before it is played.
#[derive(Clone, Copy)]
struct Traits {
    /// Captures.
    noisy: bool,
    /// Gives check.
    checks: bool,
    /// The piece and where it goes.
    now: PieceTo,
    /// How answers like it to the last two moves fared; for noisy moves how such captures did.
    history: i32,
    /// How quiet moves like it fared anywhere.
    quiet: i32,
    /// What it wins at once.
    gain: Value,
}

impl<E: Evaluator> Searcher<'_, E> {
    /// Searches the moves in order until one is too good. An error is a multi-cut: the value of a node where
    /// several moves are too good.
    pub(crate) fn try_moves<const PV: bool>(&mut self, node: &Node) -> Result<Outcome, Value> {
        let ply = node.ply;
        let context = self.context(node.hash_move, node.depth, ply);
        let mut picker = Picker::new(&self.position, Plan::All, 0, context);
        let info = node.check_info.get_or_init(|| self.position.check_info());
        let mut outcome = Outcome::new(node);
        let mut tried = Tried::default();
        let selective = self.params().plain == 0;
        while let Some(m) = picker.next(&self.position, info, self.histories) {
            if Some(m) == node.excluded
                || (ply == 0 && !self.is_root_candidate(m))
                || !self.position.pseudo_is_legal(m, info)
            {
                continue;
            }
            self.table().prefetch(self.position.key_after(m));
            outcome.moves += 1;
            self.frame_mut(ply).move_count = outcome.moves;
            let traits = self.traits(&context, m, info);
            let reduction = self.base_reduction(node, &outcome);
            // Steps 12 and 13: pruning at shallow depth.
            if ply > 0 && selective && !score::is_loss(outcome.best) && outcome.best > -score::INFINITE {
                if outcome.moves >= prune::late_move_count(outcome.depth, node.improving, self.params()) {
                    picker.skip_quiet();
                }
                if self.should_skip(node, &mut outcome, m, traits, reduction) {
                    continue;
                }
            }
            // Step 14: extensions. They deepen the move by themselves, and the moves after a singular one.
            let next_depth = outcome.depth - 1;
            let extension =
                if selective { self.extension::<PV>(node, &mut outcome, m, traits.checks)? } else { 0 };
            let nodes_before = self.nodes;
            self.play(m, ply);
            let value = self.search_move::<PV>(
                node,
                &outcome,
                m,
                Plies { depth: next_depth + extension, reduction },
                traits,
            );
            self.undo();
            if self.stopped {
                return Ok(outcome);
            }
            if ply == 0 {
                let facts =
                    RootFacts { value, alpha: outcome.alpha, beta: node.beta, first: outcome.moves == 1 };
                self.note_root_move(m, facts, self.nodes - nodes_before);
            }
            if self.is_cut::<PV>(node, &mut outcome, m, value, extension) {
                break;
            }
            tried.push(m, traits.noisy);
        }
        self.learn_from_outcome::<PV>(node, &outcome, &tried);
        Ok(outcome)
    }

    fn traits(&self, context: &Context, m: Move, info: &CheckInfo) -> Traits {
        let position = &self.position;
        let histories: &Histories = self.histories;
        let noisy = is_noisy(position, m);
        let now = piece_to(moved_piece(position, m), m.to());
        let (history, quiet) = if noisy {
            (histories.capture(now, position.piece(m.to())), 0)
        } else {
            let answers = context.earlier[..2].iter().map(|&row| i32::from(histories.continuation(row)[now]));
            (answers.sum(), histories.quiet(position.side(), m))
        };
        let gain = if noisy { gain(position, m) } else { 0 };
        Traits { noisy, checks: position.gives_check(m, info), now, history, quiet, gain }
    }

    /// Notes a move's value; whether it is too good for the opponent to come here.
    fn is_cut<const PV: bool>(
        &mut self,
        node: &Node,
        outcome: &mut Outcome,
        m: Move,
        value: Value,
        extension: i32,
    ) -> bool {
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
            self.frame_mut(node.ply).cuts_below += u32::from(extension < 2 || PV);
            return true;
        }
        outcome.alpha = value;
        // Another move is found good already: the rest is searched less deep.
        if (3..14).contains(&outcome.depth) && !score::is_decisive(value) && self.params().plain == 0 {
            outcome.depth = (outcome.depth - self.params().raise_reduction).max(1);
        }
        false
    }

    /// Futile moves, moves with a bad history, moves that lose an exchange.
    fn should_skip(
        &self,
        node: &Node,
        outcome: &mut Outcome,
        m: Move,
        traits: Traits,
        reduction: i32,
    ) -> bool {
        let p = self.params();
        let Traits { noisy, checks, history, .. } = traits;
        let eval = self.frame(node.ply).static_eval;
        let reduction = reduction + if node.was_pv { p.prune_pv } else { 0 };
        let mut reduced = outcome.depth - 1 - reduction / 1024;
        if noisy || checks {
            let capture = if noisy { history } else { 0 };
            let futile = || prune::capture_reach(reduced, eval, traits.gain, capture, p) <= outcome.alpha;
            if !checks && !node.in_check && reduced < p.capture_futility_depth && futile() {
                return true;
            }
            let margin = (p.see_noisy * outcome.depth + capture / 30).max(0);
            return !self.position.exchange_gains(m, -margin, &VALUES);
        }
        let pawn = i32::from(self.histories.pawn(&self.position)[traits.now]);
        if history + pawn < -p.history_prune * outcome.depth {
            return true;
        }
        reduced += (history + pawn + 71 * traits.quiet / 32) / p.history_depth;
        if !node.in_check && reduced < p.futility_depth {
            let reach = prune::quiet_reach(reduced, eval, outcome.alpha, outcome.best_move.is_none(), p);
            if reach <= outcome.alpha {
                if !score::is_decisive(outcome.best) && reach < score::EVAL_LIMIT {
                    outcome.best = outcome.best.max(reach);
                }
                return true;
            }
        }
        let reduced = reduced.max(0);
        !self.position.exchange_gains(m, -p.see_quiet * reduced * reduced, &VALUES)
    }

    /// How many plies to search a move deeper (or less deep); an error is a multi-cut value.
    fn extension<const PV: bool>(
        &mut self,
        node: &Node,
        outcome: &mut Outcome,
        m: Move,
        checks: bool,
    ) -> Result<i32, Value> {
        let p = self.params();
        let &Node { beta, ply, cut_node, .. } = node;
        let depth = outcome.depth;
        let in_reach = ply > 0 && ply < 2 * self.root_depth as usize;
        if let Some(entry) = node.hash
            && in_reach
            && Some(m) == node.hash_move
            && node.excluded.is_none()
            && depth >= p.singular_depth + i32::from(node.was_pv)
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && entry.depth >= depth - 3
            && entry.value != score::NONE
            && !score::is_decisive(entry.value)
        {
            let slope = p.singular_margin + if node.was_pv && !PV { p.singular_pv } else { 0 };
            let singular_beta = entry.value - slope * depth / 100;
            let move_count = self.frame(ply).move_count;
            self.frame_mut(ply).excluded = Some(m);
            let value = self.node::<false>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
            self.frame_mut(ply).excluded = None;
            self.frame_mut(ply).move_count = move_count;
            if self.stopped {
                return Ok(0);
            }
            return if value < singular_beta {
                outcome.depth += 1;
                Ok(self.singular_plies::<PV>(node, singular_beta - value))
            } else if value >= beta && !score::is_decisive(value) {
                self.histories.update_hash_move((-424 - 107 * depth).max(-3375));
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

    /// How much deeper a singular move is searched, by how much worse all others are.
    fn singular_plies<const PV: bool>(&self, node: &Node, gap: Value) -> i32 {
        let p = self.params();
        let far = node.ply > self.root_depth as usize;
        let doubt = node.correction.abs() / 210 + if far { 44 } else { 0 };
        let trusted = self.histories.hash_move() / 128;
        let pv = i32::from(PV);
        let quiet = i32::from(!node.hash_noisy);
        let double = p.double_margin + p.double_pv * pv - p.double_quiet * quiet - doubt - trusted;
        let triple = p.triple_margin + p.triple_pv * pv - p.triple_quiet * quiet - doubt
            + if node.was_pv { 92 } else { 0 };
        1 + i32::from(gap > double) + i32::from(gap > triple)
    }

    /// Reduced, then null-window, then full search of a move that has just been played.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        outcome: &Outcome,
        m: Move,
        plies: Plies,
        traits: Traits,
    ) -> Value {
        let p = self.params();
        let &Node { ply, cut_node, beta, .. } = node;
        let alpha = outcome.alpha;
        let mut new_depth = plies.depth;
        let mut value = -score::INFINITE;
        let first = outcome.moves == 1;
        let reduction = self.reduction::<PV>(node, outcome, m, plies.reduction, traits);
        let selective = p.plain == 0;
        if outcome.depth >= 2 && !first && selective {
            // Step 15: late move reduction.
            let reduced = (new_depth - reduction / 1024).min(new_depth + 2).max(1) + i32::from(PV);
            self.frame_mut(ply).reduction = new_depth - reduced;
            value = -self.node::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.frame_mut(ply).reduction = 0;
            if value > alpha && !self.stopped {
                new_depth += i32::from(reduced < new_depth && value > outcome.best + p.lmr_deeper)
                    - i32::from(value < outcome.best + 9);
                if new_depth > reduced {
                    value = -self.node::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
                }
                self.reward_continuations(traits.now, 1_400, ply);
            }
        } else if !PV || !first {
            // Step 16: null window.
            let reduction = reduction + if node.hash_move.is_none() { 1_057 } else { 0 };
            let less = i32::from(reduction > 4_628) + i32::from(reduction > 5_772 && new_depth > 2);
            let less = if selective { less } else { 0 };
            value = -self.node::<false>(-alpha - 1, -alpha, new_depth - less, ply + 1, !cut_node);
        }
        // Step 17: the full window.
        if PV && (first || value > alpha) {
            self.frame_mut(ply + 1).pv.clear();
            let known = node.hash.is_some_and(|entry| entry.depth > 1) && Some(m) == node.hash_move;
            let new_depth = if known { new_depth.max(1) } else { new_depth };
            let expected = if first { node.hash.map_or(score::NONE, |entry| entry.value) } else { value };
            value = self.full_window(alpha, beta, expected, new_depth, ply);
        }
        value
    }

    /// Searches a move of a PV node, at inner nodes first in a window around the value that is expected.
    fn full_window(&mut self, alpha: Value, beta: Value, expected: Value, depth: i32, ply: usize) -> Value {
        let window = prune::inner_window(self.position.ply(), self.params());
        if window > 0 && ply > 0 && expected != score::NONE && !score::is_decisive(expected) {
            let low = alpha.max(expected - window);
            let high = beta.min(expected + window);
            if low < high {
                let value = -self.node::<true>(-high, -low, depth, ply + 1, false);
                let too_low = value <= low && low > alpha;
                let too_high = value >= high && high < beta;
                if self.stopped || !(too_low || too_high) {
                    return value;
                }
            }
        }
        -self.node::<true>(-beta, -alpha, depth, ply + 1, false)
    }

    /// By how much any move of the node would be reduced, in 1024ths of a ply.
    fn base_reduction(&self, node: &Node, outcome: &Outcome) -> i32 {
        let p = self.params();
        let scaled = self.think.shared.reductions.scaled(outcome.depth, outcome.moves);
        let window = (node.beta - outcome.alpha).min(self.root_window);
        let trend = if node.improving { 0 } else { scaled * p.lmr_improving / 100 };
        scaled + trend + p.lmr_base - window * p.lmr_window / self.root_window.max(1)
    }

    /// By how much a move is reduced, in 1024ths of a ply.
    fn reduction<const PV: bool>(
        &mut self,
        node: &Node,
        outcome: &Outcome,
        m: Move,
        base: i32,
        traits: Traits,
    ) -> i32 {
        let p = self.params();
        let mut r = base + p.lmr_late - outcome.moves * p.lmr_moves - node.correction.abs() / 25;
        if node.was_pv {
            let known = node.hash.filter(|entry| entry.value != score::NONE);
            let above = known.is_some_and(|entry| entry.value > outcome.alpha);
            let deep = node.hash.is_some_and(|entry| entry.depth >= outcome.depth);
            r -= p.lmr_pv
                + if PV { p.lmr_pv_node } else { 0 }
                + if above { p.lmr_pv_above } else { 0 }
                + if deep { p.lmr_pv_deep * (1 + i32::from(node.cut_node)) } else { 0 };
        }
        if node.cut_node {
            r += p.lmr_cut + if node.hash_move.is_none() { p.lmr_cut_unknown } else { 0 };
        }
        if node.hash_noisy {
            r += p.lmr_noisy_hash;
        }
        let all_node = !PV && !node.cut_node;
        match self.frame(node.ply + 1).cuts_below {
            0 | 1 => {}
            2 => r += 251 + if all_node { 1042 } else { 0 },
            _ => r += p.lmr_cuts_below + if all_node { 1042 } else { 0 },
        }
        if Some(m) == node.hash_move {
            r -= p.lmr_hash_move;
        }
        let merit =
            if traits.noisy { 7 * traits.gain + traits.history } else { 2 * traits.quiet + traits.history };
        self.frame_mut(node.ply).merit = merit;
        r -= merit * p.lmr_history / 1024;
        if all_node { r + r * 273 / (256 * outcome.depth + 260) } else { r }
    }
}

/// How deep a move is searched.
#[derive(Clone, Copy)]
struct Plies {
    /// Without reduction.
    depth: i32,
    /// In 1024ths, before anything is known about the move.
    reduction: i32,
}
