//! Cuts before any move is tried. Each bets that the evaluation or a shallower search tells the value: the gap is asked to
//! be so large as values rarely lie from evaluations, as measured in our own trees.

use eval::Evaluator;
use shogi::{MoveList, Stage};

use super::bets::{Chance, OF_NODES, Playing, Shortcut};
use super::history::Step;
use super::node::{Node, Role};
use super::order::Scorer;
use super::params::PERCENT;
use super::picker::{greatest, score_all};
use super::searcher::Searcher;
use super::table::Entry;
use crate::Depth;
use crate::score::{self, Value};

/// A value that is claimed of a cut: so much of what lies above beta, in percent, since a bound says less the farther it is away.
#[inline(always)]
pub(super) fn excess_shared(value: Value, beta: Value, percent: i32) -> Value {
    let is_sure = score::is_decisive(value) || score::is_decisive(beta) || percent == PERCENT;
    if is_sure { value } else { beta + (value - beta) * percent / PERCENT }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// The value of a node that need not be searched; or its depth is changed.
    pub(crate) fn cut_early(&mut self, node: &mut Node) -> Option<Value> {
        let p = self.params();
        if p.plain == 1 || node.excluded.is_some() || node.ply == 0 || node.playing != Playing::Normal {
            return None;
        }
        if !node.is_pv() && !node.in_check && node.beta.abs() < score::EVAL_LIMIT {
            let doubt = self.doubt(&OF_NODES);
            let cuts = [Self::static_cut, Self::razor, Self::null_move, Self::probcut];
            for (cut, shortcut) in cuts.into_iter().zip(OF_NODES) {
                let is_doubted = doubt == Some(shortcut);
                match cut(self, node, is_doubted) {
                    _ if self.stopped => return Some(0),
                    Some((chance, _)) if is_doubted => node.doubted = Some((chance, self.nodes)),
                    Some((_, value)) => return Some(value),
                    None => {}
                }
            }
        }
        self.adjust_depth(node);
        None
    }

    /// The evaluation drawn towards a bound of the hash table that contradicts it.
    #[inline(always)]
    pub(crate) fn estimate(&self, static_eval: Value, entry: Option<Entry>) -> Value {
        let against = |entry: &Entry| !score::is_decisive(entry.value) && entry.contradicts(static_eval);
        match entry.filter(against) {
            Some(entry) => static_eval + (entry.value - static_eval) * self.params().hash_trust / PERCENT,
            None => static_eval,
        }
    }

    /// Reverse futility: the evaluation is so far above beta that no search would bring it below.
    fn static_cut(&mut self, node: &Node, is_doubted: bool) -> Option<(Chance, Value)> {
        let p = self.params();
        let excess = self.estimate(node.static_eval, node.entry) - node.beta;
        let rising = if node.gap.rising { Depth::plies(1) } else { Depth::ZERO };
        let depth = node.depth - rising;
        let gap = PERCENT * excess / self.model().fall(depth, node.stage).max(1);
        let asked = p.static_cut_z + p.static_cut_slope * depth.whole();
        let is_taken = node.depth <= Depth::plies(p.static_cut_depth) && gap >= asked;
        let chance = Chance::of_node(Shortcut::StaticCut, gap, is_taken);
        let is_asked = is_taken || is_doubted && excess > 0;
        is_asked.then(|| (chance, excess_shared(node.beta + excess, node.beta, p.fail_high)))
    }

    /// Razoring: the evaluation is so far below alpha that only captures could help, and they do not.
    fn razor(&mut self, node: &Node, is_doubted: bool) -> Option<(Chance, Value)> {
        let p = self.params();
        let shortfall = node.alpha - self.estimate(node.static_eval, node.entry);
        let gap = PERCENT * shortfall / self.model().rise(node.depth, node.stage).max(1);
        let is_taken = node.depth <= Depth::plies(p.razor_depth) && gap > p.razor_z;
        let is_near = is_doubted && shortfall > 0 && node.depth <= Depth::plies(2 * p.razor_depth);
        if !is_taken && !is_near {
            return None;
        }
        let value = self.quiescence(node.alpha, node.alpha + 1, 0, node.ply);
        let chance = Chance::of_node(Shortcut::Razor, gap, is_taken);
        (value <= node.alpha).then_some((chance, value))
    }

    /// Null move: whoever stands above beta even after passing will stand so after moving (Donninger 1993).
    fn null_move(&mut self, node: &Node, is_doubted: bool) -> Option<(Chance, Value)> {
        let p = self.params();
        let excess = self.estimate(node.static_eval, node.entry) - node.beta;
        let passed = self.earlier(node.ply, 1).step == Step::NONE && node.ply > 1;
        let fall = self.model().fall(node.depth, node.stage).max(1);
        let gap = PERCENT * excess / fall;
        let is_taken = gap >= p.null_z;
        let is_near = is_doubted && gap >= p.null_z - PERCENT;
        if passed || node.depth < Depth::plies(2) || !(is_taken || is_near) {
            return None;
        }
        let by_gap = (excess * p.null_gap / fall).clamp(0, 4 * p.null_gap);
        let less = Depth::units(p.null_base + by_gap) + node.depth.percent(p.null_percent);
        self.frame_mut(node.ply).step = Step::NONE;
        self.position.play_null();
        self.table().prefetch(self.position.key());
        let value =
            -self.node(-node.beta, -node.beta + 1, node.depth - less, node.ply + 1, node.role.child());
        self.position.undo();
        if self.stopped || value < node.beta {
            return None;
        }
        let chance = Chance::of_node(Shortcut::NullMove, gap, is_taken);
        Some((chance, if score::is_decisive(value) { node.beta } else { value }))
    }

    /// ProbCut (Buro 1995): a shallower search that comes so far above beta tells that the full one would reach it. Only
    /// captures are tried, since little else is worth so much.
    fn probcut(&mut self, node: &Node, _is_doubted: bool) -> Option<(Chance, Value)> {
        let p = self.params();
        if node.depth < Depth::plies(p.probcut_depth) {
            return None;
        }
        let bound = node.beta + p.probcut_z * self.model().fall(node.depth, node.stage) / PERCENT;
        let shallow = node.depth.percent(p.probcut_share);
        if node.entry.is_some_and(|entry| entry.depth >= shallow && entry.value < bound) {
            return None;
        }
        let start = self.moves.len();
        self.list_gains(node, bound - node.static_eval);
        let mut next = start;
        let mut found = None;
        while let Some(best) = greatest(&self.moves[next..]) {
            self.moves.swap(next, next + best);
            let m = self.moves[next].get();
            next += 1;
            let Some(m) = m.filter(|&m| self.position.pseudo_is_legal(m, &node.info)) else { continue };
            self.table().prefetch(self.position.key_after(m));
            self.play(m, node.ply);
            let depth = shallow - Depth::plies(1);
            let value = -self.node(-bound, -bound + 1, depth, node.ply + 1, Role::All);
            self.undo();
            if self.stopped || value >= bound {
                found = Some((m, value));
                break;
            }
        }
        self.moves.truncate(start);
        let (m, value) = found.filter(|_| !self.stopped)?;
        self.keep(node, Some(m), value, shallow, crate::Bound::Lower);
        // That is all that the bet was about.
        Some((Chance::of_node(Shortcut::ProbCut, 0, true), node.beta))
    }

    /// Lists captures and promotions that win at least `least`, with their log-odds.
    fn list_gains(&mut self, node: &Node, least: Value) {
        let mut list = MoveList::new();
        self.position.generate(Stage::Loud, self.pointless(), &mut list);
        let (model, before) = (self.model(), self.steps_before(node.ply));
        let scorer = Scorer::new(&self.position, &node.info, model, self.histories, before);
        let position = &self.position;
        list.retain(|m| position.exchange_gains(*m, least, model.exchange_values()));
        score_all(&scorer, &list, &mut self.moves);
    }
}
