//! Features of two squares around a king and what is on them.
//!
//! Taken are the 64 pairs of neighbouring squares among the 24, and the 16 pairs of squares next to the king that are no
//! neighbours. Those with a square next to the king, 60, come first: they are also told apart by where the king is.

use shogi::{Color, Position, Square};

use super::layout::{Block, CODES, EMPTY, OUTSIDE, PAIRS, PIECES, PLACED_PAIRS};
use super::places::Facing;
use super::scene::{Sink, code_of};

/// Two places around the king, as `(files + 2) * 5 + ranks + 2`.
#[derive(Clone, Copy)]
struct Pair {
    first: u8,
    second: u8,
    /// The direction from one to the other, for neighbours.
    direction: Option<u8>,
    /// The pair that it becomes when left and right are exchanged, and whether its squares change places then.
    mirrored: (u8, bool),
}

const fn next_to_king(place: u8) -> bool {
    (place / 5).abs_diff(2) <= 1 && (place % 5).abs_diff(2) <= 1
}

/// Which pairs are taken, and with which direction; `first` is the smaller place.
const fn direction(first: u8, second: u8) -> Option<Option<u8>> {
    let files = second / 5 - first / 5;
    let ranks = (second % 5).abs_diff(first % 5);
    if first == 12 || second == 12 {
        return None;
    }
    if files <= 1 && ranks <= 1 {
        let down = second % 5 + 1 - first % 5;
        return Some(Some(if files == 0 { 0 } else { 1 + down }));
    }
    if next_to_king(first) && next_to_king(second) { Some(None) } else { None }
}

static TABLE: [Pair; PAIRS] = {
    let mut table = [Pair { first: 0, second: 0, direction: None, mirrored: (0, false) }; PAIRS];
    let mut count = 0;
    let mut outer = 0;
    while outer < 2 {
        let mut first = 0;
        while first < 25 {
            let mut second = first + 1;
            while second < 25 {
                let is_outer = !next_to_king(first) && !next_to_king(second);
                if let Some(direction) = direction(first, second)
                    && is_outer == (outer == 1)
                {
                    table[count] = Pair { first, second, direction, mirrored: (0, false) };
                    count += 1;
                }
                second += 1;
            }
            first += 1;
        }
        assert!(count == if outer == 0 { PLACED_PAIRS } else { PAIRS });
        outer += 1;
    }
    let mut pair = 0;
    while pair < PAIRS {
        table[pair].mirrored = mirror_of(&table, pair);
        pair += 1;
    }
    table
};

const fn mirror_of(table: &[Pair; PAIRS], pair: usize) -> (u8, bool) {
    let Pair { first, second, .. } = table[pair];
    let (a, b) = ((4 - first / 5) * 5 + first % 5, (4 - second / 5) * 5 + second % 5);
    let mut other = 0;
    while other < PAIRS {
        if table[other].first == a && table[other].second == b {
            return (other as u8, false);
        }
        if table[other].first == b && table[other].second == a {
            return (other as u8, true);
        }
        other += 1;
    }
    panic!("pairs are closed under mirroring");
}

/// What is on the 25 squares around a king, itself in the middle.
fn contents(position: &Position, facing: Facing) -> [u8; 25] {
    std::array::from_fn(|place| {
        let square: Option<Square> = facing.beside((place / 5) as i8 - 2, (place % 5) as i8 - 2);
        let code = |square| position.piece(square).map_or(EMPTY, |piece| code_of(facing.color, piece));
        square.map_or(OUTSIDE, code) as u8
    })
}

/// The features around a side's king.
pub(super) fn features(position: &Position, color: Color, sink: &mut impl Sink) {
    let Some(king) = position.king(color) else { return };
    let facing = Facing::new(color, king);
    let contents = contents(position, facing);
    let by_place = facing.place() * PLACED_PAIRS;
    for (number, pair) in TABLE.iter().enumerate() {
        let (mut index, mut found) = (number, *pair);
        let mut codes =
            [contents[usize::from(pair.first)], contents[usize::from(pair.second)]].map(usize::from);
        if facing.is_folded() {
            let (other, is_swapped) = pair.mirrored;
            let other = usize::from(other);
            if is_swapped && (other < number || other == number && codes[0] > codes[1]) {
                codes.swap(0, 1);
            }
            if other < number {
                (index, found) = (other, TABLE[other]);
            }
        }
        let [first, second] = codes;
        let both = first * CODES + second;
        sink.one(Block::Pairs.row(index * CODES * CODES + both));
        if index < PLACED_PAIRS {
            sink.one(Block::PairsByPlace.row((by_place + index) * CODES * CODES + both));
        }
        if let Some(direction) = found.direction
            && first < PIECES
            && second < PIECES
        {
            sink.one(Block::Neighbours.row((usize::from(direction) * PIECES + first) * PIECES + second));
        }
    }
}
