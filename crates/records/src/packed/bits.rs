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

/// Room for 81 codes of eight bits behind the first fifteen, and a word more.
const WRITTEN_ROOM: usize = 96;

/// Collects codes.
pub(super) struct BitWriter {
    bytes: [u8; WRITTEN_ROOM],
    at: usize,
}

impl BitWriter {
    /// Begins behind `skipped` bits, which are to be set with [`BitWriter::set_first`].
    #[inline]
    pub(super) fn behind(skipped: usize) -> BitWriter {
        BitWriter { bytes: [0; WRITTEN_ROOM], at: skipped }
    }

    /// Appends `len` bits, at most 56; higher ones are zero. Bits that nothing has room for are dropped.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, len: usize) {
        let first = (self.at / 8).min(WRITTEN_ROOM - 8);
        let place = &mut self.bytes[first..first + 8];
        let mut word = [0; 8];
        word.copy_from_slice(place);
        let word = u64::from_le_bytes(word) | bits << (self.at % 8);
        place.copy_from_slice(&word.to_le_bytes());
        self.at += len;
    }

    /// Sets bits among the first sixteen.
    #[inline(always)]
    pub(super) fn set_first(&mut self, bits: u16) {
        let [low, high] = bits.to_le_bytes();
        self.bytes[0] |= low;
        self.bytes[1] |= high;
    }

    /// The 32 bytes; `None` if a bit beyond them is set.
    #[inline]
    pub(super) fn finish(self) -> Option<[u8; 32]> {
        let (kept, beyond) = self.bytes.split_first_chunk::<{ BITS / 8 }>()?;
        beyond.iter().all(|&byte| byte == 0).then_some(*kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_in_the_same_order() {
        let codes: Vec<(u64, usize)> = (0..40).map(|i| (i * 37 % 64, 6)).collect();
        let mut writer = BitWriter::behind(0);
        for &(code, bits) in &codes {
            writer.put(code, bits);
        }
        let mut reader = BitReader::new(&writer.finish().unwrap());
        for &(code, bits) in &codes {
            assert_eq!(reader.take(bits), code as usize);
        }
    }

    #[test]
    fn zeros_beyond_the_end_fit_and_ones_do_not() {
        let mut fits = BitWriter::behind(0);
        let mut overflows = BitWriter::behind(0);
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
