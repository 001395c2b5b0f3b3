//! A net that is moved by slopes from elsewhere: whoever knows how a loss hangs on the values of positions.

use std::io::{self, Read, Write};
use std::path::Path;

use eval::nnue::{NetError, NetParameters};
use shogi::Position;

use super::adam::{Moments, Step};
use super::arch::Arch;
use super::batch::Batch;
use super::checkpoint::{self, State};
use super::pass::{GRAIN, Trainer};
use super::quantise::{Quantised, model_of};
use super::simd::Level;

/// One of the net's outputs is so many of the model's.
const OUTPUTS: f32 = 127.0 * 64.0;

/// A position, and by how much a loss rises with its value for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pull {
    /// The rows of the position, those of the side to move first.
    pub(crate) rows: Vec<u32>,
    /// The loss for each centipawn.
    pub(crate) slope: f64,
}

/// A net that is being pulled.
pub(crate) struct PulledNet {
    trainer: Trainer,
    state: State,
    fv_scale: u32,
}

/// How far to go in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    pub(crate) rate: f64,
    pub(crate) decay: f64,
}

impl PulledNet {
    /// The net of a file, whose output is divided by `fv_scale` to be centipawns; none if its shape cannot be trained.
    pub(crate) fn from_file(
        bytes: &[u8],
        name: &Path,
        fv_scale: u32,
        threads: usize,
    ) -> Result<Option<PulledNet>, NetError> {
        let Some(model) = model_of(&NetParameters::from_file(bytes, name)?) else { return Ok(None) };
        let moments = Moments::new(&model);
        let trainer = Trainer::new(model, moments, Level::best(), threads);
        Ok(Some(PulledNet { trainer, state: State::default(), fv_scale }))
    }

    /// Steps made so far.
    pub(crate) fn steps(&self) -> u64 {
        self.state.step
    }

    /// The divisor of its output.
    pub(crate) fn fv_scale(&self) -> u32 {
        self.fv_scale
    }

    /// Centipawns for each output of the model.
    fn unit(&self) -> f32 {
        OUTPUTS / self.fv_scale as f32
    }

    /// The kind of net.
    pub(crate) fn arch(&self) -> Arch {
        self.trainer.model.arch
    }

    /// The file of the net as engines load it.
    pub(crate) fn to_file(&self) -> Vec<u8> {
        Quantised::of(&self.trainer.model).to_file()
    }

    /// What engines say of positions by their rows, in centipawns.
    #[cfg(test)]
    pub(crate) fn values(&self) -> impl Fn(&[u32]) -> f64 + use<> {
        let (net, fv_scale) = (Quantised::of(&self.trainer.model), f64::from(self.fv_scale));
        move |rows| {
            let (own, other) = rows.split_at(rows.len() / 2);
            f64::from(net.output(own, other)) / fv_scale
        }
    }

    /// Makes a step by the sum of all slopes.
    pub(crate) fn step(&mut self, pulls: &[Pull], pace: Pace) {
        let (batch, unit) = (self.batch(pulls), self.unit());
        self.state.step += 1;
        self.trainer.step_by_slopes(&batch, Step::new(self.state.step, pace.rate, pace.decay), unit);
    }

    /// The pulls with enough of none behind them to fill the last grain.
    fn batch(&self, pulls: &[Pull]) -> Batch {
        let count = pulls.len().next_multiple_of(GRAIN);
        let mut rows: Vec<u32> = pulls.iter().flat_map(|pull| &pull.rows).copied().collect();
        if let Some(last) = pulls.last() {
            (pulls.len()..count).for_each(|_| rows.extend(&last.rows));
        }
        let mut targets: Vec<f32> = pulls.iter().map(|pull| pull.slope as f32).collect();
        targets.resize(count, 0.0);
        Batch { rows, targets }
    }

    /// Writes all that the next step depends on.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        checkpoint::write(out, &self.state, &self.trainer.model, &self.trainer.moments)
    }

    /// Goes on where [`PulledNet::write`] was.
    pub(crate) fn read(&mut self, source: &mut dyn Read) -> io::Result<()> {
        let (state, model, moments) = checkpoint::read(source, self.arch())?;
        (self.state, self.trainer.model, self.trainer.moments) = (state, model, moments);
        Ok(())
    }
}

