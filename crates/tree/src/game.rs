//! What a tree search needs to know of a game.

use contract::score::Value;

/// A game between two sides that move in turn, together with a way to judge its positions. It stands at a
/// position and is moved along by `play` and `undo`.
///
/// The tree methods are compiled for each game by itself: shogi pays nothing for the others.
pub trait Game {
    /// A move.
    type Move: Copy + PartialEq + Send;

    /// The move in sixteen bits, for the tree.
    fn pack(m: Self::Move) -> u16;
    /// The move of sixteen bits that [`Game::pack`] made.
    fn unpack(bits: u16) -> Self::Move;

    /// Replaces the list by all legal moves.
    fn moves(&mut self, list: &mut Vec<Self::Move>);
    /// Plays a legal move.
    fn play(&mut self, m: Self::Move);
    /// Takes the last move back.
    fn undo(&mut self);

    /// How the rules, or proofs near at hand, end the game here, `ply` plies below the root of the search. That there
    /// are no moves need not be found by this: see [`Game::no_moves`].
    fn end(&mut self, ply: usize) -> Option<End>;
    /// How the rules alone end the game here, in a game of random moves: no proofs and no opinions of a search.
    fn end_by_rule(&mut self) -> Option<End> {
        self.end(0)
    }
    /// What it means that the side to move has no move.
    fn no_moves(&self) -> End;
    /// The value for the side to move, in the unit of [`Value`]. Exact below `beta`; above it any value that is
    /// still at least `beta` will do.
    fn evaluate(&mut self, beta: Value) -> Value;

    /// Positions visited so far.
    fn nodes(&self) -> u64;
}

/// How a game ends, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side to move wins by force after so many plies.
    Win(u16),
    /// The side to move loses by force after so many plies.
    Loss(u16),
    /// A rule says what it is worth, e.g. a draw.
    Value(Value),
    /// Worth this much because of the path that led here (a repetition inside the search); seen from another root it may
    /// be different.
    PathValue(Value),
}
