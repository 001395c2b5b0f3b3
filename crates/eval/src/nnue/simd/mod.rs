//! The arithmetic of a net, for each kind of CPU: chosen once when a net is loaded.
//!
//! Every path computes the same integers. The scalar one defines them; it is also what CPUs other than x86-64
//! run, as the compiler vectorises it.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod scalar;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod values;

use std::fmt;

use super::architecture::Architecture;
use super::layers::{BLOCK, Layers};
use super::lines::{Line, WeightLine};

/// A family of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Simd {
    /// Plain code, vectorised by the compiler as far as the build's target allows.
    Scalar,
    /// 256-bit registers.
    Avx2,
    /// 512-bit registers.
    Avx512,
    /// 512-bit registers and the instructions made for neural nets.
    Avx512Vnni,
}

impl Simd {
    /// Every family, slowest first.
    pub const ALL: [Simd; 4] = [Simd::Scalar, Simd::Avx2, Simd::Avx512, Simd::Avx512Vnni];

    /// Whether this CPU has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Simd::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512Vnni => Simd::Avx512.is_available() && is_x86_feature_detected!("avx512vnni"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The families that this CPU has, slowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Simd> {
        Simd::ALL.into_iter().filter(|simd| simd.is_available())
    }

    /// The fastest family that this CPU has.
    #[must_use]
    pub fn best() -> Simd {
        Simd::available().next_back().unwrap_or(Simd::Scalar)
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Simd::Scalar => "scalar",
            Simd::Avx2 => "AVX2",
            Simd::Avx512 => "AVX-512",
            Simd::Avx512Vnni => "AVX-512 VNNI",
        })
    }
}

/// `target = source + added rows - removed rows`; as many come as go, at most two.
type ExchangeRows =
    unsafe fn(rows: &[Line], source: &[Line], target: &mut [Line], added: &[u32], removed: &[u32]);
/// `sums += added rows - removed rows`, any number of each.
type Accumulate = unsafe fn(rows: &[Line], sums: &mut [Line], added: &[u32], removed: &[u32]);
/// The output of the layers for two accumulators, that of the side to move first.
type Output = unsafe fn(layers: &Layers, own: &[Line], other: &[Line]) -> i32;

/// The functions that compute one shape of net with one family of instructions.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    simd: Simd,
    exchange: ExchangeRows,
    accumulate: Accumulate,
    output: Output,
}

impl Kernels {
    /// The functions for a shape; `None` if this CPU lacks the instructions or the shape is unknown.
    pub(crate) fn new(simd: Simd, architecture: Architecture) -> Option<Kernels> {
        if !simd.is_available() {
            return None;
        }
        let Architecture { accumulator, hidden1, hidden2, .. } = architecture;
        match (accumulator, hidden1, hidden2) {
            (256, 32, 32) => Some(Self::sized::<512, 32, 32>(simd)),
            (512, 16, 32) => Some(Self::sized::<1024, 16, 32>(simd)),
            (1024, 8, 32) => Some(Self::sized::<2048, 8, 32>(simd)),
            (1024, 8, 64) => Some(Self::sized::<2048, 8, 64>(simd)),
            _ => None,
        }
    }

    fn sized<const IN: usize, const H1: usize, const H2: usize>(simd: Simd) -> Kernels {
        match simd {
            Simd::Scalar => Kernels {
                simd,
                exchange: scalar::exchange::<IN>,
                accumulate: scalar::accumulate::<IN>,
                output: scalar::output::<IN, H1, H2>,
            },
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => Kernels {
                simd,
                exchange: avx2::exchange::<IN>,
                accumulate: avx2::accumulate::<IN>,
                output: avx2::output::<IN, H1, H2>,
            },
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => Kernels {
                simd,
                exchange: avx512::exchange::<IN>,
                accumulate: avx512::accumulate::<IN>,
                output: avx512::bw::output::<IN, H1, H2>,
            },
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512Vnni => Kernels {
                simd,
                output: avx512::vnni::output::<IN, H1, H2>,
                ..Self::sized::<IN, H1, H2>(Simd::Avx512)
            },
            #[cfg(not(target_arch = "x86_64"))]
            _ => Self::sized::<IN, H1, H2>(Simd::Scalar),
        }
    }

    pub(crate) fn simd(&self) -> Simd {
        self.simd
    }

    #[inline(always)]
    pub(crate) fn exchange(
        &self,
        rows: &[Line],
        source: &[Line],
        target: &mut [Line],
        added: &[u32],
        removed: &[u32],
    ) {
        // SAFETY: `new` found the instructions that the function uses.
        #[allow(unsafe_code)]
        unsafe {
            (self.exchange)(rows, source, target, added, removed);
        }
    }

    #[inline(always)]
    pub(crate) fn accumulate(&self, rows: &[Line], sums: &mut [Line], added: &[u32], removed: &[u32]) {
        // SAFETY: as in `exchange`.
        #[allow(unsafe_code)]
        unsafe {
            (self.accumulate)(rows, sums, added, removed);
        }
    }

    #[inline(always)]
    pub(crate) fn output(&self, layers: &Layers, own: &[Line], other: &[Line]) -> i32 {
        // SAFETY: as in `exchange`.
        #[allow(unsafe_code)]
        unsafe {
            (self.output)(layers, own, other)
        }
    }
}

/// The lines of one row of the table.
#[inline(always)]
fn row<const IN: usize>(rows: &[Line], index: u32) -> &[Line] {
    let lines = const { IN / 2 / Line::LEN };
    &rows[index as usize * lines..][..lines]
}

/// Weights in the groups of four that belong to one block and output.
#[inline(always)]
fn quads(lines: &[WeightLine]) -> &[[i8; BLOCK]] {
    // SAFETY: lines are nothing but weights, without gaps, and groups of bytes need no alignment.
    #[allow(unsafe_code)]
    unsafe {
        std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * (WeightLine::LEN / BLOCK))
    }
}
