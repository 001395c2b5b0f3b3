//! `yomi book make`: a book by search.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use contract::Effort;
use engine::{OwnSpec, PlayerSpec};
use lab::book::{Assembled, BookManifest, LINES, MadeBook, Search, Shape, assemble};
use runs::RunDir;
use serde_json::json;

use super::book::{BookInput, BookOutput};
use crate::command_line::{bad_value, whole_number};
use crate::interrupt;
use crate::progress::StepProgress;

/// Make a book by search: positions from games, moves from a search of every one of them.
///
/// Every position that was met often enough is searched for its best moves. Values are then backed up through the book: a
/// move to a position of the book is worth what the best play there is worth, however it was reached; a line that comes round
/// is a draw, or lost for whoever gives perpetual check; a move that leaves the book is worth what the search said. Each
/// position keeps the moves that are close to the best. The way of Blunder, whose book by search won about 60 of 100 games
/// against one by counts.
///
/// What was searched is kept in a folder beside the book (FILE.run). The same command goes on after Ctrl-C or any crash; with
/// more games, or other --plies, --least and --within, only what is new is searched. At fixed nodes the same command gives the
/// same book, on any number of workers.
///
/// The depth of a move counts from where it stands to the end of its line and its search; players leave a book aside whose
/// best move has less than BookDepthLimit, 16 unless told otherwise.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Make {
    #[command(flatten)]
    input: BookInput,

    /// Nodes for each position; 1000000 if nothing is said about time
    #[arg(long, value_name = "N", group = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Milliseconds for each position
    #[arg(long, value_name = "MS", group = "effort", value_parser = whole_number(1..=86_400_000))]
    time_ms: Option<u32>,

    /// Who searches
    #[arg(long, value_name = "SPEC", default_value = "alphabeta")]
    player: PlayerSpec,

    /// Moves for each position: so many are searched, and at most so many kept
    #[arg(long, value_name = "N", default_value = "4", value_parser = whole_number(1..=600))]
    moves: u32,

    /// How much worse than the best a move may be
    #[arg(long, value_name = "CP", default_value = "30", value_parser = whole_number(0..=99_999))]
    within: u32,

    /// Positions at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=1024))]
    concurrency: u32,

    /// The folder of the run; beside the book unless given
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    run: Option<PathBuf>,

    #[command(flatten)]
    output: BookOutput,
}

const EXAMPLES: &str = "\
Examples:
  yomi book make records/ --nodes 1000000 --concurrency 8 --out mine.db
  yomi book make runs/games-1/games.yomi --least 2 --plies 20 --time-ms 10000 --out mine.db
  yomi book make openings.sfen --from openings --moves 2 --within 15 --nodes 200000 --out narrow.db
  yomi book make a.db --from book --nodes 5000000 --out deeper.db
  yomi book show a.db 'startpos moves 7g7f'
  yomi match --player 'alphabeta(book=a.db, seed=0)' --player 'alphabeta(seed=0)' --games 400";

/// Nodes for each position unless the user says otherwise.
const USUAL_NODES: u64 = 1_000_000;

impl Make {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(player) = &self.player else {
            return Err(bad_value("book", "only players of our own can search for a book").into());
        };
        self.output.check()?;
        let manifest = BookManifest::new(player, self.effort(), self.moves as usize);
        let dir = interrupt::open_run(&self.run_path()?, &manifest)?;
        let collected = match self.input.collect() {
            Ok(collected) => collected,
            Err(error) => {
                // What could not begin is no reason to refuse the corrected command.
                if !dir.path().join(LINES).exists() {
                    dir.withdraw(&[]);
                }
                return Err(error);
            }
        };
        let positions = &collected.positions;
        let searched = self.search(player, &manifest, &dir, positions)?;
        if searched.len() < positions.len() {
            interrupt::say_how_to_go_on(&dir, true);
            let (done, of) = (searched.len(), positions.len());
            let stopped = json!({"searched": done, "of": of});
            return self.output.print(&stopped, &format!("searched     {done} of {of}\n"));
        }
        let shape = Shape { moves: self.moves as usize, within: self.within as i32 };
        let Assembled { book, made } = assemble(positions, &searched, shape)?;
        self.output.write(&book)?;
        dir.write_json("result.json", &made)?;
        self.output.print(&made, &summary(&made))
    }

    fn effort(&self) -> Effort {
        match (self.nodes, self.time_ms) {
            (None, Some(ms)) => Effort::Time(Duration::from_millis(ms.into())),
            (nodes, _) => Effort::Nodes(nodes.unwrap_or(USUAL_NODES)),
        }
    }

    fn run_path(&self) -> Result<PathBuf, clap::Error> {
        match (&self.run, self.output.out.path()) {
            (Some(path), _) => Ok(path.clone()),
            (None, Some(book)) => {
                let mut name = book.as_os_str().to_owned();
                name.push(".run");
                Ok(name.into())
            }
            (None, None) => {
                Err(bad_value("book", "a book to standard output: say --run DIR to keep what is searched"))
            }
        }
    }

    fn search(
        &self,
        player: &OwnSpec,
        manifest: &BookManifest,
        dir: &RunDir,
        positions: &[lab::book::Met],
    ) -> anyhow::Result<std::collections::HashMap<u64, lab::book::Searched>> {
        let search = Search { manifest, player, dir, workers: self.concurrency as usize };
        let mut meter = StepProgress::new(positions.len() as u64);
        let searched = search
            .run(positions, &mut |progress| meter.show(progress.done as u64, || "positions".to_owned()));
        meter.finish();
        Ok(searched?)
    }
}

fn summary(made: &MadeBook) -> String {
    let start =
        made.start_value.map_or_else(|| "not in the book".to_owned(), |value| format!("{value} for Black"));
    format!(
        "positions    {}, {} that several lead to, {} in cycles\nmoves        {}\nstart        {start}\n\
         changed      {} where the book's values found another move than the search alone\n\
         unlike       {} where the best move is not the one played most\n",
        made.positions, made.transpositions, made.in_cycles, made.moves, made.changed, made.unlike_records,
    )
}
