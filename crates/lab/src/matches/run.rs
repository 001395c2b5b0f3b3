//! A whole match: workers play its games, a log keeps them.

use std::collections::HashMap;

use runs::{Coordinator, Job, Log, Opening, Pool, PoolError, RunDir, RunDirError, Worker};
use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::entrants::Entrant;
use super::game::{Table, play};
use super::manifest::Manifest;
use super::match_stats::MatchStats;
use super::record::RecordFormat;
use super::row::GameRow;
use super::schedule::Schedule;
use crate::seat::{Seat, SeatError, take_seat};

/// The log of games.
pub const GAMES: &str = "games.jsonl";

/// A match, ready to be played.
pub struct Match<'a> {
    /// What it is.
    pub manifest: &'a Manifest,
    /// Who plays.
    pub entrants: &'a [Entrant],
    /// From where.
    pub openings: &'a [Opening],
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// The records to write.
    pub records: RecordFormat,
    /// Games at a time.
    pub concurrency: usize,
    /// The cores of each worker; empty for no pinning.
    pub cores: Vec<Vec<usize>>,
    /// Whether somebody who loses a game before ever having moved ends the match: such a one cannot play, and its losses
    /// measure nothing.
    pub refuse_idle: bool,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum MatchError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("{name}: {error}")]
    Seat { name: String, error: SeatError },
    #[error("{name} lost its game without a move: {words}")]
    NeverMoved { name: String, words: String },
}

/// Watches how a match goes, after every game.
pub trait Watch: Send {
    /// A game is over.
    fn game(&mut self, row: &GameRow, stats: &MatchStats);
}

/// One game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameJob {
    /// The pair's number.
    pub pair: u64,
    /// The game of the pair: 0, or 1 with colours reversed.
    pub game: u8,
}

impl Job for GameJob {
    type Output = GameRow;

    fn id(&self) -> u64 {
        2 * self.pair + u64::from(self.game)
    }
}

impl Match<'_> {
    /// The pairs of the match.
    #[must_use]
    pub fn schedule(manifest: &Manifest) -> Schedule {
        let (players, openings) = (manifest.players.len(), manifest.openings.count);
        Schedule::new(players, manifest.format, openings, manifest.games, manifest.seed)
    }

    /// How a match stood when it was last seen.
    pub fn stats(dir: &RunDir, manifest: &Manifest) -> Result<(MatchStats, Vec<GameRow>), RunDirError> {
        let schedule = Match::schedule(manifest);
        let mut stats = MatchStats::new(manifest.players.len(), schedule.meetings(), manifest.sprt);
        let rows: Vec<GameRow> = dir.read_log(GAMES)?;
        rows.iter().for_each(|row| stats.add(row));
        Ok((stats, rows))
    }

    /// Plays what is left of the match; blocks until it is over, decided or stopped.
    pub fn run(&self, watch: &mut dyn Watch) -> Result<MatchStats, MatchError> {
        let schedule = Match::schedule(self.manifest);
        let log = self.dir.append_to(GAMES)?;
        let (stats, _) = Match::stats(self.dir, self.manifest)?;
        let mut course = Course { the: self, next: 0, schedule: &schedule, stats, log, watch };
        let stop = || self.dir.is_stopped();
        let pool = Pool::new(self.concurrency).on_cores(&self.cores).until(&stop);
        pool.run(&mut course, || {
            let (entrants, openings, conditions) = (self.entrants, self.openings, &self.manifest.conditions);
            Ok(Players { entrants, openings, conditions, schedule: &schedule, taken: HashMap::new() })
        })?;
        Ok(course.stats)
    }
}

/// A match under way.
struct Course<'a> {
    the: &'a Match<'a>,
    next: u64,
    schedule: &'a Schedule,
    stats: MatchStats,
    log: Log,
    watch: &'a mut dyn Watch,
}

impl Coordinator for Course<'_> {
    type Job = GameJob;
    type Error = MatchError;

    /// The games that are missing of the next pair: one worker plays them on the same cores.
    fn next_batch(&mut self) -> Option<Vec<GameJob>> {
        if self.stats.is_decided() {
            return None;
        }
        while self.next < self.schedule.pairs() {
            let unit = self.schedule.unit(self.next);
            self.next += 1;
            let missing: Vec<GameJob> = (0..unit.games)
                .filter(|&game| !self.stats.has(unit.pair, game))
                .map(|game| GameJob { pair: unit.pair, game })
                .collect();
            if !missing.is_empty() {
                return Some(missing);
            }
        }
        None
    }

    fn accept(&mut self, job: &GameJob, row: GameRow) -> Result<(), MatchError> {
        if self.stats.has(job.pair, job.game) {
            return Ok(());
        }
        if let (Some(words), Some(loser)) = (&row.never_moved, row.loser())
            && self.the.refuse_idle
            && !self.stats.has_moved(loser)
        {
            let name = self.the.entrants[loser].name.clone();
            return Err(MatchError::NeverMoved { name, words: words.clone() });
        }
        // The record first: what is in the log has its record.
        if let Some((name, bytes)) = self.the.records.file(&row, &self.the.manifest.names()) {
            self.the.dir.write(&name, &bytes)?;
        }
        self.log.append(&row)?;
        self.stats.add(&row);
        self.watch.game(&row, &self.stats);
        Ok(())
    }
}

/// The players of one worker; they stay from game to game.
struct Players<'a> {
    entrants: &'a [Entrant],
    openings: &'a [Opening],
    conditions: &'a Conditions,
    schedule: &'a Schedule,
    taken: HashMap<usize, Box<dyn Seat>>,
}

impl Worker<GameJob> for Players<'_> {
    type Error = MatchError;

    fn perform(&mut self, job: &GameJob) -> Result<GameRow, MatchError> {
        let unit = self.schedule.unit(job.pair);
        let table = Table {
            unit,
            game: job.game,
            opening: &self.openings[unit.opening],
            conditions: self.conditions,
        };
        let (black, white) =
            if job.game == 0 { (unit.first, unit.second) } else { (unit.second, unit.first) };
        let mut seats = [self.take(black)?, self.take(white)?];
        let [first, second] = &mut seats;
        let row = play(&table, [first.as_mut(), second.as_mut()]);
        self.taken.extend([black, white].into_iter().zip(seats));
        Ok(row)
    }
}

impl Players<'_> {
    fn take(&mut self, player: usize) -> Result<Box<dyn Seat>, MatchError> {
        if let Some(seat) = self.taken.remove(&player) {
            return Ok(seat);
        }
        let entrant = &self.entrants[player];
        take_seat(&entrant.spec, self.conditions.rules())
            .map_err(|error| MatchError::Seat { name: entrant.name.clone(), error })
    }
}
