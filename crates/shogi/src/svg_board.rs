//! A board as a picture: one self-contained SVG.
//!
//! The picture lies on a ground of its own, so that it reads the same on a light and on a dark page.

use std::fmt;

use crate::text_board::KANJI_DIGITS;
use crate::{Color, Move, Piece, PieceKind, Position, Setup, Square};

/// A board, both hands, the turn and perhaps the last move, as [`fmt::Display`] writes them.
///
/// ```
/// let svg = shogi::Position::start().svg_board().to_string();
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct SvgBoard {
    setup: Setup,
    last: Option<Move>,
}

impl Setup {
    /// The board as a picture, no move marked.
    #[must_use]
    pub fn svg_board(&self) -> SvgBoard {
        SvgBoard { setup: self.clone(), last: None }
    }
}

impl Position {
    /// The board as a picture, with the squares of the last move marked.
    #[must_use]
    pub fn svg_board(&self) -> SvgBoard {
        SvgBoard { setup: self.setup(), last: self.last_move() }
    }
}

// Lengths in the units of the view box.
const CELL: i32 = 50;
const BOARD: i32 = 9 * CELL;
const MARGIN: i32 = 14;
/// Width of the stand that a hand lies on.
const STAND: i32 = 84;
const BOARD_LEFT: i32 = MARGIN + STAND + 18;
const BOARD_TOP: i32 = MARGIN + 26;
const BLACK_STAND_LEFT: i32 = BOARD_LEFT + BOARD + 36;
const WIDTH: i32 = BLACK_STAND_LEFT + STAND + MARGIN;
const HEIGHT: i32 = BOARD_TOP + BOARD + MARGIN + 6;
/// From the end of a stand to the middle of its player's mark, and on to the first piece.
const STAND_MARK: i32 = 32;
const STAND_FIRST: i32 = 96;

/// Colours and letters; classes keep the body of the picture short.
const STYLE: &str = "\
.ground{fill:#f3ecdd;stroke:#c9b996}\
.board{fill:#e3c283;stroke:#4a3a22;stroke-width:2.5}\
.lines{stroke:#6b5633;stroke-width:1;fill:none}\
.stars{fill:#4a3a22}\
.stand{fill:#e9d9b4;stroke:#c9b996;stroke-width:1.5}\
.turn{stroke:#b5532c;stroke-width:3}\
.mark{fill:#f7dc54}\
.left{fill:#f7dc54;fill-opacity:.45}\
.piece{fill:#fbeecb;stroke:#7d6238;stroke-width:1.2;stroke-linejoin:round}\
.sente{fill:#2b2419}\
.gote{fill:#fffaf0;stroke:#2b2419;stroke-width:1.6}\
text{text-anchor:middle;fill:#2b2419;\
font-family:'Hiragino Mincho ProN','Yu Mincho','Noto Serif CJK JP','Noto Serif JP',IPAMincho,serif}\
.p{font-size:29px;font-weight:600}\
.pro{fill:#b3261e}\
.c{font-size:16px;fill:#5c4a2c}\
.n{font-size:16px;font-weight:700;font-family:sans-serif}\
.t{font-size:14px;fill:#a1431f;font-weight:600}";

/// The outline of a piece that points up, around its own middle.
const PIECE_PATH: &str = "M0,-22.5 L14,-16.5 L18.5,21.5 L-18.5,21.5 L-14,-16.5 Z";

impl fmt::Display for SvgBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" role=\"img\">"
        )?;
        writeln!(f, "<title>Shogi: {} to move</title>", self.setup.side)?;
        writeln!(f, "<desc>sfen {}</desc>", self.setup)?;
        writeln!(f, "<style>{STYLE}</style>")?;
        writeln!(f, "<defs><path id=\"piece\" d=\"{PIECE_PATH}\"/></defs>")?;
        let (width, height) = (WIDTH - 2, HEIGHT - 2);
        writeln!(
            f,
            "<rect class=\"ground\" x=\"1\" y=\"1\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>"
        )?;
        write_board(f)?;
        self.write_last_move(f)?;
        write_lines(f)?;
        write_coordinates(f)?;
        for square in Square::all() {
            if let Some(piece) = self.setup.piece(square) {
                write_piece(f, piece, middle(square))?;
            }
        }
        for color in Color::ALL {
            self.write_hand(f, color)?;
        }
        writeln!(f, "</svg>")
    }
}

