//! `yomi analyse`: what every move of a game was worth.

mod games;
mod json;
mod results;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueHint};
use contract::{Effort, LogisticScale};
use engine::analysis::{self, Analysis, Plan, annotated};
use engine::{Agent, Defaults, Nets, PlayerSpec};
use games::Found;
use plot::GameGraph;
use records::convert::FileFormat;
use records::text::{Format, write_game};
use results::Results;

use crate::command_line::{bad_value, whole_number};
use crate::output::note;
use crate::progress::LateBar;
use crate::target::{Force, Target};
use crate::{analysis_text, game_text, interrupt, output};

/// Search every position of games: values, best lines, and what each move cost.
///
/// The cost is the part of the mover's win rate that the move gave away, where the win rate is
/// 1 / (1 + exp(-cp / SCALE)) and a forced mate is certain ('yomi fit' finds the scale of a player). From 5 % it is an inaccuracy, from 10 % dubious, from
/// 20 % a mistake, from 50 % a blunder. The last position is searched first: what is found there serves the
/// earlier ones. A move that is not the best is searched again beside it, for as long as before, so that both are judged
/// alike. All values are as Black sees them. Ctrl-C ends with what is known by then.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Analyse {
    /// Files of games, or folders of them; - is standard input
    #[arg(value_name = "RECORD", required = true, value_hint = ValueHint::AnyPath)]
    records: Vec<PathBuf>,

    /// The player that judges
    #[arg(long, value_name = "SPEC", default_value = "alphabeta")]
    player: PlayerSpec,

    /// Nodes to search for each position; 100000 if no limit is given
    #[arg(long, value_name = "NODES", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth to search each position to
    #[arg(long, value_name = "PLIES", group = "limit", value_parser = whole_number(1..=100))]
    depth: Option<u32>,

    /// Milliseconds to search each position for
    #[arg(long, value_name = "MS", group = "limit", value_parser = whole_number(1..=u32::MAX))]
    time_ms: Option<u32>,

    /// Which game of the file, from 1; all of them unless given
    #[arg(long, value_name = "NUMBER", value_parser = whole_number(1..=u32::MAX))]
    game: Option<u32>,

    /// The format of the files; by their names or their text unless given
    #[arg(long, value_name = "FORMAT", value_parser = FileFormat::of_name)]
    from: Option<FileFormat>,

    /// Only these moves, as 40-60, 40- or 40
    #[arg(long, value_name = "FIRST-LAST", default_value = "1-", hide_default_value = true, value_parser = read_plies)]
    plies: RangeInclusive<usize>,

    /// How many of the best moves to list for each position
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=100))]
    candidates: u32,

    /// Logistic scale of win rates in centipawns; that of the player unless given
    #[arg(long, value_name = "CP", value_parser = read_scale)]
    scale: Option<LogisticScale>,

    /// Write the games with values, lines and comments to this file (.csa .kif .kifu .ki2 .ki2u .jkf); a folder gets a
    /// file for each game; - is standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    out: Option<Target>,

    /// The format of --out; by its extension unless given
    #[arg(long, value_name = "FORMAT", value_parser = FileFormat::of_name, requires = "out")]
    to: Option<FileFormat>,

    /// Draw the course of the game to this file; a folder gets one for each game; - is standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    svg: Option<Target>,

    /// Write the game to this file as a page for browsers, to step through and to learn from; a folder gets one for each
    /// game; - is standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    html: Option<Target>,

    #[command(flatten)]
    force: Force,

    /// Print JSON instead of text, an object in a line for each game
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi analyse game.kif
  yomi analyse game.csa --time-ms 1000 --out game.analysed.kifu --svg game.svg
  yomi analyse game.kif --html game.html             a page to send to a friend
  yomi analyse games.csa --game 3 --player 'alphabeta(net=nn.bin, threads=4)' --nodes 1000000
  yomi analyse game.kif --plies 40-60 --candidates 3
  yomi analyse records/ --out analysed/ --to kifu";

/// Enough to see what was overlooked, in a minute for a long game.
const DEFAULT_NODES: u64 = 100_000;

fn read_scale(text: &str) -> Result<LogisticScale, String> {
    text.parse().ok().and_then(LogisticScale::new).ok_or_else(|| "expected a number above 0".to_owned())
}

fn read_plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let last = if last.is_empty() { Ok(usize::MAX) } else { last.trim().parse() };
    match (first.trim().parse(), last) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("expected FIRST-LAST, as 40-60, counted from 1".to_owned()),
    }
}

/// What is made of each game.
struct Outputs {
    records: Option<(Results, Format)>,
    pictures: Option<Results>,
    pages: Option<Results>,
    /// Whether text is printed: not if one of the others goes to standard output.
    is_told: bool,
}

