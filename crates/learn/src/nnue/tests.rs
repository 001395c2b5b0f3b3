//! The gradient is the loss's, the net is the engine's.

use std::path::Path;

use eval::nnue::{Net, NetOptions};
use records::game::SideResult;
use records::packed::{PackedSfen, Psv, PsvMove, Record as _};
use shogi::Position;

use super::adam::{Moments, Step};
use super::arch::Arch;
use super::batch::{Batch, Recipe, RecordBytes, Target};
use super::checkpoint::{self, State};
use super::model::{COLUMN_BLOCKS, Model};
use super::pass::{GRAIN, Trainer};
use super::quantise::Quantised;
use super::simd::Level;

const TARGET: Target = Target { lambda: 0.5, scale: 600.0 };
const SLOPE: f32 = 0.85;

/// Positions of random games.
fn positions(count: usize) -> Vec<Position> {
    let mut rng = contract::Rng::new(5);
    let mut position = Position::start();
    let mut positions = Vec::new();
    while positions.len() < count {
        let moves = position.legal_moves();
        match moves.get((rng.draw() % moves.len().max(1) as u64) as usize) {
            Some(&m) => drop(position.play(m)),
            None => position = Position::start(),
        }
        positions.push(position.clone());
    }
    positions
}

fn records(count: usize) -> Vec<RecordBytes> {
    let record = |(number, position): (usize, &Position)| {
        let psv = Psv {
            position: PackedSfen::pack(&position.setup()).unwrap(),
            score_for_mover: (number as i16 * 37) % 1000 - 500,
            best: PsvMove::None,
            ply: 1,
            result_for_mover: [SideResult::Win, SideResult::Draw, SideResult::Loss][number % 3],
        };
        psv.to_bytes()
    };
    positions(count).iter().enumerate().map(record).collect()
}

fn batch(arch: Arch, count: usize, mirror: Option<u64>, threads: usize) -> Batch {
    let mut batch = Batch::default();
    Recipe { arch, target: TARGET, mirror, threads }.prepare(&records(count), &mut batch).unwrap();
    batch
}

fn trainer(arch: Arch, level: Level, threads: usize) -> Trainer {
    let model = Model::new(arch, 3);
    let moments = Moments::new(&model);
    Trainer::new(model, moments, level, threads)
}

/// A parameter of a model, chosen by number.
type Pick = fn(&mut Model) -> &mut f32;

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let batch = batch(Arch::Kp256, 2 * GRAIN, None, 1);
    let mut trainer = trainer(Arch::Kp256, Level::best(), 1);
    trainer.loss_and_gradient(&batch, SLOPE);
    let (blocks, dense) = trainer.gradients();
    // Rows of pawns on their first squares, of a king and the bias, in different blocks.
    let picks: [(f32, Pick); 10] = [
        (blocks[0][1710][3], |model| &mut model.blocks[0][1710][3]),
        (blocks[7][1710][30], |model| &mut model.blocks[7][1710][30]),
        (blocks[2][90 + 6][5], |model| &mut model.blocks[2][90 + 6][5]),
        (blocks[5][1548 + 44][9], |model| &mut model.blocks[5][1548 + 44][9]),
        (dense.weights1[17][4], |model| &mut model.dense.weights1[17][4]),
        (dense.weights1[300][20], |model| &mut model.dense.weights1[300][20]),
        (dense.bias1[8], |model| &mut model.dense.bias1[8]),
        (dense.weights2[3][6], |model| &mut model.dense.weights2[3][6]),
        (dense.weights3[11], |model| &mut model.dense.weights3[11]),
        (dense.bias3[0], |model| &mut model.dense.bias3[0]),
    ];
    let mut seen = 0;
    for (number, (slope, pick)) in picks.into_iter().enumerate() {
        let mut loss_at = |change: f32| {
            *pick(&mut trainer.model) += change;
            let loss = trainer.loss_and_gradient(&batch, SLOPE);
            *pick(&mut trainer.model) -= change;
            loss
        };
        let size = 2e-3;
        let difference = (loss_at(size) - loss_at(-size)) / f64::from(2.0 * size);
        let slope = f64::from(slope);
        let error = (slope - difference).abs();
        assert!(error < 2e-5 + 0.03 * slope.abs(), "{number}: {slope} by pass, {difference} by difference");
        seen += usize::from(slope.abs() > 1e-4);
    }
    assert!(seen >= 6, "only {seen} gradients are large enough to tell anything");
}

