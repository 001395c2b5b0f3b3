//! A board as text, for people.

use std::fmt;

use crate::{Color, Piece, PieceKind, Position, Setup, Square};

/// The Japanese digits, which also number the ranks from the top.
pub(crate) const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// How a text board writes its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Lettering {
    /// Japanese, in the form of a KIF diagram, which other shogi programs read too. Every kanji is two
    /// columns wide on a terminal.
    #[default]
    Kanji,
    /// The letters of SFEN, with coordinates as USI moves write them. ASCII only.
    Letters,
}

/// A board, both hands and the turn over several lines, as [`fmt::Display`] writes them.
///
/// ```
/// use shogi::{Lettering, Position};
/// let text = Position::start().text_board(Lettering::Letters).to_string();
/// assert!(text.contains("| l  n  s  g  k  g  s  n  l | a"));
/// ```
#[derive(Clone, Debug)]
pub struct TextBoard {
    setup: Setup,
    lettering: Lettering,
}

impl Setup {
    /// The board as text, each line ended by a line feed.
    #[must_use]
    pub fn text_board(&self, lettering: Lettering) -> TextBoard {
        TextBoard { setup: self.clone(), lettering }
    }
}

impl Position {
    /// The board as text, each line ended by a line feed.
    #[must_use]
    pub fn text_board(&self, lettering: Lettering) -> TextBoard {
        TextBoard { setup: self.setup(), lettering }
    }
}

impl fmt::Display for TextBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lettering {
            Lettering::Kanji => self.write_kanji(f),
            Lettering::Letters => self.write_letters(f),
        }
    }
}

const EDGE: &str = "+---------------------------+";

impl TextBoard {
    fn write_kanji(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "後手の持駒：{}", self.hand(Color::White, "　", "なし", kanji_entry))?;
        writeln!(f, "  ９ ８ ７ ６ ５ ４ ３ ２ １")?;
        writeln!(f, "{EDGE}")?;
        for rank in 0..9 {
            let row: String = self.row(rank).map(kanji_cell).collect();
            writeln!(f, "|{row}|{}", KANJI_DIGITS[usize::from(rank)])?;
        }
        writeln!(f, "{EDGE}")?;
        writeln!(f, "先手の持駒：{}", self.hand(Color::Black, "　", "なし", kanji_entry))?;
        if self.setup.side == Color::White {
            writeln!(f, "後手番")?;
        }
        Ok(())
    }

    fn write_letters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "White holds {}", self.hand(Color::White, " ", "nothing", letter_entry))?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        writeln!(f, "{EDGE}")?;
        for rank in 0..9 {
            let row: String = self.row(rank).map(letter_cell).collect();
            writeln!(f, "|{row}| {}", char::from(b'a' + rank))?;
        }
        writeln!(f, "{EDGE}")?;
        writeln!(f, "Black holds {}", self.hand(Color::Black, " ", "nothing", letter_entry))
    }

    /// What stands on a rank, from file 9 to file 1.
    fn row(&self, rank: u8) -> impl Iterator<Item = Option<Piece>> {
        (0..9).rev().map(move |file| self.setup.piece(Square::new(file, rank)))
    }

    fn hand(&self, color: Color, gap: &str, none: &str, entry: fn(PieceKind, u8) -> String) -> String {
        let counts = self.setup.hands[color.index()];
        let entries: Vec<String> = PieceKind::STRONGEST_FIRST
            .into_iter()
            .map(|kind| (kind, counts[kind.index()]))
            .filter(|&(_, count)| count > 0)
            .map(|(kind, count)| entry(kind, count))
            .collect();
        if entries.is_empty() { none.to_owned() } else { entries.join(gap) }
    }
}

fn kanji_cell(piece: Option<Piece>) -> String {
    match piece {
        None => " ・".to_owned(),
        Some(piece) => {
            let side = if piece.color() == Color::White { 'v' } else { ' ' };
            format!("{side}{}", piece.kind().kanji())
        }
    }
}

fn letter_cell(piece: Option<Piece>) -> String {
    piece.map_or_else(|| " . ".to_owned(), |piece| format!("{:>2} ", piece.to_string()))
}

fn kanji_entry(kind: PieceKind, count: u8) -> String {
    if count == 1 { kind.kanji().to_string() } else { format!("{}{}", kind.kanji(), kanji_number(count)) }
}

fn letter_entry(kind: PieceKind, count: u8) -> String {
    if count == 1 { kind.letter().to_string() } else { format!("{count}{}", kind.letter()) }
}

/// A count below 100 in Japanese, e.g. 十八.
fn kanji_number(count: u8) -> String {
    let digit = |n: u8| n.checked_sub(1).map(|i| KANJI_DIGITS[usize::from(i)]);
    let tens = (count / 10 > 1).then(|| digit(count / 10)).flatten();
    let ten = (count >= 10).then_some('十');
    [tens, ten, digit(count % 10)].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDGAME: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

    #[test]
    fn kanji_boards_are_kif_diagrams() {
        let text = MIDGAME.parse::<Setup>().unwrap().text_board(Lettering::Kanji).to_string();
        let expected = "\
後手の持駒：金　銀　桂　歩五
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香 ・ ・ ・ ・ ・ ・v桂v香|一
| ・ ・ ・ ・ ・ と ・v金v玉|二
| ・ ・v桂v歩 ・ 銀 ・ ・ ・|三
|v歩 ・v歩 ・ ・ ・ ・ 歩v歩|四
| ・ ・ ・ 歩 ・ ・ 銀v歩 ・|五
| ・ 歩 歩v角 ・ ・ 歩 ・ 歩|六
| 歩 ・ ・ ・ ・ ・ 金 銀 ・|七
| 飛 ・ ・ ・ ・ ・ ・ ・ ・|八
| 香 桂 ・ ・ ・ ・v角 玉 香|九
+---------------------------+
先手の持駒：飛　金
後手番
";
        assert_eq!(text, expected);
    }

    #[test]
    fn letter_boards_are_ascii_and_show_promotion_and_counts() {
        let text = MIDGAME.parse::<Setup>().unwrap().text_board(Lettering::Letters).to_string();
        assert!(text.is_ascii());
        assert!(text.starts_with("White holds G S N 5P\n"), "{text}");
        assert!(text.contains("| .  .  .  .  . +P  .  g  k | b\n"), "{text}");
        assert!(text.ends_with("Black holds R G\n"), "{text}");
    }

    #[test]
    fn numbers_are_written_in_japanese() {
        for (count, expected) in [(2, "二"), (10, "十"), (11, "十一"), (18, "十八"), (20, "二十")] {
            assert_eq!(kanji_number(count), expected);
        }
    }
}
