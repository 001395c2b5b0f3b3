//! A position that can occur in a game, with everything that play needs at hand.

use std::fmt;
use std::str::FromStr;

use crate::history::History;
use crate::repetition::SeenFilter;
use crate::setup::{self, Kings};
use crate::{Bitboard, Color, Hand, Move, Piece, PieceKind, Setup, SetupError, SfenError, Square, zobrist};

/// The usual starting position.
pub const START_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// How many plies are played without growing the record of past states.
const RESERVED_PLIES: usize = 512;

/// A legal position together with the plies that led to it (for repetition and for taking moves back).
///
/// ```
/// use shogi::Position;
/// let mut position = Position::start();
/// position.play("7g7f".parse().unwrap());
/// assert_eq!(position.to_string(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
/// position.undo();
/// assert_eq!(position, Position::start());
/// ```
#[derive(Clone, PartialEq)]
pub struct Position {
    pub(crate) board: [Option<Piece>; 81],
    /// `[color]`
    pub(crate) by_color: [Bitboard; 2],
    /// `[kind]`; two rows more than kinds, see [`Piece::kind_index`].
    pub(crate) by_kind: [Bitboard; 16],
    /// `[color]`; only the attacker of a mate problem may have none.
    pub(crate) kings: [Option<Square>; 2],
    pub(crate) side: Color,
    pub(crate) ply: u16,
    pub(crate) state: State,
    /// The states before each move played so far, oldest first.
    pub(crate) history: History,
    pub(crate) seen: SeenFilter,
}

/// What a move cannot simply be taken back from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) checkers: Bitboard,
    pub(crate) board_key: u64,
    pub(crate) hand_key: u64,
    pub(crate) pawn_key: u64,
    /// White's pieces other than pawns. Black's are what remains of the board key.
    pub(crate) white_key: u64,
    pub(crate) hands: [Hand; 2],
    /// How many moves in a row each side has given check up to here.
    pub(crate) checks_in_row: [u16; 2],
    /// Plies since the start or the last null move: how far back a repetition can lie.
    pub(crate) reversible: u16,
    /// The move that led here and what it captured; `None` at the start and after a null move.
    pub(crate) last: Option<Move>,
    pub(crate) captured: Option<Piece>,
}

