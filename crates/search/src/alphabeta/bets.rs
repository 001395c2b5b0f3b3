//! Bets played out: at a small random share of its nodes the search takes none of its shortcuts, and what it finds is logged
//! beside what the shortcuts would have gone by. Models are fitted to such logs.

use contract::Rng;
use eval::Evaluator;
use shogi::{Move, PieceKind, Position};

use super::model::{Model, RAISE_INPUTS};
use super::node::{Node, Role};
use super::order::{Features, Gap};
use super::params::PERCENT;
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
    /// Late moves are left out.
    LateMove,
    /// A move cannot close the gap.
    Futility,
    /// A quiet move loses in the exchange.
    Exchange,
    /// A capture loses in the exchange.
    LosingCapture,
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
        (Shortcut::LateMove, "late moves"),
        (Shortcut::Futility, "futility"),
        (Shortcut::Exchange, "exchange"),
        (Shortcut::LosingCapture, "losing capture"),
        (Shortcut::Reduction, "reduction"),
    ];
}

/// A shortcut that was played out instead of taken, while all others were taken as usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortcutBet {
    /// Which one.
    pub shortcut: Shortcut,
    /// Depth of the node in plies.
    pub plies: u8,
    /// The role of the node: 0 principal variation, 1 expected cut, 2 expected to fail low.
    pub role: u8,
    /// Whether the search takes it, or it lies just beyond what it takes.
    pub is_taken: bool,
    /// Whether it would have been a mistake.
    pub is_wrong: bool,
    /// What it would have saved.
    pub nodes: u32,
    /// How far the gap went that it hangs on, in the shortcut's own unit: percent of `fall` or `rise`, 64ths of a bit, or
    /// what is lost in the exchange.
    pub gap: i16,
    /// The class of game progress.
    pub stage: u8,
    /// Whether the move is a drop; never for a whole node.
    pub is_drop: bool,
    /// By how much a reduction went less deep, in 64ths of a ply.
    pub less: i16,
    /// What a reduction did cost.
    pub spent: u32,
}

/// A shortcut about to be taken or played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chance {
    pub(crate) shortcut: Shortcut,
    pub(crate) gap: Value,
    pub(crate) is_taken: bool,
    pub(crate) is_drop: bool,
}

impl Chance {
    /// A shortcut of a whole node.
    pub(crate) fn of_node(shortcut: Shortcut, gap: Value, is_taken: bool) -> Chance {
        Chance { shortcut, gap, is_taken, is_drop: false }
    }

    /// A shortcut of a move.
    pub(crate) fn of_move(shortcut: Shortcut, m: Move, gap: Value, is_taken: bool) -> Chance {
        Chance { shortcut, gap, is_taken, is_drop: m.is_drop() }
    }
}

/// Shortcuts of a node before its moves are tried.
pub(crate) const OF_NODES: [Shortcut; 4] =
    [Shortcut::StaticCut, Shortcut::Razor, Shortcut::NullMove, Shortcut::ProbCut];
/// Shortcuts that leave out a move.
pub(crate) const OF_MOVES: [Shortcut; 4] =
    [Shortcut::LateMove, Shortcut::Futility, Shortcut::Exchange, Shortcut::LosingCapture];

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
    /// How many more pieces the side to move has, by kind on the board and then by kind in hand.
    pub pieces: [i8; PIECES],
}

/// Kinds on the board and in hand.
pub const PIECES: usize = PieceKind::COUNT + PieceKind::HAND.len();

/// How many more pieces the side to move has.
fn pieces(position: &Position) -> [i8; PIECES] {
    let (us, them) = (position.side(), !position.side());
    std::array::from_fn(|i| {
        let count = |side| match i.checked_sub(PieceKind::COUNT) {
            None => position.pieces_of(side, PieceKind::ALL[i]).count() as i8,
            Some(hand) => position.hand(side).count(PieceKind::HAND[hand]) as i8,
        };
        count(us) - count(them)
    })
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

    /// Which of some shortcuts to play out here, if any.
    fn doubt(&mut self, among: &[Shortcut]) -> Option<Shortcut> {
        let one_in = u64::from(self.shares.shortcuts);
        let is_hit = one_in > 0 && self.rng.draw().is_multiple_of(one_in);
        is_hit.then(|| among[(self.rng.draw() % among.len() as u64) as usize])
    }

    /// A share by chance, from none to twice the whole, in percent.
    pub(crate) fn any_share(&mut self) -> i32 {
        (self.rng.draw() % (2 * PERCENT as u64 + 1)) as i32
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
                let (stage, pieces) = (node.stage as u8, pieces(&self.position));
                log.bets.values.push(ValueBet { static_eval, value, depth, stage, pieces });
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

    /// Which of some shortcuts to play out here instead of taking it, if any.
    #[inline(always)]
    pub(crate) fn doubt(&mut self, among: &[Shortcut]) -> Option<Shortcut> {
        self.bets.as_deref_mut()?.doubt(among)
    }

    /// Logs a shortcut that was not taken.
    pub(crate) fn log_shortcut(&mut self, node: &Node, chance: Chance, is_wrong: bool, nodes: u64) {
        self.log_reduction(node, chance, is_wrong, Depth::ZERO, [nodes, 0]);
    }

    /// Logs a reduction: by how much less deep, and the nodes of the whole search and of the shallower one.
    pub(crate) fn log_reduction(
        &mut self,
        node: &Node,
        Chance { shortcut, gap, is_taken, is_drop }: Chance,
        is_wrong: bool,
        less: Depth,
        nodes: [u64; 2],
    ) {
        let [nodes, spent] = nodes.map(|nodes| u32::try_from(nodes).unwrap_or(u32::MAX));
        let short = |number: i32| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let bet = ShortcutBet {
            shortcut,
            plies: node.depth.nearest() as u8,
            role: node.role as u8,
            is_taken,
            is_wrong,
            nodes,
            gap: short(gap),
            stage: node.stage as u8,
            is_drop,
            less: short(less.in_units()),
            spent,
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
    pub const SIZE: usize = 16;

    /// The bet as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; ShortcutBet::SIZE] {
        let flags = u8::from(self.is_wrong) | u8::from(self.is_taken) << 1 | u8::from(self.is_drop) << 2;
        let marks = flags | self.stage << 4;
        let mut bytes = [0; ShortcutBet::SIZE];
        bytes[..4].copy_from_slice(&[self.shortcut as u8, self.plies, self.role, marks]);
        bytes[4..8].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[8..12].copy_from_slice(&[self.gap, self.less].map(i16::to_le_bytes).concat());
        bytes[12..].copy_from_slice(&self.spent.to_le_bytes());
        bytes
    }

    /// The bet of such bytes; `None` if they are none.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; ShortcutBet::SIZE]) -> Option<ShortcutBet> {
        let [shortcut, plies, role, marks, rest @ ..] = *bytes;
        let (shortcut, _) = *Shortcut::ALL.get(usize::from(shortcut))?;
        let word = |at: usize| u32::from_le_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]);
        let short = |at: usize| i16::from_le_bytes([rest[at], rest[at + 1]]);
        Some(ShortcutBet {
            shortcut,
            plies,
            role,
            is_taken: marks & 2 != 0,
            is_wrong: marks & 1 != 0,
            nodes: word(0),
            gap: short(4),
            stage: marks >> 4,
            is_drop: marks & 4 != 0,
            less: short(6),
            spent: word(8),
        })
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
