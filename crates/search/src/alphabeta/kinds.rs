//! Kinds of move that take their own amounts from the depth: below a ply a move is looked at deeper than usual, above it less
//! deep (search extension by kind of move; see `docs/kinds.md`).
//!
//! A move is of several kinds at once: dropped or moved on the board, a capture or not, a check or not, and perhaps one that
//! loses material. Each kind has a cost, which may further depend on the piece, for captures also on the piece taken.

use contract::params::Words;
use shogi::PieceKind;

use super::params::{PERCENT, Params};
use crate::{Depth, MoveKind};

const PIECES: usize = PieceKind::COUNT;
const MAGIC: &str = "yomi kinds 1";

/// A kind of move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A drop.
    Drop,
    /// A move of a piece on the board.
    Board,
    /// A capture, by the piece that takes.
    Capture,
    /// A move that takes nothing.
    Quiet,
    /// A check.
    Check,
    /// A move that gives no check.
    NoCheck,
    /// A move that loses material on its square.
    Losing,
    /// A capture, by the piece that is taken.
    Taken,
}

impl Words for Class {
    const WORDS: &'static [(&'static str, Class)] = &[
        ("drop", Class::Drop),
        ("board", Class::Board),
        ("capture", Class::Capture),
        ("quiet", Class::Quiet),
        ("check", Class::Check),
        ("no_check", Class::NoCheck),
        ("losing", Class::Losing),
        ("taken", Class::Taken),
    ];
}

const CLASSES: usize = Class::WORDS.len();

/// How the costs of a move's kinds become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// A ply and what each kind deviates from it.
    Sum,
    /// Their product.
    Product,
    /// The least: whatever is a reason to look deeper counts.
    Least,
    /// The greatest.
    Most,
}

impl Words for Join {
    const WORDS: &'static [(&'static str, Join)] =
        &[("sum", Join::Sum), ("product", Join::Product), ("least", Join::Least), ("most", Join::Most)];
}

/// What moves take from the depth, by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kinds {
    /// `[class][piece]`, in percent of a ply.
    costs: [[i32; PIECES]; CLASSES],
    join: Join,
}

/// Why a text is no table of kinds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum KindsError {
    #[error("line 1 must be '{MAGIC}', not '{0}'")]
    Header(String),
    #[error("line {line}: {what}")]
    Line { line: usize, what: String },
    #[error("{0}")]
    Entry(String),
}

/// What a cost may be, in percent of a ply: a line must end, however cheap its moves.
const LEAST: i32 = 10;
/// See [`LEAST`].
const MOST: i32 = 400;

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds { costs: [[PERCENT; PIECES]; CLASSES], join: Join::Sum }
    }
}

impl Kinds {
    /// The costs that the table of parameters has.
    #[must_use]
    pub fn of_params(params: &Params) -> Kinds {
        let mut kinds = Kinds::default();
        for (class, cost) in [
            (Class::Drop, params.kind_drop),
            (Class::Board, params.kind_board),
            (Class::Capture, params.kind_capture),
            (Class::Quiet, params.kind_quiet),
            (Class::Check, params.kind_check),
            (Class::NoCheck, params.kind_no_check),
            (Class::Losing, params.kind_losing),
        ] {
            kinds.costs[class as usize] = [cost; PIECES];
        }
        kinds.join = Join::WORDS[params.kind_join.clamp(0, Join::WORDS.len() as i32 - 1) as usize].1;
        kinds
    }

    /// Sets the cost of a kind, for one piece or for all.
    pub fn set(&mut self, class: Class, piece: Option<PieceKind>, cost: i32) {
        let row = &mut self.costs[class as usize];
        match piece {
            Some(piece) => row[piece.index()] = cost.clamp(LEAST, MOST),
            None => *row = [cost.clamp(LEAST, MOST); PIECES],
        }
    }

    /// Reads a file over these costs: lines such as `capture 80`, `drop.gold 110`, `taken.rook 60`, `join product`.
    pub fn read(mut self, text: &str) -> Result<Kinds, KindsError> {
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        match lines.next() {
            Some((_, MAGIC)) => {}
            other => {
                return Err(KindsError::Header(other.map_or(String::new(), |(_, line)| line.to_owned())));
            }
        }
        for (line, content) in lines.filter(|(_, content)| !content.is_empty() && !content.starts_with('#')) {
            self.read_line(content).map_err(|what| KindsError::Line { line, what })?;
        }
        Ok(self)
    }

