//! YaneuraOu's book text, which most programs exchange.
//!
//! A header line, then for each position a line `sfen <board> <side> <hands> <ply>` and lines of moves:
//! `move ponder value depth count`, fields parted by single spaces, all but the move optional, `none` for
//! nothing. What follows `#` or `//` in a line is a comment and not kept.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::str::FromStr;

use shogi::{Setup, SfenError};

use super::{Book, BookMove, Entry};
use crate::packed::PackError;
use crate::whole_file::{Existing, WholeFile};

const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// Why a text is no book. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BookError {
    #[error("opening the book: {0}")]
    Open(io::Error),
    #[error("line {line}: {error}")]
    Io { line: usize, error: io::Error },
    #[error("line 1 is '{found}' instead of the header '{HEADER}'")]
    Header { found: String },
    #[error("line {line}: {error}")]
    Sfen { line: usize, error: SfenError },
    #[error("line {line}: {error}")]
    Setup { line: usize, error: PackError },
    #[error("line {line}: a move before the first position: '{found}'")]
    NoPosition { line: usize, found: String },
    #[error("line {line}: '{found}' is no {field}")]
    Field { line: usize, field: &'static str, found: String },
}

/// Reads a book from a file.
pub fn load(path: &Path) -> Result<Book, BookError> {
    let file = File::open(path).map_err(BookError::Open)?;
    read(BufReader::with_capacity(1 << 16, file))
}

/// Reads a book. A byte order mark, line ends of any kind and comments in any encoding are accepted; a
/// position that comes again at the same ply adds its moves.
pub fn read(mut source: impl BufRead) -> Result<Book, BookError> {
    check_header(&mut source)?;
    let mut book = Book::new();
    let mut current: Option<(usize, Setup, Vec<BookMove>)> = None;
    for (index, bytes) in source.split(b'\n').enumerate() {
        let line = index + 2;
        let bytes = bytes.map_err(|error| BookError::Io { line, error })?;
        let text = String::from_utf8_lossy(&bytes);
        let text = without_comment(&text).trim_end();
        if let Some(sfen) = text.strip_prefix("sfen ") {
            add(&mut book, current.take())?;
            let setup = sfen.parse().map_err(|error| BookError::Sfen { line, error })?;
            current = Some((line, setup, Vec::new()));
        } else if !text.is_empty() {
            let Some((_, _, moves)) = &mut current else {
                return Err(BookError::NoPosition { line, found: text.to_owned() });
            };
            moves.push(parse_move(line, text)?);
        }
    }
    add(&mut book, current)?;
    Ok(book)
}

/// Reads no further than a header can be long: the file may be anything.
fn check_header(source: &mut impl BufRead) -> Result<(), BookError> {
    let mut bytes = Vec::new();
    source.take(80).read_until(b'\n', &mut bytes).map_err(|error| BookError::Io { line: 1, error })?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text).trim_end();
    if text == HEADER { Ok(()) } else { Err(BookError::Header { found: text.escape_default().to_string() }) }
}

fn add(book: &mut Book, position: Option<(usize, Setup, Vec<BookMove>)>) -> Result<(), BookError> {
    let Some((line, setup, moves)) = position else { return Ok(()) };
    book.add(&setup, moves).map_err(|error| BookError::Setup { line, error })
}

/// A board has single slashes only, so two begin a comment.
fn without_comment(line: &str) -> &str {
    let end = line.find('#').into_iter().chain(line.find("//")).min();
    &line[..end.unwrap_or(line.len())]
}

/// Fields may be empty: some programs write `7i6h none   8` for a count without value and depth.
fn parse_move(line: usize, text: &str) -> Result<BookMove, BookError> {
    let mut fields = text.split([' ', '\t']);
    let mut field = |name| (name, fields.next().unwrap_or_default());
    Ok(BookMove {
        m: required(line, field("move"))?,
        ponder: optional(line, field("reply"))?,
        value: optional(line, field("value"))?,
        depth: optional(line, field("depth"))?,
        count: optional(line, field("count"))?.unwrap_or(1),
    })
}

fn required<T: FromStr>(line: usize, (field, text): (&'static str, &str)) -> Result<T, BookError> {
    text.parse().map_err(|_| BookError::Field { line, field, found: text.to_owned() })
}

fn optional<T: FromStr>(line: usize, field: (&'static str, &str)) -> Result<Option<T>, BookError> {
    match field.1 {
        "" | "none" | "None" | "resign" => Ok(None),
        _ => required(line, field).map(Some),
    }
}

/// Writes the book to a file, which appears whole or not at all.
pub fn save(book: &Book, path: &Path) -> io::Result<()> {
    let mut file = WholeFile::begin(path)?;
    write(book, &mut file)?;
    file.complete(Existing::Replace)
}

/// Writes the book: positions in the order of their bytes, which binary search in the file needs; of a
/// position with several plies only the smallest, as YaneuraOu does.
pub fn write(book: &Book, sink: &mut impl Write) -> io::Result<()> {
    let mut positions: Vec<(String, &Entry)> =
        book.iter().filter_map(|(setup, entries)| Some((setup.to_string(), entries.first()?))).collect();
    positions.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    writeln!(sink, "{HEADER}")?;
    for (sfen, entry) in positions {
        writeln!(sink, "sfen {sfen}")?;
        for entry in &entry.moves {
            let BookMove { m, ponder, value, depth, count } = *entry;
            let (ponder, value, depth) = (or_none(ponder), or_none(value), or_none(depth));
            writeln!(sink, "{m} {ponder} {value} {depth} {count}")?;
        }
    }
    Ok(())
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_lines_may_stop_anywhere() {
        let m: shogi::Move = "7g7f".parse().unwrap();
        let plain = BookMove::new(m);
        let ponder = "3c3d".parse().ok();
        let cases = [
            ("7g7f", plain),
            ("7g7f none", plain),
            ("7g7f None", plain),
            ("7g7f resign", plain),
            ("7g7f 3c3d", BookMove { ponder, ..plain }),
            ("7g7f 3c3d -12", BookMove { ponder, value: Some(-12), ..plain }),
            ("7g7f none 5 7", BookMove { value: Some(5), depth: Some(7), ..plain }),
            ("7g7f none none none 9", BookMove { count: 9, ..plain }),
            ("7g7f none   8", BookMove { count: 8, ..plain }),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_move(1, text).unwrap(), expected, "{text}");
        }
        for (text, expected) in [
            ("7g7x", "line 3: '7g7x' is no move"),
            ("7g7f 33", "line 3: '33' is no reply"),
            ("7g7f none high", "line 3: 'high' is no value"),
            ("7g7f none 1 -2", "line 3: '-2' is no depth"),
            ("7g7f none 1 2 x", "line 3: 'x' is no count"),
        ] {
            assert_eq!(parse_move(3, text).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn comments_end_a_line() {
        assert_eq!(without_comment("7g7f none #why"), "7g7f none ");
        assert_eq!(without_comment("// all"), "");
        assert_eq!(without_comment("9/9/9 b - 1"), "9/9/9 b - 1");
    }
}
