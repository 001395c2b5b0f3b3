//! Registers of 256 bits.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::super::layers::{Affine, BLOCK, CEILING, HIDDEN_SHIFT, Layers};
use super::super::lines::{BiasLine, Line, WeightLine};
use super::row;
use super::values::Values;

/// Halves of a line.
const HALVES: usize = 2;
/// Sums in one register.
const LANES: usize = 8;
/// The most outputs and blocks of a layer.
const MOST_OUTPUTS: usize = 64;
const MOST_BLOCKS: usize = 2048 / BLOCK;

/// A 64-byte aligned type that is exactly two registers.
trait TwoRegisters {}
impl TwoRegisters for Line {}
impl TwoRegisters for WeightLine {}
impl TwoRegisters for BiasLine {}

#[inline]
#[target_feature(enable = "avx2")]
fn load<T: TwoRegisters>(lines: &[T], register: usize) -> __m256i {
    let line = &lines[register / HALVES];
    // SAFETY: the line is 64 readable bytes, aligned to 64, and this is one half of it.
    unsafe { _mm256_load_si256(std::ptr::from_ref(line).cast::<__m256i>().add(register % HALVES)) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(lines: &mut [Line], register: usize, value: __m256i) {
    let line = &mut lines[register / HALVES];
    // SAFETY: the line is 64 writable bytes, aligned to 64, and this is one half of it.
    unsafe { _mm256_store_si256(std::ptr::from_mut(line).cast::<__m256i>().add(register % HALVES), value) }
}

#[target_feature(enable = "avx2")]
pub(super) fn exchange<const IN: usize>(
    rows: &[Line],
    source: &[Line],
    target: &mut [Line],
    added: &[u32],
    removed: &[u32],
) {
    let lines = const { IN / 2 / Line::LEN };
    let (source, target) = (&source[..lines], &mut target[..lines]);
    match (added, removed) {
        (&[a], &[r]) => {
            let (a, r) = (row::<IN>(rows, a), row::<IN>(rows, r));
            for i in 0..lines * HALVES {
                let sum = _mm256_add_epi16(load(source, i), load(a, i));
                store(target, i, _mm256_sub_epi16(sum, load(r, i)));
            }
        }
        (&[a, b], &[r, s]) => {
            let (a, b) = (row::<IN>(rows, a), row::<IN>(rows, b));
            let (r, s) = (row::<IN>(rows, r), row::<IN>(rows, s));
            for i in 0..lines * HALVES {
                let plus = _mm256_add_epi16(load(a, i), load(b, i));
                let minus = _mm256_add_epi16(load(r, i), load(s, i));
                let sum = _mm256_add_epi16(load(source, i), plus);
                store(target, i, _mm256_sub_epi16(sum, minus));
            }
        }
        _ => {
            target.copy_from_slice(source);
            accumulate::<IN>(rows, target, added, removed);
        }
    }
}

/// Lines that stay in registers while all rows are added to them.
const TILE: usize = 4;

#[target_feature(enable = "avx2")]
pub(super) fn accumulate<const IN: usize>(rows: &[Line], sums: &mut [Line], added: &[u32], removed: &[u32]) {
    for (number, tile) in sums.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let mut values = [_mm256_setzero_si256(); TILE * HALVES];
        for (i, value) in values.iter_mut().enumerate() {
            *value = load(tile, i);
        }
        for &index in added {
            let row = &row::<IN>(rows, index)[number * TILE..][..TILE];
            for (i, value) in values.iter_mut().enumerate() {
                *value = _mm256_add_epi16(*value, load(row, i));
            }
        }
        for &index in removed {
            let row = &row::<IN>(rows, index)[number * TILE..][..TILE];
            for (i, value) in values.iter_mut().enumerate() {
                *value = _mm256_sub_epi16(*value, load(row, i));
            }
        }
        for (i, value) in values.iter().enumerate() {
            store(tile, i, *value);
        }
    }
}

/// The positions of the ones in each byte, lowest first.
static ONES: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut len) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][len] = bit;
                len += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The numbers of the blocks that are not all zero; there is room for a whole register behind the last.
struct BusyBlocks {
    list: [MaybeUninit<u16>; MOST_BLOCKS + 8],
    len: usize,
}

