//! What the search has learned from its own trees: how far values lie from evaluations, and how likely a move is the one.
//!
//! All numbers are in one file, which is compiled in and can be replaced (`search=FILE`); `yomi learn search` makes it.
//! Log-odds are in 256ths of a nat.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use shogi::{ExchangeValues, PieceKind, Position};

use super::history::QUIET_CELLS;
use super::judge::JUDGE_INPUTS;
use super::params::PERCENT;
use crate::Depth;
use crate::score::Value;

/// Parts of a nat.
pub const NAT: i32 = 1 << 8;
/// The depths in plies that the spread of values is known for, the last for all beyond.
pub const DEPTHS: usize = 16;
/// Classes of game progress: by pieces that have left the board.
pub const STAGES: usize = 8;
/// Who moves: a kind on the board, or a kind from the hand.
pub const ACTORS: usize = PieceKind::COUNT + PieceKind::HAND.len();
/// Where a square lies as seen from a king: files and ranks from -8 to 8.
pub const RELATIONS: usize = SPAN * SPAN;
/// From one file to the next.
pub(crate) const SPAN: usize = 17;
/// Squares of a file.
pub(crate) const FILE: usize = 9;
/// What else is known about a move: takes, promotes, checks, drops, evades check, first and second killer.
pub const FLAGS: usize = 7;
/// Roles of nodes: on the principal variation, expected to be cut, expected to fail low.
pub const ROLES: usize = 3;
/// The inputs of p(raise) besides the role: log-odds of the order, number, whether first, depth, gap, trend, check.
pub const RAISE_INPUTS: usize = 7;

/// The file that is compiled in.
const EMBEDDED: &str = include_str!("../../models/alphabeta.model");
const MAGIC: &str = "yomi search model 1";

/// Everything learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// `[depth][stage]`: how far below the evaluation only one searched value in twenty lies.
    pub fall: Vec<i32>,
    /// `[depth][stage]`: how far above it only one in twenty lies.
    pub rise: Vec<i32>,
    /// Weights of the success rates of quiet moves.
    pub rates: Vec<i32>,
    /// Weight of the success rate of captures.
    pub capture_rate: Vec<i32>,
    /// `[flag]`
    pub flags: Vec<i32>,
    /// `[actor][relation of target to the enemy king]`
    pub enemy_king: Vec<i32>,
    /// `[actor][relation of target to the own king]`
    pub own_king: Vec<i32>,
    /// `[kind][relation of origin to the own king]`
    pub origin: Vec<i32>,
    /// `[kind][kind taken]`
    pub taken: Vec<i32>,
    /// `[role]`, then weights of [`RAISE_INPUTS`].
    pub raise: Vec<i32>,
    /// The probability that even the least of moves raises alpha, in millionths.
    pub surprise: Vec<i32>,
    /// `[kind]`: what it is worth in an exchange: lost by one side and in the other's hand.
    pub exchange: Vec<i32>,
    /// Weights of [`JUDGE_INPUTS`]: what going on with a search is worth.
    pub judge: Vec<i32>,
    /// `[stage]`: the share of the soft time for a search of which that is one, in percent.
    pub judge_level: Vec<i32>,
    /// The same as the exchange test takes it.
    values: ExchangeValues,
    /// Bits of improbability by log-odds, made of nothing else.
    bits: Vec<i32>,
    /// The logarithm to base 2 of whole numbers, in the parts of a nat.
    logs: Vec<i32>,
}

/// Why a text is no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ModelError {
    #[error("line 1 must be '{MAGIC}', not '{0}'")]
    Header(String),
    #[error("line {line}: {what}")]
    Line { line: usize, what: String },
    #[error("the table '{0}' is missing")]
    Missing(&'static str),
}

/// The greatest number in a file.
const GREATEST: i32 = 9999;

