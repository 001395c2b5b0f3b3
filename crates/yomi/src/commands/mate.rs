//! `yomi mate`: solve mate problems.

mod tally;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ::mate::{Answer, Effort, Length, Solver, verify};
use anyhow::Context as _;
use clap::{Args, ValueHint};
use shogi::Position;

use crate::command_line::whole_number;
use crate::mate_problems::{self, Problem};
use crate::progress::LateBar;
use crate::{output, position_text};
use tally::{Outcome, Tally, Verdict};

/// Find the mate: prove it, or prove that there is none.
///
/// The side to move attacks and gives check with every move; it may lack a king, as in printed problems. The
/// answer is the mating line, 'no mate' if that is proven, or 'unknown' if time or nodes ran out. Every line has
/// been played out before it is printed.
///
/// All legal moves count, so no interposition is taken for useless: printed solutions that leave such moves
/// out can be shorter.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Mate {
    /// The problem: an SFEN, also with moves that lead to the position
    #[arg(value_name = "SFEN", value_parser = position_text::game_or_problem, required_unless_present = "file")]
    sfen: Option<Position>,

    /// A file of problems: an SFEN a line, perhaps with 'moves' and the known solution after it, or name,
    /// collection and SFEN with tabs between
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "sfen")]
    file: Vec<PathBuf>,

    /// Milliseconds for each problem; 10000 if no limit is given
    #[arg(long, value_name = "MS", value_parser = whole_number(1..=u32::MAX))]
    time_ms: Option<u32>,

    /// Positions to visit for each problem
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Megabytes of memory for each problem that is being solved
    #[arg(long, value_name = "MB", default_value = "256", value_parser = whole_number(1..=1 << 20))]
    hash: u32,

    /// How many problems are solved at the same time
    #[arg(long, short, value_name = "COUNT", default_value = "1", value_parser = whole_number(1..=1024))]
    threads: u32,

    /// Prove that no mate is shorter; can take much longer
    #[arg(long)]
    shortest: bool,

    /// Print one JSON object instead of text: totals, and the answer and line of each problem
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi mate '4k4/9/4P4/9/9/9/9/9/9 b G 1'         mate with a gold, no king for the attacker
  yomi mate 'sfen 7nl/7k1/6ppp/9/9/9/9/9/4K4 b 2G2R 1' --shortest
  yomi mate --file problems.sfen --time-ms 1000   a table for the whole file
  yomi mate --file classics.tsv --time-ms 60000 --hash 4096 --threads 2 --json";

/// For each problem, unless the user says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

impl Mate {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut problems = Vec::new();
        for file in &self.file {
            problems.extend(mate_problems::read(file)?);
        }
        if let Some(position) = &self.sfen {
            let (name, set) = (position.to_string(), "problem".to_owned());
            problems.push(Problem { name, set, position: position.clone(), solution: Vec::new() });
        }
        let outcomes = self.solve_all(&problems)?;
        let tally = Tally::new(&problems, &outcomes);
        output::print(&match (&outcomes[..], self.json) {
            (_, true) => serde_json::to_string(&tally.json())? + "\n",
            ([outcome], false) if self.sfen.is_some() => outcome.text(),
            _ => tally.text(),
        })
    }

    /// Solves the problems, several at a time, in their order. Blocks until all are done.
    fn solve_all(&self, problems: &[Problem]) -> anyhow::Result<Vec<Outcome>> {
        let threads = (self.threads as usize).min(problems.len());
        let solvers: Vec<Solver> = (0..threads)
            .map(|_| Solver::new(self.hash as usize))
            .collect::<Option<_>>()
            .with_context(|| format!("there is no memory for {threads} tables of {} MB", self.hash))?;
        let bar = LateBar::new();
        bar.expect(problems.len());
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Vec::new());
        let work = |mut solver: Solver| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(problem) = problems.get(index) else { break };
                let outcome = self.solve(&mut solver, problem);
                outcomes.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, outcome));
                bar.advance();
            }
        };
        std::thread::scope(|scope| {
            for solver in solvers {
                scope.spawn(|| work(solver));
            }
        });
        bar.finish();
        let mut outcomes = outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        outcomes.sort_by_key(|(index, _)| *index);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }

    fn solve(&self, solver: &mut Solver, problem: &Problem) -> Outcome {
        let length = if self.shortest { Length::Shortest } else { Length::default() };
        let effort = Effort { nodes: self.nodes, length };
        let limit = match (self.time_ms, self.nodes) {
            (Some(ms), _) => Some(Duration::from_millis(ms.into())),
            (None, Some(_)) => None,
            (None, None) => Some(DEFAULT_TIME),
        };
        let started = Instant::now();
        let mut is_late = |_| limit.is_some_and(|limit| started.elapsed() >= limit);
        let solution = solver.solve(&problem.position, &effort, &mut is_late);
        let verdict = judge(problem, &solution.answer);
        Outcome { verdict, answer: solution.answer, nodes: solution.nodes, elapsed: started.elapsed() }
    }
}

/// Compares an answer with the rules and with the known solution.
fn judge(problem: &Problem, answer: &Answer) -> Verdict {
    let known = &problem.solution;
    match answer {
        Answer::Mate(mate) if verify(&problem.position, &mate.line).is_err() => Verdict::Wrong,
        Answer::Mate(mate) if !known.is_empty() && mate.line.len() > known.len() => Verdict::Longer,
        Answer::Mate(_) => Verdict::Solved,
        Answer::NoMate if verify(&problem.position, known).is_ok() => Verdict::Wrong,
        Answer::NoMate => Verdict::NoMate,
        Answer::Unknown => Verdict::Unknown,
    }
}
