//! Pieces, squares and moves as CSA writes them: `FU`, `77`, `+7776FU`.

use shogi::{Color, Move, Piece, PieceKind, Position, Square};

/// Every kind with its two letters; JKF uses the same.
const CODES: [(PieceKind, &str); 14] = [
    (PieceKind::Pawn, "FU"),
    (PieceKind::Lance, "KY"),
    (PieceKind::Knight, "KE"),
    (PieceKind::Silver, "GI"),
    (PieceKind::Bishop, "KA"),
    (PieceKind::Rook, "HI"),
    (PieceKind::Gold, "KI"),
    (PieceKind::King, "OU"),
    (PieceKind::ProPawn, "TO"),
    (PieceKind::ProLance, "NY"),
    (PieceKind::ProKnight, "NK"),
    (PieceKind::ProSilver, "NG"),
    (PieceKind::Horse, "UM"),
    (PieceKind::Dragon, "RY"),
];

/// The two letters of a kind.
pub(crate) fn code(kind: PieceKind) -> &'static str {
    CODES.iter().find(|(k, _)| *k == kind).map_or("", |(_, code)| code)
}

/// The kind with these two letters.
pub(crate) fn kind(code: &str) -> Option<PieceKind> {
    CODES.iter().find(|(_, c)| *c == code).map(|&(kind, _)| kind)
}

/// `+` or `-`.
pub(crate) fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// The side of a sign.
pub(crate) fn color(sign: u8) -> Option<Color> {
    match sign {
        b'+' => Some(Color::Black),
        b'-' => Some(Color::White),
        _ => None,
    }
}

/// The square with a file and a rank from 1 to 9.
pub(crate) fn square(file: u8, rank: u8) -> Option<Square> {
    Square::try_new(file.wrapping_sub(1), rank.wrapping_sub(1))
}

/// File and rank, from 1.
pub(crate) fn digits(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

/// A move as text describes it: origin (none for a drop), target, and the kind *after* the move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Described {
    pub(crate) color: Color,
    pub(crate) from: Option<Square>,
    pub(crate) to: Square,
    pub(crate) kind: PieceKind,
}

/// Reads `+7776FU`; `None` if the text is not of that form.
pub(crate) fn describe(text: &str) -> Option<Described> {
    let &[sign, from_file, from_rank, to_file, to_rank, _, _] = text.as_bytes() else { return None };
    let digit = |byte: u8| byte.wrapping_sub(b'0');
    let from = match (from_file, from_rank) {
        (b'0', b'0') => None,
        _ => Some(square(digit(from_file), digit(from_rank))?),
    };
    let to = square(digit(to_file), digit(to_rank))?;
    Some(Described { color: color(sign)?, from, to, kind: kind(text.get(5..7)?)? })
}

impl Described {
    /// The move it is on this board, if the piece is there, belongs to the side to move and becomes the
    /// kind that is described. Whether the move is legal is not asked.
    pub(crate) fn on(self, position: &Position) -> Option<Move> {
        if self.color != position.side() || self.from == Some(self.to) {
            return None;
        }
        let Some(from) = self.from else {
            return PieceKind::HAND.contains(&self.kind).then(|| Move::drop(self.kind, self.to));
        };
        let piece = position.piece(from).filter(|piece| piece.color() == self.color)?;
        if piece.kind() == self.kind {
            Some(Move::board(from, self.to, false))
        } else {
            (piece.kind().promoted() == Some(self.kind)).then(|| Move::board(from, self.to, true))
        }
    }
}

/// The move that `+7776FU` is on this board.
pub(crate) fn read_move(text: &str, position: &Position) -> Option<Move> {
    describe(text)?.on(position)
}

/// Whether the text, in CSA or USI, has origin and target of the move.
pub(crate) fn names_move(text: &str, m: Move) -> bool {
    match describe(text) {
        Some(described) => described.from == m.from() && described.to == m.to(),
        None => text.parse() == Ok(m),
    }
}

/// The kind of the piece that moves or is dropped; a pawn where no piece stands.
pub(crate) fn kind_before(m: Move, position: &Position) -> PieceKind {
    let kind = match m.from() {
        Some(from) => position.piece(from).map(Piece::kind),
        None => m.dropped(),
    };
    kind.unwrap_or(PieceKind::Pawn)
}

fn kind_after(m: Move, position: &Position) -> PieceKind {
    let before = kind_before(m, position);
    before.promoted().filter(|_| m.is_promotion()).unwrap_or(before)
}

/// `+7776FU` for a move of the side to move.
pub(crate) fn write_move(m: Move, position: &Position) -> String {
    let from = m.from().map_or_else(|| "00".to_owned(), digits);
    format!("{}{from}{}{}", sign(position.side()), digits(m.to()), code(kind_after(m, position)))
}
