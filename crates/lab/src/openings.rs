//! Balanced openings, found by search: no book and no collection of games goes into them.
//!
//! Each opening is a walk from the start. At every ply a small search finds the best moves, and one of those close to
//! the best is played, at random; the end of the walk is searched longer and kept if it is about even.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use contract::Rng;
use engine::{Agent, AgentError, Defaults, Event, Nets, OwnSpec, PlayerSpec, Request};
use runs::{Coordinator, InOrder, Job, Pool, PoolError, Seeds, Worker, is_interrupted};
use search::{Control, Limits, Report, Score};
use serde::{Deserialize, Serialize};
use shogi::{Move, Position};

/// How to look for openings.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who judges.
    pub player: OwnSpec,
    /// How many to find.
    pub count: usize,
    /// Their length.
    pub plies: usize,
    /// Nodes for each move of a walk.
    pub nodes: u64,
    /// Nodes for the position at its end.
    pub check_nodes: u64,
    /// How much worse than the best a move may be, in centipawns.
    pub choice: i32,
    /// How far from even the end may be, in centipawns.
    pub within: i32,
    /// The seed.
    pub seed: u64,
    /// Walks at a time; changes nothing about the result.
    pub concurrency: usize,
}

impl Plan {
    /// The openings a line each, as USI writes positions, below a line that says how they were found.
    #[must_use]
    pub fn text(&self, found: &[Found]) -> String {
        let Plan { plies, nodes, check_nodes, choice, within, seed, .. } = self;
        let player = PlayerSpec::Own(Box::new(self.player.clone()));
        let mut text = format!(
            "# {} balanced openings by yomi openings: {player}, --plies {plies} --nodes {nodes} --check-nodes {check_nodes} --choice {choice} --within {within} --seed {seed}\n",
            found.len(),
        );
        for opening in found {
            text.push_str("startpos moves");
            for m in &opening.moves {
                let _ = write!(text, " {m}");
            }
            text.push('\n');
        }
        text
    }
}

/// A balanced opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The moves from the usual start.
    pub moves: Vec<Move>,
    /// The value at their end for the side to move.
    pub value: i32,
    key: u64,
}

/// At most so many moves are looked at in each position.
const LINES: usize = 8;
/// Give up after so many walks per opening wanted.
const WALKS_EACH: u64 = 50;
/// Or after so many walks in a row that brought nothing new: there are no more.
const IN_VAIN: u64 = 300;

/// What is kept does not depend on who was quicker: walks are judged in the order of their numbers. Walks come in lots of
/// this size.
const LOT: u64 = 32;

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum OpeningsError {
    #[error(transparent)]
    Player(#[from] AgentError),
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// One walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkJob {
    /// Its number; the seed of its choices follows from it.
    pub number: u64,
}

impl Job for WalkJob {
    /// What it found, if its end is balanced.
    type Output = Option<Found>;

    fn id(&self) -> u64 {
        self.number
    }
}

/// Looks for openings; `each` is called for each one kept. There may be fewer than asked for, if walks end in
/// uneven or known positions again and again. Ctrl-C is an error.
pub fn generate(plan: &Plan, each: &(dyn Fn() + Sync)) -> Result<Vec<Found>, OpeningsError> {
    let walks = (WALKS_EACH * plan.count as u64).div_ceil(LOT) * LOT;
    let mut search = Search {
        count: plan.count,
        walks,
        next: 0,
        found: InOrder::from(0),
        kept: Vec::new(),
        in_vain: 0,
        each,
    };
    let judged = Mutex::new(HashMap::new());
    Pool::new(plan.concurrency).until(&is_interrupted).run(&mut search, || {
        let spec = plan.player.resolve(&Defaults::openings());
        Ok(Walker { plan, player: Agent::new(&spec, &mut Nets::default())?, judged: &judged })
    })?;
    if is_interrupted() && !search.is_over() {
        return Err(PoolError::Stopped.into());
    }
    Ok(search.kept)
}

/// The walks so far.
struct Search<'a> {
    count: usize,
    walks: u64,
    next: u64,
    found: InOrder<Option<Found>>,
    kept: Vec<Found>,
    /// Walks since the last one that was kept.
    in_vain: u64,
    each: &'a (dyn Fn() + Sync),
}

