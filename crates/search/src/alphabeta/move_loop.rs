//! The moves of a node, tried one after the other: which are left out, how deep each is searched, what is learned.

use eval::Evaluator;
use shogi::Move;

use super::bets::{Chance, OF_MOVES, Playing, Shortcut};
use super::correction::Corrections;
use super::cuts::excess_shared;
use super::history::{Context, Outcome, Step, mover, view};
use super::kinds::Kinds;
use super::model::BIT;
use super::node::{Node, Role};
use super::order::{Features, Scorer, flag};
use super::params::PERCENT;
use super::picker::{Picked, Picker};
use super::searcher::Searcher;
use super::table::{Entry, to_kept};
use crate::exchange::gain;
use crate::score::{self, Value};
use crate::{Bound, Depth, MoveKind};

/// The best that was found at a node.
struct Best {
    value: Value,
    m: Option<Move>,
    tried: usize,
}

/// A move about to be searched.
struct Candidate {
    m: Move,
    /// What is known about it, if it had to be looked up.
    features: Option<Features>,
    is_quiet: bool,
    takes: bool,
    checks: bool,
    /// How improbable it is that it raises alpha, in 64ths of a bit.
    bits: i32,
    loses: bool,
    number: usize,
}

/// Moves tried in vain that the histories hear of.
type Tried = arrayvec::ArrayVec<Move, 48>;

