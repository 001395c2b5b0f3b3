//! How deep a node is worth searching, looked at again once more is known about it than when its depth was set.

use eval::Evaluator;
use shogi::{MoveList, Stage};

use super::model::{Model, NAT};
use super::node::{Node, Role};
use super::searcher::Searcher;
use crate::Depth;
use crate::score::Value;

/// From so many replies on, the side in check has a free choice.
const FREE_CHOICE: usize = 8;

impl<E: Evaluator> Searcher<'_, E> {
    /// Changes the depth of a node that was not cut.
    pub(super) fn adjust_depth(&mut self, node: &mut Node) {
        let p = self.params();
        if node.in_check {
            self.deepen_forced(node);
        } else if !node.is_pv() {
            let reduced = self.frame(node.ply).reduced;
            if reduced > Depth::ZERO {
                let scale = 2 * self.model().fall(node.depth, node.stage);
                node.depth += hindsight(node.beta - node.static_eval, scale, p.hindsight, reduced);
            }
        }
        // Without a hash move the node is less worth its depth: it will be visited again (internal iterative reduction).
        if node.hash_move.is_none() && node.role != Role::All && node.depth >= Depth::plies(p.iir_depth) {
            node.depth -= Depth::units(p.iir);
        }
    }

    /// A reply that is forced is no choice: it takes less from the depth, out of the budget of the line.
    fn deepen_forced(&mut self, node: &mut Node) {
        let p = self.params();
        let budget = Depth::plies(self.root_depth).percent(p.gain_share);
        if p.forced_gain == 0 || self.frame(node.ply).gained >= budget {
            return;
        }
        let mut list = MoveList::new();
        self.position.generate(Stage::Evasions, self.pointless(), &mut list);
        let legal = list.iter().filter(|&&m| self.position.pseudo_is_legal(m, &node.info));
        let gain = forced_gain(self.model(), legal.take(FREE_CHOICE).count(), p.forced_gain);
        node.depth += gain;
        self.frame_mut(node.ply).gained += gain;
    }
}

/// What a reduction was worth, seen after the move: `below` is how far the evaluation lies below beta. A move after which the
/// other side stands below beta may well raise alpha and gets depth back, no more than was taken; one after which it stands
/// above it gets less still.
fn hindsight(below: Value, scale: Value, most: i32, reduced: Depth) -> Depth {
    let shift = most * below / (below.abs() + scale).max(1);
    Depth::units(shift.min(reduced.in_units()))
}

/// How much deeper a side in check is searched: the whole gain for one reply, none for a free choice, and in between by bits.
fn forced_gain(model: &Model, replies: usize, whole: i32) -> Depth {
    let free = model.log2(FREE_CHOICE);
    Depth::units(whole * (free - model.log2(replies.clamp(1, FREE_CHOICE))) / free.max(NAT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduction_is_given_back_where_the_move_looks_good() {
        let reduced = Depth::plies(2);
        let units = |below| hindsight(below, 200, 40, reduced).in_units();
        assert_eq!((units(0), units(200), units(-200)), (0, 20, -20));
        assert!(units(2_000) > 30 && units(2_000) <= 40);
        assert_eq!(hindsight(30_000, 200, 40, Depth::units(10)), Depth::units(10));
    }

    #[test]
    fn the_fewer_replies_the_deeper() {
        let model = Model::embedded();
        let gain = |replies| forced_gain(&model, replies, 48).in_units();
        assert_eq!([gain(1), gain(2), gain(4), gain(8), gain(30)], [48, 32, 16, 0, 0]);
    }
}
