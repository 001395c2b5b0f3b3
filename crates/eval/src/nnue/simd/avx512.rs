//! Registers of 512 bits, with or without the instructions made for neural nets (VNNI).

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::super::layers::{Affine, BLOCK, HIDDEN_SHIFT, Layers};
use super::super::lines::{BiasLine, Line, WeightLine};
use super::row;
use super::values::Values;

/// A 64-byte aligned type that is exactly one register.
trait Register {}
impl Register for Line {}
impl Register for WeightLine {}
impl Register for BiasLine {}

#[inline]
#[target_feature(enable = "avx512f")]
fn load<T: Register>(line: &T) -> __m512i {
    // SAFETY: a register type is 64 readable bytes, aligned to 64.
    unsafe { _mm512_load_si512(std::ptr::from_ref(line).cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(line: &mut Line, value: __m512i) {
    // SAFETY: a line is 64 writable bytes, aligned to 64.
    unsafe { _mm512_store_si512(std::ptr::from_mut(line).cast(), value) }
}

#[target_feature(enable = "avx512f,avx512bw")]
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
            for i in 0..lines {
                let sum = _mm512_add_epi16(load(&source[i]), load(&a[i]));
                store(&mut target[i], _mm512_sub_epi16(sum, load(&r[i])));
            }
        }
        (&[a, b], &[r, s]) => {
            let (a, b) = (row::<IN>(rows, a), row::<IN>(rows, b));
            let (r, s) = (row::<IN>(rows, r), row::<IN>(rows, s));
            for i in 0..lines {
                let plus = _mm512_add_epi16(load(&a[i]), load(&b[i]));
                let minus = _mm512_add_epi16(load(&r[i]), load(&s[i]));
                let sum = _mm512_add_epi16(load(&source[i]), plus);
                store(&mut target[i], _mm512_sub_epi16(sum, minus));
            }
        }
        _ => {
            target.copy_from_slice(source);
            accumulate::<IN>(rows, target, added, removed);
        }
    }
}

/// Lines that stay in registers while all rows are added to them.
const TILE: usize = 8;

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn accumulate<const IN: usize>(rows: &[Line], sums: &mut [Line], added: &[u32], removed: &[u32]) {
    for (number, tile) in sums.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let mut values = [_mm512_setzero_si512(); TILE];
        for (value, line) in values.iter_mut().zip(&*tile) {
            *value = load(line);
        }
        for &index in added {
            let row = &row::<IN>(rows, index)[number * TILE..][..TILE];
            for (value, line) in values.iter_mut().zip(row) {
                *value = _mm512_add_epi16(*value, load(line));
            }
        }
        for &index in removed {
            let row = &row::<IN>(rows, index)[number * TILE..][..TILE];
            for (value, line) in values.iter_mut().zip(row) {
                *value = _mm512_sub_epi16(*value, load(line));
            }
        }
        for (value, line) in values.iter().zip(tile) {
            store(line, *value);
        }
    }
}

/// The most blocks a layer has.
const MOST_BLOCKS: usize = 2048 / BLOCK;
/// Blocks that are multiplied in one go, each into sums of its own: one multiplication need not wait for another.
const STRIDE: usize = 4;

/// The numbers of the blocks that are not all zero; there is room for a whole register behind the last.
struct BusyBlocks {
    list: [MaybeUninit<u32>; MOST_BLOCKS + 16],
    len: usize,
}

/// Brings the sums of a hidden layer into 0 to 127.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn rectify(sums: __m512i) -> __m128i {
    let shifted = _mm512_srai_epi32::<HIDDEN_SHIFT>(sums);
    _mm512_cvtsepi32_epi8(_mm512_max_epi32(shifted, _mm512_setzero_si512()))
}

/// The sums of a layer; a shape with fewer outputs leaves the rest unused.
type Sums = [__m512i; MOST_OUTPUTS / BiasLine::LEN];
const MOST_OUTPUTS: usize = 64;

/// Values of a hidden layer, padded with zeros.
type Hidden = Values<MOST_OUTPUTS>;

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn rectify_all<const OUT: usize>(sums: &Sums) -> Hidden {
    let mut hidden = Hidden::ZERO;
    for (chunk, &sums) in
        hidden.values.as_chunks_mut::<16>().0.iter_mut().zip(&sums[..const { OUT.div_ceil(16) }])
    {
        // SAFETY: the chunk is 16 bytes.
        unsafe { _mm_storeu_si128(chunk.as_mut_ptr().cast(), rectify(sums)) };
    }
    hidden
}

