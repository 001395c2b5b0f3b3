//! From samples to curves, player by player.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use contract::LogisticScale;
use eval::features::Expression;
use runs::{Coordinator, Job, Pool, PoolError, Worker};
use serde::{Deserialize, Serialize};

use super::bins::{Curve, choose_delta};
use super::cache::ValueCache;
use super::input::Sample;
use super::judge::{Judge, JudgeError, Target};
use super::metrics::Metrics;
use super::phases::{PHASES, ShortMetrics, balanced};
use super::split::{Conditioned, Split, split_test};
use super::win_rates::WinRateCurve;

/// How values are turned into curves.
#[derive(Clone, Debug)]
pub struct Study {
    /// Conditions, each with a curve of its own.
    pub conditions: Vec<Expression>,
    /// The width of the intervals, the same for all players; chosen from their values if not given.
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
    /// The curve over win rates, if the player's value is one.
    pub win_rates: Option<WinRateCurve>,
    /// The conditioned curves.
    pub splits: Vec<Split>,
}

/// The values of one player for all samples; none where it gave none.
pub type Outcome = Vec<Option<f64>>;

/// One position to be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueJob {
    /// The number of its sample, in the order in which the records are read.
    pub sample: usize,
}

impl Job for ValueJob {
    /// The value as Black sees it, if the player reports one.
    type Output = Option<f32>;

    fn id(&self) -> u64 {
        self.sample as u64
    }
}

/// So many positions are taken at a time: some take microseconds.
const TOGETHER: usize = 16;

/// Values of a player for all samples: from the cache, or by thinking, in parallel. `each` is called for every
/// sample. What is found is kept, so that a broken run goes on where it was; a stop is an error.
pub fn evaluate(
    target: &Target,
    samples: &[Sample],
    cache: &Path,
    pool: &Pool<'_>,
    each: &(dyn Fn() + Sync),
) -> Result<Outcome, EvaluateError> {
    if target.spec.is_none() {
        samples.iter().for_each(|_| each());
        return Ok(samples.iter().map(|sample| sample.stored).collect());
    }
    let path = cache.join(format!("{}.values", target.fingerprint()));
    let cache = ValueCache::open(&path)?;
    let keys: Vec<Option<u64>> =
        samples.iter().map(|sample| sample.position().map(|position| position.key())).collect();
    let mut evaluation = Evaluation { keys: &keys, next: 0, missing: Vec::new(), left: 0, cache, each };
    evaluation.find_missing();
    // Players of ours search on the workers' own threads.
    let pool = pool.with_stack(engine::STACK_BYTES);
    let done =
        pool.run(&mut evaluation, || Ok(Evaluator { name: &target.name, judge: judge(target)?, samples }));
    evaluation.cache.flush()?;
    done?;
    if evaluation.left > 0 {
        return Err(PoolError::Stopped.into());
    }
    let value = |key: &Option<u64>| evaluation.cache.get((*key)?).flatten().map(f64::from);
    Ok(keys.iter().map(value).collect())
}

fn judge(target: &Target) -> Result<Judge, EvaluateError> {
    Judge::new(target)?.ok_or_else(|| EvaluateError::Nobody { name: target.name.clone() })
}

/// The values so far.
struct Evaluation<'a> {
    keys: &'a [Option<u64>],
    /// The samples whose positions nobody has judged, each position once.
    missing: Vec<usize>,
    next: usize,
    left: usize,
    cache: ValueCache,
    each: &'a (dyn Fn() + Sync),
}

impl Evaluation<'_> {
    fn find_missing(&mut self) {
        let mut seen = HashSet::new();
        for (number, key) in self.keys.iter().enumerate() {
            match key {
                Some(key) if self.cache.get(*key).is_none() && seen.insert(*key) => self.missing.push(number),
                _ => (self.each)(),
            }
        }
        self.left = self.missing.len();
    }
}

impl Coordinator for Evaluation<'_> {
    type Job = ValueJob;
    type Error = EvaluateError;

    fn next_batch(&mut self) -> Option<Vec<ValueJob>> {
        let batch = self.missing[self.next..].iter().take(TOGETHER);
        let batch: Vec<ValueJob> = batch.map(|&sample| ValueJob { sample }).collect();
        self.next += batch.len();
        (!batch.is_empty()).then_some(batch)
    }

    fn accept(&mut self, job: &ValueJob, value: Option<f32>) -> Result<(), EvaluateError> {
        let Some(key) = self.keys[job.sample].filter(|key| self.cache.get(*key).is_none()) else {
            return Ok(());
        };
        self.cache.put(key, value)?;
        self.left -= 1;
        (self.each)();
        Ok(())
    }
}

