//! Quiescence: only captures, and checks in the first plies if the parameters say so, until the evaluation can be
//! trusted.

use eval::Evaluator;
use shogi::{CheckInfo, Move};

use super::node::hash_bounds;
use super::picker::{Picker, Plan, VALUES, gain, is_noisy};
use super::searcher::Searcher;
use super::table::Entry;
use crate::Bound;
use crate::score::{self, MAX_PLY, Value};

/// Depth under which hash entries of quiescence are stored.
const ENTRY_DEPTH: i32 = 0;

impl<E: Evaluator> Searcher<'_, E> {
    /// The value of the node when things have calmed down. `plies` counts from the first quiescent node.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        mut alpha: Value,
        beta: Value,
        plies: u32,
        ply: usize,
    ) -> Value {
        if self.poll() {
            return 0;
        }
        if PV {
            self.selective_depth = self.selective_depth.max(ply + 1);
            self.frame_mut(ply).pv.clear();
        }
        if let Some(value) = self.rule_end(ply) {
            return value;
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY - 2 {
            return if in_check { self.draw_value() } else { self.evaluate() };
        }
        let hash = self.table().probe(self.position.key(), ply);
        if !PV && let Some(value) = hash_bounds(hash.as_ref(), beta) {
            return value;
        }
        let was_pv = PV || hash.is_some_and(|entry| entry.was_pv);
        let mut best = -score::INFINITE;
        let mut raw_eval = score::NONE;
        let mut futility = -score::INFINITE;
        self.frame_mut(ply).in_check = in_check;
        if in_check {
            self.frame_mut(ply).static_eval = score::NONE;
        } else {
            (raw_eval, best) = self.stand_pat(hash.as_ref(), ply);
            if best >= beta {
                best = if score::is_decisive(best) { best } else { (best + beta) / 2 };
                if hash.is_none() {
                    self.keep(ply, best, raw_eval, None, Bound::Lower, was_pv);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility = self.frame(ply).static_eval + self.params().qs_futility;
        }
        let info = self.position.check_info();
        if !in_check && hash.is_none() && plies == 0 && self.mate_in_one(&info).is_some() {
            return score::mate_in(ply + 1);
        }
        let with_checks = (plies as i32) < self.params().qs_checks;
        let plan = if with_checks { Plan::NoisyAndChecks } else { Plan::Noisy };
        let hash_move = hash.and_then(|entry| entry.best);
        let (best, best_move, moves) =
            self.calm::<PV>(alpha, beta, plies, ply, &info, Calm { plan, hash_move, best, futility });
        if self.stopped {
            return 0;
        }
        if in_check && moves == 0 {
            return score::mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.keep(ply, best, raw_eval, best_move, bound, was_pv);
        best
    }

    /// The evaluation before corrections, and the value of doing nothing.
    fn stand_pat(&mut self, hash: Option<&Entry>, ply: usize) -> (Value, Value) {
        let raw = match hash {
            Some(entry) if entry.eval != score::NONE => entry.eval,
            _ => self.evaluate(),
        };
        let mut value = self.corrected(raw, self.correction(ply));
        self.frame_mut(ply).static_eval = value;
        if let Some(&Entry { value: known, bound: Some(bound), .. }) = hash
            && known != score::NONE
            && !score::is_decisive(known)
            && (bound == Bound::Exact || (bound == Bound::Lower) == (known > value))
        {
            value = known;
        }
        (raw, value)
    }

    /// Tries the moves of the plan; returns the best value, its move and how many were legal.
    fn calm<const PV: bool>(
        &mut self,
        mut alpha: Value,
        beta: Value,
        plies: u32,
        ply: usize,
        info: &CheckInfo,
        start: Calm,
    ) -> (Value, Option<Move>, u32) {
        let p = self.params();
        let context = self.context(start.hash_move, 0, ply);
        let mut picker = Picker::new(&self.position, start.plan, -p.qs_see, context);
        let in_check = self.position.in_check();
        let (mut best, mut best_move, mut moves) = (start.best, None, 0);
        let mut quiet_evasions = 0;
        while let Some(m) = picker.next(&self.position, info, self.histories) {
            if !self.position.pseudo_is_legal(m, info) {
                continue;
            }
            self.table().prefetch(self.position.key_after(m));
            moves += 1;
            if !score::is_loss(best) && best > -score::INFINITE {
                if let Some(reach) = self.is_hopeless(m, moves, alpha, ply, start.futility, info) {
                    best = best.max(reach);
                    continue;
                }
                if in_check && !is_noisy(&self.position, m) {
                    quiet_evasions += 1;
                    if quiet_evasions >= p.qs_evasions {
                        continue;
                    }
                }
            }
            self.play(m, ply);
            let value = -self.quiescence::<PV>(-beta, -alpha, plies + 1, ply + 1);
            self.undo();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if PV {
                        self.extend_pv(m, ply);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        (best, best_move, moves)
    }

    /// What a move may reach at most, if that is not worth trying: it is late, or wins too little. Checks and
    /// recaptures are always worth it, and evasions, which have no futility value.
    fn is_hopeless(
        &self,
        m: Move,
        moves: u32,
        alpha: Value,
        ply: usize,
        futility: Value,
        info: &CheckInfo,
    ) -> Option<Value> {
        let recaptures = self.earlier(ply, 1).current.map(Move::to) == Some(m.to());
        if recaptures || futility == -score::INFINITE || self.position.gives_check(m, info) {
            return None;
        }
        if moves > 2 {
            return Some(-score::INFINITE);
        }
        let reach = futility + gain(&self.position, m);
        if reach <= alpha {
            return Some(reach);
        }
        let loses = !self.position.exchange_gains(m, alpha - futility, &VALUES);
        loses.then(|| alpha.min(futility))
    }

    fn keep(&self, ply: usize, value: Value, eval: Value, best: Option<Move>, bound: Bound, was_pv: bool) {
        let entry = Entry { best, value, eval, depth: ENTRY_DEPTH, bound: Some(bound), was_pv };
        self.table().store(self.position.key(), ply, entry);
    }
}

/// What the loop over quiescent moves starts with.
#[derive(Clone, Copy)]
struct Calm {
    plan: Plan,
    hash_move: Option<Move>,
    best: Value,
    /// What the evaluation and a margin come to, before the move's own gain.
    futility: Value,
}
