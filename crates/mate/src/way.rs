//! The positions from the one that is searched down to the one at hand.
//!
//! A board that comes again is no progress if the attacker holds no more than before: a shortest mate does not contain it, by dominance of
//! hands. That is a disproof on this way only (the graph-history interaction of Kishimoto and Müller 2004).

use shogi::Hand;

use crate::known::Depth;

/// The positions above the one at hand.
pub(crate) struct Way {
    steps: Vec<Step>,
    /// How many boards of the way fall on each slot: most boards are seen to be new at one look.
    filter: Box<[u16; SLOTS]>,
}

struct Step {
    board_key: u64,
    hand: Hand,
    /// The key of the way down to here.
    key: u64,
}

const SLOTS: usize = 4096;

impl Way {
    pub(crate) fn new() -> Way {
        Way { steps: Vec::new(), filter: Box::new([0; SLOTS]) }
    }

    /// How many positions are above.
    pub(crate) fn depth(&self) -> Depth {
        self.steps.len() as Depth
    }

    pub(crate) fn push(&mut self, board_key: u64, hand: Hand) {
        let key = self.key_with(board_key, hand);
        self.steps.push(Step { board_key, hand, key });
        self.filter[slot(board_key)] += 1;
    }

    pub(crate) fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.filter[slot(step.board_key)] -= 1;
        }
    }

    /// The key of the way that ends in a position below.
    pub(crate) fn key_with(&self, board_key: u64, hand: Hand) -> u64 {
        let above = self.steps.last().map_or(0, |step| step.key);
        mix(above.rotate_left(17) ^ mix(board_key ^ u64::from(hand.bits()) << 32))
    }

    /// The depth of the latest position above with the same board and at least the same hand.
    pub(crate) fn repeated(&self, board_key: u64, hand: Hand) -> Option<Depth> {
        if self.filter[slot(board_key)] == 0 {
            return None;
        }
        let same = |step: &Step| step.board_key == board_key && step.hand.covers(hand);
        self.steps.iter().rposition(same).map(|depth| depth as Depth)
    }
}

fn slot(board_key: u64) -> usize {
    board_key as usize % SLOTS
}

/// Spreads every bit over the whole word.
pub(crate) const fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    key ^ key >> 29
}

#[cfg(test)]
mod tests {
    use shogi::PieceKind;

    use super::*;

    #[test]
    fn a_board_repeats_with_the_same_hand_or_a_smaller_one() {
        let mut way = Way::new();
        let pawn = Hand::EMPTY.with(PieceKind::Pawn, 1);
        way.push(7, pawn);
        way.push(8, pawn);
        assert_eq!(way.repeated(7, pawn), Some(0));
        assert_eq!(way.repeated(7, Hand::EMPTY), Some(0));
        assert_eq!(way.repeated(7, Hand::EMPTY.with(PieceKind::Gold, 1)), None);
        assert_eq!(way.repeated(7 + SLOTS as u64, pawn), None);
        way.push(7, Hand::EMPTY);
        assert_eq!(way.repeated(7, Hand::EMPTY), Some(2));
        way.pop();
        assert_eq!((way.repeated(7, Hand::EMPTY), way.depth()), (Some(0), 2));
    }

    #[test]
    fn the_order_of_a_way_is_part_of_its_key() {
        let key = |boards: [u64; 2]| {
            let mut way = Way::new();
            boards.into_iter().for_each(|board| way.push(board, Hand::EMPTY));
            way.key_with(9, Hand::EMPTY)
        };
        assert_ne!(key([1, 2]), key([2, 1]));
        assert_eq!(key([1, 2]), key([1, 2]));
    }
}
