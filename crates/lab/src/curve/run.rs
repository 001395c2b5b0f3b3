//! From samples to curves, player by player.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::bins::{Curve, choose_delta};
use super::cache::ValueCache;
use super::expression::Expression;
use super::input::Sample;
use super::judge::{Judge, JudgeError, Target};
use super::metrics::Metrics;
use super::split::{Split, split_test};

/// How values are turned into curves.
#[derive(Clone, Debug)]
pub struct Study {
    /// Conditions, each with a curve of its own.
    pub conditions: Vec<Expression>,
    /// The width of the intervals; chosen from the data if not given.
    pub delta: Option<f64>,
    /// Intervals with fewer positions are left out.
    pub least: usize,
    /// Values beyond this count as this where their size matters.
    pub clip: f64,
    /// Whether draws count, as halves.
    pub draws: bool,
}

/// The curve and the numbers of one player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerCurve {
    /// The player.
    pub name: String,
    /// The numbers.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// The share of neighbouring intervals whose probabilities do not fall, errors allowed for.
    pub rising: f64,
    /// The total curve.
    pub curve: Curve,
    /// The conditioned curves.
    pub splits: Vec<Split>,
}

/// The values of one player for all samples; none where it gave none.
pub type Outcome = Vec<Option<f64>>;

/// Values of a player for all samples: from the cache, or by thinking, in parallel. `each` is called for every
/// sample. What is found is kept, so that a broken run goes on where it was.
pub fn evaluate(
    target: &Target,
    samples: &[Sample],
    cache: &Path,
    concurrency: usize,
    each: &(dyn Fn() + Sync),
) -> Result<Outcome, EvaluateError> {
    if target.spec.is_none() {
        samples.iter().for_each(|_| each());
        return Ok(samples.iter().map(|sample| sample.stored).collect());
    }
    let path = cache.join(format!("{}.values", target.fingerprint()));
    let cache = Mutex::new(ValueCache::open(&path)?);
    let mut judges = Vec::new();
    for _ in 0..concurrency.max(1) {
        judges.extend(Judge::new(target)?);
    }
    let found = evaluate_all(&mut judges, samples, &cache, each);
    let mut cache = cache.into_inner().unwrap_or_else(PoisonError::into_inner);
    cache.flush()?;
    found.map_err(|failed| failed.of(&target.name))?;
    let value = |sample: &Sample| cache.get(sample.position()?.key()).flatten().map(f64::from);
    Ok(samples.iter().map(value).collect())
}

/// Every judge takes the next sample that nobody has judged; the first failure stops all.
fn evaluate_all(
    judges: &mut [Judge],
    samples: &[Sample],
    cache: &Mutex<ValueCache>,
    each: &(dyn Fn() + Sync),
) -> Result<(), Failed> {
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    std::thread::scope(|scope| {
        for judge in judges {
            scope.spawn(|| {
                while let Some(sample) = samples.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failed) = evaluate_one(judge, sample, cache) {
                        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failed);
                        next.store(samples.len(), Ordering::Relaxed);
                    }
                    each();
                }
            });
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

fn evaluate_one(judge: &mut Judge, sample: &Sample, cache: &Mutex<ValueCache>) -> Result<(), Failed> {
    let lock = || cache.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(position) = sample.position() else { return Ok(()) };
    // In a statement of its own: the lock must not be held while thinking.
    let known = lock().get(position.key());
    if known.is_some() {
        return Ok(());
    }
    let value =
        judge.value(&position).map_err(|failure| Failed::Player(position.to_string(), failure.words))?;
    lock().put(position.key(), value.map(|value| value as f32)).map_err(Failed::Cache)
}

/// How one sample went wrong.
enum Failed {
    Player(String, String),
    Cache(io::Error),
}

impl Failed {
    fn of(self, name: &str) -> EvaluateError {
        match self {
            Failed::Player(position, words) => {
                EvaluateError::Failed { name: name.to_owned(), position, words }
            }
            Failed::Cache(error) => error.into(),
        }
    }
}

/// Why values cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EvaluateError {
    #[error(transparent)]
    Judge(#[from] JudgeError),
    #[error("{name} failed at {position}: {words}")]
    Failed { name: String, position: String, words: String },
    #[error("cannot keep what was found: {0}")]
    Cache(#[from] io::Error),
}

/// The curve, the numbers and the splits of a player's values.
#[must_use]
pub fn analyse(name: &str, samples: &[Sample], values: &Outcome, study: &Study) -> PlayerCurve {
    let counts = |sample: &Sample| study.draws || sample.result != 0.5;
    let known: Vec<(&Sample, f64)> = samples
        .iter()
        .zip(values)
        .filter(|(sample, _)| counts(sample))
        .filter_map(|(sample, value)| Some((sample, (*value)?)))
        .collect();
    let data: Vec<(f64, f64)> = known.iter().map(|(sample, value)| (*value, sample.result)).collect();
    let delta = study.delta.unwrap_or_else(|| choose_delta(&data, study.least, study.clip));
    let curve = Curve::of(&data, delta, study.least, study.clip);
    let splits = study.conditions.iter().map(|condition| {
        let meets = known.iter().filter(|(sample, _)| condition.holds(sample.features()));
        let chosen: Vec<(u32, f64, f64)> =
            meets.map(|(sample, value)| (sample.game, *value, sample.result)).collect();
        let pairs: Vec<(f64, f64)> = chosen.iter().map(|(_, value, result)| (*value, *result)).collect();
        let own = Curve::of(&pairs, delta, study.least, study.clip);
        split_test(&condition.to_string(), &chosen, &curve, own)
    });
    PlayerCurve {
        name: name.to_owned(),
        metrics: Metrics::of(&data, &curve, study.clip),
        rising: curve.rising(),
        splits: splits.collect(),
        curve,
    }
}
