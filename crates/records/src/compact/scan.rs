//! A window onto a stream that grows on demand, and the search for whole blocks in it.

use std::io::{self, Read};

use super::block::{BLOCK_HEADER, BlockHeader, SYNC};

/// How much is read at a time while searching.
const CHUNK: usize = 1 << 16;

/// The bytes of a stream from [`Scan::offset`] on, as far as they were asked for.
pub(super) struct Scan<R> {
    source: R,
    buffer: Vec<u8>,
    /// Where the unread bytes begin in the buffer.
    at: usize,
    offset: u64,
}

impl<R: Read> Scan<R> {
    /// Starts at the current place of `source`, which is `offset` in the file.
    pub(super) fn new(source: R, offset: u64) -> Scan<R> {
        Scan { source, buffer: Vec::new(), at: 0, offset }
    }

    /// Where the unread bytes begin in the file.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The unread bytes that are here already.
    pub(super) fn unread(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    /// Gets `wanted` unread bytes here, or all there are, and returns how many are here.
    pub(super) fn fill(&mut self, wanted: usize) -> io::Result<usize> {
        let here = self.unread().len();
        if here < wanted {
            self.buffer.drain(..self.at);
            self.at = 0;
            let missing = (wanted - here) as u64;
            self.source.by_ref().take(missing).read_to_end(&mut self.buffer)?;
        }
        Ok(self.unread().len())
    }

    /// Leaves bytes behind; they must be here.
    pub(super) fn consume(&mut self, bytes: usize) {
        self.at += bytes;
        self.offset += bytes as u64;
    }

    /// Leaves bytes behind until a whole and sound block begins; false if none does up to the end.
    pub(super) fn seek_block(&mut self) -> io::Result<bool> {
        loop {
            let here = self.fill(CHUNK)?;
            match self.unread().windows(SYNC.len()).position(|window| window == SYNC) {
                Some(at) => self.consume(at),
                // The last bytes may begin the sync bytes.
                None if here == CHUNK => {
                    self.consume(here - (SYNC.len() - 1));
                    continue;
                }
                None => {
                    self.consume(here);
                    return Ok(false);
                }
            }
            if self.whole_block()?.is_some() {
                return Ok(true);
            }
            self.consume(1);
        }
    }

    /// The header of the block that begins here, if the block is whole and sound.
    pub(super) fn whole_block(&mut self) -> io::Result<Option<BlockHeader>> {
        self.fill(BLOCK_HEADER)?;
        let Some(header) = BlockHeader::from_bytes(self.unread()) else { return Ok(None) };
        self.fill(header.block_len())?;
        Ok(BlockHeader::of_whole_block(self.unread()))
    }
}
