//! What the search learns from its own trees: bets played out in games against itself, logged, and fitted.
//!
//! A run's directory has the log of bets (`bets.log`, a block for each game), the model (`alphabeta.model`), and a card with
//! plots that shows how well its probabilities hold on games that it was not fitted to (`card.html`).

mod card;
mod fit;
mod game;
mod log;
mod margins;
mod pieces;
mod raise;
mod shortcuts;

use std::io;
use std::sync::Arc;

use engine::STACK_BYTES;
use eval::Net;
use runs::{Header, OpeningSet, Pool, PoolError, RunDir, RunDirError, Seeds};
use search::alphabeta::{Bets, Model, Shares};
use serde::{Deserialize, Serialize};

pub use fit::Fitted;
use game::Player;
pub(crate) use game::beginning;
use log::BetFile;
pub use shortcuts::Record;

/// The file of bets in a run's directory.
pub const BETS: &str = "bets.log";
/// The file of the model.
pub const MODEL: &str = "alphabeta.model";
/// The page that says how well the model holds.
pub const CARD: &str = "card.html";
/// One game in so many is kept for judging.
const JUDGING: u64 = 10;

/// All that a model depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// The net, by its SHA-256; empty for the one inside the program.
    pub net: String,
    /// The model that the games are searched with, by its SHA-256; empty for the one inside the program, 'first guess' for
    /// round numbers.
    pub from: String,
    /// Nodes for each move.
    pub nodes: u64,
    /// One node in so many has its moves played out.
    pub move_share: u32,
    /// One node in so many is searched with an open window.
    pub value_share: u32,
    /// One shortcut in so many is played out instead of taken.
    pub shortcut_share: u32,
    /// The seed.
    pub seed: u64,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "learn search";
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SearchError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error("{BETS}: {0}")]
    Log(#[from] io::Error),
    #[error("there is no memory for a hash table")]
    Memory,
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("the log has too few bets to learn from: {0}; more --games would help")]
    TooFew(String),
}

/// Watches how a run goes.
pub trait Watch: Send {
    /// So many games are in the log, with so many bets.
    fn games(&mut self, games: u64, bets: u64);
    /// The fit went through the log once more; the loss of what it was fitted to.
    fn epoch(&mut self, epoch: u32, loss: f64);
}

/// A run, ready to go.
pub struct LearnSearch<'a> {
    /// What it is.
    pub manifest: &'a Manifest,
    /// The evaluation.
    pub net: Arc<Net>,
    /// The model that the games are searched with, and that the fit begins with.
    pub from: Arc<Model>,
    /// Where play begins.
    pub openings: &'a OpeningSet,
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// How many games there shall be.
    pub games: u64,
    /// Games at a time; changes nothing about them.
    pub threads: usize,
}

/// What came of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Games in the log.
    pub games: u64,
    /// Moves that were played out.
    pub moves: u64,
    /// Nodes that were searched with an open window.
    pub values: u64,
    /// How often shortcuts were wrong, and what they save.
    pub shortcuts: Vec<Record>,
    /// How well the model holds; `None` if the run was stopped before the fit.
    pub fitted: Option<Fitted>,
}

impl LearnSearch<'_> {
    /// Plays the games that are missing, fits the model to all, and writes it with its card.
    pub fn run(&self, watch: &mut dyn Watch) -> Result<Outcome, SearchError> {
        let mut file = BetFile::open(&self.dir.path().join(BETS))?;
        let seeds = Seeds::of_run(self.manifest.seed);
        let Manifest { move_share, value_share, shortcut_share, .. } = *self.manifest;
        let shares = Shares { moves: move_share, values: value_share, shortcuts: shortcut_share };
        let stop = || self.dir.is_stopped();
        let pool = Pool::new(self.threads).with_stack(STACK_BYTES).until(&stop);
        while file.games() < self.games && !self.dir.is_stopped() {
            let next = file.games();
            let numbers = next..(next + self.threads as u64).min(self.games);
            let player =
                || Player::new(&self.net, &self.from, shares, self.manifest.nodes).ok_or(SearchError::Memory);
            let play = |player: &mut Player, number: &u64| {
                Ok::<_, SearchError>(player.play(self.openings, seeds.of_job(*number)))
            };
            match pool.map(numbers, player, play) {
                Ok(games) => games.iter().try_for_each(|bets| file.append(bets))?,
                Err(SearchError::Pool(PoolError::Stopped)) => break,
                Err(error) => return Err(error),
            }
            watch.games(file.games(), file.bets());
        }
        let (games, is_stopped) = (file.games(), self.dir.is_stopped());
        let (learned, judged) = file.read(|game| game % JUDGING == 1)?;
        let moves = (learned.moves.len() + judged.moves.len()) as u64;
        let values = (learned.values.len() + judged.values.len()) as u64;
        let fitted = if is_stopped { None } else { Some(self.fit(&learned, &judged, watch)?) };
        let shortcuts = shortcuts::records(learned.shortcuts.iter().chain(&judged.shortcuts));
        self.dir.write_json("shortcuts.json", &shortcuts)?;
        let by_stage = shortcuts::by_stage(learned.shortcuts.iter().chain(&judged.shortcuts));
        self.dir.write_json("shortcuts-by-stage.json", &by_stage)?;
        Ok(Outcome { games, moves, values, shortcuts, fitted })
    }

    fn fit(&self, learned: &Bets, judged: &Bets, watch: &mut dyn Watch) -> Result<Fitted, SearchError> {
        let mut model = (*self.from).clone();
        margins::fit(&mut model, &learned.values)?;
        pieces::fit(&mut model, &learned.values);
        let fitted = fit::fit(&mut model, learned, judged, self.manifest.seed, watch)?;
        self.dir.write(MODEL, model.to_text().as_bytes())?;
        self.dir.write(CARD, card::card(self.manifest, &model, judged, &fitted).as_bytes())?;
        self.dir.write_json("result.json", &fitted)?;
        Ok(fitted)
    }
}
