//! A loop of learning: what a match decides, what a turn learns from, and where a stop leaves it.

use std::fs;
use std::path::Path;

use contract::Effort;
use engine::{OwnSpec, PlayerSpec};
use learn::data::{self, Filter, Scores};
use learn::nnue::{self, Arch, Settings, Target};
use learn::selfplay;
use learn::turns::{
    Contest, ContestResult, ContestTerms, ContestVerdict, History, Manifest, NetId, Referee, SelfPlayTerms,
    Stage, TurnError, TurnRow, Turns, Watch,
};
use runs::{Header, OpeningSet, RunDir, STOP};
use serde_json::Value;

const PLAYER: &str = "alphabeta(eval=material, hash=1)";

fn manifest() -> Manifest {
    let training = Settings {
        epochs: 1,
        target: Target { lambda: 1.0, scale: 600.0 },
        rate: 0.002,
        warm_up: 10,
        decay: 0.3,
        batch: 64,
        mirror: true,
        patience: 5,
        seed: 1,
    };
    Manifest {
        header: Header::new(Manifest::KIND),
        player: PLAYER.to_owned(),
        files: Vec::new(),
        with_games: Vec::new(),
        self_play: SelfPlayTerms {
            effort: Effort::Nodes(40),
            games: 20,
            opening_plies: 20,
            balance: 500,
            // Games that end before anybody has won: from results of so few games a net would learn nonsense.
            max_moves: 50,
        },
        scores: Scores { calibrate: Some(600.0), lookahead: Some(8.0) },
        filter: Filter { max_score: 30_000, ..Filter::default() },
        validation: 0.3,
        window: 2,
        candidates: 1,
        arch: "kp256".to_owned(),
        training,
        contest: ContestTerms {
            nodes: 30,
            games: 2,
            max_moves: 40,
            resign: None,
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
            openings: OpeningSet::none().facts,
        },
        seed: 3,
    }
}

/// Decides as it was told, turn by turn, and keeps who met whom. Without a word left it is stopped.
struct Told {
    verdicts: Vec<ContestVerdict>,
    met: Vec<(String, String)>,
}

impl Told {
    fn new(verdicts: &[ContestVerdict]) -> Told {
        Told { verdicts: verdicts.iter().rev().copied().collect(), met: Vec::new() }
    }
}

impl Referee for Told {
    fn decide(&mut self, contest: &Contest<'_>) -> Result<Option<ContestResult>, TurnError> {
        let Some(verdict) = self.verdicts.pop() else { return Ok(None) };
        for (net, player) in [contest.candidate, contest.best] {
            let PlayerSpec::Own(spec) = player else { panic!("a player of ours") };
            assert_eq!(net == NetId::Start, spec.net.is_none(), "{net}: {player}");
            assert!(spec.net.as_ref().is_none_or(|file| file.is_file()), "{net}: {player}");
        }
        self.met.push((contest.candidate.0.to_string(), contest.best.0.to_string()));
        let (wins, losses) = if verdict == ContestVerdict::Better { (9, 1) } else { (1, 9) };
        let (elo, error) = (Some(10.0), Some(5.0));
        Ok(Some(ContestResult { wins, losses, draws: 0, elo, error, llr: 3.0, verdict }))
    }
}

/// Sees every stage; may ask for a stop in one of them.
#[derive(Default)]
struct Seen {
    stages: Vec<String>,
    stop_in: Option<(String, std::path::PathBuf)>,
}

struct Silent;

impl selfplay::Watch for Silent {
    fn game(&mut self, _: &selfplay::Tally, _: &selfplay::Work) {}
}

impl data::Watch for Silent {
    fn positions(&mut self, _: u64) {}
}

impl nnue::Watch for Silent {
    fn step(&mut self, _: u64, _: u64, _: usize, _: f64) {}
    fn validated(&mut self, _: u64, _: f64, _: bool) {}
}

