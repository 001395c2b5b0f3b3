//! A net in memory: loaded once, shared by all threads.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memory::Memory;
use shogi::{Color, Position};

use super::architecture::Architecture;
use super::file::{self, NetError};
use super::fv_scale;
use super::layers::Layers;
use super::lines::Line;
use super::mapping;
use super::ordering::{self, Order};
use super::simd::{Kernels, Simd};

/// What a caller may decide about a net; by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetOptions {
    /// The divisor of the output, 1 to 128. Otherwise that of an `eval_options.txt` beside the net, or 16.
    pub fv_scale: Option<u32>,
    /// The instructions to use. Otherwise the fastest that this CPU has; one that it lacks is ignored.
    pub simd: Option<Simd>,
}

/// A net that can be evaluated. Share it by [`Arc`]; each thread has its own [`Nnue`](super::Nnue).
pub struct Net {
    architecture: Architecture,
    fv_scale: u32,
    path: PathBuf,
    file_bytes: usize,
    kernels: Kernels,
    /// What an accumulator holds before any row is added.
    bias: Vec<Line>,
    /// `[feature][accumulator / 32]`
    rows: Memory<Line>,
    layers: Layers,
}

impl Net {
    /// Loads a net file. A file that does not fit is an error that tells everything about it.
    pub fn load(path: &Path, options: &NetOptions) -> Result<Arc<Net>, NetError> {
        let io = |source| NetError::Io { path: path.to_owned(), source };
        let bytes = mapping::map_file(path).map_err(io)?;
        let scale = match options.fv_scale {
            Some(scale) => Some(scale),
            None => fv_scale::beside(path)?,
        };
        Self::from_bytes(&bytes, path, &NetOptions { fv_scale: scale, ..*options })
    }

    /// A net from the bytes of a file; `name` stands for the file in messages.
    pub fn from_bytes(bytes: &[u8], name: &Path, options: &NetOptions) -> Result<Arc<Net>, NetError> {
        let file::Parameters { architecture, transformer, network } = file::recognise(name, bytes)?;
        let fv_scale = fv_scale::checked(options.fv_scale)?;
        let simd = options.simd.filter(|simd| simd.is_available()).unwrap_or_else(Simd::best);
        let kernels = Kernels::new(simd, architecture).expect("every known shape has its functions");
        let (bias_bytes, row_bytes) = transformer.split_at(2 * architecture.accumulator);
        let mut bias = vec![Line::ZERO; architecture.accumulator / Line::LEN];
        fill(&mut bias, bias_bytes);
        let len = architecture.features.rows() * bias.len();
        let mut rows =
            Memory::zeroed(len).map_err(|source| NetError::Io { path: name.to_owned(), source })?;
        fill(&mut rows, row_bytes);
        let layers = Layers::from_bytes(architecture, network, |input| input);
        let (path, file_bytes) = (name.to_owned(), bytes.len());
        let mut net = Net { architecture, fv_scale, path, file_bytes, kernels, bias, rows, layers };
        net.reorder(network);
        Ok(Arc::new(net))
    }

    /// Sorts the neurons of the accumulator by activity; `network` are the later layers of the file.
    fn reorder(&mut self, network: &[u8]) {
        let accumulators = ordering::sample_positions()
            .flat_map(|position| Color::ALL.map(|perspective| self.accumulate(&position, perspective)));
        let order = Order::by_activity(self.architecture.accumulator, accumulators);
        let mut room = vec![Line::ZERO; self.bias.len()];
        order.arrange(&mut self.bias, &mut room);
        for row in self.rows.chunks_exact_mut(room.len()) {
            order.arrange(row, &mut room);
        }
        self.layers = Layers::from_bytes(self.architecture, network, |place| order.input(place));
    }

    /// Its shape.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The divisor of its output.
    #[must_use]
    pub fn fv_scale(&self) -> u32 {
        self.fv_scale
    }

    /// The instructions that compute it.
    #[must_use]
    pub fn simd(&self) -> Simd {
        self.kernels.simd()
    }

    /// The file that it came from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The output for the side to move before it is divided, computed from nothing. Slow; for tests and for
    /// single positions.
    #[must_use]
    pub fn raw_output(&self, position: &Position) -> i32 {
        let side = position.side();
        let [own, other] = [side, !side].map(|perspective| self.accumulate(position, perspective));
        self.output(&own, &other)
    }

    /// One perspective's accumulator, from nothing.
    pub(crate) fn accumulate(&self, position: &Position, perspective: Color) -> Vec<Line> {
        let mut rows = Vec::with_capacity(80);
        self.architecture.features.active(&position.setup(), perspective, |row| rows.push(row));
        let mut sums = self.bias.clone();
        self.kernels.accumulate(&self.rows, &mut sums, &rows, &[]);
        sums
    }

    pub(crate) fn bias(&self) -> &[Line] {
        &self.bias
    }

    pub(crate) fn rows(&self) -> &[Line] {
        &self.rows
    }

    #[inline(always)]
    pub(crate) fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    /// The output before it is divided, for two accumulators.
    #[inline(always)]
    pub(crate) fn output(&self, own: &[Line], other: &[Line]) -> i32 {
        self.kernels.output(&self.layers, own, other)
    }
}

fn fill(lines: &mut [Line], bytes: &[u8]) {
    for (line, bytes) in lines.iter_mut().zip(bytes.as_chunks::<{ 2 * Line::LEN }>().0) {
        for (value, bytes) in line.0.iter_mut().zip(bytes.as_chunks().0) {
            *value = i16::from_le_bytes(*bytes);
        }
    }
}

/// One line for people: shape, scale, instructions and size.
impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Net { architecture, fv_scale, path, file_bytes, .. } = self;
        let simd = self.simd();
        write!(f, "{architecture}, FV_SCALE {fv_scale}, {simd}, {file_bytes} bytes, {}", path.display())
    }
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Net({self})")
    }
}
