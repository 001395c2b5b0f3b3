//! A tuning with real games.

use std::collections::BTreeMap;

use engine::{OwnSpec, PlayerSpec};
use runs::{Header, Opening, OpeningFacts, Pool, PoolError, RunDir, RunDirError};
use serde::{Deserialize, Serialize};

use super::pair::{Arena, StepJob};
use super::{Spsa, SpsaParam, Step};
use crate::matches::Conditions;
use crate::seat::SeatError;

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
        Pool::new(jobs.len()).perform_all(jobs, || Ok(self.arena()))
    }

    /// The player with these parameters, rounded as its table has them.
    pub fn moved(&self, values: &[f64]) -> Result<PlayerSpec, engine::SpecError> {
        self.arena().moved(values)
    }

    fn arena(&self) -> Arena<'_> {
        let TuneManifest { params, conditions, steps, seed, .. } = self.manifest;
        let names = params.iter().map(|param| param.name.as_str()).collect();
        let (player, openings) = (self.player, self.openings);
        Arena { player, names, openings, conditions, steps: *steps, seed: *seed }
    }
}
