//! Random numbers from a seed: the same seed, the same numbers, on every machine.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// A sequence of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Rng(SplitMix64);

impl Rng {
    /// The sequence of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        Rng(SplitMix64::from_seed(seed.to_le_bytes()))
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 up to but not including 1.
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An index, each as likely as its weight; `None` if no weight is positive.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().filter(|w| **w > 0.0).sum();
        let mut left = self.unit() * total;
        let last = weights.iter().rposition(|w| *w > 0.0)?;
        for (i, &weight) in weights.iter().enumerate() {
            if weight > 0.0 {
                if left < weight {
                    return Some(i);
                }
                left -= weight;
            }
        }
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_seed_never_change() {
        // Vigna's reference numbers of SplitMix64 for the seed 1234567.
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        let mut rng = Rng::new(1_234_567);
        assert_eq!(expected.map(|_| rng.draw()), expected);
    }

    #[test]
    fn weights_are_obeyed() {
        let mut rng = Rng::new(1);
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[rng.weighted(&[1.0, 0.0, 3.0]).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((900..1100).contains(&counts[0]), "{counts:?}");
        assert_eq!(rng.weighted(&[0.0]), None);
    }
}
