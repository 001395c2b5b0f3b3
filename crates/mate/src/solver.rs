//! The mate solver: memory for one problem after the other, the first mate, then shorter ones as far as asked.

use shogi::{Color, Move, Position};

use crate::crew::{Crew, Member};
use crate::first_numbers::FirstNumbers;
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
    first_numbers: FirstNumbers,
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
        let table = Table::new(bytes.checked_sub(notes.bytes())?)?;
        Some(Solver { table, notes, first_numbers: FirstNumbers::default(), threads: 1 })
    }

    /// The same solver with so many threads for each problem; the default is one.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Solver {
        Solver { threads: threads.max(1), ..self }
    }

    /// The same solver with other first numbers than those that are part of the program.
    #[must_use]
    pub fn with_first_numbers(self, first_numbers: FirstNumbers) -> Solver {
        Solver { first_numbers, ..self }
    }

    /// Looks for a mate by the side to move; blocks meanwhile. `interrupted` is asked every few hundred positions or less, with their number,
    /// whether to give up.
    pub fn solve(
        &mut self,
        position: &Position,
        effort: &Effort,
        interrupted: &mut (dyn FnMut(u64) -> bool + Send),
    ) -> Solution {
        self.clear();
        let (nodes, helpers) = (effort.nodes.unwrap_or(u64::MAX), self.threads - 1);
        let crew = (helpers > 0).then(|| Crew::new(helpers));
        let searcher = self.searcher(position, position.side(), Watch { nodes, interrupted });
        let mut team = Team { searcher, crew: crew.as_ref() };
        let known = team.prove(UNLIMITED, nodes);
        let answer = if known.is_mate() {
            let mate = team.show(known.plies, nodes, effort.length);
            let mate = mate.filter(|mate| verify(position, &mate.line).is_ok());
            mate.map_or(Answer::Unknown, Answer::Mate)
        } else if known.is_no_mate() && known.plies == UNLIMITED {
            Answer::NoMate
        } else {
            Answer::Unknown
        };
        let nodes = team.nodes();
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
        Searcher::new(&self.table, &mut self.notes, &self.first_numbers, position, attacker, watch)
    }
}

/// The first thread of a problem, and those that help it where it takes long.
struct Team<'a> {
    searcher: Searcher<'a>,
    /// `None` without helpers.
    crew: Option<&'a Crew>,
}

impl<'a> Team<'a> {
    /// Positions visited by all.
    fn nodes(&self) -> u64 {
        self.searcher.nodes() + self.helpers_nodes()
    }

    fn helpers_nodes(&self) -> u64 {
        self.crew.map_or(0, Crew::helpers_nodes)
    }

    /// Searches for a mate with `left` plies, until all together have visited so many positions: alone at first, since most problems
    /// are small, then with helpers until one thread solves it.
    fn prove(&mut self, left: Plies, nodes: u64) -> Known {
        let before = self.nodes();
        let alone = if self.crew.is_some() { before.saturating_add(ALONE_NODES) } else { u64::MAX };
        self.searcher.set_nodes(nodes.min(alone).saturating_sub(self.helpers_nodes()));
        let known = self.searcher.prove(left);
        match self.crew {
            Some(crew) if !known.is_solved() && self.nodes() >= alone && nodes > alone => {
                self.prove_together(left, nodes, crew)
            }
            _ => known,
        }
    }

    fn prove_together(&mut self, left: Plies, nodes: u64, crew: &'a Crew) -> Known {
        crew.begin(self.nodes());
        let searcher = &mut self.searcher;
        searcher.set_nodes(nodes);
        searcher.member = Some(Member { crew, is_first: true });
        let known = std::thread::scope(|scope| {
            for _ in 0..crew.helpers() {
                let (table, first_numbers) = (searcher.table, searcher.first_numbers);
                let position = searcher.position.clone();
                scope.spawn(move || crew.help(|| help(table, first_numbers, &position, left, crew)));
            }
            let known = searcher.prove(left);
            crew.end();
            known
        });
        searcher.member = None;
        let found_by_helper = || searcher.table.find_solved(searcher.key(), left);
        if known.is_solved() { known } else { found_by_helper().unwrap_or(known) }
    }

    /// The mate that is proven within `plies`, or a shorter one; `None` if the search is over before a line is found.
    fn show(&mut self, plies: Plies, nodes: u64, length: Length) -> Option<Mate> {
        let first = self.line(plies, false)?;
        let shorter = self.shorten(plies, nodes, length);
        shorter.or(Some(Mate { line: first, is_shortest: false }))
    }

    /// A shorter mate than the one proven within `plies`, or the same if it is the shortest; `None` if neither is found.
    fn shorten(&mut self, plies: Plies, nodes: u64, length: Length) -> Option<Mate> {
        let nodes = match length {
            Length::Any => return None,
            Length::Shortened => nodes.min(2 * self.nodes() + FURTHER_NODES),
            Length::Shortest => nodes,
        };
        let (mut shortest, mut is_shortest) = (plies, plies == 1);
        while shortest > 1 {
            let known = self.prove(shortest - 2, nodes);
            if !known.is_mate() {
                is_shortest = known.is_no_mate();
                break;
            }
            (shortest, is_shortest) = (known.plies, known.plies == 1);
        }
        if shortest == plies && !is_shortest {
            return None;
        }
        self.line(shortest, is_shortest).map(|line| Mate { line, is_shortest })
    }

    /// The line of a mate that is proven, whatever it takes to find its moves again.
    fn line(&mut self, plies: Plies, exactly: bool) -> Option<Vec<Move>> {
        self.searcher.set_nodes(u64::MAX);
        self.searcher.line(plies, exactly)
    }
}

/// Searches the same problem until it is solved by whomever; answers with the positions visited.
fn help(table: &Table, first_numbers: &FirstNumbers, position: &Position, left: Plies, crew: &Crew) -> u64 {
    let mut notes = Notes::of_share(HELPERS_SHARE);
    let mut interrupted = |_| crew.is_over();
    let watch = Watch { nodes: u64::MAX, interrupted: &mut interrupted };
    let mut searcher = Searcher::new(table, &mut notes, first_numbers, position, position.side(), watch);
    searcher.member = Some(Member { crew, is_first: false });
    searcher.prove(left);
    searcher.nodes()
}
