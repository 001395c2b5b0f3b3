//! Games on their way to the file: in the order of their numbers, and no opening twice.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, Instant};

use records::compact::{Durability, Eval, GameReader, GameWriter, Replay, StoredGame};
use runs::{InOrder, Seeds};

use super::game::Played;
use super::run::RunError;
use super::tally::Tally;

/// Games go to the file when they take so many bytes.
const BLOCK_BYTES: usize = 64 << 10;
/// And when the last ones went there so long ago: games may be slow, and a killed run loses no more than this.
const FLUSH_EVERY: Duration = Duration::from_secs(10);

/// The file of games with what is known about it.
pub(super) struct GameLog {
    writer: GameWriter,
    flushed: Instant,
    tally: Tally,
    opening_keys: HashSet<u64>,
    /// Games that others must precede; `None` where no opening was found.
    arrived: InOrder<Option<Played>>,
    /// The most games that are kept.
    limit: u64,
    /// Games thrown away since one was kept.
    in_vain: u64,
}

impl GameLog {
    /// Opens the file of a run and reads what it holds already.
    pub(super) fn open(path: &Path, limit: u64, seeds: Seeds) -> Result<GameLog, RunError> {
        let (writer, _) = GameWriter::append(path, Durability::Process)?;
        let mut log = GameLog {
            writer: writer.with_block_size(BLOCK_BYTES),
            flushed: Instant::now(),
            tally: Tally::default(),
            opening_keys: HashSet::new(),
            arrived: InOrder::from(0),
            limit,
            in_vain: 0,
        };
        let mut reader = GameReader::new(BufReader::new(File::open(path)?))?;
        let mut game = StoredGame::empty();
        while reader.read_into(&mut game)? {
            log.opening_keys.insert(opening_key(&game)?);
            log.tally.add(&game)?;
            log.arrived = InOrder::from(seeds.number_of(game.seed) + 1);
        }
        Ok(log)
    }

    pub(super) fn next(&self) -> u64 {
        self.arrived.next()
    }

    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    pub(super) fn is_full(&self) -> bool {
        self.tally.games() >= self.limit
    }

    /// How many games in a row brought nothing new.
    pub(super) fn in_vain(&self) -> u64 {
        self.in_vain
    }

    /// Takes a game, and writes what is now complete up to its number. A number that came before changes nothing.
    pub(super) fn enter(&mut self, number: u64, played: Option<Played>) -> Result<(), RunError> {
        self.arrived.put(number, played);
        while let Some((_, played)) = self.arrived.take() {
            self.in_vain += 1;
            let Some(Played { game, opening_key }) = played else { continue };
            if self.is_full() || !self.opening_keys.insert(opening_key) {
                continue;
            }
            self.in_vain = 0;
            self.tally.add(&game)?;
            self.writer.write(&game)?;
        }
        if self.flushed.elapsed() >= FLUSH_EVERY {
            self.writer.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    /// Writes what is complete to the file and closes it.
    pub(super) fn finish(self) -> Result<Tally, RunError> {
        self.writer.finish()?;
        Ok(self.tally)
    }
}

/// The key of the position where the player began to think.
fn opening_key(game: &StoredGame) -> Result<u64, RunError> {
    let mut replay = Replay::new(game)?;
    while replay.advance()?.is_some_and(|sample| sample.eval == Eval::NONE) {}
    Ok(replay.position().key())
}