impl SvgBoard {
    /// The square that was reached, and more faintly the one that was left.
    fn write_last_move(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(last) = self.last else { return Ok(()) };
        for (class, square) in [("left", last.from()), ("mark", Some(last.to()))] {
            let Some((x, y)) = square.map(corner) else { continue };
            writeln!(f, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>")?;
        }
        Ok(())
    }

    /// A stand: the player's mark at its owner's end, then the pieces from the strongest on. White's begins
    /// at the top, Black's at the bottom.
    fn write_hand(&self, f: &mut fmt::Formatter<'_>, color: Color) -> fmt::Result {
        let left = match color {
            Color::Black => BLACK_STAND_LEFT,
            Color::White => MARGIN,
        };
        let along = |distance: i32| match color {
            Color::Black => BOARD_TOP + BOARD - distance,
            Color::White => BOARD_TOP + distance,
        };
        let to_move = self.setup.side == color;
        let turn = if to_move { " turn" } else { "" };
        writeln!(
            f,
            "<rect class=\"stand{turn}\" x=\"{left}\" y=\"{BOARD_TOP}\" width=\"{STAND}\" height=\"{BOARD}\" rx=\"6\"/>"
        )?;
        let (class, angle) = match color {
            Color::Black => ("sente", 0),
            Color::White => ("gote", 180),
        };
        let (x, y) = (left + STAND / 2, along(STAND_MARK));
        writeln!(
            f,
            "<use href=\"#piece\" class=\"{class}\" transform=\"translate({x},{y}) rotate({angle}) scale(.72)\"/>"
        )?;
        if to_move {
            writeln!(f, "<text class=\"t\" x=\"{x}\" y=\"{}\">手番</text>", along(STAND_MARK + 28) + 5)?;
        }
        let counts = self.setup.hands[color.index()];
        let held = PieceKind::STRONGEST_FIRST
            .into_iter()
            .map(|kind| (kind, counts[kind.index()]))
            .filter(|&(_, n)| n > 0);
        for (place, (kind, count)) in (0..).zip(held) {
            let y = along(STAND_FIRST + place * (CELL + 1));
            write_held(f, Piece::new(color, kind), count, (x, y))?;
        }
        Ok(())
    }
}

/// A piece on its stand, with its count beside it if there are several.
fn write_held(f: &mut fmt::Formatter<'_>, piece: Piece, count: u8, (x, y): (i32, i32)) -> fmt::Result {
    write_piece(f, piece, (x, y))?;
    if count == 1 {
        return Ok(());
    }
    writeln!(f, "<text class=\"n\" x=\"{}\" y=\"{}\">{count}</text>", x + 28, y + 6)
}

fn write_piece(f: &mut fmt::Formatter<'_>, piece: Piece, (x, y): (i32, i32)) -> fmt::Result {
    let turn = if piece.color() == Color::White { " rotate(180)" } else { "" };
    let promoted = if piece.kind().is_promoted() { " pro" } else { "" };
    let size = size_of_kind(piece.kind());
    writeln!(
        f,
        "<g transform=\"translate({x},{y}){turn} scale({size})\"><use href=\"#piece\" class=\"piece\"/>\
         <text class=\"p{promoted}\" y=\"13\">{}</text></g>",
        piece.kind().kanji()
    )
}

/// Real pieces grow with their rank.
const fn size_of_kind(kind: PieceKind) -> &'static str {
    match kind.unpromoted() {
        PieceKind::King => "1.03",
        PieceKind::Rook | PieceKind::Bishop => "1",
        PieceKind::Gold | PieceKind::Silver => ".97",
        PieceKind::Knight | PieceKind::Lance => ".94",
        _ => ".9",
    }
}