/// The rows of a position for a kind of net; none if it has not all pieces.
pub(crate) fn rows_of(arch: Arch, position: &Position) -> Option<Vec<u32>> {
    let mut rows = vec![0; 2 * arch.active_rows()];
    arch.fill(&position.setup(), &mut rows).then_some(rows)
}

#[cfg(test)]
mod tests {
    use eval::{Evaluator as _, Net, NetOptions, Nnue};

    use super::*;

    const NAME: &str = "x";
    const FV_SCALE: u32 = 16;

    fn shipped() -> PulledNet {
        PulledNet::from_file(Net::embedded_file(), Path::new(NAME), FV_SCALE, 1).unwrap().unwrap()
    }

    fn positions(count: usize) -> Vec<Position> {
        let mut rng = contract::Rng::new(3);
        let mut position = Position::start();
        let mut next = || {
            let moves = position.legal_moves();
            position.play(moves[rng.draw() as usize % moves.len()]);
            position.clone()
        };
        (0..count).map(|_| next()).collect()
    }

    fn pulls(slope: impl Fn(usize) -> f64) -> Vec<Pull> {
        let pull = |(i, position): (usize, &Position)| Pull {
            rows: rows_of(Arch::Kp256, position).unwrap(),
            slope: slope(i),
        };
        positions(40).iter().enumerate().map(pull).collect()
    }

    #[test]
    fn a_net_of_a_file_is_written_as_it_was_read() {
        assert!(
            shipped().to_file()
                == NetParameters::from_file(Net::embedded_file(), Path::new(NAME)).unwrap().to_file()
        );
        assert!(PulledNet::from_file(b"no net", Path::new(NAME), FV_SCALE, 1).is_err());
    }

    #[test]
    fn slopes_are_those_of_finite_differences_through_the_net() {
        let mut net = shipped();
        let batch = net.batch(&pulls(|i| (i as f64 - 20.0) / 100.0));
        let (unit, trainer) = (net.unit(), &mut net.trainer);
        trainer.sum_and_gradient(&batch, unit);
        let (blocks, dense) = trainer.gradients();
        let slopes = [dense.bias3[0], dense.weights3[5], dense.bias2[7], blocks[2][1710][4]].map(f64::from);
        let mut seen = 0;
        for (number, slope) in slopes.into_iter().enumerate() {
            let mut at = |change: f32| {
                let value = |model: &mut super::super::model::Model, change: f32| match number {
                    0 => model.dense.bias3[0] += change,
                    1 => model.dense.weights3[5] += change,
                    2 => model.dense.bias2[7] += change,
                    _ => model.blocks[2][1710][4] += change,
                };
                value(&mut trainer.model, change);
                let sum = trainer.sum_and_gradient(&batch, unit);
                value(&mut trainer.model, -change);
                sum
            };
            let size = 1e-3;
            let difference = (at(size) - at(-size)) / f64::from(2.0 * size);
            let error = (slope - difference).abs();
            assert!(
                error < 0.05 + 0.03 * slope.abs(),
                "{number}: {slope} by pass, {difference} by difference"
            );
            seen += usize::from(slope.abs() > 1.0);
        }
        assert!(seen >= 2, "only {seen} slopes are large enough to tell anything");
    }

    #[test]
    fn a_net_goes_where_it_is_pulled_and_on_after_a_crash() {
        let pace = Pace { rate: 1e-3, decay: 0.0 };
        let mean = |net: &PulledNet| {
            let net = Net::from_bytes(&net.to_file(), Path::new(NAME), &NetOptions::default()).unwrap();
            let mut eval = Nnue::new(net);
            let value = |position: &Position| {
                eval.reset(position);
                eval.evaluate(position)
            };
            positions(40).iter().map(value).sum::<i32>() / 40
        };
        // A loss that rises with every value: values fall.
        let (mut whole, mut stopped) = (shipped(), shipped());
        let before = mean(&whole);
        (0..10).for_each(|_| whole.step(&pulls(|_| 1.0), pace));
        assert!(mean(&whole) < before - 100, "{before} became {}", mean(&whole));
        (0..4).for_each(|_| stopped.step(&pulls(|_| 1.0), pace));
        let mut bytes = Vec::new();
        stopped.write(&mut bytes).unwrap();
        let mut again = shipped();
        again.read(&mut &bytes[..]).unwrap();
        (again.steps()..10).for_each(|_| again.step(&pulls(|_| 1.0), pace));
        assert!(again.to_file() == whole.to_file());
    }
}
