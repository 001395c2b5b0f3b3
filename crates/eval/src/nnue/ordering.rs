//! The neurons of the accumulator in order of how often they are active.
//!
//! The first hidden layer skips blocks of four inputs that are all zero. In the order of the file, an idle neuron
//! mostly has a busy neighbour; sorted by activity, the idle ones keep each other company and far more blocks are
//! skipped. The order changes no value, only the time.

use shogi::Position;

use super::lines::Line;
use contract::Rng;

/// Games played for the statistics, and plies of each.
const GAMES: u64 = 24;
const PLIES: u64 = 96;
/// Every so many plies a position is looked at.
const EVERY: u64 = 8;

/// The neurons, most active first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order(Vec<usize>);

impl Order {
    /// Sorts by how often each is above zero in accumulators.
    pub(crate) fn by_activity(neurons: usize, accumulators: impl Iterator<Item = Vec<Line>>) -> Order {
        let mut active = vec![0u32; neurons];
        for sums in accumulators {
            for (count, &sum) in active.iter_mut().zip(sums.iter().flat_map(|line| &line.0)) {
                *count += u32::from(sum > 0);
            }
        }
        let mut order: Vec<usize> = (0..neurons).collect();
        order.sort_by_key(|&neuron| std::cmp::Reverse(active[neuron]));
        Order(order)
    }

    /// Brings the neurons of one row into this order; `room` has its length and is overwritten.
    pub(crate) fn arrange(&self, row: &mut [Line], room: &mut [Line]) {
        room.copy_from_slice(row);
        let slots = row.iter_mut().flat_map(|line| &mut line.0);
        for (slot, &neuron) in slots.zip(&self.0) {
            *slot = room[neuron / Line::LEN].0[neuron % Line::LEN];
        }
    }

    /// The neuron of the file that stands at `place`, for an input of the first hidden layer: both halves are
    /// in the same order.
    pub(crate) fn input(&self, place: usize) -> usize {
        let half = self.0.len();
        place / half * half + self.0[place % half]
    }
}

/// Positions of random games, the same every time.
pub(crate) fn sample_positions() -> impl Iterator<Item = Position> {
    (0..GAMES).flat_map(|seed| {
        let mut rng = Rng::new(seed);
        let mut position = Position::start();
        (0..PLIES / EVERY).map_while(move |_| {
            for _ in 0..EVERY {
                let moves = position.legal_moves();
                let pick = rng.draw() as usize % moves.len().max(1);
                position.play(*moves.get(pick)?);
            }
            Some(position.clone())
        })
    })
}
