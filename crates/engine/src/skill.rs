//! Playing like a person of a given strength.
//!
//! People err in two ways: they look ahead only so far, and among the moves they consider they do not always
//! pick the best. So a level bounds the depth and the number of positions, lets the search value several
//! candidates, and picks one of them with probability proportional to exp(-loss / temperature): small errors are common, large
//! ones rare, and both fade as the level rises. The dice are seeded.

use search::{Limits, Report};
use shogi::Move;

use contract::Rng;

/// The level of full strength.
pub(crate) const FULL: i64 = 20;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Skill {
    depth: u32,
    nodes: u64,
    candidates: usize,
    /// Loss in centipawns at which a move is e times less likely.
    temperature: f64,
}

impl Skill {
    /// The skill of a level below full strength.
    pub(crate) fn of(level: i64) -> Option<Skill> {
        let level = u32::try_from(level).ok().filter(|&level| i64::from(level) < FULL)?;
        Some(Skill {
            depth: 1 + level / 2,
            nodes: (150.0 * 1.6f64.powi(level as i32)) as u64,
            candidates: (16 - level as usize * 2 / 3).max(3),
            temperature: 350.0 * 0.8f64.powi(level as i32),
        })
    }

    /// Narrows what the search may do.
    pub(crate) fn restrict(&self, limits: &mut Limits) {
        limits.depth = Some(limits.depth.map_or(self.depth, |depth| depth.min(self.depth)));
        limits.nodes = Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes)));
        limits.lines = limits.lines.max(self.candidates);
    }

    /// Picks one of the lines found at the last depth.
    pub(crate) fn pick(&self, lines: &[Report], rng: &mut Rng) -> Option<(Move, Option<Move>)> {
        let best = lines.iter().map(|line| line.score.value()).max()?;
        let weights: Vec<f64> = lines
            .iter()
            .map(|line| (-f64::from(best - line.score.value()) / self.temperature).exp())
            .collect();
        let line = &lines[rng.weighted(&weights)?];
        Some((*line.pv.first()?, line.pv.get(1).copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::{Bound, Score};
    use std::time::Duration;

    fn line(m: &str, value: i32) -> Report {
        Report {
            depth: 1,
            selective_depth: 1,
            rank: 1,
            score: Score::Centipawns(value),
            bound: Bound::Exact,
            pv: vec![m.parse().unwrap()],
            nodes: 1,
            elapsed: Duration::ZERO,
            hash_permille: 0,
            tree: None,
        }
    }

    #[test]
    fn higher_levels_look_further_and_err_less() {
        let lines = [line("7g7f", 100), line("2g2f", 60), line("9g9f", -200)];
        let best = lines[0].pv[0];
        let rate = |level| {
            let (skill, mut rng) = (Skill::of(level).unwrap(), Rng::new(1));
            (0..1000).filter(|_| skill.pick(&lines, &mut rng).unwrap().0 == best).count()
        };
        assert!(rate(0) < rate(6) && rate(6) < rate(12) && rate(12) <= rate(19));
        assert!(rate(0) < 500 && rate(19) > 950, "{} {}", rate(0), rate(19));
        for level in 1..FULL {
            let (lower, higher) = (Skill::of(level - 1).unwrap(), Skill::of(level).unwrap());
            assert!(lower.depth <= higher.depth && lower.nodes < higher.nodes);
        }
        assert_eq!(Skill::of(FULL), None);
    }
}
