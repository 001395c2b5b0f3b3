//! Games on their way to the file: in the order of their numbers, and no opening twice.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use records::compact::{Durability, Eval, GameReader, GameWriter, Replay, StoredGame};

use super::game::Played;
use super::run::RunError;
use super::tally::Tally;

/// Small enough that a killed run loses seconds.
const BLOCK_BYTES: usize = 64 << 10;

/// The file of games with what is known about it.
pub(super) struct Ledger {
    writer: GameWriter,
    tally: Tally,
    opening_keys: HashSet<u64>,
    /// The number of the game that comes next in the file.
    next: u64,
    /// Games that others must precede; `None` where no opening was found.
    waiting: BTreeMap<u64, Option<Played>>,
    /// The most games that are kept.
    limit: u64,
    /// Games thrown away since one was kept.
    in_vain: u64,
}

impl Ledger {
    /// Opens the file of a run and reads what it holds already. `number_of` tells a game's number by its seed.
    pub(super) fn open(path: &Path, limit: u64, number_of: impl Fn(u64) -> u64) -> Result<Ledger, RunError> {
        let (writer, _) = GameWriter::append(path, Durability::Process)?;
        let mut ledger = Ledger {
            writer: writer.with_block_size(BLOCK_BYTES),
            tally: Tally::default(),
            opening_keys: HashSet::new(),
            next: 0,
            waiting: BTreeMap::new(),
            limit,
            in_vain: 0,
        };
        let mut reader = GameReader::new(BufReader::new(File::open(path)?))?;
        let mut game = StoredGame::empty();
        while reader.read_into(&mut game)? {
            ledger.opening_keys.insert(opening_key(&game)?);
            ledger.tally.add(&game)?;
            ledger.next = number_of(game.seed) + 1;
        }
        Ok(ledger)
    }

    pub(super) fn next(&self) -> u64 {
        self.next
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

    /// Takes a game, and writes what is now complete up to its number. Numbers that are in the file already change
    /// nothing.
    pub(super) fn enter(&mut self, number: u64, played: Option<Played>) -> Result<(), RunError> {
        if number >= self.next {
            self.waiting.insert(number, played);
        }
        while let Some(played) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.in_vain += 1;
            let Some(Played { game, opening_key }) = played else { continue };
            if self.is_full() || !self.opening_keys.insert(opening_key) {
                continue;
            }
            self.in_vain = 0;
            self.tally.add(&game)?;
            self.writer.write(&game)?;
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
