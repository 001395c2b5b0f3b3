//! The classes of positions after a check, so that a check that is met again need not be played to count the replies.
//!
//! A position that is searched again has the same checks again, and most of them have never been visited, so that the table knows nothing
//! of them. A class is a guess: one that is mistaken for another costs positions, never an answer.

use crate::table::PositionKey;
use crate::way::mix;

/// Classes by position; a new one pushes the old one of its slot out.
pub(crate) struct FirstLooks {
    /// The upper bits of the key and the class, in the lowest eight.
    slots: Box<[u32]>,
    /// Tells problems apart: the same board can be another position in another problem.
    problem: u64,
}

/// The lowest bits of a slot, for a class and one.
const CLASS_BITS: u32 = 8;
const _: () = assert!(crate::first_numbers::CLASSES < 1 << CLASS_BITS);

impl FirstLooks {
    /// Bytes of one slot.
    pub(crate) const SLOT_BYTES: usize = size_of::<u32>();

    /// At most so many slots, but for one.
    pub(crate) fn new(slots: usize) -> FirstLooks {
        FirstLooks { slots: vec![0; 1 << slots.max(1).ilog2()].into_boxed_slice(), problem: 0 }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// Forgets everything, without touching it.
    pub(crate) fn clear(&mut self) {
        self.problem += 1;
    }

    pub(crate) fn find(&self, key: PositionKey) -> Option<usize> {
        let (slot, tag) = self.place(key);
        let found = self.slots[slot];
        (found != 0 && found >> CLASS_BITS == tag).then(|| (found & ((1 << CLASS_BITS) - 1)) as usize - 1)
    }

    pub(crate) fn insert(&mut self, key: PositionKey, class: usize) {
        let (slot, tag) = self.place(key);
        self.slots[slot] = tag << CLASS_BITS | (class as u32 + 1);
    }

    /// The slot of a position and what tells it apart from others there.
    fn place(&self, key: PositionKey) -> (usize, u32) {
        let key = mix(key.board_key ^ mix(u64::from(key.hand.bits()) + (self.problem << 32)));
        (key as usize & (self.slots.len() - 1), (key >> (32 + CLASS_BITS)) as u32)
    }
}

#[cfg(test)]
mod tests {
    use shogi::{Hand, PieceKind};

    use super::*;

    #[test]
    fn a_class_is_that_of_one_board_one_hand_and_one_problem() {
        let mut looks = FirstLooks::new(1000);
        let key =
            |board_key, pawns| PositionKey { board_key, hand: Hand::EMPTY.with(PieceKind::Pawn, pawns) };
        looks.insert(key(7, 1), 0);
        looks.insert(key(8, 1), 134);
        assert_eq!((looks.find(key(7, 1)), looks.find(key(8, 1))), (Some(0), Some(134)));
        assert_eq!((looks.find(key(7, 2)), looks.find(key(9, 1))), (None, None));
        looks.clear();
        assert_eq!(looks.find(key(7, 1)), None);
    }
}
