//! Playing moves and taking them back.

use crate::position::State;
use crate::{Bitboard, Color, Move, Piece, PieceKind, Position, Square, attacks, zobrist};

/// What a move changed, for evaluators that follow the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delta {
    /// Where the piece now stands.
    pub to: Square,
    /// The piece as it now stands; its colour is the mover's.
    pub piece: Piece,
    /// Where it came from.
    pub source: Source,
    /// What it captured.
    pub captured: Option<Captured>,
}

/// Where a piece came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// From a square, where it stood as `before`.
    Board {
        /// The square it left.
        from: Square,
        /// The piece before a promotion.
        before: Piece,
    },
    /// From the mover's hand, which holds `left` of the kind now.
    Hand {
        /// How many of the kind are still in hand.
        left: u8,
    },
}

/// A captured piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Captured {
    /// The piece as it stood on the target square.
    pub piece: Piece,
    /// How many of its unpromoted kind the mover holds now.
    pub held: u8,
}

impl Position {
    /// Plays a legal move. Allocates nothing while the game is shorter than the room reserved.
    ///
    /// # Panics
    /// If the move does not fit the position (no piece to move); a move that fits but is illegal leads to
    /// an illegal position. Check moves from outside with [`Position::is_legal`].
    #[inline]
    pub fn play(&mut self, m: Move) -> Delta {
        self.history.push(self.state);
        let (us, to) = (self.side, m.to());
        let mut captured = None;
        let (piece, source) = match m.dropped() {
            Some(kind) => (Piece::new(us, kind), self.take_from_hand(us, kind)),
            None => {
                captured = self.capture(us, to);
                self.lift(m.origin(), m.is_promotion())
            }
        };
        self.place(piece, to);
        self.state.captured = captured.map(|c| c.piece);
        self.state.last = Some(m);
        self.state.reversible += 1;
        self.state.board_key ^= zobrist::WHITE_TO_MOVE;
        self.ply = self.ply.wrapping_add(1);
        self.side = !us;
        self.find_checkers(us, piece, m);
        self.seen.add(self.state.board_key);
        Delta { to, piece, source, captured }
    }

    /// Takes back the last move or null move.
    ///
    /// # Panics
    /// If nothing has been played.
    #[inline]
    pub fn undo(&mut self) {
        let State { last, captured, board_key, .. } = self.state;
        self.seen.remove(board_key);
        self.state = self.history.pop().expect("a move to take back");
        self.side = !self.side;
        self.ply = self.ply.wrapping_sub(1);
        let Some(m) = last else { return };
        let us = self.side;
        let to = m.to();
        let piece = self.board[to.index()].expect("the piece that moved");
        self.toggle(piece, to);
        self.board[to.index()] = captured;
        if let Some(captured) = captured {
            self.toggle(captured, to);
        }
        if !m.is_drop() {
            let from = m.origin();
            let before = if m.is_promotion() { Piece::new(us, piece.kind().unpromoted()) } else { piece };
            self.toggle(before, from);
            self.board[from.index()] = Some(before);
            if before.kind() == PieceKind::King {
                self.kings[us.index()] = Some(from);
            }
        }
    }

