//! Tuning with real games: resumable, and the same for the same seed.

use engine::{OwnSpec, PlayerSpec};
use lab::matches::{Adjudication, Conditions, TimeControl};
use lab::tune::{SpsaParam, TuneManifest, Tuning};
use runs::{Header, Opening, OpeningFacts, OpeningSet, RunDir, STOP};

fn manifest(openings: OpeningFacts) -> TuneManifest {
    let param =
        |name: &str, start| SpsaParam { name: name.to_owned(), start, min: 10.0, max: 400.0, c_end: 20.0 };
    TuneManifest {
        header: Header::new(TuneManifest::KIND),
        player: "alphabeta(hash=1)".to_owned(),
        resolved: String::new(),
        params: vec![param("static_cut_z", 100.0), param("futility_z", 140.0)],
        steps: 6,
        rate: lab::tune::USUAL_RATE,
        batch: 2,
        conditions: Conditions {
            declaration: shogi::DeclarationRule::Points27,
            max_moves: 80,
            margin_ms: 50,
            patience_ms: 1000,
            adjudication: Adjudication::default(),
            ..Conditions::usual(TimeControl::Nodes(60), 2)
        },
        openings,
        seed: 4,
    }
}

#[test]
fn a_stopped_tuning_goes_on_and_ends_as_one_that_was_not() {
    let OpeningSet { all: openings, facts } = OpeningSet::own().unwrap();
    let manifest = manifest(facts);
    let player: OwnSpec = "alphabeta(hash=1)".parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tune = |name: &str, stop_at: Option<u64>| {
        let path = folder.path().join(name);
        let dir = RunDir::open(&path, &manifest).unwrap();
        let tuning = Tuning { manifest: &manifest, player: &player, openings: &openings, dir: &dir };
        let spsa = tuning.run(&mut |done, _| {
            if stop_at == Some(done) {
                std::fs::write(path.join(STOP), "").unwrap();
            }
        });
        let values = spsa.unwrap().values().to_vec();
        let (again, steps) = tuning.so_far().unwrap();
        assert_eq!(again.values(), values, "the log says what happened");
        (steps, values)
    };
    let (steps, whole) = tune("whole", None);
    assert_eq!(steps, 6);
    assert_eq!(tune("stopped", Some(2)).0, 2);
    // Half a batch in the log, as a crash may leave it.
    let log = folder.path().join("stopped/steps.jsonl");
    let torn = std::fs::read_to_string(&log).unwrap() + "{\"step\":2,\"half_points\":4}\n{\"ste";
    std::fs::write(&log, torn).unwrap();
    assert_eq!(tune("stopped", None), (6, whole));
}

#[test]
fn parameters_are_rounded_and_named_in_a_spec() {
    let openings = Opening::read_all("startpos", "x").unwrap();
    let manifest = manifest(OpeningSet::none().facts);
    let folder = tempfile::tempdir().unwrap();
    let dir = RunDir::open(&folder.path().join("run"), &manifest).unwrap();
    let player = OwnSpec::default();
    let tuning = Tuning { manifest: &manifest, player: &player, openings: &openings, dir: &dir };
    let spec: PlayerSpec = tuning.moved(&[96.6, 150.2]).unwrap();
    assert_eq!(spec.to_string(), "alphabeta(static_cut_z=97, futility_z=150)");
}

#[test]
fn parameters_of_every_method_are_moved_as_their_tables_write_them() {
    let openings = Opening::read_all("startpos", "x").unwrap();
    let mut manifest = manifest(OpeningSet::none().facts);
    let names = ["T", "step", "qdepth"];
    manifest.params = names
        .map(|name| SpsaParam { name: name.to_owned(), start: 1.0, min: 0.0, max: 100.0, c_end: 1.0 })
        .into();
    let folder = tempfile::tempdir().unwrap();
    let dir = RunDir::open(&folder.path().join("run"), &manifest).unwrap();
    let PlayerSpec::Own(player) = "softmax(hash=1)".parse().unwrap() else { panic!("one of ours") };
    let tuning = Tuning { manifest: &manifest, player: &player, openings: &openings, dir: &dir };
    let spec = tuning.moved(&[23.456_78, 0.056_789_1, 5.6]).unwrap();
    assert_eq!(spec.to_string(), "softmax(hash=1, T=23.46, step=0.05679, qdepth=6)");
}
