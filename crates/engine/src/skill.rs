//! Playing like a person of a given strength.
//!
//! People err in three ways: they do not think of a move, they do not look far enough, and they misjudge what they see. So a level
//! draws some moves by the learned probabilities p of the moves (those that come to mind), searches these alone, to a bounded
//! depth and number of positions, and plays one of them, with values q and a temperature T.
//!
//! The form: of all ways to choose, the one with the greatest mean value less T for every nat by which it leaves habit, E[q] - T KL(. || p), is
//! proportional to p exp(q / T) (Ortega and Braun 2013). Where only some moves were drawn, each stands for 1 / its probability to be among them
//! (priority sampling, Duffield, Lund and Thorup 2007), so that in the mean they are played as if all had been
//! weighed. Small errors are common, large ones rare, and all are moves that somebody might play. The dice are seeded.
//!
//! What comes to mind is not habit alone: whoever sees that a piece is attacked thinks of what saves it. So moves are drawn by
//! p exp(-l / T), with l what the other side could take after them at a glance; played they are by p and q all the same.

use contract::Rng;
use search::alphabeta::Model;
use search::exchange::{VALUES, gain};
use search::{Limits, Report};
use shogi::{Move, Position};

/// The level of full strength.
pub(crate) const FULL: i64 = 20;
/// A mate is worth no more than this when moves are weighed: beginners overlook it like a loss of pieces.
const CERTAIN: i32 = 3000;
/// As many moves are weighed at most, however many came to mind.
const WEIGHED: f64 = 12.0;
/// Besides the best move, one is weighed for each so many centipawns of temperature: the lower it is, the fewer moves have a
/// chance to be played, and what is not spent on weighing them is spent on looking further.
const TEMPERATURE_OF_A_LINE: f64 = 10.0;
/// Losses are seen in steps of a pawn.
const PAWN: i32 = 100;

/// How far every second level has come on a scale on which everything grows or shrinks by a factor from one to the next, so that
/// the steps from level to level are even in Elo. docs/levels.md has what was measured.
const PACE: [f64; 10] = [0.0, 2.5, 4.4, 6.25, 7.65, 9.25, 11.3, 13.8, 16.8, 20.0];

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Skill {
    /// How many moves come to mind.
    considered: usize,
    /// In the mean: the share of a ply is how often there is one more.
    depth: f64,
    nodes: u64,
    /// Loss in centipawns at which a move is e times less likely.
    temperature: f64,
}

/// The moves that came to mind.
pub(crate) struct Candidates(Vec<Candidate>);

struct Candidate {
    m: Move,
    /// Its probability, over that of being a candidate.
    weight: f64,
}

impl Skill {
    /// The skill of a level below full strength.
    pub(crate) fn of(level: i64) -> Option<Skill> {
        let level = usize::try_from(level).ok().filter(|&level| (level as i64) < FULL)?;
        // Odd levels lie between even ones, the last one as far beyond.
        let low = (level / 2).min(PACE.len() - 2);
        let pace = PACE[low] + (PACE[low + 1] - PACE[low]) * (level as f64 / 2.0 - low as f64);
        let grown = |first: f64, factor: f64| first * factor.powf(pace);
        Some(Skill {
            considered: grown(3.0, 1.27) as usize,
            depth: (pace * (pace + 12.0) / 36.0).max(1.0),
            nodes: grown(120.0, 1.35) as u64,
            temperature: grown(350.0, 0.835),
        })
    }

