//! The history of a loop as a page.

use plot::{Axis, Chart, Kind, Page, Point, Series};
use runs::{RunDir, RunDirError};

use super::history::History;
use super::manifest::Manifest;
use super::net_id::{NetId, turn_name};
use super::turn::{DATA, GAMES, MATCH};

/// The page of a loop as far as it has come: one file, nothing is fetched.
pub fn page_of(dir: &RunDir) -> Result<String, RunDirError> {
    dir.expect(Manifest::KIND)?;
    let manifest: Manifest = dir.manifest()?;
    let history = History::read(dir)?;
    let mut page = Page::new("Learning loop");
    page.paragraph(&headline(&history));
    if let Some(words) = under_way(dir, &manifest, &history) {
        page.paragraph(&words);
    }
    if !history.turns.is_empty() {
        page.table(&History::HEAD, &history.table());
        page.paragraph(
            "Positions are those with an evaluation, quiet or not; learned from are the quiet ones of all turns in the window. \
             The loss is the cross entropy of the quantised net on games that it has not learned from: each turn has other ones, \
             so that losses of different turns compare only roughly. Elo is with half of its 95 % interval, as the candidate \
             sees it; a test that ends as soon as games decide overstates it.",
        );
        page.heading("Course");
        for chart in [strength(&history), losses(&history), positions(&history)] {
            page.picture(&chart.svg());
        }
    }
    page.heading("Conditions");
    page.verbatim(&serde_json::to_string_pretty(&manifest).unwrap_or_default());
    Ok(page.finish())
}

/// Writes it into the loop's folder.
pub(super) fn write_page(dir: &RunDir) -> Result<(), RunDirError> {
    dir.write("report.html", page_of(dir)?.as_bytes())
}

fn headline(history: &History) -> String {
    let (games, positions) =
        history.turns.iter().fold((0, 0), |sum, row| (sum.0 + row.games, sum.1 + row.positions));
    let best = match history.best() {
        NetId::Start => "No candidate has won yet: the best net is the one it began with.".to_owned(),
        net => format!("The best net is {net}."),
    };
    format!(
        "{} turns are over, {} with a better net; {games} games with {positions} positions were played for learning. {best}",
        history.turns.len(),
        history.promotions()
    )
}

/// How far the turn after the last one has come, by the folders of its stages.
fn under_way(dir: &RunDir, manifest: &Manifest, history: &History) -> Option<String> {
    let turn = history.turns.last().map_or(manifest.first_turn(), |row| row.turn + 1);
    let folder = dir.path().join(turn_name(turn));
    let stages = [
        (MATCH, "its candidate meets the best net"),
        ("net-1", "candidates learn"),
        (DATA, "positions are gathered"),
        (GAMES, "the best net plays against itself"),
    ];
    let (_, words) = stages.iter().find(|(name, _)| folder.join(name).exists())?;
    Some(format!("Turn {turn} is under way: {words}."))
}

/// So many turns have their numbers below an axis.
const MOST_NAMED: usize = 20;

/// A chart over the numbers of the turns.
fn over_turns(history: &History, title: &str, subtitle: &str, y_label: &str, series: Vec<Series>) -> Chart {
    let turns = || history.turns.iter().map(|row| row.turn);
    let [first, last] = [turns().min(), turns().max()].map(|turn| turn.unwrap_or(0) as f64);
    let ends = series.iter().flat_map(|series| &series.points).flat_map(|point| {
        let error = point.error.unwrap_or(0.0);
        [point.y - error, point.y + error]
    });
    let (x, y) = (Axis::new(first - 0.5, last + 0.5), Axis::around(ends));
    let step = history.turns.len().div_ceil(MOST_NAMED).max(1);
    let names = turns().step_by(step).map(|turn| (turn as f64, turn.to_string())).collect();
    let subtitle = subtitle.to_owned();
    Chart { subtitle, names, ..Chart::new(title, ("turn", x), (y_label, y), series) }
}

fn line(name: &str, colour: usize, points: impl Iterator<Item = (u64, f64, Option<f64>)>) -> Series {
    let point = |(turn, y, error): (u64, f64, Option<f64>)| Point {
        x: turn as f64,
        y,
        error,
        note: format!("turn {turn}: {y:.5}"),
    };
    Series { name: name.to_owned(), kind: Kind::Line, colour, points: points.map(point).collect() }
}

fn strength(history: &History) -> Chart {
    let best = history.elo_course().into_iter().map(|(turn, elo, error)| (turn, elo, Some(error)));
    let before = history.elo_course().into_iter().map(|(_, elo, _)| elo);
    let before = std::iter::once(0.0).chain(before);
    let candidates = history
        .turns
        .iter()
        .zip(before)
        .filter_map(|(row, before)| Some((row.turn, before + row.contest.elo?, row.contest.error)));
    let series = vec![line("candidate", 1, candidates), line("best net", 0, best)];
    let subtitle = "Elo above the first net, summed over the matches that were won";
    over_turns(history, "Strength", subtitle, "Elo", series)
}

fn losses(history: &History) -> Chart {
    let above = history.turns.iter().map(|row| (row.turn, row.loss() - row.floor, None));
    let subtitle = "validation loss above the least possible";
    over_turns(history, "Loss of the candidates", subtitle, "cross entropy", vec![line("", 0, above)])
}

fn positions(history: &History) -> Chart {
    let million = |count: u64| count as f64 / 1e6;
    let learned = history.turns.iter().map(|row| (row.turn, million(row.training), None));
    let played = history.turns.iter().map(|row| (row.turn, million(row.positions), None));
    let series = vec![line("learned from", 0, learned), line("played in the turn", 1, played)];
    over_turns(history, "Positions", "", "millions", series)
}

#[cfg(test)]
mod tests {
    use super::super::contest::ContestVerdict;
    use super::super::history::LOG;
    use super::super::history::tests::row;
    use super::super::manifest::tests::manifest;
    use super::*;

    #[test]
    fn the_page_tells_all_turns_the_best_net_and_what_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let dir = RunDir::open(&folder.path().join("loop"), &manifest()).unwrap();
        let empty = page_of(&dir).unwrap();
        assert!(empty.contains("No candidate has won yet") && !empty.contains("<svg"), "{empty}");
        let mut log = dir.append_to(LOG).unwrap();
        let first = NetId::Candidate { turn: 1, number: 1 };
        log.append(&row(1, NetId::Start, ContestVerdict::Better, 40.0)).unwrap();
        log.append(&row(2, first, ContestVerdict::NotBetter, -30.0)).unwrap();
        std::fs::create_dir_all(dir.path().join("turn-003/games")).unwrap();
        let page = page_of(&dir).unwrap();
        for words in [
            "2 turns are over, 1 with a better net; 30 games with 3000 positions",
            "The best net is turn-001/net-1.",
            "Turn 3 is under way: the best net plays against itself.",
            "<td>+30 =2 -10</td><td>-30 ± 3</td><td>not better</td><td>turn-001/net-1</td>",
        ] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert_eq!(page.matches("<svg ").count(), 3);
    }

    #[test]
    fn another_run_has_no_such_page() {
        let folder = tempfile::tempdir().unwrap();
        let other = serde_json::json!({"kind": "match"});
        let dir = RunDir::open(&folder.path().join("run"), &other).unwrap();
        assert!(matches!(page_of(&dir), Err(RunDirError::Kind { .. })));
    }
}
