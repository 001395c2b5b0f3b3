//! Games against oneself: the same for any number of threads, and whole after any crash.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::time::Duration;

use contract::Effort;
use engine::PlayerSpec;
use learn::selfplay::{
    GAMES, GameJob, GameOutput, Manifest, Openings, Outcome, Played, RunError, SelfPlay, Tally, Watch, Work,
};
use records::compact::{Eval, GameReader, Replay, StoredGame};
use runs::{Header, Job as _, OpeningSet, RunDir, STOP};

const PLAYER: &str = "alphabeta(hash=1)";

fn manifest() -> Manifest {
    Manifest {
        header: Header::new(Manifest::KIND),
        player: PLAYER.to_owned(),
        resolved: String::new(),
        files: Vec::new(),
        effort: Effort::Nodes(60),
        openings: OpeningSet::none().facts,
        opening_plies: 8,
        balance: 300,
        declaration: shogi::DeclarationRule::Points27,
        max_moves: 80,
        seed: 7,
    }
}

/// Asks for a stop after so many games; 0 for never.
struct StopAfter<'a> {
    games: usize,
    seen: usize,
    dir: &'a Path,
}

impl Watch for StopAfter<'_> {
    fn game(&mut self, tally: &Tally, work: &Work) {
        assert!(work.thinking <= work.busy && work.opening_nodes < work.nodes);
        assert!(tally.games() <= 10);
        self.seen += 1;
        if self.seen == self.games {
            fs::write(self.dir.join(STOP), "").unwrap();
        }
    }
}

fn play(path: &Path, games: u64, threads: usize, stop_after: usize) -> Outcome {
    let manifest = manifest();
    let player: PlayerSpec = PLAYER.parse().unwrap();
    let openings = Openings { given: Vec::new(), plies: manifest.opening_plies, balance: manifest.balance };
    let dir = RunDir::open(path, &manifest).unwrap();
    let run =
        SelfPlay { manifest: &manifest, player: &player, openings: &openings, dir: &dir, games, threads };
    run.run(&mut StopAfter { games: stop_after, seen: 0, dir: path }).unwrap()
}

fn games(path: &Path) -> Vec<StoredGame> {
    let mut reader = GameReader::new(fs::File::open(path.join(GAMES)).unwrap()).unwrap();
    let mut games = Vec::new();
    let mut game = StoredGame::empty();
    while reader.read_into(&mut game).unwrap() {
        games.push(game.clone());
    }
    games
}

#[test]
fn games_are_legal_ended_evaluated_and_never_from_the_same_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let outcome = play(&path, 6, 1, 0);
    let games = games(&path);
    assert_eq!((games.len(), outcome.tally.games()), (6, 6));
    let mut openings = HashSet::new();
    for game in &games {
        assert!(game.result.is_some());
        let opening = game.plies.iter().take_while(|ply| ply.eval == Eval::NONE).count();
        assert!((1..=8).contains(&opening) && game.plies.len() > opening);
        assert!(game.plies[opening..].iter().all(|ply| ply.eval != Eval::NONE));
        let mut replay = Replay::new(game).unwrap();
        while replay.advance().unwrap().is_some() {}
        assert!(replay.position().game_end(80).is_some());
        openings.insert(game.plies[..opening].iter().map(|ply| ply.m).collect::<Vec<_>>());
    }
    assert_eq!(openings.len(), 6);
    let summary = outcome.tally.summary();
    assert!((summary.black_wins + summary.white_wins + summary.draws - 1.0).abs() < 1e-9);
    assert_eq!(summary.ends.values().sum::<u64>(), 6);
    assert_eq!(summary.diversity[0], (11, 1.0));
}

#[test]
fn games_by_time_are_refused() {
    let by_time = Manifest { effort: Effort::Time(Duration::from_millis(5)), ..manifest() };
    let written = serde_json::to_string(&by_time).unwrap();
    assert!(serde_json::from_str::<Manifest>(&written).unwrap_err().to_string().contains("not by time"));
    let written = serde_json::to_string(&manifest()).unwrap();
    assert!(written.contains(r#""effort":{"nodes":60}"#));
    assert_eq!(serde_json::from_str::<Manifest>(&written).unwrap(), manifest());
    let folder = tempfile::tempdir().unwrap();
    let run = SelfPlay {
        manifest: &by_time,
        player: &PLAYER.parse().unwrap(),
        openings: &Openings { given: Vec::new(), plies: 8, balance: 300 },
        dir: &RunDir::open(&folder.path().join("run"), &by_time).unwrap(),
        games: 1,
        threads: 1,
    };
    let outcome = run.run(&mut StopAfter { games: 0, seen: 0, dir: folder.path() });
    assert!(matches!(outcome, Err(RunError::Timed)));
}

#[test]
fn a_game_and_what_came_of_it_survive_being_sent() {
    let folder = tempfile::tempdir().unwrap();
    play(&folder.path().join("run"), 1, 1, 0);
    let game = games(&folder.path().join("run")).remove(0);
    let played = Some(Played { game, opening_key: u64::MAX });
    let output = GameOutput { played, work: Work { nodes: 7, ..Work::default() } };
    let sent = serde_json::to_string(&(GameJob { number: 5 }, &output)).unwrap();
    let (job, result): (GameJob, GameOutput) = serde_json::from_str(&sent).unwrap();
    assert_eq!((job.id(), result), (5, output));
}

#[test]
fn threads_stops_and_torn_files_change_nothing_about_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    play(&whole, 10, 2, 0);
    let expected = games(&whole);
    play(&parts, 10, 1, 3);
    assert_eq!(games(&parts), expected[..3], "stopped after three games");
    // As a crash in the middle of a block would leave it.
    let file = OpenOptions::new().append(true).open(parts.join(GAMES)).unwrap();
    file.set_len(file.metadata().unwrap().len() - 5).unwrap();
    play(&parts, 10, 1, 0);
    assert_eq!(games(&parts), expected);
}
