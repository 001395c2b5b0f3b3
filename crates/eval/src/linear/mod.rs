//! Linear evaluation: the sum of the weights of all features of a position, by the progress of the game.
//!
//! The features are those of Blunder (Shimoyama), groups 1 to 8 of its list: material and hands, lines, pawns and knights,
//! cover, distances to the kings, pins, places, and what is around the kings. Every feature is found for each side with the
//! board turned to it; a side's own features count for it, those of the other side against it, so that both share their
//! weights. Left and right share them too. [`each_feature`] is the one definition: player, learner and explanation all go by it.

mod evaluator;
mod explanation;
mod file;
mod king;
mod layout;
mod lines;
mod material;
mod pairs;
mod places;
mod progress;
mod scene;
mod squares;
#[cfg(test)]
mod tests;

use shogi::{Color, Position};

pub use evaluator::{Linear, LinearTables};
pub use explanation::{BlockShare, Explanation, Part};
pub use file::{LinearError, LinearRefusal, LinearWeights, UNITS};
pub use layout::{Block, ROWS, Row, STAGES, Theme};
use material::Counts;
use places::Facing;
pub use progress::Progress;
use scene::{Scene, Sink, View};

/// Shows every feature of a position: for which side it counts, its row, and how often it occurs.
pub fn each_feature(position: &Position, mut visit: impl FnMut(Color, usize, i32)) {
    let scene = Scene::new(position);
    let counts = Counts::of(position);
    for color in Color::ALL {
        let mut sink = Visitor { color, visit: &mut visit };
        of_pieces(position, color, &mut sink);
        pairs::features(position, color, &mut sink);
        of_effects(scene.seen_by(color), &counts, &mut sink);
    }
}

/// Shows features to a function, with the side that they count for.
struct Visitor<'a, F> {
    color: Color,
    visit: &'a mut F,
}

impl<F: FnMut(Color, usize, i32)> Sink for Visitor<'_, F> {
    #[inline(always)]
    fn add(&mut self, row: usize, count: i32) {
        (self.visit)(self.color, row, count);
    }
}

/// The features of single pieces, which hang on the side's king.
fn of_pieces(position: &Position, color: Color, sink: &mut impl Sink) {
    let facing = position.king(color).map(|king| Facing::new(color, king));
    for square in position.occupied() {
        let Some(piece) = position.piece(square) else { continue };
        match facing {
            Some(facing) => places::features(facing, piece, square, sink),
            None => places::material(color, piece, sink),
        }
    }
}

/// The features that any move may change: numbers of pieces, and all that hangs on effects.
fn of_effects(view: View<'_>, counts: &Counts, sink: &mut impl Sink) {
    material::features(view, counts, sink);
    lines::features(view, sink);
    squares::features(view, sink);
    king::features(view, sink);
}
