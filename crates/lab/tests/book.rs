//! Books made by real searches, broken off and taken up again, and played from.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use contract::Effort;
use engine::{Agent, Defaults, Event, Nets, OwnSpec, Request};
use lab::book::{
    Assembled, BookManifest, Bounds, LINES, Met, Origin, Search, Searched, Shape, assemble, collect,
};
use records::book::{Book, db2016};
use runs::{RunDir, STOP};
use search::{Choice, Control, Limits};
use shogi::Position;

const OPENINGS: &str = "7g7f 3c3d 2g2f 8c8d\n2g2f 3c3d 7g7f\n7g7f 8c8d 2g2f\n2h3h 8b7b 3h2h 7b8b\n";
const SHAPE: Shape = Shape { moves: 3, within: 100 };

fn player() -> OwnSpec {
    "alphabeta(hash=1)".parse().unwrap()
}

fn positions(folder: &Path) -> Vec<Met> {
    let path = folder.join("openings.sfen");
    fs::write(&path, OPENINGS).unwrap();
    collect(Origin::Openings, &[path], Bounds { plies: 20, least: 1 }, &mut || ()).unwrap().positions
}

fn manifest() -> BookManifest {
    BookManifest::new(&player(), Effort::Nodes(300), 3)
}

/// Searches until `stop_after` positions of this run are done.
fn search(path: &Path, positions: &[Met], workers: usize, stop_after: usize) -> HashMap<u64, Searched> {
    let (manifest, player) = (manifest(), player());
    let dir = RunDir::open(path, &manifest).unwrap();
    let search = Search { manifest: &manifest, player: &player, dir: &dir, workers };
    let mut before = None;
    search
        .run(positions, &mut |progress| {
            let first = *before.get_or_insert(progress.done);
            if progress.done - first >= stop_after {
                fs::write(path.join(STOP), "").unwrap();
            }
        })
        .unwrap()
}

fn text(book: &Book) -> String {
    let mut bytes = Vec::new();
    db2016::write(book, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn made(positions: &[Met], searched: &HashMap<u64, Searched>) -> Assembled {
    assemble(positions, searched, SHAPE).unwrap()
}

#[test]
fn a_run_that_was_killed_makes_the_same_book_as_one_that_was_not() {
    let folder = tempfile::tempdir().unwrap();
    let positions = positions(folder.path());
    let whole = search(&folder.path().join("whole"), &positions, 2, usize::MAX);
    assert_eq!(whole.len(), positions.len());

    let path = folder.path().join("broken");
    let half = search(&path, &positions, 1, 3);
    assert!(half.len() < positions.len(), "{} of {}", half.len(), positions.len());
    // What a kill may leave: half a row.
    let log = path.join(LINES);
    let rows = fs::read_to_string(&log).unwrap();
    assert_eq!(rows.lines().count(), half.len());
    fs::write(&log, format!("{rows}{}", &rows[..40])).unwrap();
    let rest = search(&path, &positions, 1, usize::MAX);
    assert_eq!(rest, whole);
    let rows = fs::read_to_string(&log).unwrap();
    assert_eq!(rows.lines().count(), positions.len(), "nothing was searched twice");

    let [a, b] = [&whole, &rest].map(|searched| made(&positions, searched));
    assert_eq!((text(&a.book), a.made), (text(&b.book), b.made));
    assert!(a.made.in_cycles >= 4 && a.made.transpositions >= 1, "{:?}", a.made);
}

#[test]
fn more_games_go_on_with_what_was_searched_and_another_effort_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let positions = positions(folder.path());
    let path = folder.path().join("run");
    search(&path, &positions[..2], 1, usize::MAX);
    let before = fs::read_to_string(path.join(LINES)).unwrap();
    assert_eq!(search(&path, &positions, 1, usize::MAX).len(), positions.len());
    assert!(fs::read_to_string(path.join(LINES)).unwrap().starts_with(&before));
    let other = BookManifest::new(&player(), Effort::Nodes(301), 3);
    let error = RunDir::open(&path, &other).unwrap_err().to_string();
    assert!(error.contains("effort.nodes was 300 and is now 301"), "{error}");
}

#[test]
fn a_book_survives_being_written_and_read_and_a_player_plays_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let positions = positions(folder.path());
    let Assembled { book, made } =
        made(&positions, &search(&folder.path().join("run"), &positions, 1, usize::MAX));
    assert_eq!((book.len(), made.positions), (positions.len(), positions.len()));
    let path = folder.path().join("book.db");
    db2016::save(&book, &path).unwrap();
    assert_eq!(db2016::load(&path).unwrap(), book);

    let spec = format!("alphabeta(hash=1, book={}, book_depth_limit=0, book_eval_diff=0)", path.display());
    let spec = spec.parse::<OwnSpec>().unwrap().resolve(&Defaults::matches());
    let mut agent = Agent::new(&spec, &mut Nets::default()).unwrap();
    let start = Position::start();
    let mut from_book = None;
    let request = Request::new(&start, Limits { nodes: Some(1), ..Limits::default() });
    let answer = agent
        .play(&request, &Control::new(), &mut |event| {
            if let Event::BookMove(choice) = event {
                from_book = Some(choice);
            }
        })
        .unwrap();
    let choice = from_book.expect("the book has the start");
    assert_eq!(answer.choice, Choice::Move(choice.m));
    assert_eq!(choice.value, made.start_value, "the best move of the book");
}
