//! Which features there are: blocks of rows, one after the other, each of a theme.
//!
//! A feature is a row of weights, one for each stage of the game. All of a row's block that is not named here is the
//! arithmetic of `row` in the file that finds the features.

/// Stages of the game between which weights are interpolated.
pub const STAGES: usize = 4;

/// A row: what one feature is worth at each stage.
pub type Row = [i16; STAGES];

/// What a feature is about, for explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// Pieces on the board by kind.
    Material,
    /// Pieces in hand, and how many of what there are.
    Hands,
    /// Having the move.
    Turn,
    /// Which pieces are hit by which lines.
    Threats,
    /// How far lines reach.
    Mobility,
    /// Pawns, knights and silvers and what is ahead of them.
    Shape,
    /// Which pieces and squares are covered, and which attacked.
    Cover,
    /// How near pieces are to the kings.
    Distance,
    /// Pins, and who has a bishop.
    Pins,
    /// Where pieces stand, seen from the own king.
    Places,
    /// Who stands around the own king.
    Castle,
    /// Who reaches the squares around the own king.
    KingAttack,
}

impl Theme {
    /// All of them, with their names and what they mean, in the order in which they are shown.
    pub const ALL: [(Theme, &'static str, &'static str); 12] = [
        (Theme::Material, "material", "pieces on the board"),
        (Theme::Hands, "hands", "pieces in hand, and how many there are of which sort"),
        (Theme::Turn, "turn", "having the move"),
        (Theme::Threats, "threats", "pieces that pawns, knights and lines hit"),
        (Theme::Mobility, "mobility", "squares that lances, bishops and rooks reach"),
        (Theme::Shape, "shape", "what is ahead of pawns, knights and silvers"),
        (Theme::Cover, "cover", "pieces and squares covered and attacked"),
        (Theme::Distance, "distance", "pieces near the kings"),
        (Theme::Pins, "pins", "pinned pieces, and who has a bishop"),
        (Theme::Places, "places", "where pieces stand, seen from the own king"),
        (Theme::Castle, "castle", "who stands around the own king"),
        (Theme::KingAttack, "king", "who reaches the squares around the own king"),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// What it is about.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        Self::ALL[self as usize].2
    }
}

/// Pieces by kind, those of the own side first.
pub(super) const PIECES: usize = 28;
/// The code of an empty square.
pub(super) const EMPTY: usize = 28;
/// The code of what is beyond the edge.
pub(super) const OUTSIDE: usize = 29;
/// All codes.
pub(super) const CODES: usize = 30;
/// Squares that a king may have, left and right taken for one.
pub(super) const KING_SQUARES: usize = 45;
/// Classes of king squares for pairs: home ranks by square, the others by rank and three classes of files.
pub(super) const KING_PLACES: usize = 33;
/// Pairs of squares around the king whose contents are looked at together.
pub(super) const PAIRS: usize = 80;
/// Those of them that are looked at by king place: those with a square next to the king.
pub(super) const PLACED_PAIRS: usize = 60;

macro_rules! blocks {
    ($($name:ident $text:literal $group:literal $theme:ident $rows:expr;)*) => {
        /// A block of rows of one kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Block { $($name,)* }

        /// Name, group in Blunder's list, theme, number of rows; in the order of [`Block`].
        const FACTS: &[(Block, &str, u8, Theme, usize)] =
            &[$((Block::$name, $text, $group, Theme::$theme, $rows),)*];
    };
}

