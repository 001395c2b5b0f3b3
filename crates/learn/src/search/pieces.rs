//! What pieces are worth in an exchange: whoever takes one takes it from the other's board and has it in hand.
//!
//! Least squares of searched values on how many more pieces of each kind the side to move has, on the board and in hand; what
//! moves as a gold does counts as one, since some of its kinds are rare. Values that are as good as decided are left out: there
//! the count of pieces says nothing any more.

use search::alphabeta::{Model, PIECES, ValueBet};
use shogi::PieceKind;

use crate::regression::solve;

/// Values beyond this many falls of a shallow search are as good as decided.
const DECIDED: i32 = 20;
/// The fewest bets to learn from.
const FEWEST: usize = 2000;
/// Draws weights to zero as so many positions with one piece more would: kinds that are hardly seen stay small.
const RIDGE: f64 = 100.0;
/// The greatest value of a piece.
const GREATEST: f64 = 9999.0;
/// Counts and whose turn it is.
const INPUTS: usize = PIECES + 1;

/// The input that a kind on the board or in hand counts for.
fn place(piece: usize) -> usize {
    match PieceKind::from_index(piece) {
        Some(kind) if kind.is_goldlike() => PieceKind::Gold.index(),
        _ => piece,
    }
}

/// Fits what pieces are worth when they are taken; with too few bets the model keeps what it has.
pub(super) fn fit(model: &mut Model, values: &[ValueBet]) {
    let most = DECIDED * model.fall[model.fall.len() - 1];
    let bets: Vec<&ValueBet> = values.iter().filter(|bet| i32::from(bet.value).abs() < most).collect();
    if bets.len() < FEWEST {
        return;
    }
    let mut squares = [[0.0; INPUTS]; INPUTS];
    let mut products = [0.0; INPUTS];
    (0..PIECES).for_each(|i| squares[i][i] = RIDGE);
    squares[PIECES][PIECES] = 1.0;
    for bet in bets {
        let mut inputs = [0.0; INPUTS];
        inputs[PIECES] = 1.0;
        for (i, &count) in bet.pieces.iter().enumerate() {
            inputs[place(i)] += f64::from(count);
        }
        for i in 0..INPUTS {
            products[i] += inputs[i] * f64::from(bet.value);
            for j in 0..INPUTS {
                squares[i][j] += inputs[i] * inputs[j];
            }
        }
    }
    let weights = solve(squares, products);
    let taken = |kind: PieceKind| {
        let raw = kind.unpromoted();
        let hand = PieceKind::HAND.iter().position(|&other| other == raw);
        let swing = weights[place(kind.index())] + hand.map_or(0.0, |hand| weights[PieceKind::COUNT + hand]);
        if kind == PieceKind::King { 0 } else { swing.round().clamp(1.0, GREATEST) as i32 }
    };
    model.exchange = PieceKind::ALL.map(taken).to_vec();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_made_the_values_is_found_again() {
        let mut rng = contract::Rng::new(9);
        let values: Vec<ValueBet> = (0..20_000)
            .map(|_| {
                let pieces: [i8; PIECES] = std::array::from_fn(|_| (rng.draw() % 3) as i8 - 1);
                let (rooks, hand) = (pieces[PieceKind::Rook.index()], pieces[PieceKind::COUNT + 5]);
                let noise = (rng.unit() * 40.0) as i16 - 20;
                let value = 300 * i16::from(rooks) + 200 * i16::from(hand) + noise;
                ValueBet { static_eval: 0, value, depth: 64, stage: 0, pieces }
            })
            .collect();
        let mut model = Model::first_guess();
        model.fall.fill(100);
        fit(&mut model, &values);
        let of = |kind: PieceKind| model.exchange[kind.index()];
        assert!((of(PieceKind::Rook) - 500).abs() < 12, "{}", of(PieceKind::Rook));
        assert!((of(PieceKind::Dragon) - 200).abs() < 12, "a promoted piece is taken as it was");
        assert!(of(PieceKind::Gold) < 12 && of(PieceKind::King) == 0);
    }
}
