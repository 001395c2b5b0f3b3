//! A pair of games between two settings of one player.

use engine::{OwnSpec, PlayerSpec};
use runs::{Job, Opening, Worker};
use serde::{Deserialize, Serialize};

use super::{Step, TuneError};
use crate::matches::{Conditions, Format, Schedule, Table, play};
use crate::seat::take_seat;

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

/// Where pairs are played; the players are others in every step.
#[derive(Clone)]
pub(super) struct Arena<'a> {
    /// The player whose parameters are moved.
    pub(super) player: &'a OwnSpec,
    /// Which ones, in the order of their values.
    pub(super) names: Vec<&'a str>,
    pub(super) openings: &'a [Opening],
    pub(super) conditions: &'a Conditions,
    /// Steps in all.
    pub(super) steps: u64,
    pub(super) seed: u64,
}

impl Arena<'_> {
    /// The player with these parameters, rounded as its table has them.
    pub(super) fn moved(&self, values: &[f64]) -> Result<PlayerSpec, engine::SpecError> {
        let mut spec = self.player.clone();
        for (name, &value) in self.names.iter().zip(values) {
            let known = spec.method.parameter(name);
            let text = known.and_then(|known| known.kind.text_of(value));
            spec.set(name, &text.unwrap_or_else(|| value.to_string()))?;
        }
        Ok(PlayerSpec::Own(Box::new(spec)))
    }
}

impl Worker<StepJob> for Arena<'_> {
    type Error = TuneError;

    fn perform(&mut self, job: &StepJob) -> Result<Step, TuneError> {
        let (step, conditions) = (job.step, self.conditions);
        let rules = conditions.rules();
        let [with, against] = &job.contestants;
        let mut first = take_seat(&self.moved(with)?, rules)?;
        let mut second = take_seat(&self.moved(against)?, rules)?;
        let pairs = self.steps * 2;
        let unit = Schedule::new(2, Format::RoundRobin, self.openings.len(), pairs, self.seed).unit(step);
        let mut half_points = 0;
        for game in 0..2 {
            let table = Table { unit, game, opening: &self.openings[unit.opening], conditions };
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
