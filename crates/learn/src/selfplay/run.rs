//! A whole run: workers play batches of games, the log keeps them.

use std::io;

use contract::Effort;
use engine::{AgentError, PlayerSpec, STACK_BYTES};
use records::compact::{ReadError, ReplayError, WriteError};
use runs::{
    Coordinator, Header, Job, OpeningFacts, OpeningSet, Pool, PoolError, RunDir, RunDirError, Seeds, Worker,
    fingerprint,
};
use serde::{Deserialize, Deserializer, Serialize};
use shogi::DeclarationRule;

use super::game::{Played, play};
use super::game_log::GameLog;
use super::opening::Openings;
use super::tally::Tally;
use super::thinker::{Thinker, Work, resolved_text};

/// The file of games in a run's directory.
pub const GAMES: &str = "games.yomi";
/// The file that says what the games are like.
pub const SUMMARY: &str = "summary.json";

/// A player forgets what it knows after so many games. Its tables are large, and emptying them for every game would
/// take as long as a tenth of the game.
const BATCH: u64 = 16;

/// So many games in a row without a new opening mean that there are no more.
const IN_VAIN: u64 = 1_000;

/// All that the games depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// The player.
    pub player: String,
    /// The player with nothing left open.
    #[serde(default)]
    pub resolved: String,
    /// The files that make it up, each with its SHA-256.
    pub files: Vec<(String, String)>,
    /// How long it thinks, in nodes or depth: by time, a seed would not say which games there will be.
    #[serde(deserialize_with = "untimed")]
    pub effort: Effort,
    /// The openings.
    pub openings: OpeningFacts,
    /// The most plies of an opening at random.
    pub opening_plies: u32,
    /// How far from even an opening may be.
    pub balance: i32,
    /// The rule about entered kings.
    pub declaration: DeclarationRule,
    /// The last ply of a game.
    pub max_moves: u16,
    /// The seed.
    pub seed: u64,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "selfplay";

    /// What is usual for games of a player: openings of up to 20 plies from the usual start, none farther from even than
    /// 300, and 320 plies at most.
    #[must_use]
    pub fn usual(player: &PlayerSpec, effort: Effort, seed: u64) -> Manifest {
        Manifest {
            header: Header::of_this_program(Manifest::KIND),
            player: player.to_string(),
            resolved: resolved_text(player),
            files: fingerprint::of_player(player),
            effort,
            openings: OpeningSet::none().facts,
            opening_plies: 20,
            balance: 300,
            declaration: DeclarationRule::default(),
            max_moves: 320,
            seed,
        }
    }
}

fn untimed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Effort, D::Error> {
    match Effort::deserialize(deserializer)? {
        Effort::Time(_) => Err(serde::de::Error::custom(RunError::Timed)),
        effort => Ok(effort),
    }
}

/// Why games cannot be played or kept.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RunError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Player(#[from] AgentError),
    #[error("only players of our own can play against themselves here")]
    External,
    #[error("games for learning are played by nodes or depth, not by time")]
    Timed,
    #[error("{GAMES}: {0}")]
    Write(#[from] WriteError),
    #[error("{GAMES}: {0}")]
    Read(#[from] ReadError),
    #[error("{GAMES}: {0}")]
    Replay(#[from] ReplayError),
    #[error("{GAMES}: {0}")]
    Io(#[from] io::Error),
    #[error(
        "no new balanced opening in {IN_VAIN} games; more --opening-plies or a larger --balance would help"
    )]
    NoOpenings,
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// Watches how a run goes, after every game.
pub trait Watch: Send {
    /// A game was kept or thrown away; `work` is that of this process so far.
    fn game(&mut self, tally: &Tally, work: &Work);
}

/// A run, ready to be played.
pub struct SelfPlay<'a> {
    /// What it is.
    pub manifest: &'a Manifest,
    /// Who plays.
    pub player: &'a PlayerSpec,
    /// From where.
    pub openings: &'a Openings,
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// How many games there shall be; more may be asked for later.
    pub games: u64,
    /// Games at a time; changes nothing about the games.
    pub threads: usize,
}

/// What came of a run.
pub struct Outcome {
    /// All games of the file.
    pub tally: Tally,
    /// What this process did for it.
    pub work: Work,
    /// How fast this process was.
    pub speed: Speed,
}

/// How fast a process played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// Positions that it added.
    pub positions: u64,
    /// Positions a second, of all threads.
    pub positions_per_second: f64,
    /// Nodes a second of one thread.
    pub nodes_per_second_and_thread: f64,
    /// The share of the time that went into the search.
    pub search_share: f64,
    /// The share of the nodes that went into openings.
    pub opening_share: f64,
}

