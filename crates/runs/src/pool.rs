//! Workers on this machine: threads that take jobs until there are no more.
//!
//! The first error stops all, as does whoever asks for a stop; jobs under way are finished, and what came of them is
//! still delivered. A worker that panics ends the run with an error, not the process.

use std::any::Any;
use std::io;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::cores;
use crate::job::{Coordinator, Job, Worker};

/// Why a pool stopped before its work was done.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PoolError {
    #[error("a worker failed inside: {0}")]
    Panicked(String),
    #[error("cannot start a worker: {0}")]
    Thread(io::Error),
    #[error("stopped before the end")]
    Stopped,
}

/// How work is shared out on this machine.
#[derive(Clone, Copy)]
pub struct Pool<'a> {
    workers: usize,
    cores: &'a [Vec<usize>],
    stack_bytes: Option<usize>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Pool<'a> {
    /// So many workers, at least one.
    #[must_use]
    pub fn new(workers: usize) -> Pool<'a> {
        Pool { workers: workers.max(1), cores: &[], stack_bytes: None, stop: &|| false }
    }

    /// Each worker stays on its cores; those for whom there are none go where the system puts them.
    #[must_use]
    pub fn on_cores(self, cores: &'a [Vec<usize>]) -> Pool<'a> {
        Pool { cores, ..self }
    }

    /// Workers with room for deep recursion.
    #[must_use]
    pub fn with_stack(self, bytes: usize) -> Pool<'a> {
        Pool { stack_bytes: Some(bytes), ..self }
    }

    /// Asked before each job whether to end.
    #[must_use]
    pub fn until(self, stop: &'a (dyn Fn() -> bool + Sync)) -> Pool<'a> {
        Pool { stop, ..self }
    }

    /// Does the jobs of a run; blocks until there are no more, the run is stopped, or the first error. Each worker is
    /// made on its own thread.
    pub fn run<C, W>(
        &self,
        coordinator: &mut C,
        make: impl Fn() -> Result<W, C::Error> + Sync,
    ) -> Result<(), C::Error>
    where
        C: Coordinator,
        C::Error: From<PoolError>,
        W: Worker<C::Job, Error = C::Error>,
    {
        self.drive(&mut Jobs(coordinator), || {
            let mut worker = make()?;
            Ok(move |job: &C::Job| worker.perform(job))
        })
    }

    /// What `each` makes of every item, in the order of the items, with a state of its own for every worker; blocks
    /// until all are done. A stop is an error here: half of the answers are none.
    pub fn map<T, S, R, E>(
        &self,
        items: impl IntoIterator<Item = T, IntoIter: Send>,
        make: impl Fn() -> Result<S, E> + Sync,
        each: impl Fn(&mut S, &T) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E>
    where
        T: Send,
        R: Send,
        E: From<PoolError> + Send,
    {
        let left = items.into_iter().enumerate();
        let mut items: Items<_, R, E> = Items { left, taken: 0, done: Vec::new(), error: PhantomData };
        self.drive(&mut items, || {
            let mut state = make()?;
            let each = &each;
            Ok(move |(number, item): &(usize, T)| Ok((*number, each(&mut state, item)?)))
        })?;
        let Items { left: mut rest, taken, mut done, .. } = items;
        if done.len() < taken || rest.next().is_some() {
            return Err(PoolError::Stopped.into());
        }
        done.sort_by_key(|(number, _)| *number);
        Ok(done.into_iter().map(|(_, result)| result).collect())
    }

    /// Does these jobs; their results in the order of the jobs.
    pub fn perform_all<J, W, E>(
        &self,
        jobs: Vec<J>,
        make: impl Fn() -> Result<W, E> + Sync,
    ) -> Result<Vec<J::Output>, E>
    where
        J: Job,
        W: Worker<J, Error = E>,
        E: From<PoolError> + Send,
    {
        self.map(jobs, make, W::perform)
    }

    fn drive<D, W>(
        &self,
        queue: &mut D,
        make: impl Fn() -> Result<W, D::Error> + Sync,
    ) -> Result<(), D::Error>
    where
        D: TaskQueue,
        W: FnMut(&D::Task) -> Result<D::Answer, D::Error>,
    {
        let shared = Mutex::new(Shared { queue, error: None });
        thread::scope(|scope| {
            for number in 0..self.workers {
                let mut builder = thread::Builder::new();
                if let Some(bytes) = self.stack_bytes {
                    builder = builder.stack_size(bytes);
                }
                let (shared, make) = (&shared, &make);
                let work = move || self.work(number, shared, make);
                if let Err(error) = builder.spawn_scoped(scope, work) {
                    lock(shared).fail(PoolError::Thread(error).into());
                    return;
                }
            }
        });
        shared.into_inner().unwrap_or_else(PoisonError::into_inner).error.map_or(Ok(()), Err)
    }

    fn work<D, W>(
        &self,
        number: usize,
        shared: &Mutex<Shared<'_, D>>,
        make: &impl Fn() -> Result<W, D::Error>,
    ) where
        D: TaskQueue,
        W: FnMut(&D::Task) -> Result<D::Answer, D::Error>,
    {
        if let Some(cores) = self.cores.get(number) {
            cores::pin(cores);
        }
        // Nothing of a worker that panicked is used again, and the queue keeps only whole results.
        match catch_unwind(AssertUnwindSafe(|| self.take_batches(shared, make))) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => lock(shared).fail(error),
            Err(panic) => lock(shared).fail(PoolError::Panicked(words(panic.as_ref())).into()),
        }
    }

    fn take_batches<D, W>(
        &self,
        shared: &Mutex<Shared<'_, D>>,
        make: &impl Fn() -> Result<W, D::Error>,
    ) -> Result<(), D::Error>
    where
        D: TaskQueue,
        W: FnMut(&D::Task) -> Result<D::Answer, D::Error>,
    {
        let mut perform = make()?;
        loop {
            if (self.stop)() {
                return Ok(());
            }
            // In a statement of its own: the lock must not be held while a job is done.
            let batch = lock(shared).next_batch();
            let Some(batch) = batch else { return Ok(()) };
            for task in batch {
                if (self.stop)() || lock(shared).is_over() {
                    return Ok(());
                }
                let answer = perform(&task)?;
                lock(shared).queue.accept(&task, answer)?;
            }
        }
    }
}

