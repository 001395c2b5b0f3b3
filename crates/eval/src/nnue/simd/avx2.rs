//! Registers of 256 bits.

use std::arch::x86_64::*;

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

/// The lines as registers, of which a block takes any number.
#[inline]
fn registers<T: TwoRegisters>(lines: &[T]) -> &[__m256i] {
    // SAFETY: a line is two registers, aligned to more than theirs, and any bits are a register.
    unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), HALVES * lines.len()) }
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

/// Blocks in one word.
const WORD: usize = u64::BITS as usize;

/// Which blocks of an input have a value other than zero, a bit for each. As in any net of this kind most have none, and
/// walking along the bits is cheaper than first writing down their places.
struct BusyBlocks {
    words: [u64; MOST_BLOCKS / WORD],
}

impl BusyBlocks {
    const NONE: BusyBlocks = BusyBlocks { words: [0; _] };

    /// Their numbers among the first `blocks`, rising.
    #[inline(always)]
    fn numbers(&self, blocks: usize) -> BlockNumbers<'_> {
        let (first, rest) = (self.words[0], &self.words[1..blocks / WORD]);
        BlockNumbers { left: first, start: 0, rest: rest.iter() }
    }
}

/// The places of set bits in words.
struct BlockNumbers<'a> {
    /// The bits of the word at hand that are still to come.
    left: u64,
    /// The number of its first bit.
    start: usize,
    rest: std::slice::Iter<'a, u64>,
}

impl Iterator for BlockNumbers<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            self.left = *self.rest.next()?;
            self.start += WORD;
        }
        let number = self.start + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(number)
    }
}

/// A line as bytes from 0 to 127, in order.
#[inline]
#[target_feature(enable = "avx2")]
fn clipped(lines: &[Line], line: usize) -> __m256i {
    // Packing takes quarters of both registers by turns, and cuts at 127.
    let packed = _mm256_packs_epi16(load(lines, HALVES * line), load(lines, HALVES * line + 1));
    let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
    _mm256_max_epi8(ordered, _mm256_setzero_si256())
}

/// Lines whose blocks fill half a word.
const GROUP: usize = WORD / 2 / (Line::LEN / BLOCK);

/// Clips a group of lines. A bit for each block that is not all zero.
#[inline]
#[target_feature(enable = "avx2")]
fn clip_group(lines: &[Line; GROUP], target: &mut [u8; GROUP * Line::LEN]) -> u32 {
    let mut bytes = [_mm256_setzero_si256(); GROUP];
    for (i, target) in target.as_chunks_mut::<{ Line::LEN }>().0.iter_mut().enumerate() {
        bytes[i] = clipped(lines, i);
        // SAFETY: the target is 32 bytes.
        unsafe { _mm256_storeu_si256(target.as_mut_ptr().cast(), bytes[i]) };
    }
    // A block is a number of 32 bits that is not negative. Packed with saturation it becomes a byte that is zero only if
    // the block is. Packing works in halves: the dwords come from the lower halves first, then from the upper ones.
    let [a, b, c, d] = bytes;
    let packed = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    let ordered = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm256_movemask_epi8(_mm256_cmpgt_epi8(ordered, _mm256_setzero_si256())) as u32
}

/// Makes both accumulators the input of the first layer, that of the side to move first. Which blocks of it count.
#[inline]
#[target_feature(enable = "avx2")]
fn transform<const IN: usize>(own: &[Line], other: &[Line], input: &mut Values<IN>) -> BusyBlocks {
    let groups = const { IN / 2 / Line::LEN / GROUP };
    let mut busy = BusyBlocks::NONE;
    let targets = input.values.as_chunks_mut::<{ GROUP * Line::LEN }>().0;
    for (side, lines) in [own, other].into_iter().enumerate() {
        let lines = &lines.as_chunks::<GROUP>().0[..groups];
        let targets = &mut targets[side * groups..][..groups];
        for i in (0..groups).step_by(2) {
            let low = clip_group(&lines[i], &mut targets[i]);
            let high = clip_group(&lines[i + 1], &mut targets[i + 1]);
            busy.words[(side * groups + i) / 2] = u64::from(low) | u64::from(high) << (WORD / 2);
        }
    }
    busy
}

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
    let count = const { OUT / LANES };
    let mut sums = [_mm256_setzero_si256(); MOST_OUTPUTS / LANES];
    for (i, sum) in sums[..count].iter_mut().enumerate() {
        *sum = load(layer.bias(), i);
    }
    let (inputs, weights) = (input.as_chunks::<BLOCK>().0, registers(layer.weights()));
    for block in blocks {
        let values = _mm256_set1_epi32(i32::from_le_bytes(inputs[block]));
        let weights = &weights[block * count..(block + 1) * count];
        for (sum, weights) in sums[..count].iter_mut().zip(weights) {
            *sum = dot(*sum, values, *weights);
        }
    }
    let mut hidden = Values::ZERO;
    for (chunk, &sum) in hidden.values.as_chunks_mut::<LANES>().0.iter_mut().zip(&sums[..count]) {
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
    let mut input = Values::<IN>::ZERO;
    let busy = transform(own, other, &mut input);
    let hidden1 = hidden::<H1>(&layers.hidden1, &input.values, busy.numbers(IN / BLOCK));
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