fn write_board(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(
        f,
        "<rect class=\"board\" x=\"{BOARD_LEFT}\" y=\"{BOARD_TOP}\" width=\"{BOARD}\" height=\"{BOARD}\"/>"
    )
}

/// The lines between the squares and the four dots that mark the camps.
fn write_lines(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "<path class=\"lines\" d=\"")?;
    for i in 1..9 {
        let (x, y) = (BOARD_LEFT + i * CELL, BOARD_TOP + i * CELL);
        write!(f, "M{x},{BOARD_TOP}v{BOARD}M{BOARD_LEFT},{y}h{BOARD}")?;
    }
    writeln!(f, "\"/>")?;
    for (i, j) in [(3, 3), (3, 6), (6, 3), (6, 6)] {
        let (x, y) = (BOARD_LEFT + i * CELL, BOARD_TOP + j * CELL);
        writeln!(f, "<circle class=\"stars\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/>")?;
    }
    Ok(())
}

/// Files 9 to 1 above the board, ranks 一 to 九 on its right.
fn write_coordinates(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, rank) in (0..9).zip(KANJI_DIGITS) {
        let x = BOARD_LEFT + i * CELL + CELL / 2;
        writeln!(f, "<text class=\"c\" x=\"{x}\" y=\"{}\">{}</text>", BOARD_TOP - 9, 9 - i)?;
        let y = BOARD_TOP + i * CELL + CELL / 2 + 6;
        writeln!(f, "<text class=\"c\" x=\"{}\" y=\"{y}\">{rank}</text>", BOARD_LEFT + BOARD + 15)?;
    }
    Ok(())
}

/// The upper left corner of a square.
fn corner(square: Square) -> (i32, i32) {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    (BOARD_LEFT + (8 - file) * CELL, BOARD_TOP + rank * CELL)
}

fn middle(square: Square) -> (i32, i32) {
    let (x, y) = corner(square);
    (x + CELL / 2, y + CELL / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_drawn_once_and_whites_are_turned() {
        let svg = Position::start().svg_board().to_string();
        assert_eq!(svg.matches("class=\"piece\"").count(), 40);
        assert_eq!(svg.matches(" rotate(180) scale").count(), 21, "20 pieces and the player's mark");
        assert_eq!(svg.matches("class=\"p pro\"").count(), 0);
        assert!(!svg.contains("class=\"mark\""));
    }

    #[test]
    fn hands_show_counts_and_promoted_pieces_are_marked() {
        let setup: Setup = "4k4/9/4+P4/9/9/9/9/9/4K4 w 2G17p 1".parse().unwrap();
        let svg = setup.svg_board().to_string();
        assert!(svg.contains("class=\"p pro\" y=\"13\">と<"));
        assert!(svg.contains(">17</text>") && svg.contains(">2</text>"));
        assert_eq!(svg.matches("手番").count(), 1);
        assert!(svg.contains("<title>Shogi: White to move</title>"));
    }

    #[test]
    fn the_last_move_is_marked_at_both_ends_and_a_drop_at_one() {
        let mut position: Position = "4k4/9/9/9/9/9/9/9/4K4 b P 1".parse().unwrap();
        position.play("P*5e".parse().unwrap());
        let svg = position.svg_board().to_string();
        assert!(svg.contains("class=\"mark\"") && !svg.contains("class=\"left\""));
        position.play("5a5b".parse().unwrap());
        let svg = position.svg_board().to_string();
        assert!(svg.contains("class=\"mark\"") && svg.contains("class=\"left\""));
    }

    #[test]
    fn the_fullest_hand_fits_its_stand() {
        let last = STAND_FIRST + 6 * (CELL + 1) + CELL / 2;
        assert!(last < BOARD, "seven kinds need {last} of {BOARD}");
    }
}
