//! `yomi tree`: the tree of a search, for people to look at.

use std::time::Instant;

use anyhow::Context as _;
use clap::{Args, ValueHint};
use engine::{Agent, Defaults, Nets, PlayerSpec, Request};
use plot::TreePicture;
use records::position_text;
use search::params::Parameter;
use search::tree::TreeSettings;
use search::{Choice, Control, Limits, mcss, softmax, uct};
use serde_json::{Value, json};
use shogi::Position;

use crate::command_line::{bad_value, whole_number};
use crate::target::{Force, Target, check_all};
use crate::{output, tree_text};

/// Search a position and show the most probable part of the tree: values, probabilities, search depth D, visits.
///
/// For players that keep a tree: softmax, mcss, uct. Numbers are for the side that makes the move, those of the root for
/// the side to move.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}", settings()))]
pub(crate) struct Tree {
    /// The player, e.g. 'softmax(T=80)' or 'mcss(net=nn.bin)'
    #[arg(long, value_name = "SPEC", default_value = "softmax")]
    player: PlayerSpec,

    /// The position: startpos, a handicap or an SFEN, perhaps with moves
    #[arg(long, value_name = "SFEN", default_value = "startpos", value_parser = position_text::game_position)]
    sfen: Position,

    /// How many positions to visit
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How many nodes to show, the most probable ones
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = whole_number(1..=100_000))]
    budget: u32,

    /// Write the tree to a file as JSON; - is standard output, which then gets nothing else
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    json: Option<Target>,

    /// Write the tree to a file as an SVG picture; - is standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    svg: Option<Target>,

    #[command(flatten)]
    force: Force,
}

const EXAMPLES: &str = "\
Examples:
  yomi tree --player 'softmax(T=60)' --nodes 200000
  yomi tree --player 'mcss(net=nn.bin, fv_scale=24)' --sfen 'startpos moves 7g7f 3c3d' --budget 60 --svg tree.svg
  yomi tree --player uct --nodes 1000000 --budget 5000 --json tree.json";

/// The parameters of the players, read off their tables.
fn settings() -> String {
    fn list<P: Default>(name: &str, table: &[Parameter<P>]) -> String {
        let lines = table.iter().map(|parameter| {
            format!("  {:<12} {:<9} {}\n", parameter.name, parameter.default_text(), parameter.meaning)
        });
        format!("{name}:\n{}", lines.collect::<String>())
    }
    format!(
        "Keys of specs, with their defaults:\n{}{}{}{}",
        list("softmax", softmax::Params::TABLE),
        list("mcss", mcss::Params::TABLE),
        list("uct", uct::Params::TABLE),
        list("all three, besides eval, net, fv_scale, hash, threads, multipv, seed", TreeSettings::TABLE),
    )
}

impl Tree {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(spec) = &self.player else {
            return Err(bad_value("tree", "another program does not show its tree").into());
        };
        if !spec.method.keeps_tree() {
            let name = spec.method.name();
            return Err(bad_value("tree", format!("{name} keeps no tree; softmax, mcss and uct do")).into());
        }
        let existing = self.force.existing();
        let is_printed = check_all(&[&self.json, &self.svg], existing)?;
        let mut agent = Agent::new(&spec.resolve(&Defaults::default()), &mut Nets::default())?;
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let request = Request { analysis: true, ..Request::new(&self.sfen, limits) };
        let started = Instant::now();
        let answer = agent.play(&request, &Control::new(), &mut |_| {})?;
        let visited = answer.nodes.unwrap_or(0);
        let seconds = started.elapsed().as_secs_f64();
        let mut view = agent.tree_view(self.budget as usize).context("the player kept no tree")?;
        plot::turn_root(&mut view, !self.sfen.has_legal_move());
        let heading = format!("{}, {} positions visited in {seconds:.2} s", self.player, visited);
        if let Some(target) = &self.svg {
            let picture = TreePicture { view: &view, side: self.sfen.side(), heading: &heading };
            target.write(picture.to_file().as_bytes(), existing)?;
        }
        if let Some(target) = &self.json {
            let best = match answer.choice {
                Choice::Move(m) => json!(m.to_string()),
                Choice::Declare => json!("win"),
                Choice::Resign => Value::Null,
            };
            let facts = json!({
                "player": self.player.to_string(),
                "sfen": self.sfen.to_string(),
                "visited": visited,
                "seconds": seconds,
                "expansions": view.expansions,
                "size": view.size,
                "bytes_per_node": view.bytes_per_node,
                "best": best,
                "nodes": tree_text::json(&view),
            });
            target.write((serde_json::to_string(&facts)? + "\n").as_bytes(), existing)?;
        }
        if is_printed {
            return Ok(());
        }
        output::print(&tree_text::text(&view, &heading))
    }
}
