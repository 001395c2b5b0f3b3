//! Random starts and moves from a seed.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};
use shogi::{HANDICAPS, Move, Piece, PieceKind, Position, Setup, Square};

/// Random numbers from a seed, the same on every machine.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(SplitMix64::from_seed(seed.to_le_bytes()))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A legal move: any, or one that captures, promotes or goes back where the piece came from.
    pub(crate) fn choose_move(&mut self, position: &Position, shuffling: bool) -> Option<Move> {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        if shuffling && self.below(8) != 0 {
            let played: Vec<Move> = position.moves_played().flatten().collect();
            let back = played.len().checked_sub(2).map(|i| played[i]);
            if let Some(m) = back.and_then(|m| Some(Move::board(m.to(), m.from()?, false)))
                && moves.contains(&m)
            {
                return Some(m);
            }
        }
        let lively: Vec<Move> = match self.below(6) {
            0 => moves.iter().copied().filter(|m| position.piece(m.to()).is_some()).collect(),
            1 => moves.iter().copied().filter(|m| m.is_promotion()).collect(),
            2 => {
                let info = position.check_info();
                moves.iter().copied().filter(|&m| position.gives_check(m, &info)).collect()
            }
            _ => Vec::new(),
        };
        let from: &[Move] = if lively.is_empty() { &moves } else { &lively };
        Some(from[self.below(from.len())])
    }

    /// Any legal position: all pieces thrown onto the board and into the hands.
    fn position(&mut self) -> Position {
        loop {
            if let Ok(position) = Position::new(&self.setup()) {
                return position;
            }
        }
    }

    fn setup(&mut self) -> Setup {
        let mut setup = Setup::empty();
        setup.side = if self.below(2) == 0 { shogi::Color::Black } else { shogi::Color::White };
        let entering = self.below(2) == 0;
        for color in shogi::Color::ALL {
            let rank = if entering { [0, 8][color.index()] } else { [8, 0][color.index()] };
            let square = Square::new(self.below(9) as u8, rank);
            setup.put(square, Some(Piece::new(color, PieceKind::King)));
        }
        let missing = self.below(4);
        for kind in PieceKind::HAND {
            for _ in 0..kind.full_count() {
                if missing == 0 && self.below(5) == 0 {
                    continue;
                }
                self.place(&mut setup, kind, entering);
            }
        }
        setup
    }

    fn place(&mut self, setup: &mut Setup, kind: PieceKind, entering: bool) {
        let color = shogi::Color::ALL[self.below(2)];
        let square = Square::from_index(self.below(81)).expect("below 81");
        // Entered kings like company: pieces go into the enemy camp, promoted.
        let wanted = !entering || square.in_zone(color) || self.below(3) == 0;
        let kind_on_board = if self.below(2) == 0 { kind.promoted().unwrap_or(kind) } else { kind };
        let fits = square.rank_from(color) >= kind_on_board.forbidden_ranks()
            && (kind_on_board != PieceKind::Pawn
                || !setup.squares_of(Piece::new(color, kind)).any(|other| other.file() == square.file()));
        if wanted && fits && setup.piece(square).is_none() {
            setup.put(square, Some(Piece::new(color, kind_on_board)));
        } else {
            setup.hands[color.index()][kind.index()] += 1;
        }
    }
}

/// Starts without end: the usual ones and random positions in turn.
pub(crate) fn starts(seed: u64) -> impl Iterator<Item = Position> {
    let mut random = Random::new(seed ^ 0x5354_4152_5453);
    (0..).map(move |i: usize| match i % 3 {
        0 => Position::start(),
        1 => HANDICAPS[i / 3 % HANDICAPS.len()].position(),
        _ => random.position(),
    })
}