    /// Narrows what the search may do.
    pub(crate) fn restrict(&self, limits: &mut Limits) {
        let deepest = self.depth.ceil() as u32;
        limits.depth = Some(limits.depth.map_or(deepest, |depth| depth.min(deepest)));
        limits.nodes = Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes)));
    }

    /// How many moves get values of their own, in the mean.
    fn weighed(&self) -> f64 {
        let tempting = 1.0 + self.temperature / TEMPERATURE_OF_A_LINE;
        tempting.min(WEIGHED).min(self.considered as f64)
    }

    /// Draws how far to look, how many moves to weigh, and the moves that come to mind, among those wanted if any are; has the
    /// search look at no others.
    pub(crate) fn consider(&self, position: &Position, limits: &mut Limits, rng: &mut Rng) -> Candidates {
        let mut drawn = |mean: f64| mean.floor() as u32 + u32::from(rng.unit() < mean.fract());
        let (depth, lines) = (drawn(self.depth), drawn(self.weighed()));
        limits.depth = limits.depth.map(|deepest| deepest.min(depth));
        limits.lines = limits.lines.max(lines as usize);
        let mut policy = Model::embedded().policy(position);
        if !limits.search_moves.is_empty() {
            policy.retain(|(m, _)| limits.search_moves.contains(m));
        }
        let seen = |m: Move| -f64::from(lost_at_a_glance(position, m)) / self.temperature;
        let candidates = Candidates::drawn(&policy, seen, self.considered, rng);
        if !candidates.0.is_empty() {
            limits.search_moves = candidates.0.iter().map(|candidate| candidate.m).collect();
        }
        candidates
    }

    /// Picks one of the lines found at the last depth.
    pub(crate) fn pick(
        &self,
        candidates: &Candidates,
        lines: &[Report],
        rng: &mut Rng,
    ) -> Option<(Move, Option<Move>)> {
        let value = |line: &Report| line.score.value().clamp(-CERTAIN, CERTAIN);
        let best = lines.iter().map(value).max()?;
        let weights: Vec<f64> = lines
            .iter()
            .map(|line| {
                let habit = line.pv.first().map_or(0.0, |m| candidates.weight(*m));
                habit * (-f64::from(best - value(line)) / self.temperature).exp()
            })
            .collect();
        let line = &lines[rng.weighted(&weights)?];
        Some((*line.pv.first()?, line.pv.get(1).copied()))
    }
}

impl Candidates {
    /// So many different moves, drawn by their probabilities times what is seen of them, a logarithm: those with the greatest
    /// sum of logarithms and a Gumbel variable.
    fn drawn(policy: &[(Move, f64)], seen: impl Fn(Move) -> f64, count: usize, rng: &mut Rng) -> Candidates {
        struct Thought {
            m: Move,
            p: f64,
            salience: f64,
            key: f64,
        }
        let mut thoughts: Vec<Thought> = policy
            .iter()
            .map(|&(m, p)| {
                let salience = p.ln() + seen(m);
                let gumbel = -(-(1.0 - rng.unit()).ln()).ln();
                Thought { m, p, salience, key: salience + gumbel }
            })
            .collect();
        thoughts.sort_by(|a, b| b.key.total_cmp(&a.key));
        let threshold = thoughts.get(count).map_or(f64::NEG_INFINITY, |thought| thought.key);
        let drawn = thoughts.iter().take(count).map(|thought| {
            let is_drawn = -(-(thought.salience - threshold).exp()).exp_m1();
            Candidate { m: thought.m, weight: thought.p / is_drawn }
        });
        Candidates(drawn.collect())
    }

    fn weight(&self, m: Move) -> f64 {
        self.0.iter().find(|candidate| candidate.m == m).map_or(0.0, |candidate| candidate.weight)
    }
}

