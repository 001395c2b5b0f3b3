//! Which formats files can have, and which can become which.

use std::fmt;
use std::path::Path;

use crate::text::Format;

/// A format of games, positions or books.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FileFormat {
    /// Games as text.
    Text(Format),
    /// Our own games, see [`crate::compact`].
    Compact,
    /// YaneuraOu's training positions.
    Psv,
    /// Apery's training positions.
    Hcpe,
    /// YaneuraOu's book text.
    Db2016,
}

/// What a format holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Content {
    Games,
    Positions,
    Book,
}

/// Why a name, or the name of a file, stands for no format that can be converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// A word that names no format.
    #[error("'{found}' is no format; the formats are {}", names())]
    Unknown {
        /// The word.
        found: String,
    },
    /// A file whose name does not tell.
    #[error("the name does not tell the format; the formats are {}", names())]
    UnknownExtension,
    /// A file name that several formats use.
    #[error("'.bin' files may hold psv or hcpe positions or a book: say which")]
    Ambiguous,
    /// A format that is known, and not read.
    #[error("{format} cannot be converted: {why}")]
    Unsupported {
        /// Its name.
        format: &'static str,
        /// The reason.
        why: &'static str,
    },
}

/// Two formats of which the first cannot become the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{from} holds {} and cannot become {to}: {why}", .from.content())]
pub struct Impossible {
    from: FileFormat,
    to: FileFormat,
    why: &'static str,
}

/// Formats that people meet and that are refused: name, extension, why.
const UNSUPPORTED: [(&str, &str); 3] = [
    ("apery", "it knows its positions by hash only, which nobody can invert"),
    ("hcpe3", "games with move candidates of dlshogi are not supported"),
    ("sbk", "books of ShogiGUI are not supported"),
];

fn names() -> String {
    FileFormat::ALL.map(FileFormat::name).join(", ")
}

impl FileFormat {
    /// Every format.
    pub const ALL: [FileFormat; 12] = [
        FileFormat::Text(Format::Csa),
        FileFormat::Text(Format::CsaV3),
        FileFormat::Text(Format::Kif),
        FileFormat::Text(Format::Kifu),
        FileFormat::Text(Format::Ki2),
        FileFormat::Text(Format::Ki2u),
        FileFormat::Text(Format::Jkf),
        FileFormat::Text(Format::Usi),
        FileFormat::Compact,
        FileFormat::Psv,
        FileFormat::Hcpe,
        FileFormat::Db2016,
    ];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FileFormat::Text(Format::CsaV3) => "csa3",
            FileFormat::Text(Format::Usi) => "usi",
            FileFormat::Text(format) => format.extension(),
            FileFormat::Compact => "compact",
            FileFormat::Psv => "psv",
            FileFormat::Hcpe => "hcpe",
            FileFormat::Db2016 => "db",
        }
    }

    /// The extension of its files, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            FileFormat::Text(format) => format.extension(),
            FileFormat::Compact => "yomi",
            _ => self.name(),
        }
    }

    /// The format that a word names.
    ///
    /// ```
    /// use records::convert::FileFormat;
    /// assert_eq!(FileFormat::of_name("psv"), Ok(FileFormat::Psv));
    /// assert!(FileFormat::of_name("hcpe3").is_err());
    /// ```
    pub fn of_name(word: &str) -> Result<FileFormat, FormatError> {
        refuse_unsupported(word)?;
        FileFormat::ALL
            .into_iter()
            .find(|format| format.name() == word)
            .ok_or_else(|| FormatError::Unknown { found: word.to_owned() })
    }

    /// The format that a file's extension promises.
    ///
    /// ```
    /// use records::convert::{FileFormat, FormatError};
    /// assert_eq!(FileFormat::of_path("a/games.yomi".as_ref()), Ok(FileFormat::Compact));
    /// assert_eq!(FileFormat::of_path("a/data.bin".as_ref()), Err(FormatError::Ambiguous));
    /// ```
    pub fn of_path(path: &Path) -> Result<FileFormat, FormatError> {
        if let Some(format) = Format::of_path(path) {
            return Ok(FileFormat::Text(format));
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let extension = extension.to_ascii_lowercase();
        refuse_unsupported(&extension)?;
        match extension.as_str() {
            "bin" => Err(FormatError::Ambiguous),
            extension => FileFormat::ALL
                .into_iter()
                .find(|format| format.extension() == extension)
                .ok_or(FormatError::UnknownExtension),
        }
    }

    /// What it holds.
    #[must_use]
    pub const fn content(self) -> Content {
        match self {
            FileFormat::Text(_) | FileFormat::Compact => Content::Games,
            FileFormat::Psv | FileFormat::Hcpe => Content::Positions,
            FileFormat::Db2016 => Content::Book,
        }
    }

    /// Whether one file holds any number of games or positions.
    #[must_use]
    pub const fn holds_many(self) -> bool {
        matches!(
            self,
            FileFormat::Text(Format::Csa | Format::CsaV3 | Format::Usi)
                | FileFormat::Compact
                | FileFormat::Psv
                | FileFormat::Hcpe
                | FileFormat::Db2016
        )
    }

    /// Whether files of this format can become files of another.
    pub fn check_conversion(self, to: FileFormat) -> Result<(), Impossible> {
        use Content::{Book, Games, Positions};
        let why = match (self.content(), to.content()) {
            (Games, Games | Positions) | (Positions, Positions) | (Book, Book) => return Ok(()),
            (Positions, _) if to == FileFormat::Text(Format::Usi) => return Ok(()),
            (Positions, Games) => "positions are no games; they can become psv, hcpe or usi lines",
            (_, Book) => "what is worth playing is not in them",
            (Book, _) => "its moves were not played",
        };
        Err(Impossible { from: self, to, why })
    }
}

fn refuse_unsupported(word: &str) -> Result<(), FormatError> {
    match UNSUPPORTED.into_iter().find(|(name, _)| *name == word) {
        Some((format, why)) => Err(FormatError::Unsupported { format, why }),
        None => Ok(()),
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Content::Games => "games",
            Content::Positions => "positions",
            Content::Book => "book positions",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_of_its_own_that_leads_back() {
        for format in FileFormat::ALL {
            assert_eq!(FileFormat::of_name(format.name()), Ok(format));
            let by_path = FileFormat::of_path(format!("x.{}", format.extension()).as_ref()).unwrap();
            assert_eq!(by_path.extension(), format.extension());
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_the_reason() {
        let refusal = |from: &str, to: &str| {
            let [from, to] = [from, to].map(|name| FileFormat::of_name(name).unwrap());
            from.check_conversion(to).err().map(|error| error.to_string())
        };
        assert_eq!(
            refusal("psv", "kif").unwrap(),
            "psv holds positions and cannot become kif: positions are no games; they can become psv, hcpe or usi lines"
        );
        assert!(refusal("csa", "db").is_some() && refusal("db", "usi").is_some());
        for (from, to) in [("psv", "hcpe"), ("hcpe", "usi"), ("csa", "psv"), ("compact", "ki2"), ("db", "db")]
        {
            assert_eq!(refusal(from, to), None, "{from} to {to}");
        }
        let error = FileFormat::of_path("book.sbk".as_ref()).unwrap_err();
        assert_eq!(error.to_string(), "sbk cannot be converted: books of ShogiGUI are not supported");
    }
}
