//! Numbers in units of one cache line, which is also the widest register.

/// 32 values of an accumulator or of a row that is added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [i16; Line::LEN]);

impl Line {
    pub(crate) const LEN: usize = 32;
    pub(crate) const ZERO: Line = Line([0; Line::LEN]);
}

/// 64 weights.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct WeightLine(pub(crate) [i8; WeightLine::LEN]);

impl WeightLine {
    pub(crate) const LEN: usize = 64;
}

/// 16 biases.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct BiasLine(pub(crate) [i32; BiasLine::LEN]);

impl BiasLine {
    pub(crate) const LEN: usize = 16;
}
