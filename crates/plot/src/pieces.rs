//! What pieces look like: brushed characters, or letters with marks for where a piece goes. All of it is outlines, so that
//! no font is needed.

use std::sync::LazyLock;

use maud::{Markup, html};
use shogi::{Color, Piece, PieceKind};

use crate::svg::Px;

/// How pieces are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PieceSet {
    /// Japanese characters, one on each piece.
    #[default]
    Kanji,
    /// Latin letters, and around them where the piece goes.
    International,
}

/// The outline of a piece that points up, around its own middle.
pub(crate) const OUTLINE: &str = "M0,-22.5L14,-16.5L18.5,21.5L-18.5,21.5L-14,-16.5Z";

/// A character and the path of its outline, a line each; 400 units are an em. `outlines/README.md` tells where they are from.
const OUTLINES: &str = include_str!("../outlines/yuji-syuku.txt");

static CHARACTERS: LazyLock<Vec<(char, &'static str)>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let (character, path) = line.split_once(' ')?;
        Some((character.chars().next()?, path))
    };
    OUTLINES.lines().filter_map(line).collect()
});

/// The outline of a character, around its middle; empty for one that is not on any piece or board.
pub(crate) fn character(wanted: char) -> &'static str {
    CHARACTERS.iter().find(|(known, _)| *known == wanted).map_or("", |(_, path)| path)
}

/// Where a piece goes: steps, and whether it goes on in that direction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Step,
    Far,
}

/// The eight directions of a piece that points up: forward, then clockwise. `[x, y]` is where their marks stand.
const DIRECTIONS: [(i32, f64, f64); 8] = [
    (0, 0.0, -17.4),
    (45, 9.6, -14.0),
    (90, 14.4, 3.0),
    (135, 14.0, 17.2),
    (180, 0.0, 18.4),
    (225, -14.0, 17.2),
    (270, -14.4, 3.0),
    (315, -9.6, -14.0),
];

impl PieceSet {
    /// Every set.
    pub const ALL: [PieceSet; 2] = [PieceSet::Kanji, PieceSet::International];

    /// Its name in addresses and identifiers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PieceSet::Kanji => "kanji",
            PieceSet::International => "international",
        }
    }

    /// A piece around its own middle, pointing up.
    pub(crate) fn face(self, piece: Piece) -> Markup {
        html! {
            path class="piece" d=(OUTLINE) {}
            @match self {
                PieceSet::Kanji => (brushed(piece)),
                PieceSet::International => (lettered(piece.kind())),
            }
        }
    }

    /// Every piece of the set as a symbol, for pages that show it by `use`: `kanji-P`, `kanji-+P`; White's king is
    /// `kanji-k`. Each is a picture of its own, since rules see nothing around a symbol where it is used.
    #[must_use]
    pub fn symbols(self) -> Markup {
        let black = PieceKind::ALL.into_iter().map(|kind| Piece::new(Color::Black, kind));
        let pieces = black.chain([Piece::new(Color::White, PieceKind::King)]);
        html! {
            @for piece in pieces {
                symbol class="plot" id={ (self.name()) "-" (symbol(piece)) } viewBox="-22 -24.5 44 48" {
                    g transform={ "scale(" (size_of_kind(piece.kind())) ")" } { (self.face(piece)) }
                }
            }
        }
    }
}

/// The characters beside the ranks as symbols, `rank-1` to `rank-9`.
#[must_use]
pub fn rank_symbols() -> Markup {
    html! {
        @for (number, rank) in (1..).zip("一二三四五六七八九".chars()) {
            symbol id={ "rank-" (number) } viewBox="-200 -200 400 400" { path d=(character(rank)) {} }
        }
    }
}

fn symbol(piece: Piece) -> String {
    let plus = if piece.kind().is_promoted() { "+" } else { "" };
    format!("{plus}{}", piece.letter())
}

/// Real pieces grow with their rank.
pub(crate) const fn size_of_kind(kind: PieceKind) -> &'static str {
    match kind.unpromoted() {
        PieceKind::King => "1.03",
        PieceKind::Rook | PieceKind::Bishop => "1",
        PieceKind::Gold | PieceKind::Silver => ".97",
        PieceKind::Knight | PieceKind::Lance => ".94",
        _ => ".9",
    }
}

fn promoted(kind: PieceKind) -> &'static str {
    if kind.is_promoted() { " promoted" } else { "" }
}

/// Black has the jewel, White the king, as in most sets.
fn brushed(piece: Piece) -> Markup {
    let kanji = match (piece.kind(), piece.color()) {
        (PieceKind::King, Color::White) => '王',
        (kind, _) => kind.kanji(),
    };
    html! {
        path class={ "kanji" (promoted(piece.kind())) } transform="translate(0,2.4) scale(.079)" d=(character(kanji)) {}
    }
}

