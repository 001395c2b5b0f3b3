//! Files of mate problems.

use std::path::Path;

use anyhow::Context as _;
use shogi::{Move, Position};

use crate::position_text::problem_with_solution;

/// A problem of a file.
pub(crate) struct Problem {
    /// What it is called: its name if it has one, else its line.
    pub(crate) name: String,
    /// The collection that it belongs to: as the file says, else the file.
    pub(crate) set: String,
    pub(crate) position: Position,
    /// The known solution, empty if there is none.
    pub(crate) solution: Vec<Move>,
}

/// Reads a file: a problem a line, either an SFEN, perhaps with `moves` and the solution, or three columns with
/// tabs between, name, collection and SFEN, below a line of their titles. Empty lines and those that begin with `#` are skipped.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Problem>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let file_name =
        path.file_name().map_or_else(|| name.to_string(), |name| name.to_string_lossy().into_owned());
    let problems = parse(&text, &file_name).with_context(|| format!("cannot read {name}"))?;
    anyhow::ensure!(!problems.is_empty(), "{name} has no problems");
    Ok(problems)
}

fn parse(text: &str, file_name: &str) -> anyhow::Result<Vec<Problem>> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#') && !is_title(line));
    lines
        .map(|(number, line)| parse_line(line, number, file_name).with_context(|| format!("line {number}")))
        .collect()
}

fn is_title(line: &str) -> bool {
    line.split('\t').eq(["name", "collection", "sfen"])
}

fn parse_line(line: &str, number: usize, file_name: &str) -> anyhow::Result<Problem> {
    let columns: Vec<&str> = line.split('\t').collect();
    let (name, set, sfen) = match columns[..] {
        [sfen] => (format!("line {number}"), file_name, sfen),
        [name, set, sfen] => (name.to_owned(), set, sfen),
        _ => anyhow::bail!(
            "expected an SFEN, or name, collection and SFEN with tabs between, found {} columns",
            columns.len()
        ),
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
        let problems = parse(&text, "file").unwrap();
        let told: Vec<_> =
            problems.iter().map(|p| (p.name.as_str(), p.set.as_str(), p.solution.len())).collect();
        assert_eq!(told, [("line 3", "file", 0), ("line 4", "file", 1), ("first", "ours", 0)]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (line, expected) in [
            (
                "a\tb",
                "line 2: expected an SFEN, or name, collection and SFEN with tabs between, found 2 columns",
            ),
            ("9/9 b - 1", "line 2: not an SFEN"),
            ("4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5c", "line 2: move 1: G*5c is not legal here"),
        ] {
            let error = parse(&format!("{SFEN}\n{line}"), "file").err().unwrap();
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
    }
}
