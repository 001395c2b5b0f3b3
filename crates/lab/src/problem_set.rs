//! Solving sets of mate problems, and what came of them.

use std::time::{Duration, Instant};

use mate::{Answer, Effort, Solver, verify};
use records::mate_problems::Problem;
use runs::{Pool, PoolError};
use serde::Serialize;
use shogi::Move;

/// How problems are solved.
#[derive(Clone, Debug)]
pub struct Solving {
    /// Nodes and length for each problem.
    pub effort: Effort,
    /// Time for each problem.
    pub time: Option<Duration>,
    /// Megabytes of memory for each problem that is being solved.
    pub hash: usize,
    /// How many problems are solved at the same time.
    pub threads: usize,
    /// How many threads work together on each.
    pub together: usize,
}

/// Why problems cannot be solved.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SolveError {
    #[error("there is no memory for {threads} tables of {hash} MB")]
    Memory { threads: usize, hash: usize },
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// How an answer stands to what is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// With a mate that has been played out.
    Solved,
    /// Solved, but the known solution is shorter.
    Longer,
    /// Proven that there is none.
    NoMate,
    /// Time or nodes ran out.
    Unknown,
    /// No mate at the end of the line, or said to be no mate where one is known.
    Wrong,
}

impl Verdict {
    /// Its name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Solved | Verdict::Longer => "mate",
            Verdict::NoMate => "nomate",
            Verdict::Unknown => "unknown",
            Verdict::Wrong => "wrong",
        }
    }

    /// Compares an answer with the rules and with the known solution.
    fn of(problem: &Problem, answer: &Answer) -> Verdict {
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
}

/// What came of one problem.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How the answer stands to what is known.
    pub verdict: Verdict,
    /// The solver's answer.
    pub answer: Answer,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}

/// Solves the problems, several at a time; the outcomes are in their order. Blocks until all are done and calls `solved`
/// after each.
pub fn solve_all(
    problems: &[Problem],
    solving: &Solving,
    solved: &(dyn Fn() + Sync),
) -> Result<Vec<Outcome>, SolveError> {
    let threads = solving.threads.min(problems.len());
    let solver = || Solver::new(solving.hash).map(|solver| solver.with_threads(solving.together));
    let memory = || solver().ok_or(SolveError::Memory { threads, hash: solving.hash });
    Pool::new(threads).map(problems, memory, |solver, problem| {
        let outcome = solve(solver, problem, solving);
        solved();
        Ok(outcome)
    })
}

fn solve(solver: &mut Solver, problem: &Problem, solving: &Solving) -> Outcome {
    let started = Instant::now();
    let mut is_late = |_| solving.time.is_some_and(|limit| started.elapsed() >= limit);
    let solution = solver.solve(&problem.position, &solving.effort, &mut is_late);
    let verdict = Verdict::of(problem, &solution.answer);
    Outcome { verdict, answer: solution.answer, nodes: solution.nodes, elapsed: started.elapsed() }
}

/// How many problems came out how.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    /// All of them.
    pub problems: usize,
    /// With a mate.
    pub solved: usize,
    /// Proven to have none.
    pub nomate: usize,
    /// Not decided.
    pub unknown: usize,
    /// Against the rules or the known solution.
    pub wrong: usize,
    /// Solved, with a line longer than the known one.
    pub longer: usize,
    /// Positions visited.
    pub nodes: u64,
    #[serde(skip)]
    elapsed: Duration,
    #[serde(skip)]
    worst: Duration,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        self.problems += 1;
        match outcome.verdict {
            Verdict::Solved => self.solved += 1,
            Verdict::Longer => (self.solved, self.longer) = (self.solved + 1, self.longer + 1),
            Verdict::NoMate => self.nomate += 1,
            Verdict::Unknown => self.unknown += 1,
            Verdict::Wrong => self.wrong += 1,
        }
        self.nodes += outcome.nodes;
        self.elapsed += outcome.elapsed;
        self.worst = self.worst.max(outcome.elapsed);
    }

    /// Milliseconds a problem.
    #[must_use]
    pub fn mean_ms(&self) -> f64 {
        self.elapsed.as_secs_f64() * 1000.0 / self.problems.max(1) as f64
    }

    /// Milliseconds of the slowest problem.
    #[must_use]
    pub fn worst_ms(&self) -> f64 {
        self.worst.as_secs_f64() * 1000.0
    }

    /// Nodes per second.
    #[must_use]
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)) as u64
    }
}

/// What came of many problems, set by set.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Each set with its counts, in the order in which sets appear.
    pub sets: Vec<(String, Counts)>,
    /// All sets together.
    pub all: Counts,
    /// The names of what was not solved, with the reason.
    pub unsolved: Vec<(String, Verdict)>,
    answers: Vec<AnswerRow>,
}

/// The result as scripts read it.
#[derive(Serialize)]
pub struct Summary<'a> {
    #[serde(flatten)]
    counts: &'a Counts,
    mean_ms: f64,
    worst_ms: f64,
    /// Nodes per second.
    nps: u64,
    /// The problems that were not solved, with what came of them.
    unsolved: Vec<UnsolvedRow>,
    /// What came of each problem, in order.
    answers: &'a [AnswerRow],
    /// Lines that are no problems.
    refused: &'a [String],
}

