//! What kinds of move should take from the depth, tuned while playing: equation (3) of "search extension by kind of move"
//! (2001; see `docs/kinds.md`).
//!
//! After each own move the value of the position under the costs e is compared with a better one F, and e goes the way that
//! would have brought it nearer:
//!
//! ```text
//! e <- e + alpha (F(p) - f(p, e)) (f(p, e + delta) - f(p, e)) / delta
//! ```
//!
//! which is a step down the slope of (F - f)² / 2. Values are chances to win: in pawns, a few positions that are won or lost
//! by far would decide everything. F is a search one ply deeper, as in the paper, or what the player itself
//! thinks at its next move (temporal differences, which the paper leaves open).
//!
//! With a whole base depth and costs near a ply, f is a staircase: most small shifts change nothing, and at e = 1 no shift up
//! ever does. So the depth at which lines end is drawn anew for every position, from none to a whole ply, and is the same for
//! f with and without a shift: in the mean over such draws f rises and falls smoothly with e.

use std::collections::BTreeMap;

use contract::params::Words;
use contract::{LogisticScale, Rng};
use engine::{Agent, AgentError, Defaults, Nets, OwnSpec, Request, SearchFailed, SpecError};
use plot::{Axis, Chart, Kind, Point, Series};
use runs::{Header, Opening, OpeningFacts, RunDir, RunDirError, Seeds};
use search::alphabeta::{Kinds, KindsError};
use search::{Choice, Control, Limits, Score};
use serde::{Deserialize, Serialize};
use shogi::{Color, Position};

/// The log: a row for each game with all of its updates.
pub const UPDATES: &str = "updates.jsonl";
/// Parts of a ply in which costs are told.
const PERCENT: f64 = 100.0;
/// Costs stay where searches end and games can be played.
const RANGE: std::ops::RangeInclusive<f64> = 0.2..=3.0;
/// How many more positions the deeper search may visit.
const DEEPER_NODES: i64 = 5;

/// What the value of a position is drawn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// A search one ply deeper.
    Deeper,
    /// What the player thinks at its next move.
    Next,
}

impl Words for Target {
    const WORDS: &'static [(&'static str, Target)] = &[("deeper", Target::Deeper), ("next", Target::Next)];
}

/// All that a tuning of kinds depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindsManifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// The player that learns.
    pub player: String,
    /// Whom it plays.
    pub opponent: String,
    /// The kinds whose costs are learned, as [`Kinds`] names them.
    pub kinds: Vec<String>,
    /// Updates there shall be.
    pub updates: u64,
    /// The step size.
    pub alpha: f64,
    /// The small shift, in plies.
    pub delta: f64,
    /// What values are drawn to.
    pub target: Target,
    /// Whether the depth at which lines end is drawn for every position.
    pub dither: bool,
    /// After this ply a game is a draw.
    pub max_moves: u16,
    /// The openings.
    pub openings: OpeningFacts,
    /// Which opening comes first.
    pub seed: u64,
}

impl KindsManifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "tune-kinds";
}

/// One update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// The value under the costs before, as a chance to win.
    pub value: f64,
    /// What it was drawn to.
    pub target: f64,
    /// The values with each cost shifted.
    pub shifted: Vec<f64>,
    /// The costs afterwards, in plies.
    pub costs: Vec<f64>,
}

/// The updates of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameUpdates {
    /// Its number.
    pub game: u64,
    /// Half points of the player that learns; `None` if the run ended before the game.
    pub half_points: Option<usize>,
    /// Its updates in order.
    pub updates: Vec<Update>,
}

/// What came of it, under the names of `result.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindsResult {
    /// Updates that were made.
    pub updates: u64,
    /// Updates there shall be.
    pub of: u64,
    /// Games that were begun.
    pub games: u64,
    /// Half points of the player that learned.
    pub half_points: usize,
    /// The costs so far, in plies.
    pub costs: BTreeMap<String, f64>,
    /// The player with them.
    pub player: String,
}

/// Why a tuning of kinds cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum KindsTuneError {
    #[error("{name} is no kind of move: {error}")]
    Name { name: String, error: KindsError },
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Search(#[from] SearchFailed),
}

