//! Every path against the scalar one, for every shape, with values up to the edges.

use super::super::architecture::Architecture;
use super::super::layers::Layers;
use super::super::lines::Line;
use super::{Kernels, Simd};
use contract::Rng;

/// Enough rows for an exchange; the whole table of a shape may have 256 MB.
const ROWS: usize = 24;

fn random_bytes(rng: &mut Rng, len: usize) -> Vec<u8> {
    (0..len.div_ceil(8)).flat_map(|_| rng.draw().to_le_bytes()).take(len).collect()
}

fn random_lines(rng: &mut Rng, len: usize, mut value: impl FnMut(u64) -> i16) -> Vec<Line> {
    (0..len).map(|_| Line(std::array::from_fn(|_| value(rng.draw())))).collect()
}

/// Weights at the edges of their range, and biases small enough to keep the sums in range.
fn layers(rng: &mut Rng, architecture: Architecture, extreme: bool) -> Layers {
    let mut bytes = Vec::new();
    for shape in architecture.layers() {
        bytes.extend((0..shape.outputs).flat_map(|_| ((rng.draw() as i32) >> 18).to_le_bytes()));
        let weights = random_bytes(rng, shape.outputs * shape.row_bytes());
        let edge = |byte: u8| [0x80, 0x7F, 0x81, byte][usize::from(byte % 4)];
        bytes.extend(weights.into_iter().map(|byte| if extreme { edge(byte) } else { byte }));
    }
    Layers::from_bytes(architecture, &bytes, |input| input)
}

/// Every shape on every path of this CPU but the scalar one, with that for comparison.
fn paths() -> impl Iterator<Item = (Architecture, Kernels, Kernels)> {
    Architecture::ALL.into_iter().flat_map(|architecture| {
        Simd::available().map(move |simd| {
            let [reference, path] = [Simd::Scalar, simd].map(|s| Kernels::new(s, architecture).unwrap());
            (architecture, reference, path)
        })
    })
}

#[test]
fn outputs_are_the_same_integers_on_every_path() {
    for (architecture, reference, path) in paths() {
        let mut rng = Rng::new(3);
        for round in 0..40 {
            let layers = layers(&mut rng, architecture, round % 2 == 0);
            let lines = architecture.accumulator / Line::LEN;
            // From mostly idle to saturated accumulators, and the extremes of their type.
            let value = |bits: u64| match round % 5 {
                0 => bits as i16,
                1 => (bits % 2000) as i16 - 1950,
                2 => [i16::MIN, i16::MAX, 127, 128][bits as usize % 4],
                3 => 0,
                _ => (bits % 256) as i16 - 128,
            };
            let own = random_lines(&mut rng, lines, value);
            let other = random_lines(&mut rng, lines, value);
            let expected = reference.output(&layers, &own, &other);
            let found = path.output(&layers, &own, &other);
            assert_eq!(found, expected, "{architecture} {} round {round}", path.simd());
        }
    }
}

#[test]
fn sums_are_the_same_integers_on_every_path() {
    for (architecture, reference, path) in paths() {
        let mut rng = Rng::new(4);
        let lines = architecture.accumulator / Line::LEN;
        let rows = random_lines(&mut rng, ROWS * lines, |bits| bits as i16);
        let source = random_lines(&mut rng, lines, |bits| bits as i16);
        for (added, removed) in [(&[][..], &[][..]), (&[3], &[5]), (&[3, 23], &[0, 9]), (&[7, 7], &[1, 1])] {
            let (mut expected, mut found) = (source.clone(), vec![Line::ZERO; lines]);
            reference.accumulate(&rows, &mut expected, added, removed);
            path.exchange(&rows, &source, &mut found, added, removed);
            assert_eq!(found, expected, "{architecture} {}", path.simd());
        }
        for (added, removed) in [(&[1, 2, 3, 4, 4][..], &[][..]), (&[], &[9, 9, 9]), (&[0, 1], &[20, 21, 22])]
        {
            let (mut expected, mut found) = (source.clone(), source.clone());
            reference.accumulate(&rows, &mut expected, added, removed);
            path.accumulate(&rows, &mut found, added, removed);
            assert_eq!(found, expected, "{architecture} {}", path.simd());
        }
    }
}

#[test]
fn a_family_that_this_cpu_lacks_is_not_offered() {
    for simd in Simd::ALL {
        let offered = Kernels::new(simd, Architecture::KP_256).is_some();
        assert_eq!(offered, Simd::available().any(|available| available == simd));
    }
    assert_eq!(Some(Simd::best()), Simd::available().last());
}
