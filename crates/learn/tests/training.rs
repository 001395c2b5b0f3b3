//! A training that was stopped goes on as if nothing had happened; a data set comes from games, psv and hcpe alike.

use std::fs;
use std::path::{Path, PathBuf};

use learn::data::{self, Filter};
use learn::nnue::{Arch, Level, Manifest, NET, Outcome, Settings, Target, Training, Watch};
use records::game::{GameResult, SideResult};
use records::packed::{Hcp, Hcpe, PackedSfen, Psv, PsvMove, Record as _};
use runs::{Header, RunDir, STOP};
use shogi::Position;

/// Random games are left after so many plies: by themselves they hardly ever end.
const GAME_PLIES: u16 = 60;

/// Positions of random games with made-up labels.
fn positions(count: usize) -> Vec<(Position, i16, SideResult)> {
    let mut rng = contract::Rng::new(11);
    let mut position = Position::start();
    let mut found = Vec::new();
    while found.len() < count {
        let moves = position.legal_moves();
        match moves.get((rng.draw() % moves.len().max(1) as u64) as usize) {
            Some(&m) if position.ply() < GAME_PLIES => drop(position.play(m)),
            _ => position = Position::start(),
        }
        let score = (rng.draw() % 1000) as i16 - 500;
        found.push((position.clone(), score, if score > 0 { SideResult::Win } else { SideResult::Loss }));
    }
    found
}

fn psv_file(path: &Path, count: usize) {
    let record = |(position, score, result): &(Position, i16, SideResult)| {
        let psv = Psv {
            position: PackedSfen::pack(&position.setup()).unwrap(),
            score_for_mover: *score,
            best: PsvMove::None,
            ply: position.ply(),
            result_for_mover: *result,
        };
        psv.to_bytes()
    };
    fs::write(path, positions(count).iter().flat_map(record).collect::<Vec<u8>>()).unwrap();
}

/// Stops the run after so many steps, and checks what is reported.
struct StopAfter<'a> {
    steps: u64,
    dir: &'a Path,
    validated: u64,
}

impl Watch for StopAfter<'_> {
    fn step(&mut self, step: u64, steps: u64, positions: usize, loss: f64) {
        assert!(step <= steps && positions == 64 && loss.is_finite());
        if step == self.steps {
            fs::write(self.dir.join(STOP), "").unwrap();
        }
    }

    fn validated(&mut self, epoch: u64, loss: f64, _is_best: bool) {
        assert!(epoch > self.validated && loss.is_finite());
        self.validated = epoch;
    }
}

fn train(path: &Path, files: &[PathBuf; 2], stop_after: u64) -> Outcome {
    let manifest = Manifest {
        header: Header::new(Manifest::KIND),
        arch: "kp256".to_owned(),
        training: Vec::new(),
        validation: Vec::new(),
        from: None,
        settings: Settings {
            epochs: 2,
            target: Target { lambda: 0.7, scale: 600.0 },
            rate: 1e-3,
            warm_up: 3,
            decay: 0.01,
            batch: 64,
            mirror: true,
            patience: 5,
            seed: 1,
        },
    };
    let dir = RunDir::open(path, &manifest).unwrap();
    let training = Training {
        manifest: &manifest,
        arch: Arch::Kp256,
        training: &files[..1],
        validation: &files[1..],
        from: None,
        dir: &dir,
        threads: 2,
        level: Level::best(),
    };
    training.run(&mut StopAfter { steps: stop_after, dir: path, validated: 0 }).unwrap()
}

#[test]
fn a_stopped_training_goes_on_to_the_same_net() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["train.psv", "validation.psv"].map(|name| folder.path().join(name));
    psv_file(&files[0], 5 * 64 + 7);
    psv_file(&files[1], 50);
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    let outcome = train(&whole, &files, 0);
    assert!(outcome.is_complete && (outcome.epochs, outcome.steps) == (2, 10));
    assert!(outcome.best.unwrap().0 > outcome.floor && outcome.floor > 0.0);
    let stopped = train(&parts, &files, 7);
    assert!(!stopped.is_complete && (stopped.epochs, stopped.steps) == (1, 7));
    let resumed = train(&parts, &files, 0);
    assert_eq!((resumed.best, resumed.positions), (outcome.best, 3 * 64));
    for name in [NET, "checkpoint.bin"] {
        assert!(fs::read(whole.join(name)).unwrap() == fs::read(parts.join(name)).unwrap(), "{name}");
    }
    assert!(fs::read_to_string(whole.join("loss.svg")).unwrap().contains("validation, quantised"));
}

