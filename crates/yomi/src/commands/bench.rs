//! `yomi bench`: speed and signature of a player.

use clap::Args;
use contract::Effort;
use engine::{Agent, Defaults, Nets, PlayerSpec, bench};
use serde::Serialize;

use crate::command_line::{bad_value, whole_number};
use crate::progress::LateBar;
use crate::{analysis_text, output};

/// Think about fixed positions to a fixed depth, or for a fixed number of nodes; print nodes, time, speed.
///
/// The number of nodes is the signature of the search: it changes only if the search or the evaluation does.
#[derive(Args)]
pub(crate) struct Bench {
    /// The player
    #[arg(long, value_name = "SPEC", default_value = "alphabeta(hash=64)")]
    player: PlayerSpec,

    /// How deep to look
    #[arg(long, value_name = "PLIES", value_parser = whole_number(1..=100), conflicts_with = "nodes")]
    depth: Option<u32>,

    /// How many positions to visit from each; players that keep a tree visit 100000 by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Outcome {
    player: String,
    /// The depth to which each position was searched, if that was the limit.
    depth_limit: Option<u32>,
    /// The nodes for each position, if these were the limit.
    node_limit: Option<u64>,
    positions: usize,
    seconds: f64,
    /// Nodes per second.
    nps: u64,
    /// All nodes together.
    nodes: u64,
    /// The same number: what changes with the search and with nothing else.
    signature: u64,
}

impl Bench {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(spec) = &self.player else {
            return Err(bad_value("bench", "only players of our own can be measured").into());
        };
        let effort = match (self.depth, self.nodes) {
            (Some(depth), _) => Effort::Depth(depth),
            (None, Some(nodes)) => Effort::Nodes(nodes),
            (None, None) => bench::usual_effort(&spec.method),
        };
        let mut agent = Agent::new(&spec.resolve(&Defaults::default()), &mut Nets::default())?;
        let bar = LateBar::new();
        bar.expect(bench::POSITIONS.len());
        let outcome = bench::run(&mut agent, effort, &|| false, &mut |_, _| bar.advance())?;
        bar.finish();
        let outcome = Outcome {
            player: self.player.to_string(),
            depth_limit: if let Effort::Depth(depth) = effort { Some(depth) } else { None },
            node_limit: if let Effort::Nodes(nodes) = effort { Some(nodes) } else { None },
            positions: bench::POSITIONS.len(),
            seconds: outcome.elapsed.as_secs_f64(),
            nps: outcome.nodes_per_second(),
            nodes: outcome.nodes,
            signature: outcome.nodes,
        };
        let text = if self.json { serde_json::to_string(&outcome)? + "\n" } else { outcome.text(effort) };
        output::print(&text)
    }
}

impl Outcome {
    fn text(&self, effort: Effort) -> String {
        let effort = analysis_text::effort(effort);
        let Outcome { player, positions, seconds, nps, signature, .. } = self;
        format!(
            "player     {player}\neffort     {effort}\npositions  {positions}\nseconds    {seconds:.3}\nnps        {nps}\nsignature  {signature}\n"
        )
    }
}
