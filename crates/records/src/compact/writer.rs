//! Writing games block by block, and going on after a crash.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::StoredGame;
use super::block::{
    BLOCK_HEADER, BlockError, BlockHeader, FILE_HEADER, MAX_PAYLOAD, check_file_header, file_header,
};
use super::scan::Scan;

/// A block is written when its games take this much: large enough to read at disk speed, small enough to
/// lose to a crash.
const BLOCK_SIZE: usize = 256 << 10;

/// What a written block has survived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// The end of this program: the system has it.
    Process,
    /// The end of the system too: each block is synced to the disk.
    Disk,
}

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum WriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("another writer has the file open")]
    Busy,
    #[error("byte 0: {0}")]
    Header(BlockError),
    /// Cutting here would lose whole blocks.
    #[error("byte {offset}: no sound block, but one follows at byte {next}; not appending to a damaged file")]
    Corrupt { offset: u64, next: u64 },
    #[error("the game has {found} plies, the file can hold 65535")]
    TooLong { found: usize },
}

/// What an existing file held when it was opened to append.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Recovery {
    /// How many games are in the whole blocks.
    pub games: u64,
    /// How many plies these have.
    pub plies: u64,
    /// How many bytes of a torn block were cut off.
    pub cut_bytes: u64,
}

/// Appends games to a file, which it holds locked. Games reach the file in whole blocks; dropping the writer
/// writes the last one but hides errors, [`GameWriter::finish`] returns them.
pub struct GameWriter {
    file: File,
    /// The length of the whole blocks; the file's position.
    written: u64,
    durability: Durability,
    block_size: usize,
    /// Room for a block header, then the games not yet written.
    block: Vec<u8>,
    games: u32,
    plies: u32,
}

impl GameWriter {
    /// Opens a file to append, creating it if there is none. A torn block at its end is cut off; the report
    /// says how much.
    pub fn append(path: &Path, durability: Durability) -> Result<(GameWriter, Recovery), WriteError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(WriteError::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let (written, recovery) = recover(&mut file)?;
        let mut writer = GameWriter {
            file,
            written,
            durability,
            block_size: BLOCK_SIZE,
            block: vec![0; BLOCK_HEADER],
            games: 0,
            plies: 0,
        };
        writer.file.set_len(written)?;
        writer.file.seek(SeekFrom::Start(written))?;
        if written == 0 {
            writer.write_whole(&file_header())?;
        }
        Ok((writer, recovery))
    }

    /// Blocks of about this many bytes instead of 256 KiB.
    #[must_use]
    pub fn with_block_size(mut self, bytes: usize) -> GameWriter {
        self.block_size = bytes.min(MAX_PAYLOAD / 2);
        self
    }

    /// Takes a game, after writing the block before it if that is full. After an error the game is not taken.
    pub fn write(&mut self, game: &StoredGame) -> Result<(), WriteError> {
        let plies =
            u16::try_from(game.plies.len()).map_err(|_| WriteError::TooLong { found: game.plies.len() })?;
        if self.block.len() - BLOCK_HEADER >= self.block_size {
            self.flush()?;
        }
        game.encode(&mut self.block);
        self.games += 1;
        self.plies += u32::from(plies);
        Ok(())
    }

    /// Writes the games taken so far as a block. After an error they are kept, and the file ends with whole
    /// blocks as far as the system lets us; it may be tried again.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.games == 0 {
            return Ok(());
        }
        let mut block = std::mem::take(&mut self.block);
        let header = BlockHeader::of(&block[BLOCK_HEADER..], self.games, self.plies);
        block[..BLOCK_HEADER].copy_from_slice(&header.to_bytes());
        let result = self.write_whole(&block);
        self.block = block;
        if result.is_ok() {
            self.block.truncate(BLOCK_HEADER);
            (self.games, self.plies) = (0, 0);
        }
        result
    }

    /// Writes what is left, syncs the file and closes it.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.flush()?;
        Ok(self.file.sync_all()?)
    }

    /// Writes all the bytes or, if that fails, takes back what was written.
    fn write_whole(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let mut result = self.file.write_all(bytes);
        if result.is_ok() && self.durability == Durability::Disk {
            result = self.file.sync_data();
        }
        match result {
            Ok(()) => {
                self.written += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                self.file.set_len(self.written)?;
                self.file.seek(SeekFrom::Start(self.written))?;
                Err(error.into())
            }
        }
    }
}

impl Drop for GameWriter {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

/// Finds where the whole blocks end. Hops from header to header, so it reads little of a large file; only
/// blocks at the end can be torn, so only those have their payload checked.
fn recover(file: &mut File) -> Result<(u64, Recovery), WriteError> {
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    read_at(file, 0, FILE_HEADER, &mut bytes)?;
    match bytes.first_chunk() {
        Some(header) => check_file_header(header).map_err(WriteError::Header)?,
        None if file_header().starts_with(&bytes) => {
            return Ok((0, Recovery { cut_bytes: length, ..Recovery::default() }));
        }
        None => return Err(WriteError::Header(BlockError::NotOurs)),
    }
    let mut blocks = Vec::new();
    let mut end = FILE_HEADER as u64;
    loop {
        read_at(file, end, BLOCK_HEADER, &mut bytes)?;
        let Some(header) = BlockHeader::from_bytes(&bytes) else { break };
        if end + header.block_len() as u64 > length {
            break;
        }
        blocks.push((end, header));
        end += header.block_len() as u64;
    }
    while let Some(&(offset, header)) = blocks.last() {
        read_at(file, offset, header.block_len(), &mut bytes)?;
        if BlockHeader::of_whole_block(&bytes).is_some() {
            break;
        }
        blocks.pop();
        end = offset;
    }
    if end < length {
        file.seek(SeekFrom::Start(end + 1))?;
        let mut scan = Scan::new(&*file, end + 1);
        if scan.seek_block()? {
            return Err(WriteError::Corrupt { offset: end, next: scan.offset() });
        }
    }
    let games = blocks.iter().map(|(_, header)| u64::from(header.games)).sum();
    let plies = blocks.iter().map(|(_, header)| u64::from(header.plies)).sum();
    Ok((end, Recovery { games, plies, cut_bytes: length - end }))
}

/// Reads up to `count` bytes at a place, fewer at the end of the file.
fn read_at(file: &mut File, offset: u64, count: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    file.seek(SeekFrom::Start(offset))?;
    file.take(count as u64).read_to_end(bytes)?;
    Ok(())
}
