//! Every position of a book searched, by workers, in a run that goes on where it was.
//!
//! The run knows who searches and for how long, not which positions: more games, or other bounds, go on with what was
//! searched before.

use std::collections::HashMap;

use contract::Effort;
use engine::analysis::{self, Choice, Judgement, Plan};
use engine::{Agent, AgentError, Defaults, Nets, OwnSpec, PlayerSpec, SearchFailed};
use runs::{Coordinator, Header, Job, Log, Pool, PoolError, RunDir, RunDirError, Worker};
use serde::{Deserialize, Serialize};
use shogi::{Move, Position, Setup};

use super::collect::Met;
use crate::matches::{Entrant, PlayerFacts};

/// The log of positions.
pub const LINES: &str = "positions.jsonl";

/// All that the search of a position depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookManifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// Who searches.
    pub player: PlayerFacts,
    /// How long each position.
    pub effort: Effort,
    /// How many moves of each position.
    pub lines: usize,
}

impl BookManifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "book";

    /// The manifest of searches by this player.
    #[must_use]
    pub fn new(player: &OwnSpec, effort: Effort, lines: usize) -> BookManifest {
        let spec = PlayerSpec::Own(Box::new(player.clone()));
        let entrant = Entrant { name: spec.to_string(), spec };
        let player = PlayerFacts::of(&entrant, &defaults(effort));
        BookManifest { header: Header::of_this_program(BookManifest::KIND), player, effort, lines }
    }
}

/// What the player leaves open: values for a book are the search's own, and a draw is worth nothing to either side.
fn defaults(effort: Effort) -> Defaults {
    Defaults::book(if let Effort::Nodes(nodes) = effort { Some(nodes) } else { None })
}

/// A position to search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchJob {
    /// The position, at ply 1 wherever it was met.
    pub position: Setup,
    /// Its key.
    pub key: u64,
}

impl Job for SearchJob {
    type Output = Searched;

    fn id(&self) -> u64 {
        self.key
    }
}

/// What a search found, a row of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    /// The position's key.
    pub key: u64,
    /// The position, at ply 1.
    pub position: Setup,
    /// Its value for the side to move.
    pub value: i32,
    /// The last whole iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The best moves, the best one first; none if the side to move wins without one.
    pub lines: Vec<SearchedLine>,
}

/// A move that was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchedLine {
    /// The move.
    #[serde(rename = "move")]
    pub m: Move,
    /// The reply to expect.
    pub reply: Option<Move>,
    /// Its value for the side to move.
    pub value: i32,
}

/// Why positions cannot be searched.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BookSearchError {
    #[error(transparent)]
    Player(#[from] AgentError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error(transparent)]
    Run(#[from] RunDirError),
    #[error("{position}: {error}")]
    Search { position: String, error: SearchFailed },
    #[error("{0} is no position to be searched")]
    Position(String),
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions that are searched, those of earlier runs included.
    pub done: usize,
    /// Positions in all.
    pub of: usize,
}

/// The search of a book's positions, ready to go.
pub struct Search<'a> {
    /// Who searches and how long.
    pub manifest: &'a BookManifest,
    /// The player.
    pub player: &'a OwnSpec,
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// Positions at a time.
    pub workers: usize,
}

