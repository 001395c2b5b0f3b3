//! `yomi learn loop`: turn after turn of games, data, training and match.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};
use contract::Effort;
use engine::{OwnSpec, PlayerSpec};
use lab::matches::{Conditions, Entrant, ResignRule, TimeControl, preflight};
use lab::stats::Sprt;
use learn::data::{self, Filter, Origin, Scores};
use learn::nnue::{self, Arch};
use learn::selfplay;
use learn::turns::{ContestTerms, History, Manifest, NetId, SelfPlayTerms, Stage, TurnRow, Turns, Watch};
use runs::{Header, OpeningFacts, OpeningSet, RunDir, fingerprint};

use super::data::{Meter as DataMeter, plies, share};
use super::learn::{LearningInput, Meter as TrainingMeter, within};
use super::match_games::error_rate;
use super::net_match::NetMatch;
use super::selfplay::Meter as GameMeter;
use crate::command_line::{bad_value, whole_number};
use crate::output::note;
use crate::{interrupt, output};

/// Learn a net turn by turn: games of the best net, data, a candidate, a match, promotion; then the next turn.
///
/// In each turn the best net so far plays --games against itself; their positions become a data set; a net learns from the
/// data of the last --window turns; and it meets the best net in a match that ends as soon as pairs of games decide (SPRT).
/// A candidate that is better by the test becomes the best net, which plays the next turn's games. One that is not stays in
/// its folder, and its turn's data stay in the window. With --with-games there is a turn 0, which learns from games that were
/// there before.
///
/// The folder keeps manifest.json, turns.jsonl, result.json, report.html (the page of its history), nn.bin (the best net, once a
/// candidate has won) and for every turn the runs turn-001/games, data, net-1 and match, as 'yomi selfplay', 'data', 'learn
/// nnue' and 'match' make them. The same command goes on after any crash, at the stage where it was; a file 'stop' in the folder
/// or Ctrl-C ends it in good order, and so do --hours. More --turns and other --hours and --threads go on with the same loop; the
/// rest must stay as it was. The same seed gives the same nets.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct LearnLoop {
    /// The folder of the loop, new or to be continued
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,

    /// Stop after so many hours, in the middle of a turn too; the same command goes on for as long again
    #[arg(long, value_name = "H", value_parser = hours)]
    hours: Option<f64>,

    /// The number of the last turn; without --turns and --hours there is no end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    turns: Option<u64>,

    /// The player; candidates take the place of its net
    #[arg(long, value_name = "SPEC", default_value = "alphabeta")]
    player: PlayerSpec,

    /// The net to begin with; the one inside the program unless given
    #[arg(long, value_name = "NET", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,

    /// Games of before as data of turn 0: .yomi, psv or hcpe files, or folders of them
    #[arg(long, value_name = "PATH", num_args = 1.., value_hint = ValueHint::AnyPath)]
    with_games: Vec<PathBuf>,

    /// Games of a turn
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Nodes for each move of these games
    #[arg(long, value_name = "N", default_value = "250", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// The most plies of their openings that are played at random or after a shallow search
    #[arg(long, value_name = "PLIES", default_value = "20", value_parser = whole_number(0..=200))]
    opening_plies: u32,

    /// How far from even an opening may be
    #[arg(long, value_name = "CP", default_value = "300", value_parser = whole_number(0..=10_000))]
    balance: u32,

    /// After this ply a game is a draw, in matches too
    #[arg(long, value_name = "PLY", default_value = "320", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    max_moves: u16,

    /// Learn from the data of so many turns, the latest ones
    #[arg(long, value_name = "TURNS", default_value = "10", value_parser = clap::value_parser!(u64).range(1..))]
    window: u64,

    /// The share of the games for validation
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = share)]
    validation: f64,

    /// Label positions with a mean of the coming scores and the result, where the weight of scores halves every PLIES
    #[arg(long, value_name = "PLIES", default_value = "12", value_parser = plies)]
    lookahead: f64,

    /// Leave out larger scores
    #[arg(long, value_name = "CP", default_value = "3000", value_parser = clap::value_parser!(i16).range(1..=30_999))]
    max_score: i16,

    /// The net: kp256, zonekp256, halfkp256 or halfkp256f
    #[arg(long, default_value_t = Arch::Kp256)]
    arch: Arch,

    /// Nets to train in each turn, from different seeds; the one with the least loss meets the best net
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=100))]
    candidates: u32,

    /// Times to go through the data, at most
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    epochs: u64,

    /// The share of the label's score in what is learned; the rest is the result's
    #[arg(long, default_value = "1", value_parser = within::<0, 1>)]
    lambda: f64,

    #[command(flatten)]
    how: LearningInput,

    /// Test the candidate's normalised Elo: at most ELO0, or at least ELO1, which promotes it
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", allow_hyphen_values = true)]
    sprt: Sprt,

    /// How often the test may promote wrongly
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = error_rate)]
    alpha: f64,

    /// How often the test may fail to promote wrongly
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = error_rate)]
    beta: f64,

    /// Games of a match at most; a candidate that has not shown by then that it is better is not promoted
    #[arg(long, value_name = "N", default_value = "2000", value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    match_games: u64,

    /// Nodes for each move of a match
    #[arg(long, value_name = "N", default_value = "2000", value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,

    /// Openings of matches, as 'yomi match' takes them; our own balanced ones unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    match_openings: Option<PathBuf>,

    /// In matches a side with a value of -CP or less for MOVES of its moves has lost
    #[arg(long, value_name = "CP,MOVES")]
    resign: Option<ResignRule>,

    /// Games at a time, and threads of training
    #[arg(long, value_name = "T", default_value = "1", value_parser = whole_number(1..=1024))]
    threads: u32,

    /// The seed
    #[arg(long, default_value = "1")]
    seed: u64,

    /// End with one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi learn loop --hours 8 --threads 2 --out runs/loop-1
  yomi learn loop --turns 20 --from nn.bin --games 20000 --nodes 500 --window 5 --out runs/loop-2
  yomi learn loop --turns 1 --with-games runs/games-1 all.yomi --arch zonekp256 --resign 3000,3 --out runs/loop-3
  yomi report runs/loop-0                 the page of a loop, at any time";

fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours| *hours > 0.0 && *hours <= 100_000.0);
    hours.ok_or_else(|| "expected a number of hours above 0, as 0.5 or 8".to_owned())
}

fn wrong(message: impl std::fmt::Display) -> clap::Error {
    bad_value("learn", message)
}

impl LearnLoop {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let began = Instant::now();
        let player = self.start()?;
        let with_games = match self.with_games.as_slice() {
            [] => Vec::new(),
            paths => data::inputs(paths).map_err(wrong)?,
        };
        let openings = match &self.match_openings {
            Some(path) => OpeningSet::read(path).map_err(wrong)?,
            None => OpeningSet::own()?,
        };
        let threads = self.threads as usize;
        let manifest = self.manifest(&player, &with_games, openings.facts)?;
        let mut dir = interrupt::open_run(&self.out, &manifest)?;
        if let Some(hours) = self.hours {
            dir = dir.until(began + Duration::from_secs_f64(3600.0 * hours));
        }
        let turns = Turns {
            manifest: &manifest,
            player: &player,
            arch: self.arch,
            with_games: &with_games,
            dir: &dir,
            last_turn: self.turns,
            threads,
        };
        let mut referee = NetMatch { openings: &openings.all, concurrency: threads };
        let history = turns.run(&mut referee, &mut Meter)?;
        output::print(&if self.json {
            serde_json::to_string(&history.result(&self.out))? + "\n"
        } else {
            text(&history, &dir)
        })?;
        interrupt::say_how_to_go_on(&dir, true);
        Ok(())
    }

    /// The player of the first games, which has sat down once: a net that cannot be loaded is known before the loop begins.
    fn start(&self) -> anyhow::Result<OwnSpec> {
        let PlayerSpec::Own(player) = &self.player else {
            return Err(wrong("only players of our own can play against themselves here").into());
        };
        let mut player = OwnSpec::clone(player);
        if player.said("fv_scale").is_some() {
            let words =
                "fv_scale belongs to one net, and candidates have the usual one: leave it out of --player";
            return Err(wrong(words).into());
        }
        if let Some(net) = &self.from {
            if player.eval.is_some() || player.net.is_some() {
                return Err(wrong(
                    "--player says already what to begin with: leave out eval and net, or --from",
                )
                .into());
            }
            player.net = Some(net.clone());
        }
        let entrant =
            Entrant { name: NetId::Start.to_string(), spec: PlayerSpec::Own(Box::new(player.clone())) };
        preflight(&[entrant], &Conditions::usual(TimeControl::Nodes(self.nodes), 1), 1).map_err(wrong)?;
        Ok(player)
    }

    fn manifest(
        &self,
        player: &OwnSpec,
        with_games: &[Origin],
        openings: OpeningFacts,
    ) -> anyhow::Result<Manifest> {
        let player = PlayerSpec::Own(Box::new(player.clone()));
        let length = |origin: &Origin| (origin.path().display().to_string(), origin.bytes());
        Ok(Manifest {
            header: Header::new(Manifest::KIND),
            player: player.to_string(),
            files: fingerprint::of_player(&player),
            with_games: with_games.iter().map(length).collect(),
            self_play: SelfPlayTerms {
                effort: Effort::Nodes(self.nodes),
                games: self.games,
                opening_plies: self.opening_plies,
                balance: self.balance as i32,
                max_moves: self.max_moves,
            },
            scores: Scores { calibrate: Some(self.how.scale), lookahead: Some(self.lookahead) },
            filter: Filter { max_score: self.max_score, ..Filter::default() },
            validation: self.validation,
            window: self.window,
            candidates: self.candidates,
            arch: self.arch.to_string(),
            training: self.how.settings(self.epochs, self.lambda, self.seed)?,
            contest: ContestTerms {
                nodes: self.match_nodes,
                games: self.match_games,
                max_moves: self.max_moves,
                resign: self.resign.map(|rule| (rule.cp, rule.moves)),
                elo0: self.sprt.elo0,
                elo1: self.sprt.elo1,
                alpha: self.alpha,
                beta: self.beta,
                openings,
            },
            seed: self.seed,
        })
    }
}

