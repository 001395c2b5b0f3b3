//! Costs of kinds of move learned in real games, broken off and taken up again.

use engine::{OwnSpec, PlayerSpec};
use lab::tune::kinds::{GameUpdates, KindsManifest, KindsTuning, Target, UPDATES, chart};
use runs::{Header, OpeningSet, RunDir};

fn player() -> OwnSpec {
    let text =
        "alphabeta(eval=material, plain=1, quiescence_exchange=1, leaf_depth=1, depth_limit=2, hash=1)";
    match text.parse().unwrap() {
        PlayerSpec::Own(spec) => *spec,
        PlayerSpec::External(_) => unreachable!("a player of ours"),
    }
}

fn manifest(updates: u64, target: Target, openings: &OpeningSet) -> KindsManifest {
    KindsManifest {
        header: Header::new(KindsManifest::KIND),
        player: player().to_string(),
        opponent: player().to_string(),
        kinds: vec!["board".to_owned(), "taken.pawn".to_owned()],
        updates,
        alpha: 1.0,
        delta: 0.4,
        target,
        dither: true,
        max_moves: 60,
        openings: openings.facts.clone(),
        seed: 3,
    }
}

#[test]
fn a_run_that_was_broken_off_goes_on_from_its_log() {
    let openings = OpeningSet::own().unwrap();
    let player = player();
    for target in [Target::Deeper, Target::Next] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let mut before: Vec<GameUpdates> = Vec::new();
        for updates in [20, 45] {
            let manifest = manifest(updates, target, &openings);
            let dir = RunDir::open_prolonged(&path, &manifest, Some("updates")).unwrap();
            let tuning = KindsTuning {
                manifest: &manifest,
                player: &player,
                opponent: &player,
                openings: &openings.all,
                dir: &dir,
            };
            let result = tuning.run(&mut |_| {}).unwrap();
            assert_eq!((result.updates, result.of), (updates, updates));
            let rows: Vec<GameUpdates> = dir.read_log(UPDATES).unwrap();
            assert_eq!(rows[..before.len()], before, "what was done stays done");
            let last = rows.iter().flat_map(|row| &row.updates).last().unwrap();
            // The text of a log may lose the last bit.
            assert!((result.costs["board"] - last.costs[0]).abs() < 1e-12);
            assert!(last.costs.iter().all(|cost| (0.2..=3.0).contains(cost)));
            before = rows;
            assert_eq!(chart(&dir, &manifest.kinds).unwrap().series.len(), 2);
        }
        let moved = before.iter().flat_map(|row| &row.updates).any(|update| update.costs[0] != 1.0);
        assert!(moved, "{target:?}: what moves on the board cost matters to somebody");
    }
}
