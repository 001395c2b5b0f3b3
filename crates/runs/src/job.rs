//! What a run's work is cut into.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A piece of a run's work that one worker does by itself.
///
/// A job says *which* piece of the run it is, the run's manifest says all else: whoever has the manifest, and the files it
/// names, can do the job. Job and result are plain values that survive being written and read, so that the pool of this
/// machine and a worker on another take the same ones.
///
/// Work may be done twice: by a worker that was believed lost, or again after a crash. So the same job of the same run
/// has the same id and gives the same result, and a result counts once by its id, however often it is delivered.
pub trait Job: Serialize + DeserializeOwned + Send {
    /// What comes of it.
    type Output: Serialize + DeserializeOwned + Send;

    /// Its number in the run, which follows from what the run is and not from who does what when.
    fn id(&self) -> u64;
}

/// Somebody who does jobs, with all that is kept from one to the next: players, tables, memory.
pub trait Worker<J: Job> {
    /// Why a job cannot be done.
    type Error;

    /// Does a job; blocks until it is done.
    fn perform(&mut self, job: &J) -> Result<J::Output, Self::Error>;
}

/// Hands out the jobs of a run and takes what comes of them. Workers call it one at a time.
pub trait Coordinator: Send {
    /// The jobs.
    type Job: Job;
    /// Why the run cannot go on.
    type Error: Send;

    /// Jobs for one worker, to be done one after the other; `None` if there are no more.
    fn next_batch(&mut self) -> Option<Vec<Self::Job>>;

    /// Whether what is left of the batches under way need not be done.
    fn is_over(&self) -> bool {
        false
    }

    /// Takes a result, in the order of arrival. One whose job is done already changes nothing.
    fn accept(&mut self, job: &Self::Job, output: <Self::Job as Job>::Output) -> Result<(), Self::Error>;
}