impl Coordinator for Search<'_> {
    type Job = WalkJob;
    type Error = OpeningsError;

    fn next_batch(&mut self) -> Option<Vec<WalkJob>> {
        let number = self.next;
        self.next += 1;
        (number < self.walks && !self.is_over()).then(|| vec![WalkJob { number }])
    }

    fn is_over(&self) -> bool {
        self.kept.len() >= self.count || self.in_vain >= IN_VAIN
    }

    fn accept(&mut self, job: &WalkJob, found: Option<Found>) -> Result<(), OpeningsError> {
        self.found.put(job.number, found);
        while let Some((_, found)) = self.found.take() {
            if self.is_over() {
                break;
            }
            self.in_vain += 1;
            if let Some(found) = found
                && self.kept.iter().all(|known| known.key != found.key)
            {
                self.in_vain = 0;
                self.kept.push(found);
                (self.each)();
            }
        }
        Ok(())
    }
}

/// One worker's player.
struct Walker<'a> {
    plan: &'a Plan,
    player: Agent,
    /// The values of ends that somebody has judged already: by key. Each is found from an empty memory, so that it does
    /// not matter by whom.
    judged: &'a Mutex<HashMap<u64, Option<i32>>>,
}

impl Worker<WalkJob> for Walker<'_> {
    type Error = OpeningsError;

    fn perform(&mut self, job: &WalkJob) -> Result<Option<Found>, OpeningsError> {
        Ok(walk(self.plan, &mut self.player, self.judged, job.number))
    }
}

fn walk(
    plan: &Plan,
    player: &mut Agent,
    judged: &Mutex<HashMap<u64, Option<i32>>>,
    number: u64,
) -> Option<Found> {
    let seeds = Seeds::around(plan.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut rng = Rng::new(seeds.of_job(number));
    let mut position = Position::start();
    let mut moves = Vec::with_capacity(plan.plies);
    player.new_game();
    for _ in 0..plan.plies {
        let lines = lines(player, &position, plan.nodes, LINES);
        let best = lines.iter().map(|(_, value)| *value).max()?;
        let close: Vec<Move> =
            lines.iter().filter(|(_, value)| best - value <= plan.choice).map(|(m, _)| *m).collect();
        let m = close[(rng.draw() % close.len() as u64) as usize];
        position.play(m);
        moves.push(m);
        if position.game_end(0).is_some() {
            return None;
        }
    }
    let key = position.key();
    let known = judged.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
    let value = known.unwrap_or_else(|| {
        player.new_game();
        let value = lines(player, &position, plan.check_nodes, 1).first().map(|(_, value)| *value);
        judged.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value);
        value
    })?;
    (value.abs() <= plan.within).then_some(Found { moves, value, key })
}

/// The best moves with their values for the side to move; mates are no openings.
fn lines(player: &mut Agent, position: &Position, nodes: u64, lines: usize) -> Vec<(Move, i32)> {
    let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
    let mut latest: Vec<Report> = Vec::new();
    let request = Request { analysis: true, ..Request::new(position, limits) };
    let answer = player.play(&request, &Control::new(), &mut |event| {
        if let Event::Report(report) = event {
            latest.retain(|line| line.rank != report.rank);
            latest.push(report.clone());
        }
    });
    if answer.is_err() {
        return Vec::new();
    }
    let value = |report: &Report| match report.score {
        Score::Centipawns(cp) => Some((*report.pv.first()?, cp)),
        _ => None,
    };
    let mut found: Vec<(Move, i32)> = latest.iter().filter_map(value).collect();
    found.sort_by_key(|&(m, value)| (-value, m.bits()));
    found.dedup_by_key(|(m, _)| *m);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(concurrency: usize) -> Plan {
        Plan {
            player: "alphabeta(hash=1)".parse().unwrap(),
            count: 6,
            plies: 6,
            nodes: 200,
            check_nodes: 500,
            choice: 60,
            within: 150,
            seed: 3,
            concurrency,
        }
    }

    #[test]
    fn a_walk_survives_being_sent() {
        let found = Found { moves: vec!["7g7f".parse().unwrap()], value: -3, key: u64::MAX };
        let sent = serde_json::to_string(&(WalkJob { number: 7 }, Some(found.clone()))).unwrap();
        let (job, received): (WalkJob, Option<Found>) = serde_json::from_str(&sent).unwrap();
        assert_eq!((job.id(), received), (7, Some(found)));
    }

    #[test]
    fn openings_are_legal_balanced_different_and_the_same_for_any_number_of_workers() {
        let found = generate(&plan(1), &|| ()).unwrap();
        assert_eq!(found.len(), 6);
        assert_eq!(found, generate(&plan(2), &|| ()).unwrap());
        for opening in &found {
            let mut position = Position::start();
            for &m in &opening.moves {
                assert!(position.is_legal(m));
                position.play(m);
            }
            assert_eq!(opening.moves.len(), 6);
            assert!(opening.value.abs() <= 150);
        }
        let mut keys: Vec<u64> = found.iter().map(|opening| opening.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 6);
    }
}
