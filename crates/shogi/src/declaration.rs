//! Winning by entering the enemy camp: declaration by points, and the try rule.

use std::fmt;
use std::str::FromStr;

use crate::{Bitboard, Color, Move, PieceKind, Position, Square, attacks};

/// Which rule decides about entered kings. Servers and tournaments differ, so it is always a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum DeclarationRule {
    /// No declaration.
    None,
    /// 31 points win, 24 to 30 draw.
    Points24,
    /// As `Points24`, with the points of missing pieces credited to White, who gives the handicap.
    Points24Handicap,
    /// Black wins with 28 points, White with 27: the rule of computer shogi.
    #[default]
    Points27,
    /// As `Points27`, with the points of missing pieces credited to White.
    Points27Handicap,
    /// The king that safely steps onto the enemy king's home square wins.
    Try,
}

/// What the side to move may claim instead of moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Declaration {
    /// The declaration wins.
    Win,
    /// The declaration draws (24-point rule).
    Draw,
    /// Playing this king move wins by the try rule.
    Try(Move),
}

impl DeclarationRule {
    /// Every rule with the name that USI options use for it.
    pub const NAMES: [(DeclarationRule, &str); 6] = [
        (DeclarationRule::None, "NoEnteringKing"),
        (DeclarationRule::Points24, "CSARule24"),
        (DeclarationRule::Points24Handicap, "CSARule24H"),
        (DeclarationRule::Points27, "CSARule27"),
        (DeclarationRule::Points27Handicap, "CSARule27H"),
        (DeclarationRule::Try, "TryRule"),
    ];

    fn is_handicap(self) -> bool {
        matches!(self, DeclarationRule::Points24Handicap | DeclarationRule::Points27Handicap)
    }
}

/// The name in USI options.
impl fmt::Display for DeclarationRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(rule, _)| rule == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

/// A text that names no declaration rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no declaration rule; known are NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H, TryRule"
)]
pub struct DeclarationRuleError(pub String);

impl FromStr for DeclarationRule {
    type Err = DeclarationRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::NAMES
            .iter()
            .find(|(_, name)| name.eq_ignore_ascii_case(text))
            .map(|&(rule, _)| rule)
            .ok_or_else(|| DeclarationRuleError(text.to_owned()))
    }
}

impl Position {
    /// What the side to move may claim under `rule`.
    #[must_use]
    pub fn declaration(&self, rule: DeclarationRule) -> Option<Declaration> {
        match rule {
            DeclarationRule::None => None,
            DeclarationRule::Try => self.try_move().map(Declaration::Try),
            _ => {
                let points = self.declaration_points()? + self.credit(rule);
                let (win, draw) = match (rule, self.side) {
                    (DeclarationRule::Points24 | DeclarationRule::Points24Handicap, _) => (31, 24),
                    (_, Color::Black) => (28, 28),
                    (_, Color::White) => (27, 27),
                };
                match points {
                    _ if points >= win => Some(Declaration::Win),
                    _ if points >= draw => Some(Declaration::Draw),
                    _ => None,
                }
            }
        }
    }

    /// The points of the side to move for its pieces in the zone and in hand, if it may declare at all: not
    /// in check, king in the zone, ten other pieces there.
    #[must_use]
    pub fn declaration_points(&self) -> Option<u32> {
        let us = self.side;
        let zone = Bitboard::zone(us);
        let king = self.king(us)?;
        let entered = (self.pieces(us) & zone).minus(Bitboard::of(king));
        if self.in_check() || !zone.has(king) || entered.count() < 10 {
            return None;
        }
        let big_kinds = [PieceKind::Bishop, PieceKind::Rook, PieceKind::Horse, PieceKind::Dragon];
        let big: u32 = big_kinds.iter().map(|&kind| (entered & self.kind(kind)).count()).sum();
        let held: u32 = self.hand(us).iter().map(|(kind, n)| points_of(kind) * u32::from(n)).sum();
        Some(entered.count() + 4 * big + held)
    }

    /// The points of the pieces missing from a full set, for White under the handicap rules.
    fn credit(&self, rule: DeclarationRule) -> u32 {
        if !rule.is_handicap() || self.side == Color::Black {
            return 0;
        }
        let setup = self.setup();
        PieceKind::HAND
            .iter()
            .map(|&kind| points_of(kind) * (u32::from(kind.full_count()) - setup.count(kind)))
            .sum()
    }

