//! What one thread remembers for itself, in memory of fixed size.

use crate::first_looks::FirstLooks;
use crate::repetitions::Repetitions;

/// What one thread remembers for itself; the rest is in the table.
pub(crate) struct Notes {
    /// Disproofs that hold on one way only.
    pub(crate) repetitions: Repetitions,
    /// The classes of positions after a check.
    pub(crate) first_looks: FirstLooks,
}

/// The share of a solver's memory for each kind: one part in so many, and no more than so many slots. First looks are asked for all the time
/// and should stay in a core's own cache.
const REPETITIONS_SHARE: usize = 16;
const MAX_REPETITIONS: usize = 1 << 20;
const FIRST_LOOKS_SHARE: usize = 32;
const MAX_FIRST_LOOKS: usize = 1 << 17;

impl Notes {
    /// Notes of a solver with so many bytes in all.
    pub(crate) fn of_share(bytes: usize) -> Notes {
        Notes {
            repetitions: Repetitions::new(
                (bytes / REPETITIONS_SHARE / Repetitions::SLOT_BYTES).min(MAX_REPETITIONS),
            ),
            first_looks: FirstLooks::new(
                (bytes / FIRST_LOOKS_SHARE / FirstLooks::SLOT_BYTES).min(MAX_FIRST_LOOKS),
            ),
        }
    }

    /// The bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        self.repetitions.bytes() + self.first_looks.bytes()
    }

    /// Forgets the last problem.
    pub(crate) fn clear(&mut self) {
        self.repetitions.clear();
        self.first_looks.clear();
    }
}
