//! Files of mate problems.

use std::path::{Path, PathBuf};

use shogi::{Move, Position};

use crate::position_text::{PositionTextError, problem_with_solution};

/// A problem of a file.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its name if it has one, else its line.
    pub name: String,
    /// The collection that it belongs to: as the file says, else the file.
    pub set: String,
    /// What is to be solved.
    pub position: Position,
    /// The known solution, empty if there is none.
    pub solution: Vec<Move>,
}

/// Why a file is none of problems.
#[derive(Debug, thiserror::Error)]
pub enum ProblemsError {
    /// There is no such file, or not of text.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Nothing but comments.
    #[error("{} has no problems", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// The problems of a file, and the lines that are none.
#[derive(Debug)]
pub struct ProblemFile {
    /// In the order of their lines.
    pub problems: Vec<Problem>,
    /// What could not be read.
    pub refused: Vec<RefusedLine>,
}

/// A line that is no problem.
#[derive(Debug, thiserror::Error)]
#[error("{}: line {line}: {reason}", path.display())]
pub struct RefusedLine {
    /// The file.
    pub path: PathBuf,
    /// From 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: LineError,
}

/// Why a line is no problem.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// Tabs in other places.
    #[error("expected an SFEN, or name, collection and SFEN with tabs between, found {0} columns")]
    Columns(usize),
    /// No position, or a solution that cannot be played.
    #[error(transparent)]
    Position(#[from] PositionTextError),
}

/// Reads a file: a problem a line, either an SFEN, perhaps with `moves` and the solution, or three columns with
/// tabs between, name, collection and SFEN, below a line of their titles. Empty lines and those that begin with `#` are skipped;
/// lines that are no problems are among the refused, and the rest goes on.
pub fn read_problems(path: &Path) -> Result<ProblemFile, ProblemsError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| ProblemsError::Io { path: path.into(), error })?;
    let file_name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut file = ProblemFile { problems: Vec::new(), refused: Vec::new() };
    for (line, problem) in parse(&text, &file_name) {
        match problem {
            Ok(problem) => file.problems.push(problem),
            Err(reason) => file.refused.push(RefusedLine { path: path.into(), line, reason }),
        }
    }
    if file.problems.is_empty() && file.refused.is_empty() {
        return Err(ProblemsError::Empty { path: path.into() });
    }
    Ok(file)
}

/// The problems of a text with the numbers of their lines, or why a line is none.
fn parse(text: &str, file_name: &str) -> impl Iterator<Item = (usize, Result<Problem, LineError>)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#') && !is_title(line));
    lines.map(move |(number, line)| (number, parse_line(line, number, file_name)))
}

fn is_title(line: &str) -> bool {
    line.split('\t').eq(["name", "collection", "sfen"])
}

fn parse_line(line: &str, number: usize, file_name: &str) -> Result<Problem, LineError> {
    let columns: Vec<&str> = line.split('\t').collect();
    let (name, set, sfen) = match columns[..] {
        [sfen] => (format!("line {number}"), file_name, sfen),
        [name, set, sfen] => (name.to_owned(), set, sfen),
        _ => return Err(LineError::Columns(columns.len())),
    };
    let (position, solution) = problem_with_solution(sfen)?;
    Ok(Problem { name, set: set.to_owned(), position, solution })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SFEN: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

    #[test]
    fn each_form_is_read() {
        let text = format!(
            "# comment\n\n{SFEN}\nsfen {SFEN} moves G*5b\nname\tcollection\tsfen\nfirst\tours\t{SFEN}\n"
        );
        let problems: Vec<Problem> = parse(&text, "file").map(|(_, problem)| problem.unwrap()).collect();
        let facts: Vec<_> =
            problems.iter().map(|p| (p.name.as_str(), p.set.as_str(), p.solution.len())).collect();
        assert_eq!(facts, [("line 3", "file", 0), ("line 4", "file", 1), ("first", "ours", 0)]);
    }

    #[test]
    fn a_bad_line_is_reported_with_its_number_and_the_others_go_on() {
        for (line, expected) in [
            ("a\tb", "expected an SFEN, or name, collection and SFEN with tabs between, found 2 columns"),
            ("9/9 b - 1", "not an SFEN"),
            ("4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5c", "move 1: G*5c is not legal here"),
        ] {
            let text = format!("{SFEN}\n{line}\n{SFEN}");
            let read: Vec<_> = parse(&text, "file").collect();
            let numbers: Vec<_> = read.iter().map(|(number, problem)| (*number, problem.is_ok())).collect();
            assert_eq!(numbers, [(1, true), (2, false), (3, true)]);
            let error = read[1].1.as_ref().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn files_that_hold_no_problems_are_named() {
        let error = read_problems(Path::new("no/such/file")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read no/such/file: "), "{error}");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "# nothing\n").unwrap();
        assert!(read_problems(file.path()).unwrap_err().to_string().ends_with(" has no problems"));
        std::fs::write(file.path(), "a\tb\n").unwrap();
        let refused = read_problems(file.path()).unwrap().refused;
        assert!(refused[0].to_string().contains(": line 1: expected an SFEN"), "{refused:?}");
    }
}
