//! `yomi tune kinds`: what kinds of move take from the depth, learned while playing.

use std::fmt::Write as _;

use clap::Args;
use contract::params::Words;
use engine::{OwnSpec, PlayerSpec};
use lab::tune::kinds::{self, KindsManifest, KindsResult, KindsTuning, Target};
use runs::Header;

use crate::command_line::{bad_value, whole_number};
use crate::game_input::GameInput;
use crate::progress::LateBar;
use crate::run_output::RunOutput;

/// Learn while playing what kinds of move should take from the depth.
///
/// Every move takes a ply from the depth that is left, or what its kind costs: less, and it is looked at deeper. After each
/// own move the position is searched again with each cost shifted a little and, for comparison, a ply deeper; the costs follow
/// what would have brought the value nearer to the deeper one. A game begins with the costs that the last one ended with.
///
/// Kinds: drop, board; capture, quiet; check, no_check; losing; each also by piece (drop.gold), captures by the piece taken
/// too (taken.rook). The folder keeps manifest.json, updates.jsonl, costs.svg and result.json; the same command goes on
/// after any crash and loses the game under way.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TuneKinds {
    /// The player that learns: alpha-beta with a depth_limit of its own
    #[arg(long, value_name = "SPEC", default_value = PAPER)]
    player: PlayerSpec,

    /// Whom it plays
    #[arg(long, value_name = "SPEC", default_value = PAPER)]
    opponent: PlayerSpec,

    /// A kind whose cost is learned; more than one if given again
    #[arg(long = "kind", value_name = "KIND", required = true)]
    kinds: Vec<String>,

    /// Updates of the costs
    #[arg(long, value_name = "N", default_value = "9000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    updates: u64,

    /// The step size; values are chances to win, from 0 to 1
    #[arg(long, value_name = "ALPHA", default_value = "0.2", value_parser = positive)]
    alpha: f64,

    /// The shift of a cost whose effect is looked at, in plies
    #[arg(long, value_name = "DELTA", default_value = "0.1", value_parser = positive)]
    delta: f64,

    /// What values are drawn to: deeper, a search one ply deeper; next, the value at the next own move
    #[arg(long, value_name = "TARGET", default_value = "deeper", value_parser = target)]
    target: Target,

    /// End lines at the player's own leaf_depth, as the paper does: then small shifts rarely change anything
    #[arg(long)]
    no_dither: bool,

    /// After this ply a game is a draw
    #[arg(long, value_name = "PLY", default_value = "300", value_parser = whole_number(1..=10_000))]
    max_moves: u32,

    #[command(flatten)]
    input: GameInput,

    #[command(flatten)]
    output: RunOutput,
}

/// The player of the paper: plain alpha-beta of depth 2 that looks at the exchange on the last square.
const PAPER: &str = "alphabeta(eval=material, plain=1, quiescence_exchange=1, leaf_depth=1, depth_limit=2, \
                     nodes_limit=60000, hash=1, mate_search=false)";

const EXAMPLES: &str = "\
Examples:
  yomi tune kinds --kind drop --kind board --out runs/drops
  yomi tune kinds --kind capture --kind quiet --updates 2000 --out runs/captures
  yomi tune kinds --kind check --kind no_check --target next --out runs/checks
  yomi match --player 'alphabeta(kinds=capture=80;drop=110)' --player alphabeta --nodes 5000 --games 100";

impl TuneKinds {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.output.out.is_none() {
            return Err(wrong("a tuning is long: say --out DIR to keep it").into());
        }
        let (player, opponent) = (own(&self.player)?, own(&self.opponent)?);
        kinds::check_names(&self.kinds).map_err(wrong)?;
        let openings = self.input.openings("tune")?;
        let manifest = KindsManifest {
            header: Header::of_this_program(KindsManifest::KIND),
            player: player.to_string(),
            opponent: opponent.to_string(),
            kinds: self.kinds.clone(),
            updates: self.updates,
            alpha: self.alpha,
            delta: self.delta,
            target: self.target,
            dither: !self.no_dither,
            max_moves: self.max_moves as u16,
            openings: openings.facts,
            seed: self.input.seed,
        };
        let folder = self.output.open_prolonged(&manifest, Some("updates"))?;
        let tuning =
            KindsTuning { manifest: &manifest, player, opponent, openings: &openings.all, dir: &folder.dir };
        let bar = LateBar::new();
        bar.expect(self.updates as usize);
        let mut shown = tuning.before()?;
        (0..shown).for_each(|_| bar.advance());
        let result = tuning.run(&mut |done| {
            (shown..done).for_each(|_| bar.advance());
            shown = done;
        })?;
        bar.finish();
        folder.dir.write_json("result.json", &result)?;
        let chart = kinds::chart(&folder.dir, &self.kinds)?;
        folder.dir.write("costs.svg", chart.to_file().as_bytes())?;
        self.output.print(&result, || summary(&result))?;
        folder.say_how_to_go_on();
        Ok(())
    }
}

/// A player of ours that looks to a depth of its own.
fn own(spec: &PlayerSpec) -> Result<&OwnSpec, clap::Error> {
    let PlayerSpec::Own(own) = spec else {
        return Err(wrong("only players of our own can be asked for values of a depth"));
    };
    let has_depth = own.said("depth_limit").is_some_and(|depth| depth != "0");
    if has_depth {
        Ok(own)
    } else {
        Err(wrong(format!("{own} has no depth_limit: say to which depth it looks")))
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| format!("expected a number above 0, found '{text}'"))
}

fn target(text: &str) -> Result<Target, String> {
    Target::of_word(text)
        .ok_or_else(|| format!("expected one of {}, found '{text}'", Target::words().join(", ")))
}

fn wrong(message: impl std::fmt::Display) -> clap::Error {
    bad_value("tune", message)
}

fn summary(result: &KindsResult) -> String {
    let mut text = format!("updates  {} of {} in {} games\n", result.updates, result.of, result.games);
    for (kind, cost) in &result.costs {
        let _ = writeln!(text, "{kind:<22} {cost:>6.3} plies");
    }
    text + &format!("player   {}\n", result.player)
}
