//! Repetition: the rule (fourfold), and what search makes of the first repeat.

use crate::position::State;
use crate::{Color, Position};

/// What a repeated position means to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Repetition {
    /// The same position again.
    Draw,
    /// The opponent has given perpetual check.
    Win,
    /// The side to move has given perpetual check.
    Loss,
    /// The same board, but the side to move holds more than before. Search only: not a rule of the game.
    Superior,
    /// The same board, but the side to move holds less than before. Search only: not a rule of the game.
    Inferior,
}

/// How many plies a position can first be repeated after.
const SHORTEST_CYCLE: usize = 4;

impl Position {
    /// The rule of the game: the position occurs for the fourth time. Perpetual check, by all moves of one
    /// side since the first of these occurrences, loses for that side; else the game is a draw.
    ///
    /// ```
    /// use shogi::{Position, Repetition};
    /// let mut position = Position::start();
    /// for _ in 0..3 {
    ///     assert_eq!(position.repetition(), None);
    ///     for m in ["2h3h", "8b7b", "3h2h", "7b8b"] {
    ///         position.play(m.parse().unwrap());
    ///     }
    /// }
    /// assert_eq!(position.repetition(), Some(Repetition::Draw));
    /// ```
    #[must_use]
    pub fn repetition(&self) -> Option<Repetition> {
        let (_, distance) = self.same_boards().filter(|(past, _)| past.hands == self.state.hands).nth(2)?;
        Some(self.verdict(distance))
    }

    /// What search should take the position for when it lies `depth` plies below the root: the first repeat
    /// inside the tree counts at once, one of a position at or before the root only by the rule; a board
    /// that comes again with a better or worse hand counts as such.
    #[must_use]
    pub fn repetition_in_search(&self, depth: usize) -> Option<Repetition> {
        let us = self.side.index();
        let mut before_root = 0;
        for (past, distance) in self.same_boards() {
            if past.hands == self.state.hands {
                before_root += 1;
                if distance < depth || before_root == 3 {
                    return Some(self.verdict(distance));
                }
            } else if self.state.hands[us].covers(past.hands[us]) {
                return Some(Repetition::Superior);
            } else if past.hands[us].covers(self.state.hands[us]) {
                return Some(Repetition::Inferior);
            }
        }
        None
    }

    /// How often the position has occurred, now included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        1 + self.same_boards().filter(|(past, _)| past.hands == self.state.hands).count()
    }

    /// Past states with the same board and turn, the latest first, with their distance in plies.
    #[inline]
    fn same_boards(&self) -> impl Iterator<Item = (&State, usize)> {
        let reversible = if self.seen.maybe_repeated(self.state.board_key) {
            usize::from(self.state.reversible)
        } else {
            0
        };
        let states = self.history.states();
        (SHORTEST_CYCLE..=reversible)
            .step_by(2)
            .map(|distance| (&states[states.len() - distance], distance))
            .filter(|(past, _)| past.board_key == self.state.board_key)
    }

    fn verdict(&self, distance: usize) -> Repetition {
        let all_checks = |color: Color| usize::from(self.state.checks_in_row[color.index()]) * 2 >= distance;
        if all_checks(self.side) {
            Repetition::Loss
        } else if all_checks(!self.side) {
            Repetition::Win
        } else {
            Repetition::Draw
        }
    }
}

/// How many positions of the current line fall on each of some thousand slots: a board whose slot holds it
/// alone has not occurred before, so that nearly every test for repetition ends here.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SeenFilter([u16; SLOTS]);

const SLOTS: usize = 2048;

impl SeenFilter {
    pub(crate) fn new() -> SeenFilter {
        SeenFilter([0; SLOTS])
    }

    #[inline(always)]
    fn slot(key: u64) -> usize {
        key as usize % SLOTS
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, board_key: u64) {
        self.0[Self::slot(board_key)] += 1;
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, board_key: u64) {
        self.0[Self::slot(board_key)] -= 1;
    }

    #[inline(always)]
    fn maybe_repeated(&self, board_key: u64) -> bool {
        self.0[Self::slot(board_key)] > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(sfen: &str, moves: &str, times: usize) -> Position {
        let mut position: Position = sfen.parse().unwrap();
        for _ in 0..times {
            for text in moves.split(' ') {
                let m = text.parse().unwrap();
                assert!(position.is_legal(m), "{text} in {position}");
                position.play(m);
            }
        }
        position
    }

    #[test]
    fn perpetual_check_loses_for_the_checker() {
        let sfen = "4k4/9/9/9/9/9/9/9/R3K4 b - 1";
        let first = "9i9a 5a5b 9a9b 5b5a";
        let position = played(sfen, "9i9a 5a5b 9a9b 5b5a 9b9a", 1);
        assert_eq!(position.repetition(), None);
        let mut position = played(sfen, first, 1);
        for _ in 0..3 {
            assert_eq!(position.repetition(), None);
            for text in ["9b9a", "5a5b", "9a9b", "5b5a"] {
                position.play(text.parse().unwrap());
            }
        }
        // Black, to move, gave check with every move.
        assert_eq!(position.repetition(), Some(Repetition::Loss));
        position.undo();
        assert_eq!(position.repetition(), Some(Repetition::Win));
    }

    #[test]
    fn search_takes_the_first_repeat_inside_the_tree_only() {
        let position = played(crate::START_SFEN, "2h3h 8b7b 3h2h 7b8b", 1);
        assert_eq!(position.repetition_in_search(4), None);
        assert_eq!(position.repetition_in_search(5), Some(Repetition::Draw));
        assert_eq!(position.repetition(), None);
        assert_eq!(position.occurrences(), 2);
    }

    #[test]
    fn search_sees_a_board_that_returns_with_another_hand() {
        // White drops a pawn to be taken; then both sides return to where they were.
        let black = "1i1h P*5e 5f5e 9a9b 5e5f 9b8a 1h1i 8a9a";
        let position = played("k8/9/9/9/9/4G4/9/9/8K b p 1", black, 1);
        assert_eq!(position.repetition_in_search(0), Some(Repetition::Superior));
        let white = "P*5e 5f5e 9a9b 5e5f 9b8a 1i1h 8a9a 1h1i";
        let position = played("k8/9/9/9/9/4G4/9/9/8K w p 1", white, 1);
        assert_eq!(position.repetition_in_search(0), Some(Repetition::Inferior));
        assert_eq!(position.repetition(), None, "not a rule of the game");
    }

    #[test]
    fn null_moves_stop_the_look_back() {
        let mut position = Position::start();
        position.play_null();
        for text in ["8b7b", "2h3h", "7b8b", "3h2h"] {
            position.play(text.parse().unwrap());
        }
        assert_eq!(position.occurrences(), 2);
        position.play_null();
        assert_eq!(position.occurrences(), 1);
    }
}
