//! One turn: games, data, candidates, a match. What is complete is not done again.

use std::path::{Path, PathBuf};

use engine::PlayerSpec;
use runs::{RunDir, RunDirError, Seeds};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::contest::{Contest, ContestResult, Referee};
use super::history::{Candidate, TurnRow, promoted};
use super::net_id::{NetId, turn_name};
use super::page::write_page;
use super::run::{Stage, TurnError, Turns, Watch};
use crate::data::{self, DataError, DataFiles, Prepared};
use crate::nnue::{self, Level, Training};
use crate::selfplay::{self, Openings, SelfPlay, Summary};

/// The runs of a turn, by the names of their folders.
pub(super) const GAMES: &str = "games";
pub(super) const DATA: &str = "data";
pub(super) const MATCH: &str = "match";

/// A turn under way.
pub(super) struct Turn<'a> {
    the: &'a Turns<'a>,
    number: u64,
    /// The best net so far.
    best: NetId,
    player: PlayerSpec,
    folder: PathBuf,
    seed: u64,
}

/// What the candidates of a turn learned from, and what came of it.
struct Learned {
    training: u64,
    validation: u64,
    floor: f64,
    candidates: Vec<Candidate>,
}

/// What a run left in its folder when it was complete; `None` if it has not come so far.
fn left_in<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Option<T>, RunDirError> {
    match RunDir::existing(folder) {
        Ok(dir) => dir.read_json(name),
        Err(RunDirError::Missing { .. } | RunDirError::NoManifest { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

impl<'a> Turn<'a> {
    pub(super) fn new(the: &'a Turns<'a>, number: u64, best: NetId) -> Turn<'a> {
        Turn {
            the,
            number,
            best,
            player: the.player_of(best),
            folder: the.dir.path().join(turn_name(number)),
            seed: Seeds::of_run(the.manifest.seed).of_job(number),
        }
    }

    /// The whole turn; `None` if it was stopped.
    pub(super) fn run(
        &self,
        referee: &mut dyn Referee,
        watch: &mut dyn Watch,
    ) -> Result<Option<TurnRow>, TurnError> {
        let Some((games, positions)) = self.play(watch)? else { return Ok(None) };
        if self.prepare(watch)?.is_none() {
            return Ok(None);
        }
        let Some(learned) = self.learn(watch)? else { return Ok(None) };
        let Learned { training, validation, floor, candidates } = learned;
        let least = candidates.iter().min_by(|a, b| a.loss.total_cmp(&b.loss));
        let candidate = least.ok_or(TurnError::NoNet { turn: self.number, candidate: 1 })?.net;
        let Some(contest) = self.decide(candidate, referee, watch)? else { return Ok(None) };
        Ok(Some(TurnRow {
            turn: self.number,
            player: self.best,
            games,
            positions,
            training,
            validation,
            floor,
            candidates,
            candidate,
            contest,
            best: promoted(self.best, candidate, contest.verdict),
        }))
    }

    /// Opens the run of a stage that is not complete.
    fn begin<M: Serialize>(
        &self,
        stage: Stage,
        folder: &Path,
        manifest: &M,
        watch: &mut dyn Watch,
    ) -> Result<RunDir, TurnError> {
        let dir = TurnError::part(self.the.dir, self.number, stage, folder, manifest)?;
        watch.stage(self.number, stage);
        write_page(self.the.dir)?;
        Ok(dir)
    }

    /// Lets the best net play; its games and their positions. Turn 0 has none.
    fn play(&self, watch: &mut dyn Watch) -> Result<Option<(u64, u64)>, TurnError> {
        if self.number == 0 {
            return Ok(Some((0, 0)));
        }
        let folder = self.folder.join(GAMES);
        let terms = &self.the.manifest.self_play;
        if let Some(summary) = left_in::<Summary>(&folder, selfplay::SUMMARY)?
            && summary.games >= terms.games
        {
            return Ok(Some((summary.games, summary.positions)));
        }
        let manifest = selfplay::Manifest {
            opening_plies: terms.opening_plies,
            balance: terms.balance,
            max_moves: terms.max_moves,
            ..selfplay::Manifest::usual(&self.player, terms.effort, self.seed)
        };
        let dir = self.begin(Stage::Games, &folder, &manifest, watch)?;
        let run = SelfPlay {
            manifest: &manifest,
            player: &self.player,
            openings: &Openings { given: Vec::new(), plies: terms.opening_plies, balance: terms.balance },
            dir: &dir,
            games: terms.games,
            threads: self.the.threads,
        };
        let outcome = run
            .run(watch.games(terms.games).as_mut())
            .map_err(|error| TurnError::Games { turn: self.number, error })?;
        let tally = outcome.tally;
        Ok((tally.games() >= terms.games).then(|| (tally.games(), tally.positions())))
    }

    /// Makes the data set of the turn's games, or of those that the loop began with.
    fn prepare(&self, watch: &mut dyn Watch) -> Result<Option<Prepared>, TurnError> {
        let folder = self.folder.join(DATA);
        if let Some(prepared) = left_in(&folder, data::STATS)? {
            return Ok(Some(prepared));
        }
        let fail = |error| TurnError::Data { turn: self.number, error };
        let origins = match self.number {
            0 => self.the.with_games.to_vec(),
            _ => data::inputs(&[self.folder.join(GAMES)]).map_err(|error| fail(error.into()))?,
        };
        let of = self.the.manifest;
        let manifest = data::Manifest::of(&origins, of.scores, of.filter, of.validation, self.seed);
        let dir = self.begin(Stage::Data, &folder, &manifest, watch)?;
        let expected = origins.iter().map(data::Origin::positions).sum();
        match data::prepare(&manifest, &origins, &dir, watch.data(expected).as_mut()) {
            Ok(prepared) => Ok(Some(prepared)),
            Err(DataError::Stopped) => Ok(None),
            Err(error) => Err(fail(error)),
        }
    }

    /// Trains the candidates.
    fn learn(&self, watch: &mut dyn Watch) -> Result<Option<Learned>, TurnError> {
        let window = self.the.manifest.window_of(self.number);
        let folders: Vec<PathBuf> =
            window.map(|turn| self.the.dir.path().join(turn_name(turn)).join(DATA)).collect();
        let files =
            DataFiles::of(&folders, &[]).map_err(|error| TurnError::Window { turn: self.number, error })?;
        let mut learned = Learned { training: 0, validation: 0, floor: 0.0, candidates: Vec::new() };
        for folder in &folders {
            let prepared: Option<Prepared> = left_in(folder, data::STATS)?;
            learned.training += prepared.as_ref().map_or(0, |prepared| prepared.training);
            learned.validation += prepared.map_or(0, |prepared| prepared.validation);
        }
        for number in 1..=self.the.manifest.candidates {
            let Some(outcome) = self.train(number, &files, watch)? else { return Ok(None) };
            let unjudged = TurnError::NoNet { turn: self.number, candidate: number };
            let (loss, epoch) = outcome.best.ok_or(unjudged)?;
            let net = NetId::Candidate { turn: self.number, number };
            learned.candidates.push(Candidate { net, loss, epoch });
            learned.floor = outcome.floor;
        }
        Ok(Some(learned))
    }

    /// Trains one of them.
    fn train(
        &self,
        candidate: u32,
        files: &DataFiles,
        watch: &mut dyn Watch,
    ) -> Result<Option<nnue::Outcome>, TurnError> {
        let folder = self.folder.join(format!("net-{candidate}"));
        if let Some(outcome) = left_in::<nnue::Outcome>(&folder, nnue::RESULT)?
            && outcome.is_complete
        {
            return Ok(Some(outcome));
        }
        let fail = |error| TurnError::Training { turn: self.number, error };
        let seed = self.seed.wrapping_add(u64::from(candidate));
        let settings = nnue::Settings { seed, ..self.the.manifest.training.clone() };
        let manifest = nnue::Manifest::of(self.the.arch, files, None, settings).map_err(fail)?;
        let dir = self.begin(Stage::Training { candidate }, &folder, &manifest, watch)?;
        let training = Training {
            manifest: &manifest,
            arch: self.the.arch,
            training: &files.training,
            validation: &files.validation,
            from: None,
            dir: &dir,
            threads: self.the.threads,
            level: Level::best(),
        };
        let outcome = training.run(watch.training().as_mut()).map_err(fail)?;
        Ok(outcome.is_complete.then_some(outcome))
    }

    /// Lets a candidate meet the best net.
    fn decide(
        &self,
        candidate: NetId,
        referee: &mut dyn Referee,
        watch: &mut dyn Watch,
    ) -> Result<Option<ContestResult>, TurnError> {
        watch.stage(self.number, Stage::Match);
        let player = self.the.player_of(candidate);
        let contest = Contest {
            candidate: (candidate, &player),
            best: (self.best, &self.player),
            terms: &self.the.manifest.contest,
            seed: self.seed,
            folder: &self.folder.join(MATCH),
            turn: self.number,
            whole: self.the.dir,
        };
        referee.decide(&contest)
    }
}