/// Equation (3): the costs after an update. All values are of one position, for one side.
#[must_use]
pub fn step(costs: &[f64], value: f64, target: f64, shifted: &[f64], alpha: f64, delta: f64) -> Vec<f64> {
    let moved = |(cost, shifted): (&f64, &f64)| {
        let slope = (shifted - value) / delta;
        (cost + alpha * (target - value) * slope).clamp(*RANGE.start(), *RANGE.end())
    };
    costs.iter().zip(shifted).map(moved).collect()
}

/// A tuning of kinds, ready to go.
pub struct KindsTuning<'a> {
    /// What it is.
    pub manifest: &'a KindsManifest,
    /// The player that learns.
    pub player: &'a OwnSpec,
    /// Whom it plays.
    pub opponent: &'a OwnSpec,
    /// From where games begin.
    pub openings: &'a [Opening],
    /// Where it is kept.
    pub dir: &'a RunDir,
}

/// How far a tuning has come.
#[derive(Clone, Debug, Default)]
struct Course {
    costs: Vec<f64>,
    updates: u64,
    games: u64,
    half_points: usize,
}

/// A position to be valued, and the depth at which lines end there, in 64ths of a ply; as the player has it if none is drawn.
struct Asked<'a> {
    position: &'a Position,
    leaf: Option<u64>,
}

/// Parts of a ply at which lines may end.
const LEAVES: u64 = 64;

/// A value that waits for the next one to be drawn to.
struct Waiting {
    value: f64,
    shifted: Vec<f64>,
}