/// Where workers take their tasks and bring the answers.
trait TaskQueue: Send {
    type Task: Send;
    type Answer;
    type Error: From<PoolError> + Send;

    fn next_batch(&mut self) -> Option<Vec<Self::Task>>;
    fn is_over(&self) -> bool;
    fn accept(&mut self, task: &Self::Task, answer: Self::Answer) -> Result<(), Self::Error>;
}

struct Jobs<'a, C>(&'a mut C);

impl<C: Coordinator> TaskQueue for Jobs<'_, C>
where
    C::Error: From<PoolError>,
{
    type Task = C::Job;
    type Answer = <C::Job as Job>::Output;
    type Error = C::Error;

    fn next_batch(&mut self) -> Option<Vec<C::Job>> {
        self.0.next_batch()
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn accept(&mut self, job: &C::Job, output: Self::Answer) -> Result<(), C::Error> {
        self.0.accept(job, output)
    }
}

/// The items of [`Pool::map`]: taken one by one, answers with their numbers.
struct Items<I, R, E> {
    left: I,
    taken: usize,
    done: Vec<(usize, R)>,
    error: PhantomData<E>,
}

impl<T: Send, I, R, E> TaskQueue for Items<I, R, E>
where
    I: Iterator<Item = (usize, T)> + Send,
    R: Send,
    E: From<PoolError> + Send,
{
    type Task = (usize, T);
    type Answer = (usize, R);
    type Error = E;

    fn next_batch(&mut self) -> Option<Vec<(usize, T)>> {
        let item = self.left.next()?;
        self.taken += 1;
        Some(vec![item])
    }

    fn is_over(&self) -> bool {
        false
    }

    fn accept(&mut self, _: &(usize, T), answer: (usize, R)) -> Result<(), E> {
        self.done.push(answer);
        Ok(())
    }
}

struct Shared<'a, D: TaskQueue> {
    queue: &'a mut D,
    error: Option<D::Error>,
}

impl<D: TaskQueue> Shared<'_, D> {
    fn next_batch(&mut self) -> Option<Vec<D::Task>> {
        if self.error.is_some() { None } else { self.queue.next_batch() }
    }

    fn is_over(&self) -> bool {
        self.error.is_some() || self.queue.is_over()
    }

    /// The first error is the one that is reported.
    fn fail(&mut self, error: D::Error) {
        self.error.get_or_insert(error);
    }
}