fn lettered(kind: PieceKind) -> Markup {
    let class = promoted(kind);
    html! {
        path class={ "letter" (class) } transform="translate(0,3)" d=(letter(kind.unpromoted())) {}
        @if kind.is_promoted() { path class="letter plus promoted" d="M-11.5,-4.5H-6.5M-9,-7V-2" {} }
        @if kind == PieceKind::Knight {
            @for x in [-4.6, 4.6] { circle class="goes" cx=(Px(x)) cy=(Px(-16.2)) r=(Px(1.9)) {} }
        }
        @for ((angle, x, y), reach) in DIRECTIONS.into_iter().zip(reach(kind)) {
            @match reach {
                Some(Reach::Step) => circle class={ "goes" (class) } cx=(Px(x)) cy=(Px(y)) r=(Px(1.9)) {},
                Some(Reach::Far) => {
                    path class={ "goes" (class) } d="M0,-4.2L3.2,2.4H-3.2Z"
                        transform={ "translate(" (Px(x)) "," (Px(y)) ") rotate(" (angle) ")" } {}
                }
                None => {}
            }
        }
    }
}

/// The strokes of a letter some twenty units high.
fn letter(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "M-5,10V-9H0A5.6,5.6 0 0 1 0,2.2H-5",
        PieceKind::Lance => "M-4.5,-9V9.5H5.5",
        PieceKind::Knight => "M-6,10V-9L6,9.5V-9.5",
        PieceKind::Silver => "M6,-6.5C3.5,-10.5 -5.5,-10.5 -5.5,-4.5C-5.5,1.2 6,-0.8 6,5C6,11 -4,11 -6.3,6.2",
        PieceKind::Gold => "M6.2,-6C1.5,-12 -7,-9 -7,.3C-7,9.5 1.8,12.3 6.6,6.8V1.2H1.2",
        PieceKind::Bishop => "M-5,9.5V-9H0A4.6,4.6 0 0 1 0,0H-5M0,0A4.8,4.8 0 0 1 0,9.5H-5",
        PieceKind::Rook => "M-5,10V-9H.3A5.2,5.2 0 0 1 .3,1.4H-5M.4,1.4L6,10",
        _ => "M-5.2,-9V10M6,-9L-5.2,2M-1.6,-1.4L6.6,10",
    }
}

/// Where a kind goes: `[direction]`. The knight's jump is no direction.
fn reach(kind: PieceKind) -> [Option<Reach>; 8] {
    const S: Option<Reach> = Some(Reach::Step);
    const F: Option<Reach> = Some(Reach::Far);
    const N: Option<Reach> = None;
    match kind {
        PieceKind::Pawn => [S, N, N, N, N, N, N, N],
        PieceKind::Lance => [F, N, N, N, N, N, N, N],
        PieceKind::Knight => [N; 8],
        PieceKind::Silver => [S, S, N, S, N, S, N, S],
        PieceKind::Bishop => [N, F, N, F, N, F, N, F],
        PieceKind::Rook => [F, N, F, N, F, N, F, N],
        PieceKind::King => [S; 8],
        PieceKind::Horse => [S, F, S, F, S, F, S, F],
        PieceKind::Dragon => [F, S, F, S, F, S, F, S],
        _ => [S, S, S, N, S, N, S, S],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_an_outline_and_every_rank_a_character() {
        for kind in PieceKind::ALL {
            assert!(character(kind.kanji()).starts_with('m'), "{kind}");
        }
        assert!("王一二三四五六七八九".chars().all(|c| character(c).ends_with('z')));
        assert_eq!(character('猫'), "");
    }

    #[test]
    fn a_set_has_each_kind_once_and_both_kings() {
        for set in PieceSet::ALL {
            let symbols = set.symbols().into_string();
            assert_eq!(symbols.matches("<symbol").count(), 15);
            for name in ["P", "+P", "+R", "K", "k"] {
                assert!(symbols.contains(&format!("id=\"{}-{name}\"", set.name())), "{name}");
            }
            assert!(!symbols.contains("<text"), "no font is needed");
        }
    }

    /// The marks are drawn from a table of their own; the rules must agree.
    #[test]
    fn marks_stand_where_the_rules_let_pieces_go() {
        let square = |text: &str| text.parse::<shogi::Square>().unwrap();
        let from = square("5e");
        let steps = ["5d", "4d", "4e", "4f", "5f", "6f", "6e", "6d"].map(square);
        let far = ["5c", "3c", "3e", "3g", "5g", "7g", "7e", "7c"].map(square);
        for kind in PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King) {
            let mut setup = shogi::Setup::empty();
            setup.put(from, Some(Piece::new(Color::Black, kind)));
            setup.put(square("9i"), Some(Piece::new(Color::Black, PieceKind::King)));
            setup.put(square("2a"), Some(Piece::new(Color::White, PieceKind::King)));
            let position = shogi::Position::new(&setup).unwrap();
            let goes = |to| position.is_legal(shogi::Move::board(from, to, false));
            for (direction, mark) in reach(kind).into_iter().enumerate() {
                assert_eq!(mark.is_some(), goes(steps[direction]), "{kind} {direction}");
                assert_eq!(mark == Some(Reach::Far), goes(far[direction]), "{kind} {direction}");
            }
        }
    }
}