impl Watch for Seen {
    fn stage(&mut self, turn: u64, stage: Stage) {
        self.stages.push(format!("{turn} {stage}"));
        if let Some((wanted, dir)) = &self.stop_in
            && self.stages.last() == Some(wanted)
        {
            fs::write(dir.join(STOP), "").unwrap();
        }
    }
    fn games(&mut self, _: u64) -> Box<dyn selfplay::Watch + '_> {
        Box::new(Silent)
    }
    fn data(&mut self, _: u64) -> Box<dyn data::Watch + '_> {
        Box::new(Silent)
    }
    fn training(&mut self) -> Box<dyn nnue::Watch + '_> {
        Box::new(Silent)
    }
    fn turn(&mut self, row: &TurnRow) {
        self.stages.push(format!("{} over", row.turn));
    }
}

fn take(
    path: &Path,
    manifest: &Manifest,
    with_games: &[data::Origin],
    last_turn: u64,
    (referee, watch): (&mut dyn Referee, &mut dyn Watch),
) -> Result<History, TurnError> {
    let PlayerSpec::Own(player) = PLAYER.parse().unwrap() else { panic!("a player of ours") };
    let player: &OwnSpec = &player;
    let dir = RunDir::open(path, manifest).unwrap();
    let (arch, last_turn) = (Arch::Kp256, Some(last_turn));
    Turns { manifest, player, arch, with_games, dir: &dir, last_turn, threads: 1 }.run(referee, watch)
}

/// What the manifest of a stage says.
fn said(path: &Path, stage: &str) -> Value {
    serde_json::from_slice(&fs::read(path.join(stage).join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn a_better_candidate_plays_the_next_games_and_a_worse_one_does_not() {
    use ContestVerdict::{Better, NotBetter, Undecided};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loop");
    let mut referee = Told::new(&[NotBetter, Better, Undecided]);
    let history = take(&path, &manifest(), &[], 3, (&mut referee, &mut Seen::default())).unwrap();
    let met = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        referee.met,
        [
            met("turn-001/net-1", "start"),
            met("turn-002/net-1", "start"),
            met("turn-003/net-1", "turn-002/net-1")
        ]
    );
    assert_eq!(history.best().to_string(), "turn-002/net-1");
    let players: Vec<String> = (1..=3)
        .map(|turn| said(&path, &format!("turn-00{turn}/games"))["player"].as_str().unwrap().to_owned())
        .collect();
    assert!(players[..2].iter().all(|player| player.contains("eval=material")), "{players:?}");
    assert!(players[2].contains("turn-002/net-1/nn.bin") && !players[2].contains("eval="), "{players:?}");
    assert_eq!(fs::read(path.join("nn.bin")).unwrap(), fs::read(path.join("turn-002/net-1/nn.bin")).unwrap());
    assert!(path.join("turn-001/net-1/nn.bin").exists(), "who lost is kept");
    // The window is two turns: the third learns from its own data and those of the turn before.
    let files =
        |turn: u64| said(&path, &format!("turn-00{turn}/net-1"))["training"].as_array().unwrap().len();
    assert_eq!([files(1), files(2), files(3)], [1, 2, 2]);
    assert!(said(&path, "turn-003/net-1")["training"][0][0].as_str().unwrap().contains("turn-002/data"));
    assert_eq!(history.turns[1].training, {
        let of = |turn: &str| {
            let stats = fs::read(path.join(turn).join("data/stats.json")).unwrap();
            serde_json::from_slice::<Value>(&stats).unwrap()["training"].as_u64().unwrap()
        };
        of("turn-001") + of("turn-002")
    });
    let seeds: Vec<Value> =
        (1..=3).map(|turn| said(&path, &format!("turn-00{turn}/games"))["seed"].clone()).collect();
    assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2], "every turn has games of its own: {seeds:?}");
}

