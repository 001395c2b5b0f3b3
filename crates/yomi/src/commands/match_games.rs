//! `yomi match`: games between players until there is a verdict.

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use engine::{Defaults, PlayerSpec};
use lab::matches::{
    Adjudication, Conditions, DrawRule, Entrant, Format, Manifest, Match, MatchError, MatchStats,
    PlayerFacts, Preflight, RecordFormat, ResignRule, TimeControl, preflight,
};
use lab::report::MatchResult;
use lab::stats::Sprt;
use runs::{Header, OpeningFacts};
use shogi::DeclarationRule;

use crate::command_line::{bad_value, whole_number};
use crate::game_input::GameInput;
use crate::live_table::LiveTable;
use crate::run_output::RunOutput;
use crate::{match_text, output};

/// Play games between players, by pairs of reversed colours, until there is a verdict.
///
/// A player is a spec: one of ours, such as 'alphabeta(hash=64)', or any USI engine, 'usi:PATH(Option=value, …)'.
/// Every opening is played twice with colours reversed. The Elo difference comes with the half width of its 95 %
/// interval, found from pairs. With --sprt the match ends as soon as the pairs decide between two hypotheses about
/// the first player's normalised Elo, or undecided when the games run out.
///
/// With --out all is kept in a folder: manifest.json, games.jsonl, records/, result.json and report.html. The same
/// command goes on after any crash or Ctrl-C, and refuses if players, files or conditions have changed; with more
/// --games it prolongs the match, also an undecided --sprt. A file 'stop' in that folder ends the run after the games
/// under way; 'yomi report DIR' writes the report at any time.
///
/// A player that cannot play ends the match with its own words instead of losing all games: one with an option that it
/// does not take, with an error before it is ready, or that loses before it ever moved.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MatchGames {
    /// A player; at least two
    #[arg(long = "player", value_name = "SPEC", required = true)]
    players: Vec<PlayerSpec>,

    /// A short name for a player, in the order of the players; their specs unless given
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,

    /// Games for every two players that meet
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// Milliseconds for each move; 100 if nothing is said about time (sent to programs as byoyomi)
    #[arg(long, value_name = "MS", group = "time", value_parser = whole_number(1..=86_400_000))]
    time_ms: Option<u32>,

    /// Byoyomi in milliseconds, without main time
    #[arg(long, value_name = "MS", group = "time", value_parser = whole_number(1..=86_400_000))]
    byoyomi: Option<u32>,

    /// Seconds for the game, and seconds added after each move
    #[arg(long, value_name = "BASE+INC", group = "time")]
    tc: Option<TimeControl>,

    /// Nodes for each move; with a clock, the most nodes
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth of each move
    #[arg(long, value_name = "PLIES", group = "time", value_parser = whole_number(1..=100))]
    depth: Option<u32>,

    /// A measure for each player, in their order: BASE+INC, time-ms=N, byoyomi=MS, nodes=N or depth=N
    #[arg(long, value_name = "TIMES", group = "time", value_delimiter = ',')]
    times: Vec<TimeControl>,

    /// Let players think on each other's time; players of ours are processes of their own then
    #[arg(long)]
    ponder: bool,

    /// The share of time or nodes that each player gets, in the order of the players
    #[arg(long, value_name = "SHARES", value_delimiter = ',')]
    odds: Vec<f64>,

    #[command(flatten)]
    input: GameInput,

    /// Test the first player's normalised Elo: at most ELO0, or at least ELO1
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// How often the test may accept ELO1 wrongly
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = error_rate)]
    alpha: f64,

    /// How often the test may accept ELO0 wrongly
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = error_rate)]
    beta: f64,

    /// Who meets whom, of more than two players
    #[arg(long, value_enum, default_value = "round-robin")]
    format: FormatName,

    #[command(flatten)]
    output: RunOutput,

    /// After this ply a game is a draw; 0 for never
    #[arg(long, value_name = "PLY", default_value = "320", value_parser = clap::value_parser!(u16).range(0..=10_000))]
    max_moves: u16,

    /// The rule about entered kings
    #[arg(long, value_name = "RULE", default_value = "CSARule27")]
    declaration: DeclarationRule,

    /// By how many milliseconds a clock may be overrun, for what pipes and threads cost
    #[arg(long, value_name = "MS", default_value = "200", value_parser = whole_number(0..=60_000))]
    margin_ms: u32,

    /// After how many milliseconds of silence an engine has stalled
    #[arg(long, value_name = "MS", default_value = "10000", value_parser = whole_number(100..=86_400_000))]
    patience_ms: u32,

    /// A side with a value of -CP or less for MOVES of its moves has lost
    #[arg(long, value_name = "CP,MOVES")]
    resign: Option<ResignRule>,

    /// From PLY on, MOVES moves of both sides with values within CP make a draw
    #[arg(long, value_name = "CP,MOVES,PLY")]
    draw: Option<DrawRule>,

    /// Take mates for played that a search of so many nodes proves
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    prove_mates: Option<u64>,

    /// Run players of ours as processes of their own, over USI
    #[arg(long)]
    processes: bool,

    /// Leave it to the system on which cores games are played
    #[arg(long)]
    no_pin: bool,

    /// Records to keep: csa, kif or none
    #[arg(long, value_name = "FORMAT", default_value = "csa")]
    records: RecordFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    RoundRobin,
    Gauntlet,
}