impl Analyse {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(spec) = &self.player else {
            return Err(wrong("only players of our own can analyse").into());
        };
        let format = self.check_targets()?;
        let (games, refused) = games::find(&self.records, self.from, self.game.map(u64::from))?;
        let mut outputs = self.begin(format, &games)?;
        let mut agent = Agent::new(&spec.resolve(&Defaults::analysis()), &mut Nets::default())?;
        let plan = Plan {
            candidates: self.candidates as usize,
            plies: self.plies.clone(),
            ..Plan::new(self.effort(), self.scale.unwrap_or(agent.scale()))
        };
        interrupt::take_over()?;
        let bar = LateBar::new();
        bar.expect(games.iter().map(|found| plan.plies_of(&found.game).count() + 1).sum());
        for found in &games {
            let result =
                analysis::run(&mut agent, &found.game, &plan, &runs::is_interrupted, &mut || bar.advance());
            let analysis = result.inspect_err(|_| bar.finish())?;
            if runs::is_interrupted() {
                bar.finish();
                say_what_is_missing(found, &games, &plan, &analysis);
            }
            bar.suspend(|| self.give(found, &games, &analysis, &mut outputs))?;
            if runs::is_interrupted() {
                break;
            }
        }
        bar.finish();
        let existing = self.force.existing();
        outputs.records.map_or(Ok(()), |(results, _)| results.complete(existing))?;
        for results in [outputs.pictures, outputs.pages].into_iter().flatten() {
            results.complete(existing)?;
        }
        anyhow::ensure!(refused == 0, "{refused} refused");
        Ok(())
    }

    fn begin(&self, format: Option<Format>, games: &[Found]) -> anyhow::Result<Outputs> {
        let existing = self.force.existing();
        let records = match self.out.as_ref().zip(format) {
            Some((target, format)) => Some((Results::records(target, format, games, existing)?, format)),
            None => None,
        };
        let pictures =
            self.svg.as_ref().map(|target| Results::pictures(target, games, existing)).transpose()?;
        let pages = self.html.as_ref().map(|target| Results::pages(target, games, existing)).transpose()?;
        let is_told =
            ![&self.out, &self.svg, &self.html].into_iter().flatten().any(|target| target.path().is_none());
        Ok(Outputs { records, pictures, pages, is_told })
    }

    /// Gives out what was found about a game.
    fn give(
        &self,
        found: &Found,
        games: &[Found],
        analysis: &Analysis,
        outputs: &mut Outputs,
    ) -> anyhow::Result<()> {
        if analysis.reviews.is_empty() {
            return Ok(());
        }
        let game = &found.game;
        let heading = format!("{}, {} for each position", self.player, analysis_text::effort(self.effort()));
        if let Some((results, format)) = &mut outputs.records {
            results.take(found, &write_game(&annotated(game, analysis, &heading), *format))?;
        }
        if let Some(results) = &mut outputs.pictures {
            results.take(found, GameGraph { game, analysis }.to_file().as_bytes())?;
        }
        if let Some(results) = &mut outputs.pages {
            results.take(found, web::report_page(game, analysis, &heading).as_bytes())?;
        }
        if !outputs.is_told {
            return Ok(());
        }
        output::print(&if self.json {
            serde_json::to_string(&json::of(self, found, analysis))? + "\n"
        } else {
            let (table, summary) = (analysis_text::table(analysis), analysis_text::summary(analysis));
            let name = if games.len() > 1 {
                format!("{}, game {}\n", found.record, found.number)
            } else {
                String::new()
            };
            let end = if games.len() > 1 { "\n" } else { "" };
            format!("{name}{}{table}\n{summary}{end}", game_text::header(game))
        })
    }

    fn effort(&self) -> Effort {
        match (self.nodes, self.depth, self.time_ms) {
            (_, Some(depth), _) => Effort::Depth(depth),
            (_, _, Some(ms)) => Effort::Time(Duration::from_millis(ms.into())),
            (nodes, None, None) => Effort::Nodes(nodes.unwrap_or(DEFAULT_NODES)),
        }
    }

    /// The format to write. Whatever would go wrong after the long work is found before it.
    fn check_targets(&self) -> Result<Option<Format>, clap::Error> {
        for path in [&self.out, &self.svg, &self.html].into_iter().flatten().filter_map(Target::path) {
            if self.records.iter().any(|record| is_same(path, record) && !path.is_dir()) {
                return Err(wrong(format!("{} is the record itself", path.display())));
            }
        }
        let pairs = [("--out", &self.out), ("--svg", &self.svg), ("--html", &self.html)];
        for (index, (name, target)) in pairs.iter().enumerate() {
            let same = pairs[..index].iter().find(|(_, other)| target.is_some() && other == target);
            if let Some((other, _)) = same.filter(|_| target.as_ref().and_then(results::folder).is_none()) {
                return Err(wrong(format!("{other} and {name} name the same file")));
            }
        }
        let Some(out) = &self.out else { return Ok(None) };
        let found = match self.to {
            Some(FileFormat::Text(format)) => Some(format),
            Some(format) => {
                return Err(wrong(format!("{format} has no room for comments; use csa, kif, kifu or jkf")));
            }
            None => out.path().and_then(Format::of_path),
        };
        match (found, out.path()) {
            (Some(Format::Usi), _) => {
                Err(wrong("USI files have no room for values; use .csa, .kif, .kifu or .jkf"))
            }
            (Some(format), _) => Ok(Some(format)),
            (None, None) => Err(wrong("standard output has no extension; name a format, as --to kifu")),
            (None, Some(path)) => Err(wrong(format!(
                "{}: expected a .csa, .kif, .kifu or .jkf file, or a format, as --to kifu",
                path.display()
            ))),
        }
    }
}

/// After Ctrl-C: how to have the rest.
fn say_what_is_missing(found: &Found, games: &[Found], plan: &Plan, analysis: &Analysis) {
    let first = *plan.plies.start();
    if analysis.skipped >= first {
        let rest = format!("--plies {first}-{}", analysis.skipped);
        let game = if found.is_only { String::new() } else { format!(" --game {}", found.number) };
        note(&format!("stopped; '{rest}{game}' does the rest of {}", found.record));
    }
    let later = games.iter().skip_while(|later| !std::ptr::eq(*later, found)).count() - 1;
    if later > 0 {
        note(&format!("stopped before {later} more games"));
    }
}

fn wrong(message: impl std::fmt::Display) -> clap::Error {
    bad_value("analyse", message)
}

/// Whether two names lead to one file that exists.
fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
