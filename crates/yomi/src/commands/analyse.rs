//! `yomi analyse`: what every move of a game was worth.

mod json;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, ValueHint};
use contract::{Effort, LogisticScale};
use engine::analysis::{self, annotated};
use engine::{Agent, Defaults, Nets, PlayerSpec};
use plot::GameGraph;
use records::convert::game_at;
use records::game::Game;
use records::text::{Format, write_game};
use shogi::Color;

use crate::command_line::{bad_value, whole_number};
use crate::progress::LateBar;
use crate::{analysis_text, atomic_file, game_text, output};

/// Search every position of a game: values, best lines, and what each move cost.
///
/// The cost is the part of the mover's win rate that the move gave away, where the win rate is
/// 1 / (1 + exp(-cp / SCALE)) and a forced mate is certain ('yomi fit' finds the scale of a player). From 5 % it is an inaccuracy, from 10 % dubious, from
/// 20 % a mistake, from 50 % a blunder. The last position is searched first: what is found there serves the
/// earlier ones. All values are as Black sees them.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Analyse {
    /// A file of games
    #[arg(value_hint = ValueHint::FilePath)]
    record: PathBuf,

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

    /// Which game of the file, from 1
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = whole_number(1..=u32::MAX))]
    game: u32,

    /// Logistic scale of win rates in centipawns; that of the player unless given
    #[arg(long, value_name = "CP", value_parser = read_scale)]
    scale: Option<LogisticScale>,

    /// Write the game with values, lines and comments to this file (.csa .kif .kifu .ki2 .ki2u .jkf)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// Draw the course of the game to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    svg: Option<PathBuf>,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi analyse game.kif
  yomi analyse game.csa --time-ms 1000 --out game.analysed.kifu --svg game.svg
  yomi analyse games.csa --game 3 --player 'alphabeta(net=nn.bin, threads=4)' --nodes 1000000";

/// Enough to see what was overlooked, in a minute for a long game.
const DEFAULT_NODES: u64 = 100_000;

fn read_scale(text: &str) -> Result<LogisticScale, String> {
    text.parse().ok().and_then(LogisticScale::new).ok_or_else(|| "expected a number above 0".to_owned())
}

impl Analyse {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(spec) = &self.player else {
            return Err(wrong("only players of our own can analyse").into());
        };
        let format = self.check_targets()?;
        let game = self.read_game()?;
        let mut agent = Agent::new(&spec.resolve(&Defaults::analysis()), &mut Nets::default())?;
        let bar = LateBar::new();
        bar.expect(game.moves.len() + 1);
        let scale = self.scale.unwrap_or(agent.scale());
        let result = analysis::run(&mut agent, &game, self.effort(), scale, &mut || bar.advance());
        bar.finish();
        let analysis = result?;
        if let (Some(path), Some(format)) = (&self.out, format) {
            let heading =
                format!("{}, {} for each position", self.player, analysis_text::effort(self.effort()));
            write(path, &write_game(&annotated(&game, &analysis, &heading), format))?;
        }
        if let Some(path) = &self.svg {
            let graph = GameGraph { game: &game, analysis: &analysis };
            write(path, graph.to_file().as_bytes())?;
        }
        output::print(&if self.json {
            serde_json::to_string(&json::of(&self, &game, &analysis))? + "\n"
        } else {
            let (table, summary) = (analysis_text::table(&analysis), analysis_text::summary(&analysis));
            format!("{}{table}\n{summary}", game_text::header(&game))
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
        for path in [&self.out, &self.svg].into_iter().flatten() {
            if is_same(path, &self.record) {
                return Err(wrong(format!("{} is the record itself", path.display())));
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
                return Err(wrong(format!("{} cannot be a file: check the folder", path.display())));
            }
        }
        let Some(out) = &self.out else { return Ok(None) };
        if self.svg.as_ref() == Some(out) {
            return Err(wrong("--out and --svg name the same file"));
        }
        match Format::of_path(out) {
            Some(Format::Usi) => {
                Err(wrong("USI files have no room for values; use .csa, .kif, .kifu or .jkf"))
            }
            Some(format) => Ok(Some(format)),
            None => Err(wrong(format!("{}: expected a .csa, .kif, .kifu or .jkf file", out.display()))),
        }
    }

    fn read_game(&self) -> Result<Game, clap::Error> {
        let name = self.record.display();
        let game = game_at(&self.record, None, self.game.into())
            .map_err(|error| wrong(format!("cannot read {name}: {error}")))?;
        if game.moves.is_empty() {
            return Err(wrong(format!("{name}: the game has no moves")));
        }
        if Color::ALL.into_iter().any(|side| game.start.king(side).is_none()) {
            return Err(wrong(format!("{name}: a mate problem, where a king is missing, is no game")));
        }
        Ok(game)
    }
}

fn wrong(message: impl std::fmt::Display) -> clap::Error {
    bad_value("analyse", message)
}

/// Whether two names lead to one file that exists.
fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    atomic_file::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
