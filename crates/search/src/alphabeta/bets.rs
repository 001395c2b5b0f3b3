//! Bets played out: at a small random share of its nodes the search takes none of its shortcuts, and what it finds is logged
//! beside what the shortcuts would have gone by. Models are fitted to such logs.

use contract::Rng;
use eval::Evaluator;
use shogi::PieceKind;

use super::model::{Model, RAISE_INPUTS};
use super::node::{Node, Role};
use super::order::{Features, Gap};
use super::searcher::Searcher;
use crate::Depth;
use crate::score::{self, Value};

/// How a node is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Playing {
    /// With all shortcuts.
    Normal,
    /// Without, and every move is logged.
    Out,
    /// The same with the moves in an order by chance, so that what a move is worth does not hang on where it stood.
    Shuffled,
}

/// How many nodes are played out: one in so many at depth 0, twice as many with every ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// For the moves of a node.
    pub moves: u32,
    /// For the value of a node.
    pub values: u32,
    /// For shortcuts that are about to be taken: one in so many, at any depth.
    pub shortcuts: u32,
}

/// A shortcut of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Shortcut {
    /// The evaluation is far above beta.
    StaticCut,
    /// The evaluation is far below alpha.
    Razor,
    /// Passing still reaches beta.
    NullMove,
    /// A shallower search comes far above beta.
    ProbCut,
    /// Several moves reach beta.
    MultiCut,
    /// Late moves are left out.
    LateMove,
    /// A move cannot close the gap.
    Futility,
    /// A move loses in the exchange.
    Exchange,
    /// A move is searched less deep.
    Reduction,
}

impl Shortcut {
    /// All of them with their names.
    pub const ALL: [(Shortcut, &'static str); 9] = [
        (Shortcut::StaticCut, "static cut"),
        (Shortcut::Razor, "razoring"),
        (Shortcut::NullMove, "null move"),
        (Shortcut::ProbCut, "ProbCut"),
        (Shortcut::MultiCut, "multi-cut"),
        (Shortcut::LateMove, "late moves"),
        (Shortcut::Futility, "futility"),
        (Shortcut::Exchange, "exchange"),
        (Shortcut::Reduction, "reduction"),
    ];
}

/// A shortcut that was played out instead of taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortcutBet {
    /// Which one.
    pub shortcut: Shortcut,
    /// Depth of the node in plies.
    pub plies: u8,
    /// The role of the node: 0 principal variation, 1 expected cut, 2 expected to fail low.
    pub role: u8,
    /// Whether it would have been a mistake.
    pub is_wrong: bool,
    /// What it would have saved.
    pub nodes: u32,
}

/// A move that was searched to the full depth of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveBet {
    /// Which node of the log: moves of one node follow each other.
    pub node: u32,
    /// What is known about the move.
    pub features: Features,
    /// The role of the node: 0 principal variation, 1 expected cut, 2 expected to fail low.
    pub role: u8,
    /// How many moves were tried, this one included.
    pub number: u16,
    /// Depth of the node in 64ths of a ply.
    pub depth: i16,
    /// How far the evaluation lay below alpha, 0 in check.
    pub below_alpha: i16,
    /// The class of game progress.
    pub stage: u8,
    /// Whether the evaluation was better than two plies before.
    pub rising: bool,
    /// Whether it is the hash move.
    pub is_hash_move: bool,
    /// Whether the moves of the node were tried in an order by chance, after the hash move.
    pub is_shuffled: bool,
    /// Whether the move raised alpha.
    pub raised: bool,
}

/// A node that was searched with an open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBet {
    /// The corrected evaluation.
    pub static_eval: i16,
    /// The value found.
    pub value: i16,
    /// Depth in 64ths of a ply.
    pub depth: i16,
    /// The class of game progress.
    pub stage: u8,
}

/// The bets of one thread that were played out since they were last taken.
pub(crate) struct BetLog {
    shares: Shares,
    rng: Rng,
    /// Whether a node is being valued: no other inside of it.
    valuing: bool,
    nodes: u32,
    pub(crate) bets: Bets,
}

/// The bets of one or more searches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bets {
    /// Moves of nodes that were played out.
    pub moves: Vec<MoveBet>,
    /// Nodes that were searched with an open window.
    pub values: Vec<ValueBet>,
    /// Shortcuts that were not taken.
    pub shortcuts: Vec<ShortcutBet>,
}

