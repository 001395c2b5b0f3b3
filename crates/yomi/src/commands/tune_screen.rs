//! `yomi tune screen`: what many parameters are worth, all by the same games.

use std::fmt::Write as _;

use clap::Args;
use engine::{Defaults, PlayerSpec};
use lab::tune::screen::{Effect, Factor, ScreenManifest, ScreenResult, Screening};
use runs::Header;

use super::tune::{Measure, wrong};
use crate::game_input::GameInput;
use crate::progress::LateBar;
use crate::run_output::RunOutput;

/// Find out which parameters matter, and which way: all of them by the same games.
///
/// Every factor is a parameter with two values. In each pair of games one player gets the first value and the other the
/// second, by chance for each factor; whoever has the second value of a good one wins more, whatever else was drawn. So a
/// thousand games tell of twenty factors what a thousand games of a match would tell of one. Switches are factors like others.
///
/// Effects are those of a change from the first value to the second, in the company of all others. Of twenty factors that
/// do nothing one looks like something at the five percent level: what wins is to be tested by 'yomi match'. The folder keeps
/// manifest.json, steps.jsonl and result.json; the same command goes on after any crash, and with more --pairs it prolongs.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TuneScreen {
    /// The player
    #[arg(long, value_name = "SPEC", default_value = "alphabeta(hash=8)")]
    player: PlayerSpec,

    /// A parameter and two values that meet: null_z=0..60; with one value, from where it stands: check_gain=16
    #[arg(long = "factor", value_name = "NAME=FROM..TO", required = true)]
    factors: Vec<String>,

    /// Pairs of games
    #[arg(long, value_name = "N", default_value = "2000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: u64,

    #[command(flatten)]
    measure: Measure,

    #[command(flatten)]
    input: GameInput,

    #[command(flatten)]
    output: RunOutput,
}

const EXAMPLES: &str = "\
Examples:
  yomi tune screen --factor null_z=-20..40 --factor check_gain=16 --factor iir=32..96 --pairs 1000 --out runs/screen-1
  yomi tune screen --player 'softmax(hash=64)' --factor T=15..30 --nodes 20000 --concurrency 2 --out runs/screen-2
  yomi match --player 'alphabeta(null_z=30)' --player alphabeta --nodes 5000 --games 400";

impl TuneScreen {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(player) = &self.player else {
            return Err(wrong("only players of our own have a table of parameters").into());
        };
        if self.output.out.is_none() {
            return Err(wrong("a screening is long: say --out DIR to keep it").into());
        }
        let read = |text: &String| Factor::read(text, &player.method);
        let factors = self.factors.iter().map(read).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        let openings = self.input.openings("tune")?;
        let manifest = ScreenManifest {
            header: Header::of_this_program(ScreenManifest::KIND),
            player: self.player.to_string(),
            resolved: player.resolve(&Defaults::matches()).to_string(),
            factors,
            pairs: self.pairs,
            conditions: self.measure.conditions(),
            openings: openings.facts,
            seed: self.input.seed,
        };
        let folder = self.output.open_prolonged(&manifest, Some("pairs"))?;
        let screening = Screening {
            manifest: &manifest,
            player,
            openings: &openings.all,
            dir: &folder.dir,
            concurrency: self.input.concurrency as usize,
        };
        let bar = LateBar::new();
        bar.expect(self.pairs as usize);
        screening.so_far()?.iter().for_each(|_| bar.advance());
        let result = screening.run(&mut |_| bar.advance())?;
        bar.finish();
        folder.dir.write_json("result.json", &result)?;
        self.output.print(&result, || summary(&result))?;
        folder.say_how_to_go_on();
        Ok(())
    }
}

fn summary(result: &ScreenResult) -> String {
    let mut text = format!("pairs    {} of {}\n", result.pairs, result.of);
    for Effect { factor, elo, error, p } in &result.effects {
        let change = format!("{} to {}", factor.from, factor.to);
        let _ = writeln!(text, "{:<22} {change:<14} {elo:>+7.1} ± {error:.1} Elo, p = {p:.3}", factor.name);
    }
    text
}
