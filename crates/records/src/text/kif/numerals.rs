//! Numbers and square names in Japanese.

use shogi::Square;

const FULL_WIDTH: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The value from 1 to 9 of a digit of any width or of a kanji numeral.
pub(super) fn digit(c: char) -> Option<u8> {
    match c {
        '1'..='9' => Some(c as u8 - b'0'),
        _ => FULL_WIDTH.iter().chain(&KANJI).position(|&d| d == c).map(|index| (index % 9) as u8 + 1),
    }
}

/// The text with full-width digits, signs and parentheses made ASCII.
pub(super) fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '０'..='９' | '＋' | '（' | '）' | '．' | '／' => {
            char::from_u32(c as u32 - 0xFEE0).unwrap_or(c)
        }
        _ => c,
    };
    text.chars().map(narrow).collect()
}

/// A square such as ７六 (or 76), and the rest of the text.
pub(super) fn square(text: &str) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let (file, rank) = (digit(chars.next()?)?, digit(chars.next()?)?);
    Some((Square::try_new(file - 1, rank - 1)?, chars.as_str()))
}

/// The name of a square: ７六.
pub(super) fn name(square: Square) -> String {
    [FULL_WIDTH[usize::from(square.file())], KANJI[usize::from(square.rank())]].iter().collect()
}

/// The kanji numeral of a rank, 0 being 一.
pub(super) fn rank_name(rank: u8) -> char {
    KANJI[usize::from(rank)]
}

/// A count in kanji, 1 to 19.
pub(super) fn count(n: u8) -> String {
    let unit = |n: u8| if n == 0 { String::new() } else { KANJI[usize::from(n - 1)].to_string() };
    if n < 10 { unit(n) } else { format!("十{}", unit((n - 10).min(9))) }
}

/// Reads a count below 100 in kanji or digits; nothing is 1.
pub(super) fn parse_count(text: &str) -> Option<u8> {
    if text.is_empty() {
        return Some(1);
    }
    if let Ok(count) = narrow(text).parse() {
        return Some(count);
    }
    let single = |text: &str, nothing: u8| {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (None, _) => Some(nothing),
            (Some(c), None) => digit(c),
            _ => None,
        }
    };
    match text.split_once('十') {
        Some((tens, ones)) => Some(single(tens, 1)? * 10 + single(ones, 0)?),
        None => single(text, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_round_trip() {
        for n in 1..=18 {
            assert_eq!(parse_count(&count(n)), Some(n));
        }
        assert_eq!([parse_count(""), parse_count("１８"), parse_count("3")], [Some(1), Some(18), Some(3)]);
        for text in ["百", "一二", "十十", "九十九九", "-1"] {
            assert_eq!(parse_count(text), None, "{text}");
        }
    }

    #[test]
    fn squares_round_trip() {
        for at in Square::all() {
            assert_eq!(square(&name(at)), Some((at, "")));
        }
        assert_eq!(square("76歩"), Some(("7f".parse().unwrap(), "歩")));
    }
}
