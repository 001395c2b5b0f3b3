//! Values between layers.

/// Values on their way into a layer of `N` inputs, with one more block of zeros behind them: lists of blocks
/// are padded with it to a round length.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Values<const N: usize> {
    pub(super) values: [u8; N],
    zeros: [u8; 64],
}

impl<const N: usize> Values<N> {
    pub(super) const ZERO: Values<N> = Values { values: [0; N], zeros: [0; 64] };
}
