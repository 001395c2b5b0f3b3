//! `yomi tune`: parameters of a method, by games.

use std::fmt::Write as _;

use clap::Args;
use engine::{Defaults, MethodSpec, ParameterFacts, PlayerSpec};
use lab::matches::{Adjudication, Conditions, TimeControl};
use lab::tune::{Spsa, SpsaParam, TuneManifest, Tuning};
use runs::Header;
use search::params::Kind;
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

    /// List the parameters of the player's method
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
  yomi tune --list --player softmax
  yomi tune --param rfp_margin --param lmr_scale=300..600 --steps 20000 --concurrency 8 --out runs/tune-1
  yomi tune --player 'softmax(hash=64)' --param T=10..80 --param step=0.02..0.5 --nodes 20000 --out runs/tune-2
  yomi match --player alphabeta --player 'alphabeta(rfp_margin=97, lmr_scale=488)' --sprt=0,5 --tc 10+0.1";

/// How far a parameter is moved at the end: a twentieth of its range; whole numbers by one at least, others by at most
/// a quarter of where they start, since their ranges may span powers of ten.
const STEPS_IN_RANGE: f64 = 20.0;
const LARGEST_PART: f64 = 0.25;

impl Tune {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(player) = &self.player else {
            return Err(wrong("only players of our own have a table of parameters").into());
        };
        if self.list {
            return output::print(&list(&player.method));
        }
        if self.output.out.is_none() {
            return Err(wrong("a tuning is long: say --out DIR to keep it").into());
        }
        let params =
            self.params.iter().map(|text| spsa_param(text, &player.method)).collect::<Result<Vec<_>, _>>()?;
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
            .params()
            .iter()
            .zip(spsa.values())
            .map(|(param, value)| (param.name.clone(), json!(value)))
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
            declaration: shogi::DeclarationRule::default(),
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

/// A parameter of the method, perhaps within a narrower range.
fn spsa_param(text: &str, method: &MethodSpec) -> Result<SpsaParam, clap::Error> {
    let (name, range) = text.split_once('=').map_or((text, None), |(name, range)| (name, Some(range)));
    let known = method
        .parameter(name)
        .ok_or_else(|| wrong(format!("{} has no parameter '{name}'; --list lists them", method.name())))?;
    let (Some((least, most)), Ok(value)) = (known.kind.range(), known.value.parse::<f64>()) else {
        return Err(wrong(format!("{name} takes {}: only numbers can be tuned", known.kind.expected())));
    };
    let (mut min, mut max) = (least, most);
    if let Some(range) = range {
        let ends = range.split_once("..").and_then(|(a, b)| Some((end(&known, a)?, end(&known, b)?)));
        (min, max) = ends.filter(|(a, b)| least <= *a && a < b && *b <= most).ok_or_else(|| {
            wrong(format!("{name}: expected a range within {least}..{most}, found '{range}'"))
        })?;
    }
    let start = value.clamp(min, max);
    let part = (max - min) / STEPS_IN_RANGE;
    let c_end = match known.kind {
        Kind::Integer { .. } => part.max(1.0),
        _ if start == 0.0 => part,
        _ => part.min(start.abs() * LARGEST_PART),
    };
    Ok(SpsaParam { name: known.name.to_owned(), start, min, max, c_end })
}

/// An end of a range, whole if the parameter is.
fn end(parameter: &ParameterFacts, text: &str) -> Option<f64> {
    let number: f64 = text.trim().parse().ok()?;
    let whole = matches!(parameter.kind, Kind::Integer { .. });
    (number.is_finite() && (!whole || number.fract() == 0.0)).then_some(number)
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

fn summary(spsa: &Spsa, done: u64, steps: u64, spec: &str) -> String {
    let mut text = format!("steps    {done} of {steps}\n");
    for (param, value) in spsa.params().iter().zip(spsa.values()) {
        let digits = if param.c_end < 1.0 { 4 } else { 1 };
        let _ = writeln!(text, "{:<22} {:>8.digits$} from {}", param.name, value, param.start);
    }
    text + &format!("player   {spec}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, method: &str) -> Result<SpsaParam, String> {
        spsa_param(text, &MethodSpec::named(method).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_of_all_methods_are_read_with_a_sensible_step() {
        let margin = read("RFP_margin=60..160", "alphabeta").unwrap();
        assert_eq!(
            (margin.name.as_str(), margin.min, margin.max, margin.c_end),
            ("rfp_margin", 60.0, 160.0, 5.0)
        );
        assert_eq!(read("plain", "alphabeta").unwrap().c_end, 1.0);
        let temperature = read("T", "softmax").unwrap();
        assert_eq!((temperature.start, temperature.c_end), (20.0, 5.0));
        let step = read("step=0.02..0.5", "softmax").unwrap();
        assert!((step.c_end - 0.024).abs() < 1e-9, "{step:?}");
        assert_eq!(read("qdepth", "uct").unwrap().max, 32.0);
    }

    #[test]
    fn refusals_say_what_would_be_right() {
        for (text, method, expected) in [
            ("T", "alphabeta", "alphabeta has no parameter 'T'; --list lists them"),
            ("decide", "mcss", "decide takes one of pv0, pv1, pv2, pv3: only numbers can be tuned"),
            ("rfp_margin=60.5..90", "alphabeta", "expected a range within 10..400, found '60.5..90'"),
            ("T=90..10", "softmax", "expected a range within 1..5000, found '90..10'"),
        ] {
            let error = read(text, method).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