    /// Passes the turn, for null-move pruning. The side to move must not be in check. Repetitions are not
    /// looked for across a null move.
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.history.push(self.state);
        self.state.board_key ^= zobrist::WHITE_TO_MOVE;
        self.state.checks_in_row = [0; 2];
        self.state.reversible = 0;
        self.state.last = None;
        self.state.captured = None;
        self.side = !self.side;
        self.ply = self.ply.wrapping_add(1);
        self.seen.add(self.state.board_key);
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.by_color[piece.color().index()] ^= bit;
        self.by_kind[piece.kind().index()] ^= bit;
    }

    #[inline(always)]
    fn hash(&mut self, piece: Piece, square: Square) {
        let value = zobrist::board(piece, square);
        self.state.board_key ^= value;
        self.state.pawn_key ^= if piece.kind() == PieceKind::Pawn { value } else { 0 };
    }

    #[inline(always)]
    fn take_from_hand(&mut self, us: Color, kind: PieceKind) -> Source {
        let hand = &mut self.state.hands[us.index()];
        hand.remove(kind);
        self.state.hand_key = self.state.hand_key.wrapping_sub(zobrist::hand(us, kind));
        Source::Hand { left: hand.count(kind) }
    }

    /// Moves what stands on the target into the hand.
    #[inline(always)]
    fn capture(&mut self, us: Color, to: Square) -> Option<Captured> {
        let piece = self.board[to.index()]?;
        let kind = piece.kind().unpromoted();
        self.toggle(piece, to);
        self.hash(piece, to);
        let hand = &mut self.state.hands[us.index()];
        hand.add(kind);
        self.state.hand_key = self.state.hand_key.wrapping_add(zobrist::hand(us, kind));
        Some(Captured { piece, held: hand.count(kind) })
    }

    /// Takes the moving piece off the board; returns it as it will stand on its target.
    #[inline(always)]
    fn lift(&mut self, from: Square, promote: bool) -> (Piece, Source) {
        let before = self.board[from.index()].take().expect("a piece to move");
        self.toggle(before, from);
        self.hash(before, from);
        (if promote { before.turned() } else { before }, Source::Board { from, before })
    }

    #[inline(always)]
    fn place(&mut self, piece: Piece, to: Square) {
        self.board[to.index()] = Some(piece);
        self.toggle(piece, to);
        self.hash(piece, to);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color().index()] = Some(to);
        }
    }

    /// Finds who gives check after `us` has played `m`: the moved piece, or a slider behind its origin.
    #[inline(always)]
    fn find_checkers(&mut self, us: Color, piece: Piece, m: Move) {
        let mut checkers = Bitboard::EMPTY;
        if let Some(king) = self.king(!us) {
            let to = m.to();
            let occupied = self.occupied();
            if attacks::reach(piece.flipped(), king).has(to)
                && (attacks::between(king, to) & occupied).is_empty()
            {
                checkers = Bitboard::of(to);
            }
            if let Some(from) = m.from() {
                let line = attacks::line(king, from);
                if line.any() && !line.has(to) {
                    checkers |= self.slider_attackers(us, king, occupied) & line;
                }
            }
        }
        self.state.checkers = checkers;
        let row = &mut self.state.checks_in_row[us.index()];
        *row = if checkers.any() { *row + 1 } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delta_tells_captures_promotions_and_drops() {
        let mut position = Position::start();
        for text in ["7g7f", "3c3d"] {
            position.play(text.parse().unwrap());
        }
        let delta = position.play("8h2b+".parse().unwrap());
        let white_bishop = Piece::new(Color::White, PieceKind::Bishop);
        assert_eq!(delta.captured, Some(Captured { piece: white_bishop, held: 1 }));
        assert_eq!(delta.piece, Piece::new(Color::Black, PieceKind::Horse));
        assert!(matches!(delta.source, Source::Board { before, .. } if before == white_bishop.flipped()));
        position.play("3a2b".parse().unwrap());
        assert_eq!(position.play("B*5e".parse().unwrap()).source, Source::Hand { left: 0 });
    }

    #[test]
    fn playing_and_undoing_keeps_the_reserved_room() {
        let mut position = Position::start();
        let room = position.history.capacity();
        for _ in 0..120 {
            for text in ["2h3h", "8b7b", "3h2h", "7b8b"] {
                position.play(text.parse().unwrap());
            }
        }
        assert_eq!(position.history.capacity(), room);
        while position.plies_played() > 0 {
            position.undo();
        }
        assert_eq!(position, Position::start());
        assert_eq!(position.clone().history.capacity(), room);
    }

    #[test]
    fn a_null_move_passes_the_turn_and_is_undone() {
        let mut position = Position::start();
        position.play("7g7f".parse().unwrap());
        let before = position.clone();
        position.play_null();
        assert_eq!(position.side(), Color::Black);
        assert_ne!(position.key(), before.key());
        position.verify().unwrap();
        position.undo();
        assert_eq!(position, before);
    }
}
