//! A board with both hands, the turn and perhaps the last move.

use maud::{Markup, html};
use shogi::{Color, Move, Piece, PieceKind, Position, Setup, Square};

use crate::pieces::{OUTLINE, PieceSet, character, size_of_kind};
use crate::svg::{Path, Px, Svg};

/// What a picture of a board shows.
///
/// ```
/// let svg = plot::Board::of_position(&shogi::Position::start()).to_file();
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    setup: Setup,
    last: Option<Move>,
    pieces: PieceSet,
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

const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

impl Board {
    /// A board as somebody describes it, no move marked.
    #[must_use]
    pub fn of_setup(setup: &Setup) -> Board {
        Board { setup: setup.clone(), last: None, pieces: PieceSet::default() }
    }

    /// A position, with the squares of the last move marked.
    #[must_use]
    pub fn of_position(position: &Position) -> Board {
        Board { last: position.last_move(), ..Board::of_setup(&position.setup()) }
    }

    /// The same board with other pieces.
    #[must_use]
    pub fn with_pieces(self, pieces: PieceSet) -> Board {
        Board { pieces, ..self }
    }

    /// The board as a picture.
    #[must_use]
    pub fn svg(&self) -> Svg {
        let body = html! {
            rect class="wood" x=(BOARD_LEFT) y=(BOARD_TOP) width=(BOARD) height=(BOARD) {}
            (self.last_move())
            (lines())
            (coordinates())
            @for square in Square::all() {
                @if let Some(piece) = self.setup.piece(square) { (self.drawn(piece, middle(square))) }
            }
            @for color in Color::ALL { (self.hand(color)) }
        };
        let title = format!("Shogi: {} to move", self.setup.side);
        let description = format!("sfen {}", self.setup);
        Svg { kind: "board", width: WIDTH.into(), height: HEIGHT.into(), title, description, body }
    }

    /// The board as a file of its own.
    #[must_use]
    pub fn to_file(&self) -> String {
        self.svg().to_file()
    }

    /// The square that was reached, and more faintly the one that was left.
    fn last_move(&self) -> Markup {
        let squares = self.last.map_or([None, None], |last| [last.from(), Some(last.to())]);
        html! {
            @for (class, square) in ["left", "mark"].into_iter().zip(squares) {
                @if let Some((x, y)) = square.map(corner) {
                    rect class=(class) x=(x) y=(y) width=(CELL) height=(CELL) {}
                }
            }
        }
    }

    /// A stand: the player's mark at its owner's end, then the pieces from the strongest on. White's begins
    /// at the top, Black's at the bottom.
    fn hand(&self, color: Color) -> Markup {
        let (left, mark, angle) = match color {
            Color::Black => (BLACK_STAND_LEFT, "sente", 0),
            Color::White => (MARGIN, "gote", 180),
        };
        let along = |distance: i32| match color {
            Color::Black => BOARD_TOP + BOARD - distance,
            Color::White => BOARD_TOP + distance,
        };
        let to_move = self.setup.side == color;
        let x = left + STAND / 2;
        let counts = self.setup.hands[color.index()];
        let held = PieceKind::STRONGEST_FIRST.into_iter().map(|kind| (kind, counts[kind.index()]));
        let places = (0..).zip(held.filter(|&(_, count)| count > 0));
        html! {
            rect class={ "stand" @if to_move { " turn" } } x=(left) y=(BOARD_TOP) width=(STAND) height=(BOARD) rx="6" {}
            path class=(mark) d=(OUTLINE)
                transform={ "translate(" (x) "," (along(STAND_MARK)) ") rotate(" (angle) ") scale(.72)" } {}
            @if to_move {
                circle class="to-move" cx=(x) cy=(along(STAND_MARK + 28)) r="5" { title { "to move" } }
            }
            @for (place, (kind, count)) in places {
                @let y = along(STAND_FIRST + place * (CELL + 1));
                (self.drawn(Piece::new(color, kind), (x, y)))
                @if count > 1 { text class="count mid" x=(x + 29) y=(y + 6) { (count) } }
            }
        }
    }

