//! Whole nets, with random weights.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use shogi::{HANDICAPS, Position, Setup};

use super::*;
use crate::Evaluator;
use crate::walk::random_walk;

const KP: Architecture = Architecture::KP_256;
/// One for each kind of features.
const SHAPES: [Architecture; 3] = [KP, Architecture::ZONE_KP_256, Architecture::HALF_KP_256];

fn file_of(architecture: Architecture) -> &'static [u8] {
    static FILES: [OnceLock<Vec<u8>>; SHAPES.len()] = [const { OnceLock::new() }; SHAPES.len()];
    let slot = SHAPES.iter().position(|&shape| shape == architecture).unwrap();
    FILES[slot].get_or_init(|| random_net_file(architecture, 20_240_229))
}

fn net(architecture: Architecture, simd: Simd) -> Arc<Net> {
    let options = NetOptions { simd: Some(simd), ..NetOptions::default() };
    Net::from_bytes(file_of(architecture), Path::new("random"), &options).unwrap()
}

#[test]
fn nets_are_shared_between_threads_and_evaluators_move_to_them() {
    fn shared<T: Send + Sync>() {}
    fn moved<T: Send>() {}
    shared::<Net>();
    moved::<Nnue>();
}

#[test]
fn following_moves_gives_what_a_full_computation_gives() {
    for architecture in SHAPES {
        let net = net(architecture, Simd::best());
        let mut nnue = Nnue::new(Arc::clone(&net));
        let mut values = std::collections::BTreeSet::new();
        for seed in 0..4 {
            random_walk(seed, 600, &mut nnue, |nnue, position| {
                let raw = nnue.raw_output(position);
                assert_eq!(raw, net.raw_output(position), "{architecture} {position}");
                values.insert(raw);
            });
        }
        assert!(values.len() > 600, "only {} different values", values.len());
    }
}

#[test]
fn every_path_of_this_cpu_gives_the_same_integers() {
    for architecture in SHAPES {
        let reference = net(architecture, Simd::Scalar);
        for simd in Simd::available() {
            let mut nnue = Nnue::new(net(architecture, simd));
            assert_eq!(nnue.net().simd(), simd);
            random_walk(99, 300, &mut nnue, |nnue, position| {
                assert_eq!(nnue.raw_output(position), reference.raw_output(position), "{simd} {position}");
            });
        }
    }
}

#[test]
fn a_rotated_position_has_the_same_value() {
    for architecture in SHAPES {
        let net = net(architecture, Simd::best());
        let mut nnue = Nnue::new(Arc::clone(&net));
        random_walk(5, 200, &mut nnue, |nnue, position| {
            let rotated = Position::new(&position.setup().rotated()).unwrap();
            assert_eq!(nnue.raw_output(position), net.raw_output(&rotated), "{position}");
        });
    }
}

#[test]
fn resetting_between_handicaps_and_full_sets_leaves_nothing_behind() {
    for architecture in SHAPES {
        let net = net(architecture, Simd::best());
        let mut nnue = Nnue::new(Arc::clone(&net));
        for handicap in HANDICAPS.iter().chain(HANDICAPS.iter().rev()) {
            let mut position = handicap.position();
            nnue.reset(&position);
            assert_eq!(nnue.raw_output(&position), net.raw_output(&position), "{position}");
            let first = position.legal_moves()[0];
            nnue.push(&position.play(first));
            assert_eq!(nnue.raw_output(&position), net.raw_output(&position), "{position}");
        }
    }
}

#[test]
fn a_mate_problem_without_attacking_king_has_a_value() {
    let setup: Setup = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1".parse().unwrap();
    for architecture in SHAPES {
        let net = net(architecture, Simd::best());
        let mut nnue = Nnue::new(Arc::clone(&net));
        let mut position = Position::problem(&setup).unwrap();
        let rotated = Position::problem(&setup.rotated()).unwrap();
        assert_eq!(net.raw_output(&position), net.raw_output(&rotated));
        nnue.reset(&position);
        for text in ["G*5b", "5a4a"] {
            assert_eq!(nnue.raw_output(&position), net.raw_output(&position), "{position}");
            if position.is_legal(text.parse().unwrap()) {
                nnue.push(&position.play(text.parse().unwrap()));
            }
        }
    }
}

#[test]
fn values_are_the_output_divided_towards_zero_within_the_limit() {
    let bytes = file_of(KP);
    for fv_scale in [1, 16, 24] {
        let options = NetOptions { fv_scale: Some(fv_scale), ..NetOptions::default() };
        let mut nnue = Nnue::new(Net::from_bytes(bytes, Path::new("random"), &options).unwrap());
        random_walk(11, 100, &mut nnue, |nnue, position| {
            let expected = (nnue.raw_output(position) / fv_scale as i32).clamp(-VALUE_LIMIT, VALUE_LIMIT);
            assert_eq!(nnue.evaluate(position), expected);
        });
    }
}

#[test]
fn a_file_takes_its_scale_from_the_options_beside_it_unless_the_caller_gives_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    std::fs::write(&path, file_of(KP)).unwrap();
    let load = |fv_scale| Net::load(&path, &NetOptions { fv_scale, simd: None }).unwrap();
    assert_eq!(load(None).fv_scale(), DEFAULT_FV_SCALE);
    std::fs::write(folder.path().join("eval_options.txt"), "FV_SCALE=24\n").unwrap();
    assert_eq!(load(None).fv_scale(), 24);
    assert_eq!(load(Some(20)).fv_scale(), 20);
    let text = load(None).to_string();
    for fact in ["K-P 256x2-32-32", "FV_SCALE 24", &Simd::best().to_string(), "nn.bin"] {
        assert!(text.contains(fact), "{fact} is not in: {text}");
    }
}

#[test]
fn a_missing_or_damaged_file_is_an_error_and_no_other_net() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    let options = NetOptions::default();
    assert!(matches!(Net::load(&path, &options), Err(NetError::Io { .. })));
    for bytes in [&[][..], b"garbage, garbage", &file_of(KP)[..5000]] {
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(Net::load(&path, &options), Err(NetError::Refused { .. })));
    }
}
