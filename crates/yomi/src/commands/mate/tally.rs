//! What came of a set of problems, as text and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use ::mate::Answer;
use serde::Serialize;
use shogi::Move;

use crate::mate_problems::Problem;

/// How an answer stands to what is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Solved,
    /// Solved, but the known solution is shorter.
    Longer,
    NoMate,
    Unknown,
    /// No mate at the end of the line, or said to be no mate where one is known.
    Wrong,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Solved | Verdict::Longer => "mate",
            Verdict::NoMate => "nomate",
            Verdict::Unknown => "unknown",
            Verdict::Wrong => "wrong",
        }
    }
}

/// What came of one problem.
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    pub(super) answer: Answer,
    pub(super) nodes: u64,
    pub(super) elapsed: Duration,
}

/// What came of many, set by set.
pub(super) struct Tally {
    sets: Vec<(String, Counts)>,
    all: Counts,
    /// What was not solved, with the reason.
    rest: Vec<(String, Verdict)>,
    answers: Vec<AnswerText>,
}

#[derive(Clone, Default, Serialize)]
struct Counts {
    problems: usize,
    solved: usize,
    nomate: usize,
    unknown: usize,
    wrong: usize,
    longer: usize,
    nodes: u64,
    #[serde(skip)]
    elapsed: Duration,
    #[serde(skip)]
    worst: Duration,
}

/// The object of `--json`.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    #[serde(flatten)]
    counts: &'a Counts,
    mean_ms: f64,
    worst_ms: f64,
    /// Nodes per second.
    nps: u64,
    /// The problems that were not solved, with what came of them.
    unsolved: Vec<Unsolved>,
    /// What came of each problem, in order.
    answers: &'a [AnswerText],
}

/// The same for the object of `--json`.
#[derive(Serialize)]
struct AnswerText {
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
struct Unsolved {
    name: String,
    answer: &'static str,
}

impl Outcome {
    fn answer_text(&self, name: &str) -> AnswerText {
        let (line, shortest) = match &self.answer {
            Answer::Mate(mate) => (usi(&mate.line), mate.is_shortest),
            Answer::NoMate | Answer::Unknown => (String::new(), false),
        };
        let ms = self.elapsed.as_secs_f64() * 1000.0;
        AnswerText {
            name: name.to_owned(),
            answer: self.verdict.word(),
            line,
            shortest,
            nodes: self.nodes,
            ms,
        }
    }

    /// The answer to a single problem.
    pub(super) fn text(&self) -> String {
        let (answer, line) = match &self.answer {
            Answer::Mate(mate) => {
                let shortest = if mate.is_shortest { ", the shortest" } else { "" };
                (format!("mate in {}{shortest}", mate.line.len()), usi(&mate.line))
            }
            Answer::NoMate => ("no mate".to_owned(), String::new()),
            Answer::Unknown => ("unknown".to_owned(), String::new()),
        };
        let mut text = format!("answer   {answer}\n");
        if !line.is_empty() {
            let _ = writeln!(text, "line     {line}");
        }
        let _ = writeln!(text, "nodes    {}", self.nodes);
        let _ = writeln!(text, "seconds  {:.3}", self.elapsed.as_secs_f64());
        text
    }
}

fn usi(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
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

    fn mean_ms(&self) -> f64 {
        self.elapsed.as_secs_f64() * 1000.0 / self.problems.max(1) as f64
    }

    fn worst_ms(&self) -> f64 {
        self.worst.as_secs_f64() * 1000.0
    }

    fn nps(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)) as u64
    }

    fn row(&self, text: &mut String, name: &str) {
        let Counts { problems, solved, nomate, unknown, wrong, longer, .. } = self;
        let (mean, worst, nps) = (self.mean_ms(), self.worst_ms(), self.nps());
        let _ = writeln!(
            text,
            "{problems:>8} {solved:>7} {nomate:>7} {unknown:>7} {wrong:>6} {longer:>6} {mean:>9.1} {worst:>9.1} {nps:>9}  {name}"
        );
    }
}

impl Tally {
    pub(super) fn new(problems: &[Problem], outcomes: &[Outcome]) -> Tally {
        let mut tally =
            Tally { sets: Vec::new(), all: Counts::default(), rest: Vec::new(), answers: Vec::new() };
        for (problem, outcome) in problems.iter().zip(outcomes) {
            tally.all.add(outcome);
            tally.answers.push(outcome.answer_text(&problem.name));
            let at = tally.sets.iter().position(|(name, _)| *name == problem.set).unwrap_or_else(|| {
                tally.sets.push((problem.set.clone(), Counts::default()));
                tally.sets.len() - 1
            });
            tally.sets[at].1.add(outcome);
            if !matches!(outcome.verdict, Verdict::Solved | Verdict::Longer) {
                tally.rest.push((problem.name.clone(), outcome.verdict));
            }
        }
        tally
    }

    /// A row for each set, then what was not solved.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{:>8} {:>7} {:>7} {:>7} {:>6} {:>6} {:>9} {:>9} {:>9}  {}\n",
            "problems",
            "solved",
            "no mate",
            "unknown",
            "wrong",
            "longer",
            "mean ms",
            "worst ms",
            "nodes/s",
            "set"
        );
        for (name, counts) in &self.sets {
            counts.row(&mut text, name);
        }
        if self.sets.len() > 1 {
            self.all.row(&mut text, "all");
        }
        for (verdict, title) in
            [(Verdict::Wrong, "wrong"), (Verdict::NoMate, "no mate"), (Verdict::Unknown, "unknown")]
        {
            let names =
                self.rest.iter().filter(|(_, found)| *found == verdict).map(|(name, _)| name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            if !names.is_empty() {
                let _ = writeln!(text, "{title}: {names}");
            }
        }
        text
    }

    pub(super) fn json(&self) -> Summary<'_> {
        let all = &self.all;
        let unsolved =
            |(name, verdict): &(String, Verdict)| Unsolved { name: name.clone(), answer: verdict.word() };
        Summary {
            counts: all,
            mean_ms: all.mean_ms(),
            worst_ms: all.worst_ms(),
            nps: all.nps(),
            unsolved: self.rest.iter().map(unsolved).collect(),
            answers: &self.answers,
        }
    }
}