/// The most that the other side can take after a move, less what the move takes itself.
fn lost_at_a_glance(position: &Position, m: Move) -> i32 {
    let mut next = position.clone();
    next.play(m);
    let mut most = 0;
    for reply in next.legal_moves().into_iter().filter(|reply| next.piece(reply.to()).is_some()) {
        while next.exchange_gains(reply, most + PAWN, &VALUES) {
            most += PAWN;
        }
    }
    (most - gain(position, m, &VALUES)).max(0)
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

    fn moves(pairs: &[(&str, f64)]) -> Vec<(Move, f64)> {
        pairs.iter().map(|(m, p)| (m.parse().unwrap(), *p)).collect()
    }

    #[test]
    fn higher_levels_look_further_and_err_less() {
        let policy = moves(&[("7g7f", 0.4), ("2g2f", 0.3), ("9g9f", 0.3)]);
        let lines = [line("7g7f", 100), line("2g2f", 60), line("9g9f", -200)];
        let best = lines[0].pv[0];
        let rate = |level| {
            let (skill, mut rng) = (Skill::of(level).unwrap(), Rng::new(1));
            let all = Candidates::drawn(&policy, |_| 0.0, 9, &mut rng);
            (0..1000).filter(|_| skill.pick(&all, &lines, &mut rng).unwrap().0 == best).count()
        };
        assert!(rate(0) < rate(8) && rate(8) < rate(14) && rate(14) <= rate(19));
        assert!(rate(0) < 600 && rate(19) > 950, "{} {}", rate(0), rate(19));
        for level in 1..FULL {
            let (lower, higher) = (Skill::of(level - 1).unwrap(), Skill::of(level).unwrap());
            assert!(lower.depth <= higher.depth && lower.nodes < higher.nodes);
            assert!(lower.considered <= higher.considered && lower.temperature > higher.temperature);
            assert!(level < 10 || lower.weighed() > higher.weighed(), "fewer moves have a chance");
        }
        assert_eq!(Skill::of(FULL), None);
    }

    #[test]
    fn probable_moves_come_to_mind_and_are_played_as_often_as_if_all_had_been_weighed() {
        let policy = moves(&[("7g7f", 0.5), ("2g2f", 0.25), ("6g6f", 0.15), ("9g9f", 0.1)]);
        let lines: Vec<Report> = policy.iter().map(|(m, _)| line(&m.to_string(), 0)).collect();
        let (skill, mut rng) = (Skill::of(0).unwrap(), Rng::new(7));
        let (mut drawn, mut played) = ([0; 4], [0; 4]);
        const ROUNDS: usize = 20_000;
        for _ in 0..ROUNDS {
            let candidates = Candidates::drawn(&policy, |_| 0.0, 2, &mut rng);
            assert_eq!(candidates.0.len(), 2);
            let known: Vec<Report> =
                lines.iter().filter(|line| candidates.weight(line.pv[0]) > 0.0).cloned().collect();
            let (m, _) = skill.pick(&candidates, &known, &mut rng).unwrap();
            for (index, (known, _)) in policy.iter().enumerate() {
                drawn[index] += usize::from(candidates.weight(*known) > 0.0);
                played[index] += usize::from(m == *known);
            }
        }
        assert!(drawn.is_sorted_by(|a, b| a > b), "{drawn:?}");
        // With equal values play follows the policy: two candidates at a time bring it near, all of them to it.
        for (count, (_, p)) in played.iter().zip(&policy) {
            assert!((*count as f64 / ROUNDS as f64 - p).abs() < 0.05, "{played:?}");
        }
        let all = Candidates::drawn(&policy, |_| 0.0, 9, &mut rng);
        assert!(policy.iter().all(|(m, p)| (all.weight(*m) - p).abs() < 1e-12));
    }

    #[test]
    fn a_mate_is_worth_no_more_than_much_material_and_chosen_moves_stay_chosen() {
        let policy = moves(&[("7g7f", 0.5), ("2g2f", 0.5)]);
        let (mate, much) = (Report { score: Score::MateIn(1), ..line("7g7f", 0) }, line("2g2f", CERTAIN));
        let (skill, mut rng) = (Skill::of(0).unwrap(), Rng::new(3));
        let all = Candidates::drawn(&policy, |_| 0.0, 2, &mut rng);
        let lines = [mate, much];
        let mates =
            (0..1000).filter(|_| skill.pick(&all, &lines, &mut rng).unwrap().0 == policy[0].0).count();
        assert!((400..600).contains(&mates), "{mates}");
        let wanted: Vec<Move> = vec!["9g9f".parse().unwrap()];
        let mut limits = Limits { search_moves: wanted.clone(), ..Limits::default() };
        skill.consider(&Position::start(), &mut limits, &mut rng);
        assert_eq!(limits.search_moves, wanted);
    }

    #[test]
    fn an_attacked_piece_is_seen() {
        // The silver on 5e is attacked by a pawn; with a gold in hand there are many other moves.
        let position: Position = "4k4/9/9/4p4/4S4/9/8P/9/4K4 b G 1".parse().unwrap();
        let lost = |m: &str| lost_at_a_glance(&position, m.parse().unwrap());
        assert_eq!([lost("1g1f"), lost("5e6d"), lost("5e5d")], [500, 0, 0]);
        let drawn = |level: i64| {
            let (skill, mut rng) = (Skill::of(level).unwrap(), Rng::new(5));
            let mut limits = Limits::default();
            let of_silver = |m: &Candidate| m.m.to_string().starts_with("5e");
            let count = |_| {
                limits.search_moves.clear();
                skill.consider(&position, &mut limits, &mut rng).0.iter().filter(|m| of_silver(m)).count()
            };
            (0..50).map(count).sum::<usize>()
        };
        assert!(drawn(8) == 50 * 5, "all of its moves come to mind: {}", drawn(8));
        assert!(drawn(0) < 50 * 3, "a beginner has three thoughts: {}", drawn(0));
    }
}