fn lock<'a, 'b, D: TaskQueue>(shared: &'a Mutex<Shared<'b, D>>) -> MutexGuard<'a, Shared<'b, D>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no words".to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicU64, Ordering};

    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Square(u64);

    impl Job for Square {
        type Output = u64;

        fn id(&self) -> u64 {
            self.0
        }
    }

    #[derive(Debug, thiserror::Error)]
    enum ToyError {
        #[error("{0} is no good")]
        Bad(u64),
        #[error(transparent)]
        Pool(#[from] PoolError),
    }

    /// Squares of the numbers below an end, in batches of three; each counts once.
    #[derive(Default)]
    struct Squares {
        next: u64,
        end: u64,
        enough: usize,
        found: BTreeMap<u64, u64>,
    }

    impl Coordinator for Squares {
        type Job = Square;
        type Error = ToyError;

        fn next_batch(&mut self) -> Option<Vec<Square>> {
            let batch: Vec<Square> = (self.next..self.end.min(self.next + 3)).map(Square).collect();
            self.next += 3;
            (!batch.is_empty()).then_some(batch)
        }

        fn is_over(&self) -> bool {
            self.found.len() >= self.enough
        }

        fn accept(&mut self, job: &Square, output: u64) -> Result<(), ToyError> {
            self.found.entry(job.id()).or_insert(output);
            Ok(())
        }
    }

    /// A worker that gets its jobs and gives its results as text, as one on another machine would.
    struct Remote<F>(F);

    impl<F: FnMut(u64) -> Result<u64, ToyError>> Worker<Square> for Remote<F> {
        type Error = ToyError;

        fn perform(&mut self, job: &Square) -> Result<u64, ToyError> {
            let sent = serde_json::to_string(job).unwrap();
            let received: Square = serde_json::from_str(&sent).unwrap();
            assert_eq!(received.id(), job.id());
            let result = serde_json::to_string(&(self.0)(received.0)?).unwrap();
            Ok(serde_json::from_str(&result).unwrap())
        }
    }

    fn squares(end: u64) -> Squares {
        Squares { end, enough: usize::MAX, ..Squares::default() }
    }

    #[test]
    fn every_job_is_done_once_by_any_number_of_workers() {
        for workers in [1, 2, 5] {
            let mut run = squares(20);
            Pool::new(workers).with_stack(1 << 20).run(&mut run, || Ok(Remote(|n| Ok(n * n)))).unwrap();
            assert_eq!(run.found, (0..20).map(|n| (n, n * n)).collect());
        }
    }

    #[test]
    fn a_result_that_comes_twice_counts_once() {
        let mut run = squares(4);
        run.found.insert(2, 4);
        Pool::new(2).run(&mut run, || Ok(Remote(|n| Ok(n * n)))).unwrap();
        run.accept(&Square(3), 9).unwrap();
        assert_eq!(run.found.values().copied().collect::<Vec<_>>(), [0, 1, 4, 9]);
    }

    #[test]
    fn the_first_error_stops_all() {
        let mut run = squares(1_000_000);
        let work = || Ok(Remote(|n| if n == 7 { Err(ToyError::Bad(n)) } else { Ok(n) }));
        let error = Pool::new(2).run(&mut run, work).unwrap_err();
        assert_eq!(error.to_string(), "7 is no good");
        assert!(run.found.len() < 1_000_000);
        let error = Pool::new(2).run::<_, Remote<fn(u64) -> _>>(&mut squares(5), || Err(ToyError::Bad(0)));
        assert_eq!(error.unwrap_err().to_string(), "0 is no good");
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let work = || Ok(Remote(|n| if n == 4 { panic!("broken at {n}") } else { Ok(n) }));
        let error = Pool::new(2).run(&mut squares(1_000_000), work).unwrap_err();
        assert_eq!(error.to_string(), "a worker failed inside: broken at 4");
    }

    #[test]
    fn a_stop_ends_between_jobs_and_enough_is_enough() {
        let done = AtomicU64::new(0);
        let stop = || done.load(Ordering::Relaxed) >= 5;
        let mut run = squares(1_000_000);
        let count = |n| {
            done.fetch_add(1, Ordering::Relaxed);
            Ok(n)
        };
        Pool::new(1).until(&stop).run(&mut run, || Ok(Remote(count))).unwrap();
        assert_eq!(run.found.len(), 5);
        let mut run = Squares { enough: 4, ..squares(1_000_000) };
        Pool::new(1).run(&mut run, || Ok(Remote(Ok))).unwrap();
        assert_eq!(run.found.len(), 4);
    }

    #[test]
    fn a_map_keeps_the_order_and_is_whole_or_an_error() {
        let double = |(): &mut (), n: &u64| Ok::<_, ToyError>(2 * n);
        for workers in [1, 3] {
            let doubled = Pool::new(workers).map(0..50, || Ok(()), double).unwrap();
            assert_eq!(doubled, (0..50).map(|n| 2 * n).collect::<Vec<_>>());
        }
        let stopped = Pool::new(2).until(&|| true).map(0..50, || Ok(()), double).unwrap_err();
        assert!(matches!(stopped, ToyError::Pool(PoolError::Stopped)));
    }
}
