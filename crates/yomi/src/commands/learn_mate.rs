//! `yomi learn mate`: the mate solver's first numbers, from games.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueHint};
use mate::{FirstNumbers, Solver, Study};
use records::compact::{GameReader, StoredGame};
use shogi::Position;

use crate::command_line::whole_number;
use crate::output;
use crate::progress::LateBar;
use crate::target::{Force, Target, check_all};

/// Learn the mate solver's first numbers from the ends of games.
///
/// The solver looks for a mate in the last positions of each game. From the tree of each mate that it finds, some positions
/// are drawn by chance and solved one by one; per class of positions (steps of the king, pieces that can take the checker, the attacker's
/// hand, ...) the table then has how hard a proof and a disproof were. The next round searches with that table; the first one knows
/// nothing, so that the same games, rounds and seed give the same table, whatever this program has inside: the one of
/// crates/mate/src/first_numbers.tsv.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LearnMate {
    /// Games that 'yomi selfplay' or 'yomi convert' wrote, compact (.yomi)
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    games: Vec<PathBuf>,

    /// Positions to look for a mate in
    #[arg(long, value_name = "N", default_value = "30000", value_parser = whole_number(1..=100_000_000))]
    positions: u32,

    /// How often, each time over the same positions and with the table of the time before
    #[arg(long, value_name = "N", default_value = "2", value_parser = whole_number(1..=100))]
    rounds: u32,

    /// Which positions are drawn
    #[arg(long, default_value = "1")]
    seed: u64,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<Target>,

    #[command(flatten)]
    force: Force,
}

const EXAMPLES: &str = "\
Examples:
  yomi selfplay --player alphabeta --nodes 250 --games 4000 --out runs/games-1
  yomi learn mate runs/games-1/games.yomi --out first_numbers.tsv";

/// How many plies before the end of a game a mate is looked for.
const LAST_PLIES: usize = 12;
/// Megabytes: the trees are small.
const HASH: usize = 4;

impl LearnMate {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let existing = self.force.existing();
        check_all(&[&self.out], existing)?;
        let bar = LateBar::new();
        bar.expect(self.rounds as usize * self.positions as usize);
        let mut first_numbers = FirstNumbers::ones();
        let mut text = String::new();
        for _ in 0..self.rounds {
            let (study, looked_at) = self.round(first_numbers, &bar)?;
            first_numbers = study.first_numbers();
            text = format!(
                "# First numbers of the mate solver: class, proof number, disproof number.\n\
                 # Made by 'yomi learn mate', rounds {}, seed {}: {} positions drawn from the trees of {} mates in {looked_at} positions.\n\
                 {first_numbers}",
                self.rounds,
                self.seed,
                study.drawn(),
                study.mates(),
            );
        }
        bar.finish();
        match &self.out {
            None => output::print(&text),
            Some(target) => target.write(text.as_bytes(), existing),
        }
    }

    /// What a solver with these first numbers finds, and in how many positions.
    fn round(&self, first_numbers: FirstNumbers, bar: &LateBar) -> anyhow::Result<(Study, u32)> {
        let solver = Solver::new(HASH).context("there is no memory for the mate solver")?;
        let mut solver = solver.with_first_numbers(first_numbers);
        let (mut study, mut left) = (Study::new(self.seed), self.positions);
        for path in &self.games {
            each_end(path, &mut |position| {
                if left > 0 {
                    study.add(&mut solver, position);
                    left -= 1;
                    bar.advance();
                }
                left > 0
            })
            .with_context(|| format!("cannot read {}", path.display()))?;
        }
        Ok((study, self.positions - left))
    }
}

/// Shows the last positions of every game of a file, until one is enough.
fn each_end(path: &Path, visit: &mut dyn FnMut(&Position) -> bool) -> anyhow::Result<()> {
    let mut reader = GameReader::new(File::open(path)?)?;
    let mut stored = StoredGame::empty();
    while reader.read_into(&mut stored)? {
        let game = stored.to_game()?;
        let skipped = game.moves.len().saturating_sub(LAST_PLIES);
        if !game.positions().skip(skipped).all(|position| visit(&position)) {
            return Ok(());
        }
    }
    Ok(())
}