const EXAMPLES: &str = "\
Examples:
  yomi match --player alphabeta --player 'alphabeta(static_cut_z=90)' --nodes 20000 --games 200
  yomi match --player usi:./new --player usi:./old --tc 10+0.1 --sprt 0,5 --concurrency 8 --out runs/new-old
  yomi match --player alphabeta --player usi:/usr/games/gpsusi --time-ms 500 --odds 1,2
  yomi match --player usi:./new --player usi:./old --name new --name old --times 10+0.1,20+0.2 --ponder
  yomi match --player alphabeta --player softmax --player uct --format gauntlet --games 400 --nodes 5000 --json";

/// Reads how often a test may be wrong.
pub(super) fn error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate < 0.5);
    rate.ok_or_else(|| "expected a number above 0 and below 0.5".to_owned())
}

/// Plays what is left of a match, with a table of how it stands.
pub(super) fn play(game: &Match<'_>) -> Result<MatchStats, MatchError> {
    let (before, _) = Match::stats(game.dir, game.manifest)?;
    let mut live = LiveTable::new(game.manifest, Match::schedule(game.manifest).games(), &before);
    let stats = game.run(&mut live)?;
    live.finish();
    Ok(stats)
}

impl MatchGames {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let entrants = self.entrants()?;
        let openings = self.input.openings("match")?;
        let manifest = self.manifest(&entrants, openings.facts)?;
        let concurrency = self.input.concurrency as usize;
        let Preflight { cores, crowding } =
            preflight(&entrants, &manifest.conditions, concurrency).map_err(wrong)?;
        if let Some(crowding) = crowding {
            output::warn(&crowding.to_string());
        }
        let folder = self.output.open_prolonged(&manifest, Some("games"))?;
        let game = Match {
            manifest: &manifest,
            entrants: &entrants,
            openings: &openings.all,
            dir: &folder.dir,
            records: if folder.is_kept() { self.records } else { RecordFormat::None },
            concurrency,
            cores: if self.no_pin { Vec::new() } else { cores },
            refuse_idle: true,
        };
        let stats = play(&game)?;
        let total = Match::schedule(&manifest).games();
        let result = MatchResult::new(&manifest, &stats, total);
        if folder.is_kept() {
            lab::report::write(&folder.dir, &result)?;
        }
        self.output.print(&result, || match_text::summary(&manifest, &stats, total))?;
        folder.say_how_to_go_on();
        Ok(())
    }

    fn entrants(&self) -> anyhow::Result<Vec<Entrant>> {
        if self.players.len() < 2 {
            return Err(wrong("a match needs two players: give --player twice or more").into());
        }
        let program = if self.processes || self.ponder {
            Some(std::env::current_exe().context("cannot find this program")?)
        } else {
            None
        };
        let mut entrants = Entrant::of_specs(&self.players, program.as_deref());
        if !self.names.is_empty() {
            let (names, players) = (self.names.len(), self.players.len());
            if names != players {
                return Err(wrong(format!("--name is given {names} times for {players} players")).into());
            }
            if let Some(twice) = (1..names).find(|&i| self.names[..i].contains(&self.names[i])) {
                return Err(wrong(format!("two players are called '{}'", self.names[twice])).into());
            }
            entrants.iter_mut().zip(&self.names).for_each(|(entrant, name)| entrant.name.clone_from(name));
        }
        Ok(if self.ponder { entrants.into_iter().map(Entrant::pondering).collect() } else { entrants })
    }

    fn time(&self) -> TimeControl {
        let per_move = |ms: u32| TimeControl::PerMove(ms.into());
        let choices = [
            self.time_ms.map(per_move),
            self.byoyomi.map(|ms| TimeControl::Byoyomi(ms.into())),
            self.tc,
            self.times.first().copied(),
            self.depth.map(TimeControl::Depth),
            self.nodes.map(TimeControl::Nodes),
        ];
        choices.into_iter().flatten().next().unwrap_or(per_move(100))
    }

    fn conditions(&self) -> anyhow::Result<Conditions> {
        let time = self.time();
        if !self.times.is_empty() && self.times.len() != self.players.len() {
            let (times, players) = (self.times.len(), self.players.len());
            return Err(wrong(format!("--times has {times} measures for {players} players")).into());
        }
        if !self.odds.is_empty() {
            if self.odds.len() != self.players.len() {
                let (odds, players) = (self.odds.len(), self.players.len());
                return Err(wrong(format!("--odds has {odds} shares for {players} players")).into());
            }
            if self.odds.iter().any(|share| !share.is_finite() || *share <= 0.0) {
                return Err(wrong("--odds takes numbers above 0, as 1,0.5").into());
            }
            if self.times.iter().chain([&time]).any(|time| matches!(time, TimeControl::Depth(_))) {
                return Err(wrong("--odds cannot divide a depth; give time or nodes").into());
            }
        }
        let is_clock = !matches!(time, TimeControl::Nodes(_) | TimeControl::Depth(_));
        let has_clock = is_clock || !self.times.is_empty();
        Ok(Conditions {
            time,
            times: self.times.clone(),
            nodes: self.nodes.filter(|_| has_clock),
            ponder: self.ponder,
            odds: if self.odds.is_empty() { vec![1.0; self.players.len()] } else { self.odds.clone() },
            declaration: self.declaration,
            max_moves: self.max_moves,
            margin_ms: self.margin_ms.into(),
            patience_ms: self.patience_ms.into(),
            adjudication: Adjudication { resign: self.resign, draw: self.draw, mate_nodes: self.prove_mates },
        })
    }

    fn manifest(&self, entrants: &[Entrant], openings: OpeningFacts) -> anyhow::Result<Manifest> {
        if self.sprt.is_some() && entrants.len() != 2 {
            return Err(wrong("--sprt is for two players; of more, ratings are found").into());
        }
        let format = match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Gauntlet => Format::Gauntlet,
        };
        Ok(Manifest {
            header: Header::of_this_program(Manifest::KIND),
            players: entrants.iter().map(|entrant| PlayerFacts::of(entrant, &Defaults::matches())).collect(),
            format,
            games: self.games,
            conditions: self.conditions()?,
            openings,
            seed: self.input.seed,
            sprt: self.sprt.map(|sprt| Sprt { alpha: self.alpha, beta: self.beta, ..sprt }),
        })
    }
}

fn wrong(message: impl std::fmt::Display) -> clap::Error {
    bad_value("match", message)
}