impl Bets {
    /// Adds others.
    pub fn extend(&mut self, others: Bets) {
        self.moves.extend(others.moves);
        self.values.extend(others.values);
        self.shortcuts.extend(others.shortcuts);
    }
}

impl BetLog {
    pub(crate) fn new(shares: Shares, seed: u64) -> BetLog {
        BetLog { shares, rng: Rng::new(seed), valuing: false, nodes: 0, bets: Bets::default() }
    }

    /// Whether to play a shortcut out instead of taking it.
    fn doubts(&mut self) -> bool {
        let one_in = u64::from(self.shares.shortcuts);
        one_in > 0 && self.rng.draw().is_multiple_of(one_in)
    }

    /// A number by chance for a move that is tried in no order.
    pub(crate) fn place(&mut self) -> i32 {
        (self.rng.draw() % PLACES) as i32
    }

    fn hits(&mut self, share: u32, plies: usize) -> bool {
        let one_in = u64::from(share >> plies.min(MOST_DOUBLINGS)).max(2);
        share > 0 && self.rng.draw().is_multiple_of(one_in)
    }
}

/// Places that a shuffled move may get.
const PLACES: u64 = 1 << 15;
/// The plies with which the share grows.
const MOST_DOUBLINGS: usize = 8;

impl<E: Evaluator> Searcher<'_, E> {
    /// Decides whether a node is played out. The value of one that was searched with an open window.
    pub(crate) fn sample(&mut self, node: &mut Node) -> Option<Value> {
        let log = self.bets.as_deref_mut()?;
        if node.ply == 0 || node.excluded.is_some() || score::is_decisive(node.alpha) {
            return None;
        }
        let plies = node.depth.nearest();
        if !log.valuing && !node.in_check && !node.is_pv() && log.hits(log.shares.values, plies) {
            log.valuing = true;
            let value = self.node(-score::INFINITE, score::INFINITE, node.depth, node.ply, Role::Pv);
            let log = self.bets.as_deref_mut()?;
            log.valuing = false;
            if !self.stopped && value.abs() < score::EVAL_LIMIT {
                let (static_eval, value) = (node.static_eval as i16, value as i16);
                let depth = node.depth.in_units() as i16;
                log.bets.values.push(ValueBet { static_eval, value, depth, stage: node.stage as u8 });
            }
            return Some(value);
        }
        if log.hits(log.shares.moves, plies) {
            let is_shuffled = log.rng.draw().is_multiple_of(2);
            node.playing = if is_shuffled { Playing::Shuffled } else { Playing::Out };
            log.nodes += 1;
        }
        None
    }

    /// Whether to play a shortcut out instead of taking it.
    #[inline(always)]
    pub(crate) fn doubts(&mut self) -> bool {
        self.bets.as_deref_mut().is_some_and(BetLog::doubts)
    }

    /// Logs a shortcut that was not taken.
    pub(crate) fn log_shortcut(&mut self, node: &Node, shortcut: Shortcut, is_wrong: bool, nodes: u64) {
        let bet = ShortcutBet {
            shortcut,
            plies: node.depth.nearest() as u8,
            role: node.role as u8,
            is_wrong,
            nodes: u32::try_from(nodes).unwrap_or(u32::MAX),
        };
        if let Some(log) = self.bets.as_deref_mut().filter(|_| !self.stopped) {
            log.bets.shortcuts.push(bet);
        }
    }

    /// Logs a move of a node that is played out.
    pub(crate) fn log_move(
        &mut self,
        node: &Node,
        features: &Features,
        is_hash_move: bool,
        number: usize,
        raised: bool,
    ) {
        if node.playing == Playing::Normal {
            return;
        }
        if let Some(log) = self.bets.as_deref_mut() {
            log.bets.moves.push(MoveBet {
                node: log.nodes,
                features: *features,
                role: node.role as u8,
                number: number as u16,
                depth: node.depth.in_units() as i16,
                below_alpha: node.gap.below_alpha.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
                stage: node.stage as u8,
                rising: node.gap.rising,
                is_hash_move,
                is_shuffled: node.playing == Playing::Shuffled,
                raised,
            });
        }
    }
}

impl ShortcutBet {
    /// The bytes of a bet in a log.
    pub const SIZE: usize = 8;

