//! A whole match: workers take pairs, a log keeps what they played.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use runs::{Log, Opening, RunDir, RunDirError, cores};

use super::conditions::Conditions;
use super::game::{Table, play};
use super::manifest::{Entrant, Manifest};
use super::record::RecordFormat;
use super::row::GameRow;
use super::schedule::{Schedule, Unit};
use super::standing::Standing;
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
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum MatchError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error("{name}: {error}")]
    Seat { name: String, error: SeatError },
}

/// Is told how a match goes, after every game.
pub trait Watch: Send {
    /// A game is over.
    fn game(&mut self, row: &GameRow, standing: &Standing);
}

/// What the workers share.
struct Shared<'a> {
    next: u64,
    schedule: &'a Schedule,
    standing: Standing,
    log: Log,
    watch: &'a mut dyn Watch,
    error: Option<MatchError>,
}

impl Match<'_> {
    /// The pairs of the match.
    #[must_use]
    pub fn schedule(manifest: &Manifest) -> Schedule {
        let (players, openings) = (manifest.players.len(), manifest.openings.count);
        Schedule::new(players, manifest.format, openings, manifest.games, manifest.seed)
    }

    /// How a match stood when it was last seen.
    pub fn standing(dir: &RunDir, manifest: &Manifest) -> Result<(Standing, Vec<GameRow>), RunDirError> {
        let schedule = Match::schedule(manifest);
        let mut standing = Standing::new(manifest.players.len(), schedule.meetings(), manifest.sprt);
        let rows: Vec<GameRow> = dir.read_log(GAMES)?;
        rows.iter().for_each(|row| standing.add(row));
        Ok((standing, rows))
    }

    /// Plays what is left of the match; blocks until it is over, decided or stopped.
    pub fn run(&self, watch: &mut dyn Watch) -> Result<Standing, MatchError> {
        let schedule = Match::schedule(self.manifest);
        let log = self.dir.append_to(GAMES)?;
        let (standing, _) = Match::standing(self.dir, self.manifest)?;
        let shared = Mutex::new(Shared { next: 0, schedule: &schedule, standing, log, watch, error: None });
        std::thread::scope(|scope| {
            for worker in 0..self.concurrency.max(1) {
                let shared = &shared;
                scope.spawn(move || self.work(worker, shared));
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.error {
            Some(error) => Err(error),
            None => Ok(shared.standing),
        }
    }

    /// One worker: takes pair after pair.
    fn work(&self, worker: usize, shared: &Mutex<Shared<'_>>) {
        if let Some(cores) = self.cores.get(worker) {
            cores::pin(cores);
        }
        let mut seats = Seats { entrants: self.entrants, taken: HashMap::new() };
        loop {
            // In a statement of its own: the lock must not be held while the pair is played.
            let taken = lock(shared).take_unit(self.dir);
            let Some((unit, games)) = taken else { return };
            for game in games {
                if self.dir.is_stopped() {
                    return;
                }
                if let Err(error) = self.play_one(unit, game, &mut seats, shared) {
                    lock(shared).error.get_or_insert(error);
                    return;
                }
            }
        }
    }

    fn play_one(
        &self,
        unit: Unit,
        game: u8,
        seats: &mut Seats<'_>,
        shared: &Mutex<Shared<'_>>,
    ) -> Result<(), MatchError> {
        let conditions = &self.manifest.conditions;
        let table = Table { unit, game, opening: &self.openings[unit.opening], conditions };
        let (black, white) = if game == 0 { (unit.first, unit.second) } else { (unit.second, unit.first) };
        let mut seat_of = [seats.take(black, conditions)?, seats.take(white, conditions)?];
        let [first, second] = &mut seat_of;
        let row = play(&table, [first.as_mut(), second.as_mut()]);
        let [first, second] = seat_of;
        seats.put_back(black, first);
        seats.put_back(white, second);
        // The record first: what is in the log has its record.
        if let Some((name, bytes)) = self.records.file(&row, &self.manifest.names()) {
            self.dir.write(&name, &bytes)?;
        }
        lock(shared).finish(&row)?;
        Ok(())
    }
}

fn lock<'a, 'b>(shared: &'a Mutex<Shared<'b>>) -> MutexGuard<'a, Shared<'b>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    /// The next pair with games to play; `None` if the match is over, decided, stopped or broken.
    fn take_unit(&mut self, dir: &RunDir) -> Option<(Unit, Vec<u8>)> {
        if self.error.is_some() || self.standing.is_decided() || dir.is_stopped() {
            return None;
        }
        while self.next < self.schedule.pairs() {
            let unit = self.schedule.unit(self.next);
            self.next += 1;
            let missing: Vec<u8> =
                (0..unit.games).filter(|&game| !self.standing.has(unit.pair, game)).collect();
            if !missing.is_empty() {
                return Some((unit, missing));
            }
        }
        None
    }

    fn finish(&mut self, row: &GameRow) -> Result<(), RunDirError> {
        self.log.append(row)?;
        self.standing.add(row);
        self.watch.game(row, &self.standing);
        Ok(())
    }
}

/// The players of one worker; they stay from game to game.
struct Seats<'a> {
    entrants: &'a [Entrant],
    taken: HashMap<usize, Box<dyn Seat>>,
}

impl Seats<'_> {
    fn take(&mut self, player: usize, conditions: &Conditions) -> Result<Box<dyn Seat>, MatchError> {
        if let Some(seat) = self.taken.remove(&player) {
            return Ok(seat);
        }
        let entrant = &self.entrants[player];
        take_seat(&entrant.spec, conditions.rules())
            .map_err(|error| MatchError::Seat { name: entrant.name.clone(), error })
    }

    fn put_back(&mut self, player: usize, seat: Box<dyn Seat>) {
        self.taken.insert(player, seat);
    }
}
