//! The mate solver: memory for one problem after the other, the first mate, then shorter ones as far as asked.

use shogi::{Color, Move, Position};

use crate::crew::{Crew, Member};
use crate::known::{Known, Plies, UNLIMITED};
use crate::notes::Notes;
use crate::search::{Searcher, Watch};
use crate::table::Table;
use crate::verify;

/// Proves mates, or that there is none, at any length. Memory is of fixed size and serves one problem after the other.
///
/// ```
/// use mate::{Answer, Effort, Solver};
/// use shogi::Position;
/// let mut solver = Solver::new(1).unwrap();
/// let position: Position = "7nl/7k1/6ppp/9/9/9/9/9/4K4 b 2G2R 1".parse().unwrap();
/// let solution = solver.solve(&position, &Effort::default(), &mut |_| false);
/// assert!(matches!(solution.answer, Answer::Mate(_)));
/// ```
pub struct Solver {
    table: Table,
    notes: Notes,
    threads: usize,
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

/// Each helper has notes as for a solver of so many bytes: two megabytes.
const HELPERS_SHARE: usize = 1 << 24;
/// Positions that are visited before helpers come.
const ALONE_NODES: u64 = 4_000;
/// Positions that looking for shorter mates may visit besides as many as the first mate took.
const FURTHER_NODES: u64 = 500;

impl Solver {
    /// A solver with so many megabytes of memory; `None` if there are not.
    #[must_use]
    pub fn new(megabytes: usize) -> Option<Solver> {
        let bytes = megabytes.checked_mul(1 << 20)?;
        let notes = Notes::of_share(bytes);
        Some(Solver { table: Table::new(bytes.checked_sub(notes.bytes())?)?, notes, threads: 1 })
    }

    /// The same solver with so many threads for each problem; the default is one.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Solver {
        Solver { threads: threads.max(1), ..self }
    }

    /// Looks for a mate by the side to move; blocks meanwhile. `interrupted` is asked every few hundred positions, with their number,
    /// whether to give up.
    pub fn solve(
        &mut self,
        position: &Position,
        effort: &Effort,
        interrupted: &mut (dyn FnMut(u64) -> bool + Send),
    ) -> Solution {
        self.clear();
        let (nodes, threads) = (effort.nodes.unwrap_or(u64::MAX), self.threads);
        let mut searcher = self.searcher(position, position.side(), Watch { nodes, interrupted });
        let crew = (threads > 1).then(|| Crew::new(threads - 1));
        let known = match &crew {
            Some(crew) => prove_together(&mut searcher, nodes, threads, crew),
            None => searcher.prove(UNLIMITED),
        };
        let answer = if known.is_mate() {
            let mate = show(&mut searcher, known.plies, nodes, effort.length);
            let mate = mate.filter(|mate| verify(position, &mate.line).is_ok());
            mate.map_or(Answer::Unknown, Answer::Mate)
        } else if known.is_no_mate() && known.plies == UNLIMITED {
            Answer::NoMate
        } else {
            Answer::Unknown
        };
        let nodes = searcher.nodes() + crew.as_ref().map_or(0, Crew::helpers_nodes);
        Solution { answer, nodes, hash_permille: self.table.permille() }
    }

    /// Forgets the last problem.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.notes.clear();
    }

    pub(crate) fn searcher<'a>(
        &'a mut self,
        position: &Position,
        attacker: Color,
        watch: Watch<'a>,
    ) -> Searcher<'a> {
        Searcher::new(&self.table, &mut self.notes, position, attacker, watch)
    }
}

/// Searches alone at first, since most problems are small, then with helpers until one thread solves the problem.
fn prove_together<'a>(searcher: &mut Searcher<'a>, nodes: u64, threads: usize, crew: &'a Crew) -> Known {
    searcher.set_nodes(nodes.min(ALONE_NODES));
    let known = searcher.prove(UNLIMITED);
    if known.is_solved() || searcher.nodes() < ALONE_NODES.min(nodes) || nodes <= ALONE_NODES {
        return known;
    }
    crew.count(searcher.nodes());
    searcher.set_nodes(nodes);
    searcher.member = Some(Member { crew, is_first: true });
    let known = std::thread::scope(|scope| {
        for _ in 1..threads {
            let (table, position) = (searcher.table, searcher.position.clone());
            scope.spawn(move || crew.help(|| help(table, &position, crew)));
        }
        let known = searcher.prove(UNLIMITED);
        crew.end();
        known
    });
    searcher.member = None;
    let found_by_helper = || searcher.table.find_solved(searcher.key(), UNLIMITED);
    if known.is_solved() { known } else { found_by_helper().unwrap_or(known) }
}

/// Searches the same problem until it is solved by whomever; answers with the positions visited.
fn help(table: &Table, position: &Position, crew: &Crew) -> u64 {
    let mut notes = Notes::of_share(HELPERS_SHARE);
    let mut interrupted = |_| crew.is_over();
    let watch = Watch { nodes: u64::MAX, interrupted: &mut interrupted };
    let mut searcher = Searcher::new(table, &mut notes, position, position.side(), watch);
    searcher.member = Some(Member { crew, is_first: false });
    searcher.prove(UNLIMITED);
    searcher.nodes()
}

/// The mate that is proven within `plies`, or a shorter one; `None` if the search is over before a line is found.
fn show(searcher: &mut Searcher<'_>, plies: Plies, nodes: u64, length: Length) -> Option<Mate> {
    searcher.set_nodes(u64::MAX);
    let first = searcher.line(plies, false)?;
    let shorter = shorten(searcher, plies, nodes, length);
    shorter.or(Some(Mate { line: first, is_shortest: false }))
}

/// A shorter mate than the one proven within `plies`, or the same if it is the shortest; `None` if neither is found.
fn shorten(searcher: &mut Searcher<'_>, plies: Plies, nodes: u64, length: Length) -> Option<Mate> {
    let nodes = match length {
        Length::Any => return None,
        Length::Shortened => nodes.min(2 * searcher.nodes() + FURTHER_NODES),
        Length::Shortest => nodes,
    };
    searcher.set_nodes(nodes);
    let (mut shortest, mut is_shortest) = (plies, plies == 1);
    while shortest > 1 {
        let known = searcher.prove(shortest - 2);
        if !known.is_mate() {
            is_shortest = known.is_no_mate();
            break;
        }
        (shortest, is_shortest) = (known.plies, known.plies == 1);
    }
    if shortest == plies && !is_shortest {
        return None;
    }
    searcher.set_nodes(u64::MAX);
    searcher.line(shortest, is_shortest).map(|line| Mate { line, is_shortest })
}
