//! A side's play in numbers.

use shogi::Color;

use super::{LossClass, Review};

/// What one side's moves came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Moves.
    pub moves: usize,
    /// Moves that were the search's own choice.
    pub agreed: usize,
    /// Win rate lost by all moves together.
    pub total_loss: f64,
    /// Moves of each class: `[class]`.
    pub counts: [usize; LossClass::ALL.len()],
}

impl Summary {
    /// The moves of one side.
    #[must_use]
    pub fn of(reviews: &[Review], side: Color) -> Summary {
        let mut summary = Summary::default();
        for review in reviews.iter().filter(|review| review.side == side) {
            summary.moves += 1;
            summary.agreed += usize::from(review.is_best);
            summary.total_loss += review.loss;
            if let Some(class) = review.class() {
                summary.counts[class as usize] += 1;
            }
        }
        summary
    }

    /// Win rate lost by a move on average; 0 without moves.
    #[must_use]
    pub fn mean_loss(&self) -> f64 {
        self.total_loss / self.moves.max(1) as f64
    }

    /// The share of moves that were the search's own choice; 0 without moves.
    #[must_use]
    pub fn agreement(&self) -> f64 {
        self.agreed as f64 / self.moves.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::game::Evaluation;

    #[test]
    fn each_side_has_its_own_numbers() {
        let review = |side, loss: f64| Review {
            side,
            played: "7g7f".parse().unwrap(),
            is_best: loss == 0.0,
            best: Evaluation::BlackCp(0),
            value: Evaluation::BlackCp(0),
            line: vec!["7g7f".parse().unwrap()],
            loss,
        };
        let reviews = [(Color::Black, 0.0), (Color::White, 0.6), (Color::Black, 0.12), (Color::Black, 0.15)]
            .map(|(side, loss)| review(side, loss));
        let black = Summary::of(&reviews, Color::Black);
        assert_eq!((black.moves, black.agreed, black.counts), (3, 1, [0, 2, 0, 0]));
        assert!((black.mean_loss() - 0.09).abs() < 1e-9 && (black.agreement() - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(Summary::of(&reviews, Color::White).counts, [0, 0, 0, 1]);
        assert_eq!(Summary::of(&[], Color::White).mean_loss(), 0.0);
    }
}