/// Why a text is not a position: it is no SFEN, or it describes none of the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PositionError {
    #[error("not an SFEN: {0}")]
    Sfen(#[from] SfenError),
    #[error("not a legal position: {0}")]
    Setup(#[from] SetupError),
}

impl Position {
    /// The usual starting position.
    #[must_use]
    pub fn start() -> Position {
        START_SFEN.parse().expect("the starting position is legal")
    }

    /// The position of a game that a setup describes.
    pub fn new(setup: &Setup) -> Result<Position, SetupError> {
        Self::with_kings(setup, Kings::Both)
    }

    /// The position of a mate problem: as in a game, but the side to move may lack a king.
    pub fn problem(setup: &Setup) -> Result<Position, SetupError> {
        Self::with_kings(setup, Kings::AttackerOptional)
    }

    fn with_kings(setup: &Setup, kings: Kings) -> Result<Position, SetupError> {
        setup::validate(setup, kings)?;
        let mut position = Self::unchecked(setup);
        let (us, them) = (position.side, !position.side);
        if let Some(king) = position.king(them)
            && let Some(checker) = position.attackers(us, king, position.occupied()).first()
        {
            return Err(SetupError::CheckOnOpponent { color: them, king, checker });
        }
        if let Some(king) = position.king(us) {
            position.state.checkers = position.attackers(them, king, position.occupied());
        }
        position.seen.add(position.state.board_key);
        Ok(position)
    }

    /// Everything but the checkers; the setup is validated.
    fn unchecked(setup: &Setup) -> Position {
        let mut by_color = [Bitboard::EMPTY; 2];
        let mut by_kind = [Bitboard::EMPTY; 16];
        let mut kings = [None; 2];
        for square in Square::all() {
            let Some(piece) = setup.piece(square) else { continue };
            by_color[piece.color().index()] |= Bitboard::of(square);
            by_kind[piece.kind().index()] |= Bitboard::of(square);
            if piece.kind() == PieceKind::King {
                kings[piece.color().index()] = Some(square);
            }
        }
        let hands = setup.hands.map(|counts| Hand::from_counts(counts).expect("counts are validated"));
        let keys = Keys::of(&setup.board, hands, setup.side);
        let state = State {
            checkers: Bitboard::EMPTY,
            board_key: keys.board,
            hand_key: keys.hand,
            pawn_key: keys.pawn,
            white_key: keys.white,
            hands,
            checks_in_row: [0; 2],
            reversible: 0,
            last: None,
            captured: None,
        };
        Position {
            board: setup.board,
            by_color,
            by_kind,
            kings,
            side: setup.side,
            ply: setup.ply,
            state,
            history: History::with_room(RESERVED_PLIES),
            seen: SeenFilter::new(),
        }
    }

    /// The pieces, hands, turn and ply alone.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup { board: self.board, hands: self.state.hands.map(Hand::counts), side: self.side, ply: self.ply }
    }

    /// What stands on the square.
    #[inline(always)]
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The side to move.
    #[inline(always)]
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The number of the next move, 1 at the start of a game.
    #[inline(always)]
    #[must_use]
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The pieces in the hand of `color`.
    #[inline(always)]
    #[must_use]
    pub fn hand(&self, color: Color) -> Hand {
        self.state.hands[color.index()]
    }

    /// Where the king of `color` stands; only the attacker of a mate problem may have none.
    #[inline(always)]
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// The squares of all pieces of `color`.
    #[inline(always)]
    #[must_use]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares of all pieces of a kind, of both sides.
    #[inline(always)]
    #[must_use]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The squares of the pieces of a kind and colour.
    #[inline(always)]
    #[must_use]
    pub fn pieces_of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.pieces(color) & self.kind(kind)
    }

    /// The squares of the gold and all pieces that move as one, of both sides.
    #[inline(always)]
    #[must_use]
    pub fn goldlike(&self) -> Bitboard {
        self.kind(PieceKind::Gold)
            | self.kind(PieceKind::ProPawn)
            | self.kind(PieceKind::ProLance)
            | self.kind(PieceKind::ProKnight)
            | self.kind(PieceKind::ProSilver)
    }

    /// The squares of all pieces that slide, of both sides.
    #[inline(always)]
    #[must_use]
    pub fn sliders(&self) -> Bitboard {
        self.kind(PieceKind::Lance)
            | self.kind(PieceKind::Bishop)
            | self.kind(PieceKind::Rook)
            | self.kind(PieceKind::Horse)
            | self.kind(PieceKind::Dragon)
    }

    /// The squares of all pieces.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The enemy pieces that give check to the side to move.
    #[inline(always)]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// The move that led here; `None` at the start and after a null move.
    #[must_use]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last
    }

    /// The piece captured by the last move.
    #[must_use]
    pub fn last_captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// How many moves (null moves too) can be taken back.
    #[must_use]
    pub fn plies_played(&self) -> usize {
        self.history.states().len()
    }

    /// The moves played since the setup, in order; a null move is `None`.
    pub fn moves_played(&self) -> impl Iterator<Item = Option<Move>> {
        let states = self.history.states();
        states.iter().skip(1).chain(std::iter::once(&self.state)).map(|s| s.last).take(states.len())
    }

    /// The key of board, hands and turn.
    #[inline(always)]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.state.board_key ^ self.state.hand_key
    }

    /// The key of board and turn, without the hands.
    #[inline(always)]
    #[must_use]
    pub fn board_key(&self) -> u64 {
        self.state.board_key
    }

    /// The key of both hands.
    #[inline(always)]
    #[must_use]
    pub fn hand_key(&self) -> u64 {
        self.state.hand_key
    }

    /// The key of the unpromoted pawns on the board.
    #[inline(always)]
    #[must_use]
    pub fn pawn_key(&self) -> u64 {
        self.state.pawn_key
    }

    /// The key of one side's pieces on the board, without its unpromoted pawns. Comparable only between
    /// positions with the same side to move.
    #[inline(always)]
    #[must_use]
    pub fn pieces_key(&self, color: Color) -> u64 {
        match color {
            Color::Black => self.state.board_key ^ self.state.pawn_key ^ self.state.white_key,
            Color::White => self.state.white_key,
        }
    }

    /// Everything that is kept up to date by increments, recomputed and compared; says what differs. Slow:
    /// for tests.
    pub fn verify(&self) -> Result<(), String> {
        let fresh = Self::unchecked(&self.setup());
        let keys = Keys::of(&self.board, self.state.hands, self.side);
        let check = |name: &str, equal: bool| {
            if equal { Ok(()) } else { Err(format!("{name} differs in {self}")) }
        };
        check("by_color", self.by_color == fresh.by_color)?;
        check("by_kind", self.by_kind == fresh.by_kind)?;
        check("kings", self.kings == fresh.kings)?;
        check("board key", self.board_key() == keys.board)?;
        check("hand key", self.hand_key() == keys.hand)?;
        check("pawn key", self.pawn_key() == keys.pawn)?;
        check("white key", self.pieces_key(Color::White) == keys.white)?;
        check("key", self.key() == keys.board ^ keys.hand)?;
        let checkers = self
            .king(self.side)
            .map_or(Bitboard::EMPTY, |king| self.attackers(!self.side, king, self.occupied()));
        check("checkers", self.checkers() == checkers)
    }
}

/// The keys of a position from scratch.
struct Keys {
    board: u64,
    hand: u64,
    pawn: u64,
    white: u64,
}

impl Keys {
    fn of(board: &[Option<Piece>; 81], hands: [Hand; 2], side: Color) -> Keys {
        let mut keys = Keys {
            board: if side == Color::White { zobrist::WHITE_TO_MOVE } else { 0 },
            hand: zobrist::hands(hands),
            pawn: 0,
            white: 0,
        };
        for square in Square::all() {
            let Some(piece) = board[square.index()] else { continue };
            keys.board ^= zobrist::board(piece, square);
            if piece.kind() == PieceKind::Pawn {
                keys.pawn ^= zobrist::board(piece, square);
            } else if piece.color() == Color::White {
                keys.white ^= zobrist::board(piece, square);
            }
        }
        keys
    }
}

impl Eq for Position {}

impl FromStr for Position {
    type Err = PositionError;

    /// The position of a game from SFEN text.
    fn from_str(sfen: &str) -> Result<Position, PositionError> {
        Ok(Position::new(&sfen.parse()?)?)
    }
}

/// SFEN of the current position.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.setup(), f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
