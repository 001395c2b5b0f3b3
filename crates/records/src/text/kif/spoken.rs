//! Moves as people say them: ▲７六歩, △同　銀, ▲５八金右, △２三歩打, with or without the origin `(77)`.
//!
//! Where several pieces could go to the square, words tell which one is meant: 上 寄 引 say how it goes
//! (forward, sideways, back), 左 右 where it stands, 直 that it goes straight up; 打 says it is dropped.

use shogi::{Color, Move, PieceKind, Position, Square};

use super::super::csa::notation::kind_before;
use super::numerals;

/// The marks before moves, of Black and of White.
const MARKS: [[char; 3]; 2] = [['▲', '☗', '▼'], ['△', '☖', '▽']];

/// Names in moves, the longer first. The first of each kind is the one written.
const NAMES: [(&str, PieceKind); 18] = [
    ("成香", PieceKind::ProLance),
    ("成桂", PieceKind::ProKnight),
    ("成銀", PieceKind::ProSilver),
    ("歩", PieceKind::Pawn),
    ("香", PieceKind::Lance),
    ("桂", PieceKind::Knight),
    ("銀", PieceKind::Silver),
    ("角", PieceKind::Bishop),
    ("飛", PieceKind::Rook),
    ("金", PieceKind::Gold),
    ("玉", PieceKind::King),
    ("王", PieceKind::King),
    ("と", PieceKind::ProPawn),
    ("杏", PieceKind::ProLance),
    ("圭", PieceKind::ProKnight),
    ("全", PieceKind::ProSilver),
    ("馬", PieceKind::Horse),
    ("龍", PieceKind::Dragon),
];

/// The words that can tell pieces apart, in the order in which they are tried when writing: how it goes,
/// straight up, where it stands, both.
const WORDS: [&str; 13] =
    ["", "上", "寄", "引", "直", "左", "右", "左上", "右上", "左寄", "右寄", "左引", "右引"];

/// A move as said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spoken {
    pub(crate) to: Square,
    /// The kind before the move.
    pub(crate) kind: PieceKind,
    /// Some of 左右直上寄引.
    pub(crate) words: String,
    pub(crate) promotes: bool,
    pub(crate) drops: bool,
    pub(crate) from: Option<Square>,
}

/// What a spoken move means in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// One move; legal unless its origin was given or it was called a drop.
    Move(Move),
    /// No move.
    Nothing,
    /// Several legal moves.
    Several(Vec<Move>),
}

/// Reads a move without its mark; `last` is where the previous move went, for 同. `None` if the text is not
/// of that form.
pub(crate) fn parse(text: &str, last: Option<Square>) -> Option<Spoken> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (to, rest) = match text.strip_prefix('同') {
        Some(rest) => (last?, rest),
        None => numerals::square(&text)?,
    };
    let rest = rest.replace('竜', "龍");
    let (kind, mut rest) =
        NAMES.iter().find_map(|&(name, kind)| rest.strip_prefix(name).map(|rest| (kind, rest)))?;
    let mut spoken = Spoken { to, kind, words: String::new(), promotes: false, drops: false, from: None };
    while let Some(word) = rest.chars().next().filter(|&c| "左右直上寄引行入".contains(c)) {
        spoken.words.push(if "行入".contains(word) { '上' } else { word });
        rest = &rest[word.len_utf8()..];
    }
    if let Some(after) = rest.strip_prefix("不成") {
        rest = after;
    } else if let Some(after) = rest.strip_prefix('成') {
        (spoken.promotes, rest) = (true, after);
    } else if let Some(after) = rest.strip_prefix('打') {
        (spoken.drops, rest) = (true, after);
    }
    let rest = numerals::narrow(rest);
    if rest.is_empty() {
        return Some(spoken);
    }
    let (from, nothing) = numerals::square(rest.strip_prefix('(')?.strip_suffix(')')?)?;
    spoken.from = Some(from);
    (nothing.is_empty() && from != to && !spoken.drops).then_some(spoken)
}

