use std::sync::Arc;

use contract::Rng;
use eval::linear::{Block, ROWS, STAGES};
use eval::{Evaluator as _, Linear, LinearTables, LinearWeights};
use records::game::SideResult;
use records::packed::{PackedSfen, Psv, PsvMove, Record as _};
use shogi::{Color, Position};

use super::bonanza::{self, Family};
use super::checkpoint::{self, State};
use super::judge;
use super::model::Model;
use super::shallow::Shallow;
use super::values;
use crate::nnue::Target;
use crate::nnue::batch::RecordBytes;

const TARGET: Target = Target { lambda: 1.0, scale: 600.0 };

/// Positions of random games with the values and the best moves of some weights.
fn records(weights: LinearWeights, count: usize) -> Vec<RecordBytes> {
    let tables = LinearTables::new(weights);
    let mut linear = Linear::new(Arc::clone(&tables));
    let mut shallow = Shallow::new(tables);
    let mut rng = Rng::new(3);
    let mut position = Position::start();
    let mut records = Vec::new();
    while records.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.plies_played() > 120 {
            position = Position::start();
            continue;
        }
        linear.reset(&position);
        shallow.set(&position);
        let best = moves.iter().copied().max_by_key(|&m| shallow.search(m, -32_000, 32_000).value).unwrap();
        let psv = Psv {
            position: PackedSfen::pack(&position.setup()).unwrap(),
            score_for_mover: linear.evaluate(&position) as i16,
            best: PsvMove::Play(best),
            ply: position.ply(),
            result_for_mover: SideResult::Draw,
        };
        records.push(psv.to_bytes());
        position.play(moves[rng.draw() as usize % moves.len()]);
    }
    records
}

fn random_weights(seed: u64, most: i16) -> LinearWeights {
    let mut rng = Rng::new(seed);
    let mut draw = || (rng.draw() % (2 * most as u64 + 1)) as i16 - most;
    LinearWeights::new((0..ROWS).map(|_| [(); STAGES].map(|()| draw())).collect(), 1, "by chance")
}

fn values_recipe(threads: usize) -> values::Recipe {
    values::Recipe { target: TARGET, rate: 3.0, threads }
}

#[test]
fn values_teach_what_pieces_are_worth_whatever_the_number_of_threads() {
    let records = records(LinearWeights::of_material(), 400);
    let learned = |threads: usize| {
        let mut model = Model::of(&LinearWeights::zero());
        let losses: Vec<f64> =
            (0..12).map(|_| values::step(&mut model, &records, &values_recipe(threads)).unwrap()).collect();
        (model, losses)
    };
    let (model, losses) = learned(1);
    let entropy = judge::judge(&LinearTables::new(LinearWeights::of_material()), &records, TARGET, 1);
    assert!(losses[11] - entropy.loss < 0.5 * (losses[0] - entropy.loss), "{losses:?}, {entropy:?}");
    assert_eq!((entropy.positions, entropy.moves), (400, 400));
    assert!(entropy.first > 0.99, "{entropy:?}");
    let judged = judge::judge(&LinearTables::new(model.to_weights(0, 1, "")), &records, TARGET, 2);
    assert!((judged.loss - losses[11]).abs() < 0.02, "{judged:?}, {losses:?}");
    assert_eq!(learned(3), (model, losses));
}

#[test]
fn settling_changes_no_value_of_positions_that_were_seen() {
    let records = records(LinearWeights::of_material(), 300);
    let mut model = Model::of(&random_weights(1, 400));
    // A step that goes nowhere counts what occurs.
    values::step(&mut model, &records, &values::Recipe { rate: 0.0, ..values_recipe(1) }).unwrap();
    let mut settled = model.clone();
    settled.settle();
    let value = |model: &Model, record| {
        let (position, _) = values::labelled(record, TARGET).unwrap();
        bonanza::value(model, &position, Color::Black)
    };
    for record in &records {
        let (before, after) = (value(&model, record), value(&settled, record));
        assert!((before - after).abs() < 0.05, "{before} {after}");
    }
    let rows = |model: &Model| Block::Material.rows().map(|row| *model.weight(row)).collect::<Vec<_>>();
    assert_ne!(rows(&model), rows(&settled));
}