impl Speed {
    fn of(positions: u64, work: &Work, threads: usize) -> Speed {
        let busy = work.busy.as_secs_f64().max(1e-9);
        Speed {
            positions,
            positions_per_second: positions as f64 / busy * threads as f64,
            nodes_per_second_and_thread: work.nodes as f64 / busy,
            search_share: work.search_share(),
            opening_share: work.opening_nodes as f64 / work.nodes.max(1) as f64,
        }
    }
}

/// One game. The games of a batch are played one after the other by one worker, which forgets what it knows before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameJob {
    /// Its number; its seed follows from it.
    pub number: u64,
}

/// What comes of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameOutput {
    /// The game; `None` if no balanced opening was found.
    pub played: Option<Played>,
    /// What it cost.
    pub work: Work,
}

impl Job for GameJob {
    type Output = GameOutput;

    fn id(&self) -> u64 {
        self.number
    }
}

impl SelfPlay<'_> {
    /// Plays what is left and writes what the games are like; blocks until there are enough or somebody stops the run.
    pub fn run(&self, watch: &mut dyn Watch) -> Result<Outcome, RunError> {
        if self.manifest.effort.time().is_some() {
            return Err(RunError::Timed);
        }
        let seeds = Seeds::of_run(self.manifest.seed);
        let log = GameLog::open(&self.dir.path().join(GAMES), self.games, seeds)?;
        let (before, next_batch) = (log.tally().positions(), log.next() / BATCH);
        let mut course = Course { log, next_batch, work: Work::default(), watch };
        let stop = || self.dir.is_stopped();
        let pool = Pool::new(self.threads).with_stack(STACK_BYTES).until(&stop);
        let done = pool.run(&mut course, || {
            let thinker = Thinker::new(self.manifest, self.player)?.ok_or(RunError::External)?;
            Ok(Player { thinker, openings: self.openings, seeds })
        });
        // What was played is kept even if something went wrong.
        let tally = course.log.finish()?;
        done?;
        self.dir.write_json(SUMMARY, &tally.summary())?;
        let speed = Speed::of(tally.positions() - before, &course.work, self.threads.max(1));
        Ok(Outcome { tally, work: course.work, speed })
    }
}

/// A run under way.
struct Course<'a> {
    log: GameLog,
    next_batch: u64,
    work: Work,
    watch: &'a mut dyn Watch,
}

impl Coordinator for Course<'_> {
    type Job = GameJob;
    type Error = RunError;

    fn next_batch(&mut self) -> Option<Vec<GameJob>> {
        let first = self.next_batch * BATCH;
        self.next_batch += 1;
        (!self.is_over()).then(|| (first..first + BATCH).map(|number| GameJob { number }).collect())
    }

    fn is_over(&self) -> bool {
        self.log.is_full()
    }

    fn accept(&mut self, job: &GameJob, output: GameOutput) -> Result<(), RunError> {
        self.work.add(output.work);
        self.log.enter(job.number, output.played)?;
        self.watch.game(self.log.tally(), &self.work);
        if self.log.in_vain() >= IN_VAIN { Err(RunError::NoOpenings) } else { Ok(()) }
    }
}

/// One worker's player.
struct Player<'a> {
    thinker: Thinker,
    openings: &'a Openings,
    seeds: Seeds,
}

impl Worker<GameJob> for Player<'_> {
    type Error = RunError;

    fn perform(&mut self, job: &GameJob) -> Result<GameOutput, RunError> {
        if job.number.is_multiple_of(BATCH) {
            self.thinker.new_batch();
        }
        let played = play(&mut self.thinker, self.openings, self.seeds.of_job(job.number));
        Ok(GameOutput { played, work: self.thinker.take_work() })
    }
}
