//! From the seed of a run to those of its jobs.

use contract::Rng;

/// The seeds of a run's jobs: a job's number shows in the low bits of its seed, so that either follows from the other.
///
/// ```
/// let seeds = runs::Seeds::of_run(7);
/// assert_ne!(seeds.of_job(0), runs::Seeds::of_run(8).of_job(0));
/// assert_eq!(seeds.number_of(seeds.of_job(12)), 12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    base: u64,
}

impl Seeds {
    /// The seeds of the jobs of a run with this seed.
    #[must_use]
    pub fn of_run(seed: u64) -> Seeds {
        Seeds { base: Rng::new(seed).draw() }
    }

    /// The seeds around a base.
    #[must_use]
    pub const fn around(base: u64) -> Seeds {
        Seeds { base }
    }

    /// The seed of a job.
    #[must_use]
    pub const fn of_job(self, number: u64) -> u64 {
        self.base ^ number
    }

    /// The number of the job with this seed.
    #[must_use]
    pub const fn number_of(self, seed: u64) -> u64 {
        self.base ^ seed
    }
}
