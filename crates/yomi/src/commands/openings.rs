//! `yomi openings`: balanced openings for matches.

use clap::{Args, ValueHint};
use engine::PlayerSpec;
use lab::openings::{Plan, generate};

use crate::command_line::{bad_value, whole_number};
use crate::progress::LateBar;
use crate::target::{Force, Target, check_all};
use crate::{interrupt, output};

/// Find balanced openings by search, one per line, as USI writes positions.
///
/// Each opening is a walk from the start: a small search finds the best moves, one of those close to the best is
/// played at random, and the position at the end is kept if a longer search finds it about even. No book and no games
/// of others go into it. The same seed gives the same openings.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Openings {
    /// How many to find
    #[arg(long, value_name = "N", default_value = "100", value_parser = whole_number(1..=1_000_000))]
    count: u32,

    /// How many plies each has
    #[arg(long, value_name = "PLIES", default_value = "24", value_parser = whole_number(1..=100))]
    plies: u32,

    /// Nodes to search for each move of a walk
    #[arg(long, value_name = "NODES", default_value = "4000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Nodes to search the position at the end
    #[arg(long, value_name = "NODES", default_value = "100000", value_parser = clap::value_parser!(u64).range(1..))]
    check_nodes: u64,

    /// How much worse than the best a move may be
    #[arg(long, value_name = "CP", default_value = "40", value_parser = whole_number(0..=1000))]
    choice: u32,

    /// How far from even the end may be
    #[arg(long, value_name = "CP", default_value = "80", value_parser = whole_number(0..=1000))]
    within: u32,

    /// The player that judges
    #[arg(long, value_name = "SPEC", default_value = "alphabeta")]
    player: PlayerSpec,

    /// Walks at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=1024))]
    concurrency: u32,

    /// The seed
    #[arg(long, default_value = "1")]
    seed: u64,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<Target>,

    #[command(flatten)]
    force: Force,
}

const EXAMPLES: &str = "\
Examples:
  yomi openings --count 200 --out openings.sfen
  yomi openings --count 50 --plies 12 --within 30 --seed 7
  yomi match --openings openings.sfen --player alphabeta --player 'alphabeta(static_cut_z=90)'";

impl Openings {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(player) = &self.player else {
            return Err(bad_value("openings", "only players of our own can judge openings").into());
        };
        let plan = Plan {
            player: (**player).clone(),
            count: self.count as usize,
            plies: self.plies as usize,
            nodes: self.nodes,
            check_nodes: self.check_nodes,
            choice: self.choice as i32,
            within: self.within as i32,
            seed: self.seed,
            concurrency: self.concurrency as usize,
        };
        let existing = self.force.existing();
        check_all(&[&self.out], existing)?;
        interrupt::take_over()?;
        let bar = LateBar::new();
        bar.expect(plan.count);
        let found = generate(&plan, &|| bar.advance())?;
        bar.finish();
        anyhow::ensure!(
            found.len() == plan.count,
            "only {} of {} openings found; more --plies, a larger --choice or --within would help",
            found.len(),
            plan.count
        );
        let text = plan.text(&found);
        match &self.out {
            None => output::print(&text),
            Some(target) => target.write(text.as_bytes(), existing),
        }
    }
}
