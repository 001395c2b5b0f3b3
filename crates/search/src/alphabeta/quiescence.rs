//! Quiescence search: captures, promotions, checks at first and all ways out of check, until the evaluation can be trusted.

use eval::Evaluator;
use shogi::{CheckInfo, Move, MoveList, Pointless, Stage};

use super::node::Role;
use super::order::{Gap, Scorer};
use super::picker::{Scored, greatest, score_all, take_out};
use super::searcher::Searcher;
use super::table::{Entry, to_kept};
use crate::exchange::gain;
use crate::score::{self, MAX_PLY, Value};
use crate::{Bound, Depth};

impl<E: Evaluator> Searcher<'_, E> {
    /// The value of a position whose captures have been followed; `quiet` plies lie between it and the full search.
    pub(crate) fn quiescence(&mut self, mut alpha: Value, beta: Value, quiet: i32, ply: usize) -> Value {
        let (is_pv, p) = (beta - alpha > 1, self.params());
        if is_pv {
            self.frame_mut(ply).pv.clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.poll() {
            return 0;
        }
        if let Some(value) = self.rule_end(ply) {
            return value;
        }
        let in_check = self.is_evading();
        if ply >= MAX_PLY - 1 {
            return if in_check { self.draw_value() } else { self.evaluate() };
        }
        let key = self.position.key();
        let entry = self.look_up(ply);
        if let Some(known) =
            entry.filter(|entry| !is_pv && p.plain == 0 && entry.answers(Depth::ZERO, alpha, beta))
        {
            return known.value;
        }
        // Where the evaluation answers, nobody asks for it.
        let mut info = None;
        let mut best = -score::INFINITE;
        let mut raw = score::NONE;
        if !in_check {
            let known = entry.map(|entry| entry.static_eval).filter(|&eval| eval != score::NONE);
            raw = known.unwrap_or_else(|| self.evaluate());
            best = self.corrected(raw, ply);
            if p.plain == 0 {
                best = self.estimate(best, entry);
                if entry.is_none() && !self.position.in_check() {
                    let known = info.insert(self.position.check_info());
                    if mate::mate_in_one_with(&mut self.position, known).is_some() {
                        return score::mate_in(ply + 1);
                    }
                }
            }
            if best >= beta {
                if entry.is_none() {
                    self.keep_quiet(raw, best, Bound::Lower, ply);
                }
                return best;
            }
        }
        let info = info.unwrap_or_else(|| self.position.check_info());
        let old_alpha = alpha;
        alpha = alpha.max(best);
        let floor = if in_check || p.plain == 1 { -score::INFINITE } else { best + p.quiescence_margin };
        let hash_move = entry.and_then(|entry| entry.best).filter(|_| p.plain == 0);
        let start = self.moves.len();
        self.list_loud(&info, hash_move, quiet, ply);
        let (best, best_move) = self.try_loud(Loud { alpha, beta, best, floor, quiet, ply, info }, start);
        self.moves.truncate(start);
        if self.stopped {
            return 0;
        }
        if best == -score::INFINITE {
            return score::mated_in(ply);
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > old_alpha && is_pv => Bound::Exact,
            _ => Bound::Upper,
        };
        if p.plain == 0 {
            let value = to_kept(best, ply);
            let depth = Depth::ZERO;
            let found = Entry { best: best_move, value, static_eval: raw, depth, bound };
            self.table().store(key, found, self.price());
        }
        best
    }

    fn keep_quiet(&self, raw: Value, value: Value, bound: Bound, ply: usize) {
        let value = to_kept(value, ply);
        let entry = Entry { best: None, value, static_eval: raw, depth: Depth::ZERO, bound };
        if self.params().plain == 0 {
            self.table().store(self.position.key(), entry, self.price());
        }
    }

    /// Lists what quiescence search looks at, the hash move first.
    fn list_loud(&mut self, info: &CheckInfo, hash_move: Option<Move>, quiet: i32, ply: usize) {
        let (p, pointless) = (self.params(), self.pointless());
        let mut list = MoveList::new();
        if p.quiescence_exchange == 1 {
            self.list_recaptures(pointless, &mut list);
        } else if self.position.in_check() {
            self.position.generate(Stage::Evasions, pointless, &mut list);
        } else {
            self.position.generate(Stage::Loud, pointless, &mut list);
            if p.plain == 0 && quiet < p.quiescence_checks {
                let empty = !self.position.occupied();
                let from = list.len();
                self.position.generate_checks_onto(empty, pointless, info, &mut list);
                // Promotions are there already.
                let mut i = from;
                while i < list.len() {
                    if list[i].is_promotion() {
                        list.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
            }
        }
        let (model, before) = (self.model(), self.steps_before(ply));
        let scorer = Scorer::new(&self.position, info, model, self.histories, before);
        if take_out(&mut list, hash_move) {
            self.moves.extend(hash_move.map(|m| Scored::new(m, i32::MAX)));
        }
        score_all(&scorer, &list, &mut self.moves);
    }

    /// Whether all ways out of a check are looked at; otherwise it is not asked whether there is one.
    fn is_evading(&self) -> bool {
        self.position.in_check() && self.params().quiescence_exchange == 0
    }

    /// Lists captures on the square of the last move.
    fn list_recaptures(&self, pointless: Pointless, list: &mut MoveList) {
        let Some(last) = self.position.last_move() else { return };
        let mut captures = MoveList::new();
        self.position.generate(Stage::Captures, pointless, &mut captures);
        let wanted = captures.iter().filter(|m| m.to() == last.to() && self.position.is_legal(**m));
        wanted.for_each(|&m| list.push(m));
    }

    /// Whether a move only promotes, and other moves were tried before it: they rarely gain anything then.
    fn is_late_promotion(&self, m: Move, tried: i32, info: &CheckInfo) -> bool {
        let p = self.params();
        p.plain == 0
            && tried >= p.quiescence_promotions
            && m.is_promotion()
            && self.position.piece(m.to()).is_none()
            && !self.position.gives_check(m, info)
    }

    /// Whether a move is not worth a look: by its log-odds, how many came before it and how far standing pat lies below alpha.
    /// The odds were learned at nodes of the full search and hold here as well (docs/search.md).
    #[inline(always)]
    fn is_improbable(&self, log_odds: i32, tried: i32, gap: Gap) -> bool {
        let (p, model) = (self.params(), self.model());
        if p.quiescence_bits == 0 || p.plain == 1 {
            return false;
        }
        let inputs = model.raise_inputs(log_odds, tried as usize + 1, Depth::ZERO, gap);
        model.bits(model.raise_log_odds(Role::Cut as usize, inputs)) > p.quiescence_bits
    }

    /// What a move can hope for at most, if that does not reach alpha; nothing is said of checks and ways out of one.
    #[inline(always)]
    fn hopeless(&self, m: Move, floor: Value, alpha: Value, info: &CheckInfo) -> Option<Value> {
        let hope = floor.saturating_add(gain(&self.position, m, self.model().exchange_values()));
        let is_hopeless = floor > -score::INFINITE && hope <= alpha && !self.position.gives_check(m, info);
        is_hopeless.then_some(hope)
    }

    /// Tries the listed moves from `start` on.
    fn try_loud(&mut self, node: Loud, start: usize) -> (Value, Option<Move>) {
        let Loud { mut alpha, beta, mut best, floor, quiet, ply, info } = node;
        let (in_check, stand) = (self.is_evading(), best);
        let scale = 2 * self.model().fall(Depth::ZERO, super::model::stage(&self.position));
        let mut best_move = None;
        let mut next = start;
        let mut tried = 0;
        while let Some(place) = greatest(&self.moves[next..]) {
            self.moves.swap(next, next + place);
            let (m, log_odds) = (self.moves[next].get(), self.moves[next].score());
            next += 1;
            let Some(m) = m.filter(|&m| self.position.pseudo_is_legal(m, &info)) else { continue };
            if !in_check || best > -score::MATE_BOUND && self.params().plain == 0 {
                if let Some(hope) = self.hopeless(m, floor, alpha, &info) {
                    best = best.max(hope);
                    continue;
                }
                let is_late = if in_check {
                    tried >= self.params().quiescence_evasions
                } else {
                    quiet > 0 && self.is_late_promotion(m, tried, &info)
                        || self.is_improbable(
                            log_odds,
                            tried,
                            Gap { below_alpha: alpha - stand, scale, ..Gap::default() },
                        )
                };
                if is_late {
                    continue;
                }
                // It comes while the exchange is worked out.
                self.table().prefetch(self.position.key_after(m));
                if !self.position.exchange_gains(m, 0, self.model().exchange_values()) {
                    continue;
                }
            }
            tried += 1;
            self.play(m, ply);
            let value = -self.quiescence(-beta, -alpha, quiet + 1, ply + 1);
            self.undo();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    alpha = value;
                    if beta - node.alpha > 1 {
                        self.extend_pv(m, ply);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        (best, best_move)
    }
}

/// A node of quiescence search whose moves are to be tried.
struct Loud {
    alpha: Value,
    beta: Value,
    /// What standing pat gives.
    best: Value,
    /// What a move can hope for at most before its gain.
    floor: Value,
    quiet: i32,
    ply: usize,
    info: CheckInfo,
}
