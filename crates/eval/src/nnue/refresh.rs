//! Accumulators of positions seen before, from which a new one is usually few rows away.
//!
//! A king move in HalfKP exchanges all rows. But the king often stood on that square a few plies ago, with
//! nearly the same pieces around; so the last accumulator for each view of the board is kept together with what
//! stood on the board then, and only the differences are added.

use shogi::{Bitboard, Color, Hand, Piece, PieceKind, Position};

use super::features::{self, View};
use super::lines::Line;
use super::net::Net;

/// The kinds that have rows of their own; all that moves as a gold is one of them.
const KINDS: [PieceKind; 10] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Dragon,
    PieceKind::King,
];

/// What an accumulator was computed for.
#[derive(Clone)]
struct Pieces {
    /// `[color][kind]` in the order of [`KINDS`].
    squares: [[Bitboard; KINDS.len()]; 2],
    hands: [Hand; 2],
    missing: u32,
}

impl Pieces {
    const NONE: Pieces =
        Pieces { squares: [[Bitboard::EMPTY; KINDS.len()]; 2], hands: [Hand::EMPTY; 2], missing: 0 };

    fn of(position: &Position, king_rows: bool) -> Pieces {
        let mut pieces = Pieces::NONE;
        for color in Color::ALL {
            let all = position.pieces(color);
            for (squares, kind) in pieces.squares[color.index()].iter_mut().zip(KINDS) {
                *squares = match kind {
                    PieceKind::Gold => all & position.goldlike(),
                    PieceKind::King if !king_rows => Bitboard::EMPTY,
                    kind => all & position.kind(kind),
                };
            }
            pieces.hands[color.index()] = position.hand(color);
        }
        pieces.missing = features::missing(position);
        pieces
    }
}

/// The accumulators kept by one thread.
pub(crate) struct RefreshCache {
    /// `[perspective][view]`
    pieces: Vec<Pieces>,
    /// `[perspective][view][line]`
    sums: Vec<Line>,
    views: usize,
    added: Vec<u32>,
    removed: Vec<u32>,
}

impl RefreshCache {
    pub(crate) fn new(net: &Net) -> RefreshCache {
        let views = net.architecture().features.views();
        RefreshCache {
            pieces: vec![Pieces::NONE; 2 * views],
            sums: net.bias().repeat(2 * views),
            views,
            added: Vec::with_capacity(128),
            removed: Vec::with_capacity(128),
        }
    }

    /// The accumulator of one perspective, by way of the last one for its view.
    pub(crate) fn refresh(&mut self, net: &Net, position: &Position, perspective: Color) -> &[Line] {
        let feature_set = net.architecture().features;
        let view = feature_set.view(position, perspective);
        let entry = perspective.index() * self.views + view.number;
        let now = Pieces::of(position, feature_set.has_king_rows());
        self.added.clear();
        self.removed.clear();
        self.compare_boards(entry, &now, &view);
        self.compare_hands(entry, &now, &view);
        let lines = net.bias().len();
        let sums = &mut self.sums[entry * lines..][..lines];
        net.kernels().accumulate(net.rows(), sums, &self.added, &self.removed);
        self.pieces[entry] = now;
        sums
    }

    fn compare_boards(&mut self, entry: usize, now: &Pieces, view: &View) {
        let before = &self.pieces[entry];
        for color in Color::ALL {
            let pairs = before.squares[color.index()].iter().zip(&now.squares[color.index()]);
            for ((&before, &now), kind) in pairs.zip(KINDS) {
                let piece = Piece::new(color, kind);
                let row = |square| view.board_row(piece, square);
                self.added.extend(now.minus(before).into_iter().map(row));
                self.removed.extend(before.minus(now).into_iter().map(row));
            }
        }
    }

    fn compare_hands(&mut self, entry: usize, now: &Pieces, view: &View) {
        let before = &self.pieces[entry];
        for owner in Color::ALL {
            let (before, now) = (before.hands[owner.index()], now.hands[owner.index()]);
            if before == now {
                continue;
            }
            for kind in PieceKind::HAND {
                let (before, now) = (before.count(kind), now.count(kind));
                let row = |nth| view.hand_row(owner, kind, nth);
                self.added.extend((before..now).map(row));
                self.removed.extend((now..before).map(row));
            }
        }
        let missing = view.missing_row();
        self.added.extend((before.missing..now.missing).map(|_| missing));
        self.removed.extend((now.missing..before.missing).map(|_| missing));
    }
}