/// One worker's judge.
struct Evaluator<'a> {
    name: &'a str,
    judge: Judge,
    samples: &'a [Sample],
}

impl Worker<ValueJob> for Evaluator<'_> {
    type Error = EvaluateError;

    fn perform(&mut self, job: &ValueJob) -> Result<Option<f32>, EvaluateError> {
        let Some(position) = self.samples.get(job.sample).and_then(Sample::position) else { return Ok(None) };
        let value = self.judge.value(&position).map_err(|failure| EvaluateError::Failed {
            name: self.name.to_owned(),
            position: position.to_string(),
            words: failure.words,
        })?;
        Ok(value.map(|value| value as f32))
    }
}

/// Why values cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EvaluateError {
    #[error(transparent)]
    Judge(#[from] JudgeError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("{name} gives no values")]
    Nobody { name: String },
    #[error("{name} failed at {position}: {words}")]
    Failed { name: String, position: String, words: String },
    #[error("cannot keep what was found: {0}")]
    Cache(#[from] io::Error),
}

impl Study {
    /// The samples that count and have a value, with it.
    fn known<'a>(&self, samples: &'a [Sample], values: &Outcome) -> Vec<(&'a Sample, f64)> {
        let known = samples.iter().zip(values).filter(|(sample, _)| self.draws || sample.result != 0.5);
        known.filter_map(|(sample, value)| Some((sample, (*value)?))).collect()
    }

    /// The width of the intervals for players of these values.
    #[must_use]
    pub fn width(&self, samples: &[Sample], players: &[Outcome]) -> f64 {
        let values_by_game = |values: &Outcome| {
            self.known(samples, values).into_iter().map(|(sample, value)| (sample.game, value)).collect()
        };
        self.delta.unwrap_or_else(|| {
            let players: Vec<Vec<(u32, f64)>> = players.iter().map(values_by_game).collect();
            choose_delta(&players, self.clip)
        })
    }
}

/// The curve, the numbers and the splits of a player's values, in intervals of the width `delta`; with a `scale` the values are
/// win rates that it made centipawns of.
#[must_use]
pub fn analyse(
    name: &str,
    samples: &[Sample],
    values: &Outcome,
    study: &Study,
    delta: f64,
    scale: Option<LogisticScale>,
) -> PlayerCurve {
    let known = study.known(samples, values);
    let data: Vec<(f64, f64)> = known.iter().map(|(sample, value)| (*value, sample.result)).collect();
    let curve = Curve::of(&data, delta, study.least, study.clip);
    let mut phases = [0; PHASES];
    known.iter().for_each(|(sample, _)| phases[sample.phase()] += 1);
    let splits = study.conditions.iter().map(|condition| {
        let meets = known.iter().filter(|(sample, _)| condition.holds(sample.features()));
        let meets: Vec<&(&Sample, f64)> = meets.collect();
        split_test(conditioned(&condition.to_string(), &meets, study, delta, &phases), &curve)
    });
    PlayerCurve {
        name: name.to_owned(),
        metrics: Metrics::of(&data, study.clip),
        rising: curve.rising(),
        splits: splits.collect(),
        win_rates: scale.map(|scale| WinRateCurve::of(&data, scale, study.least)),
        curve,
    }
}

/// What is known of the positions that meet a condition.
fn conditioned<'a>(
    condition: &'a str,
    meets: &[&(&Sample, f64)],
    study: &Study,
    delta: f64,
    phases: &[usize; PHASES],
) -> Conditioned<'a> {
    let pair = |(sample, value): &(&Sample, f64)| (*value, sample.result);
    let pairs: Vec<(f64, f64)> = meets.iter().map(|known| pair(known)).collect();
    let by_phase: Vec<(usize, (f64, f64))> =
        meets.iter().map(|known| (known.0.phase(), pair(known))).collect();
    let mixed = balanced(&by_phase, phases);
    Conditioned {
        condition,
        data: meets.iter().map(|(sample, value)| (sample.game, *value, sample.result)).collect(),
        curve: Curve::of(&pairs, delta, study.least, study.clip),
        numbers: ShortMetrics::of(&pairs, study.clip),
        balanced: (!mixed.is_empty()).then(|| ShortMetrics::of(&mixed, study.clip)),
    }
}