impl<E: Evaluator> Searcher<'_, E> {
    /// Tries the moves of a node and keeps what was found.
    pub(crate) fn try_moves(&mut self, node: &mut Node, mut picker: Picker) -> Value {
        let alpha = node.alpha;
        let mut best = Best { value: -score::INFINITE, m: None, tried: 0 };
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        while let Some(picked) = picker.next(self, &node.info) {
            let m = picked.m;
            let is_legal = node.ply == 0 || self.position.pseudo_is_legal(m, &node.info);
            if Some(m) == node.excluded || !is_legal {
                continue;
            }
            best.tried += 1;
            let candidate = self.candidate(node, picked, best.tried);
            let mut doubted = None;
            if best.value > -score::MATE_BOUND {
                let doubt = self.doubt(&OF_MOVES);
                match self.leaves_out(node, &candidate, &picker, doubt) {
                    Some(chance) if doubt == Some(chance.shortcut) => doubted = Some(chance),
                    Some(chance) => {
                        picker.captures_only |= chance.shortcut == Shortcut::LateMove;
                        continue;
                    }
                    None => {}
                }
            }
            let extension = match self.extension(node, &candidate) {
                Ok(extension) => extension,
                Err(value) => return value,
            };
            let is_first = best.m.is_none() && best.value == -score::INFINITE;
            let nodes = self.nodes;
            let value = self.search_move(node, &candidate, extension, is_first);
            if self.stopped {
                return 0;
            }
            self.log_trial(node, &candidate, doubted, value > node.alpha, self.nodes - nodes);
            if node.ply == 0 {
                self.note_root_move(node, m, value, is_first, self.nodes - nodes);
            }
            if value > best.value {
                best.value = value;
                if value > node.alpha {
                    best.m = Some(m);
                    if node.is_pv() && node.ply > 0 {
                        self.extend_pv(m, node.ply);
                    }
                    if value >= node.beta {
                        break;
                    }
                    node.raise_alpha(value);
                }
            }
            if best.m != Some(m) {
                let tried = if candidate.takes { &mut captures } else { &mut quiets };
                let _ = tried.try_push(m);
            }
        }
        self.conclude(node, alpha, &best, [&quiets, &captures])
    }

    /// Logs what became of a move, if that is asked for.
    #[inline(always)]
    fn log_trial(
        &mut self,
        node: &Node,
        tried: &Candidate,
        doubted: Option<Chance>,
        raised: bool,
        nodes: u64,
    ) {
        if let Some(chance) = doubted {
            self.log_shortcut(node, chance, raised, nodes);
        }
        if let Some(features) = &tried.features {
            self.log_move(node, features, Some(tried.m) == node.hash_move, tried.number, raised);
        }
    }

    /// Learns from a node whose moves were tried, and keeps its value.
    fn conclude(&mut self, node: &Node, alpha: Value, best: &Best, tried: [&Tried; 2]) -> Value {
        if best.tried == 0 {
            return if node.excluded.is_some() { alpha } else { score::mated_in(node.ply) };
        }
        if let Some(m) = best.m.filter(|_| self.params().plain == 0 && node.playing != Playing::Shuffled) {
            self.learn(node, m, tried);
        }
        let is_cut = best.value >= node.beta;
        let high = self.params().node_high;
        let value = if is_cut { excess_shared(best.value, node.beta, high) } else { best.value };
        if node.excluded.is_none() && !(node.ply == 0 && self.line > 0) {
            let bound = match value {
                value if value >= node.beta => Bound::Lower,
                value if value > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            self.keep(node, best.m, value, node.depth, bound);
            self.learn_correction(node, best.m, value, bound);
        }
        value
    }

    /// What is known about a move that may be searched. Its features were looked up when it was scored; here only for moves
    /// that were not, and for the log.
    #[inline(always)]
    fn candidate(&self, node: &Node, picked: Picked, number: usize) -> Candidate {
        let (m, model) = (picked.m, self.model());
        let known = picked.log_odds.filter(|_| node.ply > 0 && node.playing == Playing::Normal);
        let features = known.is_none().then(|| self.features(node, m));
        let log_odds = known.or(features.as_ref().map(|features| model.log_odds(features))).unwrap_or(0);
        let takes = self.position.piece(m.to()).is_some();
        let checks = match &features {
            Some(features) => features.flags & flag::CHECKS != 0,
            None => self.position.gives_check(m, &node.info),
        };
        let inputs = model.raise_inputs(log_odds, number, node.depth, node.gap);
        let bits = model.bits(model.raise_log_odds(node.role as usize, inputs));
        let is_quiet = !takes && !m.is_promotion();
        Candidate { m, features, is_quiet, takes, checks, bits, loses: picked.loses, number }
    }

    /// The features of a move, and whether it is a killer.
    #[inline(never)]
    fn features(&self, node: &Node, m: Move) -> Features {
        let before = self.steps_before(node.ply);
        let scorer = Scorer::new(&self.position, &node.info, self.model(), self.histories, before);
        let mut features = scorer.features(m);
        let killers = self.frame(node.ply).killers;
        if killers[0] == Some(m) {
            features.flags |= flag::FIRST_KILLER;
        } else if killers[1] == Some(m) {
            features.flags |= flag::SECOND_KILLER;
        }
        features
    }

    /// Whether a move is not worth a search: it and all after it are too improbable, its gain cannot close the gap, or it
    /// loses too much in the exchange. A doubted shortcut comes last, and also if it is not quite taken.
    fn leaves_out(
        &self,
        node: &Node,
        candidate: &Candidate,
        picker: &Picker,
        doubt: Option<Shortcut>,
    ) -> Option<Chance> {
        let is_free = self.params().plain == 1 || node.ply == 0 || node.playing != Playing::Normal;
        if is_free || node.in_check || candidate.checks {
            return None;
        }
        let mut doubted = None;
        for shortcut in OF_MOVES {
            let is_doubted = doubt == Some(shortcut);
            let chance = match shortcut {
                Shortcut::LateMove => self.late_move(node, candidate, picker, is_doubted),
                Shortcut::Futility => self.futility(node, candidate, is_doubted),
                Shortcut::Exchange if candidate.is_quiet => {
                    self.exchange(node, candidate, shortcut, is_doubted)
                }
                Shortcut::LosingCapture if candidate.loses => {
                    self.exchange(node, candidate, shortcut, is_doubted)
                }
                _ => None,
            };
            match chance {
                Some(chance) if is_doubted => doubted = Some(chance),
                Some(chance) => return Some(chance),
                None => {}
            }
        }
        doubted
    }

    /// Late moves: this one and all after it are together improbable.
    #[inline(always)]
    fn late_move(
        &self,
        node: &Node,
        candidate: &Candidate,
        picker: &Picker,
        is_doubted: bool,
    ) -> Option<Chance> {
        let p = self.params();
        if !candidate.is_quiet {
            return None;
        }
        let others = self.model().log2(picker.left(self) + 1) * BIT / super::model::NAT;
        let together = candidate.bits - others.min(p.late_most);
        let asked = p.late_bits + p.late_slope * node.depth.in_units() / Depth::plies(1).in_units();
        let is_taken = node.depth <= Depth::plies(p.late_depth) && together > asked;
        let chance = Chance::of_move(Shortcut::LateMove, candidate.m, candidate.bits, is_taken);
        (is_taken || is_doubted).then_some(chance)
    }

    /// Futility (Heinz 1998): evaluation and gain lie too far below alpha for the depth that is left.
    #[inline(always)]
    fn futility(&self, node: &Node, candidate: &Candidate, is_doubted: bool) -> Option<Chance> {
        let p = self.params();
        let left = (node.depth - self.reduction(node, candidate)).max(Depth::ZERO);
        if score::is_decisive(node.alpha) || left > Depth::plies(p.futility_depth) {
            return None;
        }
        let lacks =
            node.alpha - node.static_eval - gain(&self.position, candidate.m, self.model().exchange_values());
        let fall = self.model().fall(left, node.stage);
        let is_taken = PERCENT * lacks >= p.futility_z * fall;
        let is_asked = is_taken || is_doubted && lacks > 0;
        let chance =
            || Chance::of_move(Shortcut::Futility, candidate.m, PERCENT * lacks / fall.max(1), is_taken);
        is_asked.then(chance)
    }

    /// Static exchange evaluation: the move loses more than it may at its depth.
    #[inline(always)]
    fn exchange(
        &self,
        node: &Node,
        candidate: &Candidate,
        shortcut: Shortcut,
        is_doubted: bool,
    ) -> Option<Chance> {
        let (p, m) = (self.params(), candidate.m);
        if node.depth > Depth::plies(p.exchange_depth) {
            return None;
        }
        let allowed = if candidate.is_quiet {
            let left = (node.depth - self.reduction(node, candidate)).max(Depth::ZERO);
            let plies = left.in_units() * left.in_units() / Depth::plies(1).in_units();
            p.exchange_quiet * plies / Depth::plies(1).in_units()
        } else {
            p.exchange_capture * (node.depth.whole() + 1)
        };
        if is_doubted {
            let gap = self.exchange_loss(m);
            return (gap > 0).then_some(Chance::of_move(shortcut, m, gap, gap > allowed));
        }
        let is_taken = !self.position.exchange_gains(m, -allowed, self.model().exchange_values());
        is_taken.then_some(Chance::of_move(shortcut, m, allowed, is_taken))
    }

    /// What a move loses in the exchange, none if it gains: for the log, since it takes several looks.
    #[cold]
    fn exchange_loss(&self, m: Move) -> Value {
        let mut range = 0..score::EVAL_LIMIT;
        while range.start < range.end {
            let middle = range.start.midpoint(range.end);
            if self.position.exchange_gains(m, -middle, self.model().exchange_values()) {
                range.end = middle;
            } else {
                range.start = middle + 1;
            }
        }
        range.start
    }

    /// By how much a move is searched less deep: so much for each bit of improbability, and less of it where a mistake is
    /// dear, on the principal variation and above all at the root.
    #[inline(always)]
    fn reduction(&self, node: &Node, candidate: &Candidate) -> Depth {
        let p = self.params();
        let forces = candidate.checks || node.in_check;
        let per_bit =
            p.reduce_base + p.reduce_slope * self.model().log2_depth(node.depth) / super::model::NAT;
        let share = match node.role {
            _ if node.ply == 0 => p.reduce_root,
            Role::Pv => p.reduce_pv,
            Role::Cut => p.reduce_cut,
            Role::All => PERCENT,
        };
        let share = if forces { share * p.reduce_check / PERCENT } else { share };
        Depth::units((candidate.bits - p.reduce_free).max(0) * per_bit / BIT).percent(share)
    }

    /// How much deeper a move is searched; `Err` with the node's value if it shows that the node is cut.
    fn extension(&mut self, node: &Node, candidate: &Candidate) -> Result<Depth, Value> {
        let p = self.params();
        let budget = Depth::plies(self.root_depth).percent(p.gain_share);
        if p.plain == 1
            || node.ply == 0
            || node.playing != Playing::Normal
            || self.frame(node.ply).gained >= budget
        {
            return Ok(Depth::ZERO);
        }
        // Two values are compared fairly if the known one was searched no less deep than the others will be.
        let depth = node.depth.percent(p.singular_share);
        let is_asked = node.depth >= Depth::plies(p.singular_depth) && node.excluded.is_none();
        if let Some(known) = node.entry.filter(|_| is_asked && Some(candidate.m) == node.hash_move)
            && known.bound != Bound::Upper
            && known.depth >= depth
            && !score::is_decisive(known.value)
        {
            return self.singular(node, candidate.m, known.value, depth);
        }
        if candidate.checks
            && p.check_gain > 0
            && self.position.exchange_gains(candidate.m, 0, self.model().exchange_values())
        {
            return Ok(Depth::units(p.check_gain));
        }
        Ok(Depth::ZERO)
    }

    /// Singular extension (Anantharaman, Campbell and Hsu 1990): the further all others fall short of the hash move's value,
    /// the more it alone holds, and the deeper it is searched. If others reach beta too, there are several ways to cut, and
    /// one of them will do (multi-cut: Björnsson and Marsland 2001).
    fn singular(&mut self, node: &Node, m: Move, value: Value, depth: Depth) -> Result<Depth, Value> {
        let p = self.params();
        let fall = self.model().fall(node.depth, node.stage).max(1);
        let bound = value - p.singular_z * fall / PERCENT;
        let role = if node.is_pv() { Role::Cut } else { node.role };
        self.frame_mut(node.ply).excluded = Some(m);
        let others = self.node(bound - 1, bound, depth, node.ply, role);
        self.frame_mut(node.ply).excluded = None;
        if self.stopped {
            return Err(0);
        }
        if others < bound {
            let gain = p.singular_gain + (bound - others) * p.singular_slope / fall;
            return Ok(Depth::units(gain.min(p.singular_most)));
        }
        let is_cut = !node.is_pv() && others >= node.beta && !score::is_decisive(others);
        if is_cut { Err(node.beta) } else { Ok(Depth::ZERO) }
    }

    /// What a move takes from the depth: a ply, unless its kind has a cost of its own.
    #[inline(always)]
    fn cost(&self, node: &Node, m: Move) -> Depth {
        let of_kind =
            |kinds: &Kinds| MoveKind::of(&self.position, m, &node.info).map(|kind| kinds.cost(&kind));
        self.task.kinds.and_then(of_kind).unwrap_or(Depth::plies(1))
    }

    /// Searches a move: the first with the whole window, the others less deep and with the narrowest one, again where that
    /// was not enough.
    fn search_move(&mut self, node: &Node, candidate: &Candidate, extension: Depth, is_first: bool) -> Value {
        let (alpha, beta, ply) = (node.alpha, node.beta, node.ply);
        let full = node.depth - self.cost(node, candidate.m) + extension;
        let is_bet = self.params().plain == 0 && node.playing == Playing::Normal && !is_first;
        let mut less = if is_bet { self.reduction(node, candidate) } else { Depth::ZERO };
        let is_doubted = less > Depth::ZERO && self.doubt(&[Shortcut::Reduction]).is_some();
        if let Some(log) = self.bets.as_deref_mut().filter(|_| is_doubted) {
            less = less.percent(log.any_share());
        }
        self.table().prefetch(self.position.key_after(candidate.m));
        self.frame_mut(ply + 1).gained = self.frame(ply).gained + extension.max(Depth::ZERO);
        self.play(candidate.m, ply);
        let value = if is_first && node.is_pv() {
            -self.node(-beta, -alpha, full, ply + 1, Role::Pv)
        } else {
            let reduced = full - less;
            let role = if less > Depth::ZERO || node.is_pv() { Role::Cut } else { node.role.child() };
            let nodes = self.nodes;
            self.frame_mut(ply + 1).reduced = less;
            let mut value = -self.node(-alpha - 1, -alpha, reduced, ply + 1, role);
            self.frame_mut(ply + 1).reduced = Depth::ZERO;
            let is_reduced = less > Depth::ZERO && !self.stopped;
            let is_low = value <= alpha;
            let spent = self.nodes - nodes;
            if is_reduced && (!is_low || is_doubted) {
                let role = if node.is_pv() { Role::Cut } else { node.role.child() };
                value = -self.node(-alpha - 1, -alpha, full, ply + 1, role);
            }
            if is_reduced && is_doubted {
                // Only one that fails low is taken at its word.
                let chance = Chance::of_move(Shortcut::Reduction, candidate.m, candidate.bits, is_low);
                let is_wrong = is_low && value > alpha;
                let nodes = [self.nodes - nodes - spent, spent];
                self.log_reduction(node, chance, is_wrong, less, nodes);
            }
            if node.is_pv() && value > alpha && value < beta && !self.stopped {
                value = -self.node(-beta, -alpha, full, ply + 1, Role::Pv);
            }
            value
        };
        self.undo();
        value
    }

    /// Keeps a finding in the hash table.
    pub(crate) fn keep(&self, node: &Node, best: Option<Move>, value: Value, depth: Depth, bound: Bound) {
        let entry = Entry { best, value: to_kept(value, node.ply), static_eval: node.raw_eval, depth, bound };
        self.table().store(self.position.key(), entry, self.price());
    }

    /// Tells the histories which move did it and which were tried in vain.
    fn learn(&mut self, node: &Node, best: Move, [quiets, captures]: [&Tried; 2]) {
        let p = self.params();
        let plies = node.depth.nearest() as i32;
        let (success, failure) = (Outcome::success(p, plies), Outcome::failure(p, plies));
        if self.position.piece(best.to()).is_none() {
            self.learn_move(best, node.ply, success);
            for &m in quiets {
                self.learn_move(m, node.ply, failure);
            }
            let killers = &mut self.frame_mut(node.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
        } else {
            self.learn_move(best, node.ply, success);
        }
        for &m in captures {
            self.learn_move(m, node.ply, failure);
        }
    }

    /// Tells the histories what became of one move.
    fn learn_move(&mut self, m: Move, ply: usize, outcome: Outcome) {
        let (side, before) = (self.position.side(), self.steps_before(ply));
        let to = view(side, m.to());
        let step = Step::new(mover(&self.position, m), to);
        match self.position.piece(m.to()) {
            Some(taken) => self.histories.learn_capture(step, taken.kind(), outcome),
            None => {
                self.histories.learn_quiet(&Context { side, before }, m, to, step, outcome);
            }
        }
    }

    /// Tells the corrections how far the search ended from the evaluation, where that is not due to a capture.
    fn learn_correction(&mut self, node: &Node, best: Option<Move>, value: Value, bound: Bound) {
        let takes = best.is_some_and(|m| self.position.piece(m.to()).is_some());
        let beyond = match bound {
            Bound::Exact => true,
            Bound::Lower => value > node.static_eval,
            Bound::Upper => value < node.static_eval,
        };
        if node.in_check || takes || !beyond || value.abs() >= score::EVAL_LIMIT || self.params().plain == 1 {
            return;
        }
        let last = [1, 2].map(|back| self.earlier(node.ply, back).step);
        let contexts = Corrections::contexts(&self.position, last);
        self.corrections.learn(contexts, value - node.raw_eval, node.depth.nearest() as i32);
    }
}