/// Four values, again and again.
///
/// # Safety
/// `block` is at most `IN / 4`, the block of zeros.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn repeated<const IN: usize>(input: &Values<IN>, block: usize) -> __m512i {
    // SAFETY: the values are followed by a block of zeros, so that the caller's block lies within.
    let four = unsafe { std::ptr::from_ref(input).cast::<i32>().add(block).read() };
    _mm512_set1_epi32(four)
}

/// The functions that multiply. `$dot` adds products of four bytes to each sum.
macro_rules! layers {
    ($features:literal, $dot:ident) => {
        #[target_feature(enable = $features)]
        pub(in super::super) fn output<const IN: usize, const H1: usize, const H2: usize>(
            layers: &Layers,
            own: &[Line],
            other: &[Line],
        ) -> i32 {
            let mut busy = BusyBlocks { list: [const { MaybeUninit::uninit() }; _], len: 0 };
            let input = transform::<IN>(own, other, &mut busy);
            let sums = if H1 == 8 {
                half_sparse(&layers.hidden1, &input, &busy)
            } else {
                sparse::<IN, H1>(&layers.hidden1, &input, &busy)
            };
            let hidden1 = rectify_all::<H1>(&sums);
            let hidden2 = rectify_all::<H2>(&dense::<H1, H2>(&layers.hidden2, &hidden1));
            let zero = _mm512_setzero_si512();
            // SAFETY: the values are 64 aligned bytes.
            let values = unsafe { _mm512_load_si512(hidden2.values.as_ptr().cast()) };
            let products = $dot(zero, values, load(&layers.output.weights()[0]));
            layers.output.bias()[0].0[0].wrapping_add(_mm512_reduce_add_epi32(products))
        }

        /// Brings both accumulators into 0 to 127, that of the side to move first, and lists the busy blocks,
        /// padded to a multiple of the stride with the block of zeros behind the values.
        #[inline]
        #[target_feature(enable = $features)]
        fn transform<const IN: usize>(own: &[Line], other: &[Line], busy: &mut BusyBlocks) -> Values<IN> {
            let lines = const { IN / 2 / Line::LEN };
            let mut input = MaybeUninit::<Values<IN>>::uninit();
            let chunks = input.as_mut_ptr().cast::<__m512i>();
            // Packing works within quarters of a register; this puts the pieces in order.
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let mut numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let pairs = own[..lines].as_chunks::<2>().0.iter().chain(other[..lines].as_chunks::<2>().0);
            let mut len = 0;
            for (chunk, [low, high]) in pairs.enumerate() {
                let packed = _mm512_packs_epi16(load(low), load(high));
                let packed = _mm512_max_epi8(packed, _mm512_setzero_si512());
                let packed = _mm512_permutexvar_epi64(order, packed);
                let mask = _mm512_test_epi32_mask(packed, packed);
                // SAFETY: there are `IN / 64` chunks of values. Each adds at most 16 blocks, all of them at
                // most `MOST_BLOCKS`, and the list has room for 16 more.
                unsafe {
                    _mm512_store_si512(chunks.add(chunk), packed);
                    let end = busy.list.as_mut_ptr().add(len);
                    _mm512_storeu_si512(end.cast(), _mm512_maskz_compress_epi32(mask, numbers));
                }
                len += mask.count_ones() as usize;
                numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
            }
            let zeros = _mm512_set1_epi32(const { IN / BLOCK } as i32);
            busy.len = len.next_multiple_of(STRIDE);
            // SAFETY: as above; the zeros are one more chunk behind the values, and now all are written.
            unsafe {
                _mm512_storeu_si512(busy.list.as_mut_ptr().add(len).cast(), zeros);
                _mm512_store_si512(chunks.add(IN / 64), _mm512_setzero_si512());
                input.assume_init()
            }
        }

        /// A layer of many inputs, of which only the busy blocks count.
        #[inline]
        #[target_feature(enable = $features)]
        fn sparse<const IN: usize, const OUT: usize>(
            layer: &Affine,
            input: &Values<IN>,
            busy: &BusyBlocks,
        ) -> Sums {
            let registers = const { OUT / BiasLine::LEN };
            let weights = layer.weights().as_ptr();
            assert!(layer.weights().len() >= (IN / BLOCK + 1) * registers);
            let mut sums = [[_mm512_setzero_si512(); MOST_OUTPUTS / BiasLine::LEN]; STRIDE];
            for (sum, bias) in sums[0].iter_mut().zip(&layer.bias()[..registers]) {
                *sum = load(bias);
            }
            for blocks in busy.list[..busy.len].as_chunks::<STRIDE>().0 {
                for (sums, block) in sums.iter_mut().zip(blocks) {
                    // SAFETY: the first `len` are written, and at most `IN / 4`; so many blocks of weights
                    // and one more there are.
                    unsafe {
                        let block = block.assume_init() as usize;
                        let values = repeated(input, block);
                        for (i, sum) in sums[..registers].iter_mut().enumerate() {
                            *sum = $dot(*sum, values, load(&*weights.add(block * registers + i)));
                        }
                    }
                }
            }
            let [mut total, others @ ..] = sums;
            for other in others {
                for (sum, other) in total[..registers].iter_mut().zip(other) {
                    *sum = _mm512_add_epi32(*sum, other);
                }
            }
            total
        }

        /// The same for eight outputs, where half a register holds a block: two blocks are multiplied at once.
        #[inline]
        #[target_feature(enable = $features)]
        fn half_sparse<const IN: usize>(layer: &Affine, input: &Values<IN>, busy: &BusyBlocks) -> Sums {
            let weights = layer.weights().as_ptr().cast::<__m256i>();
            assert!(2 * layer.weights().len() > IN / BLOCK);
            let mut sums = [_mm512_setzero_si512(); STRIDE / 2];
            for blocks in busy.list[..busy.len].as_chunks::<STRIDE>().0 {
                for (sum, pair) in sums.iter_mut().zip(blocks.as_chunks::<2>().0) {
                    // SAFETY: as in `sparse`; a block of weights is 32 aligned bytes.
                    unsafe {
                        let [low, high] = pair.map(|block| block.assume_init() as usize);
                        let values =
                            _mm512_mask_blend_epi32(0xFF00, repeated(input, low), repeated(input, high));
                        let low = _mm512_castsi256_si512(_mm256_load_si256(weights.add(low)));
                        let both = _mm512_inserti64x4::<1>(low, _mm256_load_si256(weights.add(high)));
                        *sum = $dot(*sum, values, both);
                    }
                }
            }
            let total = _mm512_add_epi32(sums[0], sums[1]);
            let upper = _mm512_castsi256_si512(_mm512_extracti64x4_epi64::<1>(total));
            // What stands behind the eighth sum is never read: later weights there are zero.
            let total = _mm512_add_epi32(_mm512_add_epi32(total, upper), load(&layer.bias()[0]));
            let total = _mm512_maskz_mov_epi32(0x00FF, total);
            [total, _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()]
        }

        /// A layer of few inputs. Even and odd blocks have sums of their own, as in `sparse`.
        #[inline]
        #[target_feature(enable = $features)]
        fn dense<const IN: usize, const OUT: usize>(layer: &Affine, input: &Hidden) -> Sums {
            let registers = const { OUT / BiasLine::LEN };
            let mut sums = [[_mm512_setzero_si512(); MOST_OUTPUTS / BiasLine::LEN]; 2];
            for (sum, bias) in sums[0].iter_mut().zip(&layer.bias()[..registers]) {
                *sum = load(bias);
            }
            let weights = &layer.weights()[..const { IN / BLOCK * (OUT / BiasLine::LEN) }];
            for (block, weights) in weights.chunks_exact(registers).enumerate() {
                // SAFETY: there are `IN / 4` blocks, and `IN` is at most the number of hidden values.
                let values = unsafe { repeated(input, block) };
                for (sum, weights) in sums[block % 2].iter_mut().zip(weights) {
                    *sum = $dot(*sum, values, load(weights));
                }
            }
            let [mut total, odd] = sums;
            for (sum, odd) in total[..registers].iter_mut().zip(odd) {
                *sum = _mm512_add_epi32(*sum, odd);
            }
            total
        }
    };
}

/// With the instruction that multiplies and adds bytes in one go.
pub(super) mod vnni {
    use super::*;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn dot(sums: __m512i, values: __m512i, weights: __m512i) -> __m512i {
        _mm512_dpbusd_epi32(sums, values, weights)
    }

    layers!("avx512f,avx512bw,avx512vnni,popcnt", dot);
}

/// In three steps.
pub(super) mod bw {
    use super::*;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn dot(sums: __m512i, values: __m512i, weights: __m512i) -> __m512i {
        // Two products are at most 2 * 127 * 128, so that the pairs do not saturate.
        let pairs = _mm512_maddubs_epi16(values, weights);
        _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
    }

    layers!("avx512f,avx512bw,popcnt", dot);
}