    /// The bet as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; ShortcutBet::SIZE] {
        let [a, b, c, d] = self.nodes.to_le_bytes();
        [self.shortcut as u8, self.plies, self.role, u8::from(self.is_wrong), a, b, c, d]
    }

    /// The bet of such bytes; `None` if they are none.
    #[must_use]
    pub fn from_bytes(
        &[shortcut, plies, role, is_wrong, a, b, c, d]: &[u8; ShortcutBet::SIZE],
    ) -> Option<ShortcutBet> {
        let (shortcut, _) = *Shortcut::ALL.get(usize::from(shortcut))?;
        let nodes = u32::from_le_bytes([a, b, c, d]);
        Some(ShortcutBet { shortcut, plies, role, is_wrong: is_wrong == 1, nodes })
    }
}

impl MoveBet {
    /// The inputs of [`Model::raise_log_odds`] under a model.
    #[must_use]
    pub fn raise_inputs(&self, model: &Model, log_odds: i32) -> [i32; RAISE_INPUTS] {
        let depth = Depth::units(self.depth.into());
        let scale = 2 * model.fall(depth, self.stage.into());
        let in_check = self.features.flags & super::order::flag::EVADES != 0;
        let gap = Gap { below_alpha: self.below_alpha.into(), scale, rising: self.rising, in_check };
        model.raise_inputs(log_odds, self.number.into(), depth, gap)
    }

    /// The bytes of a bet in a log.
    pub const SIZE: usize = 32;

    /// The bet as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; MoveBet::SIZE] {
        let mut bytes = [0; MoveBet::SIZE];
        let Features { cells, actor, taken, relations, flags } = self.features;
        let numbers = cells.map(i16::to_le_bytes).concat();
        bytes[..8].copy_from_slice(&numbers);
        bytes[8..14].copy_from_slice(&relations.map(u16::to_le_bytes).concat());
        bytes[14..20].copy_from_slice(&[
            actor,
            taken.map_or(u8::MAX, |kind| kind.index() as u8),
            flags,
            self.role,
            self.stage,
            self.marks(),
        ]);
        bytes[20..22].copy_from_slice(&self.number.to_le_bytes());
        bytes[22..24].copy_from_slice(&self.depth.to_le_bytes());
        bytes[24..26].copy_from_slice(&self.below_alpha.to_le_bytes());
        bytes[26..30].copy_from_slice(&self.node.to_le_bytes());
        bytes
    }

    fn marks(&self) -> u8 {
        [self.rising, self.is_hash_move, self.raised, self.is_shuffled]
            .iter()
            .enumerate()
            .fold(0, |marks, (bit, &mark)| marks | u8::from(mark) << bit)
    }

    /// The bet of such bytes; `None` if they are none.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; MoveBet::SIZE]) -> Option<MoveBet> {
        use super::model::{ACTORS, RELATIONS, ROLES, STAGES};
        let short = |at: usize| [bytes[at], bytes[at + 1]];
        let taken = match bytes[15] {
            u8::MAX => None,
            index => Some(PieceKind::from_index(index.into())?),
        };
        let features = Features {
            cells: std::array::from_fn(|i| i16::from_le_bytes(short(2 * i))),
            actor: bytes[14],
            taken,
            relations: std::array::from_fn(|i| u16::from_le_bytes(short(8 + 2 * i))),
            flags: bytes[16],
        };
        let bet = MoveBet {
            node: u32::from_le_bytes([bytes[26], bytes[27], bytes[28], bytes[29]]),
            features,
            role: bytes[17],
            number: u16::from_le_bytes(short(20)),
            depth: i16::from_le_bytes(short(22)),
            below_alpha: i16::from_le_bytes(short(24)),
            stage: bytes[18],
            rising: bytes[19] & 1 != 0,
            is_hash_move: bytes[19] & 2 != 0,
            raised: bytes[19] & 4 != 0,
            is_shuffled: bytes[19] & 8 != 0,
        };
        let fits = usize::from(bet.features.actor) < ACTORS
            && (taken.is_none() || usize::from(bet.features.actor) < PieceKind::COUNT)
            && bet.features.relations.iter().all(|&relation| usize::from(relation) < RELATIONS)
            && usize::from(bet.role) < ROLES
            && usize::from(bet.stage) < STAGES;
        fits.then_some(bet)
    }
}
