//! Screening: what many parameters are worth, all told by the same games (a two-level design by chance; Plackett and Burman 1946
//! for the idea of moving all factors at once).
//!
//! In every pair of games each factor falls to one player at one of its two values and to the other at the other. A factor's
//! effect is how much better whoever had its second value did; what the other factors do cancels out by chance. So n games tell
//! of every factor what n games of a match would tell of one.

use contract::Rng;
use engine::OwnSpec;
use runs::{Coordinator, Header, Opening, OpeningFacts, Pool, RunDir, RunDirError};
use serde::{Deserialize, Serialize};

use super::pair::{Arena, StepJob};
use super::{STEPS, SpsaParam, Step, TuneError};
use crate::matches::Conditions;
use crate::stats::{CONFIDENCE, elo_of_score, two_sided};

/// A parameter and the two values that meet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Its name in the method's table.
    pub name: String,
    /// What one player has.
    pub from: f64,
    /// What the other has.
    pub to: f64,
}

/// All that a screening depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScreenManifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// The player.
    pub player: String,
    /// The player with nothing left open.
    pub resolved: String,
    /// Its factors.
    pub factors: Vec<Factor>,
    /// Pairs of games.
    pub pairs: u64,
    /// The conditions of the games.
    pub conditions: Conditions,
    /// The openings.
    pub openings: OpeningFacts,
    /// The seed.
    pub seed: u64,
}

/// What a factor is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The factor.
    #[serde(flatten)]
    pub factor: Factor,
    /// Elo of its second value above its first.
    pub elo: f64,
    /// Half width of the 95 % interval.
    pub error: f64,
    /// How often chance alone makes it look as large.
    pub p: f64,
}

/// What came of a screening, under the names of `result.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScreenResult {
    /// Pairs that were played.
    pub pairs: u64,
    /// Pairs there shall be.
    pub of: u64,
    /// The clearest first.
    pub effects: Vec<Effect>,
}

impl ScreenManifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "screen";
}

impl Factor {
    /// A parameter of the method with its two values: `NAME=FROM..TO`, which may fall, or `NAME=TO` from where it stands.
    pub fn read(text: &str, method: &engine::MethodSpec) -> Result<Factor, super::SpsaParamError> {
        let (name, range) = text.split_once('=').unwrap_or((text, ""));
        let param = SpsaParam::read(name, method)?;
        let wrong = || super::SpsaParamError::Range {
            name: param.name.clone(),
            least: param.min,
            most: param.max,
            found: range.to_owned(),
        };
        let number = |text: &str| {
            text.trim().parse().ok().filter(|value: &f64| (param.min..=param.max).contains(value))
        };
        let ends = match range.split_once("..") {
            Some((from, to)) => number(from).zip(number(to)),
            None => number(range).map(|to| (param.start, to)),
        };
        let (from, to) = ends.filter(|(from, to)| from != to).ok_or_else(wrong)?;
        Ok(Factor { name: param.name, from, to })
    }
}

/// Which factors have their second value with the first player of a pair.
fn sides(factors: usize, seed: u64, pair: u64) -> Vec<bool> {
    let mut rng = Rng::new(seed ^ (pair + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    (0..factors).map(|_| rng.draw() >> 63 == 0).collect()
}

/// A screening, ready to go.
pub struct Screening<'a> {
    /// What it is.
    pub manifest: &'a ScreenManifest,
    /// The player.
    pub player: &'a OwnSpec,
    /// From where games begin.
    pub openings: &'a [Opening],
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// Pairs at a time; changes nothing about them.
    pub concurrency: usize,
}

impl Screening<'_> {
    /// The pairs that were played, by number.
    pub fn so_far(&self) -> Result<Vec<Step>, RunDirError> {
        let mut rows: Vec<Step> = self.dir.read_log(STEPS)?;
        rows.sort_by_key(|row| row.step);
        rows.dedup_by_key(|row| row.step);
        rows.retain(|row| row.step < self.manifest.pairs);
        Ok(rows)
    }

    /// Plays what is left; blocks until it is over or stopped. `each` hears of every pair.
    pub fn run(&self, each: &mut (dyn FnMut(&Step) + Send)) -> Result<ScreenResult, TuneError> {
        let done = self.so_far()?;
        let is_done = |pair: &u64| done.binary_search_by_key(pair, |row| row.step).is_ok();
        let left = (0..self.manifest.pairs).filter(|pair| !is_done(pair));
        let mut course = Course { screening: self, left, log: self.dir.append_to(STEPS)?, each };
        let stop = || self.dir.is_stopped();
        Pool::new(self.concurrency).until(&stop).run(&mut course, || Ok(self.arena()))?;
        drop(course);
        Ok(self.manifest.result(&self.so_far()?))
    }

    fn arena(&self) -> Arena<'_> {
        let ScreenManifest { factors, conditions, pairs, seed, .. } = self.manifest;
        let names = factors.iter().map(|factor| factor.name.as_str()).collect();
        let (player, openings) = (self.player, self.openings);
        Arena { player, names, openings, conditions, steps: *pairs, seed: *seed }
    }
}

