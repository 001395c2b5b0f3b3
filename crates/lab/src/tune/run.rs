//! A tuning with real games.

use std::collections::BTreeMap;

use engine::{OwnSpec, PlayerSpec};
use runs::{Header, Job, Opening, OpeningFacts, Pool, PoolError, RunDir, RunDirError, Worker};
use serde::{Deserialize, Serialize};

use super::{Spsa, SpsaParam, Step};
use crate::matches::{Conditions, Format, Schedule, Table, play};
use crate::seat::{SeatError, take_seat};

/// The log of steps.
pub const STEPS: &str = "steps.jsonl";

/// All that a tuning depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneManifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// The player.
    pub player: String,
    /// The player with nothing left open.
    #[serde(default)]
    pub resolved: String,
    /// Its parameters.
    #[serde(rename = "dials")]
    pub params: Vec<SpsaParam>,
    /// Steps, a pair of games each.
    pub steps: u64,
    /// How far a half point moves a parameter at the end, in its `c_end`.
    #[serde(default = "usual_rate")]
    pub rate: f64,
    /// Steps that are played together before their outcomes are followed.
    pub batch: u64,
    /// The conditions of the games.
    pub conditions: Conditions,
    /// The openings.
    pub openings: OpeningFacts,
    /// The seed.
    pub seed: u64,
}

fn usual_rate() -> f64 {
    super::USUAL_RATE
}

impl TuneManifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "tune";

    /// The course before the first step.
    fn course(&self) -> Spsa {
        Spsa::new(self.params.clone(), self.steps, self.rate, self.seed)
    }
}

/// What came of a tuning, under the names of `result.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneResult {
    /// Steps there shall be.
    pub of: u64,
    /// The player with the parameters so far.
    pub player: String,
    /// Steps that were made.
    pub steps: u64,
    /// The parameters so far, before they are rounded.
    pub values: BTreeMap<String, f64>,
}

/// A tuning, ready to go.
pub struct Tuning<'a> {
    /// What it is.
    pub manifest: &'a TuneManifest,
    /// The player to tune.
    pub player: &'a OwnSpec,
    /// From where games begin.
    pub openings: &'a [Opening],
    /// Where it is kept.
    pub dir: &'a RunDir,
}

/// Why a tuning cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TuneError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error(transparent)]
    Seat(#[from] SeatError),
    #[error(transparent)]
    Spec(#[from] engine::SpecError),
}

/// One step: a pair of games between the player moved one way and the other way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepJob {
    /// Its number.
    pub step: u64,
    /// The parameters of both.
    pub contestants: [Vec<f64>; 2],
}

impl Job for StepJob {
    type Output = Step;

    fn id(&self) -> u64 {
        self.step
    }
}

/// One worker's place; the players are others in every step.
struct Pair<'a> {
    tuning: &'a Tuning<'a>,
}

impl Worker<StepJob> for Pair<'_> {
    type Error = TuneError;

    fn perform(&mut self, job: &StepJob) -> Result<Step, TuneError> {
        let Tuning { manifest, openings, .. } = *self.tuning;
        let (step, conditions) = (job.step, &manifest.conditions);
        let rules = conditions.rules();
        let [with, against] = &job.contestants;
        let mut first = take_seat(&self.tuning.moved(with)?, rules)?;
        let mut second = take_seat(&self.tuning.moved(against)?, rules)?;
        let pairs = manifest.steps * 2;
        let unit = Schedule::new(2, Format::RoundRobin, openings.len(), pairs, manifest.seed).unit(step);
        let mut half_points = 0;
        for game in 0..2 {
            let table = Table { unit, game, opening: &openings[unit.opening], conditions };
            let row = if game == 0 {
                play(&table, [first.as_mut(), second.as_mut()])
            } else {
                play(&table, [second.as_mut(), first.as_mut()])
            };
            half_points += row.first_half_points();
        }
        Ok(Step { step, half_points })
    }
}

impl Tuning<'_> {
    /// The course so far and how many steps it has.
    pub fn so_far(&self) -> Result<(Spsa, u64), RunDirError> {
        let mut spsa = self.manifest.course();
        let mut rows: Vec<Step> = self.dir.read_log(STEPS)?;
        // Within a batch the order of ending is chance; that of numbers is not. What follows a torn batch is played
        // again, under the parameters it would have had.
        rows.sort_by_key(|row| row.step);
        // A step that was played again counts as it was played last: that is what was followed.
        rows.dedup_by(|later, earlier| {
            let same = later.step == earlier.step;
            if same {
                *earlier = *later;
            }
            same
        });
        let whole = (0..).zip(&rows).take_while(|(number, row)| row.step == *number).count() as u64;
        let done = if whole == self.manifest.steps {
            whole
        } else {
            whole / self.manifest.batch * self.manifest.batch
        };
        rows.iter().take(done as usize).for_each(|row| spsa.learn(*row));
        Ok((spsa, done))
    }

    /// Plays what is left; blocks until it is over or stopped. `each` gets the parameters after each batch.
    pub fn run(&self, each: &mut dyn FnMut(u64, &Spsa)) -> Result<Spsa, TuneError> {
        let (mut spsa, mut done) = self.so_far()?;
        let mut log = self.dir.append_to(STEPS)?;
        while done < self.manifest.steps && !self.dir.is_stopped() {
            let batch = done..(done + self.manifest.batch).min(self.manifest.steps);
            let outcomes = self.play_batch(&spsa, batch.clone())?;
            for outcome in outcomes {
                log.append(&outcome)?;
                spsa.learn(outcome);
            }
            done = batch.end;
            each(done, &spsa);
        }
        Ok(spsa)
    }

    /// What has come of it.
    pub fn result(&self, spsa: &Spsa) -> Result<TuneResult, TuneError> {
        let names = spsa.params().iter().map(|param| param.name.clone());
        Ok(TuneResult {
            of: self.manifest.steps,
            player: self.moved(spsa.values())?.to_string(),
            steps: self.so_far()?.1,
            values: names.zip(spsa.values().iter().copied()).collect(),
        })
    }

    /// Plays a batch of steps under the parameters of its beginning; a stop waits for its end.
    fn play_batch(&self, spsa: &Spsa, batch: std::ops::Range<u64>) -> Result<Vec<Step>, TuneError> {
        let job = |step| StepJob { step, contestants: spsa.contestants(step) };
        let jobs: Vec<StepJob> = batch.map(job).collect();
        Pool::new(jobs.len()).perform_all(jobs, || Ok(Pair { tuning: self }))
    }

    /// The player with these parameters, rounded as its table has them.
    pub fn moved(&self, values: &[f64]) -> Result<PlayerSpec, engine::SpecError> {
        let mut spec = self.player.clone();
        for (param, &value) in self.manifest.params.iter().zip(values) {
            let known = spec.method.parameter(&param.name);
            let text = known.and_then(|known| known.kind.text_of(value));
            spec.set(&param.name, &text.unwrap_or_else(|| value.to_string()))?;
        }
        Ok(PlayerSpec::Own(Box::new(spec)))
    }
}
