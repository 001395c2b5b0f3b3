//! Board diagrams and hands in Japanese.

use shogi::{Color, Hand, Piece, PieceKind, Position, Setup, Square};

use super::numerals::{count, parse_count, rank_name};

/// One line of a diagram, `| ・v歩 …|一`; `None` if it does not describe nine squares.
pub(super) fn read_rank(setup: &mut Setup, rank: u8, line: &str) -> Option<()> {
    let inner = line.trim().strip_prefix('|')?;
    let inner = &inner[..inner.rfind('|')?];
    let mut color = Color::Black;
    let mut file = 9u8;
    for c in inner.chars() {
        let piece = match c {
            ' ' | '　' => continue,
            'v' | 'V' | 'ｖ' => {
                color = Color::White;
                continue;
            }
            '^' => continue,
            '・' | '･' | '．' => None,
            c => Some(Piece::new(color, kind(c)?)),
        };
        file = file.checked_sub(1)?;
        setup.put(Square::try_new(file, rank)?, piece);
        color = Color::Black;
    }
    (file == 0).then_some(())
}

/// The kind that one character on a board means.
fn kind(c: char) -> Option<PieceKind> {
    let c = match c {
        '王' => '玉',
        '竜' => '龍',
        c => c,
    };
    PieceKind::ALL.into_iter().find(|kind| kind.kanji() == c)
}

/// Pieces in hand: `飛　金三　歩十五`, or なし.
pub(super) fn read_hand(text: &str) -> Option<[u8; 7]> {
    let mut counts = [0; 7];
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if text.is_empty() || text == "なし" {
        return Some(counts);
    }
    let in_hand = |c: char| kind(c).and_then(|kind| PieceKind::HAND.iter().position(|&k| k == kind));
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let slot = in_hand(c)?;
        rest = &rest[c.len_utf8()..];
        let end = rest.find(|c| in_hand(c).is_some()).unwrap_or(rest.len());
        counts[slot] = parse_count(&rest[..end])?;
        rest = &rest[end..];
    }
    Some(counts)
}

/// Pieces in hand, the strongest first.
fn hand(hand: Hand) -> String {
    let held = PieceKind::STRONGEST_FIRST.into_iter().filter(|&kind| hand.has(kind)).map(|kind| {
        let n = hand.count(kind);
        format!("{}{}", kind.kanji(), if n == 1 { String::new() } else { count(n) })
    });
    let text = held.collect::<Vec<_>>().join("　");
    if text.is_empty() { "なし".to_owned() } else { text }
}

/// The diagram with both hands, and a line if White is to move.
pub(super) fn lines(position: &Position) -> Vec<String> {
    let mut lines = vec![
        format!("後手の持駒：{}", hand(position.hand(Color::White))),
        "  ９ ８ ７ ６ ５ ４ ３ ２ １".to_owned(),
        "+---------------------------+".to_owned(),
    ];
    for rank in 0..9 {
        let cells: String = (0..9).rev().map(|file| cell(position.piece(Square::new(file, rank)))).collect();
        lines.push(format!("|{cells}|{}", rank_name(rank)));
    }
    lines.push("+---------------------------+".to_owned());
    lines.push(format!("先手の持駒：{}", hand(position.hand(Color::Black))));
    if position.side() == Color::White {
        lines.push("後手番".to_owned());
    }
    lines
}

fn cell(piece: Option<Piece>) -> String {
    match piece {
        None => " ・".to_owned(),
        Some(piece) if piece.color() == Color::Black => format!(" {}", piece.kind().kanji()),
        Some(piece) => format!("v{}", piece.kind().kanji()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_round_trip() {
        for counts in [[0; 7], [18, 4, 3, 2, 1, 2, 4], [10, 0, 1, 0, 0, 0, 0]] {
            assert_eq!(read_hand(&hand(Hand::from_counts(counts).unwrap())), Some(counts));
        }
        for text in ["玉", "歩百", "飛車", "x", "歩十十"] {
            assert_eq!(read_hand(text), None, "{text}");
        }
    }

    #[test]
    fn a_rank_has_nine_squares() {
        let mut setup = Setup::empty();
        assert_eq!(read_rank(&mut setup, 0, "|v香v桂v銀v金v玉 ・ 龍 ・v全|一"), Some(()));
        assert_eq!(setup.to_string(), "lnsgk1+R1+s/9/9/9/9/9/9/9/9 b - 1");
        for line in
            ["|", "||", "| ・|", "|v香v桂v銀v金v玉 ・ 龍 ・v全 ・|", "|v香v桂v銀v金v玉 ・ 龍 ・vx|", "香|"]
        {
            assert_eq!(read_rank(&mut setup, 0, line), None, "{line}");
        }
    }
}
