//! The same positions in `rsshogi` and `haitaka`.

use std::collections::BTreeMap;

use rsshogi::board::movegen::generate_legal_all_move32;
use rsshogi::board::{Move32List, Position as RsPosition};
use rsshogi::types::{EnteringKingRule, Move as RsMove, RepetitionState};
use shogi::{Declaration, DeclarationRule, Move, Position, Repetition};

/// Follows one game at a time in the other libraries and counts what was seen.
#[derive(Default)]
pub(crate) struct Peers {
    /// haitaka refuses some random starts that no game can reach, with three or more checkers.
    game: Option<(RsPosition, Option<haitaka::Board>)>,
    seen: BTreeMap<&'static str, usize>,
}

impl Peers {
    pub(crate) fn compare(&mut self, position: &Position) {
        self.follow(position);
        let (mut rs, board) = self.game.take().expect("following a game");
        let context = || position.to_string();
        assert_eq!(rs.to_sfen(Some(i32::from(position.ply()))), position.to_string());
        assert_eq!(rs.is_in_check(), position.in_check(), "{}", context());
        let mut moves: Vec<u16> = position.legal_moves().iter().map(|m| m.bits()).collect();
        moves.sort_unstable();
        assert_eq!(moves, rs_moves(&rs), "{}", context());
        if let Some(board) = &board {
            let theirs = without_drop_mates(position, &moves, haitaka_moves(board));
            assert_eq!(moves, theirs, "{}", context());
        }
        self.note("plies with haitaka", board.is_some());
        self.repetition(position, &rs);
        self.declaration(position, &mut rs);
        self.note("plies", true);
        self.note("in check", position.in_check());
        self.game = Some((rs, board));
    }

    /// Plays the last move in the other libraries, or starts them anew.
    fn follow(&mut self, position: &Position) {
        match (&mut self.game, position.last_move()) {
            (Some((rs, board)), Some(m)) => {
                rs.apply_move(RsMove::from_usi(&m.to_string()).expect("a USI move"));
                if let Some(board) = board {
                    board.play_unchecked(m.to_string().parse().expect("a USI move"));
                }
            }
            _ => {
                let sfen = position.to_string();
                let mut rs = RsPosition::from_sfen(&sfen).expect("legal");
                rs.init_stack();
                let board = haitaka::Board::from_sfen(&sfen);
                self.game = Some((rs, board.ok()));
            }
        }
    }

    fn repetition(&mut self, position: &Position, rs: &RsPosition) {
        let theirs = rs.is_repetition(3).then(|| rs.repetition_state()).and_then(translate);
        // The rule is about the fourth occurrence; random games go on after it.
        if position.occurrences() <= 4 {
            assert_eq!(position.repetition(), theirs, "{position}");
        }
        if position.occurrences() <= 2 {
            let theirs =
                rs.repetition_state_with_distance(usize::MAX).and_then(|(state, _)| translate(state));
            assert_eq!(position.repetition_in_search(usize::MAX), theirs, "{position}");
            self.note(
                "superior or inferior",
                matches!(theirs, Some(Repetition::Superior | Repetition::Inferior)),
            );
        }
        self.note("fourfold", theirs.is_some() && position.occurrences() == 4);
        self.note("perpetual check", matches!(theirs, Some(Repetition::Win | Repetition::Loss)));
    }

    fn declaration(&mut self, position: &Position, rs: &mut RsPosition) {
        for (ours, theirs) in [
            (DeclarationRule::None, EnteringKingRule::None),
            (DeclarationRule::Points24, EnteringKingRule::Point24),
            (DeclarationRule::Points24Handicap, EnteringKingRule::Point24Handicap),
            (DeclarationRule::Points27, EnteringKingRule::Point27),
            (DeclarationRule::Points27Handicap, EnteringKingRule::Point27Handicap),
            (DeclarationRule::Try, EnteringKingRule::TryRule),
        ] {
            rs.set_entering_king_rule(theirs);
            let claim = position.declaration(ours);
            let won = claim.is_some_and(|claim| claim != Declaration::Draw);
            let move_or_win = rs.declaration_win_move();
            assert_eq!(won, rs.evaluate_declaration().can_declare, "{ours} in {position}");
            if let Some(Declaration::Try(m)) = claim {
                assert_eq!(m.to_string(), move_or_win.to_usi(), "{position}");
                assert!(position.is_legal(m), "{m} in {position}");
            }
            self.note("declarations", won);
        }
    }

    fn note(&mut self, what: &'static str, happened: bool) {
        *self.seen.entry(what).or_default() += usize::from(happened);
    }

    /// Every rule must have been exercised.
    pub(crate) fn summary(&self) {
        println!("{:?}", self.seen);
        for (what, times) in &self.seen {
            assert!(*times > 0, "no {what} among the random games");
        }
    }
}

fn translate(state: RepetitionState) -> Option<Repetition> {
    match state {
        RepetitionState::None => None,
        RepetitionState::Win => Some(Repetition::Win),
        RepetitionState::Lose => Some(Repetition::Loss),
        RepetitionState::Draw => Some(Repetition::Draw),
        RepetitionState::Superior => Some(Repetition::Superior),
        RepetitionState::Inferior => Some(Repetition::Inferior),
    }
}

fn rs_moves(rs: &RsPosition) -> Vec<u16> {
    let mut list = Move32List::new();
    generate_legal_all_move32(rs, &mut list);
    let mut moves: Vec<u16> = list.iter().map(|m| m.to_move().raw()).collect();
    moves.sort_unstable();
    moves
}

/// haitaka 0.3.2 lists some pawn drops that mate, which the rules forbid: such a move, of theirs alone, is
/// taken out after playing it and finding mate.
fn without_drop_mates(position: &Position, ours: &[u16], theirs: Vec<u16>) -> Vec<u16> {
    let is_drop_mate = |bits: u16| {
        let m = Move::from_bits(bits).expect("a move");
        let mut after = position.clone();
        after.play(m);
        m.dropped() == Some(shogi::PieceKind::Pawn) && after.is_checkmate()
    };
    theirs.into_iter().filter(|bits| ours.contains(bits) || !is_drop_mate(*bits)).collect()
}

fn haitaka_moves(board: &haitaka::Board) -> Vec<u16> {
    let square = |square: haitaka::Square| shogi::Square::from_index(square as usize).expect("below 81");
    let mut moves = Vec::new();
    let mut list = |set: haitaka::PieceMoves| {
        moves.extend(set.into_iter().map(|m| match m {
            haitaka::Move::Drop { piece, to } => {
                let kind = shogi::PieceKind::from_index(piece as usize).expect("a piece in hand");
                Move::drop(kind, square(to)).bits()
            }
            haitaka::Move::BoardMove { from, to, promotion } => {
                Move::board(square(from), square(to), promotion).bits()
            }
        }));
        false
    };
    board.generate_board_moves(&mut list);
    board.generate_drops(&mut list);
    moves.sort_unstable();
    moves
}