blocks! {
    Material "piece" 1 Material 14;
    HandCount "hand: kind x count" 1 Hands 7 * 19;
    HandKinds "kinds in hand" 1 Hands 8;
    HandPawns "pawns in hand of both sides" 1 Hands 19 * 19;
    HandKindsByPawn "pawn in hand? x other kinds" 1 Hands 2 * 7;
    PieceTotals "pieces in all, small, metal, big" 1 Hands 4 * 41;
    Turn "side to move" 1 Turn 1;
    TurnHandKinds "side to move x kinds in hand" 1 Turn 8;
    TurnPieceTotals "side to move x pieces" 1 Turn 4 * 41;
    Hits "line x piece hit x covered?" 2 Threats 11 * PIECES * 2;
    HitDistance "line x piece hit x distance" 2 Threats 9 * PIECES * 8;
    Reach "line x squares x covered ones" 2 Mobility 9 * 17 * 17;
    RookBishopReach "squares of rook x of bishop" 2 Mobility 17 * 17;
    RookOnKingRank "rook on the rank of the enemy king" 2 Mobility 9;
    Ahead "pawn or knight x one ahead x two ahead" 3 Shape 2 * CODES * CODES;
    AheadByRank "the same by rank" 3 Shape 2 * 9 * CODES * CODES;
    BlockedForward "knight or silver x two forward moves x rank" 3 Shape 2 * 10 * 25;
    TwoJumps "squares two knight jumps ahead" 3 Shape 2 * 9 * CODES;
    Supported "kind x supported? x attacked?" 4 Cover 14 * 4;
    PawnFront "pawn on ranks 3 to 5 x supported? x front attacked?" 4 Cover 3 * 4;
    PawnDrops "squares for a pawn x covered? x attacked? x piece ahead" 4 Cover 4 * CODES;
    CoverCounts "kind x rank x supports x attacks" 4 Cover 14 * 9 * 16;
    PawnFiles "files with an advanced pawn, both sides" 4 Shape 10 * 10;
    PawnRoom "pawns that could be dropped, both sides" 4 Hands 8 * 8;
    KingDistance "piece x distance to the own king" 5 Distance PIECES * 9;
    NearCounts "near enemy king x near own king, by sort" 5 Distance 3 * 8 * 8;
    NearEnemyKing "near the enemy king, both sides, by sort" 5 Distance 3 * 8 * 8;
    NearOwnKing "near the own king, both sides, by sort" 5 Distance 3 * 8 * 8;
    SortTotals "pieces with hand, both sides, by sort" 5 Hands 3 * 16 * 16;
    Pinned "pinned piece x direction" 6 Pins 5 * 14;
    PinnedAt "pinned piece x direction x distance" 6 Pins 5 * 14 * 8;
    Bishops "who has a bishop x kind x count" 6 Pins 4 * 14 * 19;
    Relative "third of the board x piece x place seen from the king" 7 Places 3 * PIECES * 17 * 17;
    Placed "king square x piece x square" 7 Places KING_SQUARES * PIECES * 81;
    Around "square around the king x piece" 8 Castle 25 * PIECES;
    AroundEffects "square around the king x corner? x effects" 8 KingAttack 25 * 2 * 64;
    AroundCovered "square around the king x corner? x covered x piece" 8 KingAttack 25 * 2 * 4 * CODES;
    Guards "corner? x own pieces within 8 and 24" 8 Castle 2 * (9 + 25);
    KingFreedom "corner? x free squares x attacked ones" 8 KingAttack 2 * 9 * 9;
    KingSupport "own effects on the king's square" 8 KingAttack 16;
    EffectSums "own x enemy effects around the king" 8 KingAttack 32 * 32;
    EnemyEffects "enemy effects around both kings" 8 KingAttack 32 * 32;
    OwnEffects "own effects around both kings" 8 KingAttack 32 * 32;
    Neighbours "direction x two pieces around the king" 8 Castle 4 * PIECES * PIECES;
    Pairs "two squares around the king x contents" 8 Castle PAIRS * CODES * CODES;
    PairsByPlace "the same by king place" 8 Castle PLACED_PAIRS * CODES * CODES * KING_PLACES;
}

/// `[block]` the first row of each, and one past the last.
const FIRST: [usize; FACTS.len() + 1] = {
    let mut first = [0; FACTS.len() + 1];
    let mut block = 0;
    while block < FACTS.len() {
        first[block + 1] = first[block] + FACTS[block].4;
        block += 1;
    }
    first
};

/// All rows.
pub const ROWS: usize = FIRST[FACTS.len()];

impl Block {
    /// All of them, in their order.
    pub fn all() -> impl ExactSizeIterator<Item = Block> {
        FACTS.iter().map(|facts| facts.0)
    }

    /// The row of an index within the block.
    #[inline(always)]
    pub(super) fn row(self, index: usize) -> usize {
        debug_assert!(index < self.len(), "{self:?}: {index}");
        FIRST[self as usize] + index
    }

    /// Its rows.
    #[must_use]
    pub fn rows(self) -> std::ops::Range<usize> {
        FIRST[self as usize]..FIRST[self as usize + 1]
    }

    /// How many rows it has.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        FACTS[self as usize].4
    }

    /// The block that a row is of.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn of_row(row: usize) -> Block {
        FACTS[FIRST.partition_point(|&first| first <= row) - 1].0
    }

    /// The kind of piece that a row of this block is about, enemy kinds after own ones, if every such piece has exactly one row
    /// in the block.
    #[must_use]
    pub fn piece_of(self, row: usize) -> Option<usize> {
        let index = row - self.rows().start;
        Some(match self {
            Block::KingDistance => index / 9,
            Block::Relative => index / (17 * 17) % PIECES,
            Block::Placed => index / 81 % PIECES,
            Block::Supported => index / 4,
            Block::CoverCounts => index / (9 * 16),
            _ => return None,
        })
    }

    /// The row of a piece's own worth, and whether it counts for the side that sees it (1) or against it (-1).
    #[must_use]
    pub fn material_of(code: usize) -> (usize, f32) {
        let kinds = Block::Material.len();
        (Block::Material.row(code % kinds), if code < kinds { 1.0 } else { -1.0 })
    }

    /// What its features are.
    #[must_use]
    pub fn name(self) -> &'static str {
        FACTS[self as usize].1
    }

    /// The group of Blunder's list that it belongs to, from 1 to 8.
    #[must_use]
    pub fn group(self) -> u8 {
        FACTS[self as usize].2
    }

    /// What it is about.
    #[must_use]
    pub fn theme(self) -> Theme {
        FACTS[self as usize].3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_follow_each_other_and_know_their_rows() {
        let mut next = 0;
        for block in Block::all() {
            assert_eq!(block.rows().start, next);
            next = block.rows().end;
            for row in [block.rows().start, block.rows().end - 1] {
                assert_eq!(Block::of_row(row), block);
            }
        }
        assert_eq!(next, ROWS);
        for (index, (theme, ..)) in Theme::ALL.into_iter().enumerate() {
            assert_eq!(theme as usize, index);
        }
    }
}
