//! Disproofs that hold on one way only.
//!
//! A line that comes back to a position on its way is no mate, but the same position reached otherwise may
//! be. Such findings are kept under the key of the whole way, and never become part of the table.

use crate::known::{Depth, Plies};

/// Findings by the key of their way; a new one may push an old one out.
pub(crate) struct Repetitions {
    slots: Box<[Slot]>,
    age: u32,
    /// What is older belongs to another problem.
    born: u32,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Slot {
    key: u64,
    depends_on: Depth,
    plies: Plies,
    /// When it was written.
    age: u32,
}

/// How many places a finding may take.
const WAYS: usize = 4;

impl Repetitions {
    /// Bytes of one slot.
    pub(crate) const SLOT_BYTES: usize = size_of::<Slot>();

    /// At most so many slots, but for a first group.
    pub(crate) fn new(slots: usize) -> Repetitions {
        let free = Slot { key: 0, depends_on: 0, plies: 0, age: 0 };
        let slots = 1 << slots.max(WAYS).ilog2();
        Repetitions { slots: vec![free; slots].into_boxed_slice(), age: 1, born: 1 }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// Forgets everything, mostly without touching it.
    pub(crate) fn clear(&mut self) {
        self.born = self.age;
        if self.age > u32::MAX / 2 {
            self.slots.iter_mut().for_each(|slot| slot.age = 0);
            (self.age, self.born) = (1, 1);
        }
    }

    pub(crate) fn insert(&mut self, key: u64, depends_on: Depth, plies: Plies) {
        let (age, born) = (self.age, self.born);
        self.age = self.age.saturating_add(1);
        let group = self.group(key);
        let group = &mut self.slots[group];
        let place = group.iter().position(|slot| slot.age >= born && slot.key == key);
        let oldest = || (0..group.len()).min_by_key(|&i| group[i].age).unwrap_or(0);
        let place = place.unwrap_or_else(oldest);
        group[place] = Slot { key, depends_on, plies, age };
    }

    /// On what the disproof of this way depends, and how many plies a mate would take at least.
    pub(crate) fn find(&self, key: u64) -> Option<(Depth, Plies)> {
        let group = &self.slots[self.group(key)];
        let slot = group.iter().find(|slot| slot.age >= self.born && slot.key == key)?;
        Some((slot.depends_on, slot.plies))
    }

    fn group(&self, key: u64) -> std::ops::Range<usize> {
        let start = key as usize & (self.slots.len() - 1) & !(WAYS - 1);
        start..start + WAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_of_a_full_group_makes_room() {
        let mut kept = Repetitions::new(1);
        for key in 1..=5 {
            kept.insert(key, key as Depth, 7);
        }
        assert_eq!(kept.find(1), None);
        assert_eq!(kept.find(5), Some((5, 7)));
        kept.insert(2, 9, 3);
        assert_eq!((kept.find(2), kept.find(3)), (Some((9, 3)), Some((3, 7))));
        kept.clear();
        assert_eq!(kept.find(2), None);
    }
}
