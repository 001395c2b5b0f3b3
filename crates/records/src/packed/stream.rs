//! Records of fixed length one after another in a stream.

use std::fmt;
use std::io::{self, Read, Write};
use std::marker::PhantomData;

/// A record of fixed length.
pub trait Record: Sized {
    /// The bytes of one record.
    type Bytes: AsRef<[u8]> + for<'a> TryFrom<&'a [u8]>;
    /// Why bytes are no record.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Reads the fields; the position stays packed.
    fn from_bytes(bytes: &Self::Bytes) -> Result<Self, Self::Error>;

    /// The bytes of the record.
    fn to_bytes(&self) -> Self::Bytes;
}

/// Why a stream has no further record, or a bad one.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StreamError<E: fmt::Debug + fmt::Display> {
    #[error("reading at byte {offset}: {error}")]
    Io { offset: u64, error: io::Error },
    /// The record is bad; the next one can still be read.
    #[error("record at byte {offset}: {error}")]
    Record { offset: u64, error: E },
    #[error("{found} bytes at byte {offset}, at the end of the stream; a record has {expected}")]
    Partial { offset: u64, found: usize, expected: usize },
}

/// How many records are read at a time.
const BATCH: usize = 2048;

/// Iterates over the records of a stream. Buffers by itself. After a bad record it goes on with the next one;
/// after any other error it ends.
pub struct RecordReader<R, T> {
    source: R,
    buffer: Vec<u8>,
    /// Where the next record begins in the buffer.
    at: usize,
    /// Where the buffer begins in the stream.
    base: u64,
    ended: bool,
    records: PhantomData<T>,
}

impl<R: Read, T: Record> RecordReader<R, T> {
    const LEN: usize = size_of::<T::Bytes>();

    /// Reads from the current place of `source`, which counts as byte 0.
    #[must_use]
    pub fn new(source: R) -> Self {
        RecordReader { source, buffer: Vec::new(), at: 0, base: 0, ended: false, records: PhantomData }
    }

    /// Where the next record begins.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Fetches the next batch; an error ends the stream.
    fn refill(&mut self) -> Result<(), StreamError<T::Error>> {
        self.base += self.buffer.len() as u64;
        self.buffer.clear();
        self.at = 0;
        let wanted = (Self::LEN * BATCH) as u64;
        let result = self.source.by_ref().take(wanted).read_to_end(&mut self.buffer);
        self.ended = self.buffer.len() < wanted as usize;
        match result {
            Ok(_) => Ok(()),
            Err(error) => {
                let offset = self.base + self.buffer.len() as u64;
                self.buffer.clear();
                self.ended = true;
                Err(StreamError::Io { offset, error })
            }
        }
    }
}

impl<R: Read, T: Record> Iterator for RecordReader<R, T> {
    type Item = Result<T, StreamError<T::Error>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.buffer.len()
            && !self.ended
            && let Err(error) = self.refill()
        {
            return Some(Err(error));
        }
        let offset = self.offset();
        let rest = &self.buffer[self.at..];
        if rest.is_empty() {
            return None;
        }
        let Some(Ok(bytes)) = rest.get(..Self::LEN).map(T::Bytes::try_from) else {
            let found = rest.len();
            self.at = self.buffer.len();
            return Some(Err(StreamError::Partial { offset, found, expected: Self::LEN }));
        };
        self.at += Self::LEN;
        Some(T::from_bytes(&bytes).map_err(|error| StreamError::Record { offset, error }))
    }
}

/// Writes records to a stream, buffered. Call [`RecordWriter::finish`]: dropping it loses errors.
pub struct RecordWriter<W: Write> {
    sink: io::BufWriter<W>,
}

impl<W: Write> RecordWriter<W> {
    /// Appends to whatever `sink` is.
    #[must_use]
    pub fn new(sink: W) -> Self {
        RecordWriter { sink: io::BufWriter::with_capacity(1 << 16, sink) }
    }

    /// Writes one record.
    pub fn write<T: Record>(&mut self, record: &T) -> io::Result<()> {
        self.sink.write_all(record.to_bytes().as_ref())
    }

    /// Writes what is buffered and gives the stream back.
    pub fn finish(self) -> io::Result<W> {
        self.sink.into_inner().map_err(io::IntoInnerError::into_error)
    }
}
