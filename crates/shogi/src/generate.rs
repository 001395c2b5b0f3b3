//! Move generation: legal moves directly, and pseudo-legal moves in stages for search.
//!
//! Moves leave the generator as sets of squares into a [`Sink`], which lists them or only counts them.

use crate::attacks::{
    attacks, between, bishop_attacks, check_vicinity, king_attacks, lance_attacks, line, reach, rook_attacks,
    step_attacks, vicinity,
};
use crate::sink::{Any, Sink};
use crate::{Bitboard, CheckInfo, Color, MoveList, Piece, PieceKind, Position, Square};

/// A part of the pseudo-legal moves. Such moves follow the pieces' ways, but may leave the own king in check
/// or mate by a pawn drop: [`Position::pseudo_is_legal`] tells.
///
/// When not in check, `Loud`, `Quiets` and `Drops` together are all moves, each once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Stage {
    /// Moves that capture, promoting ones included.
    Captures,
    /// Captures, and promotions that capture nothing.
    Loud,
    /// Moves on the board that neither capture nor promote.
    Quiets,
    /// Drops.
    Drops,
    /// When in check: king moves, captures of the checker, interpositions.
    Evasions,
    /// Moves and drops that give check.
    Checks,
    /// Checks that capture nothing.
    QuietChecks,
    /// Captures on one square.
    Recaptures(Square),
}

/// Whether to list moves that a better twin makes pointless: pawn, bishop and rook (and the lance onto the
/// last rank but one) moving without promotion where they could promote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Pointless {
    /// Leave them out, as a search does.
    #[default]
    Skip,
    /// List every move.
    Include,
}

/// Which moves are wanted.
#[derive(Clone, Copy)]
struct Want {
    /// Where a piece may go and promote.
    promoting: Bitboard,
    /// Where a piece may go as it is.
    plain: Bitboard,
    pointless: Pointless,
}

impl Want {
    const fn onto(target: Bitboard, pointless: Pointless) -> Want {
        Want { promoting: target, plain: target, pointless }
    }
}

/// The kinds that can be dropped, in the order of their moves.
const DROPPED: [PieceKind; 7] = {
    use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
    [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook]
};

