//! Whole matches: among players of ours, and against programs that misbehave.

use std::path::PathBuf;

use engine::PlayerSpec;
use lab::matches::{
    Adjudication, Conditions, End, Entrant, Fault, FaultKind, Format, GameJob, GameRow, Manifest, Match,
    MatchStats, PlayerFacts, RecordFormat, TimeControl, Watch,
};
use lab::stats::{Sprt, Verdict};
use records::compact::EndCode;
use runs::{Header, Job as _, Opening, OpeningSet, RunDir, STOP};

const QUICK: &str = "alphabeta(hash=1)";

fn conditions(time: TimeControl, players: usize) -> Conditions {
    Conditions {
        declaration: shogi::DeclarationRule::Points27,
        max_moves: 120,
        // Tests run on busy machines; the mock that is late is later than this.
        margin_ms: 200,
        patience_ms: 600,
        adjudication: Adjudication::default(),
        ..Conditions::usual(time, players)
    }
}

struct Arena {
    entrants: Vec<Entrant>,
    openings: Vec<Opening>,
    manifest: Manifest,
    folder: tempfile::TempDir,
}

impl Arena {
    fn new(specs: &[&str], games: u64, time: TimeControl) -> Arena {
        let entrants: Vec<Entrant> = specs
            .iter()
            .map(|text| Entrant { name: (*text).to_owned(), spec: text.parse::<PlayerSpec>().unwrap() })
            .collect();
        let OpeningSet { all: openings, facts } = OpeningSet::own().unwrap();
        let manifest = Manifest {
            header: Header::new(Manifest::KIND),
            players: entrants
                .iter()
                .map(|entrant| PlayerFacts::of(entrant, &engine::Defaults::matches()))
                .collect(),
            format: Format::RoundRobin,
            games,
            conditions: conditions(time, entrants.len()),
            openings: facts,
            seed: 1,
            sprt: None,
        };
        Arena { entrants, openings, manifest, folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    fn play(&self, concurrency: usize, watch: &mut dyn Watch) -> (MatchStats, Vec<GameRow>) {
        let dir = RunDir::open(&self.path(), &self.manifest).unwrap();
        let stats = Match {
            manifest: &self.manifest,
            entrants: &self.entrants,
            openings: &self.openings,
            dir: &dir,
            records: RecordFormat::Csa,
            concurrency,
            cores: Vec::new(),
            refuse_idle: false,
        }
        .run(watch)
        .unwrap();
        let (again, rows) = Match::stats(&dir, &self.manifest).unwrap();
        assert_eq!(stats.pairings(), again.pairings(), "the log says what happened");
        (stats, rows)
    }
}

struct Nobody;

impl Watch for Nobody {
    fn game(&mut self, _: &GameRow, _: &MatchStats) {}
}

/// Makes the stop file after some games.
struct Impatient {
    games: u64,
    path: PathBuf,
}

impl Watch for Impatient {
    fn game(&mut self, _: &GameRow, stats: &MatchStats) {
        if stats.games() == self.games {
            std::fs::write(self.path.join(STOP), "").unwrap();
        }
    }
}

#[test]
fn a_game_and_what_came_of_it_survive_being_sent() {
    let arena = Arena::new(&[QUICK, QUICK], 2, TimeControl::Nodes(20));
    let (_, rows) = arena.play(1, &mut Nobody);
    for (number, row) in (0..).zip(rows) {
        let job = GameJob { pair: row.pair, game: row.game };
        let sent = serde_json::to_string(&(job, &row)).unwrap();
        let (received, result): (GameJob, GameRow) = serde_json::from_str(&sent).unwrap();
        assert_eq!((received.id(), result), (number, row));
    }
}

fn moves(rows: &[GameRow]) -> Vec<(u64, u8, String)> {
    let mut all: Vec<_> = rows.iter().map(|row| (row.pair, row.game, row.moves.clone())).collect();
    all.sort();
    all
}

#[test]
fn the_same_seed_gives_the_same_match_whoever_plays_what() {
    let play = |concurrency| {
        let arena = Arena::new(&[QUICK, "alphabeta(hash=1, static_cut_z=50)"], 6, TimeControl::Nodes(150));
        let (stats, rows) = arena.play(concurrency, &mut Nobody);
        assert_eq!(stats.games(), 6);
        assert_eq!(stats.pairings()[0].pairs.pairs(), 3);
        let records = std::fs::read_dir(arena.path().join("records")).unwrap().count();
        assert_eq!(records, 6);
        moves(&rows)
    };
    assert_eq!(play(1), play(2));
}

#[test]
fn a_stopped_match_goes_on_where_it_was() {
    let players = [QUICK, "alphabeta(hash=1, static_cut_z=50)"];
    let whole = Arena::new(&players, 8, TimeControl::Nodes(100));
    let (_, expected) = whole.play(1, &mut Nobody);
    let arena = Arena::new(&players, 8, TimeControl::Nodes(100));
    for games in [1, 4, 7] {
        let mut impatient = Impatient { games, path: arena.path() };
        let (stats, _) = arena.play(1, &mut impatient);
        assert_eq!(stats.games(), games);
    }
    let (stats, rows) = arena.play(1, &mut Nobody);
    assert_eq!(stats.games(), 8);
    assert_eq!(moves(&rows), moves(&expected));
}

#[test]
fn another_match_is_refused_in_the_same_folder() {
    let mut arena = Arena::new(&[QUICK, QUICK], 2, TimeControl::Depth(1));
    arena.play(1, &mut Nobody);
    arena.manifest.seed = 2;
    let error = RunDir::open(&arena.path(), &arena.manifest).unwrap_err().to_string();
    assert!(error.contains("seed was 1 and is now 2"), "{error}");
}

#[test]
fn records_tell_the_whole_game() {
    let arena = Arena::new(&[QUICK, QUICK], 1, TimeControl::Nodes(100));
    let (_, rows) = arena.play(1, &mut Nobody);
    let bytes = std::fs::read(arena.path().join("records/000001-1.csa")).unwrap();
    let games = records::text::read_games(&bytes, None).unwrap();
    let game = &games[0];
    let text: Vec<String> = game.moves.iter().map(|played| played.m.to_string()).collect();
    assert_eq!(text.join(" "), rows[0].moves);
    assert!(game.outcome.is_some());
    let own = &game.moves[rows[0].opening_plies..];
    assert!(own.iter().all(|played| played.evaluation.is_some() && played.time.is_some()));
    assert_eq!(rows[0].times_us.len(), own.len());
    assert_eq!(rows[0].latest_us, None, "no clock, nobody late");
}

#[test]
fn a_test_ends_with_its_verdict() {
    let mut arena = Arena::new(&["alphabeta(hash=1)", &mock("none")], 200, TimeControl::Nodes(50));
    arena.manifest.sprt = Some(Sprt { elo0: 0.0, elo1: 300.0, alpha: 0.05, beta: 0.05 });
    let (stats, _) = arena.play(1, &mut Nobody);
    assert_eq!(stats.sprt().unwrap().verdict, Verdict::H1);
    assert!(stats.games() < 100, "{}", stats.games());
}

#[test]
fn three_players_meet_each_other() {
    let specs = [QUICK, "alphabeta(hash=1, static_cut_z=50)", "alphabeta(hash=1, static_cut_z=60)"];
    let (stats, rows) = Arena::new(&specs, 2, TimeControl::Depth(1)).play(2, &mut Nobody);
    assert_eq!(rows.len(), 6);
    assert!((0..3).all(|player| stats.of_player(player).games() == 4));
    assert_eq!(stats.ratings().len(), 3);
}

fn mock(vice: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mock_engine.sh");
    format!("usi:{}(Vice={vice})", path.display())
}

/// A pair of games against one with this vice; its fault in the first.
fn against(vice: &str, time: TimeControl) -> (MatchStats, Vec<GameRow>, Option<Fault>) {
    let arena = Arena::new(&[QUICK, &mock(vice)], 2, time);
    let (stats, rows) = arena.play(1, &mut Nobody);
    assert_eq!(rows.len(), 2, "{vice}: the match goes on");
    assert_eq!(stats.pairings()[0].games.wins, 2, "{vice}");
    let html = lab::report::of_match(&RunDir::existing(&arena.path()).unwrap()).unwrap();
    assert!(html.contains("</html>"));
    let fault = rows[0].fault.clone();
    (stats, rows, fault)
}

#[test]
#[cfg(unix)]
fn every_fault_is_reported_as_what_it_is() {
    let quick = TimeControl::PerMove(100);
    for (vice, kind, words) in [
        ("crash", FaultKind::Crash, "ended while bestmove was awaited"),
        ("stall", FaultKind::Stall, "said no bestmove within"),
        ("late", FaultKind::TimeLoss, "ms used of 100"),
        ("illegal", FaultKind::IllegalMove, "5i5a is not legal"),
        ("illegible", FaultKind::IllegalMove, "'bestmove castle' is no move"),
        ("declare", FaultKind::IllegalMove, "declared a win that is none"),
        ("endless", FaultKind::Stall, "said no bestmove within"),
    ] {
        let (stats, rows, fault) = against(vice, quick);
        let fault = fault.unwrap();
        assert_eq!((fault.kind, rows[0].end), (kind, End::Fault(kind)), "{vice}");
        assert!(fault.words.contains(words), "{vice}: {}", fault.words);
        assert!(fault.position.starts_with("sfen "), "{vice}");
        assert!(!fault.last_lines.is_empty(), "{vice}: its last words are kept");
        assert_eq!(fault.player, 1);
        let faults = stats.all_faults();
        assert_eq!(faults.illegal + faults.crashes + faults.stalls + faults.time_losses, 2, "{vice}");
        assert_eq!(faults.floods, if vice == "endless" { 2 } else { 0 }, "{vice}");
    }
}

#[test]
#[cfg(unix)]
fn floods_and_garbage_are_reported_and_lose_no_game() {
    for vice in ["flood", "garbage", "none"] {
        let (stats, rows, fault) = against(vice, TimeControl::PerMove(2000));
        let faults = stats.faults()[1];
        assert_eq!((faults.floods, faults.garbage > 0), (u64::from(vice == "flood") * 2, vice == "garbage"));
        assert_eq!(fault, None, "{vice}");
        assert_eq!(rows[0].end, End::Regular(EndCode::Resignation), "{vice}");
    }
}

#[test]
#[cfg(unix)]
fn a_wrong_option_is_refused_with_those_there_are() {
    let spec: PlayerSpec = mock("none").replace("Vice", "Virtue").parse().unwrap();
    let error = lab::seat::take_seat(&spec, engine::GameRules::default()).err().unwrap().to_string();
    assert!(error.contains("has no option 'Virtue'; it has Vice"), "{error}");
}

#[test]
#[cfg(unix)]
fn whoever_cannot_play_ends_the_match_with_its_words() {
    for (vice, words) in [
        ("crash", "\n  info string I am about to die"),
        ("speechless", "it resigned; it said last:"),
        ("illegible", "'bestmove castle' is no move"),
    ] {
        let arena = Arena::new(&[QUICK, &mock(vice)], 2, TimeControl::PerMove(500));
        let dir = RunDir::open(&arena.path(), &arena.manifest).unwrap();
        let result = Match {
            manifest: &arena.manifest,
            entrants: &arena.entrants,
            openings: &arena.openings,
            dir: &dir,
            records: RecordFormat::None,
            concurrency: 1,
            cores: Vec::new(),
            refuse_idle: true,
        }
        .run(&mut Nobody);
        let error = result.expect_err("it ends").to_string();
        assert!(error.contains("lost its game without a move: "), "{vice}: {error}");
        assert!(error.contains(words), "{vice}: {error}");
        assert_eq!(Match::stats(&dir, &arena.manifest).unwrap().0.games(), 0, "{vice}: nothing is counted");
    }
}

#[test]
#[cfg(unix)]
fn a_bad_value_and_an_error_before_readyok_are_refused() {
    for (options, words) in [
        ("Vice=none, Size=0", "the option Size takes a whole number from 1 to 9, not '0'"),
        ("Vice=none, Loud=yes", "the option Loud takes true or false, not 'yes'"),
        ("Vice=none, Style=wild", "the option Style takes one of calm, sharp, not 'wild'"),
        ("Vice=unready", "cannot play: it said 'Error! no net'"),
    ] {
        let spec = mock("none").replace("Vice=none", options).parse().unwrap();
        let error = lab::seat::take_seat(&spec, engine::GameRules::default()).err().unwrap().to_string();
        assert!(error.contains(words), "{options}: {error}");
    }
    let good =
        mock("none").replace("Vice=none", "Size=9, Loud=true, Style=calm, USI_Hash=3").parse().unwrap();
    assert!(lab::seat::take_seat(&good, engine::GameRules::default()).is_ok());
}
