//! `yomi data`: from games to data sets for learning.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use learn::data::{
    self, DataError, Filter, Manifest, Origin, Prepared, Reading, Scores, StatsReport, TRAINING, VALIDATION,
    Watch,
};

use crate::command_line::bad_value;
use crate::progress::StepProgress;
use crate::{interrupt, output};

/// Make a data set for learning out of games and positions: merge, filter, split by game, shuffle.
///
/// Reads games of ours (.yomi), psv and hcpe, single files or whole folders, such as those of 'yomi selfplay'. Positions
/// in check, with a noisy best move (a capture or promotion) or with a mate score are left out unless kept by an option.
/// Whole games go into either the training or the validation set; in psv files a game ends where plies stop counting
/// on, in hcpe files 256 records count as one. Every position comes once, in an order shuffled on disk.
///
/// Every player has its own idea of a centipawn. With --calibrate 600 the scores of each file are stretched or shrunk so
/// that 600 won 73 of 100 of its games: what 'yomi learn' takes a score for. Files of weak or different players need it.
/// With --lookahead a position is labelled with what its player met in the coming plies, not only with what it saw.
///
/// Without --out only the statistics are printed. Games and records that cannot be read are counted, and the exit code is
/// then 1.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Data {
    /// Files or folders
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// The folder for train.psv, validation.psv and stats.json
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,

    /// The share of the games for validation
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = share)]
    validation: f64,

    /// Bring the scores of every file to a scale where CP wins 73 of 100 games, as its results tell
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    calibrate: Option<u16>,

    /// Instead of a score take the lookahead label: a mean of it, the coming ones and the result, where the weight of scores
    /// halves every PLIES; games of ours only
    #[arg(long, alias = "outlook", value_name = "PLIES", value_parser = plies)]
    lookahead: Option<f64>,

    /// Keep positions in check
    #[arg(long)]
    keep_checks: bool,

    /// Keep positions whose best move captures or promotes
    #[arg(long)]
    keep_noisy: bool,

    /// Keep positions whose score is a mate
    #[arg(long)]
    keep_mates: bool,

    /// Of positions in check or with a noisy best move, take the one after that move instead
    #[arg(long)]
    quieten: bool,

    /// Leave out larger scores
    #[arg(long, value_name = "CP", default_value = "3000", value_parser = clap::value_parser!(i16).range(1..=30_999))]
    max_score: i16,

    /// Leave out earlier plies
    #[arg(long, value_name = "PLY", default_value = "1")]
    min_ply: u16,

    /// The seed of split and shuffle
    #[arg(long, default_value = "1")]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi data runs/games-1                                   what is in there
  yomi data runs/games-1 runs/games-2 --calibrate 600 --lookahead 8 --out runs/data-1
  yomi data teacher.psv more.hcpe --quieten --out runs/data-2
  yomi learn nnue --data runs/data-1 --out runs/net-1";

/// Reads a share for validation.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=0.5).contains(share));
    share.ok_or_else(|| "expected a share from 0 to 0.5".to_owned())
}

/// Reads after how many plies a coming score has half the weight.
pub(super) fn plies(text: &str) -> Result<f64, String> {
    let plies = text.parse().ok().filter(|plies| (0.01..=1000.0).contains(plies));
    plies.ok_or_else(|| "expected a number of plies from 0.01 to 1000".to_owned())
}

/// Shows how many positions have been looked at.
pub(super) struct Meter(StepProgress);

impl Meter {
    /// The progress of about so many positions.
    pub(super) fn new(positions: u64) -> Meter {
        Meter(StepProgress::new(positions))
    }
}

impl Watch for Meter {
    fn positions(&mut self, done: u64) {
        self.0.show(done, || "positions".to_owned());
    }
}

impl Data {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let origins = data::inputs(&self.paths).map_err(|error| bad_value("data", error))?;
        let expected = origins.iter().map(Origin::positions).sum();
        let mut meter = Meter::new(expected);
        let Some(out) = &self.out else {
            let (stats, refused) = data::look(&origins, &self.scores(), &self.filter(), &mut meter)?;
            meter.0.finish();
            output::print(&if self.json {
                serde_json::to_string(&stats)? + "\n"
            } else {
                stats_text(&stats) + &refused_text(refused)
            })?;
            anyhow::ensure!(refused == 0, "{refused} games or records refused");
            return Ok(());
        };
        let manifest = Manifest::of(&origins, self.scores(), self.filter(), self.validation, self.seed);
        let dir = interrupt::open_run(out, &manifest)?;
        let prepared = match data::prepare(&manifest, &origins, &dir, &mut meter) {
            Ok(prepared) => prepared,
            Err(error) => {
                // What could not be made is no reason to refuse the corrected command.
                if !matches!(error, DataError::Stopped) {
                    dir.withdraw(&[TRAINING, VALIDATION]);
                }
                return Err(error.into());
            }
        };
        meter.0.finish();
        output::print(&if self.json {
            serde_json::to_string(&prepared)? + "\n"
        } else {
            let Prepared { training, validation, doubles, refused, readings, stats } = &prepared;
            stats_text(stats)
                + &refused_text(*refused)
                + &readings.iter().map(reading_text).collect::<String>()
                + &format!("training     {training}\nvalidation   {validation}\ndoubles      {doubles}\n")
        })?;
        let refused = prepared.refused;
        anyhow::ensure!(
            refused == 0,
            "{refused} games or records refused; the others are in {}",
            out.display()
        );
        Ok(())
    }

    fn scores(&self) -> Scores {
        Scores { calibrate: self.calibrate.map(f64::from), lookahead: self.lookahead }
    }

    fn filter(&self) -> Filter {
        Filter {
            keep_checks: self.keep_checks,
            keep_noisy: self.keep_noisy,
            keep_mates: self.keep_mates,
            quieten: self.quieten,
            max_score: self.max_score,
            min_ply: self.min_ply,
        }
    }
}

fn refused_text(refused: u64) -> String {
    if refused == 0 { String::new() } else { format!("refused      {refused} games or records\n") }
}

fn reading_text((path, reading): &(String, Reading)) -> String {
    let Reading { scale, factor, .. } = reading;
    if *reading == Reading::PLAIN {
        return String::new();
    }
    format!("scale        {scale:.0}, scores times {factor:.3}: {path}\n")
}

fn stats_text(stats: &StatsReport) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let left_out: Vec<String> =
        stats.left_out.iter().map(|(reason, share)| format!("{reason} {}", percent(*share))).collect();
    let sizes: Vec<String> =
        stats.sizes.iter().map(|(from, share)| format!("{from}: {}", percent(*share))).collect();
    let [wins, draws, losses] = stats.results.map(percent);
    format!(
        "games        {}\npositions    {}\nkept         {}\nleft out     {}\n\
         mover        won {wins}, drew {draws}, lost {losses}\nply          {:.1} on average\n\
         score        {:.1} on average, {:.1} in size\nby size      {}\n",
        stats.games,
        stats.positions,
        stats.kept,
        left_out.join(", "),
        stats.mean_ply,
        stats.mean_score,
        stats.mean_size,
        sizes.join(", "),
    )
}
