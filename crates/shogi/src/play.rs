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
        self.history.push(&self.state);
        let (us, to) = (self.side, m.to());
        let mut captured = None;
        let (piece, source) = match m.dropped() {
            Some(kind) => self.play_drop(us, kind, to),
            None => {
                captured = self.capture(us, to);
                self.play_on_board(us, m)
            }
        };
        self.board[to.index()] = Some(piece);
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

    /// The key after a pseudo-legal move, without playing it: for fetching what is known about the position
    /// ahead of time.
    #[inline(always)]
    #[must_use]
    pub fn key_after(&self, m: Move) -> u64 {
        let us = self.side;
        let hand = match m.dropped() {
            Some(kind) => self.state.hand_key.wrapping_sub(zobrist::hand(us, kind)),
            None => self.board[m.to().index()].map_or(self.state.hand_key, |captured| {
                self.state.hand_key.wrapping_add(zobrist::hand(us, captured.kind().unpromoted()))
            }),
        };
        self.board_key_after(m) ^ hand
    }

    /// The board key after a move that fits the position, without playing it.
    ///
    /// ```
    /// let mut position = shogi::Position::start();
    /// let m = "7g7f".parse().unwrap();
    /// let key = position.board_key_after(m);
    /// position.play(m);
    /// assert_eq!(position.board_key(), key);
    /// ```
    #[inline]
    #[must_use]
    pub fn board_key_after(&self, m: Move) -> u64 {
        let to = m.to();
        let mut key = self.state.board_key ^ zobrist::WHITE_TO_MOVE;
        match m.dropped() {
            Some(kind) => key ^= zobrist::board(Piece::new(self.side, kind), to),
            None => {
                if let Some(captured) = self.board[to.index()] {
                    key ^= zobrist::board(captured, to);
                }
                if let Some(before) = self.board[m.origin().index()] {
                    let after = if m.is_promotion() { before.turned() } else { before };
                    key ^= zobrist::board(before, m.origin()) ^ zobrist::board(after, to);
                }
            }
        }
        key
    }

    /// Takes back the last move or null move.
    ///
    /// # Panics
    /// If nothing has been played.
    #[inline]
    pub fn undo(&mut self) {
        let State { last, captured, board_key, .. } = self.state;
        self.seen.remove(board_key);
        self.state = *self.history.pop().expect("a move to take back");
        self.side = !self.side;
        self.ply = self.ply.wrapping_sub(1);
        let Some(m) = last else { return };
        let (us, to) = (self.side, m.to());
        let piece = self.board[to.index()].expect("the piece that moved");
        if m.is_drop() {
            self.toggle(us, piece, Bitboard::of(to));
            self.board[to.index()] = None;
            return;
        }
        let from = m.origin();
        let before = if m.is_promotion() { piece.turned_back() } else { piece };
        self.shift(us, before, piece, from, to);
        self.board[from.index()] = Some(before);
        self.board[to.index()] = captured;
        if let Some(captured) = captured {
            self.toggle(!us, captured, Bitboard::of(to));
        }
        if is_kind(before, PieceKind::King) {
            self.kings[us.index()] = Some(from);
        }
    }

    /// Passes the turn, for null-move pruning. The side to move must not be in check. Repetitions are not
    /// looked for across a null move.
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.history.push(&self.state);
        self.state.board_key ^= zobrist::WHITE_TO_MOVE;
        self.state.checks_in_row = [0; 2];
        self.state.reversible = 0;
        self.state.last = None;
        self.state.captured = None;
        self.side = !self.side;
        self.ply = self.ply.wrapping_add(1);
        self.seen.add(self.state.board_key);
    }

    /// Enters or clears a piece of `color` in the sets of squares.
    #[inline(always)]
    fn toggle(&mut self, color: Color, piece: Piece, squares: Bitboard) {
        self.by_color[color.index()] ^= squares;
        self.by_kind[piece.kind_index()] ^= squares;
    }

    /// Moves a piece between two squares in the sets, in either direction; `before` stands on `from`.
    #[inline(always)]
    fn shift(&mut self, us: Color, before: Piece, after: Piece, from: Square, to: Square) {
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        self.by_color[us.index()] ^= from | to;
        if before == after {
            self.by_kind[before.kind_index()] ^= from | to;
        } else {
            self.by_kind[before.kind_index()] ^= from;
            self.by_kind[after.kind_index()] ^= to;
        }
    }

    #[inline(always)]
    fn hash(&mut self, piece: Piece, square: Square) {
        let value = zobrist::board(piece, square);
        self.state.board_key ^= value;
        if is_kind(piece, PieceKind::Pawn) {
            self.state.pawn_key ^= value;
        } else if piece.color() == Color::White {
            self.state.white_key ^= value;
        }
    }

    #[inline(always)]
    fn play_drop(&mut self, us: Color, kind: PieceKind, to: Square) -> (Piece, Source) {
        let piece = Piece::new(us, kind);
        let hand = &mut self.state.hands[us.index()];
        hand.remove(kind);
        let left = hand.count(kind);
        self.state.hand_key = self.state.hand_key.wrapping_sub(zobrist::hand(us, kind));
        self.toggle(us, piece, Bitboard::of(to));
        self.hash(piece, to);
        (piece, Source::Hand { left })
    }

    /// Moves what stands on the target into the hand.
    #[inline(always)]
    fn capture(&mut self, us: Color, to: Square) -> Option<Captured> {
        let piece = self.board[to.index()]?;
        let kind = piece.kind().unpromoted();
        self.toggle(!us, piece, Bitboard::of(to));
        self.hash(piece, to);
        let hand = &mut self.state.hands[us.index()];
        hand.add(kind);
        let held = hand.count(kind);
        self.state.hand_key = self.state.hand_key.wrapping_add(zobrist::hand(us, kind));
        Some(Captured { piece, held })
    }

    /// Moves the piece in everything but the target square's entry on the board.
    #[inline(always)]
    fn play_on_board(&mut self, us: Color, m: Move) -> (Piece, Source) {
        let (from, to) = (m.origin(), m.to());
        let before = self.board[from.index()].take().expect("a piece to move");
        let after = if m.is_promotion() { before.turned() } else { before };
        self.shift(us, before, after, from, to);
        self.hash(before, from);
        self.hash(after, to);
        if is_kind(after, PieceKind::King) {
            self.kings[us.index()] = Some(to);
        }
        (after, Source::Board { from, before })
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

#[inline(always)]
fn is_kind(piece: Piece, kind: PieceKind) -> bool {
    piece.kind_index() == kind.index()
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
        let room = position.history.room();
        for _ in 0..120 {
            for text in ["2h3h", "8b7b", "3h2h", "7b8b"] {
                position.play(text.parse().unwrap());
            }
        }
        assert_eq!(position.history.room(), room);
        while position.plies_played() > 0 {
            position.undo();
        }
        assert_eq!(position, Position::start());
        assert_eq!(position.clone().history.room(), room);
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
