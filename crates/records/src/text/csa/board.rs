//! The start of a CSA game: `PI`, `P1` to `P9`, `P+` and `P-`.

use shogi::{Color, Handicap, Piece, PieceKind, Position, START_SFEN, Setup, Square};

use super::notation::{code, color, kind, sign, square};

/// The position lines read so far.
pub(crate) struct Board {
    setup: Setup,
    /// Whether any position line was seen; a record without one starts from the usual position.
    described: bool,
}

impl Board {
    /// Nothing described yet.
    pub(crate) fn new() -> Board {
        Board { setup: Setup::empty(), described: false }
    }

    /// Takes a line that begins with `P`; `None` if it is malformed.
    pub(crate) fn line(&mut self, text: &str) -> Option<()> {
        self.described = true;
        let rest = text.get(2..)?;
        match text.as_bytes()[1] {
            b'I' => self.even_game_without(rest),
            rank @ b'1'..=b'9' => self.rank(rank - b'0', rest),
            sign => self.pieces(color(sign)?, rest),
        }
    }

    /// The whole start, with the side to move.
    pub(crate) fn finish(mut self, side: Color) -> Setup {
        if !self.described {
            self.setup = even_game();
        }
        self.setup.side = side;
        self.setup
    }

    /// `PI82HI22KA`: the even game without the pieces named.
    fn even_game_without(&mut self, missing: &str) -> Option<()> {
        self.setup = even_game();
        for (at, kind) in placed(missing)? {
            let at = at?;
            self.setup.piece(at).filter(|piece| Some(piece.kind()) == kind)?;
            self.setup.put(at, None);
        }
        Some(())
    }

    /// `P1-KY-KE … `: nine squares of three characters, file 9 first; blanks at the end may be missing.
    fn rank(&mut self, rank: u8, text: &str) -> Option<()> {
        if !text.is_ascii() || text.trim_end().len() > 27 {
            return None;
        }
        for file in 1..=9u8 {
            let start = usize::from(9 - file) * 3;
            let cell = text.get(start..(start + 3).min(text.len())).unwrap_or("");
            let piece = match cell.trim() {
                "" | "*" => None,
                cell => Some(Piece::new(color(cell.as_bytes()[0])?, kind(&cell[1..])?)),
            };
            self.setup.put(square(file, rank)?, piece);
        }
        Some(())
    }

    /// `P+63KI00FU`: single pieces on squares or in hand; `00AL` is all that is left.
    fn pieces(&mut self, color: Color, text: &str) -> Option<()> {
        for (at, kind) in placed(text)? {
            match (at, kind) {
                (Some(at), Some(kind)) => self.setup.put(at, Some(Piece::new(color, kind))),
                (None, Some(kind)) => {
                    let slot = PieceKind::HAND.iter().position(|&k| k == kind)?;
                    let held = &mut self.setup.hands[color.index()][slot];
                    *held = held.checked_add(1)?;
                }
                (None, None) => self.give_the_rest(color),
                (Some(_), None) => return None,
            }
        }
        Some(())
    }

    fn give_the_rest(&mut self, color: Color) {
        for (slot, kind) in PieceKind::HAND.into_iter().enumerate() {
            let left = u32::from(kind.full_count()).saturating_sub(self.setup.count(kind));
            self.setup.hands[color.index()][slot] += left as u8;
        }
    }
}

fn even_game() -> Setup {
    START_SFEN.parse().expect("the starting position is well-formed")
}

/// `82HI00FU00AL` as squares (`None` in hand) and kinds (`None` all).
fn placed(text: &str) -> Option<Vec<(Option<Square>, Option<PieceKind>)>> {
    let text = text.trim_end();
    if !text.is_ascii() || !text.len().is_multiple_of(4) {
        return None;
    }
    let one = |item: &str| {
        let at = match &item[..2] {
            "00" => None,
            at => Some(square(at.as_bytes()[0].wrapping_sub(b'0'), at.as_bytes()[1].wrapping_sub(b'0'))?),
        };
        let kind = match &item[2..] {
            "AL" => None,
            code => Some(kind(code)?),
        };
        Some((at, kind))
    };
    (0..text.len()).step_by(4).map(|start| one(&text[start..start + 4])).collect()
}

/// The lines that describe a start, the side to move last.
pub(crate) fn lines(start: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    if Handicap::of(start).is_some_and(|handicap| handicap.sfen == START_SFEN) {
        lines.push("PI".to_owned());
    } else {
        for rank in 1..=9 {
            let cells = (1..=9).rev().filter_map(|file| square(file, rank)).map(|at| cell(start.piece(at)));
            lines.push(format!("P{rank}{}", cells.collect::<String>()));
        }
        for color in Color::ALL {
            let held: String =
                start.hand(color).iter().map(|(k, n)| format!("00{}", code(k)).repeat(n.into())).collect();
            if !held.is_empty() {
                lines.push(format!("P{}{held}", sign(color)));
            }
        }
    }
    lines.push(sign(start.side()).to_string());
    lines
}

fn cell(piece: Option<Piece>) -> String {
    match piece {
        Some(piece) => format!("{}{}", sign(piece.color()), code(piece.kind())),
        None => " * ".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Option<Setup> {
        let mut board = Board::new();
        for line in lines {
            board.line(line)?;
        }
        Some(board.finish(Color::White))
    }

    #[test]
    fn removed_pieces_give_the_handicap() {
        let setup = read(&["PI82HI22KA"]).unwrap();
        assert_eq!(setup.to_string(), Handicap::named("2").unwrap().sfen);
        assert_eq!(read(&["PI82KA"]), None);
    }

    #[test]
    fn all_the_rest_goes_to_one_hand() {
        let setup = read(&["P-11OU21FU", "P+00HI", "P-00AL"]).unwrap();
        assert_eq!(setup.to_string(), "7pk/9/9/9/9/9/9/9/9 w Rr2b4g4s4n4l17p 1");
    }

    #[test]
    fn malformed_lines_are_refused() {
        for line in ["P", "P0", "PX", "P1-XX", "P1日本", "P+11", "P+10FU", "P+11AL", "PI55FU", "P+00OU"] {
            assert_eq!(read(&[line]), None, "{line}");
        }
    }

    #[test]
    fn written_boards_are_read_back() {
        for sfen in [
            "4k4/9/4+P4/9/9/9/9/9/4K4 b G2p 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        ] {
            let position: Position = sfen.parse().unwrap();
            let lines = lines(&position);
            let mut board = Board::new();
            for line in &lines[..lines.len() - 1] {
                board.line(line).unwrap();
            }
            assert_eq!(board.finish(position.side()), position.setup());
        }
    }
}