    fn drawn(&self, piece: Piece, (x, y): (i32, i32)) -> Markup {
        let is_turned = piece.color() == Color::White;
        html! {
            g transform={ "translate(" (x) "," (y) ")" @if is_turned { " rotate(180)" } " scale(" (size_of_kind(piece.kind())) ")" } {
                (self.pieces.face(piece))
            }
        }
    }
}

/// The lines between the squares and the four dots that mark the camps.
fn lines() -> Markup {
    let [left, top, size] = [BOARD_LEFT, BOARD_TOP, BOARD].map(f64::from);
    let path = (1..9).map(|i| f64::from(i * CELL)).fold(Path::default(), |path, step| {
        let path = path.jump(left + step, top).line(left + step, top + size);
        path.jump(left, top + step).line(left + size, top + step)
    });
    html! {
        path class="lines" d=(path) {}
        @for (i, j) in [(3, 3), (3, 6), (6, 3), (6, 6)] {
            circle class="star" cx=(BOARD_LEFT + i * CELL) cy=(BOARD_TOP + j * CELL) r=(Px(3.5)) {}
        }
    }
}

/// Files 9 to 1 above the board, ranks 一 to 九 on its right.
fn coordinates() -> Markup {
    html! {
        @for (i, rank) in (0..9).zip(RANKS) {
            @let along = i * CELL + CELL / 2;
            text class="coordinate" x=(BOARD_LEFT + along) y=(BOARD_TOP - 9) { (9 - i) }
            path class="rank" d=(character(rank))
                transform={ "translate(" (BOARD_LEFT + BOARD + 15) "," (BOARD_TOP + along) ") scale(.044)" } {}
        }
    }
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
        let svg = Board::of_position(&Position::start()).to_file();
        assert_eq!(svg.matches("class=\"piece\"").count(), 40);
        assert_eq!(svg.matches(" rotate(180) scale").count(), 21, "20 pieces and the player's mark");
        assert_eq!(svg.matches("class=\"kanji promoted\"").count(), 0);
        assert!(svg.is_ascii(), "no Japanese font is needed");
        assert!(!svg.contains("class=\"mark\"") && svg.contains("prefers-color-scheme:dark"));
    }

    #[test]
    fn hands_show_counts_and_promoted_pieces_are_marked() {
        let setup: Setup = "4k4/9/4+P4/9/9/9/9/9/4K4 w 2G17p 1".parse().unwrap();
        let svg = Board::of_setup(&setup).to_file();
        assert_eq!(svg.matches("class=\"kanji promoted\"").count(), 1);
        assert!(svg.contains(character('と')));
        let letters = Board::of_setup(&setup).with_pieces(PieceSet::International).to_file();
        assert!(letters.contains("class=\"letter promoted\"") && !letters.contains("class=\"kanji"));
        assert!(svg.contains(">17</text>") && svg.contains(">2</text>"));
        assert_eq!(svg.matches("class=\"to-move\"").count(), 1);
        assert!(svg.contains("<title>Shogi: White to move</title>"));
        assert!(svg.contains("<desc>sfen 4k4/9/4+P4/9/9/9/9/9/4K4 w 2G17p 1</desc>"));
    }

    #[test]
    fn the_last_move_is_marked_at_both_ends_and_a_drop_at_one() {
        let mut position: Position = "4k4/9/9/9/9/9/9/9/4K4 b P 1".parse().unwrap();
        position.play("P*5e".parse().unwrap());
        let svg = Board::of_position(&position).to_file();
        assert!(svg.contains("class=\"mark\"") && !svg.contains("class=\"left\""));
        position.play("5a5b".parse().unwrap());
        let svg = Board::of_position(&position).to_file();
        assert!(svg.contains("class=\"mark\"") && svg.contains("class=\"left\""));
    }

    #[test]
    fn the_fullest_hand_fits_its_stand() {
        let last = STAND_FIRST + 6 * (CELL + 1) + CELL / 2;
        assert!(last < BOARD, "seven kinds need {last} of {BOARD}");
    }
}
