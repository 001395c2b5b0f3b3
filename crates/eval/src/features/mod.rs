//! What can be said about a position by name: for conditions over positions, and for what an evaluation lacks.

mod expression;
mod weighted;

use std::cell::Cell;

pub use expression::{Expression, ExpressionError};
use shogi::{Bitboard, Color, PieceKind, Position, attacks};
pub use weighted::{Weighted, Weights, WeightsError};

/// A property of a position in its game; differences are Black's less White's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Feature {
    Ply,
    Left,
    Progress,
    BlackToMove,
    InCheck,
    Material,
    KingSafety,
    Castle,
    Hand,
    Captures,
    Moves,
    Rating,
    RatingDifference,
    KingAttack,
    KingDefence,
}

impl Feature {
    /// Every feature, its name and its meaning, in the order of [`Features`].
    pub const ALL: [(Feature, &'static str, &'static str); 15] = [
        (Feature::Ply, "ply", "the number of the next move, from 1"),
        (Feature::Left, "left", "moves that were still played"),
        (Feature::Progress, "progress", "pieces in hand and promoted ones, of 20, at most 1"),
        (Feature::BlackToMove, "black_to_move", "1 or 0"),
        (Feature::InCheck, "in_check", "1 or 0"),
        (Feature::Material, "material", "difference of pieces in centipawns"),
        (
            Feature::KingSafety,
            "king_safety",
            "difference of friends around the king less squares attacked there",
        ),
        (Feature::Castle, "castle", "difference of golds and silvers within two squares of the king"),
        (Feature::Hand, "hand", "difference of pieces in hand"),
        (Feature::Captures, "captures", "legal moves that capture"),
        (Feature::Moves, "moves", "legal moves"),
        (Feature::Rating, "rating", "mean rating of both players, if the record tells"),
        (Feature::RatingDifference, "rating_difference", "difference of the players' ratings"),
        (
            Feature::KingAttack,
            "king_attack",
            "difference of squares around the king that the other side attacks",
        ),
        (Feature::KingDefence, "king_defence", "difference of friends around the king"),
    ];

    /// The feature of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Feature> {
        Feature::ALL.into_iter().find(|(_, known, _)| *known == name).map(|(feature, ..)| feature)
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Feature::ALL[self as usize].1
    }

    /// What a position by itself says; NaN if only a record of its game could.
    #[must_use]
    pub fn of(self, position: &Position) -> f64 {
        let difference = |of: fn(&Position, Color) -> i32| {
            f64::from(of(position, Color::Black)) - f64::from(of(position, Color::White))
        };
        match self {
            Feature::Ply => f64::from(position.ply()),
            Feature::Progress => progress(position),
            Feature::BlackToMove => f64::from(u8::from(position.side() == Color::Black)),
            Feature::InCheck => f64::from(u8::from(position.in_check())),
            Feature::Material => difference(material),
            Feature::KingSafety => difference(king_safety),
            Feature::Castle => difference(castle),
            Feature::Hand => difference(hand),
            Feature::Captures => {
                let is_capture = |m: &&shogi::Move| position.piece(m.to()).is_some();
                position.legal_moves().iter().filter(is_capture).count() as f64
            }
            Feature::Moves => position.legal_moves().len() as f64,
            Feature::KingAttack => difference(king_attack),
            Feature::KingDefence => difference(king_defence),
            Feature::Left | Feature::Rating | Feature::RatingDifference => f64::NAN,
        }
    }

    /// Whether only a record of the game tells it, and not the position.
    #[must_use]
    pub fn is_of_record(self) -> bool {
        matches!(self, Feature::Left | Feature::Rating | Feature::RatingDifference)
    }
}

/// Where an expression finds its features.
pub trait FeatureSource {
    /// One of them; NaN if it is not known.
    fn get(&self, feature: Feature) -> f64;
}

/// The features of a position, each found when it is first asked for.
pub struct PositionFeatures<'a> {
    position: &'a Position,
    known: [Cell<Option<f64>>; Feature::ALL.len()],
}

impl<'a> PositionFeatures<'a> {
    /// Nothing is found yet.
    #[must_use]
    pub fn new(position: &'a Position) -> PositionFeatures<'a> {
        PositionFeatures { position, known: [const { Cell::new(None) }; Feature::ALL.len()] }
    }
}

impl FeatureSource for PositionFeatures<'_> {
    fn get(&self, feature: Feature) -> f64 {
        let known = &self.known[feature as usize];
        known.get().unwrap_or_else(|| {
            let value = feature.of(self.position);
            known.set(Some(value));
            value
        })
    }
}

/// All features of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features([f32; Feature::ALL.len()]);

impl Features {
    /// Those of what cannot be looked at.
    pub const UNKNOWN: Features = Features([f32::NAN; Feature::ALL.len()]);

    /// The features of a position after which `left` moves were played, with the players' ratings (NaN if unknown).
    #[must_use]
    pub fn of(position: &Position, left: usize, ratings: [f32; 2]) -> Features {
        let [black, white] = ratings.map(f64::from);
        Features(Feature::ALL.map(|(feature, ..)| {
            let value = match feature {
                Feature::Left => left as f64,
                Feature::Rating => (black + white) / 2.0,
                Feature::RatingDifference => black - white,
                _ => feature.of(position),
            };
            value as f32
        }))
    }
}

impl FeatureSource for Features {
    fn get(&self, feature: Feature) -> f64 {
        f64::from(self.0[feature as usize])
    }
}

