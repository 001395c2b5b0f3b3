//! `yomi tune`: parameters of a method, by games.

use std::fmt::Write as _;

use clap::Args;
use engine::{MethodSpec, PlayerSpec};
use lab::matches::{Adjudication, Conditions, TimeControl};
use lab::tune::{Dial, Spsa, TuneManifest, Tuning};
use runs::Header;
use search::alphabeta::Params;
use search::params::Parameter;
use serde_json::json;

use crate::command_line::{bad_value, whole_number};
use crate::game_input::GameInput;
use crate::output;
use crate::progress::LateBar;
use crate::run_output::RunOutput;

/// Tune parameters of a player by games against itself (SPSA).
///
/// In each step all parameters are moved by chance, and the player meets the one moved the other way, in a pair of
/// games; what won is followed a little. The result is a spec to be tested: 'yomi match --sprt' has the last word.
/// The folder keeps manifest.json, steps.jsonl and result.json; the same command goes on after any crash.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Tune {
    /// The player
    #[arg(long, value_name = "SPEC", default_value = "alphabeta(hash=8)")]
    player: PlayerSpec,

    /// A parameter, perhaps with the range to stay in: rfp_margin, rfp_margin=60..160
    #[arg(long = "param", value_name = "NAME[=MIN..MAX]")]
    params: Vec<String>,

    /// List the parameters there are
    #[arg(long)]
    list: bool,

    /// Steps, a pair of games each
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    steps: u64,

    /// Nodes for each move; 5000 if nothing is said about time
    #[arg(long, value_name = "N", group = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Milliseconds for each move
    #[arg(long, value_name = "MS", group = "time", value_parser = whole_number(1..=86_400_000))]
    time_ms: Option<u32>,

    /// Seconds for the game, and seconds added after each move
    #[arg(long, value_name = "BASE+INC", group = "time")]
    tc: Option<TimeControl>,

    #[command(flatten)]
    input: GameInput,

    #[command(flatten)]
    output: RunOutput,
}

const EXAMPLES: &str = "\
Examples:
  yomi tune --list
  yomi tune --param rfp_margin --param lmr_scale=300..600 --steps 20000 --concurrency 8 --out runs/tune-1
  yomi match --player alphabeta --player 'alphabeta(rfp_margin=97, lmr_scale=488)' --sprt=0,5 --tc 10+0.1";

/// How far a parameter is moved at the end: a twentieth of its range, but by one at least.
const NUDGES_IN_RANGE: f64 = 20.0;

impl Tune {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.list {
            return output::print(&list());
        }
        let PlayerSpec::Own(player) = &self.player else {
            return Err(wrong("only players of our own have a table of parameters").into());
        };
        let MethodSpec::AlphaBeta(params) = &player.method else {
            return Err(wrong("only alphabeta can be tuned").into());
        };
        if self.output.out.is_none() {
            return Err(wrong("a tuning is long: say --out DIR to keep it").into());
        }
        let dials = self.params.iter().map(|text| dial(text, params)).collect::<Result<Vec<_>, _>>()?;
        if dials.is_empty() {
            return Err(wrong("nothing to tune: say --param NAME; --list lists them").into());
        }
        let openings = self.input.openings("tune")?;
        let manifest = TuneManifest {
            header: Header::of_this_program(TuneManifest::KIND),
            player: self.player.to_string(),
            dials,
            steps: self.steps,
            batch: self.input.concurrency.into(),
            conditions: self.conditions(),
            openings: openings.facts,
            seed: self.input.seed,
        };
        let folder = self.output.open(&manifest)?;
        let tuning = Tuning { manifest: &manifest, player, openings: &openings.all, dir: &folder.dir };
        let bar = LateBar::new();
        bar.expect(self.steps as usize);
        let (_, before) = tuning.so_far()?;
        let mut told = before;
        let spsa = tuning.run(&mut |done, _| {
            (told..done).for_each(|_| bar.advance());
            told = done;
        })?;
        bar.finish();
        let (_, done) = tuning.so_far()?;
        let spec = tuning.moved(spsa.values())?.to_string();
        let values: serde_json::Map<String, serde_json::Value> = spsa
            .dials()
            .iter()
            .zip(spsa.values())
            .map(|(dial, value)| (dial.name.clone(), json!(value)))
            .collect();
        let result = json!({"steps": done, "of": self.steps, "player": spec, "values": values});
        folder.dir.write_json("result.json", &result)?;
        self.output.print(&result, || summary(&spsa, done, self.steps, &spec))?;
        folder.say_how_to_go_on();
        Ok(())
    }

    fn conditions(&self) -> Conditions {
        let time = match (self.time_ms, self.tc) {
            (Some(ms), _) => TimeControl::PerMove(ms.into()),
            (None, Some(clock)) => clock,
            (None, None) => TimeControl::Nodes(self.nodes.unwrap_or(5000)),
        };
        Conditions {
            time,
            odds: vec![1.0; 2],
            declaration: shogi::DeclarationRule::default().to_string(),
            max_moves: 320,
            margin_ms: 200,
            patience_ms: 10_000,
            adjudication: Adjudication::default(),
        }
    }
}

fn wrong(message: impl std::fmt::Display) -> clap::Error {
    bad_value("tune", message)
}

/// A parameter of the table, perhaps within a narrower range.
fn dial(text: &str, params: &Params) -> Result<Dial, clap::Error> {
    let (name, range) = text.split_once('=').map_or((text, None), |(name, range)| (name, Some(range)));
    let known: &Parameter<Params> = Params::TABLE
        .iter()
        .find(|parameter| parameter.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| wrong(format!("there is no parameter '{name}'; --list lists them")))?;
    let (mut min, mut max) = (known.min, known.max);
    if let Some(range) = range {
        let ends = range.split_once("..").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        (min, max) = ends.filter(|(a, b)| known.min <= *a && a < b && *b <= known.max).ok_or_else(|| {
            wrong(format!("{name}: expected a range within {}..{}, found '{range}'", known.min, known.max))
        })?;
    }
    let (min, max) = (f64::from(min), f64::from(max));
    let start = f64::from((known.get)(params)).clamp(min, max);
    let nudge = ((max - min) / NUDGES_IN_RANGE).max(1.0);
    Ok(Dial { name: known.name.to_owned(), start, min, max, nudge })
}

fn list() -> String {
    let mut text = String::new();
    for Parameter { name, meaning, default, min, max, .. } in Params::TABLE {
        let _ = writeln!(text, "{name:<22} {default:>6}  {:<16} {meaning}", format!("{min}..{max}"));
    }
    text
}

fn summary(spsa: &Spsa, done: u64, steps: u64, spec: &str) -> String {
    let mut text = format!("steps    {done} of {steps}\n");
    for (dial, value) in spsa.dials().iter().zip(spsa.values()) {
        let _ = writeln!(text, "{:<22} {:>8.1} from {}", dial.name, value, dial.start);
    }
    text + &format!("player   {spec}\n")
}