impl Position {
    /// Every legal move, pointless ones included.
    ///
    /// ```
    /// assert_eq!(shogi::Position::start().legal_moves().len(), 30);
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal(&mut list);
        list
    }

    /// Whether the side to move has a legal move; if not, it has lost (there is no stalemate in shogi).
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.legal(&mut any);
        any.0
    }

    /// Whether the side to move is checkmated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Appends the pseudo-legal moves of a stage.
    pub fn generate(&self, stage: Stage, pointless: Pointless, list: &mut MoveList) {
        let us = self.side;
        let (own, enemy, empty) = (self.pieces(us), self.pieces(!us), !self.occupied());
        let onto = |target| Want::onto(target, pointless);
        match stage {
            Stage::Captures => self.board_moves(list, onto(enemy)),
            Stage::Loud => self.board_moves(list, Want { promoting: !own, ..onto(enemy) }),
            Stage::Quiets => self.board_moves(list, Want { promoting: Bitboard::EMPTY, ..onto(empty) }),
            Stage::Drops => self.drops(list, empty),
            Stage::Recaptures(square) => self.board_moves(list, onto(enemy & Bitboard::of(square))),
            Stage::Evasions => self.evasions(list, pointless),
            Stage::Checks => self.checks(list, !own, pointless, &self.check_info()),
            Stage::QuietChecks => self.checks(list, empty, pointless, &self.check_info()),
        }
    }

    /// As [`Stage::Checks`], for callers that have the position's [`Position::check_info`] already.
    pub fn generate_checks(&self, pointless: Pointless, info: &CheckInfo, list: &mut MoveList) {
        self.checks(list, !self.pieces(self.side), pointless, info);
    }

    /// Those checks that go to a square of `target`.
    pub fn generate_checks_onto(
        &self,
        target: Bitboard,
        pointless: Pointless,
        info: &CheckInfo,
        list: &mut MoveList,
    ) {
        self.checks(list, target.minus(self.pieces(self.side)), pointless, info);
    }

    /// All legal moves into a sink.
    #[inline(always)]
    pub(crate) fn legal<S: Sink>(&self, sink: &mut S) {
        let us = self.side;
        let own = self.pieces(us);
        let onto = |target| Want::onto(target, Pointless::Include);
        let Some(king) = self.king(us) else {
            self.movers(sink, own, onto(!own));
            return self.legal_drops(sink, !self.occupied());
        };
        sink.board(king, self.king_steps(us, king), false);
        if self.checkers().many() || sink.enough() {
            return;
        }
        let pinned = self.pinned();
        let (target, empty) = match self.checkers().first() {
            None => (!own, !self.occupied()),
            Some(checker) => {
                let between = between(king, checker);
                (between | self.checkers(), between)
            }
        };
        self.movers(sink, own.minus(pinned), onto(target));
        if pinned.any() && !self.in_check() {
            for from in pinned {
                if let Some(piece) = self.piece(from) {
                    let to = attacks(piece, from, self.occupied()) & line(king, from);
                    emit(sink, piece, from, to, onto(target));
                }
            }
        }
        if !sink.enough() {
            self.legal_drops(sink, empty);
        }
    }

    /// The squares that a king of `color` on `king` can safely step to.
    #[inline(always)]
    #[must_use]
    pub fn king_steps(&self, color: Color, king: Square) -> Bitboard {
        let steps = king_attacks(king).minus(self.pieces(color));
        let without_king = self.occupied() ^ Bitboard::of(king);
        steps.minus(self.attacked_beside(king, steps, self.pieces(!color), without_king))
    }

    /// Those of `squares`, all beside `square`, that some of the pieces in `by` attack: pieces near enough and sliders from afar, one
    /// after the other.
    #[inline(always)]
    #[must_use]
    pub fn attacked_beside(
        &self,
        square: Square,
        squares: Bitboard,
        by: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let sliders = by & self.sliders();
        let mut free = squares;
        for from in (by & vicinity(square)).minus(sliders) {
            if let Some(piece) = self.piece(from) {
                free = free.minus(reach(piece, from));
            }
        }
        for from in sliders {
            if let Some(piece) = self.piece(from)
                && (reach(piece, from) & free).any()
            {
                free = free.minus(attacks(piece, from, occupied));
            }
        }
        squares.minus(free)
    }

    /// Moves of all pieces on the board; king steps are not tested.
    fn board_moves(&self, list: &mut MoveList, want: Want) {
        self.list_movers(list, want);
        if let Some(king) = self.king(self.side) {
            list.board(king, king_attacks(king) & want.plain, false);
        }
    }

    /// Moves of the pieces other than the king. Once in the program, whatever is wanted: what a search does in every node
    /// should stay in the cache of instructions.
    #[inline(never)]
    fn list_movers(&self, list: &mut MoveList, want: Want) {
        self.movers(list, self.pieces(self.side), want);
    }

    /// Moves of the pieces in `movers` other than the king.
    #[inline(always)]
    fn movers<S: Sink>(&self, sink: &mut S, movers: Bitboard, want: Want) {
        let us = self.side;
        let occupied = self.occupied();
        let of = |kind| self.kind(kind) & movers;
        emit_pawns(sink, us, of(PieceKind::Pawn).ahead(us), want);
        for from in of(PieceKind::Lance) {
            let to = lance_attacks(us, from, occupied);
            emit(sink, Piece::new(us, PieceKind::Lance), from, to, want);
        }
        for from in of(PieceKind::Knight) {
            let to = step_attacks(us, PieceKind::Knight, from);
            emit(sink, Piece::new(us, PieceKind::Knight), from, to, want);
        }
        for from in of(PieceKind::Silver) {
            let to = step_attacks(us, PieceKind::Silver, from);
            emit(sink, Piece::new(us, PieceKind::Silver), from, to, want);
        }
        for from in of(PieceKind::Bishop) {
            let to = bishop_attacks(from, occupied);
            emit(sink, Piece::new(us, PieceKind::Bishop), from, to, want);
        }
        for from in of(PieceKind::Rook) {
            let to = rook_attacks(from, occupied);
            emit(sink, Piece::new(us, PieceKind::Rook), from, to, want);
        }
        let target = want.plain;
        for from in self.goldlike() & movers {
            sink.board(from, step_attacks(us, PieceKind::Gold, from) & target, false);
        }
        for from in of(PieceKind::Horse) {
            sink.board(from, (bishop_attacks(from, occupied) | king_attacks(from)) & target, false);
        }
        for from in of(PieceKind::Dragon) {
            sink.board(from, (rook_attacks(from, occupied) | king_attacks(from)) & target, false);
        }
    }

    #[inline(always)]
    fn drops<S: Sink>(&self, sink: &mut S, empty: Bitboard) {
        self.drops_with(sink, empty, |_, to| to);
    }

    /// Drops without mate by a pawn drop.
    #[inline(always)]
    fn legal_drops<S: Sink>(&self, sink: &mut S, empty: Bitboard) {
        self.drops_with(
            sink,
            empty,
            |kind, to| {
                if kind == PieceKind::Pawn { self.without_drop_mate(to) } else { to }
            },
        );
    }

    /// Drops on the squares that `restrict` leaves of the possible ones.
    #[inline(always)]
    fn drops_with<S: Sink>(
        &self,
        sink: &mut S,
        empty: Bitboard,
        restrict: impl Fn(PieceKind, Bitboard) -> Bitboard,
    ) {
        if self.hand(self.side).is_empty() || empty.is_empty() {
            return;
        }
        for kind in DROPPED {
            if self.hand(self.side).has(kind) {
                sink.drops(kind, restrict(kind, self.drop_squares(kind, empty)));
            }
        }
    }

    /// Those of the empty squares on which a piece of the kind may be dropped: not beside another pawn on its file, nor where it could
    /// never move. Whether the side to move holds one, and whether the drop of a pawn mates, is not asked.
    #[inline(always)]
    #[must_use]
    pub fn drop_squares(&self, kind: PieceKind, empty: Bitboard) -> Bitboard {
        let us = self.side;
        match kind {
            PieceKind::Pawn => {
                empty.minus(last_ranks(us, 1)) & self.pieces_of(us, PieceKind::Pawn).open_files()
            }
            PieceKind::Lance => empty.minus(last_ranks(us, 1)),
            PieceKind::Knight => empty.minus(last_ranks(us, 2)),
            _ => empty,
        }
    }

    /// The squares less the one on which a pawn drop would mate.
    #[inline(always)]
    fn without_drop_mate(&self, to: Bitboard) -> Bitboard {
        let Some(king) = self.king(!self.side) else { return to };
        let ahead = step_attacks(!self.side, PieceKind::Pawn, king) & to;
        match ahead.first() {
            Some(square) if self.is_drop_mate(king, square) => to ^ ahead,
            _ => to,
        }
    }

    fn evasions(&self, list: &mut MoveList, pointless: Pointless) {
        let us = self.side;
        let (Some(king), Some(checker)) = (self.king(us), self.checkers().first()) else { return };
        list.board(king, king_attacks(king).minus(self.pieces(us)), false);
        if !self.checkers().many() {
            let between = between(king, checker);
            self.list_movers(list, Want::onto(between | self.checkers(), pointless));
            self.drops(list, between);
        }
    }

    fn checks(&self, list: &mut MoveList, target: Bitboard, pointless: Pointless, info: &CheckInfo) {
        let us = self.side;
        let Some(enemy_king) = self.king(!us) else { return };
        let occupied = self.occupied();
        let near = check_vicinity(enemy_king) | self.sliders() | info.discoverers;
        for from in self.pieces(us) & near {
            let Some(piece) = self.piece(from) else { continue };
            if (reach(piece, from) & target).is_empty() {
                continue;
            }
            let to = attacks(piece, from, occupied) & target;
            let open =
                if info.discoverers.has(from) { to.minus(line(enemy_king, from)) } else { Bitboard::EMPTY };
            emit_checks(list, piece, from, to, open, info, pointless);
        }
        self.drops_with(list, target & !occupied, |kind, to| to & info.squares(kind));
    }
}

