//! Which games are to be analysed.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use records::convert::{FileFormat, each_game, gather};
use records::game::Game;
use shogi::Color;

use super::wrong;
use crate::output::note;
use crate::standard_input::InputFile;

/// A game with where it was found.
pub(super) struct Found {
    pub(super) game: Game,
    /// The file, as people call it.
    pub(super) record: String,
    /// What files made from it are called.
    pub(super) stem: PathBuf,
    /// Which game of the file, from 1.
    pub(super) number: u64,
    /// Whether the file holds no other.
    pub(super) is_only: bool,
}

/// The games of all files, and how many cannot be analysed. A game that was asked for alone must be good, of many the bad
/// ones are reported.
pub(super) fn find(
    records: &[PathBuf],
    from: Option<FileFormat>,
    number: Option<u64>,
) -> anyhow::Result<(Vec<Found>, usize)> {
    let inputs = records.iter().map(|path| InputFile::take(path)).collect::<Result<Vec<_>, _>>()?;
    let mut found = Vec::new();
    let mut refusals = Vec::new();
    let mut files = 0;
    for input in &inputs {
        for source in gather(&[input.path().to_owned()], from) {
            files += 1;
            let is_named = source.path == input.path();
            let record = if is_named { input.name() } else { source.path.display().to_string() };
            let mut games = Vec::new();
            let shown = match of_file(&source.path, from, number, &record, &mut games) {
                Ok(shown) => shown,
                Err(error) => {
                    refusals.push(format!("cannot read {record}: {error}"));
                    continue;
                }
            };
            for (number, game) in games {
                match game {
                    Ok(game) => {
                        let (record, stem) = (record.clone(), source.name.clone());
                        found.push(Found { game, record, stem, number, is_only: shown == 1 });
                    }
                    Err(words) => refusals.push(words),
                }
            }
        }
    }
    ensure!(files > 0, wrong("there is no record in the folder"));
    if files == 1 && (number.is_some() || found.is_empty()) {
        refusals.first().map_or(Ok(()), |words| Err(wrong(words)))?;
    }
    refusals.iter().for_each(|words| note(&format!("refused: {words}")));
    ensure!(!found.is_empty(), "there is no game to analyse");
    Ok((found, refusals.len()))
}

/// The games of one file that are wanted, or what is wrong with each; how many there are, or at least two.
fn of_file(
    path: &Path,
    from: Option<FileFormat>,
    wanted: Option<u64>,
    record: &str,
    games: &mut Vec<(u64, Result<Game, String>)>,
) -> Result<u64, String> {
    let shown = each_game(path, from, &mut |number, game| {
        if wanted.is_none_or(|wanted| wanted == number) {
            let game = match game {
                Ok(game) => suitable(game).map_err(|words| format!("{record}: game {number}: {words}")),
                Err(error) => Err(format!("cannot read {record}: {error}")),
            };
            games.push((number, game));
        }
        if wanted == Some(number) && number > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .map_err(|error| error.to_string())?;
    match wanted {
        Some(wanted) if games.is_empty() => Err(format!("there is no game {wanted}: the file holds {shown}")),
        None if shown == 0 => Err("it holds no game".to_owned()),
        _ => Ok(shown),
    }
}

fn suitable(game: Game) -> Result<Game, String> {
    if game.moves.is_empty() {
        return Err("the game has no moves".to_owned());
    }
    if Color::ALL.into_iter().any(|side| game.start.king(side).is_none()) {
        return Err("a mate problem, where a king is missing, is no game".to_owned());
    }
    Ok(game)
}
