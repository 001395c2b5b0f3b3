//! `yomi bench`: speed and signature of a player.

use clap::Args;
use engine::{Nets, Player, PlayerSpec, bench};
use serde::Serialize;

use crate::command_line::{bad_value, whole_number};
use crate::output;
use crate::progress::LateBar;

/// Think about fixed positions to a fixed depth; print nodes, time, speed.
///
/// The number of nodes is the signature of the search: it changes only if the search or the evaluation does.
#[derive(Args)]
pub(crate) struct Bench {
    /// The player
    #[arg(long, value_name = "SPEC", default_value = "alphabeta(hash=64)")]
    player: PlayerSpec,

    /// How deep to look
    #[arg(long, value_name = "PLIES", default_value_t = bench::DEPTH, value_parser = whole_number(1..=100))]
    depth: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Outcome {
    player: String,
    depth: u32,
    positions: usize,
    seconds: f64,
    /// Nodes per second.
    nps: u64,
    /// All nodes together.
    signature: u64,
}

impl Bench {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::AlphaBeta(spec) = &self.player else {
            return Err(bad_value("bench", "only players of our own can be measured").into());
        };
        let mut player = Player::new(spec, &mut Nets::default())?;
        let bar = LateBar::new();
        bar.expect(bench::POSITIONS.len());
        let outcome = bench::run(&mut player, self.depth, &|| false, &mut |_, _| bar.advance())?;
        bar.finish();
        let outcome = Outcome {
            player: self.player.to_string(),
            depth: self.depth,
            positions: bench::POSITIONS.len(),
            seconds: outcome.elapsed.as_secs_f64(),
            nps: outcome.nodes_per_second(),
            signature: outcome.nodes,
        };
        let text = if self.json { serde_json::to_string(&outcome)? + "\n" } else { outcome.text() };
        output::print(&text)
    }
}

impl Outcome {
    fn text(&self) -> String {
        let Outcome { player, depth, positions, seconds, nps, signature } = self;
        format!(
            "player     {player}\ndepth      {depth}\npositions  {positions}\nseconds    {seconds:.3}\nnps        {nps}\nsignature  {signature}\n"
        )
    }
}
