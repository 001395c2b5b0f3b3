//! How far a game has come, and the weight of each stage.

use shogi::{Color, PieceKind, Position};

use super::layout::STAGES;

/// The progress of a game: between which stages it is, and how far on the way from the one to the next.
///
/// Pieces in hand and promoted ones are counted, as in [`crate::features::Feature::Progress`]: an exchange is progress
/// wherever it happens, and a ply spent waiting is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage before.
    pub stage: usize,
    /// Steps of [`Progress::STEPS`] towards the next.
    pub steps: i32,
}

impl Progress {
    /// Pieces in hand and promoted ones between one stage and the next.
    pub const STEPS: i32 = 5;

    /// The progress of a position.
    #[must_use]
    pub fn of(position: &Position) -> Progress {
        let held: u32 =
            Color::ALL.into_iter().flat_map(|color| position.hand(color).counts()).map(u32::from).sum();
        const PROMOTED: [PieceKind; 6] = [
            PieceKind::ProPawn,
            PieceKind::ProLance,
            PieceKind::ProKnight,
            PieceKind::ProSilver,
            PieceKind::Horse,
            PieceKind::Dragon,
        ];
        let promoted: u32 = PROMOTED.into_iter().map(|kind| position.kind(kind).count()).sum();
        let last = Self::STEPS * (STAGES as i32 - 1);
        let done = ((held + promoted) as i32).min(last);
        let stage = (done / Self::STEPS).min(STAGES as i32 - 2);
        Progress { stage: stage as usize, steps: done - stage * Self::STEPS }
    }

    /// The share of each stage.
    #[must_use]
    pub fn shares(self) -> [f32; STAGES] {
        let mut shares = [0.0; STAGES];
        let next = self.steps as f32 / Self::STEPS as f32;
        (shares[self.stage], shares[self.stage + 1]) = (1.0 - next, next);
        shares
    }

    /// The value between those of the stages, [`Progress::STEPS`] times as large.
    #[inline(always)]
    pub(super) fn between(self, sums: &[i32; STAGES]) -> i32 {
        sums[self.stage] * (Self::STEPS - self.steps) + sums[self.stage + 1] * self.steps
    }
}
