//! `yomi perft`: count the tree of legal moves.

use std::fmt::Write as _;
use std::time::Instant;

use clap::Args;
use lab::parallel_perft::{Below, Division};
use records::position_text;
use runs::PoolError;
use serde::Serialize;
use shogi::{Leaves, Move, Position};

use crate::command_line::whole_number;
use crate::output;
use crate::progress::LateBar;

/// Count the leaves of the tree of legal moves.
///
/// The counts of well-known positions are published, so that a single wrong move anywhere in the tree shows.
/// The time taken is a measure of move generation.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Perft {
    /// The position at the root: startpos, a handicap or an SFEN, also with moves after it
    #[arg(long, value_name = "SFEN", default_value = "startpos", value_parser = position_text::game_position)]
    sfen: Position,

    /// How many plies deep to count
    #[arg(long, short, value_name = "PLIES", default_value = "5", value_parser = whole_number(0..=100))]
    depth: u32,

    /// Also list the leaves below each move of the root
    #[arg(long)]
    divide: bool,

    /// Play every last move instead of counting the moves one ply before
    #[arg(long)]
    no_bulk: bool,

    /// How many threads count at the same time; the result is the same for any number
    #[arg(long, short, value_name = "COUNT", default_value = "1", value_parser = whole_number(1..=1024))]
    threads: u32,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi perft                                      the start, 5 plies: 19861490
  yomi perft --depth 6 --threads 4                the same, deeper and on four threads
  yomi perft --sfen 'startpos moves 7g7f' --divide --depth 3
                                                  which move's count differs from another program's?
  yomi perft --sfen '4k4/9/4P4/9/9/9/9/9/4K4 b G 1' --depth 4 --json";

/// What was counted, in the order and under the names of the JSON object.
#[derive(Serialize)]
struct Outcome {
    sfen: String,
    depth: u32,
    threads: u32,
    bulk: bool,
    nodes: u64,
    seconds: f64,
    /// Nodes per second.
    nps: u64,
    /// With `--divide`, in alphabetical order of the moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveCount>>,
}

#[derive(Serialize)]
struct MoveCount {
    #[serde(rename = "move", serialize_with = "as_text")]
    played: Move,
    nodes: u64,
}

fn as_text<S: serde::Serializer>(played: &Move, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(played)
}

impl Perft {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let outcome = self.count()?;
        let text = if self.json { serde_json::to_string(&outcome)? + "\n" } else { outcome.text() };
        output::print(&text)
    }

    fn count(&self) -> Result<Outcome, PoolError> {
        let leaves = if self.no_bulk { Leaves::Played } else { Leaves::Bulk };
        let bar = LateBar::new();
        let started = Instant::now();
        let division = Division::new(&self.sfen, self.depth);
        bar.expect(division.parts());
        let below = division.count(leaves, self.threads as usize, &|| bar.advance())?;
        let seconds = started.elapsed().as_secs_f64();
        bar.finish();
        let nodes = if self.depth == 0 { 1 } else { below.iter().map(|below| below.nodes).sum() };
        Ok(Outcome {
            sfen: self.sfen.to_string(),
            depth: self.depth,
            threads: self.threads,
            bulk: !self.no_bulk,
            nodes,
            seconds,
            nps: (nodes as f64 / seconds.max(f64::MIN_POSITIVE)) as u64,
            moves: self.divide.then(|| in_alphabetical_order(below)),
        })
    }
}

/// The order in which lists of different programs can be compared.
fn in_alphabetical_order(below: Vec<Below>) -> Vec<MoveCount> {
    let mut moves: Vec<MoveCount> =
        below.into_iter().map(|Below { played, nodes }| MoveCount { played, nodes }).collect();
    moves.sort_by_key(|entry| entry.played.to_string());
    moves
}

impl Outcome {
    fn text(&self) -> String {
        let mut text = format!("sfen     {}\ndepth    {}\n", self.sfen, self.depth);
        for MoveCount { played, nodes } in self.moves.iter().flatten() {
            let _ = writeln!(text, "{:<8} {nodes}", played.to_string());
        }
        let _ = writeln!(text, "nodes    {}", self.nodes);
        let _ = writeln!(text, "seconds  {:.3}", self.seconds);
        let _ = writeln!(text, "nps      {}", self.nps);
        text
    }
}