#[derive(Clone, Debug, Serialize)]
struct AnswerRow {
    name: String,
    answer: &'static str,
    /// The mating line in USI; empty without one.
    line: String,
    /// Proven: no mate is shorter.
    shortest: bool,
    nodes: u64,
    ms: f64,
}

#[derive(Serialize)]
struct UnsolvedRow {
    name: String,
    answer: &'static str,
}

impl AnswerRow {
    fn new(problem: &Problem, outcome: &Outcome) -> AnswerRow {
        let (line, shortest) = match &outcome.answer {
            Answer::Mate(mate) => {
                (mate.line.iter().map(Move::to_string).collect::<Vec<_>>().join(" "), mate.is_shortest)
            }
            Answer::NoMate | Answer::Unknown => (String::new(), false),
        };
        AnswerRow {
            name: problem.name.clone(),
            answer: outcome.verdict.name(),
            line,
            shortest,
            nodes: outcome.nodes,
            ms: outcome.elapsed.as_secs_f64() * 1000.0,
        }
    }
}

impl Tally {
    /// Counts the outcomes of problems, which are in the same order.
    #[must_use]
    pub fn new(problems: &[Problem], outcomes: &[Outcome]) -> Tally {
        let mut tally =
            Tally { sets: Vec::new(), all: Counts::default(), unsolved: Vec::new(), answers: Vec::new() };
        for (problem, outcome) in problems.iter().zip(outcomes) {
            tally.all.add(outcome);
            tally.answers.push(AnswerRow::new(problem, outcome));
            let at = tally.sets.iter().position(|(name, _)| *name == problem.set).unwrap_or_else(|| {
                tally.sets.push((problem.set.clone(), Counts::default()));
                tally.sets.len() - 1
            });
            tally.sets[at].1.add(outcome);
            if !matches!(outcome.verdict, Verdict::Solved | Verdict::Longer) {
                tally.unsolved.push((problem.name.clone(), outcome.verdict));
            }
        }
        tally
    }

    /// The result as scripts read it, with the lines that are no problems.
    #[must_use]
    pub fn summary<'a>(&'a self, refused: &'a [String]) -> Summary<'a> {
        let all = &self.all;
        let row =
            |(name, verdict): &(String, Verdict)| UnsolvedRow { name: name.clone(), answer: verdict.name() };
        Summary {
            counts: all,
            mean_ms: all.mean_ms(),
            worst_ms: all.worst_ms(),
            nps: all.nps(),
            unsolved: self.unsolved.iter().map(row).collect(),
            answers: &self.answers,
            refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn problem(set: &str, sfen: &str, solution: &str) -> Problem {
        let position = records::position_text::game_or_problem(sfen).unwrap();
        let solution = solution.split_whitespace().map(|text| text.parse().unwrap()).collect();
        Problem { name: format!("{set}: {sfen}"), set: set.to_owned(), position, solution }
    }

    #[test]
    fn answers_are_counted_set_by_set_and_against_known_solutions() {
        let one = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
        let none = "4k4/9/9/9/9/9/9/9/9 b G 1";
        let problems = [
            problem("a", one, ""),
            problem("b", one, "G*5b"),
            problem("a", none, ""),
            problem("b", none, "G*5b"),
        ];
        let solving = Solving {
            effort: Effort { nodes: Some(100_000), length: mate::Length::default() },
            time: None,
            hash: 1,
            threads: 2,
            together: 1,
        };
        let calls = AtomicUsize::new(0);
        let counted = || {
            calls.fetch_add(1, Ordering::Relaxed);
        };
        let outcomes = solve_all(&problems, &solving, &counted).unwrap();
        assert_eq!(calls.into_inner(), 4);
        let verdicts: Vec<Verdict> = outcomes.iter().map(|outcome| outcome.verdict).collect();
        // What is "known" of the last is no mate, so the answer is not called wrong.
        assert_eq!(verdicts, [Verdict::Solved, Verdict::Solved, Verdict::NoMate, Verdict::NoMate]);
        let tally = Tally::new(&problems, &outcomes);
        let sets: Vec<_> = tally.sets.iter().map(|(name, c)| (name.as_str(), c.solved, c.nomate)).collect();
        assert_eq!(sets, [("a", 1, 1), ("b", 1, 1)]);
        assert_eq!((tally.all.problems, tally.unsolved.len()), (4, 2));
        let json = serde_json::to_value(tally.summary(&[])).unwrap();
        assert_eq!((&json["solved"], &json["answers"][1]["line"]), (&2.into(), &"G*5b".into()));
    }

    #[test]
    fn a_line_longer_than_the_known_one_is_solved_but_counted() {
        let known = problem("a", "4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b");
        let claimed = |line: Vec<Move>| Answer::Mate(mate::Mate { line, is_shortest: false });
        let right: Move = "G*5b".parse().unwrap();
        assert_eq!(Verdict::of(&known, &claimed(vec![right])), Verdict::Solved);
        assert_eq!(Verdict::of(&known, &claimed(Vec::new())), Verdict::Wrong);
        assert_eq!(Verdict::of(&known, &Answer::NoMate), Verdict::Wrong);
        assert_eq!(Verdict::of(&known, &Answer::Unknown), Verdict::Unknown);
    }
}
