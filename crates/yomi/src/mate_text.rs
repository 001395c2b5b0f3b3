//! Answers to mate problems for people.

use std::fmt::Write as _;

use lab::problem_set::{Counts, Outcome, Tally, Verdict};
use mate::Answer;
use records::mate_problems::Problem;
use shogi::Move;

/// The answer to a single problem.
pub(crate) fn outcome(outcome: &Outcome) -> String {
    let (answer, line) = answer_and_line(outcome);
    let mut text = format!("answer   {answer}\n");
    if !line.is_empty() {
        let _ = writeln!(text, "line     {line}");
    }
    let _ = writeln!(text, "nodes    {}", outcome.nodes);
    let _ = writeln!(text, "seconds  {:.3}", outcome.elapsed.as_secs_f64());
    text
}

/// A row for each problem: its name, the answer, milliseconds, the line.
pub(crate) fn answers(problems: &[Problem], outcomes: &[Outcome]) -> String {
    let width = problems.iter().map(|problem| problem.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (problem, outcome) in problems.iter().zip(outcomes) {
        let (answer, line) = answer_and_line(outcome);
        let ms = outcome.elapsed.as_secs_f64() * 1000.0;
        let row = format!("{:width$}  {answer:24} {ms:>9.1} ms  {line}", problem.name);
        text += row.trim_end();
        text.push('\n');
    }
    text + "\n"
}

fn answer_and_line(outcome: &Outcome) -> (String, String) {
    match &outcome.answer {
        Answer::Mate(mate) => {
            let shortest = if mate.is_shortest { ", the shortest" } else { "" };
            let line: Vec<String> = mate.line.iter().map(Move::to_string).collect();
            (format!("mate in {}{shortest}", mate.line.len()), line.join(" "))
        }
        Answer::NoMate => ("no mate".to_owned(), String::new()),
        Answer::Unknown => ("unknown".to_owned(), String::new()),
    }
}

/// A row for each set, then what was not solved.
pub(crate) fn tally(tally: &Tally) -> String {
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
    for (name, counts) in &tally.sets {
        text += &row(counts, name);
    }
    if tally.sets.len() > 1 {
        text += &row(&tally.all, "all");
    }
    for (verdict, title) in
        [(Verdict::Wrong, "wrong"), (Verdict::NoMate, "no mate"), (Verdict::Unknown, "unknown")]
    {
        let names = tally.unsolved.iter().filter(|(_, found)| *found == verdict);
        let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "{title}: {}", names.join(", "));
        }
    }
    text
}

fn row(counts: &Counts, name: &str) -> String {
    let Counts { problems, solved, nomate, unknown, wrong, longer, .. } = counts;
    let (mean, worst, nps) = (counts.mean_ms(), counts.worst_ms(), counts.nps());
    format!(
        "{problems:>8} {solved:>7} {nomate:>7} {unknown:>7} {wrong:>6} {longer:>6} {mean:>9.1} {worst:>9.1} {nps:>9}  {name}\n"
    )
}
