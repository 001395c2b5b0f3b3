//! Which format a file is in.

use std::path::Path;

use super::error::{RecordError, quote};

/// A text format of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Format {
    /// CSA; written as V2.2 in Shift_JIS, with times in whole seconds.
    Csa,
    /// CSA; written as V3.0 in UTF-8, with times in milliseconds and conditions of the game.
    CsaV3,
    /// Kakinoki's KIF; written in Shift_JIS.
    Kif,
    /// KIF; written in UTF-8.
    Kifu,
    /// Kakinoki's KI2, moves as people say them; written in Shift_JIS.
    Ki2,
    /// KI2; written in UTF-8.
    Ki2u,
    /// JSON Kifu Format.
    Jkf,
    /// USI: `startpos moves …` or `sfen … moves …`, a game per line.
    Usi,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 8] = [
        Format::Csa,
        Format::CsaV3,
        Format::Kif,
        Format::Kifu,
        Format::Ki2,
        Format::Ki2u,
        Format::Jkf,
        Format::Usi,
    ];

    /// The usual extension of its files, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Csa | Format::CsaV3 => "csa",
            Format::Kif => "kif",
            Format::Kifu => "kifu",
            Format::Ki2 => "ki2",
            Format::Ki2u => "ki2u",
            Format::Jkf => "jkf",
            Format::Usi => "sfen",
        }
    }

    /// The format that a file's extension promises.
    ///
    /// ```
    /// use records::text::Format;
    /// assert_eq!(Format::of_path("a/b.KIFU".as_ref()), Some(Format::Kifu));
    /// assert_eq!(Format::of_path("notes.txt".as_ref()), None);
    /// ```
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "json" => Some(Format::Jkf),
            "usi" => Some(Format::Usi),
            _ => Format::ALL.into_iter().find(|format| format.extension() == extension),
        }
    }

    /// The format that a decoded text shows by its first telling line.
    pub(crate) fn of_text(text: &str) -> Result<Format, RecordError> {
        if text.trim_start().starts_with('{') {
            return Ok(Format::Jkf);
        }
        if text.lines().any(is_kif_line) {
            return Ok(Format::Kifu);
        }
        text.lines()
            .find_map(telling_line)
            .or_else(|| text.contains("手合割：").then_some(Format::Kifu))
            .ok_or_else(|| RecordError::NotARecord {
                expected: "CSA, KIF, KI2, JKF or USI text",
                found: describe(text),
            })
    }
}

/// How a text that is not a record begins, for an error.
pub(crate) fn describe(text: &str) -> String {
    match text.lines().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("'{}'", quote(line.trim_end())),
        None => "nothing".to_owned(),
    }
}

fn is_kif_line(line: &str) -> bool {
    line.starts_with("手数----") || line.starts_with("#KIF")
}

fn telling_line(line: &str) -> Option<Format> {
    let line = line.trim();
    if line.starts_with(['▲', '△', '☗', '☖', '▼', '▽']) || line.starts_with("#KI2") {
        return Some(Format::Ki2u);
    }
    if ["position", "startpos", "sfen"].contains(&line.split(' ').next()?)
        || line.split(' ').next()?.matches('/').count() == 8
    {
        return Some(Format::Usi);
    }
    is_csa_line(line).then_some(Format::Csa)
}

fn is_csa_line(line: &str) -> bool {
    let digits_and_dots =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let bytes = line.as_bytes();
    match *bytes {
        [b'V', ..] => digits_and_dots(&line[1..]),
        [b'N', b'+' | b'-', ..] | [b'P', b'I'] => true,
        [b'P', b'I' | b'+' | b'-', next, ..] => next.is_ascii_digit(),
        [b'P', b'1'..=b'9', next, ..] => b"+- ".contains(&next),
        [b'+' | b'-', ..] if bytes.len() >= 7 => {
            bytes[1..5].iter().all(u8::is_ascii_digit) && bytes[5..7].iter().all(u8::is_ascii_uppercase)
        }
        _ => line.starts_with("'CSA"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_shows_its_format() {
        for (text, format) in [
            ("{\"moves\":[]}", Format::Jkf),
            ("' comment\nV2.2\nPI\n", Format::Csa),
            ("+7776FU\n", Format::Csa),
            ("手合割：平手\n手数----指手--\n", Format::Kifu),
            ("手合割：平手\n▲７六歩\n", Format::Ki2u),
            ("手合割：香落ち\n", Format::Kifu),
            ("# openings\nstartpos moves 7g7f\n", Format::Usi),
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n", Format::Usi),
        ] {
            assert_eq!(Format::of_text(text), Ok(format), "{text}");
        }
    }

    #[test]
    fn a_text_that_shows_nothing_is_no_record() {
        for text in ["", "\n \n", "hello", "十\u{0}", "-----日本", "<html>"] {
            assert!(matches!(Format::of_text(text), Err(RecordError::NotARecord { .. })), "{text}");
        }
    }
}