/// Says what begins and what came of it, with the progress of the commands in between.
struct Meter;

impl Watch for Meter {
    fn stage(&mut self, turn: u64, stage: Stage) {
        note(&format!("turn {turn}: {stage}"));
    }

    fn games(&mut self, games: u64) -> Box<dyn selfplay::Watch + '_> {
        Box::new(GameMeter::new(games))
    }

    fn data(&mut self, positions: u64) -> Box<dyn data::Watch + '_> {
        Box::new(DataMeter::new(positions))
    }

    fn training(&mut self) -> Box<dyn nnue::Watch + '_> {
        Box::new(TrainingMeter::new())
    }

    fn turn(&mut self, row: &TurnRow) {
        let history = History { turns: vec![row.clone()] };
        note(text_table(&history).trim_end());
    }
}

/// The turns in columns.
fn text_table(history: &History) -> String {
    let head = History::HEAD.map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(history.table()).collect();
    let length = |cell: &String| cell.chars().count();
    let widths: Vec<usize> = (0..History::HEAD.len())
        .map(|column| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

fn text(history: &History, dir: &RunDir) -> String {
    let best = match history.best().file(dir.path()) {
        Some(file) => file.display().to_string(),
        None => "the one that it began with: no candidate has won".to_owned(),
    };
    let table = if history.turns.is_empty() { String::new() } else { text_table(history) + "\n" };
    format!(
        "{table}turns    {}, {} with a better net\nbest     {best}\npage     {}\n",
        history.turns.len(),
        history.promotions(),
        dir.path().join("report.html").display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_above_nothing() {
        assert_eq!(hours("0.5"), Ok(0.5));
        for text in ["0", "-1", "x", "inf", "nan", ""] {
            assert!(hours(text).is_err(), "{text}");
        }
    }
}
