//! Reading games back, past a torn end and around corruption.

use std::io::{self, Read};

use super::block::{BLOCK_HEADER, BlockError, BlockHeader, FILE_HEADER, check_file_header, file_header};
use super::scan::Scan;
use super::{GameError, StoredGame};

/// Why games cannot be read. Offsets are bytes in the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReadError {
    #[error("reading at byte {offset}: {error}")]
    Io { offset: u64, error: io::Error },
    #[error("byte 0: {0}")]
    Header(BlockError),
    /// Whole blocks follow at `next`, where reading goes on.
    #[error("byte {offset}: {error}; the next whole block begins at byte {next}")]
    Corrupt { offset: u64, error: BlockError, next: u64 },
    /// The rest of the block is skipped; reading goes on behind it.
    #[error("game at byte {offset}: {error}")]
    Game { offset: u64, error: GameError },
    /// The block is left; reading goes on behind it.
    #[error("block at byte {offset}: {error}")]
    Block { offset: u64, error: BlockError },
}

/// What a crash left behind the last whole block. Not a failure: everything before it was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TornTail {
    /// Where the last whole block ends.
    pub offset: u64,
    /// How many bytes follow.
    pub bytes: u64,
}

/// Iterates over the games of a file.
pub struct GameReader<R> {
    scan: Scan<R>,
    block: Option<OpenBlock>,
    torn: Option<TornTail>,
    ended: bool,
    game_offset: u64,
}

/// The block whose games are being handed out; its bytes are the unread ones of the scan.
struct OpenBlock {
    header: BlockHeader,
    /// Where the next game begins, from the beginning of the block.
    at: usize,
    games: u32,
    plies: u64,
}

impl<R: Read> GameReader<R> {
    /// Reads the file header. An empty file is one without games.
    pub fn new(source: R) -> Result<GameReader<R>, ReadError> {
        let mut reader =
            GameReader { scan: Scan::new(source, 0), block: None, torn: None, ended: false, game_offset: 0 };
        let here = reader.scan.fill(FILE_HEADER).map_err(|error| ReadError::Io { offset: 0, error })?;
        match reader.scan.unread().first_chunk() {
            Some(header) => {
                check_file_header(header).map_err(ReadError::Header)?;
                reader.scan.consume(FILE_HEADER);
            }
            None if file_header().starts_with(reader.scan.unread()) => {
                reader.ended = true;
                reader.torn = (here > 0).then_some(TornTail { offset: 0, bytes: here as u64 });
            }
            None => return Err(ReadError::Header(BlockError::NotOurs)),
        }
        Ok(reader)
    }

    /// What was left unread at the end; known once the games are exhausted.
    #[must_use]
    pub fn torn_tail(&self) -> Option<TornTail> {
        self.torn
    }

    /// Where the game read last begins in the file.
    #[must_use]
    pub fn game_offset(&self) -> u64 {
        self.game_offset
    }

    /// Reads the next game into `game`, whose room is used again; false at the end. After an error, the next
    /// call goes on behind it.
    pub fn read_into(&mut self, game: &mut StoredGame) -> Result<bool, ReadError> {
        loop {
            if self.block.is_none() && !self.open_block()? {
                return Ok(false);
            }
            let Some(block) = &mut self.block else { continue };
            if block.games == block.header.games {
                self.close_block()?;
                continue;
            }
            let bytes = &self.scan.unread()[block.at..block.header.block_len()];
            self.game_offset = self.scan.offset() + block.at as u64;
            match game.decode(bytes) {
                Ok(length) => {
                    block.at += length;
                    block.games += 1;
                    block.plies += game.plies.len() as u64;
                    return Ok(true);
                }
                Err(error) => {
                    self.leave_block();
                    return Err(ReadError::Game { offset: self.game_offset, error });
                }
            }
        }
    }

    /// Gets the next whole block; false at the end of the file or of its whole blocks.
    fn open_block(&mut self) -> Result<bool, ReadError> {
        if self.ended {
            return Ok(false);
        }
        let offset = self.scan.offset();
        let result = self.try_open_block(offset);
        self.ended = matches!(result, Ok(Ok(false)) | Err(_));
        match result {
            Ok(opened) => opened,
            Err(error) => Err(ReadError::Io { offset, error }),
        }
    }

    fn try_open_block(&mut self, offset: u64) -> io::Result<Result<bool, ReadError>> {
        if self.scan.fill(BLOCK_HEADER)? == 0 {
            return Ok(Ok(false));
        }
        if let Some(header) = self.scan.whole_block()? {
            self.block = Some(OpenBlock { header, at: BLOCK_HEADER, games: 0, plies: 0 });
            return Ok(Ok(true));
        }
        let sound_header = BlockHeader::from_bytes(self.scan.unread()).is_some();
        self.scan.consume(1);
        if self.scan.seek_block()? {
            let error = if sound_header { BlockError::Payload } else { BlockError::NoBlock };
            return Ok(Err(ReadError::Corrupt { offset, error, next: self.scan.offset() }));
        }
        self.torn = Some(TornTail { offset, bytes: self.scan.offset() - offset });
        Ok(Ok(false))
    }

    /// Leaves the block after its last game.
    fn close_block(&mut self) -> Result<(), ReadError> {
        let offset = self.scan.offset();
        let Some(OpenBlock { header, at, plies, .. }) = self.leave_block() else { return Ok(()) };
        if at != header.block_len() || plies != u64::from(header.plies) {
            let error = BlockError::Counts { games: header.games, plies: header.plies };
            return Err(ReadError::Block { offset, error });
        }
        Ok(())
    }

    fn leave_block(&mut self) -> Option<OpenBlock> {
        let block = self.block.take()?;
        self.scan.consume(block.header.block_len());
        Some(block)
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<StoredGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut game = StoredGame::empty();
        match self.read_into(&mut game) {
            Ok(true) => Some(Ok(game)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