impl ScreenManifest {
    /// The settings that meet in a pair.
    fn contestants(&self, pair: u64) -> [Vec<f64>; 2] {
        let sides = sides(self.factors.len(), self.seed, pair);
        [true, false].map(|way| {
            let settings = self.factors.iter().zip(&sides);
            settings.map(|(factor, &side)| if side == way { factor.to } else { factor.from }).collect()
        })
    }

    /// What the pairs tell.
    #[must_use]
    pub fn result(&self, rows: &[Step]) -> ScreenResult {
        let n = rows.len().max(1) as f64;
        let surplus = |row: &Step| (row.half_points.min(4) as f64 - 2.0) / 4.0;
        let square: f64 = rows.iter().map(|row| surplus(row).powi(2)).sum();
        let standard_error = (square / n / n).sqrt();
        let mut sums = vec![0.0; self.factors.len()];
        for row in rows {
            for (sum, side) in sums.iter_mut().zip(sides(self.factors.len(), self.seed, row.step)) {
                *sum += if side { surplus(row) } else { -surplus(row) };
            }
        }
        let effect = |(factor, sum): (&Factor, f64)| {
            let (share, half_width) = (sum / n, CONFIDENCE * standard_error);
            let elo = |share: f64| elo_of_score((0.5 + share).clamp(LEAST, 1.0 - LEAST));
            let p = if standard_error > 0.0 { two_sided(share / standard_error) } else { 1.0 };
            Effect { factor: factor.clone(), elo: elo(share), error: elo(half_width), p }
        };
        let mut effects: Vec<Effect> = self.factors.iter().zip(sums).map(effect).collect();
        effects.sort_by(|a, b| a.p.total_cmp(&b.p));
        ScreenResult { pairs: rows.len() as u64, of: self.pairs, effects }
    }
}

/// Scores nearer to none or all are told as this.
const LEAST: f64 = 0.001;

/// The pairs that are left.
struct Course<'a, 'e, L> {
    screening: &'a Screening<'a>,
    left: L,
    log: runs::Log,
    each: &'e mut (dyn FnMut(&Step) + Send),
}

impl<L: Iterator<Item = u64> + Send> Coordinator for Course<'_, '_, L> {
    type Job = StepJob;
    type Error = TuneError;

    fn next_batch(&mut self) -> Option<Vec<StepJob>> {
        let step = self.left.next()?;
        Some(vec![StepJob { step, contestants: self.screening.manifest.contestants(step) }])
    }

    fn accept(&mut self, _: &StepJob, output: Step) -> Result<(), TuneError> {
        self.log.append(&output)?;
        (self.each)(&output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(pairs: u64) -> ScreenManifest {
        let factor = |name: &str| Factor { name: name.to_owned(), from: 1.0, to: 2.0 };
        ScreenManifest {
            header: Header::of_this_program(ScreenManifest::KIND),
            player: String::new(),
            resolved: String::new(),
            factors: vec![factor("good"), factor("bad"), factor("nothing")],
            pairs,
            conditions: Conditions::usual(crate::matches::TimeControl::Nodes(1), 2),
            openings: runs::OpeningSet::own().unwrap().facts,
            seed: 4,
        }
    }

    #[test]
    fn effects_are_told_apart_by_the_same_games() {
        let manifest = manifest(20_000);
        let mut rng = Rng::new(8);
        // Elo 60 for the first factor, -30 for the second.
        let strength = |values: &[f64]| 60.0 * values[0] - 30.0 * values[1];
        let rows: Vec<Step> = (0..20_000)
            .map(|step| {
                let [with, against] = manifest.contestants(step);
                let p = crate::stats::score_of_elo(strength(&with) - strength(&against));
                let half_points = (0..2).map(|_| if rng.unit() < p { 2 } else { 0 }).sum();
                Step { step, half_points }
            })
            .collect();
        let result = manifest.result(&rows);
        for effect in &result.effects {
            let truth = match effect.factor.name.as_str() {
                "good" => 60.0,
                "bad" => -30.0,
                _ => 0.0,
            };
            assert!((effect.elo - truth).abs() < 2.0 * effect.error && effect.error < 4.0, "{effect:?}");
        }
        assert_eq!(result.effects[0].factor.name, "good");
        assert!(result.effects[2].p > 0.01);
    }

    #[test]
    fn each_of_two_players_has_one_of_both_values() {
        let manifest = manifest(10);
        for pair in 0..10 {
            let [with, against] = manifest.contestants(pair);
            assert!(with.iter().zip(&against).all(|(a, b)| a + b == 3.0));
        }
    }

    #[test]
    fn factors_are_read_and_refused() {
        let method = engine::MethodSpec::named("alphabeta").unwrap();
        let read = |text| Factor::read(text, &method);
        let factor = read("Null_Z=50..-20").unwrap();
        assert_eq!((factor.name.as_str(), factor.from, factor.to), ("null_z", 50.0, -20.0));
        let start = read("plain=1").unwrap();
        assert_eq!((start.from, start.to), (0.0, 1.0));
        for text in ["null_z", "null_z=5..5", "null_z=1..9999", "null_z=x", "nothing=1..2"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
