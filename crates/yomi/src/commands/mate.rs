//! `yomi mate`: solve mate problems.

use std::path::PathBuf;
use std::time::Duration;

use ::mate::{Effort, Length};
use clap::{Args, ValueHint};
use lab::problem_set::{Solving, Tally, solve_all};
use records::mate_problems::{Problem, read_problems};
use records::position_text;
use shogi::Position;

use crate::command_line::whole_number;
use crate::progress::LateBar;
use crate::{mate_text, output};

/// Find the mate: prove it, or prove that there is none.
///
/// The side to move attacks and gives check with every move; it may lack a king, as in printed problems. The
/// answer is the mating line, 'no mate' if that is proven, or 'unknown' if time or nodes ran out. Every line has
/// been played out before it is printed.
///
/// All legal moves count, so no interposition is taken for useless: printed solutions that leave such moves
/// out can be shorter.
#[derive(Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Mate {
    /// The problem: an SFEN, also with moves that lead to the position
    #[arg(value_name = "SFEN", value_parser = position_text::game_or_problem, required_unless_present = "file")]
    sfen: Option<Position>,

    /// A file of problems: an SFEN a line, perhaps with 'moves' and the known solution after it, or name,
    /// collection and SFEN with tabs between. Every problem is answered; lines that are none are reported, and the exit code is then 1
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

    /// How many threads work together on each problem, over one table
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = whole_number(1..=64))]
    together: u32,

    /// Prove that no mate is shorter; can take much longer
    #[arg(long)]
    shortest: bool,

    /// Print one JSON object instead of text: totals, the answer and line of each problem, and lines that are none
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi mate '4k4/9/4P4/9/9/9/9/9/9 b G 1'         mate with a gold, no king for the attacker
  yomi mate 'sfen 7nl/7k1/6ppp/9/9/9/9/9/4K4 b 2G2R 1' --shortest
  yomi mate --file problems.sfen --time-ms 1000   an answer for each, and a table
  yomi mate --file classics.tsv --time-ms 60000 --hash 4096 --threads 2 --json";

/// For each problem, unless the user says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

impl Mate {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (problems, refused) = self.problems()?;
        refused.iter().for_each(|line| output::warn(line));
        let bar = LateBar::new();
        bar.expect(problems.len());
        let outcomes = solve_all(&problems, &self.solving(), &|| bar.advance())?;
        bar.finish();
        let tally = Tally::new(&problems, &outcomes);
        output::print(&match (&outcomes[..], self.json) {
            (_, true) => serde_json::to_string(&tally.summary(&refused))? + "\n",
            ([outcome], false) if self.sfen.is_some() => mate_text::outcome(outcome),
            _ => mate_text::answers(&problems, &outcomes) + &mate_text::tally(&tally),
        })?;
        match refused.len() {
            0 => Ok(()),
            count => Err(anyhow::anyhow!("{count} of the lines could not be read")),
        }
    }

    /// The problems, and the lines that are none.
    fn problems(&self) -> anyhow::Result<(Vec<Problem>, Vec<String>)> {
        let (mut problems, mut refused) = (Vec::new(), Vec::new());
        for path in &self.file {
            let file = read_problems(path)?;
            problems.extend(file.problems);
            refused.extend(file.refused.iter().map(ToString::to_string));
        }
        if let Some(position) = &self.sfen {
            let (name, set) = (position.to_string(), "problem".to_owned());
            problems.push(Problem { name, set, position: position.clone(), solution: Vec::new() });
        }
        Ok((problems, refused))
    }

    fn solving(&self) -> Solving {
        let length = if self.shortest { Length::Shortest } else { Length::default() };
        let time = match (self.time_ms, self.nodes) {
            (Some(ms), _) => Some(Duration::from_millis(ms.into())),
            (None, Some(_)) => None,
            (None, None) => Some(DEFAULT_TIME),
        };
        let effort = Effort { nodes: self.nodes, length };
        let [threads, together] = [self.threads, self.together].map(|count| count as usize);
        Solving { effort, time, hash: self.hash as usize, threads, together }
    }
}
