//! Turn after turn, until there are enough or somebody stops the loop.

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use engine::{OwnSpec, PlayerSpec};
use runs::{RunDir, RunDirError};
use serde::Serialize;

use super::contest::Referee;
use super::history::{History, LOG, TurnRow};
use super::manifest::Manifest;
use super::net_id::NetId;
use super::page::write_page;
use super::turn::Turn;
use crate::data::{self, DataError, NoDataSet, Origin};
use crate::nnue::{self, NET, TrainError};
use crate::selfplay;

/// What a turn consists of, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The best net plays against itself.
    Games,
    /// Its games become positions to learn from.
    Data,
    /// A candidate learns.
    Training {
        /// Its number.
        candidate: u32,
    },
    /// The candidate meets the best net.
    Match,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stage::Games => f.write_str("games"),
            Stage::Data => f.write_str("data"),
            Stage::Training { candidate } => write!(f, "training of net {candidate}"),
            Stage::Match => f.write_str("match"),
        }
    }
}

/// Why a loop cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TurnError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(
        "turn {turn}, {stage}: {} was begun by another build of the program, which alone can go on with it; without that folder this stage begins anew",
        path.display()
    )]
    OtherProgram { turn: u64, stage: Stage, path: PathBuf },
    #[error("turn {turn}, games: {error}")]
    Games { turn: u64, error: selfplay::RunError },
    #[error("turn {turn}, data: {error}")]
    Data { turn: u64, error: DataError },
    #[error("turn {turn}: {error}")]
    Window { turn: u64, error: NoDataSet },
    #[error("turn {turn}, training: {error}")]
    Training { turn: u64, error: TrainError },
    #[error("turn {turn}, training: net {candidate} was never judged")]
    NoNet { turn: u64, candidate: u32 },
    #[error("match: {0}")]
    Match(#[source] Box<dyn Error + Send + Sync>),
    #[error("cannot read the net {}: {error}", path.display())]
    Net { path: PathBuf, error: std::io::Error },
}

impl TurnError {
    /// Opens the run of a stage as a part of the loop; of a run that another build began it says what can be done.
    pub(super) fn part<M: Serialize>(
        whole: &RunDir,
        turn: u64,
        stage: Stage,
        folder: &Path,
        manifest: &M,
    ) -> Result<RunDir, TurnError> {
        match RunDir::open(folder, manifest) {
            Ok(dir) => Ok(dir.part_of(whole)),
            Err(RunDirError::OtherProgram { path }) => Err(TurnError::OtherProgram { turn, stage, path }),
            Err(error) => Err(error.into()),
        }
    }
}

/// Watches how a loop goes. Each stage has a watcher of its own, which goes with the stage.
pub trait Watch {
    /// A stage begins, or goes on.
    fn stage(&mut self, turn: u64, stage: Stage);
    /// Watches games of which there will be so many.
    fn games(&mut self, games: u64) -> Box<dyn selfplay::Watch + '_>;
    /// Watches the reading of about so many positions.
    fn data(&mut self, positions: u64) -> Box<dyn data::Watch + '_>;
    /// Watches a training.
    fn training(&mut self) -> Box<dyn nnue::Watch + '_>;
    /// A turn is over.
    fn turn(&mut self, row: &TurnRow);
}

/// A loop, ready to go.
pub struct Turns<'a> {
    /// What it is.
    pub manifest: &'a Manifest,
    /// The player of the first games.
    pub player: &'a OwnSpec,
    /// The kind of net.
    pub arch: nnue::Arch,
    /// The files of turn 0.
    pub with_games: &'a [Origin],
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// The last turn; there is no end without it.
    pub last_turn: Option<u64>,
    /// Threads of games and training; they change nothing about the nets.
    pub threads: usize,
}

impl Turns<'_> {
    /// Takes turns; blocks until the last one is over or somebody stops the loop.
    pub fn run(&self, referee: &mut dyn Referee, watch: &mut dyn Watch) -> Result<History, TurnError> {
        let mut history = History::read(self.dir)?;
        let mut log = self.dir.append_to(LOG)?;
        self.publish(&history)?;
        loop {
            let number = history.turns.last().map_or(self.manifest.first_turn(), |row| row.turn + 1);
            if self.last_turn.is_some_and(|last| number > last) || self.dir.is_stopped() {
                break;
            }
            let turn = Turn::new(self, number, history.best());
            let Some(row) = turn.run(referee, watch)? else { break };
            log.append(&row)?;
            watch.turn(&row);
            history.turns.push(row);
            self.publish(&history)?;
        }
        // How far a turn has come that was stopped.
        write_page(self.dir)?;
        Ok(history)
    }

    /// Writes what follows from the log: the best net, the result, the page.
    fn publish(&self, history: &History) -> Result<(), TurnError> {
        let folder = self.dir.path();
        if let Some(path) = history.best().file(folder) {
            let bytes = fs::read(&path).map_err(|error| TurnError::Net { path, error })?;
            self.dir.write(NET, &bytes)?;
        }
        self.dir.write_json("result.json", &history.result(folder))?;
        Ok(write_page(self.dir)?)
    }

    /// The loop's player with this net in the place of its evaluation.
    pub(super) fn player_of(&self, net: NetId) -> PlayerSpec {
        let mut spec = self.player.clone();
        if let Some(file) = net.file(self.dir.path()) {
            (spec.eval, spec.net) = (None, Some(file));
        }
        PlayerSpec::Own(Box::new(spec))
    }
}