/// Round numbers to begin with: a pawn, four of them, one move in a thousand.
const GUESSED_FALL: i32 = 100;
const GUESSED_RISE: i32 = 400;
const GUESSED_SURPRISE: i32 = 1000;

/// A pawn, small pieces, golds and whatever moves as they do, large pieces.
fn guessed_value(kind: PieceKind) -> i32 {
    let pawns = match kind {
        PieceKind::King => 0,
        PieceKind::Pawn => 1,
        PieceKind::Lance | PieceKind::Knight => 3,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon => 10,
        _ => 5,
    };
    pawns * GUESSED_FALL
}

/// The tables of a file: name, how many numbers.
const TABLES: [(&str, usize); 14] = [
    ("fall", DEPTHS * STAGES),
    ("rise", DEPTHS * STAGES),
    ("rates", QUIET_CELLS),
    ("capture_rate", 1),
    ("flags", FLAGS),
    ("enemy_king", ACTORS * RELATIONS),
    ("own_king", ACTORS * RELATIONS),
    ("origin", PieceKind::COUNT * RELATIONS),
    ("taken", PieceKind::COUNT * PieceKind::COUNT),
    ("raise", ROLES + RAISE_INPUTS),
    ("surprise", 1),
    ("exchange", PieceKind::COUNT),
    ("judge", JUDGE_INPUTS),
    ("judge_level", STAGES),
];

impl Model {
    /// The model inside the program.
    ///
    /// # Panics
    /// Never: a test reads the file.
    #[must_use]
    pub fn embedded() -> Arc<Model> {
        static MODEL: OnceLock<Arc<Model>> = OnceLock::new();
        let parse = || Arc::new(Model::parse(EMBEDDED).expect("the model inside the program is one"));
        Arc::clone(MODEL.get_or_init(parse))
    }

    /// What to begin with before anything has been learned: round numbers that let a search log its first bets.
    #[must_use]
    pub fn first_guess() -> Model {
        let tables = TABLES.map(|(name, length)| match name {
            "fall" => vec![GUESSED_FALL; length],
            "rise" => vec![GUESSED_RISE; length],
            "rates" | "capture_rate" => vec![NAT; length],
            // Improbable everywhere, by the order as it is, and half as probable with every doubling of the number.
            "raise" => [vec![-2 * NAT; ROLES], vec![NAT, -NAT], vec![0; RAISE_INPUTS - 2]].concat(),
            "surprise" => vec![GUESSED_SURPRISE; length],
            "exchange" => PieceKind::ALL.map(guessed_value).to_vec(),
            // Nothing is known of any move, so that each gets its whole share.
            "judge_level" => vec![2 * PERCENT; length],
            _ => vec![0; length],
        });
        Model::of_tables(tables)
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<Model, ModelError> {
        let mut tables: [Option<Vec<i32>>; TABLES.len()] = Default::default();
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        match lines.next() {
            Some((_, MAGIC)) => {}
            other => {
                return Err(ModelError::Header(other.map_or(String::new(), |(_, line)| line.to_owned())));
            }
        }
        for (line, content) in lines.filter(|(_, content)| !content.is_empty() && !content.starts_with('#')) {
            let error = |what: String| ModelError::Line { line, what };
            let mut words = content.split_ascii_whitespace();
            let name = words.next().unwrap_or_default();
            let known = TABLES.iter().position(|(table, _)| *table == name);
            let index = known.ok_or_else(|| error(format!("there is no table '{name}'")))?;
            let (_, length) = TABLES[index];
            let number = |word: &str| {
                let number = word.parse().ok().filter(|n: &i32| n.abs() <= GREATEST);
                number.ok_or_else(|| error(format!("'{word}' is no number from -{GREATEST} to {GREATEST}")))
            };
            let numbers = words.map(number).collect::<Result<Vec<i32>, _>>()?;
            if numbers.len() != length {
                return Err(error(format!("{name} takes {length} numbers, not {}", numbers.len())));
            }
            if tables[index].replace(numbers).is_some() {
                return Err(error(format!("{name} comes twice")));
            }
        }
        if let Some(missing) = tables.iter().position(Option::is_none) {
            return Err(ModelError::Missing(TABLES[missing].0));
        }
        Ok(Model::of_tables(tables.map(Option::unwrap_or_default)))
    }

    fn of_tables(tables: [Vec<i32>; TABLES.len()]) -> Model {
        let [
            fall,
            rise,
            rates,
            capture_rate,
            flags,
            enemy_king,
            own_king,
            origin,
            taken,
            raise,
            surprise,
            exchange,
            judge,
            judge_level,
        ] = tables;
        let values = ExchangeValues::new(std::array::from_fn(|kind| exchange[kind]));
        let (bits, logs) = (Vec::new(), logarithms());
        let mut model = Model {
            fall,
            rise,
            rates,
            capture_rate,
            flags,
            enemy_king,
            own_king,
            origin,
            taken,
            raise,
            surprise,
            exchange,
            judge,
            judge_level,
            values,
            bits,
            logs,
        };
        model.bits = (0..2 * BITS_MIDDLE).map(|index| model.bits_of_entry(index)).collect();
        model
    }

    /// The file of the model; [`Model::parse`] reads it.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{MAGIC}\n");
        let tables = [
            &self.fall,
            &self.rise,
            &self.rates,
            &self.capture_rate,
            &self.flags,
            &self.enemy_king,
            &self.own_king,
            &self.origin,
            &self.taken,
            &self.raise,
            &self.surprise,
            &self.exchange,
            &self.judge,
            &self.judge_level,
        ];
        for (table, (name, _)) in tables.into_iter().zip(TABLES) {
            text += name;
            for number in table {
                let _ = write!(text, " {number}");
            }
            text.push('\n');
        }
        text
    }