const KEEP_ALL: Filter = Filter {
    keep_checks: true,
    keep_noisy: true,
    keep_mates: true,
    quieten: false,
    max_score: 3000,
    min_ply: 1,
};

/// Makes a data set of files in a folder; its training and validation records.
fn prepare(folder: &Path, inputs: &[PathBuf], validation: f64) -> [Vec<u8>; 2] {
    let origins = data::inputs(inputs).unwrap();
    let manifest = data::Manifest {
        header: Header::new(data::Manifest::KIND),
        inputs: Vec::new(),
        scores: data::Scores::default(),
        filter: KEEP_ALL,
        validation,
        seed: 4,
    };
    struct Quiet;
    impl data::Watch for Quiet {
        fn positions(&mut self, _done: u64) {}
    }
    let dir = RunDir::open(folder, &manifest).unwrap();
    let prepared = data::prepare(&manifest, &origins, &dir, &mut Quiet).unwrap();
    assert_eq!(prepared.refused, 0);
    let sets = [data::TRAINING, data::VALIDATION].map(|name| fs::read(folder.join(name)).unwrap());
    assert_eq!(
        [prepared.training, prepared.validation].map(|n| n as usize * 40),
        [sets[0].len(), sets[1].len()]
    );
    sets
}

#[test]
fn psv_and_hcpe_become_the_same_data() {
    let folder = tempfile::tempdir().unwrap();
    let [psv, hcpe] = ["x.psv", "x.hcpe"].map(|name| folder.path().join(name));
    psv_file(&psv, 300);
    let record = |(position, score, result): &(Position, i16, SideResult)| {
        let result: GameResult = result.of(position.side());
        Hcpe { position: Hcp::pack(&position.setup()).unwrap(), score_for_mover: *score, best: None, result }
            .to_bytes()
    };
    fs::write(&hcpe, positions(300).iter().flat_map(record).collect::<Vec<u8>>()).unwrap();
    let without_ply = |bytes: &[u8]| {
        let mut records: Vec<Vec<u8>> =
            bytes.chunks(40).map(|record| [&record[..36], &record[38..]].concat()).collect();
        records.sort_unstable();
        records
    };
    let [from_psv, from_hcpe] = [("a", psv), ("b", hcpe)]
        .map(|(name, file)| without_ply(&prepare(&folder.path().join(name), &[file], 0.0)[0]));
    assert_eq!(from_psv, from_hcpe);
    assert!(from_psv.len() >= 290, "random games seldom meet: {}", from_psv.len());
}

#[test]
fn games_go_into_either_set_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.psv");
    psv_file(&file, 3000);
    let sets = prepare(&folder.path().join("set"), &[file], 0.4);
    let keys = |set: &[u8]| -> Vec<[u8; 32]> { set.chunks(40).map(|r| *r.first_chunk().unwrap()).collect() };
    let [training, validation] = [keys(&sets[0]), keys(&sets[1])];
    let mut changes = 0;
    let (mut last, mut games) = (None, 0);
    for (position, ..) in positions(3000) {
        let packed = PackedSfen::pack(&position.setup()).unwrap().0;
        let place = validation.contains(&packed);
        assert!(place || training.contains(&packed));
        // The first positions occur in many games.
        if last.is_some_and(|(before, ply)| ply > 6 && before != place && position.ply() == ply + 1) {
            changes += 1;
        }
        games += usize::from(last.is_none_or(|(_, ply)| position.ply() != ply + 1));
        last = Some((place, position.ply()));
    }
    assert!(games > 3 && !validation.is_empty() && !training.is_empty(), "{games} games");
    assert_eq!(changes, 0, "positions of one game are in both sets {changes} times");
}