    /// Reads a list over these costs: `capture=80;drop.gold=110`.
    pub fn read_list(mut self, text: &str) -> Result<Kinds, KindsError> {
        for entry in text.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
            self.read_entry(name.trim(), value.trim()).map_err(KindsError::Entry)?;
        }
        Ok(self)
    }

    fn read_line(&mut self, content: &str) -> Result<(), String> {
        let mut words = content.split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(name), Some(value), None) => self.read_entry(name, value),
            _ => Err(format!("expected a kind and a number, found '{content}'")),
        }
    }

    fn read_entry(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name == "join" {
            let expected = || format!("join takes one of {}, not '{value}'", Join::words().join(", "));
            self.join = Join::of_word(value).ok_or_else(expected)?;
            return Ok(());
        }
        let (class, piece) = name.split_once('.').map_or((name, None), |(class, piece)| (class, Some(piece)));
        let class = Class::of_word(class)
            .ok_or_else(|| format!("there is no kind '{class}': one of {}", Class::words().join(", ")))?;
        let piece = match piece {
            Some(text) => Some(piece_of(text).ok_or_else(|| format!("there is no piece '{text}'"))?),
            None => None,
        };
        let cost = value.parse().ok().filter(|cost| (LEAST..=MOST).contains(cost));
        let cost = cost.ok_or_else(|| format!("a cost is a number from {LEAST} to {MOST}, not '{value}'"))?;
        self.set(class, piece, cost);
        Ok(())
    }

    /// The file of the costs; [`Kinds::read`] reads it.
    #[must_use]
    pub fn to_text(&self) -> String {
        use std::fmt::Write as _;
        let mut text = format!("{MAGIC}\njoin {}\n", self.join.word());
        for &(name, class) in Class::WORDS {
            let row = &self.costs[class as usize];
            let _ = writeln!(text, "{name} {}", row[0]);
            for piece in PieceKind::ALL.into_iter().filter(|piece| row[piece.index()] != row[0]) {
                let _ = writeln!(text, "{name}.{} {}", piece_name(piece), row[piece.index()]);
            }
        }
        text
    }

    /// Whether every move costs a ply, so that nobody need ask.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.costs.iter().flatten().all(|&cost| cost == PERCENT)
    }

    /// What a move of this kind takes from the depth.
    #[must_use]
    pub fn cost(&self, kind: &MoveKind) -> Depth {
        let of = |class: Class, piece: PieceKind| self.costs[class as usize][piece.index()];
        let either = |is: bool, yes: Class, no: Class| of(if is { yes } else { no }, kind.piece);
        let mut costs = arrayvec::ArrayVec::<i32, 5>::new();
        costs.push(either(kind.is_drop, Class::Drop, Class::Board));
        costs.push(either(kind.is_capture(), Class::Capture, Class::Quiet));
        costs.push(either(kind.is_check, Class::Check, Class::NoCheck));
        if kind.loses_material {
            costs.push(of(Class::Losing, kind.piece));
        }
        if let Some(taken) = kind.taken {
            costs.push(of(Class::Taken, taken));
        }
        let all = costs.iter().copied();
        let cost = match self.join {
            Join::Sum => PERCENT + all.map(|cost| cost - PERCENT).sum::<i32>(),
            Join::Product => all.fold(PERCENT, |product, cost| product * cost / PERCENT),
            Join::Least => all.min().unwrap_or(PERCENT),
            Join::Most => all.max().unwrap_or(PERCENT),
        };
        Depth::plies(1).percent(cost.clamp(LEAST, MOST))
    }
}

fn piece_name(piece: PieceKind) -> String {
    format!("{piece:?}").to_lowercase()
}

fn piece_of(text: &str) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|&piece| piece_name(piece).eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(taken: Option<PieceKind>, is_drop: bool, is_check: bool, loses_material: bool) -> MoveKind {
        MoveKind { piece: PieceKind::Gold, taken, is_drop, is_promotion: false, is_check, loses_material }
    }

    #[test]
    fn costs_of_several_kinds_become_one() {
        let mut kinds = Kinds::default();
        assert!(kinds.is_plain());
        kinds.set(Class::Check, None, 50);
        kinds.set(Class::Capture, None, 70);
        kinds.set(Class::Losing, Some(PieceKind::Gold), 120);
        let moved = kind(Some(PieceKind::Pawn), false, true, true);
        for (join, percent) in [(Join::Sum, 40), (Join::Product, 42), (Join::Least, 50), (Join::Most, 120)] {
            let joined = Kinds { join, ..kinds.clone() };
            assert_eq!(joined.cost(&moved), Depth::plies(1).percent(percent), "{join:?}");
        }
        assert_eq!(kinds.cost(&kind(None, true, false, false)), Depth::plies(1));
        assert!(!kinds.is_plain());
        kinds.set(Class::Taken, Some(PieceKind::Rook), 60);
        let takes_rook = kind(Some(PieceKind::Rook), false, false, false);
        assert_eq!(kinds.cost(&takes_rook), Depth::plies(1).percent(30));
    }

    #[test]
    fn files_come_back_and_bad_ones_are_refused_with_the_line() {
        let text =
            "yomi kinds 1\n# sooner out of check\ncheck 80\ndrop.gold 110\ntaken.rook 60\njoin least\n";
        let kinds = Kinds::default().read(text).unwrap();
        assert_eq!(kinds.costs[Class::Drop as usize][PieceKind::Gold.index()], 110);
        assert_eq!(Kinds::default().read(&kinds.to_text()).unwrap(), kinds);
        for (line, says) in [
            ("chek 80", "line 2: there is no kind 'chek'"),
            ("check 8000", "line 2: a cost is a number from 10 to 400, not '8000'"),
            ("drop.queen 80", "line 2: there is no piece 'queen'"),
            ("join all", "line 2: join takes one of sum, product, least, most, not 'all'"),
            ("check", "line 2: expected a kind and a number"),
        ] {
            let error = Kinds::default().read(&format!("{MAGIC}\n{line}")).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        assert!(Kinds::default().read("").is_err());
        let listed = Kinds::default().read_list("check=80; drop.gold=110;taken.rook=60;join=least").unwrap();
        assert_eq!(listed, kinds);
        let error = Kinds::default().read_list("check").unwrap_err().to_string();
        assert_eq!(error, "a cost is a number from 10 to 400, not ''");
    }

    #[test]
    fn the_table_of_parameters_has_the_same_kinds() {
        let params = Params { kind_drop: 130, kind_quiet: 90, kind_join: 1, ..Params::default() };
        let kinds = Kinds::of_params(&params);
        assert_eq!(kinds.join, Join::Product);
        assert_eq!(kinds.cost(&kind(None, true, false, false)), Depth::plies(1).percent(117));
        assert!(Kinds::of_params(&Params::default()).is_plain());
    }
}
