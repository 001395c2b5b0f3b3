//! What a step of a study will take, roughly.

use super::file::{Run, Step, StudyFile};
use super::plan::Scale;

/// What a step will take, as far as it can be told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Games that are played.
    pub games: u64,
    /// Seconds; none where it hangs on records that are not there yet, or on other programs.
    pub seconds: Option<f64>,
}

/// Moves of a game, in the mean.
const PLIES: f64 = 110.0;
/// Positions that a player visits in a second: 0.8 million of playouts to 2 million of softmax search, measured.
const NODES_A_SECOND: f64 = 1_000_000.0;
/// The share of its nodes that a mate search takes where positions come from games, measured.
const MATE_SHARE: f64 = 0.1;

impl Cost {
    /// The cost of a step whose numbers are scaled already.
    pub(super) fn of(study: &StudyFile, step: &Step, scale: Scale, concurrency: usize) -> Cost {
        let concurrency = concurrency.max(1) as f64;
        let a_move = || {
            let by_time = step.number("time-ms").or(step.number("byoyomi")).map(|ms| ms as f64 / 1000.0);
            by_time.or_else(|| step.number("nodes").map(|nodes| nodes as f64 / NODES_A_SECOND))
        };
        let played = |games: u64| {
            let seconds = a_move().map(|seconds| seconds * PLIES * games as f64 / concurrency);
            Cost { games, seconds }
        };
        match step.run {
            Run::Match => {
                let pairings = (step.players.len() * step.players.len().saturating_sub(1) / 2).max(1) as u64;
                played(step.number("games").unwrap_or(100) * pairings)
            }
            Run::Selfplay => played(step.number("games").unwrap_or(1000)),
            Run::Tune => played(2 * step.number("steps").unwrap_or(10_000)),
            Run::Curve | Run::Fit => Cost {
                games: 0,
                seconds: positions(study, step, scale).map(|positions| {
                    let effort: f64 = step.players.iter().map(|player| seconds_a_position(player)).sum();
                    let mates = step.number("mate-nodes").unwrap_or(0) as f64 * MATE_SHARE / NODES_A_SECOND;
                    positions * (effort + mates) / concurrency
                }),
            },
            Run::Rank => Cost { games: 0, seconds: Some(0.0) },
        }
    }
}

/// Positions in the records of a curve, if they are games of this study; the step may look at some of the games only.
fn positions(study: &StudyFile, step: &Step, scale: Scale) -> Option<f64> {
    let records = step.option("records")?;
    let most = step.number("games").map_or(f64::INFINITY, |games| games as f64 * PLIES);
    let of = |record: &String| {
        let name = record.strip_prefix('{')?.split('}').next()?;
        let source = study.steps.iter().find(|source| source.name == name)?;
        Some(source.number("games")? as f64 * scale.amount * PLIES)
    };
    records.iter().map(of).sum::<Option<f64>>().map(|positions| positions.min(most))
}

/// How long a player looks at a position.
fn seconds_a_position(player: &str) -> f64 {
    let effort = player.split_once('@').map_or("static", |(_, effort)| effort);
    match effort.split_once('=').map(|(kind, number)| (kind, number.parse::<f64>().unwrap_or(0.0))) {
        Some(("nodes", nodes)) => nodes / NODES_A_SECOND,
        Some(("time-ms", ms)) => ms / 1000.0,
        _ => 1e-4,
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::tests::SMALL;
    use super::super::plan::Plan;
    use super::*;

    #[test]
    fn games_and_hours_follow_from_the_numbers_of_a_step() {
        let study = StudyFile::parse(SMALL).unwrap();
        let plan = Plan::new(&study, std::path::Path::new("o"), Scale::WHOLE, 2);
        let costs: Vec<Cost> = plan.steps.iter().map(|step| step.cost).collect();
        assert_eq!(costs[0], Cost { games: 300, seconds: Some(0.1 * PLIES * 150.0) });
        assert_eq!((costs[1].games, costs[2].games), (50, 0));
        assert!(costs[2].seconds.unwrap() > 1.0, "{costs:?}");
    }

    #[test]
    fn a_curve_over_some_of_the_games_takes_their_share_of_the_time() {
        let seconds = |study: &str| {
            let study = StudyFile::parse(study).unwrap();
            let plan = Plan::new(&study, std::path::Path::new("o"), Scale::WHOLE, 1);
            plan.steps[2].cost.seconds.unwrap()
        };
        let few = seconds(&SMALL.replace("draws = true", "draws = true\ngames = 5"));
        assert!((few - seconds(SMALL) / 10.0).abs() < 1e-9);
        assert_eq!(seconds(&SMALL.replace("draws = true", "draws = true\ngames = 500")), seconds(SMALL));
    }
}
