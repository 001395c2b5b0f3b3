//! What can be trained: shapes of net, and how positions become rows of their first layer.

use std::fmt;
use std::str::FromStr;

use eval::nnue::{Architecture, PIECE_AND_KING_ROWS, PIECE_ROWS};
use shogi::{Color, Setup};

/// A shape of net with its way of learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    /// K-P 256x2-32-32.
    Kp256,
    /// ZoneKP 256x2-32-32: every piece together with the zone of the own king, one of twelve, left and right exchanged
    /// when that king is on the left; with shared rows as below.
    ZoneKp256,
    /// HalfKP 256x2-32-32.
    HalfKp256,
    /// HalfKP 256x2-32-32, whose every row is a sum of one for piece and king together and one for the piece alone. What
    /// is known of a piece is then known for kings on squares where it was never seen: for little data. The file holds
    /// the sums, and is one of HalfKP.
    HalfKp256Factored,
}

/// A name that is none of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no net '{0}' to train; there are kp256, zonekp256, halfkp256, halfkp256f")]
pub struct UnknownArch(String);

const NAMES: [(Arch, &str); 4] = [
    (Arch::Kp256, "kp256"),
    (Arch::ZoneKp256, "zonekp256"),
    (Arch::HalfKp256, "halfkp256"),
    (Arch::HalfKp256Factored, "halfkp256f"),
];

impl FromStr for Arch {
    type Err = UnknownArch;

    fn from_str(text: &str) -> Result<Arch, UnknownArch> {
        let found = NAMES.into_iter().find(|(_, name)| *name == text);
        found.map(|(arch, _)| arch).ok_or_else(|| UnknownArch(text.to_owned()))
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES.into_iter().find(|(arch, _)| arch == self).map_or("", |(_, name)| name))
    }
}

impl Arch {
    /// The shape of the net that comes out.
    #[must_use]
    pub const fn architecture(self) -> Architecture {
        match self {
            Arch::Kp256 => Architecture::KP_256,
            Arch::ZoneKp256 => Architecture::ZONE_KP_256,
            Arch::HalfKp256 | Arch::HalfKp256Factored => Architecture::HALF_KP_256,
        }
    }

    /// A kind whose nets have this shape, without rows that are shared; none if no such net can be trained.
    pub(super) fn of(architecture: Architecture) -> Option<Arch> {
        let all = [Arch::Kp256, Arch::ZoneKp256, Arch::HalfKp256];
        all.into_iter().find(|arch| arch.architecture() == architecture)
    }

    /// The rows of the first layer while it learns.
    pub(super) const fn rows(self) -> usize {
        self.architecture().features.rows() + self.shared_rows()
    }

    /// Of these, how many are only for learning: shared by the same piece of all buckets.
    pub(super) const fn shared_rows(self) -> usize {
        match self {
            Arch::ZoneKp256 => PIECE_AND_KING_ROWS,
            Arch::HalfKp256Factored => PIECE_ROWS,
            Arch::Kp256 | Arch::HalfKp256 => 0,
        }
    }

    /// How many rows one side's view of a position has.
    pub(super) const fn active_rows(self) -> usize {
        match self {
            Arch::Kp256 => 40,
            Arch::ZoneKp256 => 2 * 40,
            Arch::HalfKp256 => 38,
            Arch::HalfKp256Factored => 2 * 38,
        }
    }

    /// The row that a real row shares with others, if there is one.
    pub(super) fn factor_of(self, row: usize) -> Option<usize> {
        let real = self.architecture().features.rows();
        row.checked_rem(self.shared_rows()).map(|shared| real + shared)
    }

    /// Writes the rows of a position, those of the side to move first; whether there are as many as there should be.
    pub(super) fn fill(self, setup: &Setup, rows: &mut [u32]) -> bool {
        let side = setup.side;
        let (own, other) = rows.split_at_mut(self.active_rows());
        self.fill_side(setup, side, own) && self.fill_side(setup, !side, other)
    }

    fn fill_side(self, setup: &Setup, perspective: Color, rows: &mut [u32]) -> bool {
        let mut count = 0;
        let mut put = |row: u32| {
            if let Some(slot) = rows.get_mut(count) {
                *slot = row;
            }
            count += 1;
        };
        self.architecture().features.active(setup, perspective, |row| {
            put(row);
            if let Some(factor) = self.factor_of(row as usize) {
                put(factor as u32);
            }
        });
        count == self.active_rows()
    }
}
