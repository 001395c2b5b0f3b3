//! 256 bits read and written from the lowest bit of the first byte on.

/// How many bits a packed position has.
pub(super) const BITS: usize = 256;

/// Room behind the 32 bytes: every code that begins there is a single zero bit, so that 81 squares end
/// within it whatever the bytes are.
const ROOM: usize = 64;

/// Reads codes. Past the end there are only zeros; the caller compares [`BitReader::at`] with [`BITS`].
pub(super) struct BitReader {
    bytes: [u8; ROOM],
    at: usize,
}

impl BitReader {
    #[inline]
    pub(super) fn new(packed: &[u8; 32]) -> BitReader {
        let mut bytes = [0; ROOM];
        bytes[..32].copy_from_slice(packed);
        BitReader { bytes, at: 0 }
    }

    /// The bit that comes next.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next 57 bits or more, lowest first, without taking them.
    #[inline(always)]
    pub(super) fn window(&self) -> u64 {
        let first = (self.at / 8).min(ROOM - 8);
        let mut word = [0; 8];
        word.copy_from_slice(&self.bytes[first..first + 8]);
        u64::from_le_bytes(word) >> (self.at % 8)
    }

    #[inline(always)]
    pub(super) fn skip(&mut self, bits: usize) {
        self.at += bits;
    }

    /// Takes up to 32 bits.
    #[inline(always)]
    pub(super) fn take(&mut self, bits: usize) -> usize {
        let value = self.window() & ((1 << bits) - 1);
        self.skip(bits);
        value as usize
    }
}

/// Room for 81 codes of eight bits behind the first fifteen, and for 38 more.
const WORDS: usize = 16;

/// Collects codes. Nothing written is loaded again until the end: that would stall on the store.
pub(super) struct BitWriter {
    words: [u64; WORDS],
    full: usize,
    pending: u64,
    /// How many bits of `pending` are set already, below 64.
    filled: u32,
}

impl BitWriter {
    #[inline]
    pub(super) fn new() -> BitWriter {
        BitWriter { words: [0; WORDS], full: 0, pending: 0, filled: 0 }
    }

    /// Appends `len` bits, at most 63 (with more the result is garbage); higher ones of `bits` are zero.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, len: u32) {
        self.pending |= bits << self.filled;
        self.words[self.full % WORDS] = self.pending;
        let end = self.filled + len;
        if end >= 64 {
            self.full += 1;
            // Two shifts: together they may be 64, when nothing is left over.
            self.pending = bits >> 1 >> (63 - self.filled);
        }
        self.filled = end % 64;
    }

    /// The 32 bytes; `None` if a bit beyond them is set.
    #[inline]
    pub(super) fn finish(mut self) -> Option<[u8; 32]> {
        self.words[self.full % WORDS] = self.pending;
        let (kept, beyond) = self.words.split_at(BITS / 64);
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(kept) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        beyond.iter().all(|&word| word == 0).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_in_the_same_order() {
        let codes: Vec<(u64, u32)> = (0..40).map(|i| (i * 37 % 64, 6)).collect();
        let mut writer = BitWriter::new();
        for &(code, bits) in &codes {
            writer.put(code, bits);
        }
        let mut reader = BitReader::new(&writer.finish().unwrap());
        for &(code, bits) in &codes {
            assert_eq!(reader.take(bits as usize), code as usize);
        }
    }

    #[test]
    fn zeros_beyond_the_end_fit_and_ones_do_not() {
        let mut fits = BitWriter::new();
        let mut overflows = BitWriter::new();
        for _ in 0..32 {
            fits.put(0xFF, 8);
            overflows.put(0xFF, 8);
        }
        fits.put(0, 2);
        overflows.put(2, 2);
        assert_eq!(fits.finish(), Some([0xFF; 32]));
        assert_eq!(overflows.finish(), None);
    }
}
