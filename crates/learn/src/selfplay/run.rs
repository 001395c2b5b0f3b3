//! A whole run: threads take sittings of games, the ledger keeps what they played.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use contract::Rng;
use engine::{PlayerError, PlayerSpec, STACK_BYTES};
use records::compact::{ReadError, ReplayError, WriteError};
use runs::{Header, OpeningFacts, RunDir, RunDirError};
use serde::{Deserialize, Serialize};

use super::game::{Played, play};
use super::ledger::Ledger;
use super::opening::Openings;
use super::tally::Tally;
use super::thinker::{Effort, Thinker, Work};

/// The file of games in a run's directory.
pub const GAMES: &str = "games.yomi";

/// A player forgets what it knows after so many games. Its tables are large, and emptying them for every game would
/// take as long as a tenth of the game.
const SITTING: u64 = 16;

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
    /// The files that make it up, each with its SHA-256.
    pub files: Vec<(String, String)>,
    /// How long it thinks.
    pub effort: Effort,
    /// The openings.
    pub openings: OpeningFacts,
    /// The most plies of an opening by chance.
    pub opening_plies: u32,
    /// How far from even an opening may be.
    pub balance: i32,
    /// The rule about entered kings.
    pub declaration: String,
    /// The last ply of a game.
    pub max_moves: u16,
    /// The seed.
    pub seed: u64,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "selfplay";
}

/// Why games cannot be played or kept.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RunError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Player(#[from] PlayerError),
    #[error("only players of our own can play against themselves here")]
    External,
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
    #[error("a thread could not be started or died")]
    Thread,
}

/// Is told how a run goes, after every game.
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
}

struct Shared<'a> {
    ledger: Ledger,
    next_sitting: u64,
    work: Work,
    watch: &'a mut dyn Watch,
    error: Option<RunError>,
}

impl SelfPlay<'_> {
    /// Plays what is left; blocks until there are enough games or somebody stops the run.
    pub fn run(&self, watch: &mut dyn Watch) -> Result<Outcome, RunError> {
        let base = self.base();
        let ledger = Ledger::open(&self.dir.path().join(GAMES), self.games, |seed| seed ^ base)?;
        let next_sitting = ledger.next() / SITTING;
        let shared = Mutex::new(Shared { ledger, next_sitting, work: Work::default(), watch, error: None });
        let alive = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1))
                .map(|_| {
                    let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
                    builder.spawn_scoped(scope, || self.work(&shared))
                })
                .collect();
            threads.into_iter().all(|thread| thread.is_ok_and(|thread| thread.join().is_ok()))
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (work, error) = (shared.work, shared.error);
        let tally = shared.ledger.finish()?;
        match error {
            Some(error) => Err(error),
            None if !alive => Err(RunError::Thread),
            None => Ok(Outcome { tally, work }),
        }
    }

    /// A game's seed is this, and its number in the low bits.
    fn base(&self) -> u64 {
        Rng::new(self.manifest.seed).draw()
    }

    /// One thread: takes sitting after sitting.
    fn work(&self, shared: &Mutex<Shared<'_>>) {
        if let Err(error) = self.sit(shared) {
            lock(shared).error.get_or_insert(error);
        }
    }

    fn sit(&self, shared: &Mutex<Shared<'_>>) -> Result<(), RunError> {
        let mut thinker = Thinker::new(self.manifest, self.player)?.ok_or(RunError::External)?;
        loop {
            let sitting = {
                let mut shared = lock(shared);
                shared.next_sitting += 1;
                shared.next_sitting - 1
            };
            thinker.new_sitting();
            for number in sitting * SITTING..(sitting + 1) * SITTING {
                if lock(shared).is_over(self.dir) {
                    return Ok(());
                }
                let played = play(&mut thinker, self.openings, self.base() ^ number);
                lock(shared).enter(number, played, thinker.take_work())?;
            }
        }
    }
}

impl Shared<'_> {
    fn is_over(&self, dir: &RunDir) -> bool {
        self.error.is_some() || self.ledger.is_full() || dir.is_stopped()
    }

    fn enter(&mut self, number: u64, played: Option<Played>, work: Work) -> Result<(), RunError> {
        self.work.add(work);
        self.ledger.enter(number, played)?;
        self.watch.game(self.ledger.tally(), &self.work);
        if self.ledger.in_vain() >= IN_VAIN { Err(RunError::NoOpenings) } else { Ok(()) }
    }
}

fn lock<'a, 'b>(shared: &'a Mutex<Shared<'b>>) -> MutexGuard<'a, Shared<'b>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
