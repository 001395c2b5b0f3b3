use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use contract::Rng;
use shogi::{Color, Position, Setup};

use super::layout::{Block, ROWS, STAGES, Theme};
use super::*;
use crate::Evaluator;
use crate::walk::random_walk;

/// Weights by chance, so that every feature matters.
fn random_weights() -> LinearWeights {
    let mut rng = Rng::new(5);
    let rows = (0..ROWS).map(|_| [(); STAGES].map(|()| (rng.draw() % 401) as i16 - 200)).collect();
    LinearWeights::new(rows, 1, "by chance")
}

static TABLES: LazyLock<Arc<LinearTables>> = LazyLock::new(|| LinearTables::new(random_weights()));

fn value(position: &Position) -> i32 {
    let mut linear = Linear::new(Arc::clone(&TABLES));
    linear.reset(position);
    linear.evaluate(position)
}

#[test]
fn following_moves_gives_what_counting_gives() {
    let mut linear = Linear::new(Arc::clone(&TABLES));
    let mut visits = 0;
    for seed in 0..6 {
        random_walk(seed, 500, &mut linear, |linear, position| {
            assert_eq!(linear.sum(position), Linear::from_nothing(&TABLES, position), "{position}");
            visits += 1;
        });
    }
    assert!(visits > 1000);
}

/// The features of a position with the side that they count for, each once.
fn features(position: &Position) -> BTreeMap<(usize, usize), i32> {
    let mut features = BTreeMap::new();
    each_feature(position, |color, row, count| {
        *features.entry((color.index(), row)).or_insert(0) += count;
    });
    features
}

/// Visits positions of random games, each with one that is `changed`.
fn compare(changed: fn(&Setup) -> Setup, mut each: impl FnMut(&Position, &Position)) {
    let mut visits = 0;
    random_walk(3, 600, &mut crate::Material::new(), |_, position| {
        each(position, &Position::new(&changed(&position.setup())).unwrap());
        visits += 1;
    });
    assert!(visits > 200);
}

#[test]
fn a_rotated_position_has_the_same_value_for_the_side_to_move() {
    compare(Setup::rotated, |position, rotated| {
        assert_eq!(value(position), value(rotated), "{position}");
        let exchanged: BTreeMap<_, _> =
            features(rotated).into_iter().map(|((color, row), count)| ((1 - color, row), count)).collect();
        assert_eq!(features(position), exchanged, "{position}");
    });
}

#[test]
fn left_and_right_are_the_same_game() {
    compare(Setup::mirrored, |position, mirrored| {
        assert_eq!(features(position), features(mirrored), "{position}");
    });
}

#[test]
fn every_block_occurs_in_games() {
    let mut seen = BTreeMap::new();
    random_walk(11, 3000, &mut crate::Material::new(), |_, position| {
        each_feature(position, |_, row, _| {
            assert!(row < ROWS);
            *seen.entry(Block::of_row(row) as usize).or_insert(0) += 1;
        });
    });
    for block in Block::all() {
        assert!(seen.contains_key(&(block as usize)), "{block:?} never occurs");
    }
}

#[test]
fn a_problem_without_attacking_king_has_a_value() {
    let setup: Setup = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1".parse().unwrap();
    let mut position = Position::problem(&setup).unwrap();
    let mut linear = Linear::new(Arc::clone(&TABLES));
    linear.reset(&position);
    assert_eq!(linear.sum(&position), Linear::from_nothing(&TABLES, &position));
    linear.push(&position.play("G*5b".parse().unwrap()));
    assert_eq!(linear.sum(&position), Linear::from_nothing(&TABLES, &position));
}

#[test]
fn an_explanation_adds_up_to_the_value() {
    random_walk(4, 200, &mut crate::Material::new(), |_, position| {
        let explanation = Explanation::of(TABLES.weights(), position);
        let sign = if position.side() == Color::Black { 1.0 } else { -1.0 };
        let value = f64::from(value(position));
        assert!((explanation.for_black() * sign - value).abs() < 1.001, "{position}");
        let parts: f64 = explanation.parts().iter().map(|part| part.black - part.white).sum();
        assert!((parts - explanation.for_black()).abs() < 1e-6);
        assert_eq!(explanation.parts().len(), Theme::ALL.len());
    });
}

#[test]
fn the_weights_inside_know_the_worth_of_pieces() {
    let tables = LinearTables::new(LinearWeights::embedded());
    let mut linear = Linear::new(tables);
    let mut value = |sfen: &str| {
        let position: Position = sfen.parse().unwrap();
        linear.reset(&position);
        linear.evaluate(&position)
    };
    let even = value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(even.abs() < 150, "{even}");
    let rook = value("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
    let pawn = value("lnsgkgsnl/1r5b1/pppp1pppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1");
    assert!(even < pawn && pawn + 300 < rook, "even {even}, a pawn more {pawn}, a rook more {rook}");
}

#[test]
fn files_come_back_as_they_were_and_damage_is_refused() {
    let mut rows = vec![[0; STAGES]; ROWS];
    let mut rng = Rng::new(9);
    for _ in 0..2000 {
        rows[rng.draw() as usize % ROWS] = [(); STAGES].map(|()| rng.draw() as i16);
    }
    for unit in [1, 8, 1000] {
        let weights = LinearWeights::new(rows.clone(), unit, "a note");
        let bytes = weights.to_bytes();
        assert_eq!(LinearWeights::from_bytes(&bytes).unwrap(), weights);
        assert_eq!(weights.note(), "a note");
        let most = i32::from(i16::MAX) / unit as i32 * unit as i32;
        for (rounded, exact) in weights.rows().iter().flatten().zip(rows.iter().flatten()) {
            let (rounded, exact) = (i32::from(*rounded), i32::from(*exact));
            assert!((rounded - exact.clamp(-most, most)).abs() <= unit as i32 / 2, "{exact} {rounded}");
        }
    }
    let bytes = LinearWeights::new(rows, 1, "").to_bytes();
    assert_eq!(LinearWeights::from_bytes(b"no weights"), Err(LinearRefusal::Magic));
    assert_eq!(LinearWeights::from_bytes(&bytes[..10]), Err(LinearRefusal::TooShort));
    for at in [8, 30, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        let refused = LinearWeights::from_bytes(&damaged);
        assert!(matches!(refused, Err(LinearRefusal::Checksum { .. })), "{at}: {refused:?}");
    }
    let mut of_others = bytes[..bytes.len() - 4].to_vec();
    of_others[8] ^= 1;
    of_others.extend(crc32fast::hash(&of_others).to_le_bytes());
    assert!(matches!(LinearWeights::from_bytes(&of_others), Err(LinearRefusal::Layout { .. })));
    let missing = LinearWeights::load(std::path::Path::new("nowhere/weights.bin")).unwrap_err();
    assert!(missing.to_string().contains("cannot read nowhere"), "{missing}");
}
