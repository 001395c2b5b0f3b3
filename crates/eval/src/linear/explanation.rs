//! Why a position has its value: what each block of features adds for either side.

use shogi::{Color, Position};

use super::file::{LinearWeights, UNITS};
use super::layout::{Block, Theme};
use super::progress::Progress;

/// What a position is worth to either side, part by part, in centipawns. A side's number is what its own features add for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// How far the game has come.
    pub progress: Progress,
    /// `[black, white]` by block, in the order of [`Block::all`].
    blocks: Vec<[f64; 2]>,
}

/// A theme with what it adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// What it is about.
    pub theme: Theme,
    /// For Black.
    pub black: f64,
    /// For White.
    pub white: f64,
}

/// A block with what it adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockShare {
    /// Which block.
    pub block: Block,
    /// For Black.
    pub black: f64,
    /// For White.
    pub white: f64,
}

impl Explanation {
    /// Explains a position.
    #[must_use]
    pub fn of(weights: &LinearWeights, position: &Position) -> Explanation {
        let progress = Progress::of(position);
        let mut sums = vec![[0i64; 2]; Block::all().len()];
        super::each_feature(position, |color, row, count| {
            let row_value = progress.between(&weights.rows()[row].map(i32::from));
            sums[Block::of_row(row) as usize][color.index()] += i64::from(count * row_value);
        });
        let unit = f64::from(UNITS * Progress::STEPS);
        let blocks = sums.into_iter().map(|both| both.map(|sum| sum as f64 / unit)).collect();
        Explanation { progress, blocks }
    }

    /// What each block adds.
    pub fn blocks(&self) -> impl Iterator<Item = BlockShare> {
        let [black, white] = [Color::Black, Color::White].map(Color::index);
        let share = move |(block, both): (Block, &[f64; 2])| BlockShare {
            block,
            black: both[black],
            white: both[white],
        };
        Block::all().zip(&self.blocks).map(share)
    }

    /// What each theme adds.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> =
            Theme::ALL.iter().map(|&(theme, ..)| Part { theme, black: 0.0, white: 0.0 }).collect();
        for BlockShare { block, black, white } in self.blocks() {
            let part = &mut parts[block.theme() as usize];
            part.black += black;
            part.white += white;
        }
        parts
    }

    /// The value of the position for Black.
    #[must_use]
    pub fn for_black(&self) -> f64 {
        self.blocks().map(|share| share.black - share.white).sum()
    }
}
