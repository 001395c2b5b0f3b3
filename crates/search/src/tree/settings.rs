//! Settings that all tree methods of shogi share.

use contract::parameters;

parameters! {
    /// Settings that every tree method has.
    TreeSettings {
        integers {
            quiescence "qdepth" = 8 in 0 ..= 32, "plies of captures at leaves; 0 evaluates as it stands";
            leaf_mate "leaf_mate" = 1 in 0 ..= 3, "mates looked for at leaves: 0 none, 1 in one ply, 3 in three";
            root_mate "root_mate" = 0 in 0 ..= 1_000_000_000, "positions that the mate solver may visit before the search";
        }
        reals {}
        words {}
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