#[test]
fn games_of_before_are_turn_0_and_the_least_loss_is_the_candidate() {
    let folder = tempfile::tempdir().unwrap();
    let first = folder.path().join("first");
    take(&first, &manifest(), &[], 1, (&mut Told::new(&[]), &mut Seen::default())).unwrap();
    let with_games = data::inputs(&[first.join("turn-001/games")]).unwrap();
    let given = with_games.iter().map(|origin| (origin.path().display().to_string(), origin.bytes()));
    let manifest = Manifest { with_games: given.collect(), candidates: 2, ..manifest() };
    let path = folder.path().join("second");
    let (mut referee, mut seen) = (Told::new(&[ContestVerdict::Better]), Seen::default());
    let history = take(&path, &manifest, &with_games, 1, (&mut referee, &mut seen)).unwrap();
    let [row] = history.turns.as_slice() else { panic!("{history:?}") };
    assert_eq!((row.turn, row.games, row.candidates.len()), (0, 0, 2));
    assert_ne!(row.candidates[0].loss, row.candidates[1].loss, "they begin from different seeds");
    let least = row.candidates.iter().min_by(|a, b| a.loss.total_cmp(&b.loss)).unwrap();
    assert_eq!((row.candidate, row.best, row.loss()), (least.net, least.net, least.loss));
    let expected = ["0 data", "0 training of net 1", "0 training of net 2", "0 match", "0 over", "1 games"];
    assert_eq!(seen.stages[..6], expected);
    assert!(!path.join("turn-000/games").exists());
    let player = said(&path, "turn-001/games")["player"].as_str().unwrap().to_owned();
    assert!(player.contains(&format!("{}/nn.bin", least.net)), "{player}");
}

#[test]
fn a_stop_in_any_stage_ends_in_good_order_and_what_follows_is_the_same() {
    use ContestVerdict::Better;
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let mut seen = Seen::default();
    take(&whole, &manifest(), &[], 1, (&mut Told::new(&[Better]), &mut seen)).unwrap();
    assert_eq!(seen.stages, ["1 games", "1 data", "1 training of net 1", "1 match", "1 over"]);
    // A data set of so few positions is made before anybody looks for a stop.
    for stage in ["1 games", "1 training of net 1"] {
        let mut seen = Seen { stop_in: Some((stage.to_owned(), broken.clone())), ..Seen::default() };
        let history = take(&broken, &manifest(), &[], 1, (&mut Told::new(&[Better]), &mut seen)).unwrap();
        assert_eq!(history.turns, [], "{stage}");
        assert_eq!(seen.stages.last().unwrap(), stage);
        let page = fs::read_to_string(broken.join("report.html")).unwrap();
        assert!(page.contains("Turn 1 is under way"), "{stage}");
    }
    let history = take(&broken, &manifest(), &[], 1, (&mut Told::new(&[]), &mut Seen::default())).unwrap();
    assert_eq!(history.turns, [], "a match that was stopped decides nothing");
    let mut seen = Seen::default();
    take(&broken, &manifest(), &[], 1, (&mut Told::new(&[Better]), &mut seen)).unwrap();
    assert_eq!(seen.stages, ["1 match", "1 over"], "what is complete is not done again");
    for file in ["turns.jsonl", "nn.bin", "turn-001/data/train.psv", "turn-001/net-1/checkpoint.bin"] {
        assert!(fs::read(broken.join(file)).unwrap() == fs::read(whole.join(file)).unwrap(), "{file}");
    }
}

#[test]
fn too_few_positions_are_an_error_that_names_turn_and_stage() {
    let folder = tempfile::tempdir().unwrap();
    let training = Settings { batch: 1 << 20, ..manifest().training };
    let manifest = Manifest { training, ..manifest() };
    let told = &mut Told::new(&[]);
    let error =
        take(&folder.path().join("loop"), &manifest, &[], 1, (told, &mut Seen::default())).unwrap_err();
    let words = error.to_string();
    assert!(
        words.starts_with("turn 1, training: there are ") && words.contains("fewer than a batch"),
        "{words}"
    );
}