    /// How far values of searches of this depth fall below evaluations, but for one in twenty.
    #[inline(always)]
    pub(crate) fn fall(&self, depth: Depth, stage: usize) -> Value {
        self.fall[depth.nearest().min(DEPTHS - 1) * STAGES + stage]
    }

    /// How far they rise above evaluations, but for one in twenty.
    #[inline(always)]
    pub(crate) fn rise(&self, depth: Depth, stage: usize) -> Value {
        self.rise[depth.nearest().min(DEPTHS - 1) * STAGES + stage]
    }

    /// What pieces are worth in exchanges.
    #[inline(always)]
    pub(crate) fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }

    /// What a pawn is worth in exchanges: the unit of values for people.
    #[must_use]
    pub fn pawn(&self) -> Value {
        self.exchange[PieceKind::Pawn.index()]
    }

    /// The logarithm to base 2 of a number, in the parts of a nat.
    #[inline(always)]
    pub(crate) fn log2(&self, number: usize) -> i32 {
        self.logs[number.min(LOGS - 1)]
    }

    /// The logarithm to base 2 of a depth in plies plus one, in the parts of a nat.
    #[inline(always)]
    pub(crate) fn log2_depth(&self, depth: Depth) -> i32 {
        let quarters = (depth + Depth::plies(1)).in_units().max(0) * 4 / Depth::plies(1).in_units();
        self.log2(quarters as usize) - 2 * NAT
    }

    /// The probability that a move raises alpha, by the log-odds of [`Model::raise_log_odds`].
    #[must_use]
    pub fn raise_probability(&self, log_odds: f64) -> f64 {
        let surprise = f64::from(self.surprise[0]) / MILLION;
        surprise + (1.0 - surprise) * contract::logistic(log_odds / f64::from(NAT))
    }

    fn bits_of_entry(&self, index: i32) -> i32 {
        let p = self.raise_probability(f64::from((index - BITS_MIDDLE) * BITS_STEP));
        (-p.log2() * f64::from(BIT)).round() as i32
    }

    /// How improbable it is that a move raises alpha, in 64ths of a bit.
    #[inline(always)]
    pub(crate) fn bits(&self, log_odds: i32) -> i32 {
        let index = (log_odds / BITS_STEP + BITS_MIDDLE).clamp(0, 2 * BITS_MIDDLE - 1);
        self.bits[index as usize]
    }
}

