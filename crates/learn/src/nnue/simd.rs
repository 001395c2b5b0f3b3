//! The inner loops compiled for each kind of CPU: one source, chosen at run time.

use std::fmt;

use super::adam::Step;
use super::kernels::{self, Loss, Room};
use super::model::{BlockRow, Dense, INPUTS};

/// Instructions that this CPU has. Only [`Level::best`] makes one above [`Level::PLAIN`], so having one is proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// What every CPU has.
    pub const PLAIN: Level = Level(Kind::Plain);

    /// The best that this CPU has.
    #[must_use]
    pub fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            if avx2 && is_x86_feature_detected!("avx512f") {
                return Level(Kind::Avx512);
            }
            if avx2 {
                return Level(Kind::Avx2);
            }
        }
        Level::PLAIN
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Plain => "plain code",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
        })
    }
}

/// Defines a method of [`Level`] that calls the kernel of the same name, compiled for the level; for a `kernel; 2, 4` with 2 rows at
/// a time, and 4 where registers are twice as wide and as many.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident$(; $rows:literal, $wide:literal;)?($($argument:ident: $type:ty),*) $(-> $result:ty)?) => {
        impl Level {
            $(#[$doc])*
            #[allow(clippy::too_many_arguments)]
            pub(super) fn $name(self, $($argument: $type),*) $(-> $result)? {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma")]
                #[allow(clippy::too_many_arguments)]
                fn avx2($($argument: $type),*) $(-> $result)? {
                    kernels::$name::<true $(, $rows)?>($($argument),*)
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx2,fma")]
                #[allow(clippy::too_many_arguments)]
                fn avx512($($argument: $type),*) $(-> $result)? {
                    kernels::$name::<true $(, $wide)?>($($argument),*)
                }
                match self.0 {
                    Kind::Plain => kernels::$name::<false $(, $rows)?>($($argument),*),
                    // SAFETY: such a level exists only where `best` found the instructions.
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx2 => unsafe { avx2($($argument),*) },
                    // SAFETY: as above.
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx512 => unsafe { avx512($($argument),*) },
                }
            }
        }
    };
}

kernel! {
    /// See [`kernels::sum_rows`].
    sum_rows(block: &[BlockRow], rows: &[u32], active: usize, sums: &mut [BlockRow])
}
kernel! {
    /// See [`kernels::add_to_rows`].
    add_to_rows(gradient: &mut [BlockRow], rows: &[u32], active: usize, sums: &[BlockRow])
}
kernel! {
    /// See [`kernels::dense`].
    dense; 2, 4; (
        layers: &Dense,
        transposed1: &[[f32; INPUTS]],
        targets: &[f32],
        loss: Loss,
        sums: &mut [f32],
        gradient: &mut Dense,
        room: &mut Room
    ) -> f64
}
kernel! {
    /// See [`kernels::adam`].
    adam(
        step: Step,
        limit: f32,
        values: &mut [f32],
        gradient: &mut [f32],
        mean: &mut [f32],
        square: &mut [f32]
    )
}
