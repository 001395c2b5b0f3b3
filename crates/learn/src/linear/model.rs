//! The weights while they are learned: real numbers, in parts that threads own one at a time.

use eval::linear::{Block, LinearWeights, ROWS, Row, STAGES, UNITS};

/// Parts; a batch is shared out among so many threads at most. Not a setting: sums would be made in another order.
const PARTS: usize = 16;
/// So many rows in a row are of one part.
const RUN: usize = 64;

/// Rows that learning begins with count as seen so often.
const KNOWN: u32 = 1000;

/// A number for each stage of the game.
pub(super) type Stages = [f32; STAGES];

/// Where a row is kept.
#[inline(always)]
pub(super) fn place(row: usize) -> (usize, usize) {
    (row / RUN % PARTS, row / (RUN * PARTS) * RUN + row % RUN)
}

/// A share of the rows, with all that learning knows about them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// In centipawns.
    pub(super) weights: Vec<Stages>,
    /// Gradients so far, squared and summed up.
    pub(super) squares: Vec<Stages>,
    /// How often the feature occurred.
    pub(super) seen: Vec<u32>,
    /// The gradient of the present batch; zero between batches.
    gradient: Vec<Stages>,
    /// The same with every part of it taken positive; only the Bonanza method asks for it.
    activity: Vec<Stages>,
    /// The rows of the present batch; some may be named twice.
    touched: Vec<u32>,
}

impl Part {
    fn new() -> Part {
        let rows = ROWS.div_ceil(RUN * PARTS) * RUN;
        let zero = || vec![[0.0; STAGES]; rows];
        Part {
            weights: zero(),
            squares: zero(),
            seen: vec![0; rows],
            gradient: zero(),
            activity: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Adds to the gradient of a row.
    #[inline(always)]
    pub(super) fn add(&mut self, row: u32, count: f32, change: &Stages) {
        let gradient = &mut self.gradient[row as usize];
        if *gradient == [0.0; STAGES] {
            self.touched.push(row);
        }
        gradient.iter_mut().zip(change).for_each(|(sum, change)| *sum += count * change);
    }

    /// Adds to the gradient of a row, and to its activity.
    #[inline(always)]
    pub(super) fn add_active(&mut self, row: u32, change: &Stages) {
        self.activity.resize(self.weights.len(), [0.0; STAGES]);
        let activity = &mut self.activity[row as usize];
        if *activity == [0.0; STAGES] {
            self.touched.push(row);
        }
        activity.iter_mut().zip(change).for_each(|(sum, change)| *sum += change.abs());
        self.gradient[row as usize].iter_mut().zip(change).for_each(|(sum, change)| *sum += change);
    }

    /// As [`step`](Self::step) with the activity in the place of the squares.
    pub(super) fn step_active(&mut self, mut each: impl FnMut(&mut Stages, &Stages, &Stages)) {
        for row in self.touched.drain(..) {
            let row = row as usize;
            let gradient = std::mem::replace(&mut self.gradient[row], [0.0; STAGES]);
            let activity = std::mem::replace(&mut self.activity[row], [0.0; STAGES]);
            each(&mut self.weights[row], &gradient, &activity);
        }
    }

    /// Hands every row of the batch with its gradient and its squares to a function, and forgets the gradient.
    pub(super) fn step(&mut self, mut each: impl FnMut(&mut Stages, &Stages, &mut Stages)) {
        for row in self.touched.drain(..) {
            let row = row as usize;
            let gradient = std::mem::replace(&mut self.gradient[row], [0.0; STAGES]);
            each(&mut self.weights[row], &gradient, &mut self.squares[row]);
        }
    }
}

/// All weights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub(super) parts: Vec<Part>,
}

impl Model {
    /// Begins with some weights.
    pub(super) fn of(weights: &LinearWeights) -> Model {
        let mut model = Model { parts: (0..PARTS).map(|_| Part::new()).collect() };
        for (row, weights) in
            weights.rows().iter().enumerate().filter(|(_, weights)| **weights != [0; STAGES])
        {
            *model.weight_mut(row) = weights.map(|weight| f32::from(weight) / UNITS as f32);
            let (part, place) = place(row);
            model.parts[part].seen[place] = KNOWN;
        }
        model
    }

    #[inline(always)]
    pub(super) fn weight(&self, row: usize) -> &Stages {
        let (part, place) = place(row);
        &self.parts[part].weights[place]
    }

    pub(super) fn weight_mut(&mut self, row: usize) -> &mut Stages {
        let (part, place) = place(row);
        &mut self.parts[part].weights[place]
    }

    fn seen(&self, row: usize) -> u32 {
        let (part, place) = place(row);
        self.parts[part].seen[place]
    }

    /// The weights as a player has them: whole numbers, without rows that occurred less often than `least`.
    pub(super) fn to_weights(&self, least: u32, unit: u32, note: &str) -> LinearWeights {
        let whole = |weight: f32| (weight * UNITS as f32).round().clamp(-32_767.0, 32_767.0) as i16;
        let row = |row: usize| -> Row {
            if least > 0 && self.seen(row) < least { [0; STAGES] } else { self.weight(row).map(whole) }
        };
        LinearWeights::new((0..ROWS).map(row).collect(), unit, note)
    }

    /// Lets what a kind of piece is worth on average stand with the piece itself: each piece has one row in each of several
    /// blocks, so that what all rows of a kind there have in common could as well be its worth. Values stay as they are, but for
    /// features that never occurred, which become average ones.
    pub(super) fn settle(&mut self) {
        for block in Block::all() {
            let pieces = block.rows().map(|row| block.piece_of(row)).collect::<Vec<_>>();
            let Some(&most) = pieces.iter().flatten().max() else { continue };
            let mut sums = vec![([0.0f64; STAGES], 0.0f64); most + 1];
            for (row, piece) in block.rows().zip(&pieces) {
                let Some(piece) = piece else { continue };
                let (sum, count) = &mut sums[*piece];
                let seen = f64::from(self.seen(row));
                *count += seen;
                for (sum, weight) in sum.iter_mut().zip(self.weight(row)) {
                    *sum += seen * f64::from(*weight);
                }
            }
            let means: Vec<Stages> =
                sums.iter().map(|(sum, count)| sum.map(|sum| (sum / count.max(1.0)) as f32)).collect();
            for (row, piece) in block.rows().zip(&pieces) {
                if let Some(piece) = piece
                    && self.seen(row) > 0
                {
                    let mean = means[*piece];
                    self.weight_mut(row).iter_mut().zip(mean).for_each(|(weight, mean)| *weight -= mean);
                }
            }
            for (code, mean) in means.into_iter().enumerate() {
                let (row, sign) = Block::material_of(code);
                self.weight_mut(row).iter_mut().zip(mean).for_each(|(weight, mean)| *weight += sign * mean);
            }
        }
    }
}