#[test]
fn the_quantised_net_says_what_the_engine_says_bit_for_bit() {
    for arch in [Arch::Kp256, Arch::ZoneKp256, Arch::HalfKp256Factored] {
        let mut trainer = trainer(arch, Level::best(), 2);
        let batch = batch(arch, 4 * GRAIN, Some(1), 2);
        for number in 1..=3 {
            trainer.step(&batch, Step::new(number, 1e-3, 0.0), SLOPE);
        }
        let quantised = Quantised::of(&trainer.model);
        let net = Net::from_bytes(&quantised.to_file(), Path::new("x"), &NetOptions::default()).unwrap();
        assert_eq!(net.architecture(), arch.architecture());
        let mut rows = vec![0; 2 * arch.active_rows()];
        let mut outputs = std::collections::BTreeSet::new();
        for position in positions(100) {
            assert!(arch.fill(&position.setup(), &mut rows));
            let (own, other) = rows.split_at(arch.active_rows());
            let output = quantised.output(own, other);
            assert_eq!(output, net.raw_output(&position), "{arch}: {position}");
            outputs.insert(output);
        }
        assert!(outputs.len() > 50, "{arch}: the net says nearly always the same");
    }
}

#[test]
fn a_net_learns_and_the_same_on_any_number_of_threads() {
    let nets: Vec<(Vec<f64>, Model)> = [1, 3]
        .map(|threads| {
            let mut trainer = trainer(Arch::Kp256, Level::best(), threads);
            let batch = batch(Arch::Kp256, 4 * GRAIN, None, threads);
            let losses = (1..=60).map(|n| trainer.step(&batch, Step::new(n, 1e-3, 0.0), SLOPE)).collect();
            (losses, trainer.model)
        })
        .into();
    assert!(nets[0] == nets[1]);
    let (first, last) = (nets[0].0[0], nets[0].0[59]);
    assert!(last < first - 0.03, "{first} became {last}");
}

#[test]
fn decay_makes_weights_smaller() {
    let size = |decay| {
        let mut trainer = trainer(Arch::Kp256, Level::best(), 1);
        let batch = batch(Arch::Kp256, GRAIN, None, 1);
        for number in 1..=20 {
            trainer.step(&batch, Step::new(number, 1e-3, decay), SLOPE);
        }
        let weights = trainer.model.blocks.iter().flatten().flatten();
        weights.map(|weight| f64::from(weight * weight)).sum::<f64>()
    };
    let [free, held] = [0.0, 100.0].map(size);
    assert!(held < 0.9 * free, "{free} became {held}");
}

#[test]
fn plain_code_learns_nearly_the_same() {
    let [plain, best] = [Level::PLAIN, Level::best()].map(|level| {
        let mut trainer = trainer(Arch::HalfKp256, level, 1);
        let batch = batch(Arch::HalfKp256, GRAIN, None, 1);
        (1..=5).map(|n| trainer.step(&batch, Step::new(n, 1e-3, 0.0), SLOPE)).fold(0.0, |_, loss| loss)
    });
    assert!((plain - best).abs() < 1e-3, "{plain} and {best}");
}

#[test]
fn a_checkpoint_leads_back_to_the_training() {
    let mut trainer = trainer(Arch::Kp256, Level::best(), 1);
    let batch = batch(Arch::Kp256, GRAIN, None, 1);
    trainer.step(&batch, Step::new(1, 1e-3, 0.0), SLOPE);
    let state = State { step: 1, best: Some((0.5, 1)), running: (0.7, 1), ..State::default() };
    let mut bytes = Vec::new();
    checkpoint::write(&mut bytes, &state, &trainer.model, &trainer.moments).unwrap();
    let read = checkpoint::read(&mut &bytes[..], Arch::Kp256).unwrap();
    assert!(read == (state, trainer.model, trainer.moments));
    for broken in [&bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat(), b"nonsense, nonsense"] {
        assert!(checkpoint::read(&mut &broken[..], Arch::Kp256).is_err());
    }
}

#[test]
fn mirrored_positions_are_other_rows_for_the_same_targets() {
    let plain = batch(Arch::Kp256, GRAIN, None, 1);
    let mirrored = batch(Arch::Kp256, GRAIN, Some(9), 2);
    let width = 2 * Arch::Kp256.active_rows();
    let rows = |batch: &Batch| batch.rows.chunks(width).map(<[u32]>::to_vec).collect::<Vec<_>>();
    let turned = rows(&plain).iter().zip(rows(&mirrored)).filter(|(a, b)| *a != b).count();
    assert!((GRAIN / 4..GRAIN).contains(&turned), "{turned} of {GRAIN}");
    assert_eq!(plain.targets, mirrored.targets);
    assert_eq!(COLUMN_BLOCKS * super::model::COLUMNS, super::model::ACCUMULATOR);
}
