//! What the search learns about its time: when is it worth while to go on?
//!
//! The search plays games against itself. Now and then a search is given many times the usual nodes, and its iterations are
//! logged (`searches.jsonl`, a row for each game). From that the judge of the model is fitted, and rules to stop by are
//! compared at equal mean nodes on games that it was not fitted to.

mod card;
mod fit;
mod game;
mod rules;

use std::sync::Arc;

use contract::LogisticScale;
use engine::STACK_BYTES;
use eval::Net;
use runs::{Header, OpeningSet, Pool, PoolError, RunDir, RunDirError, Seeds};
use search::alphabeta::Model;
use serde::{Deserialize, Serialize};

pub use fit::Fitted;
pub use game::LongSearch;
use game::Player;
pub use rules::Compared;

/// The log of a run.
pub const SEARCHES: &str = "searches.jsonl";
/// The file of the model.
pub const MODEL: &str = "alphabeta.model";
/// The page that says how well it holds.
pub const CARD: &str = "card.html";
/// A long search has so many times the nodes that a move deserves.
pub const LONGER: u64 = 8;
/// One game in so many is kept for judging.
const JUDGING: usize = 4;

/// All that a judge depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// The net, by its SHA-256; empty for the one inside the program.
    pub net: String,
    /// The model that is searched with, by its SHA-256; empty for the one inside the program.
    pub from: String,
    /// Nodes of a long search.
    pub nodes: u64,
    /// One search in so many is long.
    pub share: u64,
    /// The seed.
    pub seed: u64,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "learn time";
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TimeError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error("there is no memory for a hash table")]
    Memory,
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("{searches} long searches are too few to learn from; more --games would help")]
    TooFew { searches: usize },
}

/// A run, ready to go.
pub struct LearnTime<'a> {
    /// What it is.
    pub manifest: &'a Manifest,
    /// The evaluation.
    pub net: Arc<Net>,
    /// What its values mean.
    pub scale: LogisticScale,
    /// The model that is searched with; all of it but the judge is kept.
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
    /// Long searches in them.
    pub searches: usize,
    /// How well the judge holds; `None` if the run was stopped before the fit.
    pub fitted: Option<Fitted>,
}

impl LearnTime<'_> {
    /// Plays the games that are missing, fits the judge to all, and writes the model with its card. `watch` hears how many games
    /// there are.
    pub fn run(&self, watch: &mut dyn FnMut(u64)) -> Result<Outcome, TimeError> {
        let mut log = self.dir.append_to(SEARCHES)?;
        let mut games: Vec<Vec<LongSearch>> = self.dir.read_log(SEARCHES)?;
        let seeds = Seeds::of_run(self.manifest.seed);
        let stop = || self.dir.is_stopped();
        let pool = Pool::new(self.threads).with_stack(STACK_BYTES).until(&stop);
        while (games.len() as u64) < self.games && !self.dir.is_stopped() {
            let next = games.len() as u64;
            let numbers = next..(next + self.threads as u64).min(self.games);
            let player = || Player::new(&self.net, &self.from, self.manifest).ok_or(TimeError::Memory);
            let play = |player: &mut Player, number: &u64| {
                Ok::<_, TimeError>(player.play(self.openings, seeds.of_job(*number)))
            };
            let played = match pool.map(numbers, player, play) {
                Ok(played) => played,
                Err(TimeError::Pool(PoolError::Stopped)) => break,
                Err(error) => return Err(error),
            };
            played.iter().try_for_each(|game| log.append(game))?;
            games.extend(played);
            watch(games.len() as u64);
        }
        let searches = games.iter().map(Vec::len).sum();
        let fitted = if self.dir.is_stopped() { None } else { Some(self.fit(&games)?) };
        Ok(Outcome { games: games.len() as u64, searches, fitted })
    }

    fn fit(&self, games: &[Vec<LongSearch>]) -> Result<Fitted, TimeError> {
        let is_judging = |game: usize| game % JUDGING == 1;
        let of = |wanted: bool| {
            let chosen = games.iter().enumerate().filter(move |(game, _)| is_judging(*game) == wanted);
            chosen.flat_map(|(_, searches)| searches).collect::<Vec<&LongSearch>>()
        };
        let mut model = (*self.from).clone();
        let soft = (self.manifest.nodes / LONGER) as f64;
        let fitted = fit::fit(&mut model, &of(false), &of(true), self.scale, soft)?;
        self.dir.write(MODEL, model.to_text().as_bytes())?;
        self.dir.write(CARD, card::card(self.manifest, &fitted).as_bytes())?;
        self.dir.write_json("result.json", &fitted)?;
        Ok(fitted)
    }
}