impl Spoken {
    /// What it means in a position.
    pub(crate) fn meaning(&self, position: &Position) -> Meaning {
        let board_move = |from| Move::board(from, self.to, self.promotes);
        if let Some(from) = self.from {
            let fits = position.piece(from).is_some_and(|piece| {
                piece.color() == position.side()
                    && piece.kind() == self.kind
                    && !(self.promotes && self.kind.promoted().is_none())
            });
            return if fits { Meaning::Move(board_move(from)) } else { Meaning::Nothing };
        }
        let drop = PieceKind::HAND.contains(&self.kind).then(|| Move::drop(self.kind, self.to));
        if self.drops {
            return drop.map_or(Meaning::Nothing, Meaning::Move);
        }
        let origins = self.origins(position);
        match origins.as_slice() {
            [] => match drop.filter(|&drop| !self.promotes && position.is_legal(drop)) {
                Some(drop) if self.words.is_empty() => Meaning::Move(drop),
                _ => Meaning::Nothing,
            },
            &[from] => Meaning::Move(board_move(from)),
            several => Meaning::Several(several.iter().map(|&from| board_move(from)).collect()),
        }
    }

    /// Where the piece may legally come from.
    fn origins(&self, position: &Position) -> Vec<Square> {
        let side = position.side();
        let mut origins: Vec<Square> = position
            .pieces_of(side, self.kind)
            .into_iter()
            .filter(|&from| from != self.to)
            .filter(|&from| position.is_legal(Move::board(from, self.to, self.promotes)))
            .collect();
        for word in self.words.chars() {
            match word {
                '上' => origins.retain(|from| self.to.rank_from(side) < from.rank_from(side)),
                '寄' => origins.retain(|from| self.to.rank() == from.rank()),
                '引' => origins.retain(|from| self.to.rank_from(side) > from.rank_from(side)),
                '直' => origins.retain(|from| {
                    from.file() == self.to.file() && from.rank_from(side) == self.to.rank_from(side) + 1
                }),
                _ => {}
            }
        }
        // After the others: it compares those that are left.
        if self.words.contains('左') {
            keep_farthest(&mut origins, |from| leftness(from, side));
        }
        if self.words.contains('右') {
            keep_farthest(&mut origins, |from| 8 - leftness(from, side));
        }
        origins
    }
}

/// How far to the left of the board a square is for a side, 0 to 8.
fn leftness(square: Square, side: Color) -> u8 {
    match side {
        Color::Black => square.file(),
        Color::White => 8 - square.file(),
    }
}

fn keep_farthest(squares: &mut Vec<Square>, distance: impl Fn(Square) -> u8) {
    let farthest = squares.iter().map(|&square| distance(square)).max();
    squares.retain(|&square| Some(distance(square)) == farthest);
}

/// The words that tell this legal move from others, of 左右直上寄引 or 打.
pub(crate) fn distinguishing_words(m: Move, position: &Position) -> &'static str {
    let mut spoken = spoken(m, position);
    let is_meant = |spoken: &Spoken| spoken.meaning(position) == Meaning::Move(m);
    (spoken.from, spoken.drops) = (None, false);
    if m.is_drop() {
        return if is_meant(&spoken) { "" } else { "打" };
    }
    WORDS
        .into_iter()
        .find(|&words| {
            words.clone_into(&mut spoken.words);
            is_meant(&spoken)
        })
        .unwrap_or("")
}

fn spoken(m: Move, position: &Position) -> Spoken {
    Spoken {
        to: m.to(),
        kind: kind_before(m, position),
        words: String::new(),
        promotes: m.is_promotion(),
        drops: m.is_drop(),
        from: m.from(),
    }
}

fn name(kind: PieceKind) -> &'static str {
    NAMES.iter().find(|(_, k)| *k == kind).map_or("", |(name, _)| name)
}

fn target(m: Move, position: &Position) -> String {
    match position.last_move() {
        Some(last) if last.to() == m.to() => "同".to_owned(),
        _ => numerals::name(m.to()),
    }
}

/// A move as KIF writes it, with its origin: ７六歩(77), 同　銀(88), ２三歩打.
pub(crate) fn write_with_origin(m: Move, position: &Position) -> String {
    let spoken = spoken(m, position);
    let space = if target(m, position) == "同" { "　" } else { "" };
    let promotion = if spoken.promotes { "成" } else { "" };
    let origin = match spoken.from {
        Some(from) => format!("({}{})", from.file() + 1, from.rank() + 1),
        None => "打".to_owned(),
    };
    format!("{}{space}{}{promotion}{origin}", target(m, position), name(spoken.kind))
}