/// Numbers whose logarithms are kept.
const LOGS: usize = 1 << 9;

fn logarithms() -> Vec<i32> {
    (0..LOGS).map(|n| ((n.max(1) as f64).log2() * f64::from(NAT)).round() as i32).collect()
}

/// Log-odds between two entries of the table of bits.
const BITS_STEP: i32 = NAT / 16;
/// The entry of even odds.
const BITS_MIDDLE: i32 = 10 * NAT / BITS_STEP;
/// Parts of a probability in a file.
const MILLION: f64 = 1e6;
/// Parts of a bit.
pub(crate) const BIT: i32 = 64;

/// The class of game progress.
#[inline(always)]
pub(crate) fn stage(position: &Position) -> usize {
    let gone = PIECES.saturating_sub(position.occupied().count() as usize);
    (gone / 2).min(STAGES - 1)
}

/// Pieces on a full board.
const PIECES: usize = 40;

/// Where a square lies as a sum: the relation of two squares is the difference.
pub(crate) const PLACE: [i16; shogi::Square::COUNT] = {
    let mut places = [0; shogi::Square::COUNT];
    let mut square = 0;
    while square < places.len() {
        places[square] = (square / FILE * SPAN + square % FILE) as i16;
        square += 1;
    }
    places
};

/// The relation of a square to itself.
const SAME: i16 = (RELATIONS / 2) as i16;

/// Where `to` lies as seen from `king`, both seen by one side.
#[inline(always)]
pub(crate) fn relation(to: usize, king: usize) -> usize {
    (PLACE[to] - PLACE[king] + SAME) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_inside_is_read_and_written_alike() {
        let model = Model::embedded();
        assert_eq!(Model::parse(&model.to_text()).unwrap(), *model);
        assert!(model.fall.iter().chain(&model.rise).all(|&margin| margin > 0));
        let guess = Model::first_guess();
        assert_eq!(Model::parse(&guess.to_text()).unwrap(), guess);
    }

    #[test]
    fn bad_files_are_refused_with_the_line() {
        let good = Model::embedded().to_text();
        let cut = good.lines().take(3).collect::<Vec<_>>().join("\n");
        for (text, says) in [
            (String::new(), "line 1 must be"),
            (good.replace("model 1", "model 2"), "line 1 must be"),
            (cut, "the table 'rates' is missing"),
            (good.replace("\nrates", "\nrate"), "line 4: there is no table 'rate'"),
            (good.replace("\nrates", "\nrates 5"), "line 4: rates takes 4 numbers, not 5"),
            (good.replace("\nrates", "\nrates x"), "line 4: 'x' is no number"),
            (format!("{good}{}", good.lines().nth(3).unwrap()), "rates comes twice"),
        ] {
            let error = Model::parse(&text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn improbable_moves_have_many_bits() {
        let model = Model::embedded();
        assert_eq!(model.bits(0), BIT);
        assert!(model.bits(5 * NAT) < 2 && model.bits(-5 * NAT) > 6 * BIT);
        assert!((-3000..3000).all(|odds| model.bits(odds) >= model.bits(odds + 1)));
    }

    #[test]
    fn relations_are_told_apart_and_in_range() {
        let mut seen = std::collections::BTreeSet::new();
        for king in 0..81 {
            for to in 0..81 {
                assert!(relation(to, king) < RELATIONS);
                seen.insert(relation(to, king));
            }
        }
        assert_eq!(seen.len(), RELATIONS);
        assert_eq!(relation(10, 0), relation(20, 10));
    }
}