    /// The king's step onto the enemy king's home square, if it is legal.
    fn try_move(&self) -> Option<Move> {
        let us = self.side;
        let king = self.king(us)?;
        let goal = match us {
            Color::Black => Square::new(4, 0),
            Color::White => Square::new(4, 8),
        };
        let without_king = self.occupied() ^ Bitboard::of(king);
        let safe = attacks::king_attacks(king).minus(self.pieces(us)).has(goal)
            && !self.is_attacked(!us, goal, without_king);
        safe.then(|| Move::board(king, goal, false))
    }
}

const fn points_of(kind: PieceKind) -> u32 {
    match kind.unpromoted() {
        PieceKind::Bishop | PieceKind::Rook => 5,
        PieceKind::King => 0,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;

    fn declaration(sfen: &str, rule: DeclarationRule) -> Option<Declaration> {
        sfen.parse::<Position>().unwrap().declaration(rule)
    }

    // Ten pieces besides the king in the zone: 2 big ones (10) + 8 small ones (8), 18 points on the board.
    const BOARD: &str = "+R+BGK5/+P+P+P+P+P+P3/P8/9/9/9/9/9/4k4 b";

    #[test]
    fn black_needs_28_points_and_white_27() {
        use DeclarationRule::{Points24, Points27};
        for (hand, rule, expected) in [
            ("B5P", Points27, Some(Declaration::Win)),
            ("B4P", Points27, None),
            ("B4P", Points24, Some(Declaration::Draw)),
            ("RB3P", Points24, Some(Declaration::Win)),
            ("R", Points24, None),
            ("RB3P", DeclarationRule::None, None),
        ] {
            assert_eq!(declaration(&format!("{BOARD} {hand} 1"), rule), expected, "{hand} {rule}");
        }
        let black: Setup = format!("{BOARD} B4P 1").parse().unwrap();
        assert_eq!(declaration(&black.rotated().to_string(), Points27), Some(Declaration::Win));
    }

    #[test]
    fn check_a_low_king_and_too_few_pieces_forbid_it() {
        let rule = DeclarationRule::Points27;
        assert_eq!(
            declaration("+R+BGK5/+P+P+P+P+P+P3/P8/9/9/3r5/9/9/4k4 b BG5P 1", rule),
            Some(Declaration::Win)
        );
        assert_eq!(declaration("+R+BGK5/+P+P+P1+P+P3/P8/9/9/3r5/9/9/4k4 b BG6P 1", rule), None);
        assert_eq!(declaration("+R+BG6/+P+P+P+P+P+P3/P8/3K5/9/9/9/9/4k4 b B2G9P 1", rule), None);
        assert_eq!(declaration("+R+BGK5/+P+P+P+P+P4/P8/9/9/9/9/9/4k4 b B2G9P 1", rule), None);
    }

    #[test]
    fn missing_pieces_count_for_white_under_the_handicap_rule() {
        let black: Setup = format!("{BOARD} 5P 1").parse().unwrap();
        let white = black.rotated().to_string();
        assert_eq!(declaration(&white, DeclarationRule::Points27), None);
        assert_eq!(declaration(&white, DeclarationRule::Points27Handicap), Some(Declaration::Win));
        assert_eq!(declaration(&black.to_string(), DeclarationRule::Points27Handicap), None);
    }

    #[test]
    fn the_try_needs_a_safe_step_onto_the_home_square() {
        let step: Move = "4b5a".parse().unwrap();
        assert_eq!(
            declaration("9/5K3/9/9/9/9/9/9/4k4 b - 1", DeclarationRule::Try),
            Some(Declaration::Try(step))
        );
        assert_eq!(declaration("r8/5K3/9/9/9/9/9/9/4k4 b - 1", DeclarationRule::Try), None);
        assert_eq!(declaration("9/9/5K3/9/9/9/9/9/4k4 b - 1", DeclarationRule::Try), None);
    }

    #[test]
    fn names_round_trip() {
        for (rule, name) in DeclarationRule::NAMES {
            assert_eq!(name.parse(), Ok(rule));
            assert_eq!(rule.to_string(), name);
        }
        assert!("CSARule25".parse::<DeclarationRule>().is_err());
    }
}