impl Search<'_> {
    /// Searches what is not searched yet; blocks until all is done or somebody stops the run. What is known then about
    /// these positions, by their keys.
    pub fn run(
        &self,
        positions: &[Met],
        each: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<HashMap<u64, Searched>, BookSearchError> {
        let rows: Vec<Searched> = self.dir.read_log(LINES)?;
        let mut known: HashMap<u64, Searched> = rows.into_iter().map(|row| (row.key, row)).collect();
        let jobs = positions.iter().map(job).collect::<Result<Vec<_>, _>>()?;
        let wanted: Vec<u64> = jobs.iter().map(|job| job.key).collect();
        let left: Vec<SearchJob> = jobs.into_iter().filter(|job| !known.contains_key(&job.key)).collect();
        let (of, done) = (positions.len(), positions.len() - left.len());
        each(Progress { done, of });
        let mut course = Course {
            left: left.into_iter(),
            log: self.dir.append_to(LINES)?,
            known: &mut known,
            done,
            of,
            each,
        };
        let is_stopped = || self.dir.is_stopped();
        let spec = self.player.resolve(&defaults(self.manifest.effort));
        Pool::new(self.workers).until(&is_stopped).run(&mut course, || {
            Ok(Searcher { agent: Agent::new(&spec, &mut Nets::default())?, plan: self.plan() })
        })?;
        let mut found = HashMap::with_capacity(wanted.len());
        found.extend(wanted.iter().filter_map(|key| Some((*key, known.remove(key)?))));
        Ok(found)
    }

    fn plan(&self) -> Plan {
        let scale = self.player.resolve(&defaults(self.manifest.effort)).scale();
        Plan { candidates: self.manifest.lines, ..Plan::new(self.manifest.effort, scale) }
    }
}

/// A position is searched without its past, and as if the game began with it: what led there may differ.
fn job(met: &Met) -> Result<SearchJob, BookSearchError> {
    let setup = Setup { ply: 1, ..met.setup.clone() };
    let position = Position::new(&setup).map_err(|_| BookSearchError::Position(met.setup.to_string()))?;
    Ok(SearchJob { key: position.key(), position: setup })
}

/// The positions so far.
struct Course<'a> {
    left: std::vec::IntoIter<SearchJob>,
    log: Log,
    known: &'a mut HashMap<u64, Searched>,
    done: usize,
    of: usize,
    each: &'a mut (dyn FnMut(Progress) + Send),
}

impl Coordinator for Course<'_> {
    type Job = SearchJob;
    type Error = BookSearchError;

    fn next_batch(&mut self) -> Option<Vec<SearchJob>> {
        self.left.next().map(|job| vec![job])
    }

    fn accept(&mut self, job: &SearchJob, found: Searched) -> Result<(), BookSearchError> {
        if self.known.contains_key(&job.key) {
            return Ok(());
        }
        self.log.append(&found)?;
        self.known.insert(job.key, found);
        self.done += 1;
        (self.each)(Progress { done: self.done, of: self.of });
        Ok(())
    }
}

/// One worker's player.
struct Searcher {
    agent: Agent,
    plan: Plan,
}

impl Worker<SearchJob> for Searcher {
    type Error = BookSearchError;

    fn perform(&mut self, job: &SearchJob) -> Result<Searched, BookSearchError> {
        let wrong = || BookSearchError::Position(job.position.to_string());
        let position = Position::new(&job.position).map_err(|_| wrong())?;
        // Nothing is remembered from one position to the next, so that it does not matter who searches which.
        self.agent.new_game();
        let judgement = analysis::judge(&mut self.agent, &position, &self.plan)
            .map_err(|error| BookSearchError::Search { position: position.to_string(), error })?;
        Ok(searched(job, &position, &judgement))
    }
}

fn searched(job: &SearchJob, position: &Position, judgement: &Judgement) -> Searched {
    let worth = |evaluation| analysis::value_for(evaluation, position.side());
    let value = worth(judgement.evaluation);
    let mut lines: Vec<SearchedLine> = judgement
        .candidates
        .iter()
        .filter_map(|known| {
            let (&m, reply) = (known.line.first()?, known.line.get(1).copied());
            Some(SearchedLine { m, reply, value: worth(known.evaluation) })
        })
        .collect();
    match judgement.choice {
        // A mate seen before any search has no lines.
        Some(Choice::Move(m)) if lines.is_empty() => lines.push(SearchedLine { m, reply: None, value }),
        Some(Choice::Declare) => lines.clear(),
        _ => {}
    }
    let Judgement { depth, nodes, .. } = *judgement;
    Searched { key: job.key, position: job.position.clone(), value, depth, nodes, lines }
}
