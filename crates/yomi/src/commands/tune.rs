//! `yomi tune`: parameters of a method, by games.

use std::fmt::Write as _;

use clap::{Args, Subcommand};
use engine::{Defaults, MethodSpec, ParameterFacts, PlayerSpec};
use lab::matches::{Adjudication, Conditions, ResignRule, TimeControl};
use lab::tune::{Spsa, SpsaParam, TuneManifest, TuneResult, Tuning, USUAL_RATE};
use runs::Header;

use super::tune_kinds::TuneKinds;
use super::tune_screen::TuneScreen;
use crate::command_line::{bad_value, whole_number};
use crate::game_input::GameInput;
use crate::output;
use crate::progress::LateBar;
use crate::run_output::RunOutput;

/// Tune parameters of a player by games against itself (SPSA).
///
/// In each step all parameters are moved at random, and the player meets the one moved the other way, in a pair of
/// games; what won is followed a little. The result is a spec to be tested: 'yomi match --sprt' has the last word.
/// The folder keeps manifest.json, steps.jsonl and result.json; the same command goes on after any crash.
#[derive(Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Tune {
    #[command(subcommand)]
    way: Option<Way>,

    /// The player
    #[arg(long, value_name = "SPEC", default_value = "alphabeta(hash=8)")]
    player: PlayerSpec,

    /// A parameter, perhaps with the range to stay in: static_cut_z, static_cut_z=60..160
    #[arg(long = "param", value_name = "NAME[=MIN..MAX]")]
    params: Vec<String>,

    /// List the parameters of the player's method
    #[arg(long)]
    list: bool,

    /// Steps, a pair of games each
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    steps: u64,

    /// How far a half point moves a parameter in the end, in twentieths of its range: 0.002 for ten thousand steps, more
    /// for fewer
    #[arg(long, value_name = "SHARE", default_value_t = USUAL_RATE, value_parser = share)]
    rate: f64,

    #[command(flatten)]
    measure: Measure,

    #[command(flatten)]
    input: GameInput,

    #[command(flatten)]
    output: RunOutput,
}

/// How long games take.
#[derive(Args)]
pub(super) struct Measure {
    /// A side with a value of -CP or less for MOVES of its moves has lost
    #[arg(long, value_name = "CP,MOVES")]
    resign: Option<ResignRule>,

    /// Nodes for each move; 5000 if nothing is said about time
    #[arg(long, value_name = "N", group = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Milliseconds for each move
    #[arg(long, value_name = "MS", group = "time", value_parser = whole_number(1..=86_400_000))]
    time_ms: Option<u32>,

    /// Seconds for the game, and seconds added after each move
    #[arg(long, value_name = "BASE+INC", group = "time")]
    tc: Option<TimeControl>,
}

/// Other ways to tune.
#[derive(Subcommand)]
enum Way {
    Kinds(TuneKinds),
    Screen(TuneScreen),
}

const EXAMPLES: &str = "\
Examples:
  yomi tune --list --player softmax
  yomi tune --param static_cut_z --param reduce_slope=2..20 --steps 20000 --concurrency 8 --out runs/tune-1
  yomi tune --player 'softmax(hash=64)' --param T=10..80 --param step=0.02..0.5 --nodes 20000 --out runs/tune-2
  yomi match --player alphabeta --player 'alphabeta(static_cut_z=97, reduce_slope=6)' --sprt=0,5 --tc 10+0.1";

impl Tune {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.way {
            Some(Way::Kinds(kinds)) => return kinds.run(),
            Some(Way::Screen(screen)) => return screen.run(),
            None => {}
        }
        let PlayerSpec::Own(player) = &self.player else {
            return Err(wrong("only players of our own have a table of parameters").into());
        };
        if self.list {
            return output::print(&list(&player.method));
        }
        if self.output.out.is_none() {
            return Err(wrong("a tuning is long: say --out DIR to keep it").into());
        }
        let params: Result<Vec<_>, _> =
            self.params.iter().map(|text| SpsaParam::read(text, &player.method)).collect();
        let params = params.map_err(wrong)?;
        if params.is_empty() {
            return Err(wrong("nothing to tune: say --param NAME; --list lists them").into());
        }
        let openings = self.input.openings("tune")?;
        let manifest = TuneManifest {
            header: Header::of_this_program(TuneManifest::KIND),
            player: self.player.to_string(),
            resolved: player.resolve(&Defaults::matches()).to_string(),
            params,
            steps: self.steps,
            rate: self.rate,
            batch: self.input.concurrency.into(),
            conditions: self.measure.conditions(),
            openings: openings.facts,
            seed: self.input.seed,
        };
        let folder = self.output.open(&manifest)?;
        let tuning = Tuning { manifest: &manifest, player, openings: &openings.all, dir: &folder.dir };
        let bar = LateBar::new();
        bar.expect(self.steps as usize);
        let (_, before) = tuning.so_far()?;
        let mut shown = before;
        let spsa = tuning.run(&mut |done, _| {
            (shown..done).for_each(|_| bar.advance());
            shown = done;
        })?;
        bar.finish();
        let result = tuning.result(&spsa)?;
        folder.dir.write_json("result.json", &result)?;
        self.output.print(&result, || summary(&spsa, &result))?;
        folder.say_how_to_go_on();
        Ok(())
    }
}

impl Measure {
    /// The conditions of the games.
    pub(super) fn conditions(&self) -> Conditions {
        let time = match (self.time_ms, self.tc) {
            (Some(ms), _) => TimeControl::PerMove(ms.into()),
            (None, Some(clock)) => clock,
            (None, None) => TimeControl::Nodes(self.nodes.unwrap_or(5000)),
        };
        let adjudication = Adjudication { resign: self.resign, ..Adjudication::default() };
        Conditions { adjudication, ..Conditions::usual(time, 2) }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("expected a number from 0 to 1, found '{text}'"))
}

pub(super) fn wrong(message: impl std::fmt::Display) -> clap::Error {
    bad_value("tune", message)
}

fn list(method: &MethodSpec) -> String {
    let mut text = String::new();
    for ParameterFacts { name, meaning, default, kind, .. } in method.parameters() {
        if let Some((min, max)) = kind.range() {
            let _ = writeln!(text, "{name:<22} {default:>6}  {:<16} {meaning}", format!("{min}..{max}"));
        }
    }
    text
}

fn summary(spsa: &Spsa, result: &TuneResult) -> String {
    let mut text = format!("steps    {} of {}\n", result.steps, result.of);
    for (param, value) in spsa.params().iter().zip(spsa.values()) {
        let digits = if param.c_end < 1.0 { 4 } else { 1 };
        let _ = writeln!(text, "{:<22} {:>8.digits$} from {}", param.name, value, param.start);
    }
    text + &format!("player   {}\n", result.player)
}
