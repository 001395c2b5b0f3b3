//! Moves as Western players write them: P-7f, Rx2d+, S*5b, G6i-5h where two golds could go.

use shogi::{Move, PieceKind, Position};

/// A legal move in Western letters: the piece, its origin where another of its kind could go there too, `-`, `x` or `*`,
/// where it goes, and `+` or `=` where it may promote.
///
/// ```
/// let position = shogi::Position::start();
/// assert_eq!(records::text::western_move("7g7f".parse().unwrap(), &position), "P-7f");
/// ```
#[must_use]
pub fn western_move(m: Move, position: &Position) -> String {
    let to = m.to();
    let Some(from) = m.from() else {
        return format!("{}*{to}", m.dropped().map_or('P', PieceKind::letter));
    };
    let Some(piece) = position.piece(from) else { return m.to_string() };
    let kind = piece.kind();
    let promoted = if kind.is_promoted() { "+" } else { "" };
    let could_go = |other: Move| {
        let origin = other.from().filter(|origin| *origin != from && other.to() == to);
        origin.and_then(|origin| position.piece(origin)) == Some(piece)
    };
    let origin =
        if position.legal_moves().into_iter().any(could_go) { from.to_string() } else { String::new() };
    let sign = if position.piece(to).is_some() { 'x' } else { '-' };
    let side = position.side();
    let may_promote = kind.promoted().is_some() && (from.in_zone(side) || to.in_zone(side));
    let end = match (m.is_promotion(), may_promote) {
        (true, _) => "+",
        (false, true) => "=",
        (false, false) => "",
    };
    format!("{promoted}{}{origin}{sign}{to}{end}", kind.letter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_promotions_drops_and_twins_are_told_apart() {
        for (sfen, m, expected) in [
            ("startpos", "7g7f", "P-7f"),
            ("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3", "8h2b+", "Bx2b+"),
            ("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3", "8h3c", "B-3c="),
            ("4k4/9/9/9/9/9/9/3G1G3/4K4 b P 1", "4h5h", "G4h-5h"),
            ("4k4/9/9/9/9/9/9/3G1G3/4K4 b P 1", "4h3h", "G-3h"),
            ("4k4/9/9/9/9/9/9/3G1G3/4K4 b P 1", "P*5e", "P*5e"),
            ("4k4/9/4+P4/9/9/9/9/9/4K4 b - 1", "5c5b", "+P-5b"),
        ] {
            let position = crate::position_text::game_position(sfen).unwrap();
            let m: Move = m.parse().unwrap();
            assert_eq!(western_move(m, &position), expected, "{m} in {sfen}");
        }
    }

    #[test]
    fn no_two_moves_of_a_crowded_position_are_written_alike() {
        for sfen in [
            "4k4/9/9/9/3GSG3/3S1S3/3GSG3/9/4K4 b P 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        ] {
            let position: Position = sfen.parse().unwrap();
            let moves = position.legal_moves();
            let texts: std::collections::BTreeSet<String> =
                moves.iter().map(|m| western_move(*m, &position)).collect();
            assert_eq!(texts.len(), moves.len(), "{sfen}");
        }
    }
}