/// Plain piece values in centipawns, by kind; kings count nothing.
const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Lance => 300,
        PieceKind::Knight => 350,
        PieceKind::Silver => 500,
        PieceKind::Gold => 550,
        PieceKind::Bishop => 800,
        PieceKind::Rook => 950,
        PieceKind::King => 0,
        PieceKind::ProPawn => 500,
        PieceKind::ProLance => 480,
        PieceKind::ProKnight => 480,
        PieceKind::ProSilver => 520,
        PieceKind::Horse => 1100,
        PieceKind::Dragon => 1300,
    }
}

fn material(position: &Position, color: Color) -> i32 {
    let board: i32 = position
        .pieces(color)
        .into_iter()
        .filter_map(|square| position.piece(square))
        .map(|piece| worth(piece.kind()))
        .sum();
    board + position.hand(color).iter().map(|(kind, n)| worth(kind) * i32::from(n)).sum::<i32>()
}

fn hand(position: &Position, color: Color) -> i32 {
    position.hand(color).iter().map(|(_, n)| i32::from(n)).sum()
}

fn progress(position: &Position) -> f64 {
    let held = hand(position, Color::Black) + hand(position, Color::White);
    let promoted = position
        .occupied()
        .into_iter()
        .filter_map(|square| position.piece(square))
        .filter(|piece| piece.kind().is_promoted())
        .count();
    ((f64::from(held) + promoted as f64) / 20.0).min(1.0)
}

fn king_safety(position: &Position, color: Color) -> i32 {
    king_defence(position, color) - king_attack(position, color)
}

/// How unsafe a king is by the pieces that attack.
fn king_attack(position: &Position, color: Color) -> i32 {
    let Some(king) = position.king(color) else { return 0 };
    let is_attacked = |&square: &shogi::Square| position.is_attacked(!color, square, position.occupied());
    attacks::king_attacks(king).into_iter().filter(is_attacked).count() as i32
}

/// How safe a king is by the pieces that defend.
fn king_defence(position: &Position, color: Color) -> i32 {
    let Some(king) = position.king(color) else { return 0 };
    (attacks::king_attacks(king) & position.pieces(color)).count() as i32
}

fn castle(position: &Position, color: Color) -> i32 {
    let Some(king) = position.king(color) else { return 0 };
    let generals =
        position.pieces(color) & (position.kind(PieceKind::Gold) | position.kind(PieceKind::Silver));
    let near = Bitboard::of(king) | attacks::king_attacks(king);
    let within = near.into_iter().fold(near, |all, square| all | attacks::king_attacks(square));
    (generals & within).count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_even_and_calm() {
        let features = Features::of(&Position::start(), 7, [2000.0, f32::NAN]);
        for feature in
            [Feature::Material, Feature::KingSafety, Feature::Castle, Feature::Hand, Feature::InCheck]
        {
            assert_eq!(features.get(feature), 0.0, "{feature:?}");
        }
        assert_eq!(features.get(Feature::Moves), 30.0);
        assert_eq!((features.get(Feature::Left), features.get(Feature::Progress)), (7.0, 0.0));
        assert!(features.get(Feature::Rating).is_nan());
    }

    #[test]
    fn turning_the_board_turns_the_differences() {
        let position: Position =
            "ln1gk2nl/1r1s1+B3/p1pp1p1pp/4p4/9/2P6/PP1PPPP1P/7R1/LNSGKGSNL w SPbg 24".parse().unwrap();
        let turned = Position::new(&position.setup().rotated()).unwrap();
        let of = |position: &Position| Features::of(position, 0, [f32::NAN; 2]);
        for feature in [Feature::Material, Feature::KingSafety, Feature::Castle, Feature::Hand] {
            assert_eq!(of(&position).get(feature), -of(&turned).get(feature), "{feature:?}");
        }
        assert!(of(&position).get(Feature::Progress) > 0.1);
    }

    #[test]
    fn attack_and_defence_of_kings_are_two_things() {
        // A rook attacks two squares beside White's king, which has one friend; Black's king has two.
        let position: Position = "4kg3/9/3R5/9/9/9/9/9/3GKG3 b - 1".parse().unwrap();
        let features = Features::of(&position, 0, [f32::NAN; 2]);
        let of = |feature| features.get(feature);
        assert_eq!((of(Feature::KingAttack), of(Feature::KingDefence)), (-2.0, 1.0));
        assert_eq!(of(Feature::KingSafety), of(Feature::KingDefence) - of(Feature::KingAttack));
    }

    #[test]
    fn a_position_tells_its_features_one_by_one_as_all_together() {
        let position: Position =
            "ln1gk2nl/1r1s1+B3/p1pp1p1pp/4p4/9/2P6/PP1PPPP1P/7R1/LNSGKGSNL w SPbg 24".parse().unwrap();
        let (all, alone) = (Features::of(&position, 3, [1000.0, 1200.0]), PositionFeatures::new(&position));
        for (feature, name, _) in Feature::ALL {
            assert_eq!(feature.name(), name);
            for _ in 0..2 {
                let found = alone.get(feature);
                assert_eq!(found.is_nan(), feature.is_of_record(), "{name}");
                assert!(found.is_nan() || (found - all.get(feature)).abs() < 1e-6, "{name}");
            }
        }
    }

    #[test]
    fn names_lead_to_features() {
        for (number, (feature, name, _)) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(Feature::named(name), Some(feature));
            assert_eq!(feature as usize, number, "the order is that of the table");
        }
        assert_eq!(Feature::named("wind"), None);
    }
}