/// A move as people say it, with its mark, as KI2 writes it; an illegal one with its origin.
///
/// ```
/// let position = shogi::Position::start();
/// assert_eq!(records::text::japanese_move("7g7f".parse().unwrap(), &position), "▲７六歩");
/// ```
#[must_use]
pub fn write(m: Move, position: &Position) -> String {
    let mark = MARKS[position.side().index()][0];
    if !position.is_legal(m) {
        return format!("{mark}{}", write_with_origin(m, position));
    }
    let spoken = spoken(m, position);
    let could_promote = spoken.kind.promoted().is_some()
        && m.from().is_some_and(|from| from.in_zone(position.side()) || m.to().in_zone(position.side()));
    let promotion = match (m.is_promotion(), could_promote) {
        (true, _) => "成",
        (false, true) => "不成",
        (false, false) => "",
    };
    let (target, words) = (target(m, position), distinguishing_words(m, position));
    let space = if target == "同" && words.is_empty() && promotion.is_empty() { "　" } else { "" };
    format!("{mark}{target}{space}{}{words}{promotion}", name(spoken.kind))
}

/// Splits a line at the marks before moves: the mark's side and what follows it. `None` if the line does
/// not begin with a mark.
pub(crate) fn split_at_marks(line: &str) -> Option<Vec<(Color, &str)>> {
    let side = |c: char| Color::ALL.into_iter().find(|color| MARKS[color.index()].contains(&c));
    let mut moves = Vec::new();
    let mut rest = line.trim();
    while let Some(mark) = rest.chars().next() {
        let color = side(mark)?;
        rest = &rest[mark.len_utf8()..];
        let end = rest.find(|c| side(c).is_some()).unwrap_or(rest.len());
        moves.push((color, rest[..end].trim()));
        rest = &rest[end..];
    }
    Some(moves)
}

/// Reads a continuation, as far as it is legal; `None` if nothing of it is.
pub(crate) fn read_line(text: &str, position: &Position) -> Option<Vec<Move>> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for (color, text) in split_at_marks(text)? {
        let spoken = parse(text, position.last_move().map(Move::to));
        let Some(Meaning::Move(m)) = spoken.map(|spoken| spoken.meaning(&position)) else { break };
        if color != position.side() || !position.is_legal(m) {
            break;
        }
        position.play(m);
        moves.push(m);
    }
    (!moves.is_empty()).then_some(moves)
}

/// A continuation with origins, so that any reader understands it.
pub(crate) fn write_line(moves: &[Move], position: &Position) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for &m in moves {
        if !position.is_legal(m) {
            break;
        }
        text.push(MARKS[position.side().index()][0]);
        text += &write_with_origin(m, &position);
        position.play(m);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_is_distinguished_by_its_words() {
        // Golds, silvers and promoted pieces crowd around one square; two dragons and two horses.
        for sfen in [
            "4k4/9/9/9/3GSG3/3S1S3/3GSG3/9/4K4 b P 1",
            "4k4/9/2+R3+R2/9/4B4/9/2+B6/9/4K4 b NL 1",
            "4k4/9/3+P+P+P3/3+P1+P3/3+P+P+P3/9/9/9/4K4 b G 1",
            "4k4/9/9/3gsg3/3s1s3/3gsg3/9/9/4K4 w 2p 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        ] {
            let position: Position = sfen.parse().unwrap();
            for m in position.legal_moves() {
                let text = write(m, &position);
                let spoken = parse(&text[3..], None).unwrap();
                assert_eq!(spoken.meaning(&position), Meaning::Move(m), "{text} in {sfen}");
                let text = write_with_origin(m, &position);
                assert_eq!(parse(&text, None).unwrap().meaning(&position), Meaning::Move(m), "{text}");
            }
        }
    }

    #[test]
    fn what_fits_several_moves_means_several() {
        let position: Position = "4k4/9/9/9/9/9/9/3G1G3/4K4 b - 1".parse().unwrap();
        let meaning = parse("５八金", None).unwrap().meaning(&position);
        assert!(matches!(meaning, Meaning::Several(moves) if moves.len() == 2));
        let right = parse("５八金右", None).unwrap().meaning(&position);
        assert_eq!(right, Meaning::Move("4h5h".parse().unwrap()));
    }

    #[test]
    fn text_that_is_no_move_is_refused() {
        for text in [
            "",
            "同歩",
            "７",
            "７六",
            "７六人",
            "７六歩(77",
            "７六歩(7)",
            "７六歩x",
            "７六歩(76)",
            "７六歩打(77)",
        ] {
            assert_eq!(parse(text, None), None, "{text}");
        }
    }
}
