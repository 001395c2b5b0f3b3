//! Setups as SFEN text: `board side hands [ply]`.

use std::fmt;
use std::str::FromStr;

use crate::{Color, Piece, PieceKind, Setup, Square};

/// Why a text is not an SFEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SfenError {
    #[error("an SFEN has four fields (board, side, hands, ply), found {0}")]
    Fields(usize),
    #[error("the board has {0} ranks instead of 9")]
    Ranks(usize),
    #[error("rank {rank} describes {files} squares instead of 9")]
    Files { rank: char, files: usize },
    #[error("'{found}' in rank {rank} is no piece letter or number of empty squares")]
    Letter { rank: char, found: char },
    #[error("'+' before '{found}' in rank {rank}, but that does not promote")]
    Promotion { rank: char, found: char },
    #[error("the side to move is '{0}' instead of b or w")]
    Side(String),
    #[error("'{found}' in the hands '{hands}' is no count with a letter of PLNSGBR; no pieces are '-'")]
    Hands { hands: String, found: String },
    #[error("the ply is '{0}' instead of a number from 0 to 65535")]
    Ply(String),
}

impl FromStr for Setup {
    type Err = SfenError;

    /// Reads the four fields; the ply may be missing and is then 1.
    fn from_str(text: &str) -> Result<Setup, SfenError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (board, side, hands, ply) = match *fields.as_slice() {
            [board, side, hands, ply] => (board, side, hands, Some(ply)),
            [board, side, hands] => (board, side, hands, None),
            _ => return Err(SfenError::Fields(fields.len())),
        };
        let mut setup = Setup::empty();
        setup.board = parse_board(board)?;
        setup.side = match side {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(SfenError::Side(side.to_owned())),
        };
        setup.hands = parse_hands(hands)?;
        if let Some(ply) = ply {
            setup.ply = parse_number(ply).ok_or_else(|| SfenError::Ply(ply.to_owned()))?;
        }
        Ok(setup)
    }
}

/// Digits only: `u16::from_str` would also take a sign.
fn parse_number(text: &str) -> Option<u16> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn parse_board(text: &str) -> Result<[Option<Piece>; 81], SfenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 9 {
        return Err(SfenError::Ranks(ranks.len()));
    }
    let mut board = [None; 81];
    for (rank, row) in ranks.iter().enumerate() {
        for (file_from_left, piece) in parse_rank(row, (b'a' + rank as u8) as char)?.into_iter().enumerate() {
            board[Square::new(8 - file_from_left as u8, rank as u8).index()] = piece;
        }
    }
    Ok(board)
}

/// One rank, from file 9 to file 1.
fn parse_rank(row: &str, rank: char) -> Result<Vec<Option<Piece>>, SfenError> {
    let mut squares = Vec::with_capacity(9);
    let mut letters = row.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '1'..='9' => {
                let empty = letter as usize - '0' as usize;
                squares.extend(std::iter::repeat_n(None, empty));
            }
            '+' => {
                let found = letters.next().ok_or(SfenError::Letter { rank, found: '+' })?;
                let piece = parse_piece(found).ok_or(SfenError::Letter { rank, found })?;
                let kind = piece.kind().promoted().ok_or(SfenError::Promotion { rank, found })?;
                squares.push(Some(Piece::new(piece.color(), kind)));
            }
            _ => squares.push(Some(parse_piece(letter).ok_or(SfenError::Letter { rank, found: letter })?)),
        }
        if squares.len() > 9 {
            break;
        }
    }
    if squares.len() == 9 { Ok(squares) } else { Err(SfenError::Files { rank, files: squares.len() }) }
}

fn parse_piece(letter: char) -> Option<Piece> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    PieceKind::from_letter(letter.to_ascii_uppercase()).map(|kind| Piece::new(color, kind))
}

fn parse_hands(text: &str) -> Result<[[u8; 7]; 2], SfenError> {
    let mut hands = [[0u8; 7]; 2];
    if text == "-" {
        return Ok(hands);
    }
    let error = |found: &str| SfenError::Hands { hands: text.to_owned(), found: found.to_owned() };
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(letter) = rest[digits..].chars().next() else { return Err(error(rest)) };
        let entry = &rest[..digits + letter.len_utf8()];
        let piece =
            parse_piece(letter).filter(|p| p.kind() != PieceKind::King).ok_or_else(|| error(entry))?;
        let count: u8 = if digits == 0 { 1 } else { rest[..digits].parse().map_err(|_| error(entry))? };
        let held = &mut hands[piece.color().index()][piece.kind().index()];
        *held = held.checked_add(count).filter(|_| count > 0).ok_or_else(|| error(entry))?;
        rest = &rest[entry.len()..];
    }
    if text.is_empty() { Err(error("")) } else { Ok(hands) }
}

/// Canonical SFEN: hands in the order R B G S N L P, Black's first, always with the ply.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            if rank > 0 {
                f.write_str("/")?;
            }
            let mut empty = 0;
            for file in (0..9).rev() {
                match self.piece(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        write!(f, "{piece}")?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
        }
        f.write_str(if self.side == Color::Black { " b " } else { " w " })?;
        if self.hands == [[0; 7]; 2] {
            f.write_str("-")?;
        }
        for color in Color::ALL {
            for kind in PieceKind::STRONGEST_FIRST {
                let letter = Piece::new(color, kind).letter();
                match self.hands[color.index()][kind.index()] {
                    0 => {}
                    1 => write!(f, "{letter}")?,
                    count => write!(f, "{count}{letter}")?,
                }
            }
        }
        write!(f, " {}", self.ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_text_round_trips() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "9/9/9/9/9/9/9/9/9 w R18p 65535",
        ] {
            assert_eq!(sfen.parse::<Setup>().unwrap().to_string(), sfen);
        }
    }

    #[test]
    fn hands_in_any_order_and_a_missing_ply_are_read() {
        let setup: Setup = "4k4/9/9/9/9/9/9/9/4K4 b 2p3PgR".parse().unwrap();
        assert_eq!(setup.to_string(), "4k4/9/9/9/9/9/9/9/4K4 b R3Pg2p 1");
    }

    #[test]
    fn every_error_names_the_place() {
        let cases = [
            ("", "an SFEN has four fields (board, side, hands, ply), found 0"),
            ("9/9 b - 1", "the board has 2 ranks instead of 9"),
            ("9/9/9/8/9/9/9/9/9 b - 1", "rank d describes 8 squares instead of 9"),
            ("9/9/9/55/9/9/9/9/9 b - 1", "rank d describes 10 squares instead of 9"),
            ("9/x8/9/9/9/9/9/9/9 b - 1", "'x' in rank b is no piece letter or number of empty squares"),
            ("9/9/+G8/9/9/9/9/9/9 b - 1", "'+' before 'G' in rank c, but that does not promote"),
            ("9/9/8+/9/9/9/9/9/9 b - 1", "'+' in rank c is no piece letter or number of empty squares"),
            ("9/9/9/9/9/9/9/9/9 x - 1", "the side to move is 'x' instead of b or w"),
            (
                "9/9/9/9/9/9/9/9/9 b 2K 1",
                "'2K' in the hands '2K' is no count with a letter of PLNSGBR; no pieces are '-'",
            ),
            (
                "9/9/9/9/9/9/9/9/9 b P0G 1",
                "'0G' in the hands 'P0G' is no count with a letter of PLNSGBR; no pieces are '-'",
            ),
            ("9/9/9/9/9/9/9/9/9 b - +1", "the ply is '+1' instead of a number from 0 to 65535"),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<Setup>().unwrap_err().to_string(), expected, "{text}");
        }
    }
}
