//! What a browser must know about a position to show it and to let moves be made: never the rules themselves.

use records::text::{japanese_move, western_move};
use serde::Serialize;
use shogi::{Bitboard, Color, DeclarationRule, Move, PieceKind, Position};

/// A position for a browser.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PositionView {
    sfen: String,
    /// Moves played.
    plies: usize,
    side: &'static str,
    /// The square of a king in check.
    check: Option<String>,
    /// Every legal move, as USI writes it.
    legal: Vec<String>,
    /// How often the position has occurred.
    occurrences: usize,
    /// How the rules end the game here.
    end: Option<&'static str>,
}

/// A move for people.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MoveName {
    usi: String,
    en: String,
    ja: String,
}

/// How far a side is from declaring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Checklist {
    king_entered: bool,
    entered: u32,
    points: u32,
    needed: u32,
    in_check: bool,
    holds: bool,
}

/// The word for a side.
pub(crate) const fn side_name(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}

impl PositionView {
    pub(crate) fn of(position: &Position) -> PositionView {
        let side = position.side();
        let end = position.game_end(0).map(|end| match end {
            shogi::GameEnd::NoMoves => "mate",
            shogi::GameEnd::Repetition(shogi::Repetition::Draw) => "repetition",
            shogi::GameEnd::Repetition(_) => "perpetual-check",
            shogi::GameEnd::MaxMoves => "too-long",
        });
        PositionView {
            sfen: position.to_string(),
            plies: position.plies_played(),
            side: side_name(side),
            check: position.king(side).filter(|_| position.in_check()).map(|king| king.to_string()),
            legal: position.legal_moves().iter().map(ToString::to_string).collect(),
            occurrences: position.occurrences(),
            end,
        }
    }
}

impl MoveName {
    /// A legal move of a position.
    pub(crate) fn of(m: Move, position: &Position) -> MoveName {
        MoveName {
            usi: m.to_string(),
            en: western_move(m, position),
            ja: marked(&japanese_move(m, position)),
        }
    }

    /// The moves of a line, as far as they are legal.
    pub(crate) fn line(moves: &[Move], position: &Position) -> Vec<MoveName> {
        let mut position = position.clone();
        let mut names = Vec::with_capacity(moves.len());
        for &m in moves {
            if !position.is_legal(m) {
                break;
            }
            names.push(MoveName::of(m, &position));
            position.play(m);
        }
        names
    }
}

/// With the marks of Unicode, which Shift_JIS lacks.
fn marked(text: &str) -> String {
    text.replace('▲', "☗").replace('△', "☖")
}

impl Checklist {
    /// How far the side to move is, once its king is in the enemy camp or about to enter.
    pub(crate) fn of(position: &Position, rule: DeclarationRule) -> Option<Checklist> {
        let side = position.side();
        let king = position.king(side).filter(|king| king.rank_from(side) <= 3)?;
        let zone = Bitboard::zone(side);
        let entered = (position.pieces(side) & zone).minus(Bitboard::of(king));
        let big = [PieceKind::Bishop, PieceKind::Rook, PieceKind::Horse, PieceKind::Dragon];
        let worth = |kind: PieceKind| if big.contains(&kind) { 5 } else { 1 };
        let on_board: u32 =
            PieceKind::ALL.iter().map(|&kind| worth(kind) * (entered & position.kind(kind)).count()).sum();
        let held: u32 = position.hand(side).iter().map(|(kind, count)| worth(kind) * u32::from(count)).sum();
        let credit = if rule == DeclarationRule::Points27Handicap && side == Color::White {
            missing(position)
        } else {
            0
        };
        Some(Checklist {
            king_entered: zone.has(king),
            entered: entered.count(),
            points: on_board + held + credit,
            needed: if side == Color::Black { 28 } else { 27 },
            in_check: position.in_check(),
            holds: position.declaration(rule).is_some(),
        })
    }
}

/// The points of what a handicap left away.
fn missing(position: &Position) -> u32 {
    let setup = position.setup();
    let worth = |kind: PieceKind| if matches!(kind, PieceKind::Bishop | PieceKind::Rook) { 5 } else { 1 };
    PieceKind::HAND.iter().map(|&kind| worth(kind) * (u32::from(kind.full_count()) - setup.count(kind))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checklist_holds_exactly_when_the_rules_say_so() {
        let rule = DeclarationRule::Points27Handicap;
        let board = "+R+BGK5/+P+P+P+P+P+P3/P8/9/9/9/9/9/4k4 b";
        for hand in ["B5P", "B4P", "5P", "RB3P", "-"] {
            let black: shogi::Setup = format!("{board} {hand} 1").parse().unwrap();
            for setup in [black.clone(), black.rotated()] {
                let position = Position::new(&setup).unwrap();
                let list = Checklist::of(&position, rule).unwrap();
                let all =
                    list.king_entered && list.entered >= 10 && !list.in_check && list.points >= list.needed;
                assert_eq!(all, list.holds, "{setup}: {list:?}");
                assert_eq!(list.holds, position.declaration(rule).is_some());
            }
        }
        assert_eq!(Checklist::of(&Position::start(), rule), None);
    }

    #[test]
    fn a_line_is_named_as_far_as_it_is_legal() {
        let moves = ["7g7f", "3c3d", "7f7d"].map(|m| m.parse().unwrap());
        let names = MoveName::line(&moves, &Position::start());
        let texts: Vec<&str> = names.iter().flat_map(|name| [name.en.as_str(), name.ja.as_str()]).collect();
        assert_eq!(texts, ["P-7f", "☗７六歩", "P-3d", "☖３四歩"]);
    }
}