/// Brings both accumulators into 0 to 127, that of the side to move first, and lists the busy blocks.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn transform<const IN: usize>(own: &[Line], other: &[Line], busy: &mut BusyBlocks) -> Values<IN> {
    let lines = const { IN / 2 / Line::LEN };
    let mut input = Values::<IN>::ZERO;
    let pairs = own[..lines].iter().chain(&other[..lines]).map(std::slice::from_ref);
    let mut base = _mm_setzero_si128();
    for (chunk, line) in input.values.as_chunks_mut::<32>().0.iter_mut().zip(pairs) {
        let packed = _mm256_packs_epi16(load(line, 0), load(line, 1));
        let packed = _mm256_max_epi8(packed, _mm256_setzero_si256());
        // Packing works within halves of a register; this puts the pieces in order.
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        let positive = _mm256_cmpgt_epi32(packed, _mm256_setzero_si256());
        let mask = _mm256_movemask_ps(_mm256_castsi256_ps(positive)) as usize & 0xFF;
        // SAFETY: the chunk is 32 bytes and an entry of the table 16. Each chunk adds at most 8 blocks, all of
        // them at most `MOST_BLOCKS`, and the list has room for 8 more.
        unsafe {
            _mm256_storeu_si256(chunk.as_mut_ptr().cast(), packed);
            let ones = _mm_loadu_si128(ONES[mask].as_ptr().cast());
            let end = busy.list.as_mut_ptr().add(busy.len);
            _mm_storeu_si128(end.cast(), _mm_add_epi16(base, ones));
        }
        busy.len += mask.count_ones() as usize;
        base = _mm_add_epi16(base, _mm_set1_epi16(8));
    }
    input
}

/// Adds products of four bytes to each sum.
#[inline]
#[target_feature(enable = "avx2")]
fn dot(sums: __m256i, values: __m256i, weights: __m256i) -> __m256i {
    // Two products are at most 2 * 127 * 128, so that the pairs do not saturate.
    let pairs = _mm256_maddubs_epi16(values, weights);
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

/// The sums of a layer of which only the listed blocks count, in 0 to 127 and padded with zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn hidden<const OUT: usize>(
    layer: &Affine,
    input: &[u8],
    blocks: impl Iterator<Item = usize>,
) -> Values<MOST_OUTPUTS> {
    let registers = const { OUT / LANES };
    let mut sums = [_mm256_setzero_si256(); MOST_OUTPUTS / LANES];
    for (i, sum) in sums[..registers].iter_mut().enumerate() {
        *sum = load(layer.bias(), i);
    }
    let (inputs, weights) = (input.as_chunks::<BLOCK>().0, layer.weights());
    for block in blocks {
        let values = _mm256_set1_epi32(i32::from_le_bytes(inputs[block]));
        for (i, sum) in sums[..registers].iter_mut().enumerate() {
            *sum = dot(*sum, values, load(weights, block * registers + i));
        }
    }
    let mut hidden = Values::ZERO;
    for (chunk, &sum) in hidden.values.as_chunks_mut::<LANES>().0.iter_mut().zip(&sums[..registers]) {
        let mut lanes = [0i32; LANES];
        // SAFETY: the lanes are 32 bytes.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
        *chunk = lanes.map(|sum| (sum >> HIDDEN_SHIFT).clamp(0, CEILING) as u8);
    }
    hidden
}

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn output<const IN: usize, const H1: usize, const H2: usize>(
    layers: &Layers,
    own: &[Line],
    other: &[Line],
) -> i32 {
    let mut busy = BusyBlocks { list: [const { MaybeUninit::uninit() }; _], len: 0 };
    let input = transform::<IN>(own, other, &mut busy);
    // SAFETY: the first `len` are written.
    let blocks = busy.list[..busy.len].iter().map(|block| usize::from(unsafe { block.assume_init() }));
    let hidden1 = hidden::<H1>(&layers.hidden1, &input.values, blocks);
    let hidden2 = hidden::<H2>(&layers.hidden2, &hidden1.values, 0..H1 / BLOCK);
    let mut products = _mm256_setzero_si256();
    for (i, values) in hidden2.values.as_chunks::<32>().0.iter().enumerate() {
        // SAFETY: the values are 32 bytes.
        let values = unsafe { _mm256_loadu_si256(values.as_ptr().cast()) };
        products = dot(products, values, load(layers.output.weights(), i));
    }
    let mut lanes = [0i32; LANES];
    // SAFETY: the lanes are 32 bytes.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), products) };
    layers.output.bias()[0].0[0].wrapping_add(lanes.iter().sum())
}
