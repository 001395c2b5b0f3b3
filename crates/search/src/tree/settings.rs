//! What all tree methods can be told.

use contract::settings;

settings! {
    /// Settings that every tree method has.
    TreeSettings {
        numbers {
            quiescence "qdepth" = 8.0 in 0.0 ..= 32.0, "plies of captures at leaves; 0 evaluates as it stands";
            leaf_mate "leaf_mate" = 1.0 in 0.0 ..= 3.0, "mates looked for at leaves: 0 none, 1 in one ply, 3 in three";
            root_mate "root_mate" = 0.0 in 0.0 ..= 1_000_000_000.0, "positions that the mate solver may visit before the search";
            seed "seed" = 1.0 in 0.0 ..= 16_777_215.0, "of whatever is left to chance";
        }
        choices {}
    }
}

/// How a leaf gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafSettings {
    /// Plies of captures.
    pub quiescence: u32,
    /// Mates of up to so many plies are looked for.
    pub mate: u32,
}

impl TreeSettings {
    /// What concerns leaves.
    #[must_use]
    pub fn leaf(&self) -> LeafSettings {
        LeafSettings { quiescence: self.quiescence as u32, mate: self.leaf_mate as u32 }
    }
}
