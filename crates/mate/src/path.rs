//! The positions on the way from the root, to see when one comes again.

use shogi::{Hand, Move};

use crate::finding::Depth;

/// How deep the search goes; deeper lines count as unknown.
pub(crate) const MAX_DEPTH: Depth = 4000;

/// At least four times the depth, so that chains stay short.
const SLOTS: usize = 1 << 14;

/// The positions on the way, found by their board.
pub(crate) struct Path {
    slots: Box<[Slot]>,
    /// The slot taken by each position, the root's first.
    taken: Vec<usize>,
    /// Tells apart the ways that lead to a position.
    keys: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Slot {
    board_key: u64,
    hand: Hand,
    /// `FREE` if the slot is.
    depth: Depth,
}

const FREE: Depth = Depth::MAX;
const FREE_SLOT: Slot = Slot { board_key: 0, hand: Hand::EMPTY, depth: FREE };

impl Path {
    pub(crate) fn new() -> Path {
        Path { slots: vec![FREE_SLOT; SLOTS].into_boxed_slice(), taken: Vec::new(), keys: vec![0] }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        while !self.taken.is_empty() {
            self.leave();
        }
        self.slots.fill(FREE_SLOT);
    }

    /// Positions that must not come again: they count as met before the root.
    pub(crate) fn shun(&mut self, positions: &[(u64, Hand)]) {
        for &(board_key, hand) in positions.iter().take(SLOTS / 4) {
            let index = self.free_slot(board_key);
            self.slots[index] = Slot { board_key, hand, depth: 0 };
        }
    }

    fn free_slot(&self, board_key: u64) -> usize {
        let mut index = home(board_key);
        while self.slots[index].depth != FREE {
            index = next(index);
        }
        index
    }

    /// The depth of the current position: 1 at the root, since 0 stands for what was before.
    pub(crate) fn depth(&self) -> Depth {
        self.taken.len() as Depth + 1
    }

    /// Goes on from a position by a move.
    pub(crate) fn enter(&mut self, board_key: u64, hand: Hand, m: Move) {
        let depth = self.depth();
        let index = self.free_slot(board_key);
        self.slots[index] = Slot { board_key, hand, depth };
        self.taken.push(index);
        self.keys.push(self.key_after(m));
    }

    /// Goes back to the position entered last. Slots are freed in the reverse order of taking, so that no
    /// chain is ever broken.
    pub(crate) fn leave(&mut self) {
        if let Some(index) = self.taken.pop() {
            self.slots[index].depth = FREE;
            self.keys.pop();
        }
    }

    /// The key of the way that `m` continues.
    pub(crate) fn key_after(&self, m: Move) -> u64 {
        let mut mixed = self.keys.last().copied().unwrap_or(0).rotate_left(5)
            ^ u64::from(m.bits())
            ^ (u64::from(self.depth()) << 16);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// The depth of a position on the way with the same board where the attacker held as much or more: to
    /// come to it again leads nowhere.
    #[inline]
    pub(crate) fn no_better_than(&self, board_key: u64, hand: Hand) -> Option<Depth> {
        self.find(board_key, |past| past.covers(hand))
    }

    /// The depth of exactly this position.
    #[inline]
    pub(crate) fn depth_of(&self, board_key: u64, hand: Hand) -> Option<Depth> {
        self.find(board_key, |past| past == hand)
    }

    #[inline]
    fn find(&self, board_key: u64, fits: impl Fn(Hand) -> bool) -> Option<Depth> {
        let mut index = home(board_key);
        loop {
            let slot = &self.slots[index];
            if slot.depth == FREE {
                return None;
            }
            if slot.board_key == board_key && fits(slot.hand) {
                return Some(slot.depth);
            }
            index = next(index);
        }
    }
}

fn home(board_key: u64) -> usize {
    board_key as usize % SLOTS
}

fn next(index: usize) -> usize {
    (index + 1) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi::PieceKind;

    #[test]
    fn positions_are_found_until_they_are_left() {
        let m: Move = "7g7f".parse().unwrap();
        let gold = Hand::EMPTY.with(PieceKind::Gold, 1);
        let mut path = Path::new();
        path.enter(5, gold, m);
        // Falls on the same slot as the first.
        path.enter(5 + SLOTS as u64, Hand::EMPTY, m);
        assert_eq!(path.depth_of(5, gold), Some(1));
        assert_eq!(path.depth_of(5, Hand::EMPTY), None);
        assert_eq!(path.no_better_than(5, Hand::EMPTY), Some(1));
        assert_eq!(path.no_better_than(5 + SLOTS as u64, gold), None);
        path.leave();
        assert_eq!(path.depth_of(5 + SLOTS as u64, Hand::EMPTY), None);
        path.leave();
        assert_eq!(path.no_better_than(5, Hand::EMPTY), None);
    }

    #[test]
    fn ways_differ_by_the_order_of_their_moves() {
        let (a, b): (Move, Move) = ("7g7f".parse().unwrap(), "2g2f".parse().unwrap());
        let key = |first, second| {
            let mut path = Path::new();
            path.enter(1, Hand::EMPTY, first);
            path.key_after(second)
        };
        assert_ne!(key(a, b), key(b, a));
    }
}