impl KindsTuning<'_> {
    /// Plays until there are as many updates as there shall be, or it is stopped; blocks meanwhile. `each` hears how many
    /// there are after each game.
    pub fn run(&self, each: &mut dyn FnMut(u64)) -> Result<KindsResult, KindsTuneError> {
        check_names(&self.manifest.kinds)?;
        let mut course = self.so_far()?;
        let mut log = self.dir.append_to(UPDATES)?;
        while course.updates < self.manifest.updates && !self.dir.is_stopped() {
            let row = self.play_game(&course)?;
            log.append(&row)?;
            course.follow(&row);
            each(course.updates);
        }
        self.result(&course)
    }

    /// How many updates were made before.
    pub fn before(&self) -> Result<u64, KindsTuneError> {
        Ok(self.so_far()?.updates)
    }

    fn so_far(&self) -> Result<Course, KindsTuneError> {
        let costs = vec![1.0; self.manifest.kinds.len()];
        let mut course = Course { costs, ..Course::default() };
        let rows: Vec<GameUpdates> = self.dir.read_log(UPDATES)?;
        rows.iter().for_each(|row| course.follow(row));
        Ok(course)
    }

    fn result(&self, course: &Course) -> Result<KindsResult, KindsTuneError> {
        let names = self.manifest.kinds.iter().cloned();
        Ok(KindsResult {
            updates: course.updates,
            of: self.manifest.updates,
            games: course.games,
            half_points: course.half_points,
            costs: names.zip(course.costs.iter().copied()).collect(),
            player: self.with_costs(&course.costs)?.to_string(),
        })
    }

    /// The player with these costs.
    fn with_costs(&self, costs: &[f64]) -> Result<OwnSpec, KindsTuneError> {
        let list: Vec<String> = self.manifest.kinds.iter().zip(costs).map(entry).collect();
        let mut spec = self.player.clone();
        let said = spec.said("kinds").map(|before| format!("{before};")).unwrap_or_default();
        spec.set("kinds", &format!("{said}{}", list.join(";")))?;
        Ok(spec)
    }

    /// The same, looking a ply deeper.
    fn deeper(&self, costs: &[f64]) -> Result<OwnSpec, KindsTuneError> {
        let mut spec = self.with_costs(costs)?;
        let settings = spec.resolve(&Defaults::matches()).settings;
        spec.set("depth_limit", &(settings.depth_limit + 1).to_string())?;
        spec.set("nodes_limit", &(settings.nodes_limit * DEEPER_NODES).to_string())?;
        Ok(spec)
    }

    fn play_game(&self, course: &Course) -> Result<GameUpdates, KindsTuneError> {
        let manifest = self.manifest;
        let game = course.games;
        let opening = &self.openings[((manifest.seed + game / 2) % self.openings.len() as u64) as usize];
        let ours = if game.is_multiple_of(2) { Color::Black } else { Color::White };
        let mut position = opening.position();
        let mut opponent = Thinker::new(self.opponent)?;
        let mut row = GameUpdates { game, half_points: None, updates: Vec::new() };
        let mut costs = course.costs.clone();
        let mut waiting: Option<Waiting> = None;
        let mut rng = Rng::new(Seeds::of_run(manifest.seed).of_job(game));
        while course.updates + (row.updates.len() as u64) < manifest.updates {
            if let Some(end) = position.game_end(manifest.max_moves) {
                row.half_points = Some(end.result(position.side()).seen_by(ours).half_points());
                break;
            }
            let chosen = if position.side() == ours {
                let leaf = manifest.dither.then(|| 1 + rng.draw() % LEAVES);
                if let Some(update) =
                    self.update(&Asked { position: &position, leaf }, &costs, &mut waiting)?
                {
                    costs.clone_from(&update.costs);
                    row.updates.push(update);
                }
                Thinker::new(&self.with_costs(&costs)?)?.think(&position)?.0
            } else {
                opponent.think(&position)?.0
            };
            match chosen {
                Choice::Move(m) => {
                    position.play(m);
                }
                Choice::Declare | Choice::Resign => {
                    let wins = (chosen == Choice::Declare) == (position.side() == ours);
                    row.half_points = Some(if wins { 2 } else { 0 });
                    break;
                }
            }
        }
        Ok(row)
    }

    /// Compares what the player thinks of its position with the target, and moves the costs; nothing where a value is a mate
    /// or not known.
    fn update(
        &self,
        asked: &Asked<'_>,
        costs: &[f64],
        waiting: &mut Option<Waiting>,
    ) -> Result<Option<Update>, KindsTuneError> {
        let KindsManifest { alpha, delta, target, .. } = *self.manifest;
        let before = waiting.take();
        let Some(value) = value_of(self.with_costs(costs)?, asked)? else { return Ok(None) };
        let Some(shifted) = self.shifted(asked, costs)? else { return Ok(None) };
        let (of, towards) = match target {
            Target::Deeper => {
                // With the same draw it would end its lines where f does whenever a shift matters.
                let deeper = value_of(self.deeper(costs)?, &Asked { leaf: None, ..*asked })?;
                (Some(Waiting { value, shifted }), deeper)
            }
            Target::Next => {
                *waiting = Some(Waiting { value, shifted });
                (before, Some(value))
            }
        };
        let (Some(Waiting { value, shifted }), Some(target)) = (of, towards) else { return Ok(None) };
        let costs = step(costs, value, target, &shifted, alpha, delta);
        Ok(Some(Update { value, target, shifted, costs }))
    }

    /// The values of the position with each cost shifted.
    fn shifted(&self, asked: &Asked<'_>, costs: &[f64]) -> Result<Option<Vec<f64>>, KindsTuneError> {
        let mut values = Vec::with_capacity(costs.len());
        for i in 0..costs.len() {
            let mut moved = costs.to_vec();
            moved[i] += self.manifest.delta;
            match value_of(self.with_costs(&moved)?, asked)? {
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }
}

/// What a player thinks of a position, as a chance to win.
fn value_of(mut spec: OwnSpec, asked: &Asked<'_>) -> Result<Option<f64>, KindsTuneError> {
    if let Some(leaf) = asked.leaf {
        spec.set("leaf_depth", &leaf.to_string())?;
    }
    Ok(Thinker::new(&spec)?.think(asked.position)?.1)
}

impl Course {
    fn follow(&mut self, row: &GameUpdates) {
        if let Some(last) = row.updates.last() {
            self.costs.clone_from(&last.costs);
        }
        self.updates += row.updates.len() as u64;
        self.games += 1;
        self.half_points += row.half_points.unwrap_or(0);
    }
}

/// A cost as [`Kinds::read_list`] takes it, in whole percent of a ply.
fn entry((name, cost): (&String, &f64)) -> String {
    let cost = (cost.clamp(*RANGE.start(), *RANGE.end()) * PERCENT).round();
    format!("{name}={cost}")
}

/// Refuses what is no kind.
pub fn check_names(names: &[String]) -> Result<(), KindsTuneError> {
    for name in names {
        Kinds::default()
            .read_list(&format!("{name}=100"))
            .map_err(|error| KindsTuneError::Name { name: name.clone(), error })?;
    }
    Ok(())
}

/// A player that is asked about positions by themselves.
struct Thinker {
    agent: Agent,
    depth: u32,
    scale: LogisticScale,
}

impl Thinker {
    fn new(spec: &OwnSpec) -> Result<Thinker, KindsTuneError> {
        let resolved = spec.resolve(&Defaults::matches());
        let (depth, scale) = (resolved.settings.depth_limit as u32, resolved.scale());
        Ok(Thinker { agent: Agent::new(&resolved, &mut Nets::default())?, depth, scale })
    }

    /// Its move, and the value as a chance to win; no value if it is a mate, or the search did not come to its depth.
    fn think(&mut self, position: &Position) -> Result<(Choice, Option<f64>), KindsTuneError> {
        let request = Request::new(position, Limits::default());
        let answer = self.agent.play(&request, &Control::new(), &mut |_| {})?;
        let is_whole = answer.depth.is_some_and(|depth| depth >= self.depth);
        let value = match answer.score {
            Some(Score::Centipawns(value)) if is_whole => Some(self.scale.win_rate(f64::from(value))),
            _ => None,
        };
        Ok((answer.choice, value))
    }
}

/// The costs over the updates, as figures 3 to 5 of the paper show them.
pub fn chart(dir: &RunDir, kinds: &[String]) -> Result<Chart, RunDirError> {
    let rows: Vec<GameUpdates> = dir.read_log(UPDATES)?;
    let courses: Vec<&Vec<f64>> =
        rows.iter().flat_map(|row| &row.updates).map(|update| &update.costs).collect();
    let thinned = courses.len().div_ceil(POINTS).max(1);
    let series = kinds.iter().enumerate().map(|(i, name)| {
        let point = |(number, costs): (usize, &&Vec<f64>)| Point {
            x: (number + 1) as f64,
            y: costs[i],
            ..Point::default()
        };
        let first = Point { x: 0.0, y: 1.0, ..Point::default() };
        let points = courses.iter().enumerate().step_by(thinned).map(point);
        let points = std::iter::once(first).chain(points).collect();
        Series { name: name.clone(), kind: Kind::Trace, colour: i, points }
    });
    let series: Vec<Series> = series.collect();
    let heights = series.iter().flat_map(|series| &series.points).map(|point| point.y);
    let y = Axis::around(heights.chain([1.0]));
    let x = Axis::new(0.0, courses.len().max(1) as f64);
    Ok(Chart::new("What kinds of move take from the depth", ("updates", x), ("plies", y), series))
}

/// Points of a line beyond which nobody sees more.
const POINTS: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    /// A value that depends on two costs in a way that is known.
    fn toy(costs: &[f64]) -> f64 {
        1.5 * costs[0] * costs[0] - 0.7 * costs[1] + 0.3 * costs[0] * costs[1]
    }

    #[test]
    fn a_step_goes_down_the_slope_of_the_squared_error() {
        let (costs, target, alpha, delta) = ([0.9, 1.2], 2.0, 1e-3, 1e-6);
        let shift = |i: usize, by: f64| {
            let mut moved = costs;
            moved[i] += by;
            moved
        };
        let shifted: Vec<f64> = (0..2).map(|i| toy(&shift(i, delta))).collect();
        let after = step(&costs, toy(&costs), target, &shifted, alpha, delta);
        for i in 0..2 {
            let error = |by: f64| (target - toy(&shift(i, by))).powi(2) / 2.0;
            let slope = (error(1e-5) - error(-1e-5)) / 2e-5;
            assert!((after[i] - (costs[i] - alpha * slope)).abs() < 1e-7, "{after:?}");
        }
    }

    #[test]
    fn steps_bring_the_value_to_its_target_and_stay_in_range() {
        let mut costs = vec![1.0, 1.0];
        for _ in 0..2000 {
            let shifted: Vec<f64> = (0..2)
                .map(|i| toy(&[costs[0] + 0.01 * f64::from(i == 0), costs[1] + 0.01 * f64::from(i == 1)]))
                .collect();
            costs = step(&costs, toy(&costs), 2.0, &shifted, 0.01, 0.01);
        }
        assert!((toy(&costs) - 2.0).abs() < 1e-6, "{costs:?}");
        let far = step(&costs, 0.0, 1e6, &[1e6, -1e6], 1.0, 0.1);
        assert_eq!(far, [*RANGE.end(), *RANGE.start()]);
    }

    #[test]
    fn names_of_no_kind_are_refused() {
        assert!(check_names(&["drop".to_owned(), "taken.rook".to_owned()]).is_ok());
        let error = check_names(&["drops".to_owned()]).unwrap_err().to_string();
        assert!(error.starts_with("drops is no kind of move: there is no kind 'drops'"), "{error}");
    }
}
