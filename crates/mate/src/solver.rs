//! The solver: memory for many problems, one after the other.

use shogi::{Color, Move, Position};

use crate::dfpn::Search;
use crate::expansion::Stack;
use crate::finding::{Finding, NO_DEPENDENCE, Plies, UNBOUNDED};
use crate::line::verify;
use crate::path::Path;
use crate::repetitions::Repetitions;
use crate::table::Table;

/// Solves mate problems. Keeps its memory, but nothing else, from one problem to the next.
///
/// ```
/// use mate::{Answer, Effort, Solver};
/// use shogi::Position;
/// let mut solver = Solver::new(1).unwrap();
/// // The bishop is given up for the corner.
/// let position: Position = "7nl/7k1/6ppp/9/9/9/9/9/4K4 b 2G2R 1".parse().unwrap();
/// let solution = solver.solve(&position, &Effort::default(), &mut |_| false);
/// assert!(matches!(solution.answer, Answer::Mate(_)));
/// ```
pub struct Solver {
    table: Table,
    repetitions: Repetitions,
    path: Path,
    stack: Stack,
}

/// How far to go for one problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// At most so many positions; `None` for no bound.
    pub nodes: Option<u64>,
    /// What is asked of the length of a mate.
    pub length: Length,
}

/// What is asked of the length of a mate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    /// The first mate found, as it is.
    Any,
    /// Shorter ones are looked for with about as much work as the first one took.
    #[default]
    Shortened,
    /// The search goes on until no shorter one is possible.
    Shortest,
}

/// What came of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The answer.
    pub answer: Answer,
    /// Positions visited.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub hash_permille: u32,
}

/// The answer to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Mate, and the line has been played out.
    Mate(Mate),
    /// Proven: there is no mate.
    NoMate,
    /// The effort ended before the question did.
    Unknown,
}

/// A mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// The moves, from the attacker's first to the mating one.
    pub line: Vec<Move>,
    /// Proven: there is no shorter mate.
    pub is_shortest: bool,
}

/// The share of the memory that serves repetitions.
const REPETITIONS_SHARE: usize = 16;
/// More than this they hardly need.
const MAX_REPETITIONS_BYTES: usize = 64 << 20;
/// A frame takes less than a kilobyte for each of some thousand plies; the rest is for safety.
const STACK_BYTES: usize = 64 << 20;
/// Positions that looking for shorter mates may always visit.
const SHORTENING_NODES: u64 = 1000;

impl Solver {
    /// A solver with so many megabytes of memory; `None` if there are not.
    #[must_use]
    pub fn new(megabytes: usize) -> Option<Solver> {
        let bytes = megabytes.max(1).checked_mul(1 << 20)?;
        let for_repetitions = (bytes / REPETITIONS_SHARE).min(MAX_REPETITIONS_BYTES);
        Some(Solver {
            table: Table::new(bytes - for_repetitions)?,
            repetitions: Repetitions::new(for_repetitions / Repetitions::SLOT_BYTES),
            path: Path::new(),
            stack: Stack::default(),
        })
    }

    /// Looks for a mate by the side to move, on a thread with stack enough for the longest lines; blocks
    /// meanwhile. `interrupted` is asked every few hundred positions, with their number, whether to give up.
    pub fn solve(
        &mut self,
        position: &Position,
        effort: &Effort,
        interrupted: &mut (dyn FnMut(u64) -> bool + Send),
    ) -> Solution {
        let solve = || self.solve_here(position, effort, interrupted);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("mate".to_owned()).stack_size(STACK_BYTES);
            match thread.spawn_scoped(scope, solve).map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(solution)) => solution,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => Solution { answer: Answer::Unknown, nodes: 0, hash_permille: 0 },
            }
        })
    }

    fn solve_here(
        &mut self,
        position: &Position,
        effort: &Effort,
        interrupted: &mut dyn FnMut(u64) -> bool,
    ) -> Solution {
        self.table.clear();
        self.repetitions.clear();
        self.path.clear();
        self.stack.clear();
        self.path.shun(&occurred_thrice(position));
        let mut search = Search {
            position: position.clone(),
            attacker: position.side(),
            table: &mut self.table,
            repetitions: &mut self.repetitions,
            path: &mut self.path,
            stack: &mut self.stack,
            nodes: 0,
            max_nodes: effort.nodes.unwrap_or(u64::MAX),
            is_over: false,
            interrupted,
        };
        let answer = search.answer(position, effort.length);
        let nodes = search.nodes;
        Solution { answer, nodes, hash_permille: self.table.permille() }
    }
}

/// The positions of the game so far, by board and hand of the side to move now, that may not occur again.
fn occurred_thrice(position: &Position) -> Vec<(u64, shogi::Hand)> {
    let attacker: Color = position.side();
    let mut past = position.clone();
    let mut found = Vec::new();
    loop {
        if past.occurrences() >= 3 {
            found.push((past.board_key(), past.hand(attacker)));
        }
        if past.plies_played() == 0 {
            return found;
        }
        past.undo();
    }
}

impl Search<'_> {
    fn answer(&mut self, root: &Position, length: Length) -> Answer {
        let finding = self.decide(UNBOUNDED);
        if finding.is_mate() {
            self.is_over = false;
            return self.shortened(root, &finding, length).map_or(Answer::Unknown, Answer::Mate);
        }
        if finding.is_no_mate() && finding.depends_on == NO_DEPENDENCE {
            Answer::NoMate
        } else {
            Answer::Unknown
        }
    }

    /// The line of a proven mate, and shorter ones as far as asked. Lengths are compared by what is proven: against
    /// a defence that is not the longest, a line may end before.
    fn shortened(&mut self, root: &Position, finding: &Finding, length: Length) -> Option<Mate> {
        let asked_nodes = self.max_nodes;
        let mut best = self.verified(root, finding.plies, false)?;
        let mut proven = finding.plies;
        if length == Length::Shortened {
            self.max_nodes = asked_nodes.min(self.nodes + self.nodes / 2 + SHORTENING_NODES);
        }
        while length != Length::Any && proven > 1 {
            let shorter = self.decide(proven - 2);
            if shorter.is_mate() {
                proven = shorter.plies;
                self.max_nodes = self.max_nodes.max(self.nodes + SHORTENING_NODES).min(asked_nodes);
                let Some(mate) = self.verified(root, proven, false) else { break };
                best = mate;
            } else if shorter.is_no_mate() && shorter.depends_on == NO_DEPENDENCE {
                self.max_nodes = asked_nodes;
                return self.verified(root, proven, true).or(Some(best));
            } else {
                break;
            }
        }
        best.is_shortest = proven == 1;
        Some(best)
    }

    /// A line within some plies, played out from the root.
    fn verified(&mut self, root: &Position, within: Plies, is_exact: bool) -> Option<Mate> {
        let line = self.line(within, is_exact)?;
        if is_exact && line.len() != usize::from(within) {
            return None;
        }
        verify(root, &line).is_ok().then_some(Mate { line, is_shortest: is_exact })
    }
}
