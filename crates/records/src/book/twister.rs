//! The Mersenne twister of 64 bits (Matsumoto and Nishimura), with whose numbers Apery's books are hashed.

const SIZE: usize = 312;
const SHIFT: usize = 156;
const TWIST: u64 = 0xB502_6F5A_A966_19E9;
const HIGH_BITS: u64 = !LOW_BITS;
const LOW_BITS: u64 = (1 << 31) - 1;

/// The generator.
pub(super) struct Twister {
    state: [u64; SIZE],
    next: usize,
}

impl Twister {
    /// The seed that C++'s `mt19937_64` has by default.
    pub(super) const DEFAULT_SEED: u64 = 5489;

    pub(super) fn new(seed: u64) -> Twister {
        let mut state = [seed; SIZE];
        for i in 1..SIZE {
            let before = state[i - 1];
            state[i] = (before ^ before >> 62).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i as u64);
        }
        Twister { state, next: SIZE }
    }

    fn twist(&mut self) {
        for i in 0..SIZE {
            let joined = self.state[i] & HIGH_BITS | self.state[(i + 1) % SIZE] & LOW_BITS;
            let twisted = joined >> 1 ^ if joined & 1 == 1 { TWIST } else { 0 };
            self.state[i] = self.state[(i + SHIFT) % SIZE] ^ twisted;
        }
        self.next = 0;
    }

    pub(super) fn draw(&mut self) -> u64 {
        if self.next == SIZE {
            self.twist();
        }
        let mut value = self.state[self.next];
        self.next += 1;
        value ^= value >> 29 & 0x5555_5555_5555_5555;
        value ^= value << 17 & 0x71D6_7FFF_EDA6_0000;
        value ^= value << 37 & 0xFFF7_EEE0_0000_0000;
        value ^ value >> 43
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The C++ standard fixes this number for the default seed.
    #[test]
    fn the_ten_thousandth_number_is_the_one_of_the_standard() {
        let mut twister = Twister::new(Twister::DEFAULT_SEED);
        let last = (0..10_000).map(|_| twister.draw()).last();
        assert_eq!(last, Some(9_981_545_732_273_789_042));
    }
}