/// The `count` ranks on which a piece of `us` that only goes ahead could not move any more.
#[inline(always)]
pub(crate) fn last_ranks(us: Color, count: u8) -> Bitboard {
    const RANKS: [[Bitboard; 3]; 2] = {
        let mut table = [[Bitboard::EMPTY; 3]; 2];
        let mut count = 0;
        while count < 3 {
            table[0][count] = Bitboard::far_ranks(Color::Black, count as u8);
            table[1][count] = Bitboard::far_ranks(Color::White, count as u8);
            count += 1;
        }
        table
    };
    RANKS[us.index()][count as usize]
}

/// The squares of `to` where the piece may promote, coming from `from`.
#[inline(always)]
fn promotable(us: Color, from: Square, to: Bitboard) -> Bitboard {
    let zone = Bitboard::zone(us);
    if zone.has(from) { to } else { to & zone }
}

/// The squares of `to` where the piece may stay as it is.
#[inline(always)]
fn staying(piece: Piece, to: Bitboard, promotable: Bitboard, pointless: Pointless) -> Bitboard {
    let us = piece.color();
    let skip = pointless == Pointless::Skip;
    match piece.kind() {
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook if skip => to.minus(promotable),
        PieceKind::Lance if skip => to.minus(last_ranks(us, 2)),
        PieceKind::Pawn | PieceKind::Lance => to.minus(last_ranks(us, 1)),
        PieceKind::Knight => to.minus(last_ranks(us, 2)),
        _ => to,
    }
}

#[inline(always)]
fn emit<S: Sink>(sink: &mut S, piece: Piece, from: Square, to: Bitboard, want: Want) {
    let mut promotable_squares = Bitboard::EMPTY;
    if piece.kind().promoted().is_some() {
        promotable_squares = promotable(piece.color(), from, to);
        sink.board(from, promotable_squares & want.promoting, true);
    }
    sink.board(from, staying(piece, to, promotable_squares, want.pointless) & want.plain, false);
}

#[inline(always)]
fn emit_pawns<S: Sink>(sink: &mut S, us: Color, to: Bitboard, want: Want) {
    let promotable_squares = to & Bitboard::zone(us);
    sink.pawns(us, promotable_squares & want.promoting, true);
    let piece = Piece::new(us, PieceKind::Pawn);
    sink.pawns(us, staying(piece, to, promotable_squares, want.pointless) & want.plain, false);
}

/// The moves of one piece that give check: directly, or by leaving a line (`open`).
fn emit_checks(
    list: &mut MoveList,
    piece: Piece,
    from: Square,
    to: Bitboard,
    open: Bitboard,
    info: &CheckInfo,
    pointless: Pointless,
) {
    let mut promoting = Bitboard::EMPTY;
    if let Some(promoted) = piece.kind().promoted() {
        promoting = promotable(piece.color(), from, to);
        list.board(from, promoting & (info.squares(promoted) | open), true);
    }
    let staying = staying(piece, to, promoting, pointless);
    list.board(from, staying & (info.squares(piece.kind()) | open), false);
}
