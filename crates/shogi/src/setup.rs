//! A board as somebody describes it: perhaps not a position that can occur.

use crate::{Color, Piece, PieceKind, Square};

/// Pieces on squares, pieces in hand, whose turn it is and the number of the next ply. May be illegal; only
/// [`Position::new`](crate::Position::new) and [`Position::problem`](crate::Position::problem) lead on to play.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Setup {
    /// What stands on each square, in the order of the squares' numbers.
    pub board: [Option<Piece>; 81],
    /// Pieces in hand: `[color][kind]` in the order of [`PieceKind::HAND`].
    pub hands: [[u8; 7]; 2],
    /// The side to move.
    pub side: Color,
    /// The number of the next move, 1 at the start of a game.
    pub ply: u16,
}

impl Setup {
    /// An empty board, Black to move.
    #[must_use]
    pub const fn empty() -> Setup {
        Setup { board: [None; 81], hands: [[0; 7]; 2], side: Color::Black, ply: 1 }
    }

    /// What stands on the square.
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Puts a piece on the square or clears it.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.index()] = piece;
    }

    /// The squares that hold `piece`.
    pub fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> {
        Square::all().filter(move |&square| self.piece(square) == Some(piece))
    }

    /// How many pieces of the (unpromoted) kind are on the board and in the hands together.
    #[must_use]
    pub fn count(&self, kind: PieceKind) -> u32 {
        let on_board = self.board.iter().flatten().filter(|piece| piece.kind().unpromoted() == kind).count();
        let in_hand: u32 =
            self.hands.iter().map(|hand| hand.get(kind.index()).map_or(0, |&n| u32::from(n))).sum();
        on_board as u32 + in_hand
    }

    /// [`Setup::count`] of all kinds at once.
    fn counts(&self) -> [u32; PieceKind::COUNT] {
        let mut counts = [0; PieceKind::COUNT];
        for piece in self.board.iter().flatten() {
            counts[piece.kind().unpromoted().index()] += 1;
        }
        for hand in &self.hands {
            for (count, &held) in counts.iter_mut().zip(hand) {
                *count += u32::from(held);
            }
        }
        counts
    }

    /// The board seen from the other side: turned by 180 degrees, colours and turn exchanged.
    ///
    /// ```
    /// use shogi::Setup;
    /// let setup: Setup = "4k4/9/4P4/9/9/9/9/9/4K4 b G2p 1".parse().unwrap();
    /// assert_eq!(setup.rotated().to_string(), "4k4/9/9/9/9/9/4p4/9/4K4 w 2Pg 1");
    /// ```
    #[must_use]
    pub fn rotated(&self) -> Setup {
        let mut turned = Setup { side: !self.side, hands: [self.hands[1], self.hands[0]], ..*self };
        for square in Square::all() {
            turned.put(square.rotated(), self.piece(square).map(Piece::flipped));
        }
        turned
    }

    /// The board with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Setup {
        let mut mirrored = self.clone();
        for square in Square::all() {
            mirrored.put(square.mirrored(), self.piece(square));
        }
        mirrored
    }
}

/// Which kings a position must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kings {
    /// One each, as in every game.
    Both,
    /// The side to move, who mates, may lack a king, as in mate problems.
    AttackerOptional,
}

/// Why a setup is not a position of the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SetupError {
    #[error("{color} has no king")]
    NoKing { color: Color },
    #[error("{color} has two kings, on {first} and {second}")]
    TwoKings { color: Color, first: Square, second: Square },
    #[error("{count} pieces of kind {kind} on the board and in the hands, a set has {}", .kind.full_count())]
    TooMany { kind: PieceKind, count: u32 },
    #[error("two unpromoted pawns of {color} on one file, on {first} and {second}")]
    TwoPawns { color: Color, first: Square, second: Square },
    #[error("the {kind} of {color} on {square} could never move")]
    Immovable { color: Color, kind: PieceKind, square: Square },
    #[error("{color} is in check on {king} (from {checker}) but {} is to move", !*.color)]
    CheckOnOpponent { color: Color, king: Square, checker: Square },
}

/// Checks all that can be checked without attacks; [`SetupError::CheckOnOpponent`] is the position's part.
pub(crate) fn validate(setup: &Setup, kings: Kings) -> Result<(), SetupError> {
    for color in Color::ALL {
        let mut squares = setup.squares_of(Piece::new(color, PieceKind::King));
        match (squares.next(), squares.next()) {
            (Some(first), Some(second)) => return Err(SetupError::TwoKings { color, first, second }),
            (None, _) if kings == Kings::Both || color != setup.side => {
                return Err(SetupError::NoKing { color });
            }
            _ => {}
        }
    }
    let counts = setup.counts();
    for kind in PieceKind::HAND {
        let count = counts[kind.index()];
        if count > u32::from(kind.full_count()) {
            return Err(SetupError::TooMany { kind, count });
        }
    }
    let mut pawn_on_file: [[Option<Square>; 9]; 2] = [[None; 9]; 2];
    for square in Square::all() {
        let Some(piece) = setup.piece(square) else { continue };
        let (color, kind) = (piece.color(), piece.kind());
        if square.rank_from(color) < kind.forbidden_ranks() {
            return Err(SetupError::Immovable { color, kind, square });
        }
        if kind == PieceKind::Pawn {
            let slot = &mut pawn_on_file[color.index()][usize::from(square.file())];
            if let Some(first) = *slot {
                return Err(SetupError::TwoPawns { color, first, second: square });
            }
            *slot = Some(square);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rejection_says_what_and_where() {
        let cases = [
            ("9/9/9/9/9/9/9/9/4K4 b - 1", "White has no king"),
            ("4k4/9/9/9/9/9/9/9/9 b - 1", "Black has no king"),
            ("4k4/9/9/9/9/9/4K4/9/4K4 b - 1", "Black has two kings, on 5g and 5i"),
            (
                "4k4/9/9/9/9/9/9/9/4K4 b 3R 1",
                "3 pieces of kind rook on the board and in the hands, a set has 2",
            ),
            (
                "4k4/9/9/9/9/9/2+B6/9/4K4 b Bb 1",
                "3 pieces of kind bishop on the board and in the hands, a set has 2",
            ),
            ("4k4/9/7P1/9/9/7P1/9/9/4K4 b - 1", "two unpromoted pawns of Black on one file, on 2c and 2f"),
            ("4k2P1/9/9/9/9/9/9/9/4K4 b - 1", "the pawn of Black on 2a could never move"),
            ("4k4/9/9/9/9/9/9/7n1/4K4 b - 1", "the knight of White on 2h could never move"),
            ("4k4/9/4L4/9/9/9/9/9/4K4 b - 1", "White is in check on 5a (from 5c) but Black is to move"),
        ];
        for (sfen, expected) in cases {
            let setup: Setup = sfen.parse().unwrap();
            let error = crate::Position::new(&setup).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn only_the_attacker_of_a_problem_may_lack_a_king() {
        let attacker_without: Setup = "4k4/9/4P4/9/9/9/9/9/9 b G 1".parse().unwrap();
        assert!(crate::Position::new(&attacker_without).is_err());
        assert!(crate::Position::problem(&attacker_without).is_ok());
        assert!(crate::Position::problem(&attacker_without.rotated()).is_ok());
        let defender_without: Setup = "9/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
        assert!(crate::Position::problem(&defender_without).is_err());
    }
}
