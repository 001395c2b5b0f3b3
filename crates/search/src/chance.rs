//! Random numbers from a seed: the same seed, the same numbers, on every machine.

/// A sequence of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The sequence of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
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
    fn the_same_seed_gives_the_same_numbers() {
        let draws = |seed| {
            std::iter::repeat_with({
                let mut chance = Chance::new(seed);
                move || chance.draw()
            })
            .take(5)
            .collect::<Vec<_>>()
        };
        assert_eq!(draws(7), draws(7));
        assert_ne!(draws(7), draws(8));
    }

    #[test]
    fn weights_are_obeyed() {
        let mut chance = Chance::new(1);
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[chance.weighted(&[1.0, 0.0, 3.0]).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((900..1100).contains(&counts[0]), "{counts:?}");
        assert_eq!(chance.weighted(&[0.0]), None);
    }
}
