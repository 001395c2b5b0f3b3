//! Ways to find slider attacks, in one run: our borrow over contiguous bits, PEXT into tables (where the CPU
//! has it), and haitaka's magic multiplication.
//!
//! `cargo bench -p shogi --bench sliders`. Tables look better here than in a search, which also wants the
//! cache for other things: PEXT needs 8 MB of them, the borrow 15 KB.

use std::hint::black_box;
use std::time::Instant;

use shogi::attacks::{bishop_attacks, rook_attacks};
use shogi::{Bitboard, Square};

const ROUNDS: usize = 15;

/// Finds the attacks on all boards and sums them up.
type Way<'a> = Box<dyn Fn() -> u32 + 'a>;

fn main() {
    let boards = boards();
    let mut ways: Vec<(&str, Way<'_>)> = vec![
        ("borrow (ours)", Box::new(|| over(&boards, |s, o| rook_attacks(s, o) | bishop_attacks(s, o)))),
        ("magic (haitaka)", Box::new(|| magic::count(&boards))),
    ];
    #[cfg(target_arch = "x86_64")]
    if let Some(tables) = pext::Tables::new() {
        let boards = &boards;
        ways.push(("PEXT tables", Box::new(move || tables.count(boards))));
    }
    let mut best = vec![f64::INFINITY; ways.len()];
    let expected = ways[0].1();
    for _ in 0..ROUNDS {
        for ((name, way), best) in ways.iter().zip(&mut best) {
            let start = Instant::now();
            assert_eq!(black_box(way()), expected, "{name}");
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    println!("rook and bishop attacks together, best of {ROUNDS} rounds");
    for ((name, _), seconds) in ways.iter().zip(&best) {
        let nanoseconds = seconds * 1e9 / (boards.len() * 81) as f64;
        println!("{name:18} {nanoseconds:6.2} ns ({:.2}x the time of ours)", seconds / best[0]);
    }
}

/// Pseudo-random occupied squares, about as many as in a game.
fn boards() -> Vec<Bitboard> {
    let mut state = 7u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    (0..2000).map(|_| Square::all().filter(|_| next() % 2 == 0).collect()).collect()
}

fn over(boards: &[Bitboard], attacks: impl Fn(Square, Bitboard) -> Bitboard) -> u32 {
    let mut sum = Bitboard::EMPTY;
    let mut total = 0u32;
    for &occupied in boards {
        for square in Square::all() {
            sum ^= attacks(square, occupied);
        }
        total = total.wrapping_add(sum.count());
    }
    total
}

mod magic {
    use haitaka::{BitBoard, Color, get_bishop_moves, get_rook_moves};
    use shogi::Bitboard;

    pub(super) fn count(boards: &[Bitboard]) -> u32 {
        let squares: Vec<haitaka::Square> = haitaka::Square::ALL.to_vec();
        let mut sum = BitBoard::EMPTY;
        let mut total = 0u32;
        for occupied in boards {
            let mut theirs = BitBoard::EMPTY;
            for square in *occupied {
                theirs |= squares[square.index()].bitboard();
            }
            for &square in &squares {
                sum ^= get_rook_moves(Color::Black, square, theirs);
                sum ^= get_bishop_moves(Color::Black, square, theirs);
            }
            total = total.wrapping_add(sum.len());
        }
        total
    }
}

#[cfg(target_arch = "x86_64")]
mod pext {
    use std::arch::x86_64::_pext_u64;

    use shogi::attacks::{bishop_attacks, rook_attacks};
    use shogi::{Bitboard, Square};

    struct Entry {
        mask: [u64; 2],
        attacks: Vec<Bitboard>,
    }

    pub(super) struct Tables {
        rook: Vec<Entry>,
        bishop: Vec<Entry>,
    }

    fn words(set: Bitboard) -> [u64; 2] {
        set.into_iter().fold([0; 2], |mut words, square| {
            words[square.index() / 64] |= 1 << (square.index() % 64);
            words
        })
    }

    /// The attacks for every occupancy of the squares that matter: those inside the board's edge.
    fn entry(square: Square, attacks: fn(Square, Bitboard) -> Bitboard) -> Entry {
        let reach = attacks(square, Bitboard::EMPTY);
        let inner: Vec<Square> =
            reach.into_iter().filter(|&s| attacks(square, Bitboard::of(s)) != reach).collect();
        let table = (0..1u32 << inner.len()).map(|index| {
            let occupied =
                inner.iter().enumerate().filter(|(i, _)| index >> i & 1 == 1).map(|(_, &s)| s).collect();
            attacks(square, occupied)
        });
        Entry { mask: words(inner.iter().copied().collect()), attacks: table.collect() }
    }

    impl Tables {
        pub(super) fn new() -> Option<Tables> {
            let all = |attacks| Square::all().map(|square| entry(square, attacks)).collect();
            let has_both =
                std::arch::is_x86_feature_detected!("bmi2") && std::arch::is_x86_feature_detected!("popcnt");
            has_both.then(|| Tables { rook: all(rook_attacks), bishop: all(bishop_attacks) })
        }

        pub(super) fn count(&self, boards: &[Bitboard]) -> u32 {
            // SAFETY: `new` found BMI2 and POPCNT.
            unsafe { self.count_bmi2(boards) }
        }

        #[target_feature(enable = "bmi2,popcnt")]
        fn count_bmi2(&self, boards: &[Bitboard]) -> u32 {
            let mut sum = Bitboard::EMPTY;
            let mut total = 0u32;
            for &board in boards {
                let occupied = words(board);
                for (rook, bishop) in self.rook.iter().zip(&self.bishop) {
                    for entry in [rook, bishop] {
                        let low = _pext_u64(occupied[0], entry.mask[0]);
                        let high = _pext_u64(occupied[1], entry.mask[1]);
                        sum ^= entry.attacks[(low | high << entry.mask[0].count_ones()) as usize];
                    }
                }
                total = total.wrapping_add(sum.count());
            }
            total
        }
    }
}