#[test]
fn the_value_of_a_move_is_that_of_the_end_of_its_line() {
    let tables = LinearTables::new(random_weights(2, 60));
    let mut shallow = Shallow::new(Arc::clone(&tables));
    let mut captures = 0;
    for record in records(LinearWeights::of_material(), 60) {
        let (mut position, _) = judge::with_move(&record).unwrap();
        shallow.set(&position);
        for m in position.legal_moves() {
            let searched = shallow.search(m, -32_000, 32_000);
            position.play(m);
            searched.line.iter().for_each(|&reply| {
                position.play(reply);
            });
            let mut linear = Linear::new(Arc::clone(&tables));
            linear.reset(&position);
            let at_end = linear.evaluate(&position);
            let expected = if searched.line.len().is_multiple_of(2) { -at_end } else { at_end };
            assert!(searched.value == expected || searched.value.abs() > 30_000, "{position} {searched:?}");
            captures += searched.line.len();
            (0..=searched.line.len()).for_each(|_| position.undo());
        }
    }
    assert!(captures > 100, "{captures} moves of lines");
}

fn bonanza_recipe() -> bonanza::Recipe {
    bonanza::Recipe { width: 40.0, window: 2000, penalty: 0.0, step: 0.5, updates: 1, threads: 2 }
}

#[test]
fn the_gradient_of_comparisons_is_the_numeric_one() {
    let records = records(LinearWeights::of_material(), 12);
    let mut model = Model::of(&random_weights(4, 300));
    let recipe = bonanza_recipe();
    let families: Vec<Family> = bonanza::families(&model, &records, &recipe);
    assert!(families.len() > 6);
    let gradient = bonanza::gradient(&model, &families, &recipe);
    let mut checked = 0;
    // The largest entries: small ones drown in rounding.
    let mut largest: Vec<_> = gradient.iter().collect();
    largest.sort_by(|a, b| b.1[0].abs().total_cmp(&a.1[0].abs()));
    for (&row, change) in largest.into_iter().take(40) {
        let mut j = |by: f32| {
            model.weight_mut(row)[0] += by;
            let loss = bonanza::loss(&model, &families, &recipe);
            model.weight_mut(row)[0] -= by;
            loss
        };
        let numeric = (j(0.5) - j(-0.5)) * recipe.width;
        let exact = f64::from(change[0]);
        assert!((numeric - exact).abs() < 0.02 + 0.02 * exact.abs(), "row {row}: {numeric} {exact}");
        checked += usize::from(exact.abs() > 0.1);
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn moves_of_a_player_are_learned_from_its_games() {
    let teacher = random_weights(5, 300);
    let records = records(teacher, 50);
    let mut model = Model::of(&LinearWeights::of_material());
    let pieces =
        |model: &Model| Block::Material.rows().map(|row| model.weight(row).iter().sum::<f32>()).sum::<f32>();
    let (worth, mut losses) = (pieces(&model), Vec::new());
    let recipe = bonanza::Recipe { updates: 2, penalty: 1e-4, step: 2.0, ..bonanza_recipe() };
    let first = |model: &Model| {
        judge::judge(&LinearTables::new(model.to_weights(0, 1, "")), &records, TARGET, 2).first
    };
    let before = first(&model);
    for _ in 0..6 {
        losses.push(bonanza::step(&mut model, &records, &recipe).loss);
    }
    assert!(losses[5] < 0.5 * losses[0], "{losses:?}");
    let after = first(&model);
    assert!(after > before + 0.3, "{before} {after}");
    assert!((pieces(&model) - worth).abs() < 1e-3 * worth, "pieces are together worth what they were");
}

#[test]
fn a_checkpoint_comes_back_as_it_was_and_damage_is_refused() {
    let mut model = Model::of(&random_weights(6, 1000));
    values::step(&mut model, &records(LinearWeights::of_material(), 20), &values_recipe(1)).unwrap();
    let state = State { step: 7, epoch: 2, running: (0.5, 3), ..State::default() };
    let mut bytes = Vec::new();
    checkpoint::write(&mut bytes, &state, &model).unwrap();
    assert_eq!(checkpoint::read(bytes.as_slice()).unwrap(), (state, model));
    assert!(checkpoint::read(&bytes[..bytes.len() - 1]).is_err());
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    assert!(checkpoint::read(bytes.as_slice()).unwrap_err().to_string().contains("damaged"));
    assert!(checkpoint::read(b"no checkpoint at all".as_slice()).is_err());
}
