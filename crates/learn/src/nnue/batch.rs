//! From records to what a step of training needs: rows and targets.

use contract::{Rng, logistic};
use records::game::SideResult;
use records::packed::{Psv, Record as _};
use serde::{Deserialize, Serialize};
use shogi::{Color, Piece, PieceKind, Setup};

use super::arch::Arch;

/// The bytes of a record.
pub(crate) type RecordBytes = [u8; 40];

/// What a net is to say: a blend of what the search thought and how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// The share of the score; the rest is the result's.
    pub lambda: f64,
    /// The score at which the chances are 73 in 100, in centipawns.
    pub scale: f64,
}

impl Target {
    /// The win probability that is taken for true.
    pub(crate) fn of(&self, score: i16, result: SideResult) -> f32 {
        let by_score = logistic(f64::from(score) / self.scale);
        let by_result = match result {
            SideResult::Win => 1.0,
            SideResult::Draw => 0.5,
            SideResult::Loss => 0.0,
        };
        (self.lambda * by_score + (1.0 - self.lambda) * by_result) as f32
    }
}

/// Positions as rows, with their targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Batch {
    /// `[position][side to move, other side][active row]`
    pub(super) rows: Vec<u32>,
    /// `[position]`
    pub(super) targets: Vec<f32>,
}

/// Records that are to become a batch.
#[derive(Clone, Copy)]
pub(super) struct Recipe {
    pub(super) arch: Arch,
    pub(super) target: Target,
    /// Turns about half of the positions over, left to right, by the numbers of this seed.
    pub(super) mirror: Option<u64>,
    pub(super) threads: usize,
}

/// Records are shared out among the threads in pieces of this size.
const PIECE: usize = 256;

impl Recipe {
    /// Makes the batch; on failure the number of the record that is no position.
    pub(super) fn prepare(&self, records: &[RecordBytes], batch: &mut Batch) -> Result<(), usize> {
        let width = 2 * self.arch.active_rows();
        batch.rows.resize(records.len() * width, 0);
        batch.targets.resize(records.len(), 0.0);
        let pieces = records
            .chunks(PIECE)
            .zip(batch.rows.chunks_mut(PIECE * width))
            .zip(batch.targets.chunks_mut(PIECE))
            .enumerate();
        let results =
            super::pass::share_out(self.threads, pieces.collect(), |(number, ((records, rows), targets))| {
                self.prepare_piece(number, records, rows, targets)
            });
        results.into_iter().collect()
    }

    fn prepare_piece(
        &self,
        number: usize,
        records: &[RecordBytes],
        rows: &mut [u32],
        targets: &mut [f32],
    ) -> Result<(), usize> {
        let width = 2 * self.arch.active_rows();
        let mut rng = self.mirror.map(|seed| Rng::new(seed ^ (number as u64) << 32));
        for (i, record) in records.iter().enumerate() {
            let mirror = rng.as_mut().is_some_and(|rng| rng.draw() & 1 == 1);
            let rows = &mut rows[i * width..][..width];
            targets[i] = self.one(record, mirror, rows).ok_or(number * PIECE + i)?;
        }
        Ok(())
    }

    fn one(&self, record: &RecordBytes, mirror: bool, rows: &mut [u32]) -> Option<f32> {
        let psv = Psv::from_bytes(record).ok()?;
        let setup = psv.setup().ok().filter(has_both_kings)?;
        let setup = if mirror { setup.mirrored() } else { setup };
        self.arch.fill(&setup, rows).then(|| self.target.of(psv.score_for_mover, psv.result_for_mover))
    }
}

/// What unpacking does not ask. Whether the position can come up in a game, a net that learns does not ask either.
fn has_both_kings(setup: &Setup) -> bool {
    let kings = Color::ALL.map(|color| Some(Piece::new(color, PieceKind::King)));
    kings.iter().all(|king| setup.board.contains(king))
}
